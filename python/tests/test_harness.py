"""Requests: the same bytes as the command, errors before any work, interrupts, threads and processes."""

import copy
import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import tqdm.auto

import knave


def files(folder: Path) -> dict[str, bytes]:
    # cells.csv tells how long a study took.
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.csv")) if path.name != "cells.csv"}


@pytest.mark.parametrize(
    ("command", "call"),
    [
        (
            "run --game dungeon --agent mcts:iterations=5 -n 60 --seed 3 --rule health=15 --games",
            lambda out: knave.run(
                "dungeon", "mcts:iterations=5", n=60, seed=3, rules={"health": 15}, games=True, threads=2, out=out
            ),
        ),
        (
            "run --game whist --agent rule --agent random --agent rule --agent random -n 40 --seed 4",
            lambda out: knave.run("whist", ["rule", "random", "rule", "random"], n=40, seed=4, out=out),
        ),
        (
            "compare --game doubles --agent rule --agent greedy -n 30 --seed 5 --sprt -400,400 --measure score",
            lambda out: knave.compare("doubles", ["rule", "greedy"], n=30, seed=5, sprt=(-400, 400), measure="score", out=out),
        ),
        (
            "solve --game verslun -n 20 --seed 6 --solutions",
            lambda out: knave.solve("verslun", n=20, seed=6, solutions=True, out=out),
        ),
        (
            "analyse --game dungeon --agent rule -n 2 --seed 7 --judge rule --worlds 20",
            lambda out: knave.analyse("dungeon", "rule", n=2, seed=7, judge="rule", worlds=20, out=out),
        ),
        (
            "bound --game dungeon -n 2 --rule health=6 --seed 7",
            lambda out: knave.bound("dungeon", rules={"health": 6}, n=2, seed=7, out=out),
        ),
    ],
)
def test_tables_are_those_of_the_command(sim, tmp_path, command, call):
    """The package is a front end of the same requests: every table equals that of `sim` to the byte."""
    sim(*command.split(), "--quiet", "--out", "sim")
    results = call(tmp_path / "python")
    assert files(tmp_path / "python") == files(tmp_path / "sim")
    theirs = json.loads((tmp_path / "sim" / "manifest.json").read_text())
    assert results.manifest["request"] == theirs["request"]
    assert results.complete


def test_versions_agree(sim):
    """The package and the command are one version and one commit."""
    assert f"{knave.__version__} {knave.__commit__}".strip() == sim("--version").stdout.removeprefix("sim ").strip()


def test_a_study_is_the_commands(sim, tmp_path):
    """A study has the joined tables and the runs of `sim experiment`, and finished cells are not done again."""
    study = tmp_path / "s.toml"
    study.write_text(
        'summary = "s"\nseed = 1\n[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["random"]\nn = 30\n'
        "rules = [{}, { health = 9 }]\n"
    )
    sim("experiment", "s.toml", "--quiet", "--out", "sim")
    results = knave.experiment(study, out=tmp_path / "python")
    assert files(results.folder) == files(tmp_path / "sim")
    assert sorted(results.runs) == sorted(results.cells["cell"])
    before = (results.folder / results.cells["cell"][0] / "manifest.json").stat().st_mtime_ns
    knave.experiment(study, out=tmp_path / "python")
    assert (results.folder / results.cells["cell"][0] / "manifest.json").stat().st_mtime_ns == before
    study.write_text(study.read_text().replace("n = 30", "n = 31"))
    with pytest.raises(knave.RequestError, match="does not hold this cell"):
        knave.experiment(study, out=tmp_path / "python")


def test_notes_are_warnings_at_the_line_of_the_call(tmp_path):
    file = tmp_path / "s.toml"
    cell = 'command = "run"\ngame = "dungeon"\nagents = ["fast"]\nrules = [{ health = 45 }]\nn = 2\n'
    file.write_text(f'summary = "s"\nseed = 1\n[[cells]]\n{cell}')
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        knave.run("dungeon", "fast", n=2, rules={"health": 45})
        knave.compare("dungeon", ["fast", "rule"], n=2, rules={"health": 45})
        knave.experiment(file, out=tmp_path / "s")
    assert [Path(warning.filename).name for warning in told] == [Path(__file__).name] * 3
    assert all("no trained model for these rules" in str(warning.message) for warning in told)


def test_long_tables_of_a_study_are_those_of_its_cells(tmp_path):
    """What is not joined is found in the cells, and the exception says how."""
    study = tmp_path / "s.toml"
    study.write_text(
        'summary = "s"\nseed = 1\n[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["random"]\nn = 3\n'
        "options = { games = true }\n"
    )
    results = knave.experiment(study, out=tmp_path / "out")
    with pytest.raises(AttributeError, match=r"holds no games\.csv, but .*; cells hold it: runs\['dungeon-random'\]\.games$"):
        _ = results.games
    assert len(results.runs["dungeon-random"].games) == 3
    with pytest.raises(AttributeError, match=r"holds no luck\.csv, but [\w, ]*$"):
        _ = results.luck


def test_tables_are_arrow():
    """All three libraries take the rows as they are, and every column keeps its type even where every cell is empty."""
    run = knave.run("dungeon", "random", n=1, games=True)
    frame = pl.DataFrame(run.summary)
    assert frame.equals(run.summary.to_polars())
    assert frame["score_low"].to_list() == [None] and frame.schema["score_low"] == pl.Float64
    assert dict(run.games.dtypes)["index"] == "int64" and dict(run.tally.dtypes)["key"] == "string"
    assert pa.table(run.summary).column("agent").to_pylist() == ["random"]
    assert isinstance(run.summary.to_pandas(), pd.DataFrame) and len(run.summary.to_pandas()) == 1
    assert run.summary["agent"] == ["random"] and len(run.summary) == 1
    assert "agent" in run.summary and "luck" not in run.summary and 5 not in run.summary and None not in run.summary
    for name in ("luck", "\ud800"):
        with pytest.raises(KeyError, match="no column '"):
            run.summary[name]
    # They do not ask for Arrow, and would take the names of the columns for the rows.
    for take in (pd.DataFrame, np.array, np.asarray):
        with pytest.raises(TypeError, match=r"a table is no array: take .*to_pandas\(\)"):
            take(run.summary)
    assert "summary" in run.tables and "luck" not in run.tables and run.tables.get("luck") is None
    with pytest.raises(KeyError, match=r"there is no table 'luck'; the tables: .*summary"):
        run.tables["luck"]


def test_a_table_has_first_rows():
    """They are a table with the same columns, of the same types; a notebook shows no more of a long one."""
    games = knave.run("dungeon", "random", n=30, games=True).games
    first = games.head(3)
    assert len(first) == 3 and first.dtypes == games.dtypes and pl.DataFrame(first).equals(pl.DataFrame(games)[:3])
    assert all(first[name] == games[name][:3] for name in games.columns)
    assert len(pickle.loads(pickle.dumps(first))) == 3
    assert len(games.head()) == 5 and len(games.head(0)) == 0 and len(games.head(10**6)) == len(games.head(2**64 - 1)) == 30
    for wrong in (-1, 1.5, None, "2"):
        with pytest.raises(knave.RequestError, match=r"^n=.* is refused: expected a whole number from 0"):
            games.head(wrong)
    shown = games._repr_html_()
    assert shown.count("<tr>") == 21 and "and 10 more rows" in shown


def test_a_table_is_its_own_copy():
    """It never changes."""
    table = knave.run("dungeon", "random", n=20).summary
    assert copy.copy(table) is table and copy.deepcopy({"table": table})["table"] is table


def test_tables_travel():
    """Every column keeps its type, even where every cell is empty."""
    run = knave.run("dungeon", "random", n=1, games=True)
    for table in run.tables.values():
        travelled = pickle.loads(pickle.dumps(table))
        assert repr(travelled) == repr(table) and travelled.dtypes == table.dtypes
        assert all(travelled[name] == table[name] for name in table.columns)


def test_an_option_has_one_type_in_a_study(tmp_path):
    """Tables of a study can be joined by the options of its rules, also where one of them names none."""
    study = tmp_path / "study.toml"
    study.write_text(
        'summary = "S"\nseed = 1\n[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["random"]\nn = 2\n'
        'rules = [{}, { objective = "score", health = 9 }]\n'
        '[[cells]]\ncommand = "compare"\ngame = "doubles"\nagents = ["random", "greedy"]\nn = 2\nrules = [{ cards = 2 }]\n'
    )
    results = knave.experiment(study, out=tmp_path / "out")
    tables = [dict(results.tables[name].dtypes) for name in ("cells", "summary", "comparison", "matrix")]
    assert {table["rule_objective"] for table in tables} == {"string"}
    assert {table["rule_health"] for table in tables} == {table["rule_cards"] for table in tables} == {"int64"}


def test_a_study_that_is_under_way_is_busy(tmp_path):
    """Who asks for it meanwhile is told to come back, as for a run."""
    study = tmp_path / "study.toml"
    study.write_text('summary = "S"\nseed = 1\n[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["strong"]\nn = 1000000\n')
    call = f"import knave; knave.experiment({str(study)!r}, out={str(tmp_path / 'out')!r}, threads=1)"
    with subprocess.Popen([sys.executable, "-c", call], stderr=subprocess.DEVNULL) as other:
        try:
            while not (tmp_path / "out" / "dungeon-strong" / "journal.json").exists():
                assert other.poll() is None
                time.sleep(0.05)
            with pytest.raises(knave.BusyError, match="written to by another"):
                knave.experiment(study, out=tmp_path / "out", threads=1)
        finally:
            other.terminate()


def test_shards_and_resume(tmp_path):
    """Parts are requests of their own, and a folder that was finished is not played again, which a warning tells."""
    parts = [knave.run("dungeon", "random", n=100, seed=2, shard=(k, 2), out=tmp_path / str(k)) for k in (1, 2)]
    assert sum(part.summary["games"][0] for part in parts) == 100
    whole = knave.merge([part.folder for part in parts], out=tmp_path / "whole")
    with pytest.warns(UserWarning, match=r"(1|whole) held all of this already$") as told:
        again = knave.run("dungeon", "random", n=100, seed=2, shard=(1, 2), out=tmp_path / "1", resume=True)
        whole_again = knave.merge([part.folder for part in parts], out=tmp_path / "whole")
    assert again.manifest == parts[0].manifest and whole_again.manifest == whole.manifest
    assert [Path(warning.filename).name for warning in told] == [Path(__file__).name] * 2


def test_results_show_and_save_themselves(tmp_path):
    """Results print what the command prints, show themselves in a notebook, and are kept where one wants them."""
    run = knave.run("dungeon", "greedy", n=50, seed=1)
    assert "50 games of dungeon, seed 1" in str(run) and "summary" in repr(run)
    html = run._repr_html_()
    assert "run dungeon" in html and "greedy" in html
    assert "<td>greedy</td>" in knave.load(run.save(tmp_path / "kept").folder)._repr_html_()
    kept = knave.load(tmp_path / "kept")
    assert kept.summary["agent"] == ["greedy"] and kept.cost > 0
    assert pickle.loads(pickle.dumps(kept)).manifest == kept.manifest
    travelled = pickle.loads(pickle.dumps(run))
    assert travelled.folder != run.folder and files(travelled.folder) == files(run.folder) and str(travelled) == str(run)
    with pytest.raises(knave.RequestError, match="there already"):
        run.save(tmp_path / "kept")
    with pytest.raises(AttributeError, match=r"holds no luck\.csv, but .*summary"):
        _ = run.luck
    with pytest.raises(AttributeError, match=r"holds no games\.csv, but .*summary.*; it is written with games=True$"):
        _ = run.games
    with pytest.raises(AttributeError, match=r"holds no solutions\.csv, but .*; it is written with solutions=True$"):
        _ = knave.solve("dungeon", n=1).solutions
    # For completion.
    assert set(run.tables) < set(dir(run))


def test_a_study_shows_what_can_be_read(tmp_path):
    """A run that cannot be read is missing, and the joined tables are there all the same."""
    study = tmp_path / "s.toml"
    study.write_text(
        'summary = "S"\nseed = 1\n'
        '[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["random"]\nn = 3\n'
        '[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["rule"]\nn = 3\n'
    )
    results = knave.experiment(study, out=tmp_path / "s", progress=False)
    assert results.complete and "missing" not in results._repr_html_()
    next(results.folder.glob("*/manifest.json")).write_text("{}")
    damaged = knave.load(results.folder)
    assert not damaged.complete and len(damaged.summary) == 2
    assert "cannot be read" in damaged._repr_html_()
    with pytest.raises(knave.RequestError, match=r"manifest\.json"):
        _ = damaged.runs


def test_other_folders_are_refused(tmp_path):
    """Folders without results and of another form are refused, not half read."""
    with pytest.raises(knave.RequestError, match=r"no manifest\.json"):
        knave.load(tmp_path)
    run = knave.run("dungeon", "random", n=1, out=tmp_path / "run")
    path = run.folder / "manifest.json"
    path.write_text(json.dumps(run.manifest | {"schema": 99}))
    with pytest.raises(knave.RequestError, match="schema 99, and this version reads 2"):
        knave.load(run.folder)
    fields = run.manifest
    for field in ("timing", "finished", "request", "ranges"):
        path.write_text(json.dumps({name: value for name, value in fields.items() if name != field}))
        with pytest.raises(knave.RequestError, match=f"missing field `{field}`"):
            knave.load(run.folder)


def nested(levels):
    return [nested(levels - 1)] if levels else 1


def endless():
    """A list that holds itself."""
    itself = []
    itself.append(itself)
    return itself


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "words"),
    [
        (("dungen", "mcts"), {}, knave.RequestError, "unknown game 'dungen', did you mean 'dungeon'"),
        (("dungeon", "mtcs"), {}, knave.RequestError, "did you mean 'mcts'"),
        (("dungeon", "mcts:iterations=x"), {}, knave.RequestError, "iterations=x is refused"),
        (("dungeon", "mcts"), {"rules": {"health": 0}}, knave.RequestError, "health=0 is refused: expected a whole number"),
        (("dungeon", "mcts"), {"rules": {"halth": 1}}, knave.RequestError, "did you mean 'health'"),
        (("dungeon", "mcts"), {"rules": 3}, knave.RequestError, "rules"),
        (("dungeon", "mcts"), {"rules": {"health": object()}}, knave.RequestError, "rules.health=<object .* is refused"),
        (("dungeon", "mcts"), {"rules": {"health": 15.0}}, knave.RequestError, r"health=15\.0 is refused: expected a whole number"),
        # Beyond 64 bits.
        (
            ("dungeon", "mcts"),
            {"rules": {"health": 10**30}},
            knave.RequestError,
            "is refused: expected a whole number from 1 to 99",
        ),
        (("dungeon", "mcts"), {"rules": {"health": -(2**63) - 1}}, knave.RequestError, "expected a whole number from 1 to 99"),
        (
            ("dungeon", "mcts"),
            {"rules": {"health": float("nan")}},
            knave.RequestError,
            r"^rules\.health=nan is refused: expected a finite number$",
        ),
        (
            ("dungeon", {"agent": "mcts", "options": {"c": {1}}}),
            {},
            knave.RequestError,
            r"agents\[0\].options.c=\{1\} is refused",
        ),
        # Larger than any floating-point number, larger than any text of a number, and nested without an end.
        (
            ("dungeon", "mcts"),
            {"rules": {"health": 10**400}},
            knave.RequestError,
            r"^rules\.health=10*… is refused: expected a whole",
        ),
        (("dungeon", "mcts"), {"rules": {"health": -(10**5000)}}, knave.RequestError, r"^rules\.health=<int> is refused"),
        (
            ("dungeon", "mcts"),
            {"rules": {"health": endless()}},
            knave.RequestError,
            r"^rules\.health\[0\].* is refused: .* 64 levels",
        ),
        (
            ("dungeon", "mcts"),
            {"rules": {"health": nested(500)}},
            knave.RequestError,
            r"^rules\.health\[0\].* is refused: .* 64 lev",
        ),
        (("dungeon", "mcts"), {"rules": {"health": nested(50)}}, knave.RequestError, r"health=\[+1\]+ is refused"),
        (("dungeon", "mcts"), {"rules": "health=3"}, knave.RequestError, "^rules: expected a dict of options, found str$"),
        (("dungeon", "mcts"), {"n": -1}, knave.RequestError, "^n=-1 is refused: expected a whole number from 1 to"),
        (("dungeon", "mcts"), {"n": 0}, knave.RequestError, "^n=0 is refused: expected a whole number from 1 to"),
        (("dungeon", "mcts"), {"n": None}, knave.RequestError, "^n=None is refused: expected a whole number from 1 to"),
        (("dungeon", "mcts"), {"n": "10"}, knave.RequestError, "^n='10' is refused: expected a whole number from 1 to"),
        (("dungeon", "mcts"), {"seed": 1.5}, knave.RequestError, r"^seed=1\.5 is refused: expected a whole number from 0 to"),
        (("dungeon", "mcts"), {"seed": None}, knave.RequestError, "^seed=None is refused: expected a whole number from 0 to"),
        (
            ("dungeon", "mcts"),
            {"threads": 0},
            knave.RequestError,
            "threads=0 is refused: expected a whole number from 1 to 1024",
        ),
        (("dungeon", "mcts"), {"shard": (3, 2)}, knave.RequestError, "3"),
        (("dungeon", "exec:command=false --out x"), {"n": 1}, knave.RequestError, "^'false --out x' did not answer hello"),
        (("dungeon", "mcts"), {"n": 2, "shard": (1, 3)}, knave.RequestError, "^shard: 2 games cannot fill 3 parts"),
        (("dungeon", "mcts"), {"shard": 3}, knave.RequestError, "shard=3 is refused: expected a part and the number of parts"),
        (("dungeon", "mcts"), {"force": True, "resume": True}, knave.RequestError, "exclude each other"),
        (("dungeon", "mcts"), {"sahrd": (1, 2)}, TypeError, "unexpected keyword argument 'sahrd'"),
        (("dungeon", object()), {}, TypeError, "has no method choose"),
        (("dungeon", []), {}, knave.RequestError, "agent"),
        (("columns", {"rule", "random"}), {}, knave.RequestError, "^agents=.* is refused: a set has no order, expected a list$"),
        (("columns", frozenset({"rule"})), {}, knave.RequestError, "^agents=.* is refused: a set has no order"),
        ((None, "rule"), {}, knave.RequestError, "^game=None is refused: expected the name of a game$"),
        (("dungeon", [object()]), {}, TypeError, "no method choose"),
    ],
)
def test_bad_input_is_refused_before_any_game(arguments, keywords, error, words):
    """Errors are exceptions with the words of the command."""
    with pytest.raises(error, match=words):
        knave.run(*arguments, **keywords)


def test_other_results_are_not_overwritten(tmp_path):
    """What lies in a folder stays, unless one says so, and the error says how in Python's words."""
    knave.run("dungeon", "random", n=5, out=tmp_path / "run")
    advice = r"holds another run.*: choose another place with out, or overwrite with force=True$"
    with pytest.raises(knave.RequestError, match=advice):
        knave.run("dungeon", "random", n=6, out=tmp_path / "run")
    assert knave.run("dungeon", "random", n=6, out=tmp_path / "run", force=True).summary["games"] == [6]


def test_games_and_agents_are_listed():
    """What can be played, and by whom: the same lists as the command's."""
    assert [game["game"] for game in knave.games()] == ["dungeon", "verslun", "columns", "doubles", "whist"]
    names = [agent["agent"] for agent in knave.agents("dungeon")]
    assert "mcts" in names and "expectimax" in names and "python" not in names
    for listed in (knave.agents, knave.presets, knave.measures, knave.models):
        with pytest.raises(knave.RequestError, match="unknown game"):
            listed("chess")


def test_what_can_be_named_in_a_game_is_listed(sim):
    """Objectives, evaluators, policies, presets, measures and models of every game are those that the command lists."""
    listed = lambda *what: json.loads(sim("list", *what, "--json").stdout)  # noqa: E731
    presets = listed("presets")
    for game, rules, models in zip(knave.games(), listed("games"), listed("models"), strict=True):
        name = game["game"]
        [agents] = listed("agents", "--game", name)
        assert game == rules | {names: agents[names] for names in ("evaluators", "policies")}
        assert knave.models(name) == models["models"]
        assert knave.measures(name) == listed("measures", "--game", name)[0]["measures"]
        expected = [{"preset": row["preset"], "summary": row["summary"], "agent": row["agents"][name]} for row in presets]
        assert knave.presets(name) == expected


def test_what_is_listed_can_be_used():
    """Names of the lists are those that requests and positions take."""
    position = knave.Game("dungeon").deal(seed=1)
    [dungeon] = [game for game in knave.games() if game["game"] == "dungeon"]
    assert all(0 < position.value(evaluator=name) < 1 for name in dungeon["evaluators"])
    assert all(knave.run("dungeon", f"rule:policy={name}", n=1).complete for name in dungeon["policies"])
    assert all(knave.solve("dungeon", objective=row["objective"], n=1).complete for row in dungeon["objectives"])
    names = {row["preset"]: row["agent"] for row in knave.presets("dungeon")}
    assert position.hint("fast", seed=1) == position.hint(names["fast"], seed=1)
    assert position.value(evaluator="net") == position.value() and "dungeon.model" in {
        row["name"] for row in knave.models("dungeon")
    }


class Slow:
    """Thinks for a minute in Python, and never comes to an end."""

    def choose(self, decisions):
        while True:
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("game", "agent", "limit"), [("dungeon", "mcts", 0.3), ("columns", "best", 3.0), ("dungeon", Slow(), 1.0)], ids=str
)
def test_an_interrupt_stops_at_once_and_keeps_what_was_finished(game, agent, limit, tmp_path):
    """Ctrl-C stops within 100 ms, or with the decision that is under way (limits are for a busy machine). The folder is kept."""
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(1.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        knave.run(game, agent, n=10_000_000, seed=2, out=tmp_path / "run")
    assert time.monotonic() - sent[0] < limit
    results = caught.value.results
    assert not results.complete and (results.manifest["finished"] > 0 or limit > 0.3)
    assert "missing" in results._repr_html_()


def test_numbers_of_numpy_are_numbers(tmp_path):
    """Scalars of NumPy, mappings and paths are taken for what they are."""
    rules = MappingProxyType({"health": np.int64(15)})
    run = knave.run("dungeon", "random", n=np.int32(5), seed=np.uint64(2), rules=rules, out=tmp_path / "run")
    assert run.manifest["request"]["rules"]["health"] == 15 and run.manifest["request"]["n"] == 5


def test_texts_that_are_no_unicode_are_refused():
    """Names of files may hold bytes that no text has; the field is named."""
    for call in (
        lambda: knave.run("dungeon", "rule:evaluator=\udc80", n=1),
        lambda: knave.run("dungeon", {"agent": "rule", "label": "\udc80"}, n=1),
        lambda: knave.Game("dungeon", {"health\udc80": 3}),
    ):
        with pytest.raises(knave.RequestError, match=r"udc80.* is refused: it is no Unicode text"):
            call()


def test_what_is_no_agent_is_named():
    """Neither an agent nor several: the message says so, and not that something cannot be iterated."""
    with pytest.raises(TypeError, match="object is no player: it has no method choose"):
        knave.run("dungeon", object())
    with pytest.raises(knave.RequestError, match="agents=None is refused"):
        knave.run("dungeon", None)
    for agents, words in (
        ([None], r"agents\[0\]=None is refused"),
        (b"random", r"agents\[0\]=b'random' is refused"),
        (["random", 5], r"agents\[1\]=5 is refused"),
    ):
        with pytest.raises(TypeError, match=f"^{words}: .* is no player: it has no method choose"):
            knave.run("dungeon", agents)
    with pytest.raises(knave.RequestError, match="agents=None is refused: give agents, or transcripts"):
        knave.analyse("dungeon", n=3)


def test_an_array_of_names_is_a_list():
    """NumPy's arrays have a method `choose`, as players do, and stand for what is in them all the same."""
    names = ["rule", "random", "rule", "random"]
    for agents in (names, np.array(names), np.array(names, dtype=object)):
        assert knave.run("whist", agents, n=2).summary["agent"] == ["rule", "random", "rule", "random"]
    assert knave.run("dungeon", np.array("random"), n=2).summary["agent"] == ["random"]
    assert set(knave.compare("dungeon", np.array(["rule", "random"]), n=2).matrix["agent"]) == {"rule", "random"}


@pytest.mark.parametrize("wrong", [None, 5, "", b"here"])
def test_paths_are_checked(tmp_path, monkeypatch, wrong):
    """What is no path is named by its field, and nothing is written; an empty text would be the current folder."""
    monkeypatch.chdir(tmp_path)
    results = knave.run("dungeon", "random", n=1)
    calls = {
        "folder": lambda: knave.load(wrong),
        "file": lambda: knave.experiment(wrong),
        "parts": lambda: knave.merge(wrong, out="joined"),
        r"parts\[1\]": lambda: knave.merge(["one", wrong], out="joined"),
        r"transcripts\[0\]": lambda: knave.analyse("dungeon", transcripts=[wrong]),
    }
    if wrong is not None:
        calls |= {
            "out": lambda: knave.run("dungeon", "random", n=1, out=wrong),
            "deals": lambda: knave.solve("dungeon", deals=wrong),
            "transcripts": lambda: knave.run("dungeon", "random", n=1, transcripts=wrong),
        }
    for field, call in calls.items():
        with pytest.raises(knave.RequestError, match=f"^{field}={re.escape(repr(wrong))} is refused: expected a path$"):
            call()
    for call in (lambda: results.save(wrong), lambda: knave.merge(["one"], out=wrong)):
        with pytest.raises(knave.RequestError, match=r"is refused: expected a path$"):
            call()
    assert not list(tmp_path.iterdir())


def test_every_keyword_works(tmp_path):
    """Everything that a signature offers can be asked for."""
    run = knave.run(
        "dungeon", "random", n=4, seed=1, rules={}, games=True, parquet=True, transcripts=tmp_path / "t.jsonl",
        out=tmp_path / "run", force=True, resume=False, shard=None, threads=1, progress=False,
    )  # fmt: skip
    assert (run.folder / "games.parquet").exists() and len((tmp_path / "t.jsonl").read_text().splitlines()) == 4
    assert "count" in run.tally and next(iter(run.tally)) == "game" and "<table>" in run.tally._repr_html_()
    for keywords in ({"until": 0.9}, {"sprt": (-0.1, 0.1), "measure": "score"}, {"control": 1}):
        agents = ["rule", "greedy"]
        assert knave.compare("dungeon", agents, n=20, seed=1, rules={}, out=tmp_path / "c", force=True, **keywords).complete
    deck = knave.Game("dungeon").deal(seed=1).reveal_hidden()["deck"]
    (tmp_path / "deals.jsonl").write_text(json.dumps({"deck": deck, "name": "7"}) + "\n")
    solved = knave.solve("dungeon", objective="win", rules={}, budget=100_000, deals=tmp_path / "deals.jsonl", solutions=True)
    assert len(solved.solutions) == 1 and list(solved.solutions["name"]) == ["7"]
    assert knave.solve("dungeon", n=3, seed=1).complete
    assert knave.bound("dungeon", "greedy", rules={"health": 6}, n=1, seed=1).complete


def test_numbers_beside_files_are_refused(tmp_path):
    """All that stands in a file is done: a number of it or a seed would say nothing, as the command says too."""
    file = tmp_path / "file"
    for call, words in (
        (lambda: knave.analyse("dungeon", transcripts=file, n=1), "n=1 is refused: the games stand in a file, leave out n"),
        (lambda: knave.analyse("dungeon", transcripts=[file, file], n=0), "n=0 is refused: the games stand in a file, leave out n"),
        (lambda: knave.solve("dungeon", deals=file, n=5), "n=5 is refused: the deals stand in a file, leave out n"),
        (lambda: knave.solve("dungeon", deals=file, seed=2), "seed=2 is refused: the deals stand in a file, leave out seed"),
    ):
        with pytest.raises(knave.RequestError, match=words):
            call()


def test_further_numbers_are_checked():
    """They are shown as they were given, with what would be right."""
    agents = ["rule", "greedy"]
    for call, words in (
        (lambda: knave.solve("dungeon", budget=0), "budget=0 is refused: expected a whole number from 1 to"),
        (lambda: knave.solve("dungeon", budget=5.0), r"budget=5\.0 is refused: expected a whole number from 1 to"),
        (lambda: knave.solve("dungeon", budget=2**64), "budget=18446744073709551616 is refused: expected a whole number from 1"),
        (lambda: knave.compare("dungeon", agents, control=0), "control=0 is refused: expected a whole number from 1 to"),
        (lambda: knave.compare("dungeon", agents, control="2"), "control='2' is refused: expected a whole number from 1 to"),
        (lambda: knave.analyse("dungeon", "rule", worlds=-1), "worlds=-1 is refused: expected a whole number from 20 to 1000000"),
        (lambda: knave.analyse("dungeon", "rule", worlds=21), "worlds=21 is refused: expected an even number from 20"),
        (lambda: knave.analyse("dungeon", "rule", moves=True), "moves=True is refused: expected a whole number from 2 to"),
        (lambda: knave.analyse("dungeon", "rule", seed=None), "seed=None is refused: expected a whole number from 0 to"),
        (lambda: knave.compare("dungeon", agents, measure=5), "measure=5 is refused: expected 'wins' or 'score'$"),
        (lambda: knave.compare("dungeon", agents, until=float("nan")), "until=nan is refused: expected a finite number$"),
        (lambda: knave.compare("dungeon", agents, sprt=(0, -np.inf)), r"sprt\[1\]=-inf is refused: expected a finite number$"),
        (lambda: knave.analyse("dungeon", "rule", judge=5), "judge=5 is refused: expected an agent by name; objects play, and"),
        (lambda: knave.run("dungeon", "rule", transcripts="-"), "transcripts='-' is refused: name a file; `sim` alone writes"),
        (lambda: knave.compare("dungeon", agents, measure="score"), "measure=score is refused: it says what until or sprt tests"),
        (
            lambda: knave.analyse("dungeon", "rule", judge={"agnt": "rule"}),
            r"judge: agent: unknown field 'agnt', did you mean 'agent'\?; expected one of 'agent', 'options', 'label'$",
        ),
    ):
        with pytest.raises(knave.RequestError, match=f"^{words}"):
            call()


@pytest.mark.parametrize("threads", [-1, 0, 2000, "2", True, 1.5])
def test_threads_of_a_study_are_checked(threads):
    """As those of a run are."""
    with pytest.raises(knave.RequestError, match=r"threads=.* is refused: expected a whole number from 1 to 1024"):
        knave.experiment("nowhere.toml", threads=threads)


def code_blocks(name):
    text = (Path(__file__).parents[2] / name).read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "python/README.md"])
def test_the_documentation_runs(name):
    """The examples of the documentation do what they say, with fewer games."""
    code = re.sub(r"n=[\d_]+", "n=8", code_blocks(name)).replace("4096", "8")
    assert "knave." in code
    exec(compile(code, name, "exec"), {})


def run_script(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, **options)


@pytest.mark.parametrize("closing", ["sys.stderr.close()", "sys.stderr = None", "os.close(2)"])
def test_a_bar_that_cannot_be_drawn_is_no_reason_to_end(closing):
    """A closed or missing standard error costs the bar, not the run."""
    code = f"import os, sys, knave; {closing}; print(knave.run('dungeon', 'random', n=1000, progress=True).summary['games'])"
    assert run_script(code).stdout == "[1000]\n"


def test_a_forked_process_leaves_its_parents_results():
    """A child that ends takes no temporary folder with it that is its parent's."""
    code = (
        "import os, sys, knave\nrun = knave.run('dungeon', 'random', n=5)\n"
        "if os.fork() == 0: sys.exit(0)\nos.wait()\nprint(len(run.summary))"
    )
    assert run_script(code).stdout == "1\n"


def test_a_forked_process_waits_for_no_run_of_its_parents(tmp_path):
    """A child has none of the threads that do it: it ends at once, and takes its own temporary folders with it."""
    code = DAEMONS + (
        "import os\nbegin(Slow)\nknave._PATIENCE = 60\n"
        "if os.fork() == 0:\n    knave.run('dungeon', 'random', n=5, progress=False)\nelse: os.wait()"
    )
    ended = run_script(code, env=os.environ | {"TMPDIR": str(tmp_path)})
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())


def test_the_end_of_the_interpreter_ends_runs(tmp_path):
    """A run on a daemon thread, with a player of Python's, neither aborts the process nor misses or leaves its temporary folder."""
    code = (
        "import threading, time, knave\n"
        "class First:\n    def choose(self, decisions): return [0] * len(decisions)\n"
        "run = lambda: knave.run('dungeon', First(), n=10**9, progress=False)\n"
        "threading.Thread(target=run, daemon=True).start()\ntime.sleep(0.5)"
    )
    ended = run_script(code, env=os.environ | {"TMPDIR": str(tmp_path)})
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())


#: Runs on daemon threads with these players, until each of them was called.
DAEMONS = (
    "import threading, time, knave\ncalled = set()\n"
    "def dwell(name):\n    called.add(name)\n    while True: time.sleep(0.01)\n"
    "class First:\n    def choose(self, decisions): return [0] * len(decisions)\n"
    "class Slow:\n    def choose(self, decisions): dwell(Slow)\n"
    "class Ends(First):\n    def end(self, *told): dwell(Ends)\n"
    "class Hangs:\n    def choose(self, decisions): called.add(Hangs); time.sleep(60)\n"
    "def begin(kind):\n    run = lambda: knave.run('dungeon', kind(), n=10**6, progress=False)\n"
    "    threading.Thread(target=run, daemon=True).start()\n    while kind not in called: time.sleep(0.01)\n"
)


def test_the_end_of_the_interpreter_interrupts_players(tmp_path):
    """Players that are being asked or told when the interpreter ends are interrupted, and then their runs are over."""
    code = DAEMONS + "begin(Slow)\nbegin(Ends)\nknave._PATIENCE = 60"
    ended = run_script(code, env=os.environ | {"TMPDIR": str(tmp_path)})
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert not list(tmp_path.iterdir())


def test_the_folder_of_a_run_that_does_not_end_stays(tmp_path):
    """A player that hangs outside of Python cannot be interrupted: its run still writes to its folder."""
    code = DAEMONS + "begin(Hangs)\nknave._PATIENCE = 0.1"
    ended = run_script(code, env=os.environ | {"TMPDIR": str(tmp_path)})
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert len(list(tmp_path.glob("knave-*/results"))) == 1


def test_a_second_interrupt_is_no_more_than_the_first():
    """A second Ctrl-C is no deadlock: it waits for the sleeping player alone."""
    code = (
        "import os, signal, threading, time, knave\n"
        "press = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Sleeps:\n    def choose(self, decisions):\n"
        # In this order: an exception that comes while a thread starts may end that one, and `start` waits for it for ever.
        "        threading.Timer(0.3, press).start()\n        press()\n        time.sleep(0.5)\n"
        "try: knave.run('dungeon', Sleeps(), n=1000, progress=False)\n"
        "except KeyboardInterrupt as error: print(error.results.complete)"
    )
    ended = run_script(code)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "False\n", "")


class Breaks:
    def choose(self, decisions):
        raise LookupError("mine")


def broken():
    knave.run("dungeon", Breaks(), n=5)


def test_exceptions_travel():
    """The exception of a player reaches the process that asked, with the results so far."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(LookupError, match="mine"):
            pool.submit(broken).result()


def test_two_runs_at_once(tmp_path):
    """Runs on two threads of Python do not disturb each other: the interpreter is free while games are played."""
    alone = [knave.run("dungeon", "rule", n=300, seed=seed, threads=1) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda seed: knave.run("dungeon", "rule", n=300, seed=seed, threads=1), (1, 2)))
    assert [files(run.folder) for run in both] == [files(run.folder) for run in alone]


def wins(seed: int) -> int:
    return knave.run("dungeon", "rule", n=200, seed=seed, progress=False).summary["wins"][0]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method):
    """A run works in processes that were forked after another run, and in fresh ones."""
    expected = [wins(seed) for seed in (1, 2)]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert list(pool.map(wins, (1, 2))) == expected


HELD = []


def held() -> Path:
    """The folder of results that the worker holds until it ends."""
    HELD.append(knave.run("dungeon", "rule", n=5, progress=False))
    return HELD[-1].folder


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_leave_no_folders(method):
    """Results that a worker still holds when it ends are removed, and those of its parent are not."""
    run = knave.run("dungeon", "rule", n=5, progress=False)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        folder = pool.submit(held).result()
        assert folder.exists()
    assert run.folder.exists() and not folder.parent.exists()


def test_progress_is_shown_where_tqdm_is(capsys):
    """A bar is drawn when it is asked for."""
    knave.run("dungeon", "mcts", n=3000, progress=True)
    assert "games" in capsys.readouterr().err
    assert "tqdm" in sys.modules


def test_a_bar_in_a_notebook_warns_of_nothing():
    """tqdm's choice of a bar warns in a notebook without ipywidgets, and would do so in the first cell that asks."""
    code = (
        "import sys, types\n"
        "for name in ('ipykernel', 'ipykernel.zmqshell', 'IPython'): sys.modules[name] = types.ModuleType(name)\n"
        "sys.modules['IPython'].get_ipython = lambda: None\nsys.modules['ipywidgets'] = None\n"
        "import knave.harness\nwith knave.harness.bar(True) as show: show(1, 2, 'games', '')"
    )
    ended = run_script(code)
    assert ended.returncode == 0 and "0/2" in ended.stderr and "Warning" not in ended.stderr


def test_the_rate_is_that_of_all_so_far(monkeypatch):
    """Where games end in batches, a rate of the latest moments would say that there are none, or far too many."""
    bars = []

    class Kept(tqdm.tqdm):
        def __init__(self, *arguments, **keywords):
            super().__init__(*arguments, **(keywords | {"mininterval": 0}))
            bars.append(self)

    for module in (tqdm, tqdm.auto):
        monkeypatch.setattr(module, "tqdm", Kept)
    with knave.harness.bar(True) as show:
        for done in [256] * 4 + [512] * 4 + [600]:
            show(done, 1000, "games", "")
            time.sleep(0.01)
        drawn = bars[0].format_dict
    assert drawn["n"] == 600
    # Without a rate of its own tqdm shows that of all.
    assert drawn["rate"] is None or drawn["rate"] == pytest.approx(drawn["n"] / drawn["elapsed"], rel=0.1)


def test_tables_keep_their_folder():
    """The tables of results that nobody holds any more can still be read."""
    tables = knave.run("dungeon", "rule", n=5, threads=1, progress=False).tables
    assert {name: len(table) > 0 for name, table in tables.items()}["summary"]


def test_results_stay_where_they_are(tmp_path, monkeypatch):
    """A folder that was named from another place is found again, and results travel with what they say."""
    monkeypatch.chdir(tmp_path)
    results = knave.run("dungeon", "rule", n=5, out="here", threads=1, progress=False)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    travelled = pickle.loads(pickle.dumps(results))
    assert results.complete and travelled.text == results.text and travelled.data == results.data
    assert list(travelled.summary["games"]) == [5]


def test_an_interrupt_before_the_first_game_has_no_results(interrupted):
    """Who asks what was finished is told that nothing was, and gets no AttributeError."""
    with interrupted(5.0):
        try:
            knave.run("dungeon", {"agent": "exec", "options": {"command": "sleep 60"}}, n=5, progress=False)
        except KeyboardInterrupt as error:
            assert error.results is None
            raise


def test_a_forked_process_does_not_hold_a_program(tmp_path):
    """A process that was forked meanwhile has the pipes of programs, too: runs end all the same, and programs with them."""
    bot = Path(__file__).parents[2] / "bots" / "python" / "null_bot.py"
    own = tmp_path / "own_null_bot.py"
    own.write_text(bot.read_text())
    code = (
        "import os, signal, sys, time, knave\n"
        "class Forks:\n"
        "    child = None\n"
        "    def choose(self, decisions):\n"
        "        if self.child is None:\n"
        "            self.child = os.fork()\n"
        "            if self.child == 0:\n                time.sleep(40)\n                os._exit(0)\n"
        "        return [0] * len(decisions)\n"
        "forks, start = Forks(), time.monotonic()\n"
        "agents = [forks, {'agent': 'exec', 'options': {'command': sys.argv[1]}, 'label': 'bot'}]\n"
        "done = knave.compare('dungeon', agents, n=20, threads=1, progress=False).complete\n"
        "lasted = time.monotonic() - start\n"
        "os.kill(forks.child, signal.SIGKILL)\n"
        "print(done, lasted < 30)"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, f"'{sys.executable}' '{own}'"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.stderr) == ("True True\n", "")
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")] if Path("/proc/self").exists() else []
    assert not any(str(own).encode() in line for line in lines)


def test_what_nothing_was_finished_of_has_no_cost(tmp_path):
    """A division by no games is no number."""
    results = knave.run("dungeon", "rule", n=5, out=tmp_path / "r", threads=1, progress=False)
    manifest = json.loads((tmp_path / "r/manifest.json").read_text())
    (tmp_path / "r/manifest.json").write_text(json.dumps(manifest | {"finished": 0, "partial": True}))
    assert np.isnan(results.cost)


def test_cost_is_that_of_a_game(tmp_path):
    """A comparison finishes deals, and plays several games on each; exact answers and bounds cost by the deal."""
    results = knave.compare("whist", ["rule", "random"], n=5, out=tmp_path / "c", threads=1, progress=False)
    timing = {"seconds": 7.0, "threads": 2}
    for folder, games in ((results.folder, 5 * 14), (knave.run("whist", "random", n=5, out=tmp_path / "r").folder, 5)):
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["timing"] |= timing
        (folder / "manifest.json").write_text(json.dumps(manifest))
        assert knave.load(folder).cost == pytest.approx(14000 / games)
        # Of parts with other numbers of threads the time of all is there.
        manifest["timing"]["worker_seconds"] = 9.0
        (folder / "manifest.json").write_text(json.dumps(manifest))
        assert knave.load(folder).cost == pytest.approx(9000 / games)
    # Two agents sit in four seats in every mixture.
    assert results.manifest["facts"]["games_a_deal"] == 2**4 - 2
    assert knave.solve("dungeon", n=5, progress=False).cost > 0


def test_a_player_that_asks_wrongly_loses_no_games(tmp_path):
    """What a player's own search is refused is the player's error: the games before are there."""

    class Wrong:
        asked = 0

        def choose(self, decisions):
            self.asked += 1
            if self.asked > 100:
                knave.Game("dungeon").deal().play("nope")
            return [0] * len(decisions)

    with pytest.raises(knave.RequestError, match="nope") as raised:
        knave.run("dungeon", Wrong(), n=2000, threads=1, progress=False)
    assert raised.value.results.manifest["finished"] > 0


@pytest.mark.parametrize("wrong", [{"force": "no"}, {"games": "yes"}, {"parquet": 1}, {"resume": None}, {"progress": "no"}])
def test_truth_is_true_or_false(wrong):
    """A text such as "no" would count as true."""
    field = next(iter(wrong))
    with pytest.raises(knave.RequestError, match=f"{field}=.* is refused: expected True or False"):
        knave.run("dungeon", "rule", n=5, **wrong)
    if field == "progress":
        with pytest.raises(knave.RequestError, match="progress='no' is refused: expected True or False"):
            knave.experiment("nowhere.toml", **wrong)
    with pytest.raises(knave.RequestError, match="short_deck='no' is refused: expected True or False"):
        knave.solve("dungeon", short_deck="no")


def test_labels_of_objects_give_way():
    """An object takes another label where an agent has its own already."""

    class Bold:
        def choose(self, decisions):
            return [0] * len(decisions)

    agents = [{"agent": "rule", "label": "Bold"}, Bold()]
    results = knave.compare("dungeon", agents, n=4, threads=1, progress=False)
    assert results.comparison["agent_b"][0] == "Bold 2"


def test_labels_of_objects_are_as_long_as_documented():
    """Where labels give way to each other, too."""
    players = [type("First", (), {"label": "x" * 100, "choose": lambda self, asked: [0] * len(asked)})() for _ in range(2)]
    assert knave.compare("dungeon", players, n=1).comparison["agent_b"] == ["x" * 98 + " 2"] * 2


def test_labels_of_agents_by_name_are_as_long_as_those_of_objects():
    """They stand in the same tables."""
    assert knave.run("dungeon", {"agent": "random", "label": "x" * 100}, n=1).summary["agent"] == ["x" * 100]
    with pytest.raises(knave.RequestError, match=r"^agents\[1\]\.label='xx.* is refused: expected a text of 1 to 100 characters"):
        knave.compare("dungeon", ["rule", {"agent": "random", "label": "x" * 101}], n=1)


@pytest.mark.parametrize("text", ["[]", "null", "5"])
def test_other_manifests_are_refused(tmp_path, text):
    """What is JSON need not be a manifest."""
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(knave.RequestError, match="no manifest"):
        knave.load(tmp_path)
