"""Versions that results carry."""

from __future__ import annotations

from typing import Final

from flip7sim.rules import RULES_VERSION

ENGINE_VERSION: Final = 1
"""Changes when the same seed gives other numbers; CHANGELOG.md names every change."""

__all__ = ["ENGINE_VERSION", "RULES_VERSION"]
