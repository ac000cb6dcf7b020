"""What an option does to each player: how targeting policies rank the options of Vengeance.

A policy that compares `option_effect` over ``range(table.n_options)`` needs to know no rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7sim._jit import helper, njit
from flip7sim.lines import POINTS
from flip7sim.readings import (
    SEEN,
    bust_probability,
    busts_without,
    line_score,
    next_card_gain,
    score_after,
)
from flip7sim.table import (
    ASK_DISCARD,
    ASK_FLIP7_BONUS,
    ASK_FLIP_FOUR,
    ASK_JUST_ONE_MORE,
    ASK_MODIFIER,
    ASK_STEAL,
    ASK_SWAP,
    BUSTED,
    NO_CARD,
)


@njit
def option_effect(table: Any, option: int, seat: int) -> float:
    """Return how an option of the choice being made would change a seat's round score.

    Parameters
    ----------
    table : record
        In which a Vengeance choice is asked (`table.ask`).
    option : int
        Index into ``table.options``.
    seat : int
        Any seat, the chooser's too.

    Returns
    -------
    float
        In points. Exact for cards that move; a bust loses the line, a Flip 7 brings the bonus.
        For Just One More the expectation over the next card; for Flip Four that of four cards
        that are all like the first.
    """
    chosen = table.options[option]
    ask, target, card = table.ask, int(chosen.seat), int(chosen.card)
    if ask == ASK_SWAP:
        if seat == target:
            return _moved(table, seat, card, int(chosen.with_card))
        if seat == chosen.with_seat:
            return _moved(table, seat, int(chosen.with_card), card)
        return 0.0
    if ask == ASK_STEAL and seat == table.chooser:
        return _moved(table, seat, NO_CARD, card)
    if seat != target:
        return 0.0
    if ask == ASK_STEAL or ask == ASK_DISCARD:
        return _moved(table, seat, card, NO_CARD)
    if ask == ASK_MODIFIER:
        if table.status[seat] == BUSTED:
            return -1.0 * POINTS[table.card]
        return _moved(table, seat, NO_CARD, table.card)
    if ask == ASK_FLIP7_BONUS:
        return 1.0 * table.flip7_bonus if seat == table.chooser else -1.0 * table.flip7_bonus
    if ask == ASK_JUST_ONE_MORE:
        return next_card_gain(table, seat, SEEN)
    if ask == ASK_FLIP_FOUR:
        return _four_cards(table, seat)
    return 0.0


@helper
def _moved(table: Any, seat: int, leaving: int, arriving: int) -> float:
    return 1.0 * (score_after(table, seat, leaving, arriving) - line_score(table, seat))


@helper
def _four_cards(table: Any, seat: int) -> float:
    """Return the expected change by four cards, each as the first would be."""
    score = line_score(table, seat)
    survives = 1.0 - bust_probability(table, seat, SEEN)
    if survives <= 0:
        return -1.0 * score
    # What a card brings when it does not bust, four times over, if none busts.
    gain = (next_card_gain(table, seat, SEEN) + (1.0 - survives) * score) / survives
    return survives**4 * (score + 4 * gain) - score


@njit
def option_busts(table: Any, option: int, seat: int) -> float:
    """Return the probability that an option of the choice being made busts a seat.

    Returns
    -------
    float
        0 or 1 where cards move; for Just One More the chance of the next card, for Flip Four that
        of four such cards.
    """
    chosen = table.options[option]
    ask, target, card = table.ask, int(chosen.seat), int(chosen.card)
    if ask == ASK_SWAP:
        if seat == target:
            return 1.0 * busts_without(table, seat, card, int(chosen.with_card))
        if seat == chosen.with_seat:
            return 1.0 * busts_without(table, seat, int(chosen.with_card), card)
    elif ask == ASK_STEAL and seat == table.chooser:
        return 1.0 * busts_without(table, seat, NO_CARD, card)
    elif seat == target and ask == ASK_JUST_ONE_MORE:
        return bust_probability(table, seat, SEEN)
    elif seat == target and ask == ASK_FLIP_FOUR:
        return 1.0 - (1.0 - bust_probability(table, seat, SEEN)) ** 4
    return 0.0


@helper
def rivals_touched(table: Any, seat: int) -> int:
    """Return the players other than the seat's whom some option names, bit s for seat s."""
    one: Any = np.int64(1)
    mask: Any = np.int64(0)
    if table.ask == ASK_SWAP:
        # Pairs are listed card by card, so the first card's name every other line.
        first = table.options[0]
        mask |= one << int(first.seat)
        for option in range(table.n_options):
            pair = table.options[option]
            if pair.seat != first.seat or pair.card != first.card:
                break
            mask |= one << int(pair.with_seat)
    else:
        for option in range(table.n_options):
            mask |= one << int(table.options[option].seat)
    return mask & ~(one << seat)


@helper
def costliest(table: Any, rival: int) -> int:
    """Return the first option that costs a rival most."""
    best, least = 0, option_effect(table, 0, rival)
    for option in range(1, table.n_options):
        named = table.options[option]
        touched = named.seat == rival or named.with_seat == rival
        effect = option_effect(table, option, rival) if touched else 0.0
        if effect < least:
            best, least = option, effect
    return best


@helper
def rival_of_highest(table: Any, seat: int, worth: Any) -> int:
    """Return the rival with the highest `worth`, a function of `worths`, whom some option names.

    The first clockwise of equals; the own seat if the options name nobody else.
    """
    mask = rivals_touched(table, seat)
    best, most, rival = seat, worth(table, seat), seat
    for _ in range(table.n_seats - 1):
        rival = rival + 1 if rival + 1 < table.n_seats else 0
        if (mask >> rival) & 1 != 0:
            value = worth(table, rival)
            if best == seat or value > most:
                best, most = rival, value
    return best
