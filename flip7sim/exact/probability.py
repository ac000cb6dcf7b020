"""Bust and survival chances as exact fractions, for both games (rules.md sections 2, 4, 5).

The number cards of a shuffled deck come in an order of their own, whatever other cards lie between
them. So the chance that the first k number cards of a player never staying are survived is a count
of sets, by elementary symmetric polynomials: of the sets of k number cards, those without a pair.
In Vengeance `lucky13` allows one pair of 13s, and `unlucky7` starts the line anew, with a 7 in it.

Examples
--------
>>> from flip7sim.rules import Rules
>>> flip7_never_staying(Rules(deck="numbers"))
Fraction(1755667, 20271005)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, perm

from flip7sim.cards import KIND, LAST_NUMBER, LUCKY13, RANKS, SEVEN, UNLUCKY7
from flip7sim.rules import Rules

_Counts = dict[tuple[int, int, int, int], int]
"""Ways to choose cards by (cards before `unlucky7`, counted of them, cards after, counted)."""


@dataclass(frozen=True)
class NextCard:
    """Chances of the next card.

    Attributes
    ----------
    bust, flip7, safe_number, other : Fraction
        It busts the line; it is the seventh number; it is another number that goes well; it is no
        number. They sum to 1. A duplicate that a held Second Chance takes out is `saved`, a part of
        `safe_number`.
    saved : Fraction
    """

    bust: Fraction
    flip7: Fraction
    safe_number: Fraction
    other: Fraction
    saved: Fraction


@dataclass(frozen=True)
class BustRow:
    """One row of `bust_table`.

    Attributes
    ----------
    cards, total : int
        Number cards in the line, and their sum.
    bust : Fraction
        Chance that the next card busts the line.
    share : Fraction
        Chance that the first `cards` number cards make such a line.
    """

    cards: int
    total: int
    bust: Fraction
    share: Fraction


def no_bust(rules: Rules, n_numbers: int) -> Fraction:
    """Return the chance that a line survives the first number cards, Second Chances aside.

    Parameters
    ----------
    rules : Rules
        Of either game. A Flip 7 on the way does not end the count.
    n_numbers : int
        Number cards flipped, at least 0.

    Returns
    -------
    Fraction
        In the base game the chance of no duplicate among them.

    Examples
    --------
    >>> no_bust(Rules(deck="numbers"), 2)
    Fraction(215, 237)
    """
    total = _n_numbers(rules)
    if n_numbers > total:
        return Fraction(0)
    return sum((ways * weight for ways, weight, _ in _sequences(rules, n_numbers)), Fraction(0))


def until_bust(rules: Rules) -> dict[int, Fraction]:
    """Return the distribution of the number of number cards up to the first bust.

    The bust's own card counts. A Flip 7 does not stop the count; Second Chances are left out. If
    the numbers can run out without a bust, the chances sum to less than 1.

    Examples
    --------
    >>> chances = until_bust(Rules(deck="numbers"))
    >>> sum(chances.values()), chances[1], chances[2]
    (Fraction(1, 1), Fraction(0, 1), Fraction(22, 237))
    """
    out = {}
    before = Fraction(1)
    for n_numbers in range(1, _n_numbers(rules) + 1):
        after = no_bust(rules, n_numbers)
        out[n_numbers] = before - after
        before = after
        if not after:
            break
    return out


def flip7_never_staying(rules: Rules) -> Fraction:
    """Return the chance that a lone player who never stays reaches Flip 7, actions aside.

    Modifiers change nothing here; actions would: Second Chances save, Freezes end the round.

    Examples
    --------
    >>> f"{float(flip7_never_staying(Rules(deck='numbers'))):.10f}"
    '0.0866097660'
    """
    once = rules.specials and rules.lucky13_pair_counts == 1
    chance = Fraction(0)
    for n_numbers in range(SEVEN, _n_numbers(rules) + 1):
        if n_numbers > 2 * SEVEN + 2:
            break
        for ways, weight, (_, counted_before, after, counted) in _sequences(rules, n_numbers):
            # Cards of the line in which the last card fell, and how many of the seven they are.
            size = n_numbers if after < 0 else after + 1
            reached = counted_before if after < 0 else counted + 1
            if reached != SEVEN or (after >= 0 and counted_before >= SEVEN):
                continue
            share = Fraction(1)
            if once and size > reached:
                # The pair of 13s counts once, so its second card cannot be the one that reaches
                # seven: the last card is none of the two. After `unlucky7`, the last is not it.
                free = size if after < 0 else size - 1
                share = Fraction(free - 2, free)
            chance += ways * weight * share
    return chance


def next_card(
    rules: Rules, line: Mapping[int, int], seen: Mapping[int, int] | None = None
) -> NextCard:
    """Return what the next card does to a line.

    Parameters
    ----------
    rules : Rules
    line : mapping of int to int
        Cards in the line, by kind.
    seen : mapping of int to int, optional
        Other cards that are no longer in the deck, by kind.

    Returns
    -------
    NextCard
        What an action sets off is not looked at.

    Examples
    --------
    >>> next_card(Rules(), {12: 1, 9: 1}).bust
    Fraction(19, 92)
    """
    left = [
        count - line.get(kind, 0) - (seen or {}).get(kind, 0)
        for kind, count in enumerate(rules.counts)
    ]
    total = sum(left)
    if total <= 0:
        raise ValueError("no card is left in the deck")
    bust = flip7 = safe = saved = other = 0
    for kind, count in enumerate(left):
        if not count:
            continue
        if kind > LAST_NUMBER:
            other += count
        elif busts(rules, line, kind):
            if line.get(KIND["second_chance"], 0):
                safe += count
                saved += count
            else:
                bust += count
        elif counted_numbers(rules, line, kind) >= SEVEN:
            flip7 += count
        else:
            safe += count
    share = [Fraction(part, total) for part in (bust, flip7, safe, other, saved)]
    return NextCard(*share)


def bust_table(rules: Rules) -> list[BustRow]:
    """Return the chance that the next card busts, by number of number cards and by their sum.

    All lines of up to six numbers that can come about, without modifiers and before `unlucky7`, are
    weighted by how often they do; only the own line is counted, and every card of the deck may
    come next.

    Parameters
    ----------
    rules : Rules
        Of either game.

    Returns
    -------
    list of BustRow
        By number of cards, then by sum.

    Examples
    --------
    >>> row = next(row for row in bust_table(Rules(deck="numbers")) if row.total == 24)
    >>> row.cards, float(row.bust)  # 12, 11 and 1; or 12, 10 and 2; or ...
    (3, 0.27631578947368424)
    """
    special = rules.game == "vengeance" and rules.specials
    copies: dict[int, int] = {}
    for kind in range(LAST_NUMBER + 1):
        if rules.counts[kind] and not (special and kind == UNLUCKY7):
            item = LUCKY13 if special and kind == LUCKY13 else RANKS[kind]
            copies[item] = copies.get(item, 0) + rules.counts[kind]
    # Lines by (cards, sum, cards in the deck that bust them), counted as hands of single cards.
    lines = {(0, 0, 0): 1}
    for item, count in copies.items():
        longer = dict(lines)
        for (cards, total, same), ways in lines.items():
            key = (cards + 1, total + RANKS[item], same + count - 1)
            longer[key] = longer.get(key, 0) + ways * count
        lines = {key: ways for key, ways in longer.items() if key[0] < SEVEN}
    n_numbers = _n_numbers(rules)
    rows: dict[tuple[int, int], tuple[int, int]] = {}
    for (cards, total, same), ways in lines.items():
        if cards:
            all_ways, weighted = rows.get((cards, total), (0, 0))
            rows[cards, total] = (all_ways + ways, weighted + ways * same)
    return [
        BustRow(
            cards=cards,
            total=total,
            bust=Fraction(weighted, ways * (rules.n_cards - cards)),
            share=Fraction(ways, comb(n_numbers, cards)),
        )
        for (cards, total), (ways, weighted) in sorted(rows.items())
    ]


def busts(rules: Rules, line: Mapping[int, int], kind: int) -> bool:
    """Return whether a number card that arrives in a line makes a pair that busts it.

    Examples
    --------
    >>> vengeance = Rules(game="vengeance")
    >>> busts(vengeance, {13: 1}, 13), busts(vengeance, {13: 1}, LUCKY13)
    (True, False)
    """
    special = rules.game == "vengeance" and rules.specials
    if special and kind == UNLUCKY7:
        return False
    rank = RANKS[kind]
    held = [k for k in range(LAST_NUMBER + 1) if line.get(k, 0) and RANKS[k] == rank]
    n_held = sum(line.get(k, 0) for k in held)
    if special and rank == 13 and n_held == 1:
        return LUCKY13 not in (*held, kind)
    return n_held > 0


def counted_numbers(rules: Rules, line: Mapping[int, int], kind: int | None = None) -> int:
    """Return how many of the seven a line holds, after the number card `kind` has arrived.

    The card must not bust the line.
    """
    special = rules.game == "vengeance" and rules.specials
    if special and kind == UNLUCKY7:
        return 1
    cards = [k for k in range(LAST_NUMBER + 1) for _ in range(line.get(k, 0))]
    if kind is not None:
        cards.append(kind)
    once = special and rules.lucky13_pair_counts == 1
    return len({RANKS[k] for k in cards}) if once else len(cards)


def _n_numbers(rules: Rules) -> int:
    return sum(rules.counts[: LAST_NUMBER + 1])


def _sequences(
    rules: Rules, n_numbers: int
) -> list[tuple[int, Fraction, tuple[int, int, int, int]]]:
    """Return the ways to survive: sets of cards, the chance of each in some good order, and sizes.

    Sizes are (cards before, counted before, cards after, counted after); "before" is the whole
    line, and the sizes after are -1, where `unlucky7` is not among the cards.
    """
    total = _n_numbers(rules)
    special = rules.game == "vengeance" and rules.specials
    unlucky = rules.counts[UNLUCKY7] if special else 0
    out = []
    for sizes, ways in _choices(rules, with_after=False).items():
        before, counted, _, _ = sizes
        if before == n_numbers:
            out.append((ways, Fraction(1, comb(total, n_numbers)), (before, counted, -1, -1)))
    if unlucky and n_numbers:
        orders = perm(total, n_numbers)
        for sizes, ways in _choices(rules, with_after=True).items():
            before, _, after, _ = sizes
            if before + after + 1 == n_numbers:
                weight = Fraction(factorial(before) * factorial(after), orders)
                out.append((ways, weight, sizes))
    return out


def _choices(rules: Rules, *, with_after: bool) -> _Counts:
    """Count the sets of number cards, without `unlucky7`, that make a legal line or two."""
    special = rules.game == "vengeance" and rules.specials
    copies: dict[int, int] = {}
    for kind in range(LAST_NUMBER + 1):
        if special and kind in (UNLUCKY7, LUCKY13):
            continue
        copies[RANKS[kind]] = copies.get(RANKS[kind], 0) + rules.counts[kind]
    lucky = rules.counts[LUCKY13] if special else 0
    once = special and rules.lucky13_pair_counts == 1
    total: _Counts = {(0, 0, 0, 0): 1}
    for rank, plain in copies.items():
        seven = special and rank == 7
        has_lucky = lucky if rank == 13 else 0
        total = _times(total, _of_rank(plain, has_lucky, once, with_after, not seven))
    return total


def _of_rank(plain: int, lucky: int, once: bool, with_after: bool, after_too: bool) -> _Counts:
    """Count the choices of one rank's cards for the line before and the line after."""
    hands = [(0, 0), (1, 0)] + [(0, 1), (1, 1)] * lucky
    out: _Counts = {}
    for before in hands:
        for after in hands if with_after and after_too else [(0, 0)]:
            ways = perm(plain, before[0] + after[0]) * int(before[1] + after[1] <= lucky)
            if ways:
                sizes = (sum(before), _counted(before, once), sum(after), _counted(after, once))
                out[sizes] = out.get(sizes, 0) + ways
    return out


def _counted(hand: tuple[int, int], once: bool) -> int:
    return min(sum(hand), 1) if once else sum(hand)


def _times(one: _Counts, other: _Counts) -> _Counts:
    out: _Counts = {}
    for sizes, ways in one.items():
        for more, count in other.items():
            key = (sizes[0] + more[0], sizes[1] + more[1], sizes[2] + more[2], sizes[3] + more[3])
            out[key] = out.get(key, 0) + ways * count
    return out
