"""Long runs of `sim` under conditions that tests cannot wait for. Except with `bots`, every one must end with the bytes of a run
that was left alone.

    scripts/python scripts/soak.py SIM kills  [--game G --agent A -n N --every SECONDS --threads T]
    scripts/python scripts/soak.py SIM disk   [--step KILOBYTES]     as root: it mounts a small file system
    scripts/python scripts/soak.py SIM bots   [-n TIMES]             on Linux
    scripts/python scripts/soak.py SIM clock                         with libfaketime (Debian's package faketime)

`bots` kills `sim` or a player in a process of its own at random moments, TIMES times (1,000 at most), looks for processes that are
left, and whether `sim` goes on where only its players were killed.
`kills` plays N games, killed about every SECONDS and gone on with, and watches the memory; `disk` fills the disk at every stage of
a run, a comparison, exact answers and a merge, frees it, and goes on; `clock` sets the clock back and forth during a run that is
killed now and then.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def digest(folder: Path) -> dict[str, bytes]:
    """The files of a folder but the manifest, which tells when it was made."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "manifest.json"}


def same(one: Path, other: Path) -> None:
    a, b = digest(one), digest(other)
    wrong = sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))
    if wrong:
        sys.exit(f"{one} and {other} differ in {', '.join(wrong)}")


def memory(pid: int) -> int:
    """The memory of a process, in kilobytes; 0 when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)


def kills(sim: str, args: argparse.Namespace) -> None:
    line = [sim, "run", "--game", args.game, "--agent", args.agent, "-n", str(args.n), "--seed", "7001"]
    line += ["--threads", str(args.threads), "--quiet"]
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as work:
        killed, whole = Path(work, "killed"), Path(work, "whole")
        began, count, most = time.monotonic(), 0, []
        while True:
            process = subprocess.Popen([*line, "--out", killed, "--resume"])
            end, peak = time.monotonic() + args.every * chance.uniform(0.5, 1.5), 0
            while process.poll() is None and time.monotonic() < end:
                peak = max(peak, memory(process.pid))
                time.sleep(0.2)
            most.append(peak)
            if process.poll() is not None:
                break
            process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
            process.wait()
            count += 1
        if process.returncode != 0:
            sys.exit(f"it ended with {process.returncode}")
        if not count:
            sys.exit("it ended before it was killed: play more games, or kill it more often (--every)")
        seconds = time.monotonic() - began
        print(f"{args.n} games of {args.game} by {args.agent}: {count} kills in {seconds:.0f} s; peak memory of each part", end=" ")
        print(f"{min(most[:-1] or most) / 1024:.1f} to {max(most) / 1024:.1f} MB, of the first {most[0] / 1024:.1f}", flush=True)
        if not args.alone:
            return
        subprocess.run([*line, "--out", whole], check=True)
        same(whole, killed)
        print(f"the same bytes as a run that was left alone ({time.monotonic() - began - seconds:.0f} s)")


def disk(sim: str, args: argparse.Namespace) -> None:
    work = Path(tempfile.mkdtemp())
    small = work / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], check=True)
    try:
        play = [sim, "run", "--game", "columns", "--agent", "greedy", "-n", "150", "--games", "--quiet"]
        lines = {
            "run": [*play, "--transcripts", "OUT/t.jsonl"],
            "compare": [sim, "compare", "--game", "columns", "--agent", "greedy", "--agent", "random", "-n", "40", "--quiet"],
            "solve": [sim, "solve", "--game", "dungeon", "-n", "200", "--solutions", "--quiet"],
            "merge": [sim, "merge", str(work / "part1"), str(work / "part2"), "--quiet"],
        }
        for part in (1, 2):
            subprocess.run([*play, "--shard", f"{part}/2", "--out", work / f"part{part}"], check=True)
        for name, line in lines.items():
            whole, out = work / name, small / "out"

            def call(where, more=(), line=line):
                return [word.replace("OUT", str(where)) for word in line] + ["--out", str(where), *more]

            subprocess.run(call(whole), check=True)
            size = sum(path.stat().st_size for path in whole.iterdir()) // 1024
            failed = 0
            for free in range(0, size + 80, args.step):
                ballast = small / "ballast"
                with ballast.open("wb") as file:
                    os.posix_fallocate(file.fileno(), 0, (1024 - 8 - free) * 1024)
                process = subprocess.run(call(out), capture_output=True, text=True)
                failed += process.returncode != 0
                if process.returncode not in (0, 1, 2) or (process.returncode and "No space left" not in process.stderr):
                    sys.exit(f"{name} with {free} kB free ended with {process.returncode}: {process.stderr}")
                ballast.unlink()
                more = [] if name == "merge" else ["--resume"]
                again = subprocess.run(call(out, more), capture_output=True, text=True)
                if again.returncode:
                    sys.exit(f"{name} after {free} kB free: {process.stderr}; then: {again.stderr}")
                same(whole, out)
                shutil.rmtree(out)
            if not failed:
                sys.exit(f"{name}: no write failed at {len(range(0, size + 80, args.step))} stages")
            print(f"{name}: full at {failed} of {len(range(0, size + 80, args.step))} stages, and right after each")
    finally:
        subprocess.run(["umount", small], check=True)
        shutil.rmtree(work)


BOT = """
import json, os, subprocess, sys, time
subprocess.Popen(["sleep", "{sleep}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{{"protocol":1,"name":"bot"}}', flush=True)
    elif message["type"] == "choose":
        print(json.dumps({{"id": message["id"], "move": message["seed"] % len(message["moves"])}}), flush=True)
        open(f"{{__file__}}.{{os.getpid()}}", "a").close()
    elif message["type"] == "quit" and {quits}:
        break
while not {quits}:
    time.sleep(1)
"""


def bots(sim: str, args: argparse.Namespace) -> None:
    chance, times, left_over, went_on = random.Random(2), min(args.n, 1000), 0, 0
    with tempfile.TemporaryDirectory() as work:
        for index in range(times):
            sleep = 1_000_000 + index
            bot = Path(work, f"bot{index}.py")
            bot.write_text(BOT.format(sleep=sleep, quits=chance.random() < 0.7))
            fault = chance.choice(["stop", "forfeit", "random"])
            agent = f"exec:command={sys.executable} {bot},on_fault={fault}"
            line = [sim, "run", "--game", "dungeon", "--agent", agent, "-n", "100000", "--threads", str(args.threads)]
            process = subprocess.Popen([*line, "--quiet", "--out", Path(work, "out"), "--force"], stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.5))
            if chance.random() < 0.5:
                # The players first; then `sim` goes on with others, or stops. Before each of its threads has a player that answers,
                # it stops in any case.
                end = time.monotonic() + 30
                while fault == "random" and len(list(Path(work).glob(f"{bot.name}.*"))) < args.threads:
                    if process.poll() is not None or time.monotonic() > end:
                        process.kill()
                        sys.exit(f"fewer than {args.threads} players have answered")
                    time.sleep(0.01)
                # The command line of `sim` names them, too, but does not begin with them.
                players = f"^{re.escape(sys.executable)} {re.escape(str(bot))}"
                killed = subprocess.run(["pkill", "-KILL", "-f", players], check=False)
                time.sleep(chance.uniform(0, 0.2))
                if fault == "random":
                    if killed.returncode or process.poll():
                        sys.exit(f"no player was killed, or sim ended with {process.returncode} in spite of on_fault=random")
                    went_on += 1
            process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
            process.wait(30)
            end = time.monotonic() + 5
            pattern = f"{bot}|sleep {sleep}"
            while subprocess.run(["pgrep", "-f", pattern], stdout=subprocess.DEVNULL, check=False).returncode == 0:
                if time.monotonic() > end:
                    left_over += 1
                    print("left over:", subprocess.run(["pgrep", "-af", pattern], capture_output=True, text=True, check=False).stdout)
                    break
                time.sleep(0.01)
    if left_over:
        sys.exit(f"after {left_over} of {times} kills something was left")
    print(f"{times} kills, and nothing was left; {went_on} times sim went on with other players")


#: At which jump of the clock a run is killed: no multiple of their number, so that it is gone on with at another time each time.
KILLED_AT = 11


def timing(folder: Path) -> dict:
    """What a manifest tells of the time."""
    return json.loads(Path(folder, "manifest.json").read_text())["timing"]


def clock(sim: str, _: argparse.Namespace) -> None:
    library = next(Path("/usr/lib").rglob("libfaketime.so.1"), None)
    if library is None:
        sys.exit("libfaketime is missing: install Debian's package faketime")
    line = [sim, "run", "--game", "columns", "--agent", "rule", "-n", "60000", "--games", "--quiet"]
    jumps = ["+10y", "-30y", "+0", "-1d", "+1h", "-70y"]
    with tempfile.TemporaryDirectory() as work:
        whole = Path(work, "whole")
        subprocess.run([*line, "--out", whole], check=True)
        for monotonic in ("0", "1"):
            setting, out, probe = Path(work, "clock"), Path(work, f"out{monotonic}"), Path(work, f"probe{monotonic}")
            extra = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(setting), "FAKETIME_NO_CACHE": "1"}
            env = os.environ | extra | {"FAKETIME_DONT_FAKE_MONOTONIC": monotonic}
            # A library that cannot be loaded is only warned of.
            setting.write_text("+10y")
            probing = [sim, "run", "--game", "columns", "--agent", "rule", "-n", "1", "--quiet", "--out", probe]
            subprocess.run(probing, env=env, check=True)
            if int(timing(probe)["started"][:4]) < time.gmtime().tm_year + 9:
                sys.exit(f"{library} does not change the clock: a run 10 years ahead was started at {timing(probe)['started']}")
            process, jump, kills = subprocess.Popen([*line, "--out", out, "--resume"], env=env), 0, 0
            while process.poll() is None:
                time.sleep(0.15)
                setting.write_text(jumps[jump % len(jumps)])
                jump += 1
                # A run keeps what it has every second: killed at each third jump it would never end.
                if jump % KILLED_AT == 0:
                    process.kill()
                    if process.wait() == 0:
                        break
                    kills += 1
                    process = subprocess.Popen([*line, "--out", out, "--resume"], env=env)
                if jump == 4000:
                    process.kill()
                    sys.exit(f"it has not ended after {jump} jumps of the clock")
            if process.returncode != 0:
                sys.exit(f"it ended with {process.returncode}")
            if jump < len(jumps) or not kills:
                sys.exit(f"it ended after {jump} jumps of the clock and {kills} kills, too few to tell anything")
            if monotonic == "0" and timing(out)["seconds"] < 1e8:
                sys.exit("no jump of the clock was noticed while the run went on")
            same(whole, out)
            kept = "kept" if monotonic == "1" else "jumps too"
            print(f"the same bytes after {jump} jumps of the clock and {kills} kills; monotonic time {kept}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sim")
    parser.add_argument("what", choices=["kills", "disk", "bots", "clock"])
    parser.add_argument("--game", default="dungeon")
    parser.add_argument("--agent", default="random")
    parser.add_argument("-n", type=int, default=10**9)
    parser.add_argument("--every", type=float, default=20, help="seconds between kills, on average")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--step", type=int, default=4, help="kilobytes between the stages at which the disk is full")
    parser.add_argument("--no-whole", dest="alone", action="store_false", help="do not play the run that is left alone")
    args = parser.parse_args()
    sim = shutil.which(args.sim) or str(Path(args.sim).resolve())
    {"kills": kills, "disk": disk, "bots": bots, "clock": clock}[args.what](sim, args)


if __name__ == "__main__":
    main()
