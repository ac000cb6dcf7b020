"""Tables as text, and files written whole or not at all."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from flip7sim import files
from flip7sim.errors import InputError
from flip7sim.tables import markdown_table, text_table, write_csv, write_markdown, write_parquet

FRAME = pd.DataFrame(
    {
        "policy": ["score:25", "bust:0.26 or cards:6", "a | b"],
        "mean": [19.339, 19.5, math.nan],
        "points": ["19.339 ± 0.004", "19.50 ± 0.10", "unknown"],
        "rounds": np.array([10**6, 10**4, 1]),
        "tied": [True, False, True],
        "note": [None, "x", None],
    }
)

WRITERS: dict[str, Callable[[Path], Any]] = {
    "csv": lambda path: write_csv(FRAME, path),
    "parquet": lambda path: write_parquet(FRAME, path),
    "md": lambda path: write_markdown(FRAME, path, title="Title", notes=["A note."]),
    "json": lambda path: files.write_json(path, {"b": 1, "a": [0.1, None]}),
}


def test_a_table_keeps_digits_and_says_what_is_unknown() -> None:
    shown = text_table(FRAME, title="Policies", notes=["one", "two"], formats={"mean": ".2f"})
    assert [line.rstrip() for line in shown.splitlines()] == [
        "Policies",
        "",
        "policy                   mean          points    rounds  tied    note",
        "--------------------  -------  --------------  --------  ------  ------",
        "score:25                19.34  19.339 ± 0.004   1000000  yes",
        "bust:0.26 or cards:6    19.50    19.50 ± 0.10     10000  no      x",
        "a | b                 unknown         unknown         1  yes",
        "",
        "one",
        "two",
    ]


def test_a_bar_in_a_cell_does_not_break_a_markdown_table() -> None:
    lines = markdown_table(FRAME[["policy", "points"]]).splitlines()
    assert lines[1].startswith("|:--") and lines[1].endswith("-:|")
    assert lines[4].replace(" ", "") == "|a\\|b|unknown|"


def test_a_table_without_rows_still_has_its_head() -> None:
    assert "policy" in text_table(FRAME.iloc[:0])
    assert markdown_table(FRAME.iloc[:0]).startswith("| policy")


@pytest.mark.parametrize("kind", WRITERS)
def test_the_same_content_gives_the_same_bytes_and_nothing_else(tmp_path: Path, kind: str) -> None:
    first, second = tmp_path / "new" / f"a.{kind}", tmp_path / "new" / f"b.{kind}"
    for path in (first, second, second):  # the last replaces a file
        WRITERS[kind](path)
    assert first.read_bytes() == second.read_bytes() != b""
    assert sorted(path.name for path in first.parent.iterdir()) == [first.name, second.name]
    assert b"\r" not in first.read_bytes() or kind == "parquet"


def test_data_files_read_back_as_they_were(tmp_path: Path) -> None:
    write_csv(FRAME, tmp_path / "a.csv")
    write_parquet(FRAME, tmp_path / "a.parquet", metadata={"seed": "1"})
    for back in (pd.read_csv(tmp_path / "a.csv"), pd.read_parquet(tmp_path / "a.parquet")):
        pd.testing.assert_frame_equal(back, FRAME, check_dtype=False)
    import pyarrow.parquet as pq

    assert pq.read_schema(tmp_path / "a.parquet").metadata == {b"seed": b"1"}


def test_markdown_files_are_heading_table_notes(tmp_path: Path) -> None:
    WRITERS["md"](tmp_path / "a.md")
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert text.startswith("# Title\n\n| policy") and text.endswith("|\n\nA note.\n")


def test_json_keeps_its_order_and_refuses_nan(tmp_path: Path) -> None:
    WRITERS["json"](tmp_path / "a.json")
    assert list(json.loads((tmp_path / "a.json").read_bytes())) == ["b", "a"]
    with pytest.raises(ValueError, match="JSON"):
        files.write_json(tmp_path / "b.json", math.nan)
    assert not (tmp_path / "b.json").exists()


@pytest.mark.parametrize("kind", WRITERS)
def test_a_folder_that_cannot_be_one_is_one_clear_line(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("kept")
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(InputError, match=r"cannot write to .*file") as caught:
            WRITERS[kind](folder / f"a.{kind}")
        assert "\n" not in str(caught.value)
        with pytest.raises(InputError, match="cannot write to"):
            files.check_folder(folder)
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = files.write_text(tmp_path / "a.txt", "old")

    def fail(descriptor: int) -> None:
        raise error

    monkeypatch.setattr(files.os, "fsync", fail)
    expected = InputError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as caught:
        files.write_text(path, "new")
    if isinstance(error, OSError):
        assert str(caught.value) == f"cannot write to {path}: no space left on device"
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_place_of_the_file_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(InputError, match="it is a folder, not a file"):
        WRITERS["csv"](tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == [tmp_path / "a.csv"]


def test_a_checked_folder_exists_and_is_empty(tmp_path: Path) -> None:
    folder = files.check_folder(tmp_path / "results" / "new")
    assert folder.is_dir() and not list(folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_files_have_the_mode_that_the_user_asks_for(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        path = files.write_text(tmp_path / "a.txt", "x")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_importing_is_cheap() -> None:
    heavy = "{'numba', 'pandas', 'scipy', 'matplotlib', 'pyarrow', 'tabulate'}"
    program = (
        "import sys; import flip7sim.estimates, flip7sim.tables, flip7sim.plots; "
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
