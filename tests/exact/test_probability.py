"""Bust and survival chances: against published fractions, enumeration and each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import prod

import pytest

from flip7sim.cards import GAME_CARDS, KIND
from flip7sim.exact.probability import (
    bust_table,
    counted_numbers,
    flip7_never_staying,
    next_card,
    no_bust,
    until_bust,
)
from flip7sim.rules import Rules


def test_flip7_never_staying_is_the_published_fraction() -> None:
    assert flip7_never_staying(Rules(deck="numbers")) == Fraction(1755667, 20271005)
    # Modifiers and actions lie between the numbers and change nothing here.
    assert flip7_never_staying(Rules()) == Fraction(1755667, 20271005)


def test_two_and_three_cards_by_hand() -> None:
    rules = Rules(deck="numbers")
    pairs = sum(n * (n - 1) for n in range(1, 13))
    assert no_bust(rules, 2) == 1 - Fraction(pairs, 79 * 78)
    assert no_bust(rules, 0) == no_bust(rules, 1) == 1
    assert no_bust(rules, 14) == 0


def test_until_bust_is_a_distribution() -> None:
    chances = until_bust(Rules(deck="numbers"))
    assert sum(chances.values()) == 1
    assert max(chances) == 14  # thirteen numbers differ at most
    assert all(chance > 0 for cards, chance in chances.items() if cards > 1)


SMALL = {"5": 2, "7": 2, "13": 2, "lucky13": 1, "unlucky7": 1}


def line_after(rules: Rules, order: tuple[str, ...]) -> int | None:
    """Return the most numbers counted on the way, None on a bust: rules.md section 5, by hand."""
    line: list[str] = []
    most = 0
    for card in order:
        rank = {"unlucky7": 7, "lucky13": 13}.get(card) or int(card)
        if card == "unlucky7" and rules.specials:
            line = [card]
        else:
            same = [c for c in line if ({"unlucky7": 7, "lucky13": 13}.get(c) or int(c)) == rank]
            lucky = rules.specials and rank == 13 and "lucky13" in (*same, card)
            if len(same) >= (2 if lucky else 1):
                return None
            line.append(card)
        most = max(most, len(line))
    return most


@pytest.mark.parametrize("specials", [True, False])
@pytest.mark.parametrize("n_numbers", [1, 2, 3, 4, 5])
def test_vengeance_survival_over_every_order(n_numbers: int, specials: bool) -> None:
    deck = {name: SMALL.get(name, 0) for name in GAME_CARDS["vengeance"]}
    rules = Rules(game="vengeance", deck=deck, specials=specials)
    cards = [card for card, count in SMALL.items() for _ in range(count)]
    orders = list(permutations(cards, n_numbers))
    good = sum(line_after(rules, order) is not None for order in orders)
    assert no_bust(rules, n_numbers) == Fraction(good, len(orders))


@pytest.mark.parametrize("pair_counts", [1, 2])
def test_vengeance_flip7_over_every_order(pair_counts: int) -> None:
    deck = {"1": 1, "2": 1, "3": 1, "4": 1, "13": 1, "lucky13": 1, "unlucky7": 1, "7": 1}
    rules = Rules(
        game="vengeance",
        deck={name: deck.get(name, 0) for name in GAME_CARDS["vengeance"]},
        lucky13_pair_counts=pair_counts,
    )

    def chance(line: tuple[int, ...], left: tuple[str, ...]) -> Fraction:
        if counted_numbers(rules, dict.fromkeys(line, 1)) == 7:
            return Fraction(1)
        reached = Fraction(0)
        for card in left:
            rest = tuple(other for other in left if other != card)
            if card == "unlucky7":
                reached += chance((KIND[card],), rest)
            elif not (card == "7" and KIND["unlucky7"] in line):
                reached += chance((*line, KIND[card]), rest)
        return reached / len(left) if left else reached

    assert flip7_never_staying(rules) == chance((), tuple(deck))


def test_next_card_counts_what_is_left() -> None:
    rules = Rules()
    chances = next_card(rules, {12: 1, 9: 1, KIND["+4"]: 1})
    assert chances.bust == Fraction(11 + 8, 91)
    assert chances.bust + chances.flip7 + chances.safe_number + chances.other == 1
    fewer = next_card(rules, {12: 1, 9: 1, KIND["+4"]: 1}, {12: 2, KIND["freeze"]: 1})
    assert fewer.bust == Fraction(9 + 8, 88)


def test_next_card_with_a_second_chance_and_six_numbers() -> None:
    line = {n: 1 for n in (1, 2, 3, 4, 5, 6)}
    saved = next_card(Rules(), {**line, KIND["second_chance"]: 1})
    assert saved.bust == 0
    assert saved.saved == Fraction(0 + 1 + 2 + 3 + 4 + 5, 87)
    assert saved.flip7 == Fraction(1 + 7 + 8 + 9 + 10 + 11 + 12, 87)


def test_next_card_with_the_special_numbers() -> None:
    rules = Rules(game="vengeance", deck="numbers")
    left = 91
    assert next_card(rules, {13: 1}).bust == Fraction(11, left)  # lucky13 would be no bust
    assert next_card(rules, {KIND["lucky13"]: 1}).bust == 0
    assert next_card(rules, {13: 1, KIND["lucky13"]: 1}).bust == Fraction(11, left - 1)
    assert next_card(rules, {7: 1}).bust == Fraction(5, left)  # unlucky7 discards the 7
    assert next_card(rules, {KIND["unlucky7"]: 1}).bust == Fraction(6, left)
    six = {n: 1 for n in (1, 2, 3, 4, 5, 6)}
    unlucky = next_card(rules, six)
    assert unlucky.safe_number == Fraction(
        1, 86
    )  # unlucky7 starts anew, every other is the seventh


def test_numbers_deck_is_the_product_of_its_copies() -> None:
    rules = Rules(deck={**{str(n): 2 if n < 7 else 0 for n in range(13)}})
    # Seven ranks of two copies: all seven cards differ in 2^7 of C(14, 7) hands.
    assert no_bust(rules, 7) == Fraction(prod([2] * 7), 3432)


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_bust_table_agrees_with_survival(game: str) -> None:
    # Without specials, the lines of k cards are what survives k cards.
    rules = Rules(game=game, deck="numbers", **({"specials": False} if game == "vengeance" else {}))
    rows = bust_table(rules)
    for cards in range(1, 7):
        here = [row for row in rows if row.cards == cards]
        assert sum(row.share for row in here) == no_bust(rules, cards)
        survive = sum(row.share * (1 - row.bust) for row in here)
        assert survive == no_bust(rules, cards + 1)


def test_bust_table_counts_lucky_pairs() -> None:
    rows = bust_table(Rules(game="vengeance", deck="numbers"))
    pair = next(row for row in rows if (row.cards, row.total) == (2, 26))
    assert pair.bust == Fraction(11, 90)
    single = next(row for row in rows if (row.cards, row.total) == (1, 13))
    assert single.bust == Fraction(12 * 11 + 0, 13 * 91)  # twelve plain 13s, one lucky13
