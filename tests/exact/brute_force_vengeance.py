"""The Vengeance solitaire round in plain Python, from rules.md alone, to check the solvers with.

The optimum is an expectimax over everything the player knows; a stay rule is played in every order
of the deck. Both in exact fractions. Steal and Swap find no legal choice alone; Flip Four and
Discard are not among the cards.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

RANK = {"unlucky7": 7, "lucky13": 13}
MINUS = {"-2": 2, "-4": 4, "-6": 6, "-8": 8, "-10": 10}
NO_CHOICE = ("steal", "swap")
BONUS = 15

Line = tuple[str, ...]


def rank(card: str) -> int:
    return RANK[card] if card in RANK else int(card)


def is_number(card: str) -> bool:
    return card in RANK or card.isdigit()


class Options(NamedTuple):
    """The options that matter to a lone round."""

    specials: bool = True
    pair_counts: int = 2
    brutal: bool = False
    inert: frozenset[str] = frozenset()

    def counted(self, line: Line) -> int:
        numbers = [card for card in line if is_number(card)]
        once = self.specials and self.pair_counts == 1
        return len({rank(card) for card in numbers}) if once else len(numbers)

    def score(self, line: Line) -> int:
        flip7 = self.counted(line) == 7
        if self.specials and "0" in line and not flip7:
            return 0
        total = sum(rank(card) for card in line if is_number(card))
        for card in line:
            if card == "div2":
                total //= 2
        total -= sum(MINUS.get(card, 0) for card in line)
        if not self.brutal:
            total = max(total, 0)
        return total + (BONUS if flip7 else 0)

    def busted(self, line: Line) -> bool:
        ranks = [rank(card) for card in line if is_number(card)]
        for value in set(ranks):
            n = ranks.count(value)
            lucky = self.specials and value == 13 and "lucky13" in line
            if n > (2 if lucky else 1):
                return True
        return False

    def must_hit(self, line: Line) -> bool:
        return not line or (self.specials and "0" in line)

    def is_blank(self, card: str) -> bool:
        return card in self.inert or card in NO_CHOICE

    def arrived(self, line: Line, card: str) -> Line:
        alone = self.specials and card == "unlucky7"
        return (card,) if alone else tuple(sorted((*line, card)))


def best_value(deck: Line, options: Options) -> Fraction:
    """Expected score of one solitaire round played perfectly."""
    return value_of_hitting((), deck, options)


def value_of_hitting(
    start: Line, deck: Line, options: Options, *, stays_then: bool = False
) -> Fraction:
    """Expected score after one more card and perfect play, or a stay in any case."""

    @cache
    def decide(line: Line, left: Line) -> Fraction:
        stay = Fraction(options.score(line))
        if stays_then:
            return stay
        hit = flip(line, left, False)
        return hit if options.must_hit(line) else max(hit, stay)

    @cache
    def flip(line: Line, left: Line, last: bool) -> Fraction:
        """Value of flipping a card; `last`: under a Just One More, after which the player stays."""
        assert left, "the deck ran out"
        value = Fraction(0)
        for card in sorted(set(left)):
            rest = list(left)
            rest.remove(card)
            chance = Fraction(left.count(card), len(left))
            value += chance * settle(line, tuple(rest), card, last)
        return value

    def settle(line: Line, left: Line, card: str, last: bool) -> Fraction:
        if card == "just_one_more" and card not in options.inert:
            return flip(line, left, True)
        if options.is_blank(card):
            return Fraction(options.score(line)) if last else decide(line, left)
        line = options.arrived(line, card)
        if options.busted(line):
            return Fraction(0)
        if last or options.counted(line) == 7:
            return Fraction(options.score(line))
        return decide(line, left)

    return flip(start, tuple(sorted(deck)), False)


Ends = dict[tuple[int, str], Fraction]


def ends(deck: Line, stay: Callable[[Line, Line], bool], options: Options) -> Ends:
    """Return the chance of each score and end of a round, over every order of the deck.

    Orders are counted together where they leave the same cards. `stay` is told the line and the
    cards left in the deck.
    """

    def over(line: Line, end: str) -> Ends:
        return {(0 if end == "busted" else options.score(line), end): Fraction(1)}

    @cache
    def go_on(line: Line, left: Line, last: bool) -> Ends:
        if not last and not options.must_hit(line) and stay(line, left):
            return over(line, "stayed")
        assert left, "the deck ran out"
        found: Ends = {}
        for card in sorted(set(left)):
            rest = list(left)
            rest.remove(card)
            share = Fraction(left.count(card), len(left))
            for end, chance in settle(line, tuple(rest), card, last).items():
                found[end] = found.get(end, Fraction(0)) + share * chance
        return found

    def settle(line: Line, left: Line, card: str, last: bool) -> Ends:
        if card == "just_one_more" and card not in options.inert:
            return go_on(line, left, True)
        if not options.is_blank(card):
            line = options.arrived(line, card)
            if options.busted(line):
                return over(line, "busted")
            if options.counted(line) == 7:
                return over(line, "flip7")
        return over(line, "stayed") if last else go_on(line, left, False)

    return go_on((), tuple(sorted(deck)), False)
