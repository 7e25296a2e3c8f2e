"""Requests and studies on many machines, by Ray: `pip install 'knave[cluster]'`.

    import knave.distributed

    request = {"study": "run", "game": "dungeon", "agents": ["mcts"], "n": 1_000_000_000}
    results = knave.distributed.run(request, out="results/billion")

The work is cut into parts. Each is a task of Ray, which does it again elsewhere when its machine dies. In the end the parts
are joined, and the tables are those of a single machine, to the byte. Whatever ended the call, a lost connection or Ctrl-C, the
same call goes on: parts that are finished are not done again.
"""

import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, SupportsIndex
from warnings import warn

from knave import _knave
from knave._data import path as checked_path
from knave._data import plain, shown, truth, whole
from knave.errors import BusyError, RequestError, RunError
from knave.harness import bar
from knave.results import Results, load

try:
    import ray as _ray
except ImportError as error:
    raise ImportError(f"knave.distributed needs Ray: pip install 'knave[cluster]' ({error})") from error

#: Only some of its functions have types.
ray: Any = _ray

#: So many parts for each core of the cluster, unless their number is said: then all cores end at about the same time, and
#: the death of a machine costs little.
_PARTS_EACH = 16

#: So many tasks for each core are given to Ray at once. It keeps what it was given in memory.
_AHEAD = 3

#: How long a task waits for another that still writes to its folder, such as one on a machine that has lost its connection.
#: NFS does not tell this of another machine: both write then, and the joining refuses what is unfinished or damaged.
_PATIENCE = 300.0


def run(
    request: Mapping[str, Any] | str | Path,
    *,
    out: str | Path | None = None,
    address: str | None = "auto",
    shards: SupportsIndex | None = None,
    shared: bool = False,
    threads: SupportsIndex = 1,
    outputs: Mapping[str, Any] | None = None,
    retries: SupportsIndex = -1,
    force: bool = False,
    keep_parts: bool = False,
    progress: bool | None = None,
) -> Results:
    """Does a request, or the study in a file, on the machines of a Ray cluster.

    `request` is a dict: `study` (`run`, `compare`, `solve`, `bound` or `analyse`) and the fields that stand in a manifest or a
    cell of a study, such as `game`, `agents`, `rules`, `n` and `seed`; or the path of a study. `out` is the folder of the
    whole, by default one in `results` with the name that `sim` gives it.

    `address` is Ray's (None starts Ray on this machine); a program that has called `ray.init` keeps its connection.
    `shards` is the number of parts of a request or of each cell, by default 16 for each core of the cluster, or what
    there is already. Parts are sent back to this machine; with `shared`, machines write them to `out`'s neighbour,
    which must be the same folder for all of them, and an unfinished part goes on where it was left. `threads` is the
    number of cores of a part. `outputs` may ask for further files: `{"rows": True}`, `{"rows": True, "parquet": True}`.
    `retries` is how often a part is begun again after the death of its machine (-1: as often as it takes). `force`
    overwrites what else is in `out`, also a whole without the `outputs` asked for. Parts lie in the folder
    `OUT-CHECKSUM`, with the further outputs behind it; it goes in the end unless `keep_parts`.

    Raises RequestError before any work when something is not right, RunError when a part failed, and KeyboardInterrupt
    after Ctrl-C.
    """
    threads = whole(threads, "threads", 1, 1024)
    retries = whole(retries, "retries", -1, 1 << 30)
    shards = None if shards is None else whole(shards, "shards", 1, 1 << 32)
    shared, force, keep_parts = truth(shared, "shared"), truth(force, "force"), truth(keep_parts, "keep_parts")
    progress = None if progress is None else truth(progress, "progress")
    place = None if out is None else _place(checked_path(out, "out"))
    study = Path(checked_path(request, "request")) if isinstance(request, str | Path) else None
    if study is not None:
        if outputs is not None:
            raise RequestError("outputs is refused: those of a study stand in its file")
        folder = place or Path("results", study.stem)
        due = [cell for cell in _knave.cells(study, folder, force=force) if cell["due"]]
        cells = [_Cell(folder / cell["name"], cell["request"], cell["outputs"], force, is_due=True) for cell in due]
    else:
        asked = plain(request, "request")
        if not isinstance(asked, dict):
            raise RequestError("request is refused: expected a dict with study, game, agents and so on, or the path of a study")
        if not isinstance(outputs, Mapping | None):
            raise RequestError(f"outputs={shown(outputs)} is refused: expected a dict, such as {{'rows': True}}")
        cells = [_Cell(place, asked, dict(outputs or {}), force)]
        folder = cells[0].folder
    if todo := [cell for cell in cells if not cell.is_finished]:
        _connect(address)
        _check_cores(threads)
        if study is None:
            # Those of a study are told when its tables are joined.
            for note in todo[0].notes:
                warn(note, stacklevel=2)
        for cell in todo:
            cell.share(shards, _parts_at_once(threads))
            cell.make_room()
        with bar(progress) as show:
            _do([part for cell in todo for part in cell.parts], shared, threads, retries, show)
    done = []
    for cell in cells:
        # In a comprehension warnings would be for another line than that of the caller.
        done.append(cell.join(keep_parts))
    return done[0] if study is None else load(_knave.experiment(study, folder))


@dataclass(frozen=True)
class _Part:
    """A part of a request; the whole, where it cannot be shared out."""

    request: dict[str, Any]
    outputs: dict[str, Any]
    folder: Path
    shard: tuple[int, int] | None
    size: int
    noun: str
    plan: str

    def is_finished(self) -> bool:
        """Whether its folder holds all of it, made by this version, and what the joining reads is there."""
        return self._says_finished() and self._is_whole()

    def _says_finished(self) -> bool:
        """Whether its manifest says that this version has finished it. The name of the folder tells its plan."""
        try:
            manifest = _knave.manifest(self.folder)
        except RequestError:
            # One of another version, or another file of this name.
            return False
        return manifest is not None and not manifest["partial"] and f"{manifest['version']} {manifest['commit']}" == _knave.VERSION

    def _is_whole(self) -> bool:
        """Whether its journal is as it was written, and its rows are as long as the journal says."""
        try:
            journal = (self.folder / "journal.json").read_bytes()
            # It says 0 where there are no rows.
            sizes = {0, *(path.stat().st_size for path in self.folder.iterdir())}
        except OSError:
            return False
        content, _, end = journal.rpartition(b',"sum":"')
        if end != b'%016x"}\n' % _checksum(content):
            return False
        rows = json.loads(journal)["rows"]
        return all(table["bytes"] in sizes for table in (rows if isinstance(rows, list) else [rows]))

    def write(self, files: dict[str, bytes]) -> None:
        """Puts what a machine has sent in its place: all at once, so that what is there is whole."""
        # Another caller may have been done with the same parts first.
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".", dir=self.folder.parent) as temporary:
            # That one is for its owner alone; a folder in it has the modes of the umask.
            fresh = Path(temporary, self.folder.name)
            fresh.mkdir()
            # The manifest is last: it says that all is there.
            for name in sorted(files, key="manifest.json".__eq__):
                with (fresh / name).open("wb") as file:
                    file.write(files[name])
                    file.flush()
                    os.fsync(file.fileno())
            shutil.rmtree(self.folder, ignore_errors=True)
            fresh.rename(self.folder)


def _checksum(content: bytes) -> int:
    """FNV-1a with 64 bits, the checksum that ends a journal (`Sum` in src/store/journal.rs)."""
    checksum = 0xCBF29CE484222325
    for byte in content:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return checksum


class _Cell:
    """A request, its folder, and its parts."""

    def __init__(self, folder: Path | None, request: dict[str, Any], outputs: dict[str, Any], force: bool, *, is_due: bool = False):
        for name, value in outputs.items():
            if name not in ("rows", "parquet") and value:
                raise RequestError(f"outputs: {name} is refused: expected rows or parquet, for nothing else is joined")
            if name in ("rows", "parquet") and not isinstance(value, bool):
                raise RequestError(f"outputs: {name}={shown(value)} is refused: expected True or False")
        self._request, self._outputs = request, outputs
        self._plan = _knave.plan(request, outputs=outputs, folder=folder)
        if folder is None:
            if self._plan["name"] is None:
                raise RequestError("out is missing: expected the folder for the results")
            folder = Path("results", self._plan["name"])
        if self._plan["taken"] and not force:
            raise RequestError(f"{folder} {self._plan['taken']}: choose another place with out, or overwrite with force=True")
        if folder.exists() and not folder.is_dir():
            raise RequestError(f"out={folder} is refused: it is no folder")
        self.folder = folder
        self.notes: list[str] = self._plan["notes"]
        self.parts: list[_Part] = []
        # A cell of a committed study may hold no more than its manifest, and is due again once others are.
        self.is_finished: bool = self._plan["finished"] and not is_due
        self._existing = "replace" if force else "remake" if is_due else "keep"

    @property
    def _parts_folder(self) -> Path:
        # Parts with other outputs are no parts of this.
        further = sorted(name for name, value in self._outputs.items() if value)
        return self.folder.with_name("-".join([self.folder.name, self._plan["sum"], *further]))

    def share(self, shards: int | None, cores: int) -> None:
        """Cuts it into parts, as many as there are already if nothing else is asked for."""
        size = self._plan["size"]
        if not self._plan["shards"]:
            self.parts = [
                _Part(self._request, self._outputs, self._parts_folder / "whole", None, size, self._plan["noun"], self._plan["sum"])
            ]
            return
        if shards is None:
            # Whatever else lies there is no part.
            names = (path.name.split("-of-") for path in self._parts_folder.glob("*-of-*"))
            there = {name[1] for name in names if len(name) == 2 and all(map(str.isdecimal, name))}
            shards = int(there.pop()) if len(there) == 1 else _PARTS_EACH * cores
        shards = max(1, min(shards, size))
        digits = len(str(shards))
        self.parts = [
            _Part(
                self._request,
                self._outputs,
                self._parts_folder / f"{part:0{digits}}-of-{shards}",
                (part, shards),
                size * part // shards - size * (part - 1) // shards,
                self._plan["noun"],
                self._plan["sum"],
            )
            for part in range(1, shards + 1)
        ]

    def make_room(self) -> None:
        """Makes the folder of its parts, so that no work is done that could not be kept."""
        try:
            self._parts_folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(f"out={self.folder} is refused: no folder for its parts can be made beside it: {error}") from error

    def join(self, keep_parts: bool) -> Results:
        """Makes the whole of the parts."""
        if self.is_finished:
            # Nothing is done: this says what is there, or what stands against it.
            done = _knave.carry_out(self._request, self.folder, outputs=self._outputs)
            return Results(self.folder, text=done["text"], data=done["data"])
        done = _knave.merge([part.folder for part in self.parts], self.folder, existing=self._existing)
        for note in done["notes"]:
            warn(note, stacklevel=3)
        if not keep_parts:
            shutil.rmtree(self._parts_folder, ignore_errors=True)
        return Results(self.folder, text=done["text"], data=done["data"])


def _place(out: str) -> Path:
    """The folder for the whole, with a name: its parts lie beside it."""
    place = Path(out)
    place = place.resolve() if place.name in ("", "..") else place
    if not place.name:
        raise RequestError(f"out={shown(out)} is refused: parts lie beside the folder, and there is nothing beside this one")
    return place


def _connect(address: str | None) -> None:
    if ray.is_initialized():
        return
    try:
        ray.init(address=address, log_to_driver=False, logging_level="warning")
    except (ConnectionError, ray.exceptions.RayError) as error:
        # Why, such as a wrong token, is said in the last line of the cause, below a traceback.
        why = [str(error), *str(error.__cause__ or "").strip().splitlines()[-1:]]
        raise RequestError(
            f"address={address!r} is refused: {': '.join(why).rstrip('.')}. `ray start --head` starts a cluster, "
            "address=None uses this machine alone"
        ) from error


def _cores() -> list[int]:
    """The cores of each machine of the cluster."""
    return [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]


def _check_cores(threads: int) -> None:
    """Says that no machine has the cores for a part: it waits until one has joined the cluster."""
    most = max(_cores(), default=0)
    if 0 < most < threads:
        warn(f"threads={threads}: parts wait for a machine with so many cores, the largest has {most}", stacklevel=3)


def _parts_at_once(threads: int) -> int:
    """How many parts the cluster can do at once."""
    return max(1, sum(cores // threads for cores in _cores()))


def _do(parts: list[_Part], shared: bool, threads: int, retries: int, show: Any) -> None:
    """Has the parts done that are not finished, a number of them at a time."""
    task = ray.remote(num_cpus=threads, max_retries=retries)(_part)
    all_size = sum(part.size for part in parts)
    nouns = " and ".join(sorted({part.noun for part in parts}, reverse=True))
    todo: list[_Part] = [part for part in parts if not part.is_finished()]
    done = all_size - sum(part.size for part in todo)
    waiting: Iterator[_Part] = iter(todo)
    running: dict[Any, _Part] = {}
    try:
        while True:
            while len(running) < _AHEAD * _parts_at_once(threads) and (part := next(waiting, None)) is not None:
                folder = str(part.folder.resolve()) if shared else None
                asked = part.request, part.outputs, part.shard, folder, threads
                running[task.remote(*asked, _knave.VERSION, part.plan)] = part
            if not running:
                return
            ready, _ = ray.wait(list(running), timeout=0.2)
            for reference in ready:
                part = running.pop(reference)
                files = _result(reference, part)
                if files is not None:
                    part.write(files)
                done += part.size
            if show is not None:
                show(done, all_size, nouns, f"{len(running)} parts under way")
    except BaseException:
        for reference in running:
            with suppress(Exception):
                ray.cancel(reference)
        raise


def _result(reference: Any, part: _Part) -> dict[str, bytes] | None:
    name = part.folder.name
    try:
        files: dict[str, bytes] | None = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, RequestError):
            # A BusyError stays one: the same can be done later.
            raise type(cause)(f"part {name}: {cause}") from error
        raise RunError(f"part {name} failed: {cause}") from error
    except ray.exceptions.RayError as error:
        raise RunError(f"part {name} was given up: {error}") from error
    return files


def _part(
    request: dict[str, Any],
    outputs: dict[str, Any],
    shard: tuple[int, int] | None,
    folder: str | None,
    threads: int,
    version: str,
    plan: str,
) -> dict[str, bytes] | None:
    """Does a part, on one of the machines. Returns its files unless they lie in a folder that all machines share."""
    if version != _knave.VERSION:
        raise RequestError(f"knave {_knave.VERSION} is installed on {ray.util.get_node_ip_address()}, and {version} is asked for")
    if _knave.plan(request, outputs=outputs)["sum"] != plan:
        host = ray.util.get_node_ip_address()
        raise RequestError(f"a program or a model of this request is another file on {host}, or is not found from {Path.cwd()}")
    if folder is not None:
        deadline = time.monotonic() + _PATIENCE
        existing = "resume"
        while True:
            try:
                _knave.carry_out(request, Path(folder), outputs=outputs, existing=existing, shard=shard, threads=threads)
                return None
            except BusyError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(1)
                # The one that was busy may have done it.
                existing = "resume"
            except RequestError:
                if existing == "replace":
                    raise
                # Nothing can go on from what is there, a damaged part or one by another version: it is done again.
                existing = "replace"
    with TemporaryDirectory(prefix="knave-") as temporary:
        place = Path(temporary, "part")
        _knave.carry_out(request, place, outputs=outputs, shard=shard, threads=threads, durable=False)
        return {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
