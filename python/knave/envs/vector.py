"""Many games at once, as one Gymnasium vector environment that steps in Rust."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from knave._data import by_name, numbers, ordered, real, shown, text, whole
from knave._data import seed as checked_seed
from knave._knave import Game, Lanes
from knave.envs.solo import ILLEGAL, action_space, checked_options, drawn_seed, observation_space
from knave.errors import RequestError

AgentSpec = str | Mapping[str, Any]


def _mode(named: Any) -> AutoresetMode:
    """The mode with this name or value in any capitals, `SAME_STEP` or `SameStep`; RequestError for anything else."""
    word = named.value if isinstance(named, AutoresetMode) else named
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        if isinstance(word, str) and word.lower() in (mode.name.lower(), mode.value.lower()):
            return mode
    raise RequestError(f"autoreset_mode={shown(word)} is refused: expected SAME_STEP or NEXT_STEP")


class VectorEnv(gymnasium.vector.VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """Thousands of games side by side, in each of which one seat learns.

    Games with several seats need `opponents`: one agent for all other seats, or one for each, the first to the left of
    the learner. `seat` is the learner's; by default game i has it in seat i modulo the number of seats.

    `illegal_reward` is the reward of an illegal action. Scores may be lower than -1: with `reward="score"` set it below the
    worst of them.

    `infos["action_mask"]` has a row of 8-bit numbers for each game. When games end, `infos["final_info"]` has arrays
    `score`, `won`, `illegal`, `index` and `seat`, valid where `infos["_final_info"]` is true. In the default mode
    `SAME_STEP` the next game is dealt in the same step, and what was seen last stands in `infos["final_obs"]`. In
    `NEXT_STEP` the next step deals it, and its action for that game is ignored: the mask of such a game is all ones. Arrays
    are new in each step.

    `autoreset_mode` is Gymnasium's `AutoresetMode`, or one of `SAME_STEP`, `SameStep`, `NEXT_STEP`, `NextStep` in any capitals.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        game: str = "dungeon",
        num_envs: SupportsIndex = 1024,
        *,
        rules: Mapping[str, Any] | None = None,
        reward: str = "utility",
        opponents: AgentSpec | Iterable[AgentSpec] | None = None,
        seat: SupportsIndex | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        illegal_reward: float = ILLEGAL,
    ):
        if render_mode is not None:
            raise RequestError(f"render_mode={render_mode} is refused: there is none")
        mode = _mode(autoreset_mode)
        self.metadata = type(self).metadata | {"autoreset_mode": mode}
        self.game = Game(game, rules)
        self.num_envs = num_envs = whole(num_envs, "num_envs", 1, 1 << 24)
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = None
        self._illegal_reward = real(illegal_reward, "illegal_reward")
        several: Any = opponents
        if opponents is None or isinstance(opponents, str | bytes | Mapping):
            several = [] if opponents is None else [opponents]
        elif not isinstance(opponents, Iterable):
            raise RequestError(f"opponents={shown(opponents)} is refused: expected agents by name; objects play in requests alone")
        agents = [by_name(agent, f"opponents[{place}]") for place, agent in enumerate(ordered(several, "opponents"))]
        if not agents and self.game.seats > 1:
            others = self.game.seats - 1
            needed = "one agent by name" if others == 1 else f"one agent by name for the {others} others, or a list of {others}"
            raise RequestError(f"opponents is missing: {self.game.seats} play {game}, so give {needed}, such as opponents='rule'")
        self._lanes = Lanes(
            self.game,
            num_envs,
            seat=None if seat is None else whole(seat, "seat", 0, self.game.seats - 1),
            opponents=agents,
            reward=text(reward, "reward"),
            next_step=mode == AutoresetMode.NEXT_STEP,
        )
        self._dealt = False

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deals every game anew. `options={"seed": s}` deals the games of `sim run --seed s`.

        After Ctrl-C while opponents play, here or in `step`, and after any other exception of a step that had begun, the
        next call has to be `reset`. In a signal's handler that is called meanwhile, `reset`, `step` and `seats` raise BusyError.
        """
        self._check_open()
        known = checked_options(options, "seed")
        super().reset(seed=None if seed is None else checked_seed(seed))
        games = known["seed"] if "seed" in known else drawn_seed(self.np_random)
        # An interrupt leaves some games of before and some of these.
        self._dealt = False
        observations, masks = self._lanes.reset(games)
        self._dealt = True
        return observations, self._infos(masks)

    def _infos(self, masks: NDArray[np.int8]) -> dict[str, Any]:
        """Infos in the form of Gymnasium's own vector environments: beside each entry, which games have it."""
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, dtype=np.bool_)}

    def step(
        self, actions: Sequence[int] | NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Does an action in every game."""
        self._check_open()
        self._check_dealt()
        given = numbers(actions, "actions")
        if len(given) != self.num_envs:
            raise RequestError(f"actions: expected {self.num_envs}, one for each game, found {len(given)}")
        # Whatever is raised from here on, an interrupt or for want of memory: games may have gone on, and nobody was told.
        self._dealt = False
        observations, masks, rewards, over, finals = self._lanes.step(given)
        infos = self._infos(masks)
        if finals is not None:
            self._add_finals(infos, finals, over)
            rewards[finals["lane"][finals["illegal"]]] = self._illegal_reward
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        self._dealt = True
        return observations, rewards, over, truncated, infos

    def _add_finals(self, infos: dict[str, Any], finals: dict[str, Any], over: NDArray[np.bool_]) -> None:
        """Adds what is known of the games that ended, in the form of Gymnasium's own vector environments."""
        lanes = finals["lane"]
        known: dict[str, Any] = {}
        for name in ("score", "won", "illegal", "index", "seat"):
            values = finals[name]
            known[name] = np.zeros(self.num_envs, dtype=values.dtype)
            known[name][lanes] = values
            known[f"_{name}"] = over.copy()
        infos |= {"final_info": known, "_final_info": over.copy()}
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            # Otherwise the last observation is the one that is returned.
            last = np.full(self.num_envs, None, dtype=object)
            for lane, row in zip(lanes, finals["observation"], strict=True):
                last[lane] = row
            infos |= {"final_obs": last, "_final_obs": over.copy()}

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in every game."""
        self._check_open()
        self._check_dealt()
        return self._lanes.seats

    def _check_open(self) -> None:
        """Refuses calls of a closed environment, and those of a signal's handler while games are played on."""
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("the environment is closed")
        self._lanes.check_idle()

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise gymnasium.error.ResetNeeded("no games were dealt, or a step has not come to its end: call reset")

    def __copy__(self) -> Self:
        raise TypeError("a VectorEnv cannot be copied: make another one, and reset it with the same seed")

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.__copy__()

    def __reduce__(self) -> Any:
        raise TypeError("a VectorEnv cannot be pickled: make another one in the other process")
