"""Compiled code is kept on disk, and never outlives the sources that it came from."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flip7sim import _jit

pytestmark = pytest.mark.skipif(_jit.DISABLED, reason="nothing is compiled")

# A kernel and a policy whose answers come from helpers in other files.
KERNEL = """
from flip7sim._jit import njit
from flip7sim.engine.small_helper import worth


@njit
def small(tables):
    return worth(tables[0])
"""
HELPER = """
from flip7sim._jit import helper
from flip7sim.lines import line_score


@helper
def worth(table):
    return line_score(table, 0)
"""
PROGRAM = """
import json
import numpy as np
from flip7sim._jit import PACKAGE
from flip7sim.callbacks import call_at
from flip7sim.engine.small_kernel import small
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.runner import new_tables

player = as_player("score:20")
tables = new_tables(Rules(), [player], 1)
table = tables.view(np.recarray)[0]
table.number_sum[0] = 19
table.n_line[0] = 2
stays = call_at(int(table.address[0]), table, 0)
print(json.dumps([str(PACKAGE), int(small(tables)), stays]))
"""
# A file's new end takes the place of what stands above it, whatever that looks like.
LINE_SCORE = """

_line_score_before = line_score


@helper
def line_score(table, seat):
    return _line_score_before(table, seat) + 1
"""
WORTH = """

_before = worth


@helper
def worth(table):
    return _before(table) + 100
"""


class Copy:
    """A copy of the package with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "flip7sim"
        self.cache = folder / "cache"
        shutil.copytree(
            _jit.PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__", "*.tmp")
        )
        (self.package / "engine/small_kernel.py").write_text(KERNEL)
        (self.package / "engine/small_helper.py").write_text(HELPER)

    def append(self, name: str, text: str) -> None:
        path = self.package / name
        path.write_text(path.read_text("utf-8") + text, "utf-8")

    def run(self, **environment: str) -> list[Any]:
        """Return what the kernel and the policy answer in a new process."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", PROGRAM],
            cwd=self.package.parent, capture_output=True, text=True, check=False,
            env={**inherited, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        package, *answers = json.loads(run.stdout)
        assert package == str(self.package)
        return list(answers)

    def compiled(self) -> dict[str, int]:
        """Return the files of machine code and when each was written."""
        return {str(path): path.stat().st_mtime_ns for path in self.package.parent.rglob("*.nbc")}


def test_an_edited_helper_is_never_answered_by_old_machine_code(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    own = {"NUMBA_CACHE_DIR": str(copy.cache)}
    assert copy.run(**own) == [19, 0]
    first = copy.compiled()
    assert len(first) >= 2
    assert all(path.startswith(str(copy.cache)) for path in first)

    copy.append("tables.py", "\n# A file that no compiled code comes from.\n")
    assert copy.run(**own) == [19, 0]
    assert copy.compiled() == first  # nothing was compiled again

    copy.append("engine/small_helper.py", WORTH)  # in the kernel's own folder
    assert copy.run(**own) == [119, 0]

    copy.append("lines.py", LINE_SCORE)  # in another folder, two calls away
    assert copy.run(**own) == [120, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="a folder cannot be made read-only there")
def test_without_a_cache_folder_of_its_own_the_cache_stands_beside_the_sources(
    tmp_path: Path,
) -> None:
    copy = Copy(tmp_path)
    assert copy.run() == [19, 0]
    first = copy.compiled()
    assert len(first) >= 2
    assert all("__pycache__" in path for path in first)
    assert copy.run() == [19, 0]
    assert copy.compiled() == first


@pytest.mark.parametrize("length", [0, 10])
def test_a_damaged_cache_is_compiled_anew(tmp_path: Path, length: int) -> None:
    copy = Copy(tmp_path)
    own = {"NUMBA_CACHE_DIR": str(copy.cache)}
    assert copy.run(**own) == [19, 0]
    for path in copy.cache.rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:length])
    assert copy.run(**own) == [19, 0]
    whole = copy.compiled()
    assert all(Path(path).stat().st_size > 1000 for path in whole)
    assert copy.run(**own) == [19, 0]
    assert copy.compiled() == whole


def test_decorating_leaves_numba_s_settings_as_they_were() -> None:
    import numba

    before = numba.config.CACHE_LOCATOR_CLASSES
    _jit.njit(lambda x: x)
    after = numba.config.CACHE_LOCATOR_CLASSES
    assert after == before
    assert "flip7sim" not in str(after)
