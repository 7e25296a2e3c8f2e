"""Requests: runs, comparisons, exact answers, bounds and studies, as the command `sim` does them."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex, TypeAlias, TypedDict, Unpack
from warnings import warn

import numpy as np

from knave import _knave
from knave._data import by_name, ordered, path, paths, plain, shown, truth, unicode, whole
from knave._data import seed as checked_seed
from knave.errors import RequestError
from knave.players import Player, check
from knave.results import Results, Temporary, load

Rules: TypeAlias = Mapping[str, Any]
#: `"mcts:iterations=50"`, `{"agent": "mcts", "options": {"iterations": 50}, "label": "slow"}`, or an object that plays.
Agent: TypeAlias = str | Mapping[str, Any] | Player
Agents: TypeAlias = Agent | Iterable[Agent]

#: The longest label of a player.
_LABEL = 100

#: Whole numbers of requests that may be left out, the least and the greatest.
_COUNTS = (
    ("budget", 1, (1 << 64) - 1),
    ("control", 1, (1 << 32) - 1),
    ("moves", 2, 1_000_000),
    ("worlds", 20, 1_000_000),
)


class How(TypedDict, total=False):
    """How a request is done; none of it changes the tables."""

    #: The folder to write to; without one a temporary folder goes with the results.
    out: str | Path | None
    #: Whether other results there are overwritten.
    force: bool
    #: Whether an interrupted request goes on from what is there.
    resume: bool
    #: One part of several: `(2, 8)`; not with objects that play.
    shard: tuple[SupportsIndex, SupportsIndex] | list[SupportsIndex] | None
    #: The number of threads, by default one for each core.
    threads: SupportsIndex | None
    #: Whether a bar is shown, by default where tqdm is installed.
    progress: bool | None


def run(
    game: str,
    agents: Agents,
    *,
    n: SupportsIndex = 1000,
    seed: SupportsIndex = 1,
    rules: Rules | None = None,
    games: bool = False,
    parquet: bool = False,
    transcripts: str | Path | None = None,
    **how: Unpack[How],
) -> Results:
    """Plays games 0 to n - 1 of this seed.

    `game` is its name, as in `knave.games()`, which lists its `rules`, too: a dict of those that are not as by default.
    `agents` are those in the seats; one alone takes all seats. `games` writes `games.csv` too, a row for each game and
    seat, `parquet` the same as `games.parquet`, and `transcripts` a file that `sim replay` checks.

    How it is done, in all requests: `out`, a folder to write to (by default a temporary one that goes with the results);
    `force` to overwrite what is there, `resume` to go on from it; `shard=(part, of)` for one part, which goes on from what
    there is of it and is joined with the others by `merge` (not with objects, which play on one machine only); `threads`;
    and `progress`, whether a bar is shown (by default where tqdm is installed).

    Raises RequestError before any game when something is not right, and RunError when the run failed. An exception of a
    player is raised as it is. After Ctrl-C the results so far are in `KeyboardInterrupt.results`, None if no game had begun.
    """
    games, parquet = truth(games, "games"), truth(parquet, "parquet")
    record = None if transcripts is None else path(transcripts, "transcripts")
    if record == "-":
        raise RequestError("transcripts='-' is refused: name a file; `sim` alone writes them to its standard output")
    outputs = {"rows": games or parquet, "parquet": parquet, "transcripts": record}
    return _request("run", game, agents, {"n": n, "seed": seed, "rules": rules}, outputs, how)


def compare(
    game: str,
    agents: Agents,
    *,
    n: SupportsIndex = 1000,
    seed: SupportsIndex = 1,
    rules: Rules | None = None,
    until: float | None = None,
    sprt: tuple[float, float] | None = None,
    measure: str | None = None,
    control: SupportsIndex | None = None,
    **how: Unpack[How],
) -> Results:
    """Compares agents on the same deals: differences with their intervals, and ratings.

    `n` is the number of deals, or the most of them with `until` or `sprt`. `until` stops when the interval of every difference is
    at most so wide, in wins a game or in points. `sprt` tests, deal by deal, whether the second of two agents is better than the
    first by the smaller or by the larger of two numbers of Elo, from -2000 to 2000, the smaller first; where it is weaker, the
    smaller one is accepted. `measure`, `wins` or `score`, says what these look at. `control` is the number of outcomes, at least
    1, that are sampled for each random event, to take luck off the results. All other arguments are as in `run`.
    """
    fields = {"n": n, "seed": seed, "rules": rules, "until": until, "sprt": sprt, "measure": measure, "control": control}
    return _request("compare", game, agents, fields, {}, how)


def solve(
    game: str,
    *,
    objective: str | None = None,
    n: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    rules: Rules | None = None,
    budget: SupportsIndex | None = None,
    deals: str | Path | None = None,
    short_deck: bool = False,
    solutions: bool = False,
    **how: Unpack[How],
) -> Results:
    """Solves deals with every card known: how many can be won, and the best scores.

    Deals 0 to n - 1 of this seed (by default 1000, and 1), or all of the file `deals`, which may lack cards with
    `short_deck`. `objective` is what is asked, by default the first of the `objectives` of the game in `knave.games()`.
    `budget` is the number of nodes for a deal, and `solutions` writes `solutions.csv` with a row for each deal. All other
    arguments are as in `run`.
    """
    file = None if deals is None else {"file": path(deals, "deals")}
    if deals is not None:
        _left_out("deals", n=n, seed=seed)
    else:
        n, seed = 1000 if n is None else n, 1 if seed is None else seed
    fields = {"n": n, "seed": seed, "rules": rules, "objective": objective, "budget": budget, "deals": file}
    fields["short_deck"] = truth(short_deck, "short_deck") or None
    return _request("solve", game, None, fields, {"rows": truth(solutions, "solutions")}, how)


def bound(
    game: str,
    agents: Agents | None = None,
    *,
    n: SupportsIndex = 100,
    seed: SupportsIndex = 1,
    rules: Rules | None = None,
    **how: Unpack[How],
) -> Results:
    """Bounds fair play from above.

    On deals 0 to n - 1 of this seed, beside the bound, `agents` play: one, by default `rule`. All other arguments are as in `run`.
    """
    return _request("bound", game, agents, {"n": n, "seed": seed, "rules": rules}, {}, how)


def analyse(
    game: str,
    agents: Agents | None = None,
    *,
    n: SupportsIndex | None = None,
    seed: SupportsIndex = 1,
    rules: Rules | None = None,
    transcripts: str | Path | Sequence[str | Path] | None = None,
    judge: str | Mapping[str, Any] | None = None,
    worlds: SupportsIndex | None = None,
    moves: SupportsIndex | None = None,
    measure: str | None = None,
    **how: Unpack[How],
) -> Results:
    """Judges every decision of games: what it cost, and what was luck.

    Either `agents` play `n` games (by default 100), or all games of files of `transcripts` are judged. `seed` is that of the
    games and of the sampled worlds. `judge` is the agent that plays on where a move is valued (by default `fast`, in games
    without a policy `greedy` or `random`), in so many sampled `worlds` (400; an even number from 20). It is given by name:
    neither an object nor a program can judge. At most so many `moves` of a decision are valued (12; at least 2). `measure`
    is `wins` or `score`. All other arguments are as in `run`.
    """
    files = None
    if transcripts is not None:
        files = {"files": paths(transcripts, "transcripts")}
        _left_out("games", n=n)
    else:
        if agents is None:
            raise RequestError("agents=None is refused: give agents, or transcripts")
        n = 100 if n is None else n
    if judge is not None:
        by_name(judge, "judge", "objects play, and judge nothing")
    judging = {"judge": judge, "worlds": worlds, "moves": moves, "measure": measure}
    return _request("analyse", game, agents, {"n": n, "seed": seed, "rules": rules, "transcripts": files, **judging}, {}, how)


def experiment(
    file: str | Path,
    *,
    out: str | Path | None = None,
    force: bool = False,
    again: bool = False,
    threads: SupportsIndex | None = None,
    progress: bool | None = None,
) -> Results:
    """Does the study in a file, cell by cell, and joins the tables. Finished cells are not done again.

    `out` is by default `results/<name of the file>`; `force` does cells anew whose folder holds something else, and removes
    joined rows that are nowhere else; `again` does all cells anew. `threads` and `progress` are as in `run`.
    """
    study = Path(path(file, "file"))
    folder = Path("results", study.stem) if out is None else Path(path(out, "out"))
    force, again, threads = truth(force, "force"), truth(again, "again"), _threads(threads)
    with bar(progress) as show:
        try:
            _knave.experiment(study, folder, force=force, again=again, threads=threads, progress=show)
        except KeyboardInterrupt as error:
            _attach(error, folder, None)
            raise
    return load(folder)


def merge(parts: str | Path | Iterable[str | Path], *, out: str | Path, whole: bool = False, force: bool = False) -> Results:
    """Joins parts of one request, done with `shard=(part, of)`, in the folder `out`, as `sim merge` does.

    `parts` are their folders, or one folder with all of them in it. Where some are missing or unfinished the results are
    partial, and a warning names these. With `whole` BusyError is raised instead, before anything is written. It is always
    raised where nothing is finished. `force` overwrites what another request has left in `out`.
    """
    several, folder = [Path(part) for part in paths(parts, "parts")], Path(path(out, "out"))
    existing = "replace" if truth(force, "force") else "keep"
    done = _knave.merge(several, folder, existing=existing, whole=truth(whole, "whole"))
    for note in done["notes"]:
        warn(note, stacklevel=2)
    return Results(folder, text=done["text"], data=done["data"])


def _left_out(what: str, **numbers: SupportsIndex | None) -> None:
    """Refuses numbers that would say nothing, for files are read."""
    for name, value in numbers.items():
        if value is not None:
            raise RequestError(f"{name}={shown(value)} is refused: the {what} stand in a file, leave out {name}")


def _request(study: str, game: str, agents: Agents | None, fields: dict[str, Any], outputs: dict[str, Any], how: How) -> Results:
    for name in how:
        if name not in How.__annotations__:
            further = ", ".join(How.__annotations__)
            raise TypeError(f"{study}() got an unexpected keyword argument '{name}'; further ones are {further}")
    for name in ("force", "resume"):
        truth(how.get(name, False), name)
    if agents is None and study in ("run", "compare"):
        raise RequestError("agents=None is refused: expected an agent, or a list with one for each seat")
    if how.get("force") and how.get("resume"):
        raise RequestError("force and resume exclude each other")
    if study in ("run", "compare", "bound") or fields["n"] is not None:
        fields["n"] = whole(fields["n"], "n", 1, (1 << 64) - 1)
    if study != "solve" or fields["seed"] is not None:
        fields["seed"] = checked_seed(fields["seed"])
    for name, least, most in _COUNTS:
        if fields.get(name) is not None:
            fields[name] = whole(fields[name], name, least, most)
    if not isinstance(fields.get("measure"), str | None):
        raise RequestError(f"measure={shown(fields['measure'])} is refused: expected 'wins' or 'score'")
    if not isinstance(fields["rules"], Mapping | None):
        raise RequestError(f"rules: expected a dict of options, found {type(fields['rules']).__name__}")
    if not isinstance(game, str):
        raise RequestError(f"game={shown(game)} is refused: expected the name of a game")
    request: dict[str, Any] = {"study": study, "game": game} | {
        name: plain(value, name) for name, value in fields.items() if value is not None
    }
    if (shard := how.get("shard")) is not None:
        if not isinstance(shard, list | tuple) or len(shard) != 2:
            raise RequestError(f"shard={shown(shard)} is refused: expected a part and the number of parts, such as (2, 8)")
        shard = (whole(shard[0], "shard[0]", 1, (1 << 64) - 1), whole(shard[1], "shard[1]", 1, (1 << 64) - 1))
    threads = _threads(how.get("threads"))
    temporary = None
    if (out := how.get("out")) is None:
        temporary = Temporary()
        folder = temporary.path / "results"
    else:
        folder = Path(path(out, "out"))
    existing = "replace" if how.get("force") else "resume" if how.get("resume") else "keep"
    with _players(agents) as (specs, objects), bar(how.get("progress")) as show:
        if specs is not None:
            request["agents"] = specs
        if shard is not None and objects:
            raise RequestError(
                f"shard={shard} is refused: {objects[0]['label']} is an object, and objects play on one machine only: "
                "parts of its games could not be joined"
            )
        _check_versions(objects, folder, existing)
        try:
            done = _knave.carry_out(
                request,
                folder,
                outputs=outputs,
                existing=existing,
                shard=shard,
                threads=threads,
                progress=show,
                players=[spec["options"]["number"] for spec in objects],
                # A file of transcripts stays, and so has to be on the disk.
                durable=temporary is None or outputs.get("transcripts") is not None,
            )
        except RequestError as error:
            # A note names the game of a player that raised it: then there were games.
            if getattr(error, "__notes__", None):
                _attach(error, folder, temporary)
            raise
        except BaseException as error:
            _attach(error, folder, temporary)
            raise
    return Results(folder, text=done["text"], data=done["data"], temporary=temporary)


def _threads(threads: SupportsIndex | None) -> int | None:
    return None if threads is None else whole(threads, "threads", 1, 1024)


def _attach(error: BaseException, folder: Path, temporary: Temporary | None) -> None:
    """What was finished is not lost: it goes with the exception. None is there where nothing was."""
    with suppress(Exception):
        error.results = None  # type: ignore[attr-defined]
        if folder.is_dir():
            error.results = Results(folder, temporary=temporary)  # type: ignore[attr-defined]


def _check_versions(objects: list[dict[str, Any]], folder: Path, existing: str) -> None:
    """Results by another object of the same class are not those of this one."""
    unversioned = [spec["label"] for spec in objects if "version" not in spec["options"]]
    if unversioned and existing != "replace" and (folder / "manifest.json").exists():
        raise RequestError(
            f"out={folder} is refused: it holds results, and nothing tells whether {unversioned[0]} is the player that made "
            "them: give it an attribute version, write elsewhere, or overwrite with force=True"
        )


@contextmanager
def _players(agents: Agents | None) -> Iterator[tuple[list[Any] | None, list[dict[str, Any]]]]:
    """The agents as data, and those among them that are objects."""
    if agents is None:
        yield None, []
        return
    # An array has a method `choose`, and would pass for a player.
    given: Any = agents.tolist() if isinstance(agents, np.ndarray) else agents
    # What is neither one agent nor several is refused by its name, as one of several would be.
    single = isinstance(given, str | bytes | bytearray | Mapping | Player) or not isinstance(given, Iterable)
    several = [given] if single else ordered(given, "agents")
    named = {agent for agent in several if isinstance(agent, str)}
    named |= {str(agent.get("label") or agent.get("agent")) for agent in several if isinstance(agent, Mapping)}
    objects: dict[int, dict[str, Any]] = {}
    try:
        specs = [_spec(agent, objects, named, f"agents[{place}]") for place, agent in enumerate(several)]
        yield specs, list(objects.values())
    finally:
        for spec in objects.values():
            _knave.forget_player(spec["options"]["number"])


def _spec(agent: Agent, objects: dict[int, dict[str, Any]], named: set[str], field: str) -> Any:
    """The agent as data. The same object in several seats is one player; other objects have labels of their own."""
    if isinstance(agent, str | Mapping):
        spec = plain(agent, field)
        label = spec.get("label") if isinstance(spec, dict) else None
        if isinstance(label, str) and len(label) > _LABEL:
            raise _bad_label(label, f"{field}.label")
        return spec
    if id(agent) not in objects:
        batch = check(agent, field)
        kind = type(agent)
        label = getattr(agent, "label", kind.__name__)
        if not isinstance(label, str) or not label.strip() or not label.isprintable() or len(label) > _LABEL:
            raise _bad_label(label, "label")
        taken = named | {spec["label"] for spec in objects.values()}
        first, copies = label, count(2)
        while label in taken:
            end = f" {next(copies)}"
            label = f"{first[: _LABEL - len(end)]}{end}"
        version = _version(agent)
        options = {"class": f"{kind.__module__}.{kind.__qualname__}", "number": _knave.register_player(agent, label, batch)}
        if version:
            options["version"] = version
        objects[id(agent)] = {"agent": "python", "options": options, "label": label}
    return objects[id(agent)]


def _bad_label(label: Any, field: str) -> RequestError:
    return RequestError(f"{field}={shown(label)} is refused: expected a text of 1 to {_LABEL} characters on one line")


def _version(player: Player) -> str:
    """The player's version as a text; an empty one if it has none."""
    version = getattr(player, "version", None)
    if version is None:
        return ""
    if isinstance(version, str):
        return unicode(version, "version")
    if not isinstance(version, bool | np.bool_):
        with suppress(TypeError):
            return str(index(version))
    raise RequestError(f"version={shown(version)} is refused: expected a text or a whole number")


@contextmanager
def bar(wanted: bool | None) -> Iterator[Callable[[int, int, str, str], None] | None]:
    """A function that shows progress, or nothing."""
    wanted = None if wanted is None else truth(wanted, "progress")
    make: Any = None
    if wanted is not False and sys.stderr is not None:
        with suppress(ImportError):
            # Without ipywidgets `tqdm.auto` draws this bar of text, too, after a warning.
            make = import_module("tqdm.auto" if find_spec("ipywidgets") else "tqdm").tqdm
    if make is None:
        yield None
        return
    drawn: Any = None

    def show(done: int, total: int, noun: str, estimate: str) -> None:
        nonlocal drawn
        # A bar that cannot be drawn is no reason to end.
        with suppress(Exception):
            if drawn is None:
                # What is over soon needs no bar.
                # The rate is that of all so far, for where games end in batches the latest says nothing.
                drawn = make(total=total, unit=f" {noun}", delay=0 if wanted else 1, smoothing=0, file=sys.stderr, leave=False)
            drawn.total = total
            drawn.set_postfix_str(estimate, refresh=False)
            drawn.update(done - drawn.n)

    try:
        yield show
    finally:
        with suppress(Exception):
            if drawn is not None:
                drawn.close()
