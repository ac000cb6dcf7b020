"""On which lines a solved round stays: by number of number cards, by their sum, by what is beside.

A solution holds a decision for each line; here they are summed up. Lines of equal length and sum
may be decided differently, since they leave other cards in the deck.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from flip7sim.cards import (
    CARD_NAMES,
    FIRST_MODIFIER,
    LAST_BASE_MODIFIER,
    LAST_NUMBER,
    N_KINDS,
    RANKS,
    SECOND_CHANCE,
)
from flip7sim.exact import packed
from flip7sim.exact.layout import build_layout
from flip7sim.exact.round import Solution
from flip7sim.exact.vengeance import VengeanceSolution
from flip7sim.exact.vengeance_words import WORD_FIRST_BITS, WORD_FIRST_PLACE, WORD_ITEM_AT

if TYPE_CHECKING:
    import pandas as pd

ALONE: Final = "nothing"
"""What lies beside the numbers where nothing does."""
_Line = tuple[str, int, int, int, bool]
"""Beside, number of numbers, their sum, ways to be dealt it, whether the optimum stays."""


def stay_set(solution: Solution | VengeanceSolution) -> pd.DataFrame:
    """Return the share of lines on which the optimum stays.

    Parameters
    ----------
    solution : Solution or VengeanceSolution
        A base round, with no card used up so far; or a Vengeance round of number cards, before
        `unlucky7` and without the Zero, with which a line must go on.

    Returns
    -------
    pandas.DataFrame
        A row for each card beside the numbers (or none), number of number cards and sum: the lines,
        those that stay, and their share weighted by the ways to be dealt a line.

    Examples
    --------
    >>> from flip7sim.exact.round import solve
    >>> from flip7sim.rules import Rules
    >>> table = stay_set(solve(Rules(deck="numbers"), cached=False))
    >>> table[(table["numbers"] == 3) & (table["total"] == 24)].values.tolist()
    [['nothing', 3, 24, 12, 12, 1.0]]
    """
    import pandas as pd

    lines = _vengeance_lines if isinstance(solution, VengeanceSolution) else _base_lines
    cells: defaultdict[tuple[str, int, int], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for beside, numbers, total, ways, stays in lines(solution):
        cell = cells[beside, numbers, total]
        cell[0] += 1
        cell[1] += stays
        cell[2] += ways
        cell[3] += ways * stays
    names = ["beside", "numbers", "total", "lines", "lines_that_stay", "share_that_stays"]
    # In order of what lies beside as it came, then of the numbers.
    places = {beside: place for place, (beside, _, _) in reversed(list(enumerate(cells)))}
    ordered = sorted(cells, key=lambda key: (places[key[0]], *key[1:]))
    return pd.DataFrame(
        [(*key, *cells[key][:2], cells[key][3] / cells[key][2]) for key in ordered], columns=names
    )


def thresholds(table: pd.DataFrame) -> pd.DataFrame:
    """Return from which sums the optimum stays, one row for what lies beside the numbers.

    Parameters
    ----------
    table : pandas.DataFrame
        From `stay_set`.

    Returns
    -------
    pandas.DataFrame
        Rows with `beside`, `numbers`, and the sum from which on some lines stay and that from which
        on all do; missing where there is none.
    """
    import pandas as pd

    rows = []
    key: Any
    for key, part in table.groupby(["beside", "numbers"], sort=False):
        totals = part["total"].to_numpy()
        some = totals[part["lines_that_stay"].to_numpy() > 0]
        mixed = totals[part["lines_that_stay"].to_numpy() < part["lines"].to_numpy()]
        every = totals[totals > mixed.max()] if len(mixed) else totals
        rows.append(
            {
                "beside": key[0],
                "numbers": int(key[1]),
                "some_stay_from": int(some[0]) if len(some) else None,
                "all_stay_from": int(every[0]) if len(every) else None,
            }
        )
    limits = ["some_stay_from", "all_stay_from"]
    frame = pd.DataFrame(rows, columns=["beside", "numbers", *limits])
    return frame.astype(dict.fromkeys(limits, "Int64"))


def _base_lines(solution: Any) -> Iterator[_Line]:
    layout = build_layout(solution.rules)
    n_decisions, n_modifiers = len(layout.tails.decisions), len(layout.plus)
    hit, points = solution.hit.ravel(), layout.points
    kinds = [
        kind
        for kind in (*range(FIRST_MODIFIER, LAST_BASE_MODIFIER + 1), SECOND_CHANCE)
        if layout.deck[kind] and not layout.is_inert(kind)
    ]
    bits = [
        [at for at in range(len(layout.ranks)) if mask >> at & 1] for mask in layout.masks.tolist()
    ]
    ways = [prod(int(layout.rank_cards[at]) for at in chosen) for chosen in bits]
    for kind in (None, *kinds):
        line = np.zeros(N_KINDS, np.int64)
        if kind is not None:
            line[kind] = 1
        first = packed.line_state(solution.words, line)
        for subset, chosen in enumerate(bits):
            if not chosen:
                continue
            total = int(layout.subset_sum[subset])
            at = first + subset * n_modifiers * n_decisions
            stays = not points[at // n_decisions] < hit[at]
            beside = ALONE if kind is None else CARD_NAMES[kind]
            yield beside, len(chosen), total, ways[subset], bool(stays)


def _vengeance_lines(solution: Any) -> Iterator[_Line]:
    words, rules = solution.words, solution.rules
    if not len(words):
        return
    items: dict[int, tuple[int, int]] = {}
    for kind in range(LAST_NUMBER + 1):
        bit = int(words[WORD_ITEM_AT + kind])
        if bit >= 0 and not (rules.specials and kind == 0):
            rank, count = items.get(bit, (RANKS[kind], 0))
            items[bit] = (rank, count + rules.counts[kind])
    bits = sorted(items)
    for chosen_bits in range(1, 1 << len(bits)):
        chosen = [bit for at, bit in enumerate(bits) if chosen_bits >> at & 1]
        mask = sum(1 << bit for bit in chosen)
        place = int(words[int(words[WORD_FIRST_PLACE]) + mask])
        if place < 0:
            continue
        word = int(words[int(words[WORD_FIRST_BITS]) + (place >> 6)])
        total = sum(items[bit][0] for bit in chosen)
        ways = prod(items[bit][1] for bit in chosen)
        yield ALONE, len(chosen), total, ways, bool(word >> (place & 63) & 1)
