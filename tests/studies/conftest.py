"""What the tests of studies share."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType], None]:
    """Return what makes a test fail as soon as a study, given by its module, is played."""

    def never(*_: Any, **__: Any) -> None:
        pytest.fail("the study was played")

    return lambda study: monkeypatch.setattr(study, "play", never)
