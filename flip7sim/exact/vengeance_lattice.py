"""Compiled sweeps over a lattice of lines of the Vengeance solitaire round.

A *lattice* is all lines that can grow from one start: sets of number cards times sets of modifiers,
times the number of blanks drawn (cards without effect on a lone player). One kernel solves it
backward, one carries chances forward. The round before `unlucky7` is one lattice; after it, there
is one for every set of cards that it discarded.

Sets of number cards are bits over *items*: the ranks, with `lucky13` apart from the plain 13s.
Sets of modifiers are bits over the modifiers that the lattice can still take.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper

FLIP7: Final = 7
N_MORE: Final = 21
"""A sum grows by 13 at most with the next card, and by 7 with `unlucky7`; one more to count 0."""

# Integers that describe a lattice.
CARDS: Final = 0  # in the deck at its start
FIXED_SUM: Final = 1  # of numbers in the line at its start
FIXED_COUNT: Final = 2  # of the seven, in the line at its start
FIXED_SAME: Final = 3  # cards in the deck that bust the start
UNLUCKY: Final = 4  # 1 while `unlucky7` is in the deck
BLANKS: Final = 5
JUST_ONE_MORES: Final = 6
BONUS: Final = 7
LOW: Final = 8  # the lowest score, index 0 of rewards
FLOORED: Final = 9  # 1: no score below 0
ZERO_ITEM: Final = 10  # The Zero's item, -1 if it is a plain 0
LUCKY_ITEM: Final = 11
THIRTEEN_ITEM: Final = 12
PAIR_ONCE: Final = 13  # 1: the pair of 13s is one of the seven
STARTS_EMPTY: Final = 14
N_SETTINGS: Final = 15


@helper
def score_of(total: int, minus: int, halvings: int, settings: Any) -> int:
    """Score of a line without The Zero and without Flip 7 (rules.md section 5)."""
    score = (total >> halvings) - minus
    if settings[FLOORED] == 1 and score < 0:
        return 0
    return score


@helper
def completes_pair(mask: int, item: int, settings: Any) -> bool:
    """Return whether `item` is the second 13 of a pair that counts once."""
    if settings[PAIR_ONCE] == 0:
        return False
    if item == settings[LUCKY_ITEM]:
        other = settings[THIRTEEN_ITEM]
        return bool(other >= 0 and mask >> other & 1 == 1)
    if item == settings[THIRTEEN_ITEM]:
        other = settings[LUCKY_ITEM]
        return bool(other >= 0 and mask >> other & 1 == 1)
    return False


@helper
def fill_worth(
    minus: Any, halvings: Any, n_combos: int, settings: Any, reward: Any, stay_worth: Any,
    flip7_worth: Any,
) -> None:  # fmt: skip
    """Write what each sum of numbers with each set of modifiers is worth, alone and as a Flip 7."""
    for total in range(stay_worth.shape[0]):
        for combo in range(n_combos):
            score = score_of(total, minus[combo], halvings[combo], settings)
            # Sums that no line reaches may lie beyond the rewards, and are never read.
            at, last = score - settings[LOW], reward.shape[0] - 1
            stay_worth[total, combo] = reward[min(at, last)]
            flip7_worth[total, combo] = reward[min(at + settings[BONUS], last)]


@helper
def solve_lattice(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any, gone: int,
    n_bits: Any, n_modifiers: int, settings: Any, bust: float, stay_worth: Any, flip7_worth: Any,
    wiped: Any, values: Any, ones: Any,
) -> None:  # fmt: skip
    """Fill in the value of every state of a lattice.

    Parameters
    ----------
    masks, counted, sums : ndarray of int64, shape (n_sets,)
        Sets of items, small before large, how many of the seven they are, their sums.
    place : ndarray of int64
        Position of each mask.
    item_cards, item_rank : ndarray of int64, shape (n_items,)
        Cards of each item in the deck at the lattice's start, 0 for items that it cannot take.
    gone : int
        Items without a card; sets with one of them are skipped.
    n_bits : ndarray of int64, shape (2**n_modifiers,)
        Size of each set of modifiers.
    settings : ndarray of int64, shape (N_SETTINGS,)
    bust : float
        What a bust, or The Zero without Flip 7, is worth.
    stay_worth, flip7_worth : ndarray of float64, shape (n_totals, 2**n_modifiers)
        From `fill_worth`.
    wiped : ndarray of float64, shape (n_sets, n_blanks + 1, 2**n_modifiers)
        Value right after `unlucky7` arrived in each state; read while it is in the deck.
    values : ndarray of float64, same shape
        Written: value of each state.
    ones : ndarray of float64, shape (2**n_modifiers,)
        Room to work in.
    """
    n_combos = 1 << n_modifiers
    n_items = item_cards.shape[0]
    blanks, jom = settings[BLANKS], settings[JUST_ONE_MORES]
    zero_item = settings[ZERO_ITEM]
    for back in range(masks.shape[0]):
        at = masks.shape[0] - 1 - back
        mask = masks[at]
        if mask & gone:
            continue
        size, same = 0, settings[FIXED_SAME]
        total = settings[FIXED_SUM] + sums[at]
        zero = zero_item >= 0 and (mask >> zero_item & 1) == 1
        row = values[at]
        row[:, :n_combos] = 0.0
        ones[:n_combos] = 0.0
        for item in range(n_items):
            cards = item_cards[item]
            if mask >> item & 1:
                size += 1
                same += cards - 1
                continue
            if cards == 0:
                continue
            share = float(cards)
            after = total + item_rank[item]
            count = settings[FIXED_COUNT] + counted[at]
            if not completes_pair(mask, item, settings):
                count += 1
            if count == FLIP7:
                for combo in range(n_combos):
                    ones[combo] += share * flip7_worth[after, combo]
                for blank in range(blanks + 1):
                    for combo in range(n_combos):
                        row[blank, combo] += share * flip7_worth[after, combo]
            else:
                source = values[place[mask | 1 << item]]
                for blank in range(blanks + 1):
                    for combo in range(n_combos):
                        row[blank, combo] += share * source[blank, combo]
                if jom > 0:
                    for combo in range(n_combos):
                        if zero or item == zero_item:
                            ones[combo] += share * bust
                        else:
                            ones[combo] += share * stay_worth[after, combo]
        left_at_start = settings[CARDS] - size
        for down in range(n_combos):
            combo = n_combos - 1 - down
            stay = bust if zero else stay_worth[total, combo]
            forced = ones[combo] + same * bust
            if jom > 0:
                for bit in range(n_modifiers):
                    if not combo >> bit & 1:
                        forced += bust if zero else stay_worth[total, combo | 1 << bit]
                if settings[UNLUCKY] == 1:
                    forced += stay_worth[7, 0]
            must = zero or (settings[STARTS_EMPTY] == 1 and mask == 0 and combo == 0)
            for fewer in range(blanks + 1):
                blank = blanks - fewer
                left = left_at_start - n_bits[combo] - blank
                value = row[blank, combo] + same * bust
                for bit in range(n_modifiers):
                    if not combo >> bit & 1:
                        value += row[blank, combo | 1 << bit]
                if settings[UNLUCKY] == 1:
                    value += wiped[at, blank, combo]
                if fewer > 0:
                    value += fewer * row[blank + 1, combo]
                if jom > 0:
                    one = 0.0
                    for already in range(jom):
                        drawn = jom - already  # Just One Mores out of the deck, this one included
                        one = (forced + fewer * stay + already * one) / (left - drawn)
                    value += jom * one
                value /= left
                row[blank, combo] = value if must or value > stay else stay


@helper
def carry_lattice(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any, gone: int,
    minus: Any, halvings: Any, n_bits: Any, n_modifiers: int, settings: Any, reward: Any,
    values: Any, chances: Any, wipes: Any, histogram: Any, figures: Any,
) -> None:  # fmt: skip
    """Carry the chances of being in each state through a solved lattice.

    Parameters
    ----------
    chances : ndarray of float64, shape (n_sets, n_blanks + 1, 2**n_modifiers)
        In: the chances of the lattice's starts, zeros elsewhere. Out: zeros.
    wipes : ndarray of float64, same shape
        Chance that `unlucky7` arrives in each state, added to while it is in the deck.
    histogram : ndarray of float64
        Chance of each score without busts, the lowest score first, added to.
    figures : ndarray of float64, shape (3,)
        Chance of a bust, chance of a Flip 7, states reached, added to.
    """
    n_combos = 1 << n_modifiers
    n_items = item_cards.shape[0]
    blanks, jom = settings[BLANKS], settings[JUST_ONE_MORES]
    zero_item, low = settings[ZERO_ITEM], settings[LOW]
    for at in range(masks.shape[0]):
        mask = masks[at]
        if mask & gone:
            continue
        size, same = 0, settings[FIXED_SAME]
        total = settings[FIXED_SUM] + sums[at]
        for item in range(n_items):
            if mask >> item & 1:
                size += 1
                same += item_cards[item] - 1
        zero = zero_item >= 0 and (mask >> zero_item & 1) == 1
        for combo in range(n_combos):
            score = 0 if zero else score_of(total, minus[combo], halvings[combo], settings)
            must = zero or (settings[STARTS_EMPTY] == 1 and mask == 0 and combo == 0)
            for blank in range(blanks + 1):
                chance = chances[at, blank, combo]
                if chance == 0.0:
                    continue
                chances[at, blank, combo] = 0.0
                figures[2] += 1.0
                if not must and values[at, blank, combo] == reward[score - low]:
                    histogram[score - low] += chance
                    continue
                left = settings[CARDS] - size - n_bits[combo] - blank
                flow = chance / left
                # Just One More: `one` is the flow of the flips that end the turn.
                one, drawn = 0.0, flow * jom
                for already in range(jom):
                    here = drawn / (left - already - 1)
                    one += here
                    drawn = here * (jom - already - 1)
                figures[0] += (flow + one) * same
                for item in range(n_items):
                    cards = item_cards[item]
                    if cards == 0 or mask >> item & 1:
                        continue
                    after = total + item_rank[item]
                    count = settings[FIXED_COUNT] + counted[at]
                    if not completes_pair(mask, item, settings):
                        count += 1
                    if count == FLIP7:
                        end = score_of(after, minus[combo], halvings[combo], settings)
                        histogram[end + settings[BONUS] - low] += (flow + one) * cards
                        figures[1] += (flow + one) * cards
                    else:
                        longer = mask | 1 << item
                        chances[place[longer], blank, combo] += flow * cards
                        if one > 0.0:
                            end = score_of(after, minus[combo], halvings[combo], settings)
                            if zero_item >= 0 and (longer >> zero_item & 1) == 1:
                                end = 0
                            histogram[end - low] += one * cards
                for bit in range(n_modifiers):
                    if not combo >> bit & 1:
                        more = combo | 1 << bit
                        chances[at, blank, more] += flow
                        if one > 0.0:
                            end = score_of(total, minus[more], halvings[more], settings)
                            histogram[(0 if zero else end) - low] += one
                if settings[UNLUCKY] == 1:
                    wipes[at, blank, combo] += flow
                    if one > 0.0:
                        histogram[score_of(7, 0, 0, settings) - low] += one
                if blank < blanks:
                    chances[at, blank + 1, combo] += flow * (blanks - blank)
                    histogram[score - low] += one * (blanks - blank)
