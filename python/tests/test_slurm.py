"""`scripts/cluster/slurm` without a Slurm: stubs note how they are called. The script `test` there starts a Slurm."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts" / "cluster" / "slurm"
RUN = ["run", "--game", "dungeon", "--agent", "rule", "-n", "90"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Slurm is for Linux")


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.calls = folder / "calls"
        self.program("scontrol", "echo MaxArraySize = 1001")
        self.program("sbatch", f'printf "%s\\n" "$@" "SIM_VERSION=$SIM_VERSION" "in $PWD" end >>"{self.calls}"; echo 17')
        self.sim("sim 1")

    def program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def sim(self, version: str, call: str = ":") -> None:
        self.program("sim", f'[[ "$1" != --version ]] || {{ echo "{version}"; exit; }}\necho "$@" >>"{self.folder}/played"\n{call}')

    def played(self) -> list[str]:
        path = self.folder / "played"
        return path.read_text().splitlines() if path.exists() else []

    def script(self, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """A script, from the folder of this cluster."""
        environment: Mapping[str, str] = os.environ | {"PATH": f"{self.programs}:{os.environ['PATH']}"} | variables
        return subprocess.run(["bash", *command], cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def submit(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.script(SCRIPTS / "submit", *arguments, "--", *RUN, **variables)

    def submitted(self) -> list[list[str]]:
        """How `sbatch` was called."""
        return [call.split("\n") for call in self.calls.read_text().split("\nend\n")[:-1]] if self.calls.exists() else []


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return Cluster(tmp_path)


def test_jobs_get_what_they_need_whatever_a_site_exports(cluster: Cluster) -> None:
    assert cluster.submit("runs", "3", "--time=1:00:00", SBATCH_EXPORT="NONE").returncode == 0
    parts, joining = cluster.submitted()
    assert "--export=ALL" in parts and "--export=ALL" in joining
    assert "SIM_VERSION=sim 1" in parts and "--time=1:00:00" in parts


@pytest.mark.parametrize(
    ("option", "named"),
    [
        (["--chdir", "/tmp"], "--chdir"),
        (["--chdir=/tmp"], "--chdir"),
        (["-D", "/tmp"], "-D"),
        (["-D/tmp"], "-D"),
        (["--export=NONE"], "--export"),
        (["--export", "ALL,A=1"], "--export"),
    ],
)
def test_what_would_mislead_tasks_is_refused(cluster: Cluster, option: list[str], named: str) -> None:
    done = cluster.submit("runs", "3", *option)
    assert done.returncode == 2 and f"error: leave out {named}" in done.stderr
    assert not cluster.submitted() and not (cluster.folder / "runs").exists()


def test_another_version_is_refused_before_anything_is_submitted(cluster: Cluster) -> None:
    assert cluster.submit("runs", "3").returncode == 0
    assert cluster.submit("runs", "3").returncode == 0
    assert len(cluster.submitted()) == 4
    cluster.sim("sim 2")
    done = cluster.submit("runs", "3")
    assert done.returncode == 2 and "runs has parts of sim 1, and " in done.stderr and "sim is sim 2: " in done.stderr
    assert len(cluster.submitted()) == 4


def test_a_task_of_another_version_fails_before_it_plays(cluster: Cluster) -> None:
    variables = {
        "SIM": str(cluster.programs / "sim"),
        "SIM_VERSION": "sim 1",
        "SHARDS": "4",
        "TASKS": "2",
        "SLURM_ARRAY_TASK_ID": "1",
    }
    assert cluster.script(SCRIPTS / "part.sbatch", *RUN, **variables).returncode == 0
    assert [call.split("--shard ")[1] for call in cluster.played()] == ["1/4 --threads 1", "3/4 --threads 1"]
    # Another is built while the first part is played.
    cluster.sim("sim 1", 'sed -i "s/sim 1/sim 2/" "$0"')
    done = cluster.script(SCRIPTS / "part.sbatch", *RUN, **variables)
    assert done.returncode == 2 and "sim is sim 2 now, and the parts are of sim 1" in done.stderr
    assert len(cluster.played()) == 3


def test_a_joining_that_fails_tells_the_folders(cluster: Cluster) -> None:
    for part in ("one/1-of-2", "another/2-of-2"):
        (cluster.folder / "results" / part).mkdir(parents=True)
    cluster.sim("sim 1", "exit 75")
    done = cluster.script(SCRIPTS / "merge.sbatch", SIM=str(cluster.programs / "sim"), SHARDS="2")
    assert done.returncode == 75
    links, folders = zip(*(line.split(" was ") for line in done.stderr.splitlines()), strict=True)
    assert [Path(link).name for link in links] == ["1-of-2", "2-of-2"]
    assert list(folders) == [str(cluster.folder / "results" / part) for part in ("one/1-of-2", "another/2-of-2")]
    assert not list(cluster.folder.glob(".parts-*"))


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("name", ["runs", "-runs"])
def test_folders_are_found_whatever_they_and_cdpath_are(cluster: Cluster, name: str, exists: bool) -> None:
    if exists:
        (cluster.folder / name).mkdir()
    (cluster.folder / "elsewhere" / "runs").mkdir(parents=True)
    (cluster.folder / "slurm").symlink_to(SCRIPTS)
    done = cluster.script("slurm/submit", name, "3", "--", *RUN, CDPATH=f"{cluster.folder}/elsewhere:{cluster.folder}")
    assert done.returncode == 0, done.stderr
    for call, script in zip(cluster.submitted(), ("part.sbatch", "merge.sbatch"), strict=True):
        assert f"in {cluster.folder / name}" in call
        assert str(cluster.folder / "slurm" / script) in call
