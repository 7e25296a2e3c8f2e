"""Tests of knave_results.py, on folders that `sim` writes for them: test_results.py"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import knave_results as knave
import polars as pl


class Loading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_types_are_those_that_are_documented(self):
        """A column keeps its type even if every cell is empty or looks like another type."""
        run = knave.run("run --game dungeon --agent random -n 1 --games", self.folder / "run")
        self.assertEqual(run.summary["score_low"].to_list(), [None])
        self.assertEqual(run.summary.schema["score_low"], pl.Float64)
        self.assertEqual(run.games.schema["index"], pl.Int64)
        self.assertEqual(run.tally.schema["key"], pl.String)
        solved = knave.run("solve --game dungeon --objective health -n 3 --budget 50 --solutions", self.folder / "solved")
        self.assertEqual(solved.solutions.schema["value"], pl.Int64)
        whist = knave.run("compare --game whist --agent random --agent greedy -n 5", self.folder / "whist")
        self.assertEqual(whist.comparison.schema["interval"], pl.String)
        self.assertEqual(whist.comparison.schema["llr"], pl.Float64)
        for results in (run, solved, whist):
            files = {name.removesuffix(".csv") for name in results.manifest["files"] if name.endswith(".csv")}
            self.assertEqual(set(results.tables), files)

    def test_a_study_has_its_runs(self):
        """A study gives its joined tables, and each of its runs."""
        study = 'summary = "s"\nseed = 1\n[[cells]]\ncommand = "run"\ngame = "dungeon"\nagents = ["random"]\nn = 3\nrules = [{}, { health = 9 }]\n'
        (self.folder / "s.toml").write_text(study, encoding="utf-8")
        done = knave.subprocess.run([knave.sim(), "experiment", "s.toml", "--quiet", "--out", "s"], cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 0)
        results = knave.load(self.folder / "s")
        self.assertEqual(results.summary.height, 2)
        self.assertEqual(sorted(results.runs), sorted(results.cells["cell"]))

    def test_other_forms_are_refused(self):
        """Folders of another schema, and folders without results, are refused."""
        run = knave.run("run --game dungeon --agent random -n 1", self.folder / "run")
        manifest = run.path / "manifest.json"
        manifest.write_text(json.dumps(run.manifest | {"schema": knave.SCHEMA + 1}), encoding="utf-8")
        with self.assertRaisesRegex(knave.ResultsError, "schema is 3, and this module reads 2"):
            knave.load(run.path)
        manifest.unlink()
        with self.assertRaisesRegex(knave.ResultsError, "no manifest.json"):
            knave.load(run.path)
        with self.assertRaisesRegex(knave.ResultsError, "unknown game"):
            knave.run("run --game chess --agent random -n 1", self.folder / "chess")
        with self.assertRaisesRegex(AttributeError, "holds no luck.csv"):
            _ = run.luck


if __name__ == "__main__":
    unittest.main()
