"""Solutions of the base round as compiled policies read them: through a pointer to packed words.

`state_index` finds a seat's own line in a solution. The round is solved for a lone player from a full deck. Alone, what a
player has used up is read off the deck; at other tables nobody's own used cards are recorded, so
there a line counts as if no Second Chance and no Flip Three had been spent on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7sim._jit import helper
from flip7sim.cards import FLIP_THREE, N_KINDS, SECOND_CHANCE
from flip7sim.exact.packed import (
    WORD_BITS_AT,
    WORD_CHANCES,
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
from flip7sim.exact.pointers import read_real, read_word


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
    mask, combo, drawn_inert = 0, 0, 0
    numbers_out = 0
    for kind in range(N_KINDS):
        count = np.int64(table.line[seat, kind])
        bit = read_word(data, WORD_BITS_AT + kind)
        if count > 0 and bit >= 0:
            mask |= 1 << bit
        combo += count * read_word(data, WORD_STRIDES_AT + kind)
        out = table.full[kind] - table.left[kind]
        if read_word(data, WORD_INERT_AT + kind) == 1:
            drawn_inert += out
        elif kind < 14:
            numbers_out += out - count
    subset = read_word(data, read_word(data, WORD_SUBSETS_AT) + mask)
    if subset < 0:
        return -1
    held = table.n_second_chances[seat]
    drawn, used, flip_threes = held, 0, 0
    if table.n_seats == 1:
        if read_word(data, WORD_CHANCES) > 0:
            drawn = max(held, table.full[SECOND_CHANCE] - table.left[SECOND_CHANCE])
            used = max(0, min(drawn - held, numbers_out))
        if read_word(data, WORD_FLIP_THREES) > 0:
            flip_threes = table.full[FLIP_THREE] - table.left[FLIP_THREE]
    else:
        drawn_inert = 0
    chances, most = read_word(data, WORD_CHANCES), read_word(data, WORD_FLIP_THREES)
    n_inert = read_word(data, WORD_INERT)
    at = ((drawn * 2 + held) * (chances + 1) + used) * (most + 1) + flip_threes
    at = at * (n_inert + 1) + min(drawn_inert, n_inert)
    tail = read_word(data, read_word(data, WORD_TAILS_AT) + at)
    if tail < 0:
        return -1
    cell = subset * read_word(data, WORD_N_MODIFIERS) + combo
    return cell * read_word(data, WORD_N_DECISIONS) + tail


@helper
def value_of_hitting(table: Any, seat: int, data: int) -> float:
    """Return what hitting is worth in the seat's state, optimal play afterwards; nan if unknown.

    `data` is the address of words made by `pack`.
    """
    state = state_index(table, seat, data)
    if state < 0:
        return np.nan
    return read_real(data, read_word(data, WORD_VALUES_AT) + state)


@helper
def race_stays(table: Any, seat: int, data: int) -> bool:
    """Return whether the race alone stays in the seat's state and at the seat's total.

    `data` is the address of words made by `pack_bits`. At totals of the target or more, which games
    with ties have, the last total below it counts; negative totals count as 0.
    """
    state = state_index(table, seat, data)
    if state < 0:
        return True
    total = min(max(table.total[seat], 0), read_word(data, WORD_TOTALS) - 1)
    width = read_word(data, WORD_WIDTH)
    word = read_word(data, read_word(data, WORD_VALUES_AT) + total * width + (state >> 6))
    return (word >> (state & 63)) & 1 == 1
