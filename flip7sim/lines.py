"""What a line is, in both games: its cards, its worth, what busts it (rules.md sections 3-5).

The engine changes lines through these functions and policies read them, so a rule about a line
stands here and nowhere else.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import helper, inlined, int64, unsigned
from flip7sim.cards import (
    DIV2,
    FIRST_MODIFIER,
    LAST_NUMBER,
    LUCKY13,
    MODIFIER_POINTS,
    N_KINDS,
    RANKS,
    SEVEN,
    UNLUCKY7,
    X2,
)
from flip7sim.table import ACTIVE, BASE, BUSTED, SEATS_AT_ONCE, STAYED

RANK: Final = np.array(RANKS, np.int64)
POINTS: Final = np.array(MODIFIER_POINTS, np.int64)


@inlined
def holds_zero(table: Any, seat: int) -> bool:
    """Return whether The Zero binds the seat: in its line without a Flip 7 (section 5)."""
    return (
        table.game != BASE
        and table.specials != 0
        and (table.held[seat] & 1) != 0
        and table.n_numbers[seat] < SEVEN
    )


@inlined
def line_score(table: Any, seat: int) -> int:
    """Return what the seat's line is worth in points, without a Flip 7 bonus.

    Base game: numbers, doubled by each `x2`, plus the plus cards. Vengeance: 0 under The Zero,
    else numbers, halved by each `div2`, minus the minus cards, at least 0 unless Brutal.
    Whether the seat has busted is not looked at.

    Parameters
    ----------
    table : record
    seat : int

    Returns
    -------
    int
    """
    if table.game == BASE:
        return (table.number_sum[seat] << table.n_doublers[seat]) + table.modifier_sum[seat]
    if holds_zero(table, seat):
        return 0
    halvings = min(table.n_doublers[seat], 62)
    points = (table.number_sum[seat] >> halvings) - table.modifier_sum[seat]
    if points < 0 and table.brutal == 0:
        return 0
    return points


@inlined
def add_card(table: Any, seat: int, kind: int) -> None:
    """Put a card into a line; bust and Flip 7 are found by the caller."""
    table.line[seat, kind] += 1
    table.n_line[seat] += 1
    if kind <= LAST_NUMBER:
        rank = RANK[kind]
        bit = int64(1) << rank
        # Of a pair of 13s one may count (rule option), so a held 13 is not counted again.
        if not (rank == 13 and table.lucky13_pair_counts == 1 and (table.held[seat] & bit) != 0):
            table.n_numbers[seat] += 1
        table.held[seat] |= bit
        table.number_sum[seat] += rank
    elif kind == X2 or kind == DIV2:
        table.n_doublers[seat] += 1
    elif kind >= FIRST_MODIFIER:
        table.modifier_sum[seat] += POINTS[kind]


@helper
def remove_card(table: Any, seat: int, kind: int) -> None:
    """Take a card out of a Vengeance line."""
    table.line[seat, kind] -= 1
    table.n_line[seat] -= 1
    if kind <= LAST_NUMBER:
        rank = RANK[kind]
        remains = n_of_rank(table, seat, rank) > 0
        if not (remains and table.lucky13_pair_counts == 1):
            table.n_numbers[seat] -= 1
        if not remains:
            table.held[seat] &= ~(int64(1) << rank)
        table.number_sum[seat] -= rank
    elif kind == DIV2:
        table.n_doublers[seat] -= 1
    else:
        table.modifier_sum[seat] -= POINTS[kind]


@inlined
def n_of_rank(table: Any, seat: int, rank: int) -> int:
    """Return how many cards of a rank are in the line, special ones included."""
    n = int64(table.line[seat, rank])
    if rank == 7:
        n += table.line[seat, UNLUCKY7]
    elif rank == 13:
        n += table.line[seat, LUCKY13]
    return n


@inlined
def is_illegal(table: Any, seat: int, rank: int) -> bool:
    """Return whether the line has a pair of `rank` that busts it.

    Two 13s are legal with `lucky13` among them (section 5).
    """
    n = n_of_rank(table, seat, rank)
    if n < 2:
        return False
    return not (rank == 13 and n == 2 and table.specials != 0 and table.line[seat, LUCKY13] != 0)


@inlined
def _clear(field: Any, first: int) -> None:
    for k in range(SEATS_AT_ONCE):
        field[first + unsigned(k)] = 0


@inlined
def clear_lines(table: Any, first: int) -> None:
    """Empty `SEATS_AT_ONCE` seats for a new round, from seat `first` on, an unsigned index.

    Field by field, because the processor clears what lies side by side at once.
    """
    _clear(table.status, first)  # ACTIVE
    _clear(table.held, first)
    _clear(table.n_numbers, first)
    _clear(table.number_sum, first)
    _clear(table.modifier_sum, first)
    _clear(table.n_doublers, first)
    _clear(table.n_second_chances, first)
    _clear(table.n_line, first)
    _clear(table.penalty, first)
    _clear(table.frozen, first)
    for k in range(SEATS_AT_ONCE):
        for kind in range(N_KINDS):
            table.line[first + unsigned(k), kind] = 0
            table.used[first + unsigned(k), kind] = 0


@inlined
def deactivate(table: Any, seat: int) -> None:
    """Count a player out of the active ones."""
    table.active &= ~(int64(1) << seat)
    table.n_active -= 1


@inlined
def stay(table: Any, seat: int) -> None:
    """Make an active player stay; others remain what they are."""
    if table.status[seat] == ACTIVE:
        table.status[seat] = STAYED
        deactivate(table, seat)


@inlined
def bust(table: Any, seat: int) -> None:
    """Turn a player's line face down."""
    if table.status[seat] == ACTIVE:
        deactivate(table, seat)
    table.status[seat] = BUSTED


@inlined
def round_score(table: Any, seat: int) -> int:
    """Return the seat's points at the end of the round, without a Flip 7 bonus."""
    points, penalty = line_score(table, seat), table.penalty[seat]
    return points if table.status[seat] != BUSTED else -penalty
