"""The solitaire base round in plain Python, from rules.md alone, to check the solver with.

Two independent ways. `best_value` is an expectimax over everything the player knows, in exact
fractions. `Round` plays one order of the deck, card by card, under a stay rule; averaged over every
order of a small deck it gives that rule's exact figures. Nothing here comes from the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

PLUS = {"+2": 2, "+4": 4, "+6": 6, "+8": 8, "+10": 10}
BONUS = 15


def score(line: tuple[str, ...]) -> int:
    """Score of a line (rules.md section 4)."""
    numbers = [int(card) for card in line if card.isdigit()]
    total = sum(numbers) * 2 ** line.count("x2") + sum(PLUS.get(card, 0) for card in line)
    return total + (BONUS if len(set(numbers)) == 7 else 0)


def best_value(
    deck: tuple[str, ...],
    inert: frozenset[str] = frozenset(),
    worth: Callable[[int], Fraction] = Fraction,
) -> Fraction:
    """Expected worth of one solitaire round played perfectly; by default points."""

    # What is still to happen is a stack, read from its end: ("flip", n, aside) is a Flip Three with
    # n flips to go, ("settle", cards) are assigned cards in their order.
    @cache
    def decide(line: tuple[str, ...], left: tuple[str, ...]) -> Fraction:
        hit = flip(line, left, ())
        return max(hit, worth(score(line))) if line else hit

    def go_on(line: tuple[str, ...], left: tuple[str, ...], stack: tuple) -> Fraction:
        if not stack:
            return decide(line, left)
        *rest, top = stack
        rest = tuple(rest)
        if top[0] == "flip":
            _, flips, aside = top
            if flips:
                return flip(line, left, stack)
            return go_on(line, left, (*rest, ("settle", aside)))
        cards = top[1]
        if not cards:
            return go_on(line, left, rest)
        rest = (*rest, ("settle", cards[1:]))
        if cards[0] == "freeze":
            return worth(score(line))  # out of the round; later cards find nobody
        return go_on(line, left, (*rest, ("flip", 3, ())))

    @cache
    def flip(line: tuple[str, ...], left: tuple[str, ...], stack: tuple) -> Fraction:
        assert left, "the deck ran out"
        value = Fraction(0)
        for card in sorted(set(left)):
            rest = list(left)
            rest.remove(card)
            value += Fraction(left.count(card), len(left)) * settle(line, tuple(rest), stack, card)
        return value

    def settle(line: tuple[str, ...], left: tuple[str, ...], stack: tuple, card: str) -> Fraction:
        running = bool(stack)
        if running:
            *below, (_, flips, aside) = stack
            stack = (*below, ("flip", flips - 1, aside))
        if card in inert:
            return go_on(line, left, stack)
        if card in ("freeze", "flip_three"):
            if running:
                *below, (_, flips, aside) = stack
                return go_on(line, left, (*below, ("flip", flips, (*aside, card))))
            return go_on(line, left, (("settle", (card,)),))
        if card == "second_chance":
            kept = line if card in line else tuple(sorted((*line, card)))
            return go_on(kept, left, stack)
        if card.isdigit() and card in line:
            if "second_chance" not in line:
                return worth(0)
            return go_on(tuple(c for c in line if c != "second_chance"), left, stack)
        line = tuple(sorted((*line, card)))
        if len({c for c in line if c.isdigit()}) == 7:
            return worth(score(line))
        return go_on(line, left, stack)

    return decide((), tuple(sorted(deck)))


class OverError(Exception):
    """The round has ended."""


class Round:
    """One round in one order of the deck."""

    def __init__(self, order: tuple[str, ...], stay: Callable[[list[str]], bool]) -> None:
        self.deck = list(order)
        self.line: list[str] = []
        self.stay = stay
        self.active = True
        self.end = "stayed"

    def numbers(self) -> list[str]:
        return [card for card in self.line if card.isdigit()]

    def play(self) -> tuple[int, str]:
        try:
            while self.active:
                if self.line and self.stay(self.line):
                    break
                card = self.deck.pop(0)
                if card == "freeze":
                    self.active, self.end = False, "frozen"
                elif card == "flip_three":
                    self.flip_three()
                else:
                    self.take(card)
        except OverError:
            pass
        return (0 if self.end == "busted" else score(tuple(self.line))), self.end

    def take(self, card: str) -> None:
        if card == "second_chance":
            if card not in self.line:
                self.line.append(card)
        elif card.isdigit() and card in self.line:
            if "second_chance" in self.line:
                self.line.remove("second_chance")
            else:
                self.end = "busted"
                raise OverError
        else:
            self.line.append(card)
            if len(self.numbers()) == 7:
                self.end = "flip7"
                raise OverError

    def flip_three(self) -> None:
        aside = []
        for _ in range(3):
            card = self.deck.pop(0)
            if card in ("freeze", "flip_three"):
                aside.append(card)
            else:
                self.take(card)
        for card in aside:
            if not self.active:
                continue
            if card == "freeze":
                self.active, self.end = False, "frozen"
            else:
                self.flip_three()


def orders(deck: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Yield every different order of a deck; all are equally likely."""
    cards = [card for card, count in deck.items() if count]
    if not cards:
        yield ()
    for card in cards:
        rest = {**deck, card: deck[card] - 1}
        for tail in orders(rest):
            yield (card, *tail)
