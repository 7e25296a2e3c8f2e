"""Players written in Python."""

import ctypes
import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Protocol, SupportsIndex, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from knave._data import numbers, shown, whole
from knave._knave import Decisions


@runtime_checkable
class Player(Protocol):
    """An object that plays: it is given in place of an agent's name, in `run` and `compare`, in `bound`, and to `analyse` as
    one of its agents. A judge, a hint and opponents in environments are agents by name.

    It may have these attributes: `batch` (1 to 65,536, by default 256), the number of games that it likes to be asked
    about at once; `uses_history` (by default false), whether `Decision.events` is filled; `label`, its name in tables;
    `version`, a text or a whole number that tells players of one class apart, with which finished games count again; and a
    method `end(game_id, seat, won, score)`, which is called when a game that it played is over, unless Ctrl-C has ended the run.

    Within a run it is asked by one thread at a time, whichever. An object in several seats is asked for all of them
    together. Towards the end of a run it has fewer games at once if agents by name play along, for threads share those
    games out evenly. It plays on one machine only, so a run with it has no `shard`. For reproducible results everything
    random has to come from `Decision.seed`, and nothing may depend on which decisions come together or came before.
    """

    def choose(self, decisions: Decisions) -> Sequence[int] | NDArray[np.integer[Any]]:
        """Answers each decision with the number of one of its legal moves."""
        ...


class ActionPlayer:
    """A player made of a policy over arrays, such as a trained net.

    `policy(observations, action_masks)` gets an array of shape (rows, length of an observation), 32-bit numbers, and
    one of shape (rows, number of actions), 8-bit numbers, and returns an action for each row. Moves that are spelled by
    several actions are asked for action by action.
    """

    def __init__(
        self,
        policy: Callable[[NDArray[np.float32], NDArray[np.int8]], Any],
        *,
        label: str = "policy",
        batch: SupportsIndex = 1024,
        version: str | SupportsIndex = "",
    ):
        if not callable(policy):
            raise TypeError(f"policy={shown(policy)} is refused: expected a function")
        self.policy = policy
        self.label = label
        self.batch = batch
        self.version = version

    def choose(self, decisions: Decisions) -> NDArray[np.int64]:
        """Asks the policy until every move is spelled."""
        speller = decisions.spell()
        while len(speller):
            speller.step(numbers(self.policy(speller.observations(), speller.action_masks()), "policy"))
        return speller.choices()


#: The games that a player is asked about at once unless it says so itself, and the most that it may ask for.
_BATCH, _MOST = 256, 1 << 16


def check(player: Any, field: str) -> int:
    """Refuses what cannot play; TypeError names the field and says why. Returns its batch; RequestError for one that is none."""
    if isinstance(player, type):
        raise TypeError(f"{player.__name__} is a class: give an object of it, {player.__name__}()")
    choose = getattr(player, "choose", None)
    if inspect.isroutine(player) and choose is None:
        raise TypeError(
            f"{player.__name__} is a function: give an object with a method choose(decisions), or ActionPlayer(policy) for a "
            "policy over arrays"
        )
    # The function and the methods of this name in NumPy choose among arrays.
    if isinstance(player, ModuleType | np.ndarray | np.generic):
        kind = "a module" if isinstance(player, ModuleType) else "an array" if isinstance(player, np.ndarray) else "a number"
        raise TypeError(f"{field}={shown(player)} is refused: {kind} is no player: expected an agent by name, or an object")
    if not callable(choose):
        name = type(player).__qualname__
        raise TypeError(f"{field}={shown(player)} is refused: {name} is no player: it has no method choose(decisions)")
    if inspect.iscoroutinefunction(choose):
        raise TypeError(f"{type(player).__qualname__}.choose is a coroutine: expected a plain method")
    # One that is there and None is refused, too.
    return whole(getattr(player, "batch", _BATCH), f"{type(player).__qualname__}.batch", 1, _MOST)


def interrupt(thread: int, exception: type[BaseException]) -> None:
    """Raises an exception in a thread that asks a player."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))
