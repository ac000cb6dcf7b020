"""Rule cards: short, and nearly as good as the solution."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flip7sim.exact import sweep
from flip7sim.exact.layout import build_layout
from flip7sim.exact.round import solve
from flip7sim.exact.rule_card import rule_card
from flip7sim.exact.rule_losses import COUNTINGS, NEVER, Form, Losses
from flip7sim.policies.policy import stay_policy
from flip7sim.rules import Rules
from flip7sim.study.exactly.exact_answers import evaluate

NUMBERS = Rules(deck="numbers")
NOTHING_ELSE = dict.fromkeys(
    ("+2", "+4", "+6", "+8", "+10", "x2", "freeze", "flip_three", "second_chance"), 0
)
LOW = Rules(deck=NOTHING_ELSE | {str(number): 0 for number in range(6, 13)})
"""Lines of at most 1 + 2 + 3 + 4 + 5: no good threshold is anywhere near those of a whole deck."""
SMALL = Rules(
    deck={str(number): 0 for number in range(5, 13)}
    | {"1": 3, "2": 3, "+4": 1, "+6": 0, "+8": 0, "+2": 0, "+10": 0, "x2": 1, "freeze": 1}
    | {"flip_three": 0, "second_chance": 1}
)


def test_numbers_card_keeps_the_share() -> None:
    card = rule_card(NUMBERS)
    assert card.lines() == [
        "with up to 2 numbers: stay at 22 or more",
        "with 3 to 5 numbers: stay at 23 or more",
        "with 6 numbers: stay at 35 or more",
    ]
    assert 0.999 <= card.share < 1
    assert card.share == pytest.approx(card.outcome.mean / solve(NUMBERS).value, abs=1e-12)


def test_a_modest_share_needs_one_condition() -> None:
    card = rule_card(NUMBERS, share=0.99)
    assert card.lines() == ["stay at 23 or more"]
    assert card.outcome.mean == pytest.approx(18.5212257206, abs=1e-10)


def test_played_by_its_words() -> None:
    """The card's words as a policy, asked through the table, give the card's figures."""
    rules = Rules(deck="no-attacks")
    card = rule_card(rules)
    assert card.lines() == [
        "count the numbers and a third of the plus points, x2 or not",
        "with up to 2 numbers: stay at 23 or more",
        "with 3 to 5 numbers: stay at 25 or more",
        "with 6 numbers: stay at 36 or more",
        "holding a Second Chance: hit",
    ]

    @stay_policy
    def by_card(table: Any, seat: int) -> int:
        if table.n_second_chances[seat]:
            return 0
        numbers = table.n_numbers[seat]
        thirds = 3 * table.number_sum[seat] + table.modifier_sum[seat]
        return thirds >= 3 * (23 if numbers <= 2 else 25 if numbers <= 5 else 36)

    outcome = evaluate(by_card(), rules=rules)
    assert outcome.mean == pytest.approx(card.outcome.mean, abs=1e-10)
    assert outcome.flip7 == pytest.approx(card.outcome.flip7, abs=1e-12)


def play_form(rules: Rules, form: Form) -> tuple[float, float, float]:
    """Return the mean by a form, and its loss by the tally and by subtraction."""
    layout, solution = build_layout(rules), solve(rules)
    visits = np.zeros_like(solution.hit)
    stays = form.stays(layout).astype(np.uint8)
    with sweep.workers(1) as pool:
        outcome = sweep.carry_forward(layout, pool, stays, visits=visits)
    tally = Losses(layout, solution.hit, visits).loss(form)
    return outcome.mean, tally, solution.value - outcome.mean


@pytest.mark.parametrize(
    "form",
    [
        Form(Fraction(1, 3), ((1, 2), (3, 4, 5, 6)), (4, 7), None),
        Form(Fraction(1), ((1, 2, 3, 4, 5, 6),), (3,), 9),
        Form(Fraction(0), ((1,), (2, 3, 4, 5, 6)), (NEVER, 2), NEVER),
    ],
)
def test_a_tally_of_the_own_visits_gives_the_exact_loss(form: Form) -> None:
    _, tally, lost = play_form(SMALL, form)
    assert lost > 0.01
    assert tally == pytest.approx(lost, abs=1e-12)


@pytest.mark.parametrize("rules", [LOW, SMALL], ids=["low", "small"])
def test_one_condition_would_not_do(rules: Rules) -> None:
    """At every threshold that there is, and whatever is counted."""
    wanted = rule_card(rules, share=1.0).share - 1e-9
    card = rule_card(rules, share=wanted)
    assert card.share >= wanted > 0.99
    assert card.form.n_conditions == 2
    for plus_part in COUNTINGS if rules is SMALL else COUNTINGS[:1]:
        for threshold in (*range(1, 20), NEVER):
            form = Form(plus_part, (tuple(range(1, 7)),), (threshold,), None)
            mean, _, _ = play_form(rules, form)
            assert mean < wanted * solve(rules).value


def test_two_conditions_would_not_do() -> None:
    layout, solution = build_layout(NUMBERS), solve(NUMBERS)
    best = 0.0
    with sweep.workers(1) as pool:
        for cut, low, high in product(range(2, 7), range(20, 26), range(22, 38)):
            groups = tuple(range(1, cut)), tuple(range(cut, 7))
            stays = Form(Fraction(0), groups, (low, high), None).stays(layout)
            outcome = sweep.carry_forward(layout, pool, stays.astype(np.uint8))
            best = max(best, outcome.mean)
    assert rule_card(NUMBERS, share=0.998).outcome.mean == pytest.approx(best, abs=1e-10)
    assert best < 0.999 * solution.value
    assert rule_card(NUMBERS).form.n_conditions == 3


def test_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLIP7SIM_CACHE_DIR", str(tmp_path))
    card = rule_card(LOW)
    (file,) = tmp_path.glob("exact/rule-card-*.solution")
    stamp = file.stat().st_mtime_ns
    assert rule_card(LOW).report() == card.report()
    assert file.stat().st_mtime_ns == stamp
    file.write_bytes(file.read_bytes().replace(b'"share": 0.99', b'"share": 0.88'))
    assert rule_card(LOW).report() == card.report()
    assert b'"share": 0.88' not in file.read_bytes()
