"""Compiled backward sweep over lattices of lines of the Vengeance solitaire round.

A *lattice* is all lines that can grow from one start: sets of number cards times sets of modifiers,
times the number of blanks drawn (cards without effect on a lone player). The round before
`unlucky7` is one lattice; after it, there is one for every set of cards that it discarded. These
differ in the cards left only, so several, the *lanes*, are solved side by side.

Sets of number cards are bits over *items*: the ranks, with `lucky13` apart from the plain 13s.
Sets of modifiers are bits over the modifiers that the lattice can still take.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper

# Columns that describe a set of items.
SIZE: Final = 0
SUM: Final = 1
COUNT: Final = 2  # of the seven
ZERO: Final = 3  # 1 with The Zero, which forces a hit
MASK: Final = 4
N_COLUMNS: Final = 5

HELD: Final = -1
"""Instead of a longer set: the item is in the set already, another card of it busts."""
SEVENTH: Final = -2
"""Instead of a longer set: the item makes the Flip 7."""
NO_ITEM: Final = -3
"""Instead of a longer set: the lattice cannot take the item."""

# Integers that describe a lattice.
FIXED_SUM: Final = 0  # of numbers in the line at its start
FIXED_COUNT: Final = 1  # of the seven, in the line at its start
UNLUCKY: Final = 2  # 1 while `unlucky7` is in the deck
BLANKS: Final = 3
JUST_ONE_MORES: Final = 4
BONUS: Final = 5
LOW: Final = 6  # the lowest score, index 0 of histograms
ZERO_ITEM: Final = 7  # The Zero's item, -1 if it is a plain 0
MUST_HIT: Final = 8  # 1: nobody stays at the lattice's start
N_SETTINGS: Final = 9

UNLUCKY_POINTS: Final = 7
"""Points of the line that `unlucky7` leaves."""


@helper
def solve_lattice(
    sets: Any, children: Any, item_rank: Any, scores: Any, settings: Any, cards: Any, share: Any,
    kept: Any, n_bits: Any, n_modifiers: int, wiped: Any, values: Any, keep_hits: bool, hits: Any,
    ones: Any, gained: Any, one: Any,
) -> None:  # fmt: skip
    """Fill in the value of every state of some lattices side by side, a bust being worth 0.

    Parameters
    ----------
    sets : ndarray of int64, shape (n_sets, N_COLUMNS)
        Sets of items, small before large.
    children : ndarray of int64, shape (n_sets, n_items)
        Position of the set with one more item, or what comes instead.
    item_rank : ndarray of int64, shape (n_items,)
    scores : ndarray of int64, shape (n_totals, n_modifier_sets)
        Scores, less the lowest, by sum of the numbers and set of all modifiers.
    settings : ndarray of int64, shape (N_SETTINGS,)
    cards : ndarray of float64, shape (n_items, n_lanes)
        Cards of each item in the deck at the start. Sets with an item of which there is none get
        values that nothing depends on.
    share : ndarray of float64, shape (n_flips, n_lanes)
        One by the number of cards left, by cards drawn since the start.
    kept, n_bits : ndarray of int64, shape (2**n_modifiers,)
        Each set of the lattice's modifiers as a set of all, and its size.
    n_modifiers : int
    wiped : ndarray of float64, shape (2**n_modifiers, n_blanks + 1, n_sets, n_lanes)
        Value right after `unlucky7` arrived in each state; read while it is in the deck.
    values : ndarray of float64, same shape or larger
        Written: value of each state.
    keep_hits : bool
        Write the value of hitting in each state into `hits`, of the same shape.
    ones : ndarray of float64, shape (n_sets, n_lanes)
        Room to work in.
    gained, one : ndarray of float64, shape (n_lanes,)
        Room to work in.
    """
    n_combos, n_sets, n_lanes = 1 << n_modifiers, sets.shape[0], cards.shape[1]
    blanks, jom = settings[BLANKS], settings[JUST_ONE_MORES]
    for down in range(n_combos):
        combo = n_combos - 1 - down
        if jom > 0:
            _flip_and_stay(
                sets, children, item_rank, scores, settings, cards, combo, kept, n_modifiers, ones
            )
        for fewer in range(blanks + 1):
            blank = blanks - fewer
            layer = values[combo, blank]
            for back in range(n_sets):
                at = n_sets - 1 - back
                total = settings[FIXED_SUM] + sets[at, SUM]
                for lane in range(n_lanes):
                    gained[lane] = 0.0
                for item in range(children.shape[1]):
                    child = children[at, item]
                    if child >= 0:
                        for lane in range(n_lanes):
                            gained[lane] += cards[item, lane] * layer[child, lane]
                    elif child == SEVENTH:
                        end = float(
                            scores[total + item_rank[item], kept[combo]]
                            + settings[LOW] + settings[BONUS]
                        )  # fmt: skip
                        for lane in range(n_lanes):
                            gained[lane] += cards[item, lane] * end
                for bit in range(n_modifiers):
                    if not combo >> bit & 1:
                        more = values[combo | 1 << bit, blank]
                        for lane in range(n_lanes):
                            gained[lane] += more[at, lane]
                if settings[UNLUCKY] == 1:
                    for lane in range(n_lanes):
                        gained[lane] += wiped[combo, blank, at, lane]
                if fewer > 0:
                    more = values[combo, blank + 1]
                    for lane in range(n_lanes):
                        gained[lane] += fewer * more[at, lane]
                zero = sets[at, ZERO] == 1
                stay = 0.0 if zero else float(scores[total, kept[combo]] + settings[LOW])
                drawn = sets[at, SIZE] + n_bits[combo] + blank
                if jom > 0:
                    for lane in range(n_lanes):
                        one[lane] = 0.0
                    for already in range(jom):
                        # Just One Mores out of the deck after this one: `jom - already`.
                        part = share[drawn + jom - already]
                        for lane in range(n_lanes):
                            one[lane] = part[lane] * (
                                ones[at, lane] + fewer * stay + already * one[lane]
                            )
                    for lane in range(n_lanes):
                        gained[lane] += jom * one[lane]
                if zero or (settings[MUST_HIT] == 1 and at == 0 and combo == 0):
                    stay = float(settings[LOW] - 1)  # no hit is worth less, so the player hits
                part = share[drawn]
                if keep_hits:
                    for lane in range(n_lanes):
                        hits[combo, blank, at, lane] = gained[lane] * part[lane]
                for lane in range(n_lanes):
                    layer[at, lane] = max(gained[lane] * part[lane], stay)


@helper
def _flip_and_stay(
    sets: Any, children: Any, item_rank: Any, scores: Any, settings: Any, cards: Any, combo: int,
    kept: Any, n_modifiers: int, ones: Any,
) -> None:  # fmt: skip
    """Write into `ones` the points after one more card and a stay, summed over the cards.

    Blanks and Just One Mores are left out. Arguments are those of `solve_lattice`.
    """
    n_lanes, low = cards.shape[1], settings[LOW]
    for at in range(sets.shape[0]):
        total = settings[FIXED_SUM] + sets[at, SUM]
        zero = sets[at, ZERO] == 1
        alike = 0.0
        if not zero:
            for bit in range(n_modifiers):
                if not combo >> bit & 1:
                    alike += float(scores[total, kept[combo | 1 << bit]] + low)
        if settings[UNLUCKY] == 1:
            alike += float(scores[UNLUCKY_POINTS, 0] + low)
        for lane in range(n_lanes):
            ones[at, lane] = alike
        for item in range(children.shape[1]):
            child = children[at, item]
            if child == SEVENTH or (child >= 0 and not zero and item != settings[ZERO_ITEM]):
                end = float(scores[total + item_rank[item], kept[combo]] + low)
                if child == SEVENTH:
                    end += settings[BONUS]
                for lane in range(n_lanes):
                    ones[at, lane] += cards[item, lane] * end
