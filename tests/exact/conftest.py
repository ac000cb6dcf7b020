from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the solutions of these tests out of the user's cache."""
    folder = tmp_path_factory.mktemp("solutions")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLIP7SIM_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="session")
def brute() -> ModuleType:
    """The plain-Python solver of the base game, which stands in no package."""
    return load("brute_force")


@pytest.fixture(scope="session")
def brute_vengeance() -> ModuleType:
    """The same of Vengeance."""
    return load("brute_force_vengeance")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
