"""A solved Vengeance deck of number cards as words that a compiled policy can read.

One bit for each line before `unlucky7`, then one for each pair of a line that it discarded and a
line since: 1 to stay. Then, for the adviser, two values for each line before `unlucky7`: its own,
and that of the moment when `unlucky7` has discarded it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import N_KINDS
from flip7sim.exact.vengeance_layout import Lattices

WORD_FIRST_PLACE: Final = 0
WORD_AFTER_PLACE: Final = 1
WORD_FIRST_BITS: Final = 2
WORD_AFTER_BITS: Final = 3
WORD_N_AFTER: Final = 4
WORD_VALUES_AT: Final = 5
WORD_WIPED_AT: Final = 6
WORD_ITEM_AT: Final = 7
N_HEAD: Final = WORD_ITEM_AT + N_KINDS


def pack(
    lattices: Lattices,
    first: NDArray[np.uint8],
    after: NDArray[np.uint8],
    values: NDArray[np.float64],
    wiped: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Return the decisions and values of a deck of number cards as words.

    Parameters
    ----------
    lattices : Lattices
    first : ndarray of uint8, shape (n_first_sets,)
    after : ndarray of uint8, shape (n_first_sets, n_after_sets)
    values, wiped : ndarray of float64, n_first_sets of them
    """
    from flip7sim.cards import LAST_NUMBER, RANKS, UNLUCKY7

    head = np.zeros(N_HEAD, np.int64)
    head[WORD_ITEM_AT:] = -1
    for kind in range(LAST_NUMBER + 1):
        item = kind if lattices.rules.specials else RANKS[kind]
        if item in lattices.item_kinds and not (lattices.rules.specials and kind == UNLUCKY7):
            head[WORD_ITEM_AT + kind] = lattices.item_kinds.index(item)
    first_place, after_place = lattices.first.place, lattices.after.place
    first_bits, after_bits = _bits(first), _bits(after.ravel())
    head[WORD_FIRST_PLACE] = N_HEAD
    head[WORD_AFTER_PLACE] = N_HEAD + len(first_place)
    head[WORD_FIRST_BITS] = head[WORD_AFTER_PLACE] + len(after_place)
    head[WORD_AFTER_BITS] = head[WORD_FIRST_BITS] + len(first_bits)
    head[WORD_N_AFTER] = after.shape[1]
    head[WORD_VALUES_AT] = head[WORD_AFTER_BITS] + len(after_bits)
    head[WORD_WIPED_AT] = head[WORD_VALUES_AT] + values.size
    numbers = [part.ravel().view(np.int64) for part in (values, wiped)]
    return np.concatenate([head, first_place, after_place, first_bits, after_bits, *numbers])


def _bits(stays: NDArray[np.uint8]) -> NDArray[np.int64]:
    packed = np.packbits(stays, bitorder="little")
    padded = np.zeros(-(-len(packed) // 8) * 8, np.uint8)
    padded[: len(packed)] = packed
    return padded.view(np.int64)
