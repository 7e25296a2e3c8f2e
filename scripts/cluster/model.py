"""What a run costs on many cores: a model, its table for docs/cluster.md, a simulation of machines that die, and measurements.

    python3 scripts/cluster/model.py table                    the table, in Markdown
    python3 scripts/cluster/model.py deaths                   the model beside simulated clusters
    python3 scripts/cluster/model.py measure target/release/sim   what the model needs, and how well it foretells 1 to 8 processes

Times are in seconds. A run of n games is cut into k parts, which c cores do one after the other; then one process joins them.
"""

import argparse
import heapq
import json
import math
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

#: How the command was called that the figures of `Costs` were measured with.
REQUEST = ["run", "--game", "dungeon", "--agent", "mcts", "--seed", "7001", "--quiet"]


@dataclass(frozen=True)
class Costs:
    """What was measured with `measure`."""

    game: float  # core seconds of a game
    start: float  # of a part, beside its games
    merge: float  # of a part, when all are joined
    bytes: float  # of a part, without rows

    def part(self, games: float, parts: int) -> float:
        """How long a part takes."""
        return self.start + self.game * games / parts

    def wall(self, games: float, parts: int, cores: int) -> float:
        """How long all of it takes when nothing dies."""
        return math.ceil(parts / cores) * self.part(games, parts) + self.merge * parts

    def parts(self, games: float, cores: int) -> int:
        """How many parts to make: of ten minutes at most, four for each core where they are not shorter than ten seconds."""
        work = self.game * games
        each = max(math.ceil(work / cores / 600), min(4, int(work / cores / 10)), 1)
        return int(min(cores * each, games))


#: Figures of `measure` for an earlier `mcts` in the dungeon, on a core of a shared virtual machine; a game of today's takes
#: about 0.08 ms.
MEASURED = Costs(game=0.000_39, start=0.022, merge=0.000_17, bytes=8_600)


def words(seconds: float) -> str:
    """A time in its largest unit."""
    for unit, size in (("years", 31_557_600), ("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size or (unit == "min" and seconds >= 100):
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def table(costs: Costs) -> None:
    """Prints times and numbers of parts, from a million to a million million games."""
    cores = (1, 10, 100, 1000, 10_000)
    print("| games | " + " | ".join(f"{c:,} core{'s'[: c > 1]}" for c in cores) + " |\n|---:|" + "---:|" * len(cores))
    for power in (6, 7, 8, 9, 10, 11, 12):
        cells = []
        for c in cores:
            parts = costs.parts(10**power, c)
            cells.append(f"{words(costs.wall(10**power, parts, c))}, {parts:,}")
        print(f"| 10^{power} | " + " | ".join(cells) + " |")


def simulate(costs: Costs, games: float, parts: int, cores: int, life: float, back: float, keeps: bool, seed: int) -> float:
    """The time until the last part ends on cores that live for `life` on average and are replaced after `back`.

    A part whose core dies goes on where it was if it `keeps` what it had, and begins anew otherwise.
    """
    luck = random.Random(seed)
    # Of each part, when it can begin and how much of it is left; of each core, when it is free. Lives have no memory: an old core
    # dies no sooner than a new one.
    todo = [(0.0, costs.part(games, parts))] * parts
    free = [0.0] * cores
    end = 0.0
    while todo:
        ready, part = heapq.heappop(todo)
        now = max(ready, heapq.heappop(free))
        death = now + luck.expovariate(1 / life)
        if now + part <= death:
            end = max(end, now + part)
            heapq.heappush(free, now + part)
        else:
            # The journal is a second old at most.
            done = max(0.0, death - now - costs.start - 1) if keeps else 0.0
            heapq.heappush(todo, (death, part - done))
            heapq.heappush(free, death + back)
    return end + costs.merge * parts


def overhead(costs: Costs, games: float, parts: int, life: float, back: float, keeps: bool) -> float:
    """The share of time that deaths cost on paper, without the wait for the parts that are begun again last.

    Each death costs the replacement, the start, and the work that is lost, a second at most. Where a part begins anew, one of t
    seconds takes (life + back) (e^(t / life) - 1) until it ends for the first time.
    """
    if keeps:
        return (back + costs.start + 1) / life
    part = costs.part(games, parts)
    return (life + back) * math.expm1(part / life) / part - 1


def deaths(costs: Costs) -> None:
    """Prints what deaths cost by the model, and in 20 simulated clusters."""
    games, cores, back = 1e9, 100, 60.0
    work = costs.game * games / cores
    print("| a core lives | parts | lost is | paper | simulated |\n|---|---:|---|---:|---:|")
    for life in (24 * 3600.0, 3600.0, 900.0):
        for each in (1, 4, 16):
            parts = each * cores
            for keeps in (True, False):
                runs = [simulate(costs, games, parts, cores, life, back, keeps, seed) for seed in range(20)]
                simulated = sum(runs) / len(runs) / work - 1
                paper = costs.wall(games, parts, cores) / work * (1 + overhead(costs, games, parts, life, back, keeps)) - 1
                what = "a second" if keeps else "the part"
                print(f"| {words(life)} | {parts:,} | {what} | +{100 * paper:.1f} % | +{100 * simulated:.1f} % |")


def timed(commands: Iterable[list[str]], processes: int, folder: Path) -> float:
    """How long commands take, so many at a time."""
    began = time.perf_counter()
    with ThreadPoolExecutor(processes) as pool:
        for code in pool.map(lambda command: subprocess.run(command, cwd=folder, check=False).returncode, commands):
            if code:
                raise SystemExit(f"a command ended with code {code}")
    return time.perf_counter() - began


def measure(sim: str, games: int) -> None:
    """Measures what a game, a part and joining cost here, and compares 1 to 8 processes with what the model says."""
    sim = str(Path(sim).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        request = [sim, *REQUEST, "--threads", "1"]
        timed([[*request, "-n", str(games), "--out", "whole"]], 1, folder)
        game = json.loads((folder / "whole/manifest.json").read_text())["timing"]["seconds"] / games
        few = [[*request, "-n", "300", "--shard", f"{part}/300", "--out", f"few/{part:03}"] for part in range(1, 301)]
        start = timed(few, 1, folder) / 300 - game
        size = sum(path.stat().st_size for path in (folder / "few").rglob("*.*")) / 300
        merge = timed([[sim, "merge", "few", "--out", "joined", "--quiet"]], 1, folder) / 300
        costs = Costs(game, start, merge, size)
        print(f"a game {1e6 * game:.0f} us, a part {1e3 * start:.1f} ms and {size / 1000:.1f} kB, joining one {1e3 * merge:.2f} ms")
        print("| processes | parts | model | measured | ratio |\n|---:|---:|---:|---:|---:|")
        cores = os.cpu_count() or 1
        for processes in (1, 2, 4, 8):
            parts, out = 16, f"p{processes}"
            tasks = [[*request, "-n", str(games), "--shard", f"{p}/{parts}", "--out", f"{out}/{p:02}"] for p in range(1, parts + 1)]
            took = timed(tasks, processes, folder) + timed([[sim, "merge", out, "--out", out + "-joined", "--quiet"]], 1, folder)
            told = costs.wall(games, parts, min(processes, cores))
            print(f"| {processes} | {parts} | {told:.2f} s | {took:.2f} s | {took / told:.2f} |")
            for table in ("summary", "scores", "tally"):
                if (folder / f"whole/{table}.csv").read_bytes() != (folder / f"{out}-joined/{table}.csv").read_bytes():
                    raise SystemExit(f"{table}.csv of {processes} processes differs")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["table", "deaths", "measure"])
    parser.add_argument("sim", nargs="?", help="the command to measure")
    parser.add_argument("-n", type=int, default=100_000, help="how many games to measure with")
    arguments = parser.parse_args()
    match arguments.what:
        case "table":
            table(MEASURED)
        case "deaths":
            deaths(MEASURED)
        case _ if arguments.sim:
            if not (sim := shutil.which(arguments.sim)):
                parser.error(f"sim={arguments.sim} is refused: expected a command that can be run, such as target/release/sim")
            measure(sim, arguments.n)
        case _:
            parser.error("measure needs the command, such as target/release/sim")


if __name__ == "__main__":
    main()
