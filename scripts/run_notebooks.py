"""Runs notebooks from top to bottom, each in a fresh kernel: run_notebooks.py [--write] FILE…

Fails if a cell does. KNAVE_GAMES sets the number of games of their runs, KNAVE_STEPS how long a learner learns, and
KNAVE_PICTURES a folder for their pictures.

Notebooks are kept with their outputs, so that they can be read where nothing is installed. --write keeps what comes out; without
it files are not changed, and one without outputs is refused. Every cell that calls plt.subplots has to show a picture there.
Metadata of a notebook may say `{"knave": {"needs": ["torch"]}}`: it is skipped where a module is missing.
`{"knave": {"picture": "name"}}` in a cell names the file of its picture in $KNAVE_PICTURES.
"""

import argparse
import base64
import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def run(path: Path, write: bool) -> str:
    notebook = nbformat.read(path, as_version=4)
    marks = notebook.metadata.get("knave", {})
    if not write:
        if not any(cell.get("outputs") for cell in notebook.cells):
            sys.exit(f"{path} holds no outputs: --write runs it and keeps them")
        check_pictures(notebook, path)
    if missing := [module for module in marks.get("needs", []) if find_spec(module) is None]:
        return f"skipped, since it needs {' and '.join(missing)}"
    language = dict(notebook.metadata.language_info)
    start = time.monotonic()
    try:
        place = {"metadata": {"path": str(path.parent)}}
        quiet = ["--IPKernelApp.log_level=ERROR"]
        limit = None if write else 600
        NotebookClient(notebook, timeout=limit, resources=place, extra_arguments=quiet, record_timing=False).execute()
    except CellExecutionError as error:
        sys.exit(f"{path}: {error}")
    if write:
        check_pictures(notebook, path)
        notebook.metadata.language_info = language
        nbformat.write(notebook, path)
    if folder := os.environ.get("KNAVE_PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for cell in notebook.cells:
            if name := cell.metadata.get("knave", {}).get("picture"):
                Path(folder, f"{name}.png").write_bytes(picture(cell, path))
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    return f"{cells} cells, {time.monotonic() - start:.1f} s"


def check_pictures(notebook: nbformat.NotebookNode, path: Path) -> None:
    """Every cell that draws has to show what it has drawn."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and "plt.subplots(" in cell.source:
            picture(cell, path)


def picture(cell: nbformat.NotebookNode, path: Path) -> bytes:
    """The picture that a cell shows."""
    for output in cell.outputs:
        if image := output.get("data", {}).get("image/png"):
            return base64.b64decode(image)
    sys.exit(f"{path}: cell {cell.id} shows no picture: --write keeps it, unless MPLBACKEND=agg is set")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true", help="keep the outputs")
    args = parser.parse_args()
    for path in args.files:
        print(f"{path}: {run(path, args.write)}", flush=True)


if __name__ == "__main__":
    main()
