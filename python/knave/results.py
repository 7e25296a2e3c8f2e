"""Folders of results: tables, manifest, and what was said of them."""

import html
import math
import os
import shutil
import weakref
from collections.abc import Iterator, Mapping
from functools import cached_property
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from knave import _knave
from knave._data import path as checked_path
from knave._knave import Table
from knave.errors import RequestError

#: The rows of a table that a notebook shows.
_SHOWN = 20

#: The tables that are only written on request, each with the study that has it.
_ON_REQUEST = {"games": "run", "solutions": "solve"}


class Temporary:
    """A folder that goes when nobody holds it any more, in the process that made it."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="knave-"))
        _FOLDERS[self.path] = os.getpid()
        weakref.finalize(self, _remove, self.path).atexit = False
        if parent_process() is not None:
            # A forked worker of multiprocessing ends without atexit, and does this.
            Finalize(self, _remove, (self.path,), exitpriority=0)


#: The temporary folders that are there, and the processes that made them.
_FOLDERS: dict[Path, int] = {}


def _remove(path: Path) -> None:
    # A forked process has the same objects, and must not remove what is its parent's.
    if _FOLDERS.get(path) == os.getpid():
        shutil.rmtree(path, ignore_errors=True)
    _FOLDERS.pop(path, None)


def _remove_all() -> None:
    """Removes the temporary folders that are still there, such as those that a daemon thread has not come to an end with."""
    for path in list(_FOLDERS):
        _remove(path)


class Tables(Mapping[str, Table]):
    """The tables of a folder by name, without the ending `.csv`. Each is read when it is first asked for."""

    def __init__(self, folder: Path, temporary: Temporary | None = None):
        self._files = {path.stem: path for path in sorted(folder.glob("*.csv"))}
        #: The files are there as long as somebody holds it.
        self._temporary = temporary
        self._read: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._files:
            raise KeyError(f"there is no table '{name}'; the tables: {', '.join(self)}")
        if name not in self._read:
            self._read[name] = Table.read(self._files[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"<tables {', '.join(self)}>"


class Results:
    """A folder of results. `results.summary` is the table in summary.csv, and so are all tables by their names.

    Of a study these are the joined tables. Those with a row for each game, deal or decision are not joined unless the study says
    so: `results.runs` has them, cell by cell.

    Columns and units are described in results/README.md.
    """

    def __init__(self, folder: Path, *, text: str = "", data: Any = None, temporary: Temporary | None = None):
        #: Where they are, whatever the current folder will be.
        self.folder = folder.absolute()
        #: What `sim` prints; empty for a folder that was loaded.
        self.text = text
        #: The same as data.
        self.data = data
        self._temporary = temporary

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """manifest.json: version, request, counts, times; empty for the folder of a study, whose runs are in `runs`.

        Raises RequestError for one of another version, or with fields missing.
        """
        return _knave.manifest(self.folder) or {}

    @cached_property
    def tables(self) -> Tables:
        """All tables, by name."""
        return Tables(self.folder, self._temporary)

    @cached_property
    def runs(self) -> dict[str, "Results"]:
        """The runs of a study, by the name of their cell; RequestError for one that cannot be read."""
        return {part.parent.name: load(part.parent) for part in sorted(self.folder.glob("*/manifest.json"))}

    @property
    def complete(self) -> bool:
        """Whether all that was asked for is there; of a study, whether its tables are joined and all its runs are complete.

        A study with a run that cannot be read is not complete.
        """
        if self.manifest:
            return not self.manifest.get("partial", False)
        try:
            return "cells" in self.tables and all(run.complete for run in self.runs.values())
        except RequestError:
            return False

    @property
    def cost(self) -> float:
        """The cost of a game in milliseconds, over all threads; not a number where none is finished.

        A comparison plays several games on each deal. In exact answers and bounds it is the cost of a deal.
        """
        if not self.manifest:
            raise RequestError(f"{self.folder} is a study: ask each of its runs what it cost")
        timing = self.manifest["timing"]
        # Of a comparison `finished` counts deals.
        games = self.manifest["finished"] * self.manifest["facts"].get("games_a_deal", 1)
        # Parts may have had other numbers of threads than the last.
        seconds = timing.get("worker_seconds", timing["seconds"] * timing["threads"])
        return float(1000 * seconds / games) if games else math.nan

    def save(self, folder: str | Path) -> "Results":
        """Copies the folder to a place where there is none yet, and returns the results there."""
        place = Path(checked_path(folder, "folder"))
        if place.exists():
            raise RequestError(f"folder={place} is refused: it is there already")
        shutil.copytree(self.folder, place)
        return Results(place, text=self.text, data=self.data)

    def _study(self) -> str | None:
        """Which of the requests it is; None for a study, and where that cannot be read."""
        try:
            study: str | None = self.manifest.get("request", {}).get("study")
        except RequestError:
            return None
        return study

    def __getattr__(self, name: str) -> Table:
        if name.startswith("_") or name not in self.tables:
            # A study joins no tables with a row for each game unless it says so.
            runs = (path.parent for path in self.folder.glob("*/manifest.json"))
            cells = sorted(run.name for run in runs if (run / f"{name}.csv").is_file())
            apart = f"; cells hold it: runs[{cells[0]!r}].{name}" if cells else ""
            again = f"; it is written with {name}=True" if self._study() == _ON_REQUEST.get(name, "") else ""
            raise AttributeError(f"{self.folder} holds no {name}.csv, but {', '.join(self.tables)}{apart}{again}")
        return self.tables[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def __str__(self) -> str:
        return self.text.rstrip() or repr(self)

    def __repr__(self) -> str:
        return f"<Results in {self.folder}: {', '.join(self.tables)}>"

    def _repr_html_(self) -> str:
        """For notebooks: what was asked, and the table that says most."""
        request = self.manifest.get("request", {})
        words = [str(request[word]) for word in ("study", "game") if word in request]
        head = html.escape(f"{' '.join(words) or self.folder.name}: {', '.join(self.tables)}")
        first = next((name for name in ("summary", "comparison", "solvability", "bound", "analysis") if name in self.tables), None)
        first = first or next(iter(self.tables), None)
        shown = "" if first is None else table_html(self.tables[first])
        said = f"<pre>{html.escape(self.text.rstrip())}</pre>" if self.text else shown
        part = "" if self.complete else "<p>Some of it is missing: it was interrupted, or cannot be read.</p>"
        return f"<p><b>{head}</b></p>{said}{part}"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._temporary is None:
            return _named, (str(self.folder), self.text, self.data)
        files = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        return _unpack, (files, self.text, self.data)


def _named(folder: str, text: str, data: Any) -> Results:
    """The results in a folder of this machine."""
    load(folder)
    return Results(Path(folder), text=text, data=data)


def _unpack(files: dict[str, bytes], text: str, data: Any) -> Results:
    """The results of another process, in a temporary folder of this one."""
    temporary = Temporary()
    for name, content in files.items():
        (temporary.path / name).write_bytes(content)
    return Results(temporary.path, text=text, data=data, temporary=temporary)


def table_html(table: Table) -> str:
    """The first rows of a table, for notebooks."""
    first = table.head(_SHOWN)
    columns = [first[name] for name in first.columns]
    cells = ["".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in zip(*columns, strict=True)]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table.columns)
    more = len(table) - _SHOWN
    rest = f"<p>… and {more} more rows</p>" if more > 0 else ""
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>{rest}"


def _cell(cell: float | str | None) -> str:
    return "" if cell is None else html.escape(f"{cell:.6g}" if isinstance(cell, float) else str(cell))


def load(folder: str | Path) -> Results:
    """Loads the folder of a run, a comparison, exact answers, bounds, an analysis or a study.

    A folder without a manifest of its own is taken for that of a study if folders in it have one: `runs` are these, and it is
    `complete` only with joined tables. Raises RequestError for any other folder, and for a manifest of another form.
    """
    results = Results(Path(checked_path(folder, "folder")))
    if not results.manifest and not any(results.folder.glob("*/manifest.json")):
        raise RequestError(f"{folder} holds no manifest.json, nor folders that do")
    return results
