"""What makes a rival a target: one number each, the higher the sooner it is chosen, in both games.

Targeting policies hand one of these functions to what looks for its highest value.
"""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper
from flip7sim.readings import SEEN, bust_probability, line_score, standing
from flip7sim.table import BUSTED


@helper
def points(table: Any, seat: int) -> int:
    """Return the points, total and line."""
    return standing(table, seat)


@helper
def few_points(table: Any, seat: int) -> int:
    """Return more for fewer points, total and line."""
    return -standing(table, seat)


@helper
def total(table: Any, seat: int) -> int:
    """Return the total before this round."""
    return table.total[seat]


@helper
def open_line(table: Any, seat: int) -> int:
    """Return what the line is worth, nothing if it has busted."""
    return 0 if table.status[seat] == BUSTED else line_score(table, seat)


@helper
def risk(table: Any, seat: int) -> float:
    """Return the chance to bust on the next card."""
    return bust_probability(table, seat, SEEN)


@helper
def safety(table: Any, seat: int) -> float:
    """Return more for a lower chance to bust on the next card."""
    return -bust_probability(table, seat, SEEN)
