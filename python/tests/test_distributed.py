"""Requests on a cluster of Ray whose machines die: the tables are those of one machine, to the byte.

Needs Ray, which is not among requirements.txt: `pip install ray`. KNAVE_FULL=1 takes longer, with more deaths.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

import knave

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

import knave.distributed  # noqa: E402

FULL = bool(os.environ.get("KNAVE_FULL"))

#: How many games or deals make requests long enough for some deaths.
LENGTH = 10 if FULL else 1

REQUESTS: dict[str, dict[str, Any]] = {
    "run": {"study": "run", "game": "dungeon", "agents": ["mcts:iterations=30"], "n": 300 * LENGTH, "seed": 3},
    "compare": {"study": "compare", "game": "columns", "agents": ["greedy", "random"], "n": 2000 * LENGTH, "seed": 4},
    "solve": {"study": "solve", "game": "dungeon", "n": 2000 * LENGTH, "seed": 5},
    "bound": {"study": "bound", "game": "verslun", "agents": ["rule"], "n": 100 * LENGTH, "seed": 6},
}


class Machines:
    """A cluster on this machine: a head that does no parts, and three nodes of a core each."""

    def __init__(self) -> None:
        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        self.nodes = [self.cluster.add_node(num_cpus=1) for _ in range(3)]
        self.deaths = 0
        ray.init(address=self.cluster.address, log_to_driver=False, logging_level="error")

    def kill_some(self, work: Future[Any]) -> None:
        """Nodes die without a word, and new ones come, until the work is done."""
        luck = random.Random(7)
        while not wait([work], timeout=luck.uniform(2.0, 5.0)).done:
            self.cluster.remove_node(self.nodes.pop(luck.randrange(len(self.nodes))), allow_graceful=False)
            self.deaths += 1
            self.nodes.append(self.cluster.add_node(num_cpus=1))


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    machines = Machines()
    yield machines
    ray.shutdown()
    machines.cluster.shutdown()


def same(one: Path, other: Path) -> None:
    """Two folders hold the same files, but for what tells when and where they were made."""
    assert sorted(path.name for path in one.iterdir()) == sorted(path.name for path in other.iterdir())
    for path in one.iterdir():
        if path.name == "manifest.json":
            manifests = [json.loads((folder / path.name).read_text()) for folder in (one, other)]
            for manifest in manifests:
                del manifest["timing"]
            assert manifests[0] == manifests[1]
        else:
            assert path.read_bytes() == (other / path.name).read_bytes(), path


def alone(request: dict[str, Any], out: Path, rows: bool) -> None:
    knave.harness._knave.carry_out(request, out, outputs={"rows": rows})


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("kind", REQUESTS)
def test_deaths_change_nothing(machines: Machines, tmp_path: Path, kind: str, shared: bool) -> None:
    request, rows = REQUESTS[kind], kind in ("run", "solve")
    # Ray makes nodes in the main thread only.
    with ThreadPoolExecutor() as other:
        work = other.submit(
            knave.distributed.run,
            request,
            out=tmp_path / "spread",
            shards=23,
            shared=shared,
            outputs={"rows": rows},
            progress=False,
        )
        machines.kill_some(work)
        results = work.result()
    alone(request, tmp_path / "alone", rows)
    same(tmp_path / "alone", results.folder)
    # The parts are gone.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "spread"]


def test_machines_died(machines: Machines) -> None:
    """The tests before would say nothing otherwise."""
    assert machines.deaths >= 3


def test_studies_are_spread(machines: Machines, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text((Path(__file__).parent / "spread.toml").read_text())
    spread = knave.distributed.run(study, out=tmp_path / "spread", shards=4, progress=False)
    whole = knave.experiment(study, out=tmp_path / "whole", progress=False)
    assert sorted(spread.tables) == sorted(whole.tables)
    for name, table in whole.tables.items():
        for column in table:
            if column not in ("seconds", "games_per_second", "threads"):
                assert table[column] == spread.tables[name][column], f"{column} of {name}"
    assert sorted(spread.runs) == sorted(whole.runs)
    for name, run in whole.runs.items():
        same(run.folder, spread.runs[name].folder)
    # All is there: nothing is left to do, not even a cluster is asked for.
    again = knave.distributed.run(study, out=tmp_path / "spread", address="nowhere:1", progress=False)
    assert again.complete


def test_a_committed_study_goes_on(machines: Machines, tmp_path: Path) -> None:
    """Version control keeps manifests and joined tables alone. A new cell gets into the tables, and the others stay there."""
    study, more = tmp_path / "study.toml", '[[cells]]\ncommand = "run"\ngame = "{}"\nagents = ["random"]\nn = 50\n'
    study.write_text('summary = "S"\nseed = 1\n' + more.format("dungeon"))
    out = tmp_path / "out"
    knave.distributed.run(study, out=out, shards=2, progress=False)
    for kept_out in [*out.glob("*/*.csv"), *out.glob("*/journal.json")]:
        kept_out.unlink()
    again = knave.distributed.run(study, out=out, address="nowhere:1", progress=False)
    assert again.complete
    study.write_text(study.read_text() + more.format("verslun"))
    knave.distributed.run(study, out=out, shards=2, progress=False)
    knave.experiment(study, out=tmp_path / "whole", progress=False)
    assert (out / "summary.csv").read_bytes() == (tmp_path / "whole" / "summary.csv").read_bytes()


def test_parts_with_other_outputs_are_no_parts(machines: Machines, tmp_path: Path) -> None:
    """Parts that were kept lack the rows that are asked for later."""
    request, out = REQUESTS["run"] | {"n": 40}, tmp_path / "out"
    knave.distributed.run(request, out=out, shards=2, keep_parts=True, progress=False)
    out.rename(tmp_path / "without rows")
    knave.distributed.run(request, out=out, shards=2, outputs={"rows": True}, progress=False)
    alone(request, tmp_path / "alone", rows=True)
    same(tmp_path / "alone", out)
    # A whole that was made without what is asked for is kept, unless it may be overwritten.
    again = tmp_path / "without rows"
    with pytest.raises(knave.RequestError, match=r"made without games\.csv: .*force=True"):
        knave.distributed.run(request, out=again, outputs={"rows": True}, address="nowhere:1", progress=False)
    knave.distributed.run(request, out=again, shards=2, outputs={"rows": True}, force=True, progress=False)
    same(tmp_path / "alone", again)


DRIVER = """
import json, sys
import knave.distributed
request, out, address, shared = json.loads(sys.argv[1]), *sys.argv[2:]
knave.distributed.run(request, out=out, address=address, shards=20, shared=bool(shared), progress=False)
"""


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_same_call_goes_on(machines: Machines, tmp_path: Path, number: signal.Signals, shared: bool) -> None:
    """When the driver has died or was interrupted, finished parts stay finished."""
    request = REQUESTS["run"]
    out = tmp_path / "spread"
    arguments = [json.dumps(request), str(out), machines.cluster.address, "1" if shared else ""]
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, *arguments], stderr=subprocess.PIPE, text=True)

    def finished() -> dict[str, int]:
        manifests = tmp_path.glob("spread-*/*-of-20/manifest.json")
        return {path.parent.name: path.stat().st_mtime_ns for path in manifests if not json.loads(path.read_text())["partial"]}

    deadline = time.monotonic() + 60
    while len(finished()) < 3:
        assert driver.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    driver.send_signal(number)
    began = time.monotonic()
    _, said = driver.communicate(timeout=60)
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in said
        assert time.monotonic() - began < 10
    before = finished()
    assert 3 <= len(before) < 20
    results = knave.distributed.run(request, out=out, shared=shared, progress=False, keep_parts=True)
    after = finished()
    assert len(after) == 20
    assert all(after[part] == written for part, written in before.items())
    alone(request, tmp_path / "alone", rows=False)
    same(tmp_path / "alone", results.folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"request": {"study": "run", "game": "chess", "agents": ["random"], "n": 9}}, "chess"),
        ({"request": {"study": "run", "game": "dungeon", "agents": ["random"], "n": 0}}, "n"),
        ({"request": ["run"]}, "expected a dict"),
        ({"request": "nowhere.toml"}, "nowhere.toml"),
        ({"request": ""}, "request='' is refused: expected a path"),
        ({"out": 5}, "out=5 is refused: expected a path"),
        ({"shards": 0}, "shards=0 is refused"),
        ({"threads": 0}, "threads=0 is refused"),
        ({"retries": -2}, "retries=-2 is refused"),
        ({"outputs": {"transcripts": "t.jsonl"}}, "transcripts is refused"),
        ({"outputs": {"rows": "yes"}}, "rows='yes' is refused"),
    ],
)
def test_bad_input_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"request": REQUESTS["run"], "out": tmp_path / "out", "address": "nowhere:1"} | change
    with pytest.raises(knave.RequestError, match=message):
        knave.distributed.run(**arguments)
    assert not list(tmp_path.iterdir())


def test_a_part_that_fails_is_named(machines: Machines, tmp_path: Path) -> None:
    request = REQUESTS["run"] | {"agents": ["exec:command=false"]}
    with pytest.raises(knave.KnaveError, match=r"part 1-of-4|part [1-4]-of-4"):
        knave.distributed.run(request, out=tmp_path / "out", shards=4, progress=False)


def test_more_threads_than_any_machine_has(machines: Machines) -> None:
    """Ray waits without a word for such a machine, which may join the cluster or not."""
    with pytest.warns(UserWarning, match="threads=2: parts wait for a machine with so many cores, the largest has 1"):
        knave.distributed._check_cores(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        knave.distributed._check_cores(1)


def test_other_results_stay(machines: Machines, tmp_path: Path) -> None:
    request = REQUESTS["solve"] | {"n": 20}
    knave.distributed.run(request, out=tmp_path / "out", shards=2, progress=False)
    # What is finished is not even asked of a cluster.
    again = knave.distributed.run(request, out=tmp_path / "out", address="nowhere:1", progress=False)
    assert again.complete and "deals" in again.text
    with pytest.raises(knave.RequestError, match="made without solutions"):
        knave.distributed.run(request, out=tmp_path / "out", outputs={"rows": True}, progress=False)
    with pytest.raises(knave.RequestError, match="holds another run"):
        # Before any work.
        knave.distributed.run(request | {"n": 30}, out=tmp_path / "out", address="nowhere:1", progress=False)
    knave.distributed.run(request | {"n": 30}, out=tmp_path / "out", shards=2, force=True, progress=False)
    alone(request | {"n": 30}, tmp_path / "alone", rows=False)
    same(tmp_path / "alone", tmp_path / "out")
