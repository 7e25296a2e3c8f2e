"""Notebooks are kept with their outputs: those that come from results of studies agree with them."""

import json
from pathlib import Path

import knave

HOME = Path(__file__).parents[2]


def test_the_table_of_agents_is_that_of_the_study():
    """A study that is made anew, by stronger players, leaves no old figures in the notebook that shows it."""
    notebook = json.loads((HOME / "scripts/notebooks/2_dungeon.ipynb").read_text(encoding="utf-8"))
    outputs = [output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", [])]
    texts = ["".join(data.get("text/plain", "")) for data in outputs]
    shown = [line.split("┆") for text in texts for line in text.splitlines() if line.startswith("│") and "┆" in line]
    rates = {float(cells[2]) for cells in shown if len(cells) == 6 and "0." in cells[2]}
    study = knave.load(HOME / "results/dungeon-agents").tables["summary"]
    assert rates == {round(rate, 6) for rate in study["win_rate"]}
