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
