"""All games as PettingZoo environments, in which every seat is played from outside."""

from collections.abc import Mapping
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv as Base

from knave._data import seed as checked_seed
from knave._data import shown
from knave._knave import Game
from knave.envs.solo import ILLEGAL, OneGame, action_number, action_space, checked_options, observation_space
from knave.errors import RequestError


class AECEnv(OneGame, Base):  # type: ignore[misc]
    """A game whose seats take turns; the agents are `seat_0`, `seat_1`, …

    An observation is a dictionary: `observation`, and `action_mask` (8-bit numbers; zeros when it is not the seat's
    turn, and after the end). When the game is over, `infos` hold `score`, `won` and `illegal`. An illegal action ends the game for
    all, with a reward of `illegal_reward`, by default -1, for who did it and 0 for the others. Scores may be lower than that: with
    `reward="score"` set it below the worst.

    `reset(options={"seed": s, "index": i})` deals game i of `sim run --seed s`.
    """

    def __init__(
        self,
        game: str = "whist",
        rules: Mapping[str, Any] | None = None,
        reward: str = "utility",
        render_mode: str | None = None,
        *,
        illegal_reward: float = ILLEGAL,
    ):
        super().__init__()
        if render_mode is not None:
            raise RequestError(f"render_mode={render_mode} is refused: there is none")
        self._prepare(Game(game, rules), reward, illegal_reward)
        self.metadata = {"name": f"knave_{game}_v0", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = action_space(self.game)
        # Each seat has spaces of its own, which are seeded apart.
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_space(self.game),
                    "action_mask": spaces.Box(0, 1, (int(actions.n),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(int(actions.n)) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._idle = np.zeros(int(actions.n), dtype=np.int8)
        self._random: np.random.Generator | None = None
        self._closed = False

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of a seat's observations."""
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of a seat's actions."""
        self._seat(agent)
        return self.action_spaces[agent]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals the next game; with a seed the first one of that seed."""
        self._check_open()
        # PettingZoo's own test passes an option of this name, which no environment knows.
        known = checked_options(options, "seed", "index", ignored="options")
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(None if seed is None else checked_seed(seed))
        self._deal(self._deals.next(seed is not None, self._random, known))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next()

    def _next(self) -> None:
        """Finds whose turn it is, or gives the rewards."""
        seat = self._episode.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            return
        for agent, number in self._seats.items():
            self.rewards[agent], score, won = self._episode.result(number)
            self.infos[agent] = {"score": score, "won": won, "illegal": False}
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def _seat(self, agent: str) -> int:
        """The seat of an agent; RequestError for any other name."""
        seat = self._seats.get(agent) if isinstance(agent, str) else None
        if seat is None:
            raise RequestError(f"agent={shown(agent)} is refused: expected {', '.join(self.possible_agents)}")
        return seat

    def _check_open(self) -> None:
        if self._closed:
            raise gymnasium.error.ClosedEnvironmentError("the environment is closed")

    def _check_dealt(self) -> None:
        self._check_open()
        if self._deals.seed is None:
            raise gymnasium.error.ResetNeeded("no game was dealt: call reset")

    def _check_agents(self) -> None:
        self._check_open()
        if not self.agents:
            raise gymnasium.error.ResetNeeded("the game is over, or none was dealt: call reset")

    def agent_iter(self, max_iter: int = 1 << 63) -> Any:
        """The agents whose turn it is, one after the other: call `step` once for each."""
        self._check_dealt()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the seat in `agent_selection` sees, its rewards since it acted, whether that ended its game, and its `infos`."""
        self._check_agents()
        return super().last(observe)  # type: ignore[no-any-return]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What a seat sees, and what it may do."""
        self._check_dealt()
        seat = self._seat(agent)
        turn = self._episode.seat == seat and not self.terminations.get(agent, True)
        mask = self._episode.mask() if turn else self._idle.copy()
        return {"observation": self._episode.observe(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Does an action of the seat in `agent_selection`."""
        self._check_agents()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = action_number(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._episode.act(number):
            self._actions.append(number)
            self._next()
        else:
            for other in self.agents:
                self.terminations[other] = True
                self.rewards[other] = self._illegal_reward if other == agent else 0.0
                self.infos[other] = {"score": float("nan"), "won": False, "illegal": other == agent}
        self._accumulate_rewards()

    def render(self) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Ends the environment; it cannot be used any more."""
        self._closed = True
        self.agents = []
