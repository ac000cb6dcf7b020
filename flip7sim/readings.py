"""What a policy may read of the table beside its fields: scores, chances, rivals.

All are compiled and can be called from any policy, and from Python. They look only at what the
player can see: lines, totals, and which cards are left by count. A card count depends on how much
a player keeps in mind, the `attention`: `SEEN` everything seen since the last shuffle, `LINES` the
lines now on the table, `OWN` the own line only.
"""

from __future__ import annotations

from functools import wraps
from typing import Any, Final

import numpy as np

from flip7sim import _jit, lines
from flip7sim._jit import helper, njit
from flip7sim.cards import (
    DIV2,
    FIRST_MODIFIER,
    LAST_MODIFIER,
    LAST_NUMBER,
    SEVEN,
    X2,
)
from flip7sim.engine.options import may_receive
from flip7sim.engine.rng import GOLDEN, splitmix64_mix
from flip7sim.lines import POINTS, RANK, round_score
from flip7sim.moves import busts_without, score_after
from flip7sim.table import ACTIVE, BASE, BUSTED, NO_CARD

__all__ = [
    "LINES", "OWN", "SEEN",
    "active_rivals", "best_rival_total", "bust_probability", "busts", "busts_without",
    "clockwise_distance",
    "line_score", "n_active", "n_unseen", "n_unseen_cards", "next_card_gain", "score_after",
    "standing", "uniform",
]  # fmt: skip

SEEN: Final = 0
"""Attention: everything seen since the last shuffle."""
LINES: Final = 1
"""Attention: the face-up lines."""
OWN: Final = 2
"""Attention: the own line."""

# Cached on its own, so that a user's policy that reads it compiles in half the time.
line_score = njit(getattr(lines.line_score, "py_func", lines.line_score))

_DOUBLE: Final = 2.0**-53
_SHIFT: Final = np.uint64(11)
_ROUND: Final = np.uint64(0xD1B54A32D192ED03)
_SEAT: Final = np.uint64(0x8CB92BA72F3D8DD7)


@njit
def n_unseen(table: Any, seat: int, kind: int, attention: int) -> int:
    """Return how many cards of a kind may come next, as far as the seat's player knows.

    Parameters
    ----------
    table : record
    seat : int
        Whose player it is.
    kind : int
        Card kind (`flip7sim.KIND`).
    attention : {SEEN, LINES, OWN}
        `SEEN`: the cards in the deck, or in the discard pile when that is about to become the new
        deck. `LINES`: the full deck less all lines of players who have not busted. `OWN`: the full
        deck less the own line.

    Returns
    -------
    int
    """
    if attention == SEEN:
        return table.left[kind] if table.n_cards_left > 0 else table.discarded[kind]
    n = table.full[kind]
    if attention == OWN:
        return n - table.line[seat, kind]
    for other in range(table.n_seats):
        if table.status[other] != BUSTED:
            n -= table.line[other, kind]
    return n


@njit
def n_unseen_cards(table: Any, seat: int, attention: int) -> int:
    """Return how many cards may come next: the sum of `n_unseen` over all kinds."""
    if attention == SEEN:
        return table.n_cards_left if table.n_cards_left > 0 else table.n_discarded
    n = table.n_cards
    if attention == OWN:
        return n - table.n_line[seat]
    for other in range(table.n_seats):
        if table.status[other] != BUSTED:
            n -= table.n_line[other]
    return n


@njit
def busts(table: Any, seat: int, kind: int) -> bool:
    """Return whether a card of this kind, arriving in the seat's line, would bust it.

    A duplicate number, but not for who holds a Second Chance (rules.md section 4), a 13 beside a
    `lucky13`, or Unlucky 7 (section 5).
    """
    if kind > LAST_NUMBER or (table.held[seat] >> RANK[kind]) & 1 == 0:
        return False
    if table.game == BASE:
        return table.n_second_chances[seat] == 0
    return busts_without(table, seat, NO_CARD, kind)


@njit
def bust_probability(table: Any, seat: int, attention: int) -> float:
    """Return the probability that the next card, flipped for the seat, busts it.

    Parameters
    ----------
    table : record
    seat : int
    attention : {SEEN, LINES, OWN}
        What the player keeps in mind; see `n_unseen`.

    Returns
    -------
    float
        0 with a Second Chance, or where there is no card to flip. Actions count as no bust,
        whatever they may lead to.
    """
    n_cards = n_unseen_cards(table, seat, attention)
    if n_cards <= 0 or table.n_second_chances[seat] != 0:
        return 0.0
    held = table.held[seat]
    n = 0
    if table.game != BASE:
        for kind in range(LAST_NUMBER + 1):
            if (held >> RANK[kind]) & 1 != 0 and busts(table, seat, kind):
                n += n_unseen(table, seat, kind, attention)
    elif attention == SEEN and table.n_cards_left > 0:
        for rank in range(13):  # without a branch: this is asked most
            n += table.left[rank] * ((held >> rank) & 1)
    else:
        for rank in range(13):
            if (held >> rank) & 1 != 0:
                n += n_unseen(table, seat, rank, attention)
    return n / n_cards


@njit
def next_card_gain(table: Any, seat: int, attention: int) -> float:
    """Return the expected change of the seat's round score by one more card.

    A bust loses the line; the seventh number brings the bonus; a duplicate against a Second Chance,
    a Second Chance and every action bring nothing. In Vengeance modifiers are given away, and kept
    only where nobody else can take them; The Zero makes a line worthless short of a Flip 7, and
    Unlucky 7 leaves a line of 7 points.

    Parameters
    ----------
    table : record
    seat : int
    attention : {SEEN, LINES, OWN}
        What the player keeps in mind; see `n_unseen`.

    Returns
    -------
    float
        In points; 0 where there is no card to flip.
    """
    n_cards = n_unseen_cards(table, seat, attention)
    if n_cards <= 0:
        return 0.0
    if table.game == BASE:
        return _base_gain(table, seat, attention) / n_cards
    total, line = 0, line_score(table, seat)
    for kind in range(LAST_NUMBER + 1):
        n = n_unseen(table, seat, kind, attention)
        if n > 0:
            total += n * (score_after(table, seat, NO_CARD, kind) - line)
    if not _gives_away(table, seat):
        for kind in range(DIV2, LAST_MODIFIER + 1):
            if table.inert[kind] == 0:
                n = n_unseen(table, seat, kind, attention)
                total += n * (score_after(table, seat, NO_CARD, kind) - line)
    return total / n_cards


@helper
def _base_gain(table: Any, seat: int, attention: int) -> int:
    """Return the change of a base score, summed over the cards that may come next."""
    held, doublings = table.held[seat], table.n_doublers[seat]
    lost = 0 if table.n_second_chances[seat] != 0 else line_score(table, seat)
    bonus = table.flip7_bonus if table.n_numbers[seat] == SEVEN - 1 else 0
    total = 0
    for rank in range(13):
        n = n_unseen(table, seat, rank, attention)
        if (held >> rank) & 1 != 0:
            total -= n * lost
        else:
            total += n * ((rank << doublings) + bonus)
    for kind in range(FIRST_MODIFIER, X2 + 1):
        if table.inert[kind] == 0:
            points = table.number_sum[seat] << doublings if kind == X2 else POINTS[kind]
            total += n_unseen(table, seat, kind, attention) * points
    return total


@helper
def _gives_away(table: Any, seat: int) -> bool:
    """Return whether the seat could give a modifier to somebody else."""
    for other in range(table.n_seats):  # noqa: SIM110 - what is compiled knows no generators
        if other != seat and may_receive(table, other):
            return True
    return False


@njit
def n_active(table: Any) -> int:
    """Return how many players are active."""
    return table.n_active


@njit
def active_rivals(table: Any, seat: int) -> int:
    """Return how many players other than the seat's are active."""
    return table.n_active - (table.status[seat] == ACTIVE)


@njit
def best_rival_total(table: Any, seat: int) -> int:
    """Return the highest total of the other players before this round; the own one if alone."""
    best = table.total[seat]
    found = False
    for other in range(table.n_seats):
        if other != seat and (not found or table.total[other] > best):
            best = table.total[other]
            found = True
    return best


@njit
def standing(table: Any, seat: int) -> int:
    """Return the seat's total with what the round would bring it if it ended now."""
    return table.total[seat] + round_score(table, seat)


@njit
def clockwise_distance(table: Any, seat: int, other: int) -> int:
    """Return how many seats clockwise `other` sits from `seat`, 0 for itself."""
    distance = other - seat
    return distance if distance >= 0 else distance + table.n_seats


def _quietly(function: Any) -> Any:
    """Return a plain function in which 64-bit arithmetic wraps round without a warning."""

    @wraps(function)
    def quiet(table: Any, seat: int) -> float:
        with np.errstate(over="ignore"):
            return float(function(table, seat))

    return quiet


@(_quietly if _jit.DISABLED else njit)
def uniform(table: Any, seat: int) -> float:
    """Return a random number that depends on seed, round or game, seat and flips so far only.

    Parameters
    ----------
    table : record
    seat : int

    Returns
    -------
    float
        At least 0 and below 1. Asked again before the next flip, it is the same.
    """
    flips = np.uint64(table.flips_before + table.flips)
    word = splitmix64_mix(table.seed[1] + np.uint64(table.stream) * GOLDEN)
    word = splitmix64_mix(word + np.uint64(seat) * _SEAT + flips * _ROUND)
    return np.float64(splitmix64_mix(word + GOLDEN) >> _SHIFT) * _DOUBLE
