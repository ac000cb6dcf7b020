"""`import flip7sim` is cheap and offers every public name."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import flip7sim

PUBLIC = [name for name in flip7sim.__all__ if name != "__version__"]
HEAVY = ("numba", "numpy", "pandas", "scipy", "matplotlib", "pyarrow")


@pytest.mark.parametrize("name", PUBLIC)
def test_public_name_is_its_module_s(name: str) -> None:
    home = import_module(f"flip7sim.{flip7sim._HOME[name]}")
    assert getattr(flip7sim, name) is getattr(home, name)
    assert name in dir(flip7sim)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(flip7sim.__file__).read_text("utf-8"))
    block = next(
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    seen = {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: f"flip7sim.{home}" for name, home in flip7sim._HOME.items()}


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = flip7sim.no_such_name


def test_a_module_does_not_hide_the_public_name_it_shares() -> None:
    before = flip7sim.Rules
    flip7sim.Rules = ModuleType("flip7sim.Rules")  # what importing such a module does
    assert flip7sim.Rules is before


def test_import_loads_no_heavy_library() -> None:
    program = f"import sys, flip7sim; print([m for m in {HEAVY!r} if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
