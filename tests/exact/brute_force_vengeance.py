"""The Vengeance solitaire round in plain Python, from rules.md alone, to check the solver with.

An expectimax over everything the player knows, in exact fractions. Steal and Swap find no legal
choice alone; Flip Four and Discard are not among the cards.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

RANK = {"unlucky7": 7, "lucky13": 13}
MINUS = {"-2": 2, "-4": 4, "-6": 6, "-8": 8, "-10": 10}
NO_CHOICE = ("steal", "swap")
BONUS = 15


def rank(card: str) -> int:
    return RANK[card] if card in RANK else int(card)


def is_number(card: str) -> bool:
    return card in RANK or card.isdigit()


def best_value(
    deck: tuple[str, ...],
    *,
    specials: bool = True,
    pair_counts: int = 2,
    brutal: bool = False,
    inert: frozenset[str] = frozenset(),
) -> Fraction:
    """Expected score of one solitaire round played perfectly."""

    def counted(line: tuple[str, ...]) -> int:
        numbers = [card for card in line if is_number(card)]
        once = specials and pair_counts == 1
        return len({rank(card) for card in numbers}) if once else len(numbers)

    def score(line: tuple[str, ...]) -> Fraction:
        flip7 = counted(line) == 7
        if specials and "0" in line and not flip7:
            return Fraction(0)
        total = sum(rank(card) for card in line if is_number(card))
        for card in line:
            if card == "div2":
                total //= 2
        total -= sum(MINUS.get(card, 0) for card in line)
        if not brutal:
            total = max(total, 0)
        return Fraction(total + (BONUS if flip7 else 0))

    def busted(line: tuple[str, ...]) -> bool:
        ranks = [rank(card) for card in line if is_number(card)]
        for value in set(ranks):
            n = ranks.count(value)
            lucky = specials and value == 13 and "lucky13" in line
            if n > (2 if lucky else 1):
                return True
        return False

    @cache
    def decide(line: tuple[str, ...], left: tuple[str, ...]) -> Fraction:
        hit = flip(line, left, False)
        if not line or (specials and "0" in line):
            return hit
        return max(hit, score(line))

    @cache
    def flip(line: tuple[str, ...], left: tuple[str, ...], last: bool) -> Fraction:
        """Value of flipping a card; `last`: under a Just One More, after which the player stays."""
        assert left, "the deck ran out"
        value = Fraction(0)
        for card in sorted(set(left)):
            rest = list(left)
            rest.remove(card)
            chance = Fraction(left.count(card), len(left))
            value += chance * settle(line, tuple(rest), card, last)
        return value

    def settle(line: tuple[str, ...], left: tuple[str, ...], card: str, last: bool) -> Fraction:
        if card == "just_one_more" and card not in inert:
            return flip(line, left, True)
        if card in inert or card in NO_CHOICE:
            return score(line) if last else decide(line, left)
        alone = specials and card == "unlucky7"
        line = (card,) if alone else tuple(sorted((*line, card)))
        if busted(line):
            return Fraction(0)
        if last or counted(line) == 7:
            return score(line)
        return decide(line, left)

    return decide((), tuple(sorted(deck)))
