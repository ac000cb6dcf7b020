"""Compiled sweeps over lines of the Vengeance solitaire round.

A *lattice* is all lines that can grow from one start: sets of number cards times sets of modifiers,
times the number of blanks drawn (cards without effect on a lone player). One kernel solves it
backward, one carries chances forward. The round before `unlucky7` is one lattice; after it, there
is one for every set of cards that it discarded.

Sets of number cards are bits over *items*: the ranks, with `lucky13` apart from the plain 13s.
Sets of modifiers are bits over the modifiers that the lattice can still take.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import helper, njit

FLIP7: Final = 7

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
        return settings[THIRTEEN_ITEM] >= 0 and (mask >> settings[THIRTEEN_ITEM] & 1) == 1
    if item == settings[THIRTEEN_ITEM]:
        return settings[LUCKY_ITEM] >= 0 and (mask >> settings[LUCKY_ITEM] & 1) == 1
    return False


@helper
def reward_of(
    mask: int, total: int, minus: int, halvings: int, settings: Any, reward: Any
) -> float:
    """Return what staying with a line is worth."""
    zero = settings[ZERO_ITEM]
    if zero >= 0 and mask >> zero & 1:
        return reward[-settings[LOW]]
    return reward[score_of(total, minus, halvings, settings) - settings[LOW]]


@helper
def solve_lattice(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any, gone: int,
    minus: Any, halvings: Any, n_bits: Any, n_modifiers: int, settings: Any, reward: Any,
    wiped: Any, values: Any, sums_one: Any,
) -> None:  # fmt: skip
    """Fill in the value of every state of a lattice.

    Parameters
    ----------
    masks, counted, sums : ndarray of int64, shape (n_sets,)
        Sets of items, small before large, how many of the seven they are, their sums.
    place : ndarray of int32
        Position of each mask.
    item_cards, item_rank : ndarray of int64, shape (n_items,)
        Cards of each item in the deck at the lattice's start, 0 for items that it cannot take.
    gone : int
        Items without a card; sets with one of them are skipped.
    minus, halvings, n_bits : ndarray of int64, shape (2**n_modifiers,)
        Of each set of modifiers.
    settings : ndarray of int64, shape (N_SETTINGS,)
    reward : ndarray of float64
        What ending with each score is worth, the lowest score first.
    wiped : ndarray of float64, shape (n_sets, n_blanks + 1, 2**n_modifiers)
        Value right after `unlucky7` arrived in each state; read while it is in the deck.
    values : ndarray of float64, same shape
        Written: value of each state; -inf is never reached.
    sums_one : ndarray of float64, shape (2**n_modifiers,)
        Room to work in.
    """
    n_combos = 1 << n_modifiers
    n_items = item_cards.shape[0]
    blanks, jom = settings[BLANKS], settings[JUST_ONE_MORES]
    bust = reward[-settings[LOW]]
    zero_item = settings[ZERO_ITEM]
    for back in range(masks.shape[0]):
        at = masks.shape[0] - 1 - back
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
        row = values[at]
        for blank in range(blanks + 1):
            for combo in range(n_combos):
                row[blank, combo] = 0.0
        for combo in range(n_combos):
            sums_one[combo] = 0.0
        for item in range(n_items):
            cards = item_cards[item]
            if cards == 0 or mask >> item & 1:
                continue
            after = total + item_rank[item]
            count = settings[FIXED_COUNT] + counted[at]
            if not completes_pair(mask, item, settings):
                count += 1
            if count == FLIP7:
                for combo in range(n_combos):
                    score = score_of(after, minus[combo], halvings[combo], settings)
                    worth = cards * reward[score + settings[BONUS] - settings[LOW]]
                    sums_one[combo] += worth
                    for blank in range(blanks + 1):
                        row[blank, combo] += worth
            else:
                longer = mask | 1 << item
                source = values[place[longer]]
                for blank in range(blanks + 1):
                    for combo in range(n_combos):
                        row[blank, combo] += cards * source[blank, combo]
                if jom > 0:
                    for combo in range(n_combos):
                        sums_one[combo] += cards * reward_of(
                            longer, after, minus[combo], halvings[combo], settings, reward
                        )
        for down in range(n_combos):
            combo = n_combos - 1 - down
            stay = reward_of(mask, total, minus[combo], halvings[combo], settings, reward)
            forced = sums_one[combo] + same * bust
            if jom > 0:
                for bit in range(n_modifiers):
                    if not combo >> bit & 1:
                        more = combo | 1 << bit
                        forced += reward_of(
                            mask, total, minus[more], halvings[more], settings, reward
                        )
                if settings[UNLUCKY] == 1:
                    forced += reward[score_of(7, 0, 0, settings) - settings[LOW]]
            must = zero or (settings[STARTS_EMPTY] == 1 and mask == 0 and combo == 0)
            for fewer in range(blanks + 1):
                blank = blanks - fewer
                left = settings[CARDS] - size - n_bits[combo] - blank
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


@helper
def enter_wiped(
    lost: int, lost_combo: int, item_cards: Any, seven_item: int, points: Any, halving: Any,
    n_modifiers: int, settings: Any, cards_here: Any, minus: Any, halvings: Any, n_bits: Any,
    settings_here: Any,
) -> int:  # fmt: skip
    """Set up the lattice after `unlucky7` discarded a set of items and a set of modifiers.

    Writes the arrays from `cards_here` on; returns the number of modifiers left.
    """
    out = 1
    same = 0
    for item in range(item_cards.shape[0]):
        cards_here[item] = item_cards[item]
        if lost >> item & 1:
            cards_here[item] -= 1
            out += 1
    if seven_item >= 0:
        same = cards_here[seven_item]
        cards_here[seven_item] = 0
    n_free = 0
    minus[0], halvings[0], n_bits[0] = 0, 0, 0
    for bit in range(n_modifiers):
        if lost_combo >> bit & 1:
            out += 1
            continue
        half = 1 << n_free
        for combo in range(half):
            minus[half + combo] = minus[combo] + points[bit]
            halvings[half + combo] = halvings[combo] + halving[bit]
            n_bits[half + combo] = n_bits[combo] + 1
        n_free += 1
    for at in range(N_SETTINGS):
        settings_here[at] = settings[at]
    settings_here[CARDS] = settings[CARDS] - out
    settings_here[FIXED_SUM] = 7
    settings_here[FIXED_COUNT] = 1
    settings_here[FIXED_SAME] = same
    settings_here[UNLUCKY] = 0
    settings_here[STARTS_EMPTY] = 0
    return n_free


@helper
def without_cards(item_cards: Any) -> int:
    """Return the items of which there is no card, as bits."""
    gone = 0
    for item in range(item_cards.shape[0]):
        if item_cards[item] == 0:
            gone |= 1 << item
    return gone


@njit
def solve_first(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any,
    minus: Any, halvings: Any, n_bits: Any, n_modifiers: int, settings: Any, reward: Any,
    wiped: Any, values: Any,
) -> None:  # fmt: skip
    """Solve the lattice before `unlucky7`; arguments as for `solve_lattice`."""
    solve_lattice(
        masks, counted, sums, place, item_cards, item_rank, without_cards(item_cards), minus,
        halvings, n_bits, n_modifiers, settings, reward, wiped, values,
        np.empty(1 << n_modifiers),
    )  # fmt: skip


@njit
def carry_first(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any,
    minus: Any, halvings: Any, n_bits: Any, n_modifiers: int, settings: Any, reward: Any,
    values: Any, wipes: Any, histogram: Any, figures: Any,
) -> None:  # fmt: skip
    """Carry chances through the lattice before `unlucky7`, from the empty line."""
    chances = np.zeros(values.shape)
    chances[0, 0, 0] = 1.0
    carry_lattice(
        masks, counted, sums, place, item_cards, item_rank, without_cards(item_cards), minus,
        halvings, n_bits, n_modifiers, settings, reward, values, chances, wipes, histogram,
        figures,
    )  # fmt: skip


@njit
def wiped_chunk(
    lost_masks: Any, lost_at: Any, weights: Any, masks: Any, counted: Any, sums: Any, place: Any,
    item_cards: Any, item_rank: Any, seven_item: int, points: Any, halving: Any,
    n_modifiers: int, settings: Any, reward: Any, carry: bool, keep: bool, wiped: Any,
    stays: Any, histogram: Any, figures: Any,
) -> None:  # fmt: skip
    """Solve the lattices after `unlucky7` for some sets of lost items, with all lost modifiers.

    Parameters
    ----------
    lost_masks, lost_at : ndarray of int64, shape (n_lost,)
        Sets of items that `unlucky7` discarded, and their positions among the first lattice's sets.
    weights : ndarray of float64, shape (n_first_sets, n_blanks + 1, 2**n_modifiers)
        Where this is 0 for all blanks, the lattice is skipped.
    points, halving : ndarray of int64, shape (n_modifiers,)
        Of each modifier.
    carry : bool
        Carry the chances in `weights` forward too, into `histogram` and `figures`.
    keep : bool
        Write 1 into `stays` where staying is best, shape (n_first_sets, n_sets); for decks
        without modifiers.
    wiped : ndarray of float64, same shape as `weights`
        Written: the value of each lattice's start.
    """
    blanks = settings[BLANKS]
    n_combos = 1 << n_modifiers
    values = np.zeros((masks.shape[0], blanks + 1, n_combos))
    chances = np.zeros((1, 1, 1))
    if carry:
        chances = np.zeros((masks.shape[0], blanks + 1, n_combos))
    no_wipes = np.zeros((1, 1, 1))
    cards_here = np.empty_like(item_cards)
    minus = np.zeros(n_combos, np.int64)
    halvings = np.zeros(n_combos, np.int64)
    n_bits = np.zeros(n_combos, np.int64)
    settings_here = np.empty_like(settings)
    room = np.empty(n_combos)
    for index in range(lost_masks.shape[0]):
        lost, at = lost_masks[index], lost_at[index]
        for lost_combo in range(n_combos):
            wanted = False
            for blank in range(blanks + 1):
                if weights[at, blank, lost_combo] > 0.0:
                    wanted = True
            if not wanted:
                continue
            n_free = enter_wiped(
                lost, lost_combo, item_cards, seven_item, points, halving, n_modifiers, settings,
                cards_here, minus, halvings, n_bits, settings_here,
            )  # fmt: skip
            gone = without_cards(cards_here)
            solve_lattice(
                masks, counted, sums, place, cards_here, item_rank, gone, minus, halvings, n_bits,
                n_free, settings_here, reward, no_wipes, values, room,
            )  # fmt: skip
            for blank in range(blanks + 1):
                wiped[at, blank, lost_combo] = values[0, blank, 0]
            if keep:
                for line in range(masks.shape[0]):
                    if masks[line] & gone == 0:
                        worth = reward_of(
                            masks[line], 7 + sums[line], 0, 0, settings_here, reward
                        )
                        zero = settings[ZERO_ITEM]
                        bound = zero >= 0 and (masks[line] >> zero & 1) == 1
                        if not bound and values[line, 0, 0] == worth:
                            stays[at, line] = 1
            if carry:
                for blank in range(blanks + 1):
                    chances[0, blank, 0] = weights[at, blank, lost_combo]
                carry_lattice(
                    masks, counted, sums, place, cards_here, item_rank, gone, minus, halvings,
                    n_bits, n_free, settings_here, reward, values, chances, no_wipes, histogram,
                    figures,
                )  # fmt: skip
