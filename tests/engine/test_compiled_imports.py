"""What compiled code is made of stands where the cache's stamp looks, and in no other file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import flip7sim
from flip7sim._jit import CORE, PACKAGE

FOLDERS = ("engine", "policies", "exact")
# Hand addresses of plain Python functions to compiled code, and are no part of it.
NOT_COMPILED = ("callbacks",)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield module and name of everything that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            for alias in node.names:
                yield node.module or "", alias.name


def imported_modules(path: Path) -> set[str]:
    """Return the package's modules that a file imports, without the package's name."""
    found = set()
    for module, name in imports(path):
        if module.split(".")[0] == "flip7sim":
            inner = module.partition(".")[2]
            whole = f"{inner}.{name}" if inner else name
            found.add(whole if whole in MODULES else inner)
    return found - {""}


def is_stamped(module: str, folder: str | None) -> bool:
    first = module.split(".")[0]
    return first in CORE or f"{first}.py" in CORE or first == folder


# What of `_jit` compiles nothing; whoever uses more of it holds compiled code.
HARMLESS = {"CORE", "DISABLED", "FUNCTIONS", "PACKAGE", "source_stamp"}


def holds_compiled_code(path: Path) -> bool:
    used = {name for module, name in imports(path) if module == "flip7sim._jit"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "_jit":
            used.add(node.attr)
    return bool({name for name in used if not name.startswith("_")} - HARMLESS)


COMPILED = [
    name
    for name, path in MODULES.items()
    if name.split(".")[0] in FOLDERS
    or f"{name}.py" in CORE
    or (holds_compiled_code(path) and name not in NOT_COMPILED)
]


def test_the_modules_looked_at_are_the_right_ones() -> None:
    assert {"lines", "readings", "engine.kernels", "policies.stay", "exact.kernels"} <= {*COMPILED}
    assert Path(flip7sim.__file__).parent == PACKAGE
    for name in CORE:
        assert (PACKAGE / name).exists(), name


@pytest.mark.parametrize("module", COMPILED)
def test_compiled_module_imports_only_what_is_stamped(module: str) -> None:
    folder = module.split(".")[0] if module.split(".")[0] in FOLDERS else None
    strangers = [
        name
        for name in sorted(imported_modules(MODULES[module]))
        if not is_stamped(name, folder) and name not in NOT_COMPILED
    ]
    assert strangers == []


DECORATORS = {
    "jit", "njit", "cfunc", "vectorize", "guvectorize", "stencil", "jit_module", "intrinsic",
    "overload", "overload_method", "overload_attribute", "register_jitable", "jitclass",
}  # fmt: skip


def numba_names(path: Path) -> set[str]:
    """Return what a file takes from numba, imported by name or reached through the module."""
    taken = {name for module, name in imports(path) if module.split(".")[0] == "numba"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[0] == "numba":
            taken.add(node.attr)
    return taken


def test_only_one_module_takes_numba_s_decorators() -> None:
    users = [name for name, path in MODULES.items() if numba_names(path) & DECORATORS]
    assert users == ["_jit"]
