"""Solutions as compiled policies read them: through a pointer to packed words.

The functions find a seat's own line and its own used cards (`table.used`) in a solution. Rounds are
solved for a lone player from a full deck, and every other card counts as still in it: what rivals
hold, what earlier rounds took, and what was given away.

At tables with rivals a Flip Three counts for the player who had to flip the three cards, whoever
drew it, and a Second Chance for the player who holds or used it. So the line is one that a lone
player can come to with the same used cards.

A policy with constant data calls `round_words` or `race_words` once, and `round_stays` or
`race_stays` with the address of those words at every decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flip7sim._jit import helper, read_word
from flip7sim.cards import (
    CARD_NAMES,
    FLIP_THREE,
    GAME_CARDS,
    KIND,
    LAST_NUMBER,
    N_KINDS,
    SECOND_CHANCE,
    UNLUCKY7,
)
from flip7sim.errors import InputError
from flip7sim.exact.layout import build_layout
from flip7sim.exact.packed import (
    WORD_BITS_AT,
    WORD_CHANCES,
    WORD_COLUMNS_AT,
    WORD_FLIP_THREES,
    WORD_INERT,
    WORD_INERT_AT,
    WORD_N_DECISIONS,
    WORD_N_MODIFIERS,
    WORD_STRIDES_AT,
    WORD_SUBSETS_AT,
    WORD_TAILS_AT,
    WORD_TOTALS,
    WORD_VALUES_AT,
    WORD_WIDTH,
)
from flip7sim.exact.race import check_race, solve_race
from flip7sim.exact.round import solve
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.exact.vengeance_words import (
    WORD_AFTER_BITS,
    WORD_AFTER_PLACE,
    WORD_FIRST_BITS,
    WORD_FIRST_PLACE,
    WORD_ITEM_AT,
    WORD_N_AFTER,
)
from flip7sim.rules import Rules
from flip7sim.table import BASE


@helper
def state_index(table: Any, seat: int, data: int) -> int:
    """Return the number of the seat's state in the solution at `data`.

    Parameters
    ----------
    table : record
    seat : int
    data : int
        Address of packed words, uint64.

    Returns
    -------
    int
        ``cell * n_decisions + decision``, or -1 if the solution has no such state.
    """
    mask = combo = inert = saved = np.int64(0)
    for kind in range(N_KINDS):
        count = np.int64(table.line[seat, kind])
        bit = read_word(data, WORD_BITS_AT + kind)
        if count > 0 and bit >= 0:
            mask |= np.int64(1) << bit
        combo += count * read_word(data, WORD_STRIDES_AT + kind)
        used = np.int64(table.used[seat, kind])
        if read_word(data, WORD_INERT_AT + kind) == 1:
            inert += used
        elif kind <= LAST_NUMBER:  # a number leaves a line with a Second Chance only
            saved += used
    subset = read_word(data, read_word(data, WORD_SUBSETS_AT) + mask)
    if subset < 0:
        return -1
    held = table.n_second_chances[seat]
    chances, most = read_word(data, WORD_CHANCES), read_word(data, WORD_FLIP_THREES)
    # Inert ones were counted above; in the solution they are none of these.
    drawn = min(held + np.int64(table.used[seat, SECOND_CHANCE]), chances)
    flip_threes = min(np.int64(table.used[seat, FLIP_THREE]), most)
    at = ((drawn * 2 + held) * (chances + 1) + saved) * (most + 1) + flip_threes
    at = at * (read_word(data, WORD_INERT) + 1) + inert
    tail = read_word(data, read_word(data, WORD_TAILS_AT) + at)
    if tail < 0:
        return -1
    cell = subset * read_word(data, WORD_N_MODIFIERS) + combo
    return int(cell * read_word(data, WORD_N_DECISIONS) + tail)


@helper
def value_of_hitting(table: Any, seat: int, data: int) -> float:
    """Return what hitting is worth in the seat's state, optimal play afterwards; nan if unknown.

    `data` is the address of words made by `pack`.
    """
    state = state_index(table, seat, data)
    if state < 0:
        return np.nan
    word = np.int64(read_word(data, read_word(data, WORD_VALUES_AT) + state))
    return word.view(np.float64)


@helper
def round_stays(table: Any, seat: int, data: int) -> bool:
    """Return whether the solved round stays in the seat's state.

    Parameters
    ----------
    table : record
    seat : int
    data : int
        Address of the words that `round_words` gave for the table's rules, uint64.
    """
    if table.game != BASE:
        return vengeance_stays(table, seat, data)
    points = (table.number_sum[seat] << table.n_doublers[seat]) + table.modifier_sum[seat]
    # A state that the solution does not have has no value (nan), and stays.
    return not points < value_of_hitting(table, seat, data)


@helper
def vengeance_stays(table: Any, seat: int, data: int) -> bool:
    """Return whether the solved Vengeance round stays in the seat's state."""
    mask = lost = np.int64(0)
    after = table.specials != 0 and table.line[seat, UNLUCKY7] > 0
    for kind in range(LAST_NUMBER + 1):
        item = read_word(data, WORD_ITEM_AT + kind)
        if item < 0:
            continue
        count = np.int64(table.line[seat, kind])
        if count > 0:
            mask |= np.int64(1) << item
        if table.used[seat, kind] > 0:
            lost |= np.int64(1) << item
    if not after:
        at = read_word(data, read_word(data, WORD_FIRST_PLACE) + mask)
        if at < 0:
            return True
        word = read_word(data, read_word(data, WORD_FIRST_BITS) + (at >> 6))
        return (word >> (at & 63)) & 1 == 1
    line = read_word(data, read_word(data, WORD_AFTER_PLACE) + mask)
    if line < 0:
        return True
    # A line that no lone round can have lost (stolen cards, two `unlucky7`) counts as none.
    start = max(0, read_word(data, read_word(data, WORD_FIRST_PLACE) + lost))
    at = start * read_word(data, WORD_N_AFTER) + line
    word = read_word(data, read_word(data, WORD_AFTER_BITS) + (at >> 6))
    return (word >> (at & 63)) & 1 == 1


@helper
def race_stays(table: Any, seat: int, data: int) -> bool:
    """Return whether the race alone stays in the seat's state and at the seat's total.

    `data` is the address of words made by `pack_race`. At totals of the target or more, which games
    with ties have, the last total below it counts; negative totals count as 0.
    """
    state = state_index(table, seat, data)
    if state < 0:
        return True
    total = min(max(table.total[seat], 0), read_word(data, WORD_TOTALS) - 1)
    two = read_word(data, read_word(data, WORD_VALUES_AT) + (state >> 1))
    column = (two >> (32 * (state & 1))) & 0x7FFFFFFF
    # The highest total comes first.
    bit = int(read_word(data, WORD_TOTALS) - 1 - total)
    start = read_word(data, WORD_COLUMNS_AT) + column * read_word(data, WORD_WIDTH)
    word = read_word(data, start + (bit >> 6))
    return (word >> (bit & 63)) & 1 == 1


def rules_of(table: Any) -> Rules:
    """Return the rules that a table plays.

    Examples
    --------
    >>> from flip7sim.table import new_table
    >>> rules_of(new_table(Rules(deck="numbers", flip7_bonus=20), 1)).flip7_bonus
    20
    """
    game = "base" if table.game == BASE else "vengeance"
    inert = [CARD_NAMES[kind] for kind in np.flatnonzero(table.inert)]
    options: dict[str, Any] = {
        "deck": {name: int(table.full[KIND[name]]) for name in GAME_CARDS[game]},
        "flip7_bonus": int(table.flip7_bonus),
        "target_score": int(table.target_score),
        "inert": inert,
    }
    if game == "vengeance":
        options |= {
            "brutal": bool(table.brutal),
            "specials": bool(table.specials),
            "lucky13_pair_counts": int(table.lucky13_pair_counts),
        }
    return Rules(game=game, **options)


def check_goal(rules: Rules, goal: int) -> None:
    """Refuse a deck that `round_words`, or with `goal` 1 `race_words`, cannot solve; solve nothing.

    Raises
    ------
    InputError
    """
    if goal:
        check_race(rules)
    elif rules.game == "base":
        build_layout(rules)
    else:
        _check_playable(rules)


def round_words(rules: Rules) -> NDArray[np.int64]:
    """Return the solved round of a deck for `round_stays`, solving it where it is not cached.

    Keep the array as long as its address is in use.

    Parameters
    ----------
    rules : Rules

    Returns
    -------
    ndarray of int64

    Raises
    ------
    InputError
        If the deck cannot be solved, or is one of Vengeance with more than number cards.
    """
    if rules.game == "base":
        return solve(rules).words
    _check_playable(rules)
    return solve_vengeance(rules).words


def _check_playable(rules: Rules) -> None:
    if not build_lattices(rules).is_playable:
        raise InputError(
            "optimal:round plays Vengeance with number cards only, the deck numbers; "
            f"{rules.deck_name!r} has more"
        )


def race_words(rules: Rules) -> NDArray[np.int64]:
    """Return the solved race of a deck for `race_stays`, solving it where it is not cached.

    Keep the array as long as its address is in use.

    Raises
    ------
    InputError
        If the race cannot be solved for the deck.
    """
    return solve_race(rules).words
