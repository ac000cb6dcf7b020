"""Every notebook runs at low effort, equals its .py twin and has its outputs committed."""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LOW_EFFORT = "5_000"


def names(path: Path) -> str:
    return path.stem


def test_there_are_notebooks() -> None:
    assert {"stay_thresholds", "writing_a_policy", "exact", "base_vs_vengeance"} <= {
        path.stem for path in NOTEBOOKS
    }
    assert {path.stem for path in NOTEBOOKS} == {path.stem for path in FOLDER.glob("*.py")}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names)
def test_twins_hold_the_same_cells(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    twin = jupytext.read(path.with_suffix(".py"))
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
        (cell.cell_type, cell.source) for cell in twin.cells
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names)
def test_outputs_are_committed_and_hold_no_error(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert any(cell.outputs for cell in code)
    counts = [cell.execution_count for cell in code]
    assert counts == list(range(1, len(code) + 1)), "run the notebook from top to bottom"
    assert not [out for cell in code for out in cell.outputs if out.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names)
def test_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLIP7SIM_NOTEBOOK_ROUNDS", LOW_EFFORT)
    monkeypatch.setenv("PYTHONWARNINGS", "default")
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
