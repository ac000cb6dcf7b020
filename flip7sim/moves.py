"""What a Vengeance line would be if a card left it or arrived: by steal, swap, discard, gift, flip.

Nothing is moved; the engine does that, policies only reckon (rules.md section 5).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7sim._jit import njit
from flip7sim.cards import DIV2, LAST_MODIFIER, LAST_NUMBER, LUCKY13, SEVEN, UNLUCKY7
from flip7sim.lines import POINTS, RANK, n_of_rank


@njit
def busts_without(table: Any, seat: int, leaving: int, arriving: int) -> bool:
    """Return whether a card busts a Vengeance line that another has just left.

    Parameters
    ----------
    table : record
    seat : int
    leaving, arriving : int
        Card kinds, `NO_CARD` (255) for none; `leaving` must be in the line.

    Returns
    -------
    bool
    """
    if arriving > LAST_NUMBER:
        return False
    special = table.specials != 0
    if arriving == UNLUCKY7 and special:
        return False
    rank = RANK[arriving]
    n_same = n_of_rank(table, seat, rank)
    n_lucky = np.int64(table.line[seat, LUCKY13])
    if leaving <= LAST_NUMBER and RANK[leaving] == rank:
        n_same -= 1
        n_lucky -= leaving == LUCKY13
    n_lucky += arriving == LUCKY13
    return n_same > 0 and not (special and rank == 13 and n_same == 1 and n_lucky > 0)


@njit
def score_after(table: Any, seat: int, leaving: int, arriving: int) -> int:
    """Return a Vengeance seat's score if one card left its line and another arrived.

    Parameters
    ----------
    table : record
    seat : int
        Of a player who has not busted.
    leaving, arriving : int
        Card kinds, `NO_CARD` (255) for none; `leaving` must be in the line.

    Returns
    -------
    int
        0 for a bust; with the bonus for a Flip 7 (rules.md section 5).
    """
    if arriving == UNLUCKY7 and table.specials != 0:
        return 7
    if busts_without(table, seat, leaving, arriving):
        return 0
    number_sum, modifier_sum = table.number_sum[seat], table.modifier_sum[seat]
    n_doublers, n_numbers = table.n_doublers[seat], table.n_numbers[seat]
    n_zeros = np.int64(table.line[seat, 0])
    if leaving <= LAST_NUMBER:
        rank = RANK[leaving]
        number_sum -= rank
        n_zeros -= rank == 0
        if table.lucky13_pair_counts != 1 or n_of_rank(table, seat, rank) == 1:
            n_numbers -= 1
    elif leaving == DIV2:
        n_doublers -= 1
    elif leaving <= LAST_MODIFIER:
        modifier_sum -= POINTS[leaving]
    if arriving <= LAST_NUMBER:
        rank = RANK[arriving]
        number_sum += rank
        n_zeros += rank == 0
        # The line is legal, so a card of this rank that stays in it is the other 13 of a pair.
        n_same = n_of_rank(table, seat, rank)
        if leaving <= LAST_NUMBER and RANK[leaving] == rank:
            n_same -= 1
        if table.lucky13_pair_counts != 1 or n_same == 0:
            n_numbers += 1
    elif arriving == DIV2:
        n_doublers += 1
    elif arriving <= LAST_MODIFIER:
        modifier_sum += POINTS[arriving]
    seven = n_numbers >= SEVEN
    points: Any = np.int64(0)
    if seven or n_zeros == 0 or table.specials == 0:
        points = (number_sum >> min(n_doublers, 62)) - modifier_sum
        if points < 0 and table.brutal == 0:
            points = 0
    return int(points + table.flip7_bonus) if seven else int(points)
