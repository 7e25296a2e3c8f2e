"""Solo games as Gymnasium environments."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from knave._data import real, shown, text
from knave._data import seed as checked_seed
from knave._knave import Episode, Game
from knave.errors import RequestError

#: The reward of an action that the mask forbids, unless another is named.
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


def action_number(action: Any) -> int:
    """The action as a number; TypeError for anything that is none."""
    if isinstance(action, np.ndarray) and action.ndim == 0:
        action = action[()]
    if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
        raise TypeError(f"action={shown(action)} is refused: expected a whole number")
    # Numbers of any length are Python's. Those beyond all actions are none, whatever they are.
    return min(max(int(action), -1), np.iinfo(np.int64).max)


def checked_options(options: Any, *known: str, ignored: str | None = None) -> dict[str, int]:
    """The numbers among the options of a reset; RequestError for others than these, except one that is ignored."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise RequestError(f"options={shown(options)} is refused: expected a dict with {' and '.join(known)}")
    if unknown := [name for name in options if name not in known and name != ignored]:
        raise RequestError(f"options={shown(unknown)} is refused: expected {' and '.join(known)}")
    return {name: checked_seed(options[name], f"options.{name}") for name in known if name in options}


class Deals:
    """Which game is dealt next: one of a seed that was drawn from the environment's random numbers, or of one that was named."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.index = -1

    def next(self, fresh: bool, random: np.random.Generator, options: Mapping[str, int]) -> tuple[int, int]:
        """Seed and index of the next game; the first of a fresh seed if there is none yet, or if one is wanted."""
        # The last game that there is comes before the first.
        seed, index = self.seed, (self.index + 1) % (1 << 64)
        if fresh or seed is None:
            seed, index = drawn_seed(random), 0
        if "seed" in options:
            seed, index = options["seed"], 0
        index = options.get("index", index)
        self.seed, self.index = seed, index
        return seed, index


class OneGame:
    """An environment of one game, which can be copied and pickled in mid-game.

    A pickle holds the seed, the index and the actions of its game: they are played again where it is read.
    """

    game: Game
    _reward: str
    _illegal_reward: float
    _episode: Episode
    _deals: Deals
    _actions: list[int]

    def _prepare(self, game: Game, reward: str, illegal_reward: float) -> None:
        self.game, self._reward = game, text(reward, "reward")
        self._illegal_reward = real(illegal_reward, "illegal_reward")
        self._episode, self._deals, self._actions = Episode(game, reward), Deals(), []

    def _deal(self, game: tuple[int, int]) -> None:
        """Deals the game of this seed and index."""
        self._episode.reset(*game)
        self._actions = []

    def __copy__(self) -> Self:
        """A copy shares nothing with it: both go on by themselves."""
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = object.__new__(type(self))
        memo[id(self)] = copy
        copy.__dict__.update(deepcopy(self.__getstate__(), memo))
        copy._episode = self._episode.copy()
        return copy

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_episode"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._episode = Episode(self.game, self._reward)
        if self._deals.seed is not None:
            self._episode.reset(self._deals.seed, self._deals.index)
            for action in self._actions:
                self._episode.act(action)


class SoloEnv(OneGame, gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game for one player: dungeon or verslun.

    `info["action_mask"]` (8-bit numbers, 1 for every legal action) comes with every observation; `action_masks()`
    is the same for learners that ask for it. When the game is over, `info` also holds `score`, `won` and `illegal`. After an
    illegal action the mask is that of the position in which the game was left.

    `illegal_reward` is the reward of an illegal action. Scores may be lower than -1: with `reward="score"` set it below the
    worst of them.

    `reset(options={"seed": s, "index": i})` deals game i of `sim run --seed s`.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        game: str = "dungeon",
        rules: Mapping[str, Any] | None = None,
        reward: str = "utility",
        render_mode: str | None = None,
        *,
        illegal_reward: float = ILLEGAL,
    ):
        if render_mode is not None:
            raise RequestError(f"render_mode={render_mode} is refused: there is none")
        found = Game(game, rules)
        if found.seats != 1:
            raise RequestError(f"game={game} is refused: {found.seats} play it; take AECEnv, or VectorEnv with opponents")
        self._prepare(found, reward, illegal_reward)
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.render_mode = None
        self._mask: NDArray[np.int8] | None = None
        self._over = True
        self._closed = False

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deals the next game; with a seed the first one of that seed."""
        self._check_open()
        known = checked_options(options, "seed", "index")
        super().reset(seed=None if seed is None else checked_seed(seed))
        self._deal(self._deals.next(seed is not None, self.np_random, known))
        self._mask, self._over = self._episode.mask(), False
        return self._episode.observe(0), {"action_mask": self._mask.copy()}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Does an action."""
        if self._over:
            self._check_open()
            raise gymnasium.error.ResetNeeded("the game is over, or none was dealt: call reset")
        number = action_number(action)
        legal, seat, observation, mask = self._episode.step(number)
        # Who writes into the mask that is handed out does not change this one.
        self._mask = mask.copy()
        if legal:
            self._actions.append(number)
        if legal and seat is not None:
            return observation, 0.0, False, False, {"action_mask": mask}
        self._over = True
        reward, score, won = self._episode.result(0) if legal else (self._illegal_reward, float("nan"), False)
        info = {"action_mask": mask, "score": score, "won": won, "illegal": not legal}
        return observation, reward, True, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask of the present position, as maskable learners ask for it."""
        self._check_open()
        if self._mask is None:
            raise gymnasium.error.ResetNeeded("no game was dealt: call reset")
        return self._mask.astype(np.bool_)

    def close(self) -> None:
        """Ends the environment; it cannot be used any more."""
        self._closed = self._over = True

    def _check_open(self) -> None:
        if self._closed:
            raise gymnasium.error.ClosedEnvironmentError("the environment is closed")
