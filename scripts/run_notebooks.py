"""Runs notebooks from top to bottom, each in a fresh kernel: run_notebooks.py FILE…

Fails if a cell does. The files are not changed. KNAVE_GAMES sets the number of games of their runs, and KNAVE_PICTURES a folder for
their pictures.
"""

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

# Notebooks run in the folder in which they lie.
for name in ("KNAVE_SIM", "KNAVE_PICTURES"):
    if name in os.environ:
        os.environ[name] = str(Path(os.environ[name]).resolve())
if pictures := os.environ.get("KNAVE_PICTURES"):
    Path(pictures).mkdir(parents=True, exist_ok=True)

for path in map(Path, sys.argv[1:]):
    notebook = nbformat.read(path, as_version=4)
    if any(cell.get("outputs") for cell in notebook.cells):
        sys.exit(f"{path}: clear the outputs before it is kept")
    start = time.monotonic()
    try:
        place = {"metadata": {"path": str(path.parent)}}
        quiet = ["--IPKernelApp.log_level=ERROR"]
        NotebookClient(notebook, timeout=600, resources=place, extra_arguments=quiet).execute()
    except CellExecutionError as error:
        sys.exit(f"{path}: {error}")
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    print(f"{path}: {cells} cells, {time.monotonic() - start:.1f} s", flush=True)
