"""Miniature decks solved in plain Python, by expectimax and by every order, check the solvers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import flip7sim as f7
from flip7sim.callbacks import Callback
from flip7sim.cards import GAME_CARDS
from flip7sim.exact import kernels
from flip7sim.exact.evaluate import Term, evaluate
from flip7sim.exact.layout import build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.round import points
from flip7sim.exact.sweep import carry_forward, solve_backward, workers
from flip7sim.exact.tails import build_tails
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.rules import Rules

Deck = dict[str, int]

BASE_DECKS: dict[str, Deck] = {
    "every kind": {
        "1": 2, "2": 2, "3": 1, "second_chance": 1, "freeze": 1, "flip_three": 1, "x2": 1,
    },
    "flip threes": {"4": 3, "5": 3, "flip_three": 2},
    "freezes set aside": {"4": 2, "5": 2, "flip_three": 2, "freeze": 2},
    "saves in a run": {"5": 3, "6": 2, "second_chance": 2, "+4": 1, "flip_three": 1},
    "flip 7 and a freeze": {
        "0": 1, "1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 2, "freeze": 1,
    },
    "flip 7 in a run": {
        "0": 1, "1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "second_chance": 1, "flip_three": 1,
    },
    "saves and freezes": {"9": 2, "8": 3, "flip_three": 2, "freeze": 1, "second_chance": 1},
    "three runs": {"9": 3, "8": 2, "flip_three": 3, "freeze": 1},
    "two x2": {"9": 3, "8": 2, "2": 1, "x2": 2, "+10": 1},
    "eleven cards": {
        "9": 3, "8": 2, "flip_three": 2, "freeze": 1, "second_chance": 1, "2": 2,
    },
}  # fmt: skip


def only(deck: Deck, game: str = "base") -> Deck:
    return {name: deck.get(name, 0) for name in GAME_CARDS[game]}


def cards(deck: Deck) -> tuple[str, ...]:
    return tuple(card for card, count in deck.items() for _ in range(count))


def solved(rules: Rules) -> tuple[float, Outcome]:
    layout = build_layout(rules)
    reward = points(layout)
    with workers(1) as pool:
        values = solve_backward(layout, reward, pool, keep=False)
        outcome = carry_forward(layout, pool, values.stays)
    return values.start, outcome


@pytest.mark.parametrize("name", BASE_DECKS)
def test_optimal_value_of_a_base_deck(name: str, brute: ModuleType) -> None:
    deck = BASE_DECKS[name]
    value, outcome = solved(Rules(deck=only(deck)))
    expected = float(brute.best_value(cards(deck)))
    assert value == pytest.approx(expected, abs=1e-12)
    assert outcome.mean == pytest.approx(expected, abs=1e-12)
    assert outcome.histogram.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("counts", [(1, 3, 3, 0), (3, 2, 1, 2)], ids=str)
def test_merged_tails_have_the_values_of_all(counts: tuple[int, int, int, int]) -> None:
    names = ("second_chance", "flip_three", "freeze", "+4")
    deck = {"7": 5, "8": 5, "9": 5, "10": 3, "2": 4, **dict(zip(names, counts, strict=True))}
    merged = build_layout(Rules(deck=only(deck), inert=("+4",)))
    chances, flip_threes, freezes, inert = counts
    tails = build_tails(
        second_chances=chances, flip_threes=flip_threes, freezes=freezes, inert=inert
    )
    assert tails is not None
    assert len(merged.tails.states) < len(tails.states)
    with workers(1) as pool:
        one, other = (
            solve_backward(layout, points(layout), pool)
            for layout in (merged, replace(merged, tails=tails))
        )
        assert one.hit == pytest.approx(other.hit, abs=1e-12)
        ends = [carry_forward(merged, pool, one.stays)]
        ends.append(carry_forward(replace(merged, tails=tails), pool, one.stays))
    assert ends[0].histogram == pytest.approx(ends[1].histogram, abs=1e-14)


@pytest.mark.parametrize("inert", [("flip_three",), ("x2", "second_chance"), ("freeze", "+4")])
def test_optimal_value_with_inert_cards(inert: tuple[str, ...], brute: ModuleType) -> None:
    deck = {"5": 3, "6": 3, "second_chance": 1, "freeze": 1, "flip_three": 1, "x2": 1, "+4": 1}
    value, _ = solved(Rules(deck=only(deck), inert=inert))
    assert value == pytest.approx(float(brute.best_value(cards(deck), frozenset(inert))), abs=1e-12)


def test_one_more_card_is_the_round_with_a_stay_after_it(brute: ModuleType) -> None:
    deck = BASE_DECKS["every kind"]
    layout = build_layout(Rules(deck=only(deck)), line={2: 1, 3: 1})
    with workers(1) as pool:
        values = solve_backward(layout, points(layout), pool, mode=kernels.ALWAYS_STAY)
    left = list(cards(deck))
    for card in ("2", "3"):
        left.remove(card)
    scores = []
    for order in brute.orders({card: left.count(card) for card in set(left)}):
        game = brute.Round(order, lambda line: False)
        game.stay = lambda line, game=game: len(left) != len(game.deck)
        game.line = ["2", "3"]
        scores.append(game.play()[0])
    assert values.start == pytest.approx(float(np.mean(scores)), abs=1e-12)


@pytest.mark.parametrize("target", [5, 14])
@pytest.mark.parametrize(
    "name", ["freezes set aside", "saves in a run", "saves and freezes", "three runs"]
)
def test_a_rule_over_every_order_of_the_deck(name: str, target: int, brute: ModuleType) -> None:
    deck = BASE_DECKS[name]
    scores: dict[int, int] = {}
    ends: dict[str, int] = {}
    n_orders = 0
    for order in brute.orders(deck):
        n_orders += 1
        score, end = brute.Round(order, lambda line: brute.score(tuple(line)) >= target).play()
        scores[score] = scores.get(score, 0) + 1
        ends[end] = ends.get(end, 0) + 1
    rule = Callback(
        lambda table, seat: int(
            (int(table.number_sum[seat]) << int(table.n_doublers[seat]))
            + int(table.modifier_sum[seat])
            >= target
        )
    )
    outcome = evaluate(Rules(deck=only(deck)), [Term(rule.address)], threads=1)
    assert rule.error is None
    expected = {score: count / n_orders for score, count in sorted(scores.items())}
    assert outcome.scores() == pytest.approx(expected, abs=1e-12)
    assert outcome.bust == pytest.approx(ends.get("busted", 0) / n_orders, abs=1e-12)
    assert outcome.flip7 == pytest.approx(ends.get("flip7", 0) / n_orders, abs=1e-12)
    assert outcome.frozen == pytest.approx(ends.get("frozen", 0) / n_orders, abs=1e-12)


VENGEANCE_DECKS: list[tuple[Deck, dict[str, object]]] = [
    ({"5": 3, "unlucky7": 1, "7": 2, "-4": 1}, {}),
    ({"0": 1, "6": 3, "unlucky7": 1, "7": 3}, {}),
    ({"0": 1, "1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 2, "13": 1}, {}),
    ({"0": 1, "1": 1, "2": 1, "3": 1, "13": 2, "lucky13": 1, "6": 1, "-2": 1}, {}),
    ({"13": 3, "lucky13": 1, "2": 2, "div2": 1}, {}),
    ({"1": 3, "2": 3, "-10": 1, "just_one_more": 1}, {"brutal": True}),
    (
        {"0": 1, "1": 1, "2": 1, "3": 1, "4": 1, "13": 2, "lucky13": 1, "6": 2},
        {"lucky13_pair_counts": 1},
    ),
    ({"12": 3, "just_one_more": 2, "5": 3, "-6": 1}, {}),
    ({"12": 3, "just_one_more": 2, "5": 3, "steal": 2, "swap": 1}, {}),
    ({"12": 4, "just_one_more": 1, "unlucky7": 1, "7": 3, "swap": 1, "div2": 1}, {}),
    ({"12": 3, "13": 2, "lucky13": 1, "unlucky7": 1, "7": 3, "-8": 1}, {"specials": False}),
    ({"12": 3, "13": 2, "lucky13": 1, "unlucky7": 1, "7": 3, "-8": 1}, {}),
    (
        {"12": 3, "just_one_more": 2, "5": 3, "discard": 1, "-6": 1},
        {"inert": ("discard", "-6")},
    ),
    ({"12": 3, "5": 3, "discard": 1, "-6": 1, "swap": 1}, {"inert": ("discard",)}),
]
"""Decks and options."""


def options_of(rules: Rules, brute_vengeance: ModuleType) -> Any:
    return brute_vengeance.Options(
        specials=rules.specials,
        pair_counts=rules.lucky13_pair_counts,
        brutal=rules.brutal,
        inert=frozenset(rules.inert),
    )


@pytest.mark.parametrize(
    ("deck", "options"), VENGEANCE_DECKS, ids=lambda item: " ".join(item) or "default"
)
def test_optimal_value_of_a_vengeance_deck(
    deck: Deck, options: dict[str, object], brute_vengeance: ModuleType
) -> None:
    rules = Rules.from_options("vengeance", {"deck": only(deck, "vengeance"), **options})
    expected = brute_vengeance.best_value(cards(deck), options_of(rules, brute_vengeance))
    solution = solve_vengeance(rules, cached=False, threads=1)
    assert solution.value == pytest.approx(float(expected), abs=1e-12)
    assert solution.outcome.histogram.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("spec", ["score:11", "bust:0.4", "never"])
@pytest.mark.parametrize(
    ("deck", "options"), VENGEANCE_DECKS, ids=lambda item: " ".join(item) or "default"
)
def test_a_rule_over_every_order_of_a_vengeance_deck(
    deck: Deck,
    options: dict[str, object],
    spec: str,
    brute_vengeance: ModuleType,
) -> None:
    rules = Rules.from_options("vengeance", {"deck": only(deck, "vengeance"), **options})
    given = options_of(rules, brute_vengeance)

    def stays(line: tuple[str, ...], left: tuple[str, ...]) -> bool:
        if spec == "score:11":
            return bool(given.score(line) >= 11)
        if spec == "never":
            return False
        numbers = [card for card in left if brute_vengeance.is_number(card)]
        fatal = [card for card in numbers if given.busted(given.arrived(line, card))]
        return len(fatal) >= 0.4 * len(left)

    outcome = f7.evaluate(spec, rules=rules, threads=1)
    scores: defaultdict[int, float] = defaultdict(float)
    ends: defaultdict[str, float] = defaultdict(float)
    for (score, end), chance in brute_vengeance.ends(cards(deck), stays, given).items():
        scores[score] += float(chance)
        ends[end] += float(chance)
    assert outcome.scores() == pytest.approx(dict(scores), abs=1e-12)
    assert outcome.bust == pytest.approx(ends["busted"], abs=1e-12)
    assert outcome.flip7 == pytest.approx(ends["flip7"], abs=1e-12)
