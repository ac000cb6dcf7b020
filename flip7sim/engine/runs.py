"""Forced runs of flips and what they set aside, as an explicit stack.

Flip Three, Flip Four and Just One More all flip cards for a target; runs within runs are settled
innermost first (rules.md sections 4 and 5).
"""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper, int64
from flip7sim.engine.deck import discard
from flip7sim.table import NO_CARD


@helper
def push_run(table: Any, action: int, target: int, n_flips: int) -> None:
    """Start a forced run of flips for `target`."""
    run = table.runs[table.n_runs]
    run.action = action
    run.card = action
    run.target = target
    run.flips_left = n_flips
    run.flipping = 1
    run.n_aside = 0
    run.next_aside = 0
    table.n_runs += 1


@helper
def set_aside(table: Any, r: int, card: int) -> None:
    """Set a card aside until run `r` has flipped its last."""
    run = table.runs[r]
    run.aside[run.n_aside] = card
    run.n_aside += 1


@helper
def discard_action(table: Any, r: int) -> None:
    """Discard the card that forced run `r`, if it is still in hand."""
    run = table.runs[r]
    if run.card != NO_CARD:
        discard(table, int64(run.target), int64(run.card))
        run.card = NO_CARD


@helper
def drop_run(table: Any) -> None:
    """End the innermost run and discard what it still has in hand."""
    r = table.n_runs - 1
    discard_action(table, r)
    run = table.runs[r]
    for k in range(int64(run.next_aside), int64(run.n_aside)):
        discard(table, int64(run.target), int64(run.aside[k]))
    table.n_runs = r


@helper
def sweep(table: Any, seat: int) -> None:
    """End the round by the Flip 7 of `seat`; what is pending is discarded (section 3, item 6)."""
    table.over = 1
    table.flip7_seat = seat
    while table.n_runs > 0:
        drop_run(table)
    if table.settling != NO_CARD:
        discard(table, seat, table.settling)
        table.settling = NO_CARD
