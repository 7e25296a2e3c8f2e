"""Requests: the same bytes as the command, errors before any work, interrupts, threads and processes."""

import json
import multiprocessing
import pickle
import signal
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

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
            "compare --game doubles --agent rule --agent greedy -n 30 --seed 5 --measure score",
            lambda out: knave.compare("doubles", ["rule", "greedy"], n=30, seed=5, measure="score", out=out),
        ),
        (
            "solve --game verslun -n 20 --seed 6 --solutions",
            lambda out: knave.solve("verslun", n=20, seed=6, solutions=True, out=out),
        ),
        ("bound --game dungeon -n 2 --seed 7", lambda out: knave.bound("dungeon", n=2, seed=7, out=out)),
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
    with pytest.raises(KeyError, match="no column 'luck'"):
        run.summary["luck"]


def test_shards_and_resume(tmp_path):
    """Parts are requests of their own, and a folder that was finished is not played again."""
    parts = [knave.run("dungeon", "random", n=100, seed=2, shard=(k, 2), out=tmp_path / str(k)) for k in (1, 2)]
    assert sum(part.summary["games"][0] for part in parts) == 100
    again = knave.run("dungeon", "random", n=100, seed=2, shard=(1, 2), out=tmp_path / "1", resume=True)
    assert again.manifest == parts[0].manifest


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
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(run)
    with pytest.raises(knave.RequestError, match="there already"):
        run.save(tmp_path / "kept")
    with pytest.raises(AttributeError, match=r"holds no luck\.csv, but .*summary"):
        _ = run.luck


def test_other_folders_are_refused(tmp_path):
    """Folders without results and of another form are refused, not half read."""
    with pytest.raises(knave.RequestError, match=r"no manifest\.json"):
        knave.load(tmp_path)
    run = knave.run("dungeon", "random", n=1, out=tmp_path / "run")
    path = run.folder / "manifest.json"
    path.write_text(json.dumps(run.manifest | {"schema": 99}))
    with pytest.raises(knave.RequestError, match="schema is 99, and this version reads 2"):
        knave.load(run.folder)


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "words"),
    [
        (("dungen", "mcts"), {}, knave.RequestError, "unknown game 'dungen', did you mean 'dungeon'"),
        (("dungeon", "mtcs"), {}, knave.RequestError, "did you mean 'mcts'"),
        (("dungeon", "mcts:iterations=x"), {}, knave.RequestError, "iterations=x is refused"),
        (("dungeon", "mcts"), {"rules": {"health": 0}}, knave.RequestError, "health=0 is refused: expected a whole number"),
        (("dungeon", "mcts"), {"rules": {"halth": 1}}, knave.RequestError, "did you mean 'health'"),
        (("dungeon", "mcts"), {"rules": 3}, knave.RequestError, "rules"),
        (("dungeon", "mcts"), {"rules": {"health": object()}}, TypeError, "JSON"),
        (("dungeon", "mcts"), {"n": -1}, knave.RequestError, "n: "),
        (("dungeon", "mcts"), {"n": 0}, knave.RequestError, "at least 1 is needed"),
        (("dungeon", "mcts"), {"seed": 1.5}, knave.RequestError, "seed"),
        (("dungeon", "mcts"), {"threads": 0}, ValueError, "threads=0 is refused"),
        (("dungeon", "mcts"), {"shard": (3, 2)}, knave.RequestError, "3"),
        (("dungeon", "mcts"), {"sahrd": (1, 2)}, TypeError, "unexpected keyword argument 'sahrd'"),
        (("dungeon", object()), {}, TypeError, "not iterable"),
        (("dungeon", [object()]), {}, TypeError, "no method choose"),
    ],
)
def test_bad_input_is_refused_before_any_game(arguments, keywords, error, words):
    """Errors are exceptions with the words of the command."""
    with pytest.raises(error, match=words):
        knave.run(*arguments, **keywords)


def test_other_results_are_not_overwritten(tmp_path):
    """What lies in a folder stays, unless one says so."""
    knave.run("dungeon", "random", n=5, out=tmp_path / "run")
    with pytest.raises(knave.RequestError, match="holds another run"):
        knave.run("dungeon", "random", n=6, out=tmp_path / "run")
    assert knave.run("dungeon", "random", n=6, out=tmp_path / "run", force=True).summary["games"] == [6]


def test_games_and_agents_are_listed():
    """What can be played, and by whom: the same lists as the command's."""
    assert [game["game"] for game in knave.games()] == ["dungeon", "verslun", "columns", "doubles", "whist"]
    names = [agent["agent"] for agent in knave.agents("dungeon")]
    assert "mcts" in names and "expectimax" in names and "python" not in names
    with pytest.raises(knave.RequestError, match="unknown game"):
        knave.agents("chess")


def test_an_interrupt_stops_at_once_and_keeps_what_was_finished(tmp_path):
    """Ctrl-C stops within 100 ms (three times as long is allowed on a busy machine), and what was finished is kept."""
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(1.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        knave.run("dungeon", "mcts", n=10_000_000, seed=2, out=tmp_path / "run")
    assert time.monotonic() - sent[0] < 0.3
    results = caught.value.results
    assert not results.complete and results.manifest["finished"] > 0
    assert "missing" in results._repr_html_()


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


def test_progress_is_shown_where_tqdm_is(capsys):
    """A bar is drawn when it is asked for, and an exception while it is drawn stops the run."""
    knave.run("dungeon", "mcts", n=3000, progress=True)
    assert "games" in capsys.readouterr().err
    assert "tqdm" in sys.modules
