"""The published JSON Schema of the protocol against what `sim` really says."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "protocol.schema.json").read_text())

#: A player that keeps every line it reads or writes.
RECORDER = """
import json, sys
with open(sys.argv[1], "w") as lines:
    def keep(line):
        print(line.strip(), file=lines, flush=True)
    for line in sys.stdin:
        keep(line)
        asked = json.loads(line)
        answer = {
            "hello": {"protocol": 1, "name": "recorder"},
            "choose": {"id": asked.get("id"), "move": 0},
            "ping": {"id": asked.get("id"), "type": "pong"},
        }.get(asked["type"])
        if answer:
            keep(json.dumps(answer))
            print(json.dumps(answer), flush=True)
        if asked["type"] == "quit":
            break
"""

SEATS = {"dungeon": 1, "verslun": 1, "columns": 2, "doubles": 2, "whist": 4}


def validator(schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("game", SEATS)
def test_every_line_is_one_of_the_schema(sim: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, game: str) -> None:
    bot, lines = tmp_path / "bot.py", tmp_path / "lines.jsonl"
    bot.write_text(RECORDER)
    others = ["--agent=random"] * (SEATS[game] - 1)
    sim("run", "--game", game, f"--agent=exec:command={sys.executable} {bot} {lines}", *others, "-n=3", "--threads=1", "--quiet")
    read = [json.loads(line) for line in lines.read_text().splitlines()]
    assert {"hello", "new", "choose", "end", "quit"} <= {line.get("type") for line in read}
    line_schema, view_schema = validator(SCHEMA), validator(SCHEMA["views"][game] | {"$defs": SCHEMA["$defs"]})
    for line in read:
        line_schema.validate(line)
        if line.get("type") == "choose":
            view_schema.validate(line["view"])


@pytest.mark.parametrize(
    "line",
    [
        {"type": "ping", "id": 7},
        {"type": "pong", "id": 7},
        {"protocol": 1, "name": "short"},
        {"protocol": 1, "name": "long", "version": "2", "wants": ["events"]},
        {"id": 1, "move": "JS weapon"},
    ],
)
def test_right_lines_are_right(line: dict[str, Any]) -> None:
    assert validator(SCHEMA).is_valid(line)


@pytest.mark.parametrize(
    "line",
    [
        {"type": "pang", "id": 7},
        {"type": "choose", "id": 7},
        {"protocol": 1, "name": "blind", "wants": ["viev"]},
        {"id": 1, "move": None},
        {"id": -1, "move": 0},
        [],
    ],
)
def test_wrong_lines_are_wrong(line: Any) -> None:
    assert not validator(SCHEMA).is_valid(line)
