"""Requests: runs, comparisons, exact answers, bounds and studies, as the command `sim` does them."""

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from knave import _knave
from knave.players import Player
from knave.results import Results, load

Rules: TypeAlias = Mapping[str, Any]
#: `"mcts:iterations=50"`, `{"agent": "mcts", "options": {"iterations": 50}, "label": "slow"}`, or an object that plays.
Agent: TypeAlias = str | Mapping[str, Any] | Player
Agents: TypeAlias = Agent | Iterable[Agent]


def run(
    game: str,
    agents: Agents,
    *,
    n: int = 1000,
    seed: int = 1,
    rules: Rules | None = None,
    games: bool = False,
    parquet: bool = False,
    transcripts: str | Path | None = None,
    **how: Any,
) -> Results:
    """Plays games 0 to n - 1 of this seed.

    `agents` are those in the seats; one alone takes all seats. `games` writes `games.csv` too, a row for each game and
    seat, `parquet` the same as `games.parquet`, and `transcripts` a file that `sim replay` checks.

    Keywords of all requests: `out`, a folder to write to (by default a temporary one that goes with the results);
    `force` to overwrite what is there, `resume` to go on from it; `shard=(k, of)` for one part; `threads`; and
    `progress`, whether a bar is shown (by default where tqdm is installed).

    Raises RequestError before any game when something is not right, and RunError when the run failed. An exception of a
    player is raised as it is. After Ctrl-C the results so far are in `KeyboardInterrupt.results`.
    """
    outputs = {"rows": games or parquet, "parquet": parquet, "transcripts": None if transcripts is None else str(transcripts)}
    return _request("run", game, agents, {"n": n, "seed": seed, "rules": rules}, outputs, how)


def compare(
    game: str,
    agents: Agents,
    *,
    n: int = 1000,
    seed: int = 1,
    rules: Rules | None = None,
    until: float | None = None,
    sprt: tuple[float, float] | None = None,
    measure: str | None = None,
    control: int | None = None,
    games: bool = False,
    **how: Any,
) -> Results:
    """Compares agents on the same deals: differences with their intervals, and ratings.

    `until` stops when the interval is so narrow, `sprt` is a sequential test between two differences, `measure` is
    `wins`, `score` or `better`, and `control` the number of playouts of a control variate. Other keywords are those of
    `run`.
    """
    fields = {"n": n, "seed": seed, "rules": rules, "until": until, "sprt": sprt, "measure": measure, "control": control}
    return _request("compare", game, agents, fields, {"rows": games}, how)


def solve(
    game: str,
    *,
    objective: str | None = None,
    n: int = 1000,
    seed: int = 1,
    rules: Rules | None = None,
    budget: int | None = None,
    deals: str | Path | None = None,
    solutions: bool = False,
    **how: Any,
) -> Results:
    """Solves deals with every card known: how many can be won, and the best scores.

    `budget` is the number of nodes for a deal, `deals` a file with decks in place of n and seed, and `solutions` writes
    `solutions.csv` with a row for each deal. Other keywords are those of `run`.
    """
    file = None if deals is None else {"file": str(deals)}
    fields = {"n": n, "seed": seed, "rules": rules, "objective": objective, "budget": budget, "deals": file}
    return _request("solve", game, None, fields, {"rows": solutions}, how)


def bound(
    game: str,
    agents: Agents | None = None,
    *,
    n: int = 100,
    seed: int = 1,
    rules: Rules | None = None,
    **how: Any,
) -> Results:
    """Bounds fair play from above, with an agent beside the bound (by default `rule`). Keywords are those of `run`."""
    return _request("bound", game, agents, {"n": n, "seed": seed, "rules": rules}, {}, how)


def experiment(
    file: str | Path,
    *,
    out: str | Path | None = None,
    force: bool = False,
    again: bool = False,
    threads: int | None = None,
    progress: bool | None = None,
) -> Results:
    """Does the study in a file, cell by cell, and joins the tables. Finished cells are not done again.

    `out` is by default `results/<name of the file>`; `force` does cells anew whose folder holds something else, and
    `again` all cells.
    """
    with _bar(progress) as show:
        folder = _knave.experiment(
            Path(file), None if out is None else Path(out), force=force, again=again, threads=threads, progress=show
        )
    return load(folder)


def _request(
    study: str, game: str, agents: Agents | None, fields: dict[str, Any], outputs: dict[str, Any], how: dict[str, Any]
) -> Results:
    known = {"out", "force", "resume", "shard", "threads", "progress"}
    for name in how:
        if name not in known:
            raise TypeError(
                f"{study}() got an unexpected keyword argument '{name}'; further ones are {', '.join(sorted(known))}"
            )
    given = {name: value for name, value in fields.items() if value is not None}
    request: dict[str, Any] = {"study": study, "game": game, **given}
    temporary = None
    if (out := how.get("out")) is None:
        temporary = TemporaryDirectory(prefix="knave-")
        out = Path(temporary.name) / "results"
    folder = Path(out)
    existing = "replace" if how.get("force") else "resume" if how.get("resume") else "keep"
    with _players(agents) as (specs, players), _bar(how.get("progress")) as show:
        if specs is not None:
            request["agents"] = specs
        try:
            done = _knave.carry_out(
                request,
                folder,
                outputs=outputs,
                existing=existing,
                shard=how.get("shard"),
                threads=how.get("threads"),
                progress=show,
                players=players,
            )
        except BaseException as error:
            # What was finished is not lost.
            if (folder / "manifest.json").exists():
                error.results = Results(folder, temporary=temporary)  # type: ignore[attr-defined]
            raise
    return Results(folder, text=done["text"], data=done["data"], temporary=temporary)


@contextmanager
def _players(agents: Agents | None):  # type: ignore[no-untyped-def]
    """The agents as data, and the numbers of those that are objects."""
    if agents is None:
        yield None, []
        return
    several = [agents] if isinstance(agents, str | Mapping | Player) else list(agents)
    objects: dict[int, dict[str, Any]] = {}
    try:
        specs = [_spec(agent, objects) for agent in several]
        yield specs, [spec["options"]["number"] for spec in objects.values()]
    finally:
        for spec in objects.values():
            _knave.forget_player(spec["options"]["number"])


def _spec(agent: Agent, objects: dict[int, dict[str, Any]]) -> Any:
    """The agent as data. The same object in several seats is one player; other objects have labels of their own."""
    if isinstance(agent, str | Mapping):
        return agent
    if id(agent) not in objects:
        kind = type(agent)
        first = label = str(getattr(agent, "label", kind.__name__))
        labels = {spec["label"] for spec in objects.values()}
        numbers = count(2)
        while label in labels:
            label = f"{first} {next(numbers)}"
        options = {"class": f"{kind.__module__}.{kind.__qualname__}", "number": _knave.register_player(agent)}
        objects[id(agent)] = {"agent": "python", "options": options, "label": label}
    return objects[id(agent)]


@contextmanager
def _bar(wanted: bool | None):  # type: ignore[no-untyped-def]
    """A function that shows progress, or nothing."""
    try:
        if wanted is False:
            raise ImportError
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar: Any = None

    def show(done: int, total: int, noun: str, estimate: str) -> None:
        nonlocal bar
        if bar is None:
            # What is over soon needs no bar.
            bar = tqdm(total=total, unit=f" {noun}", delay=0 if wanted else 1, file=sys.stderr, leave=False)
        bar.total = total
        bar.set_postfix_str(estimate, refresh=False)
        bar.update(done - bar.n)

    shown: Callable[[int, int, str, str], None] = show
    try:
        yield shown
    finally:
        if bar is not None:
            bar.close()
