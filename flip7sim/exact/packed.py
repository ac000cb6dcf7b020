"""A solved base round or race as an array of 8-byte words: a head, two look-up tables, the values.

The array is what stands in the cache and what compiled policies read (`optimal`), so a solution on
disk is used as it is. This module needs no compiled code.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import N_KINDS, SECOND_CHANCE
from flip7sim.exact.decisions import Decisions
from flip7sim.exact.layout import Layout

# The head: counts, then where each part starts.
WORD_N_MODIFIERS: Final = 0
WORD_N_DECISIONS: Final = 1
WORD_CHANCES: Final = 2
WORD_FLIP_THREES: Final = 3
WORD_INERT: Final = 4
WORD_SUBSETS_AT: Final = 5
WORD_TAILS_AT: Final = 6
WORD_VALUES_AT: Final = 7
WORD_TOTALS: Final = 8
WORD_WIDTH: Final = 9
"""Words of one column of the race's decisions, one bit for each total."""
WORD_BITS_AT: Final = 10
WORD_STRIDES_AT: Final = WORD_BITS_AT + N_KINDS
WORD_INERT_AT: Final = WORD_STRIDES_AT + N_KINDS
WORD_COLUMNS_AT: Final = WORD_INERT_AT + N_KINDS
N_HEAD: Final = WORD_COLUMNS_AT + 1


def pack(layout: Layout, hit: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a layout's index and the values of hitting as words.

    Parameters
    ----------
    layout : Layout
        From the full deck and an empty line.
    hit : ndarray of float64, shape (n_cells, n_decisions)

    Returns
    -------
    ndarray of int64
        Read the values with ``values(words)``.
    """
    return np.concatenate([_index(layout, 0), hit.ravel().view(np.int64)])


def pack_race(layout: Layout, decisions: Decisions) -> NDArray[np.int64]:
    """Return a layout's index, each state's column of decisions, two a word, and the columns.

    Parameters
    ----------
    layout : Layout
        From the full deck and an empty line.
    decisions : Decisions
        Of all totals, from the highest down to 0.
    """
    numbers, columns = decisions.columns()
    head = _index(layout, decisions.count)
    two_a_word = np.zeros(len(numbers) + len(numbers) % 2, np.int32)
    two_a_word[: len(numbers)] = numbers
    width = -(-columns.shape[1] // 8)
    whole = np.zeros((len(columns), 8 * width), np.uint8)
    whole[:, : columns.shape[1]] = columns
    head[WORD_WIDTH] = width
    head[WORD_COLUMNS_AT] = head[WORD_VALUES_AT] + len(two_a_word) // 2
    return np.concatenate([head, two_a_word.view(np.int64), whole.view(np.int64).ravel()])


def _index(layout: Layout, n_totals: int) -> NDArray[np.int64]:
    tails = layout.tails
    states = [tails.states[index] for index in tails.decisions]
    chances = max(tail.drawn for tail in states if tail)
    flip_threes = max(tail.flip_threes for tail in states if tail)
    inert = max(tail.inert for tail in states if tail)
    lookup = np.full((chances + 1, 2, chances + 1, flip_threes + 1, inert + 1), -1, np.int64)
    for position, tail in enumerate(states):
        if tail:
            lookup[tail.drawn, tail.held, tail.used, tail.flip_threes, tail.inert] = position
    head = np.zeros(N_HEAD, np.int64)
    head[WORD_N_MODIFIERS] = len(layout.plus)
    head[WORD_N_DECISIONS] = len(states)
    head[WORD_CHANCES], head[WORD_FLIP_THREES], head[WORD_INERT] = chances, flip_threes, inert
    head[WORD_SUBSETS_AT] = N_HEAD
    head[WORD_TAILS_AT] = N_HEAD + len(layout.subset_of_mask)
    head[WORD_VALUES_AT] = head[WORD_TAILS_AT] + lookup.size
    head[WORD_TOTALS] = n_totals
    head[WORD_BITS_AT : WORD_BITS_AT + N_KINDS] = -1
    for bit, kind in enumerate(layout.ranks):
        head[WORD_BITS_AT + kind] = bit
    for at, kind in enumerate(layout.modifiers):
        head[WORD_STRIDES_AT + kind] = layout.modifier_up[0, at]
    for kind in range(N_KINDS):
        head[WORD_INERT_AT + kind] = layout.is_inert(kind)
    return np.concatenate([head, layout.subset_of_mask.astype(np.int64), lookup.ravel()])


def values(words: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the values of hitting in packed words, shape (n_cells, n_decisions); no copy."""
    return (
        words[int(words[WORD_VALUES_AT]) :]
        .view(np.float64)
        .reshape(-1, int(words[WORD_N_DECISIONS]))
    )


def line_state(
    words: NDArray[np.int64],
    line: NDArray[np.int64],
    *,
    surplus: int = 0,
    used: int = 0,
    inert: int = 0,
) -> int:
    """Return the number of the state of a line before any Flip Three.

    Parameters
    ----------
    words : ndarray of int64
    line : ndarray of int64, shape (N_KINDS,)
        A line that can be, without a Flip 7.
    surplus, used, inert : int
        Second Chances discarded because one was held, Second Chances used up, inert cards drawn.

    Returns
    -------
    int
        ``cell * n_decisions + decision``, so an index into ``values(words).ravel()``.
    """
    mask, combo = 0, 0
    for kind in np.flatnonzero(line):
        bit = int(words[WORD_BITS_AT + kind])
        if bit >= 0:
            mask |= 1 << bit
        combo += int(line[kind]) * int(words[WORD_STRIDES_AT + kind])
    subset = int(words[words[WORD_SUBSETS_AT] + mask])
    cell = subset * int(words[WORD_N_MODIFIERS]) + combo
    held = int(line[SECOND_CHANCE])
    drawn = held + surplus + used
    lookup = (drawn * 2 + held) * (int(words[WORD_CHANCES]) + 1) + used
    lookup *= (int(words[WORD_FLIP_THREES]) + 1) * (int(words[WORD_INERT]) + 1)
    decision = int(words[words[WORD_TAILS_AT] + lookup + inert])
    return cell * int(words[WORD_N_DECISIONS]) + decision
