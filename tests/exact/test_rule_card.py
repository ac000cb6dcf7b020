"""Rule cards: short, and nearly as good as the solution."""

from __future__ import annotations

import pytest

from flip7sim.errors import InputError
from flip7sim.exact.rule_card import rule_card
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.rules import Rules


def test_numbers_card_keeps_the_share() -> None:
    card = rule_card(Rules(deck="numbers"))
    assert card.share >= 0.999
    assert len(card.lines()) == len(card.groups)
    # More cards in hand promise a Flip 7: the thresholds rise.
    assert list(card.thresholds) == sorted(card.thresholds)


def test_a_modest_share_needs_one_condition() -> None:
    card = rule_card(Rules(deck="numbers"), share=0.99)
    assert card.lines() == ["stay at 23 or more"]
    assert card.outcome.mean == pytest.approx(18.5212257206, abs=1e-10)


def test_a_card_for_vengeance_numbers() -> None:
    rules = Rules(game="vengeance", deck="numbers")
    card = rule_card(rules, share=0.99)
    assert card.share >= 0.99
    assert card.share == pytest.approx(card.outcome.mean / solve_vengeance(rules).value)
    assert card.with_chance is None and not card.plus_cards
    with pytest.raises(InputError, match="number cards only"):
        rule_card(Rules(game="vengeance", deck="no-actions"))
