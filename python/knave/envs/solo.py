"""Solo games as Gymnasium environments."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from knave._knave import Episode, Game
from knave.errors import RequestError

#: The reward of an action that the mask forbids.
ILLEGAL = -1.0


def observation_space(game: Game) -> Any:
    """The space of observations, a `Box` of numbers in [0, 1]."""
    return spaces.Box(0.0, 1.0, (sum(part["length"] for part in game.observation_parts),), np.float32)


def action_space(game: Game) -> Any:
    """The space of actions, a `Discrete`."""
    return spaces.Discrete(sum(part["length"] for part in game.action_parts))


def drawn_seed(random: np.random.Generator) -> int:
    """A seed of games, drawn from an environment's own random numbers."""
    return int(random.integers(1 << 63))


def whole(action: Any) -> int:
    """The action as a number; TypeError for anything that is none."""
    if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
        if not (isinstance(action, np.ndarray) and action.ndim == 0 and np.issubdtype(action.dtype, np.integer)):
            raise TypeError(f"action={action!r} is refused: expected a whole number")
    return int(action)


class SoloEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game for one player: dungeon or verslun.

    `info["action_mask"]` (8-bit numbers, 1 for every legal action) comes with every observation; `action_masks()`
    is the same for learners that ask for it. When the game is over, `info` also holds `score`, `won` and `illegal`.

    `reset(options={"seed": s, "index": i})` deals game i of `sim run --seed s`.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        game: str = "dungeon",
        rules: Mapping[str, Any] | None = None,
        reward: str = "utility",
        render_mode: str | None = None,
    ):
        if render_mode is not None:
            raise RequestError(f"render_mode={render_mode} is refused: there is none")
        self.game = Game(game, rules)
        if self.game.seats != 1:
            raise RequestError(f"game={game} is refused: {self.game.seats} play it; take AECEnv, or VectorEnv with opponents")
        self._arguments = (game, None if rules is None else dict(rules), reward)
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.render_mode = None
        self._episode = Episode(self.game, reward)
        self._mask: NDArray[np.int8] | None = None
        self._over = True
        self._closed = False
        self._seed: int | None = None
        self._index = -1
        self._actions: list[int] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deals the next game; with a seed the first one of that seed."""
        if self._closed:
            raise gymnasium.error.ClosedEnvironmentError("the environment is closed")
        super().reset(seed=seed)
        options = options or {}
        if unknown := set(options) - {"seed", "index"}:
            raise RequestError(f"options={sorted(unknown)} is refused: expected seed and index")
        if seed is not None or self._seed is None:
            self._seed, self._index = drawn_seed(self.np_random), -1
        if "seed" in options:
            self._seed, self._index = whole(options["seed"]), -1
        self._index = whole(options["index"]) if "index" in options else self._index + 1
        self._begin()
        return self._episode.observe(0), {"action_mask": self._mask}

    def _begin(self) -> None:
        assert self._seed is not None
        self._episode.reset(self._seed, self._index)
        self._mask, self._over, self._actions = self._episode.mask(), False, []

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Does an action."""
        if self._over:
            if self._closed:
                raise gymnasium.error.ClosedEnvironmentError("the environment is closed")
            raise gymnasium.error.ResetNeeded("the game is over, or none was dealt: call reset")
        number = whole(action)
        legal, seat, observation, mask = self._episode.step(number)
        self._mask = mask
        if legal and seat is not None:
            self._actions.append(number)
            return observation, 0.0, False, False, {"action_mask": mask}
        self._over = True
        reward, score, won = self._episode.result(0) if legal else (ILLEGAL, float("nan"), False)
        info = {"action_mask": mask, "score": score, "won": won, "illegal": not legal}
        return observation, reward, True, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask of the present position, as maskable learners ask for it."""
        if self._mask is None:
            raise gymnasium.error.ResetNeeded("no game was dealt: call reset")
        return self._mask.view(np.bool_)

    def close(self) -> None:
        """Ends the environment; it cannot be used any more."""
        self._closed = self._over = True

    def __getstate__(self) -> dict[str, Any]:
        """An environment travels as its arguments, its random numbers and the actions of its game."""
        return {
            "arguments": self._arguments,
            "random": self._np_random,
            "random_seed": self._np_random_seed,
            "place": (self._seed, self._index, self._over, self._closed, self._actions),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, *state["arguments"])
        self._np_random, self._np_random_seed = state["random"], state["random_seed"]
        self._seed, self._index, over, closed, actions = state["place"]
        if self._seed is not None:
            self._begin()
            for action in actions:
                self._episode.act(action)
            self._mask, self._actions = self._episode.mask(), list(actions)
        self._over, self._closed = over, closed
