"""Parts of requests on a cluster, as far as they need no Ray."""

import importlib
import json
import os
import sys
import threading
import time
import warnings
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import knave

REQUEST = {"study": "run", "game": "dungeon", "agents": ["random"], "n": 4}


@pytest.fixture
def distributed(monkeypatch):
    """The module, whether Ray is there or not."""
    ray = ModuleType("ray")
    ray.__spec__ = ModuleSpec("ray", None)
    results = {}

    def remote(**_):
        """A task is done at once, here."""

        def begin(task, *arguments):
            reference = object()
            # What another machine warns of is not seen here.
            with warnings.catch_warnings(action="ignore"):
                results[reference] = task(*arguments)
            return reference

        return lambda task: SimpleNamespace(remote=lambda *arguments: begin(task, *arguments))

    ray.remote, ray.get, ray.wait = remote, results.pop, lambda references, timeout: (references, [])
    ray.is_initialized, ray.nodes = lambda: True, lambda: [{"Alive": True, "Resources": {"CPU": 1}}]
    ray.util = SimpleNamespace(get_node_ip_address=lambda: "10.0.0.2")
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.delitem(sys.modules, "knave.distributed", raising=False)
    monkeypatch.setattr(knave, "distributed", None, raising=False)
    yield importlib.import_module("knave.distributed")
    sys.modules.pop("knave.distributed", None)


def test_parts_that_are_not_the_whole_are_told(tmp_path):
    """What is missing is named, and nothing is joined of nothing, or where the whole is wanted."""
    for part in (1, 2):
        knave.run("dungeon", "random", n=9, shard=(part, 3), out=tmp_path / f"{part}")
    parts, out = [tmp_path / "1", tmp_path / "2"], tmp_path / "out"
    with pytest.raises(knave.BusyError, match=r"^not all parts can be joined yet: missing: part 3 of 3$"):
        knave.merge(parts, out=out, whole=True)
    assert not out.exists()
    with pytest.warns(UserWarning, match=r"^Partial: these parts hold 6 of 9; missing: part 3 of 3$") as told:
        assert not knave.merge(parts, out=out).complete
    assert [Path(warning.filename).name for warning in told] == [Path(__file__).name]
    knave.run("dungeon", "random", n=9, shard=(3, 3), out=tmp_path / "3")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert knave.merge([*parts, tmp_path / "3"], out=out, whole=True).complete


def test_parts_without_a_game_are_not_joined(tmp_path, interrupted):
    """They are as a run leaves them that was interrupted before its first game."""
    part = tmp_path / "1"

    def interrupt_once_begun():
        while not (part / "manifest.json").exists():
            time.sleep(0.005)
        interrupt()

    with interrupted(20.0, after=None) as interrupt:
        threading.Thread(target=interrupt_once_begun, daemon=True).start()
        knave.run("whist", "best:iterations=3000", n=100, shard=(1, 2), out=part, progress=False)
    with pytest.raises(knave.BusyError, match=r"^nothing can be joined yet: .*unfinished: .*1 \(0 of 50\)$"):
        knave.merge(tmp_path / "1", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("place", ["file", "file/below", "folder-is-file"])
def test_an_impossible_place_is_refused_before_any_work(distributed, tmp_path, monkeypatch, place):
    """No part is done that could not be kept, and what lies there beside the parts is none of them."""
    worked = []
    monkeypatch.setattr(distributed, "_do", lambda *_: worked.append(True))
    out = tmp_path / place
    if place == "folder-is-file":
        plan = knave._knave.plan(REQUEST, folder=out)
        (tmp_path / f"{place}-{plan['sum']}").write_text("")
    else:
        (tmp_path / "file").write_text("")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(knave.RequestError, match=f"out=.*{place} is refused: "):
        distributed.run(REQUEST, out=out, progress=False)
    assert not worked and sorted(tmp_path.iterdir()) == before


def test_what_is_no_part_is_left_out(distributed, tmp_path):
    """A stray folder does not say how many parts there are."""
    cell = distributed._Cell(tmp_path / "out", REQUEST, {}, False)
    for name in ("junk-of-x", "junk-of-7", "1-of-2"):
        (cell._parts_folder / name).mkdir(parents=True)
    cell.share(None, 1)
    assert [part.folder.name for part in cell.parts] == ["1-of-2", "2-of-2"]


@pytest.mark.parametrize("wrong", [["rows"], "rows", 5])
def test_outputs_are_a_dict(distributed, tmp_path, wrong):
    with pytest.raises(knave.RequestError, match=r"outputs=.* is refused: expected a dict, such as"):
        distributed.run(REQUEST, out=tmp_path / "out", outputs=wrong)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["{}", "[]", "5", "null", "{", '{"partial": false}', '{"partial": 1, "version": "0"}'])
def test_a_part_with_another_manifest_is_not_finished(distributed, tmp_path, text):
    """A file of another form in its place is no reason to fail in the middle of a run: the part is done again."""
    run = knave.run("dungeon", "random", n=4, out=tmp_path / "1-of-2", shard=(1, 2))
    part = distributed._Part(REQUEST, {}, run.folder, (1, 2), 2, "games", "")
    path = run.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    assert part.is_finished()
    for other in (manifest | {"partial": True}, manifest | {"commit": "another"}):
        path.write_text(json.dumps(other))
        assert not part.is_finished()
    path.write_text(text)
    assert not part.is_finished()
    path.unlink()
    assert not part.is_finished()


def tables(folder):
    """The files of a folder, without the one that tells when they were made."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "manifest.json"}


def empty(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def change(path):
    path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    ("name", "damage"),
    [(name, damage) for name in ("journal.json", "games.csv") for damage in (Path.unlink, empty, cut)] + [("journal.json", change)],
)
def test_a_damaged_part_is_done_again(distributed, tmp_path, shared, name, damage):
    """What the joining would refuse in the end is no finished part."""
    arguments = {"shards": 2, "shared": shared, "outputs": {"rows": True}, "progress": False}
    whole = tables(distributed.run(REQUEST, out=tmp_path / "out", keep_parts=True, **arguments).folder)
    (tmp_path / "out").rename(tmp_path / "before")
    part = next(tmp_path.glob("out-*/1-of-2"))
    damage(part / name)
    assert tables(distributed.run(REQUEST, out=tmp_path / "out", **arguments).folder) == whole


@pytest.mark.parametrize("damage", [empty, cut, change])
def test_an_unfinished_part_that_cannot_go_on_is_done_again(distributed, tmp_path, damage):
    arguments = {"shards": 2, "shared": True, "progress": False}
    whole = tables(distributed.run(REQUEST, out=tmp_path / "out", keep_parts=True, **arguments).folder)
    (tmp_path / "out").rename(tmp_path / "before")
    part = next(tmp_path.glob("out-*/1-of-2"))
    manifest = json.loads((part / "manifest.json").read_text())
    (part / "manifest.json").write_text(json.dumps(manifest | {"partial": True}))
    damage(part / "journal.json")
    assert tables(distributed.run(REQUEST, out=tmp_path / "out", **arguments).folder) == whole


@pytest.mark.parametrize("kind", ["run", "compare", "solve", "bound", "analyse"])
def test_a_finished_part_is_left_alone(distributed, tmp_path, kind):
    request = {
        "run": REQUEST,
        "compare": {"study": "compare", "game": "columns", "agents": ["greedy", "random"], "n": 4},
        "solve": {"study": "solve", "game": "dungeon", "n": 4},
        "bound": {"study": "bound", "game": "verslun", "agents": ["rule"], "n": 4},
        "analyse": {"study": "analyse", "game": "dungeon", "agents": ["rule"], "n": 2, "worlds": 20},
    }[kind]
    outputs = {"rows": kind in ("run", "solve")}
    cell = distributed._Cell(tmp_path / "out", request, outputs, False)
    cell.share(2, 1)
    for part in cell.parts:
        assert not part.is_finished()
        part.write(distributed._part(request, outputs, part.shard, None, 1, knave._knave.VERSION, part.plan))
        assert part.is_finished()


def test_other_files_on_a_machine_are_refused(distributed, tmp_path, monkeypatch):
    """By another program there the parts would be of two players, which the joining refuses when all are done."""
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "bot.py"
    bot.write_text("here")
    request = {"study": "run", "game": "dungeon", "agents": [f"exec:command=python3 {bot}"], "n": 4}
    plan = knave._knave.plan(request)["sum"]
    bot.write_text("there")
    told = "^a program or a model of this request is"
    with pytest.raises(knave.RequestError, match=rf"{told} another file on 10\.0\.0\.2, or is not found from {tmp_path}$"):
        distributed._part(request, {}, (1, 2), None, 1, knave._knave.VERSION, plan)


def test_what_a_machine_sent_is_kept_as_the_umask_says(distributed, tmp_path, monkeypatch):
    """It is on the disk, the manifest last, and others of the group may read it."""
    flushed = []
    monkeypatch.setattr(distributed.os, "fsync", lambda file: flushed.append(os.fstat(file).st_ino))
    part = distributed._Part(REQUEST, {}, tmp_path / "parts" / "1-of-2", (1, 2), 2, "games", "")
    before = os.umask(0o027)
    try:
        part.write({"manifest.json": b"{}", "journal.json": b"{}"})
    finally:
        os.umask(before)
    assert [path.name for path in part.folder.parent.iterdir()] == ["1-of-2"]
    assert part.folder.stat().st_mode & 0o777 == 0o750
    assert flushed == [(part.folder / name).stat().st_ino for name in ("journal.json", "manifest.json")]


@pytest.mark.parametrize("out", [".", "x/.."])
def test_the_current_folder_is_a_place(distributed, tmp_path, monkeypatch, out):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    results = distributed.run(REQUEST, out=out, shards=2, progress=False)
    assert results.complete and (here / "summary.csv").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_a_place_that_nothing_lies_beside_is_refused(distributed):
    with pytest.raises(knave.RequestError, match="out='/' is refused: "):
        distributed.run(REQUEST, out="/", force=True, progress=False)


@pytest.mark.parametrize("kind", ["request", "study"])
def test_notes_are_told_once(distributed, tmp_path, kind):
    request = REQUEST | {"agents": ["fast"], "rules": {"health": 45}, "n": 2}
    if kind == "study":
        request = tmp_path / "study.toml"
        cell = 'command = "run"\ngame = "dungeon"\nagents = ["fast"]\nrules = { health = 45 }\nn = 2\n'
        request.write_text(f'summary = "S"\nseed = 1\n[[cells]]\n{cell}')
    with pytest.warns(UserWarning, match="no trained model for these rules: ") as told:
        distributed.run(request, out=tmp_path / "out", shards=2, progress=False)
    assert [Path(warning.filename).name for warning in told] == [Path(__file__).name]


@pytest.mark.parametrize("has_a_cause", [True, False])
def test_an_address_that_is_refused_tells_why(distributed, monkeypatch, has_a_cause):
    """Ray has the reason in the cause of its error, in the last line of a text with a traceback, or raises an error of its own."""

    class RayError(Exception):
        pass

    def init(**_):
        if not has_a_cause:
            raise RayError("the token is missing.")
        raise ConnectionError("no cluster at x:1") from RuntimeError("Traceback:\n  File\nRayError: a wrong token.\n\n")

    ray = distributed.ray
    ray.init, ray.is_initialized, ray.exceptions = init, lambda: False, SimpleNamespace(RayError=RayError)
    why = "no cluster at x:1: RayError: a wrong token" if has_a_cause else "the token is missing"
    with pytest.raises(knave.RequestError, match=rf"^address='x:1' is refused: {why}\. `ray start"):
        distributed._connect("x:1")


@pytest.mark.parametrize("kind", [knave.BusyError, knave.RequestError])
def test_a_part_that_is_refused_keeps_the_kind_of_its_error(distributed, tmp_path, monkeypatch, kind):
    """What another process is writing to can be done later."""

    class RayTaskError(Exception):
        cause = kind("in use")

    def fails(_):
        raise RayTaskError

    monkeypatch.setattr(distributed.ray, "exceptions", SimpleNamespace(RayTaskError=RayTaskError), raising=False)
    monkeypatch.setattr(distributed.ray, "get", fails)
    part = distributed._Part(REQUEST, {}, tmp_path / "1-of-2", (1, 2), 2, "games", "")
    with pytest.raises(knave.RequestError, match=r"^part 1-of-2: in use$") as raised:
        distributed._result(None, part)
    assert type(raised.value) is kind
