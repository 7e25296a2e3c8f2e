"""Parts of requests on a cluster, as far as they need no Ray."""

import importlib
import json
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

import knave

REQUEST = {"study": "run", "game": "dungeon", "agents": ["random"], "n": 4}


@pytest.fixture
def distributed(monkeypatch):
    """The module, whether Ray is there or not."""
    ray = ModuleType("ray")
    ray.__spec__ = ModuleSpec("ray", None)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.delitem(sys.modules, "knave.distributed", raising=False)
    monkeypatch.setattr(knave, "distributed", None, raising=False)
    yield importlib.import_module("knave.distributed")
    sys.modules.pop("knave.distributed", None)


@pytest.mark.parametrize("place", ["file", "file/below", "folder-is-file"])
def test_an_impossible_place_is_refused_before_any_work(distributed, tmp_path, monkeypatch, place):
    """No part is done that could not be kept, and what lies there beside the parts is none of them."""
    worked = []
    monkeypatch.setattr(distributed, "_connect", lambda address: None)
    monkeypatch.setattr(distributed, "_cores", lambda: [1])
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
    part = distributed._Part(REQUEST, {}, run.folder, (1, 2), 2, "games")
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
