"""One player's line given by hand: read, checked, scored (rules.md sections 1 to 5)."""

from __future__ import annotations

from collections.abc import Mapping

from flip7sim.cards import (
    CARD_NAMES,
    DIV2,
    FIRST_MODIFIER,
    FREEZE,
    LAST_NUMBER,
    LUCKY13,
    MODIFIER_POINTS,
    RANKS,
    SECOND_CHANCE,
    SEVEN,
    UNLUCKY7,
    X2,
    card_kind,
)
from flip7sim.errors import InputError
from flip7sim.exact.probability import counted_numbers
from flip7sim.rules import Rules

Hand = dict[int, int]
"""Cards by kind."""


def read_cards(text: str, rules: Rules) -> Hand:
    """Return the cards named in a text, separated by spaces or commas, by kind.

    Raises
    ------
    InputError
        If a name is no card of the game; the nearest is suggested.

    Examples
    --------
    >>> read_cards("12 9 +4", Rules())
    {12: 1, 9: 1, 17: 1}
    """
    hand: Hand = {}
    for name in text.replace(",", " ").split():
        kind = card_kind(name, rules.game)
        hand[kind] = hand.get(kind, 0) + 1
    return hand


def check_hand(line: Mapping[int, int], seen: Mapping[int, int], rules: Rules) -> None:
    """Refuse a line that cannot lie in front of an active player, and cards that there are not.

    Parameters
    ----------
    line, seen : mapping of int to int
        Cards in the line, and other cards out of the deck, by kind.
    rules : Rules

    Raises
    ------
    InputError
        Saying which card is too many or has no place.
    """
    for kind in sorted({*line, *seen}):
        name, there = CARD_NAMES[kind], rules.counts[kind]
        wanted = line.get(kind, 0) + seen.get(kind, 0)
        if wanted > there:
            where = "the line" if kind not in seen else "the line and the cards seen"
            raise InputError(f"{wanted} × {name} in {where}, but the deck has {there}")
    for kind, count in line.items():
        name = CARD_NAMES[kind]
        if kind >= FREEZE and kind != SECOND_CHANCE:
            raise InputError(f"{name} never lies in a line")
        if name in rules.inert:
            raise InputError(f"{name} is inert and never lies in a line")
        if kind == SECOND_CHANCE and count > 1:
            raise InputError(f"a line holds one second_chance at most, not {count}")
    _check_pairs(line, rules)
    counted = counted_numbers(rules, line)
    if counted >= SEVEN:
        raise InputError(f"a line of {counted} numbers has ended the round; six is the most")


def _check_pairs(line: Mapping[int, int], rules: Rules) -> None:
    special = rules.game == "vengeance" and rules.specials
    by_rank: dict[int, int] = {}
    for kind, count in line.items():
        if kind <= LAST_NUMBER:
            by_rank[RANKS[kind]] = by_rank.get(RANKS[kind], 0) + count
    for rank, count in by_rank.items():
        lucky = special and rank == 13 and line.get(LUCKY13, 0)
        if count > (2 if lucky else 1):
            cards = " and ".join(
                CARD_NAMES[kind]
                for kind, held in line.items()
                for _ in range(held)
                if kind <= LAST_NUMBER and RANKS[kind] == rank
            )
            raise InputError(f"a line with {cards} has busted")


def line_value(line: Mapping[int, int], rules: Rules) -> int:
    """Return what a line scores if its player stays, without a Flip 7.

    Examples
    --------
    >>> line_value(read_cards("12 x2 +4", Rules()), Rules())
    28
    """
    numbers = sum(RANKS[kind] * count for kind, count in line.items() if kind <= LAST_NUMBER)
    points = sum(
        MODIFIER_POINTS[kind] * count for kind, count in line.items() if kind >= FIRST_MODIFIER
    )
    if rules.game == "base":
        return (numbers << line.get(X2, 0)) + points
    if rules.specials and line.get(0, 0):
        return 0
    score = (numbers >> line.get(DIV2, 0)) - points
    return score if rules.brutal else max(score, 0)


def after_card(line: Mapping[int, int], kind: int, rules: Rules) -> Hand:
    """Return a line after a number or modifier that does not bust it has arrived."""
    if rules.game == "vengeance" and rules.specials and kind == UNLUCKY7:
        return {UNLUCKY7: 1}
    return {**line, kind: line.get(kind, 0) + 1}
