"""Knave: how good is this strategy, really?

    import knave

    run = knave.run("dungeon", "mcts", n=10_000)
    print(run)                                   # what `sim run` prints
    run.summary.to_polars()                      # every table is Arrow

Five card-and-dice games, players from random to near-optimal, exact answers, and environments for learners
(`knave.envs`). The package and the command `sim` do the same requests and write the same files.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from knave import _knave
from knave._knave import Decision, Decisions, Game, Position, Speller, Table, agents, games
from knave.errors import KnaveError, RequestError, RunError
from knave.harness import bound, compare, experiment, run, solve
from knave.players import ActionPlayer, Player
from knave.results import Results, load

if TYPE_CHECKING:
    from knave.envs import AECEnv, SoloEnv, VectorEnv

#: The version of the package, and the commit that it was built from.
__version__, _, __commit__ = _knave.VERSION.partition(" ")

__all__ = [
    "AECEnv",
    "ActionPlayer",
    "Decision",
    "Decisions",
    "Game",
    "KnaveError",
    "Player",
    "Position",
    "RequestError",
    "Results",
    "RunError",
    "SoloEnv",
    "Speller",
    "Table",
    "VectorEnv",
    "__commit__",
    "__version__",
    "agents",
    "bound",
    "compare",
    "experiment",
    "games",
    "load",
    "run",
    "solve",
]

if find_spec("gymnasium") is not None:
    # So that `gymnasium.make` knows them by their names.
    import_module("knave.envs").register()

_ENVIRONMENTS = ("AECEnv", "SoloEnv", "VectorEnv")


def __getattr__(name: str) -> Any:
    # Environments need Gymnasium and PettingZoo, which nothing else does.
    if name in _ENVIRONMENTS:
        return getattr(import_module("knave.envs"), name)
    raise AttributeError(f"module 'knave' has no attribute '{name}'")
