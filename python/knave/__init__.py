"""Knave: how good is this strategy, really?

    import knave

    run = knave.run("dungeon", "mcts", n=10_000)
    print(run)                                   # what `sim run` prints
    run.summary.to_polars()                      # every table is Arrow

Five card-and-dice games, players from random to near-optimal, exact answers, and environments for learners
(`knave.envs`). The package and the command `sim` do the same requests and write the same files.
"""

import atexit
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from knave import _knave
from knave._knave import Decision, Decisions, Game, Position, Speller, Table, agents, games, measures, models, presets
from knave.errors import BusyError, KnaveError, RequestError, RunError
from knave.harness import analyse, bound, compare, experiment, merge, run, solve
from knave.players import ActionPlayer, Player
from knave.results import Results, _remove_all, load

if TYPE_CHECKING:
    from knave.envs import AECEnv as AECEnv
    from knave.envs import SoloEnv as SoloEnv
    from knave.envs import VectorEnv as VectorEnv

#: The version of the package, and the commit that it was built from.
__version__, _, __commit__ = _knave.VERSION.partition(" ")

__all__ = [
    "ActionPlayer",
    "BusyError",
    "Decision",
    "Decisions",
    "Game",
    "KnaveError",
    "Player",
    "Position",
    "RequestError",
    "Results",
    "RunError",
    "Speller",
    "Table",
    "__commit__",
    "__version__",
    "agents",
    "analyse",
    "bound",
    "compare",
    "experiment",
    "games",
    "load",
    "measures",
    "merge",
    "models",
    "presets",
    "run",
    "solve",
]

#: How long the end of the interpreter waits for runs, in seconds.
_PATIENCE = 5.0


@atexit.register
def _end() -> None:
    """Ends runs, for players cannot be asked any more once the interpreter goes; then the temporary folders go."""
    # A run that does not end, as its player hangs outside of Python, still writes to one of them.
    if _knave.stop_all(_PATIENCE):
        _remove_all()


if find_spec("gymnasium") is not None:
    with suppress(Exception):
        # So that `gymnasium.make` knows the environments by their names. A version that is too old, or does not fit the NumPy that
        # is there, is no reason to fail.
        import_module("knave._gymnasium").register()

#: The environments, each with the package that it needs.
_ENVIRONMENTS = {"AECEnv": "pettingzoo", "SoloEnv": "gymnasium", "VectorEnv": "gymnasium"}


def __getattr__(name: str) -> Any:
    # Environments need Gymnasium and PettingZoo, which nothing else does.
    if name in _ENVIRONMENTS:
        try:
            return getattr(import_module("knave.envs"), name)
        except Exception as error:
            # An AttributeError would lose its words in `from knave import SoloEnv`.
            raise ImportError(f"knave.{name} needs more packages: pip install 'knave[envs]' ({error})") from error
    raise AttributeError(f"module 'knave' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *(name for name, package in _ENVIRONMENTS.items() if find_spec(package) is not None)])
