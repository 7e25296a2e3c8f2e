"""Mutation tests: changes the code in one place after another, and says which changes no test notices.

    cargo install cargo-mutants
    scripts/python scripts/mutants.py PART [--shard K/N]

PART is stats, players, the name of a game, or shell (exec, play and store). A change of the whole library takes minutes to build.
So PART is copied into a crate of its own in target/mutants, with its tests, where a mutant takes seconds; games have their rules
and fast paths mutated, not their evaluators. `shell` needs the whole library, and only runs the tests of files, folders and the
referee. With `--shard 0/8` every eighth mutant is tried.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
GAMES = {"dungeon": "Dungeon", "verslun": "Verslun", "columns": "Columns", "doubles": "Doubles", "whist": "Whist"}
RULES = (
    "{rules,board,position,moves,move_sets,pile,deck,deal,view,steps,claims,bits,fast_random,placement_option,random_claim,random_game}"
    "{.rs,/*.rs}"
)
OF_ALL_GAMES = ["encodings", "fast_random", "shown"]
SHELL_TESTS = ["durable", "hostile", "runner", "cli", "experiment", "games"]


def manifest(work: Path, package: str) -> None:
    """The manifest of the package in this folder, for a crate with fewer modules. Snapshots go by its name."""
    workspace = (HERE / "Cargo.toml").read_text()
    text = (HERE / package / "Cargo.toml").read_text()
    name = re.search(r'^name = "(.*)"$', text, re.M).group(1)
    begin = text.index("[dependencies]")
    text = re.split(r"\n\[(?:\[|lints)", text[begin:])[0]
    if "[dev-dependencies]" not in text:
        text += "\n[dev-dependencies]\nfnv.workspace = true\ninsta.workspace = true\n"
    text = re.sub(r'path = "(?:\.\./)?(\w+)"', rf'path = "{HERE}/\1"', text)
    for used in re.findall(r"^(\w+)\.workspace = true", text, re.M):
        value = re.search(rf"^{used} = (.*)$", workspace, re.M).group(1)
        text = text.replace(f"{used}.workspace = true", f"{used} = {value}")
    # What no part needs.
    text = re.sub(r"^(?:parquet|knave-games) = .*\n", "", text, flags=re.M)
    head = f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n\n'
    tail = "\n[features]\nparquet = []\n\n[profile.dev]\nopt-level = 1\ndebug = 0\n\n[workspace]\n"
    (work / "Cargo.toml").write_text(head + text + tail)
    shutil.copy(HERE / "Cargo.lock", work / "Cargo.lock")


def stats(work: Path) -> None:
    manifest(work, ".")
    shutil.copytree(HERE / "src/stats", work / "src/stats")
    (work / "src/lib.rs").write_text("pub mod stats;\npub mod games {\n    pub const WIN_UNIT: u64 = 420;\n}\n")


def game(work: Path, name: str) -> None:
    manifest(work, "games")
    source = HERE / "games/src"
    # All but the other games: a module or a folder that is added comes along.
    others = shutil.ignore_patterns(*(GAMES.keys() - {name}))
    shutil.copytree(source, work / "src", ignore=others, dirs_exist_ok=True)
    for file in (work / "src").rglob("*.rs"):
        # Tests of what games share play several games.
        if work / "src" / name not in file.parents:
            file.write_text(file.read_text().split("\n#[cfg(test)]\nmod tests {")[0])
    text = (source / "lib.rs").read_text()
    for other in GAMES.keys() - {name}:
        text = text.replace(f"pub mod {other};\n", "")
    begin, end = text.index("/// Knave's own games, as a list"), text.index("/// The names of Knave's own games")
    # Tests of what all games show and encode come along.
    tests = HERE / "tests/it"
    for test in OF_ALL_GAMES:
        inside = (tests / f"{test}.rs").read_text().replace("knave::games::", "crate::").replace("knave::agents", "knave_agents")
        (work / "src" / f"{test}.rs").write_text(inside)
        text += f"\n#[cfg(test)]\nmod {test};\n"
    # A page about all games is not compared: that test is skipped.
    text += "\n#[cfg(test)]\nmod common {\n    pub fn documentation_is(_: &std::path::Path, _: &str) {}\n}\n"
    (work / "src/snapshots").mkdir()
    shutil.copy(tests / f"snapshots/shown-{name}.snap", work / "src/snapshots")
    only = f"pub type BuiltIn = ({name}::{GAMES[name]}, ());\n\n"
    (work / "src/lib.rs").write_text("#![allow(dead_code)]\n" + text[:begin] + only + text[end:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["stats", "players", "shell", *GAMES])
    parser.add_argument("--shard", default="0/1")
    args = parser.parse_args()
    part = args.part
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target")).resolve() / "mutants"
    work = target / part
    shutil.rmtree(work, ignore_errors=True)
    tests = ["--lib"]
    if part in ("players", "shell"):
        files = subprocess.run(["git", "ls-files"], cwd=HERE, capture_output=True, text=True, check=True).stdout.split("\n")
        for file in filter(None, files):
            (work / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / file, work / file)
        where, options = ("agents/src/players/**", ["-p", "knave-agents"])
        tests = []
        if part == "shell":
            where, options = "src/{exec,play,store}/**", ["-p", "knave"]
            tests = ["--lib", "--test", "it", "--", *SHELL_TESTS, "exec::", "store::", "play::"]
    else:
        (work / "src").mkdir(parents=True)
        if part == "stats":
            stats(work)
        else:
            game(work, part)
            tests += ["--", "--skip", "the_documentation_lists_every_part"]
        where, options = f"src/{part}/" + ("**" if part == "stats" else RULES), []
    command = ["cargo", "mutants", *options, "-f", where, "--shard", args.shard, "--sharding", "round-robin", "--in-place"]
    command += ["--timeout", "60", "-o", str(target / f"{part}-results"), "--", *tests]
    env = os.environ | {"CARGO_TARGET_DIR": str(target / "build"), "INSTA_UPDATE": "no"}
    sys.exit(subprocess.run(command, cwd=work, env=env).returncode)


if __name__ == "__main__":
    main()
