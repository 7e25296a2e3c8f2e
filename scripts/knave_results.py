"""Loads folders of results into typed data frames.

    import knave_results as knave
    run = knave.load("results/dungeon-mcts-n500-seed1")
    run.summary                     # a polars data frame, as are all tables
    run.manifest["request"]["rules"]

Columns and units are described in results/README.md.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

#: The form of the files that this module reads; `schema` in manifest.json.
SCHEMA = 2

_WHOLE = (
    "index seat games count die own_length opp_length offered placed moves won deals yes no undecided threshold value nodes "
    "min q25 median q75 q90 q99 q999 max units in_cycle n finished partial threads"
)
_TEXT = (
    "game agent agent_a agent_b opponent measure key rounds_bucket own_state opp_state end objective verdict unit interval quantity "
    "decision cell command agents"
)
#: The types of columns. Polars finds those of `rule_…`; all others are numbers.
TYPES = (
    dict.fromkeys(_WHOLE.split(), pl.Int64) | dict.fromkeys(_TEXT.split(), pl.String) | {"seed": pl.UInt64}
)


class ResultsError(Exception):
    """A folder without results, or with results of another form."""


def _types(path: Path) -> dict:
    with path.open(encoding="utf-8") as file:
        columns = file.readline().rstrip("\n").split(",")
    return {column: TYPES.get(column, pl.Float64) for column in columns if not column.startswith("rule_")}


def read_table(path) -> pl.DataFrame:
    """Reads one table; empty cells are null."""
    path = Path(path)
    return pl.read_csv(path, schema_overrides=_types(path), infer_schema_length=None)


@dataclass(frozen=True)
class Results:
    """A folder of results; `results.scores` is the table in scores.csv."""

    path: Path
    #: manifest.json; empty for the folder of a study, whose runs are in `runs`.
    manifest: dict
    tables: dict[str, pl.DataFrame]
    #: The runs of a study by the name of their cell.
    runs: dict[str, "Results"] = field(default_factory=dict)

    def __getattr__(self, name: str) -> pl.DataFrame:
        if name.startswith("__") or name not in self.tables:
            raise AttributeError(f"{self.path} holds no {name}.csv, but {', '.join(sorted(self.tables))}")
        return self.tables[name]


def load(folder) -> Results:
    """Loads the folder of a run, a comparison, exact answers or a study.

    Raises ResultsError for any other folder, and for files of another form.
    """
    path = Path(folder)
    manifest = _manifest(path / "manifest.json")
    runs = {part.parent.name: load(part.parent) for part in sorted(path.glob("*/manifest.json"))}
    if not manifest and not runs:
        raise ResultsError(f"{path} holds no manifest.json, nor folders that do")
    tables = {table.stem: read_table(table) for table in sorted(path.glob("*.csv"))}
    return Results(path, manifest, tables, runs)


def _manifest(path: Path) -> dict:
    if not path.exists():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ResultsError(f"{path} cannot be read: {error}") from error
    if manifest.get("schema") != SCHEMA:
        raise ResultsError(f"{path}: schema is {manifest.get('schema')}, and this module reads {SCHEMA}")
    return manifest


def cost(results: Results) -> float:
    """The cost of a game in milliseconds, over all threads."""
    timing = results.manifest["timing"]
    return 1000 * timing["seconds"] * timing["threads"] / results.manifest["finished"]


def sim() -> str:
    """The command: $KNAVE_SIM, else the one on the PATH, else one that was built here."""
    here = Path(__file__).resolve().parent.parent / "target"
    built = [str(here / profile / "sim") for profile in ("release", "debug")]
    for command in [os.environ.get("KNAVE_SIM", ""), shutil.which("sim") or "", *built]:
        if command and Path(command).exists():
            return command
    raise ResultsError("there is no sim: build it with cargo build --release, or name it in KNAVE_SIM")


def run(arguments: str, folder) -> Results:
    """Runs `sim ARGUMENTS --out FOLDER`, prints that command and loads the folder.

    A folder with the same run is written anew; a folder with another run is left alone.
    """
    print(f"sim {arguments} --out {folder}")
    command = [sim(), *arguments.split(), "--out", str(folder), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ResultsError(done.stderr.strip())
    return load(folder)


def picture(figure, name: str) -> None:
    """Saves a figure in the folder $KNAVE_PICTURES, if that is set."""
    if folder := os.environ.get("KNAVE_PICTURES"):
        figure.savefig(Path(folder) / f"{name}.png", dpi=80, bbox_inches="tight")
