"""Notebooks are kept with their outputs: those that repeat results of studies agree with them."""

import base64
import json
from pathlib import Path

import pytest

import knave

HOME = Path(__file__).parents[2]


def outputs(name):
    """What the cells of a notebook have shown, by the types of the data."""
    notebook = json.loads((HOME / "scripts/notebooks" / name).read_text(encoding="utf-8"))
    return [output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", [])]


def tables(name):
    """The tables of polars that a notebook shows, each as its rows."""
    for text in ("".join(data.get("text/plain", "")) for data in outputs(name)):
        lines = [[cell.strip() for cell in line.strip("│").split("┆")] for line in text.splitlines() if line.startswith("│")]
        if lines:
            # The header is followed by a rule and by types.
            yield [dict(zip(lines[0], line, strict=True)) for line in lines[3:]]


def win_rates(name):
    """The agents and win rates in tables and comparisons of a notebook."""
    for row in (row for rows in tables(name) for row in rows):
        if "win_rate" in row:
            yield row["agent"], float(row["win_rate"])
        if row.get("measure") == "wins":
            yield from ((row[f"agent_{side}"], float(row[f"mean_{side}"])) for side in "ab" if f"agent_{side}" in row)


@pytest.mark.parametrize(
    ("name", "agents"),
    [
        ("1_quick_start.ipynb", ["fast", "rule"]),
        ("2_dungeon.ipynb", None),
        ("5_learn.ipynb", ["fast", "greedy", "rule"]),
    ],
)
def test_figures_are_those_of_the_study(name, agents):
    """Agents on the deals of `results/dungeon-agents` have its win rates: players that have changed leave no old figures."""
    study = knave.load(HOME / "results/dungeon-agents").summary
    expected = dict(zip(study["agent"], (round(rate, 6) for rate in study["win_rate"]), strict=True))
    # Long names are cut short.
    found = {(next(known for known in expected if known.startswith(agent.rstrip("…"))), rate) for agent, rate in win_rates(name)}
    assert found == {(agent, expected[agent]) for agent in agents or expected}


def test_the_book_shows_the_picture_of_the_notebook():
    """A picture in the book is the one that the notebook has drawn: a study that is done again leaves no old one."""
    drawn = [base64.b64decode("".join(data["image/png"])) for data in outputs("3_columns.ipynb") if "image/png" in data]
    assert (HOME / "docs/columns-placements.png").read_bytes() in drawn
