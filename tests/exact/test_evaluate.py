"""Stay rules evaluated exactly: published values, shipped policies, combinations, errors."""

from __future__ import annotations

import numpy as np
import pytest

from flip7sim.callbacks import Callback
from flip7sim.cards import KIND
from flip7sim.errors import InputError, PolicyError
from flip7sim.exact.evaluate import Term, evaluate
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.probability import flip7_never_staying
from flip7sim.exact.round import solve
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.lines import add_card
from flip7sim.policies.seating import player
from flip7sim.rules import Rules
from flip7sim.study.exactly.exact_scan import Family, scan_family
from flip7sim.study.exactly.player_terms import player_terms
from flip7sim.table import new_table

NUMBERS = Rules(deck="numbers")
VENGEANCE = Rules(game="vengeance", deck="numbers")


def outcome_of(spec: str, rules: Rules = NUMBERS) -> Outcome:
    seated = player(spec)
    return evaluate(rules, player_terms(seated, rules), label=spec)


@pytest.mark.parametrize(
    ("spec", "mean"),
    [
        ("score:23", 18.5212257206),
        ("bust:0.26", 18.5293925583),
        ("gain", 18.5623573998),
        ("cards:3", 17.6636528029),
    ],
)
def test_published_means(spec: str, mean: float) -> None:
    assert round(outcome_of(spec).mean, 10) == mean


def test_published_chances() -> None:
    assert round(outcome_of("score:23").bust, 10) == 0.3131734056
    assert round(outcome_of("never").flip7, 10) == 0.0866097660


def test_vengeance_agrees_with_counting_and_with_the_optimum() -> None:
    never = outcome_of("never", VENGEANCE)
    assert never.flip7 == pytest.approx(float(flip7_never_staying(VENGEANCE)), abs=1e-13)
    assert never.bust + never.flip7 == pytest.approx(1, abs=1e-12)
    optimum = solve_vengeance(VENGEANCE)
    played = outcome_of("optimal:round", VENGEANCE)
    assert played.mean == pytest.approx(optimum.value, abs=1e-11)
    assert played.scores() == pytest.approx(optimum.outcome.scores(), abs=1e-12)
    assert (
        optimum.value > outcome_of("gain", VENGEANCE).mean > outcome_of("score:25", VENGEANCE).mean
    )


def test_brutal_rounds_may_end_below_zero() -> None:
    deck = dict.fromkeys(("-2", "-4", "-6", "-8", "flip_four", "discard", "steal", "swap"), 0)
    rules = Rules(game="vengeance", deck=deck, brutal=True, specials=False)
    outcome = outcome_of("always", rules)
    # A line starts with -10 one time in so many cards, and then nobody is made to go on. Just One
    # More may bring it, too.
    assert min(outcome.scores()) == -10
    assert outcome.scores()[-10] > 1 / rules.n_cards
    mean = sum(score * chance for score, chance in outcome.scores().items())
    assert outcome.mean == pytest.approx(mean)
    assert Outcome.from_summary(outcome.summary()).scores() == outcome.scores()


def test_figures_agree_with_the_histogram() -> None:
    outcome = outcome_of("score:25", Rules(deck="no-attacks"))
    scores = outcome.scores()
    assert sum(scores.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(score * chance for score, chance in scores.items())
    square = sum(score**2 * chance for score, chance in scores.items())
    assert outcome.mean == pytest.approx(mean)
    assert outcome.sd == pytest.approx((square - mean**2) ** 0.5)
    assert 0 < outcome.flip7 < outcome.bust < scores[0] + 1e-12
    report = outcome.report()
    assert set(report) >= {"mean", "sd", "bust", "flip7", "histogram"}
    assert all(isinstance(score, str) for score in report["histogram"])


def test_the_deck_that_a_policy_sees_is_the_deck_that_is_left() -> None:
    few = dict.fromkeys(("x2", "+2", "+4", "+6", "+8"), 0)
    rules = Rules(deck={**few, "flip_three": 1, "freeze": 2, "second_chance": 2, "+10": 2})
    wrong: list[str] = []

    def check(table: object, seat: int) -> int:
        record: np.record = table  # type: ignore[assignment]
        line = np.array(record.line[seat], np.int64)
        out = record.full - record.left - record.discarded
        # Cards are in the deck, in the discard pile or in the line, and nowhere else.
        if not np.array_equal(out, line):
            wrong.append(f"{out} {line}")
        numbers = [n for n in range(13) if line[n]]
        if record.n_cards_left != record.left.sum() or record.n_line[seat] != line.sum():
            wrong.append("counts")
        if record.number_sum[seat] != sum(numbers) or record.n_numbers[seat] != len(numbers):
            wrong.append("sums")
        if record.flips != record.n_cards - record.n_cards_left:
            wrong.append("flips")
        return int(len(numbers) > 1)

    rule = Callback(check)
    evaluate(rules, [Term(rule.address)])
    assert rule.error is None
    assert not wrong


def test_the_deck_that_a_policy_sees_in_vengeance() -> None:
    names = [str(number) for number in range(1, 9)] + ["flip_four", "discard", "swap"]
    deck = dict.fromkeys((*names, "-2", "-4", "-6", "-8"), 0)
    deck |= {"steal": 1, "just_one_more": 1, "7": 2, "13": 2}
    rules = Rules(game="vengeance", deck=deck)
    wrong: list[str] = []
    seen = [0, 0]

    def check(table: object, seat: int) -> int:
        record: np.record = table  # type: ignore[assignment]
        again = new_table(rules, 1)
        for kind in np.repeat(np.arange(len(record.full)), record.line[seat]):
            add_card(again, 0, int(kind))
        for name in ("held", "n_numbers", "number_sum", "modifier_sum", "n_doublers", "n_line"):
            if record[name][seat] != again[name][0]:
                wrong.append(name)
        line = np.array(record.line[seat], np.int64)
        if not np.array_equal(record.full - record.left - record.discarded, line):
            wrong.append("cards")
        if record.n_cards_left != record.left.sum():
            wrong.append("left")
        if record.n_discarded != record.discarded.sum():
            wrong.append("discarded")
        if record.flips != record.n_cards - record.n_cards_left:
            wrong.append("flips")
        seen[0] += int(record.line[seat, KIND["unlucky7"]])
        seen[1] += int(record.discarded[KIND["steal"]])
        return int(record.n_numbers[seat] > 1)

    rule = Callback(check)
    evaluate(rules, [Term(rule.address)], threads=1)
    assert rule.error is None
    assert not wrong
    assert min(seen) > 0


def test_random_terms() -> None:
    half = outcome_of("random:0.5")
    assert outcome_of("random:1").mean == outcome_of("always").mean
    assert outcome_of("random:0").mean == outcome_of("never").mean
    # One random number serves all random terms, so "or" takes the larger chance.
    assert outcome_of("random:0.5 or random:0.2").mean == half.mean
    assert outcome_of("random:0.5 and random:0.7").mean == half.mean


def test_and_binds_tighter_than_or() -> None:
    both = outcome_of("always or never and never")
    assert both.mean == outcome_of("always").mean
    assert outcome_of("never and always or never").mean == outcome_of("never").mean


def test_best_parameter_and_its_loss() -> None:
    found = scan_family(NUMBERS, Family(policy="score:{}", start=20, to=27, step=1))
    assert found.best == 23
    loss = solve(NUMBERS).value - found.outcomes[found.best].mean
    assert round(100 * (1 - loss / solve(NUMBERS).value), 2) == 99.76


@pytest.mark.parametrize("rules", [NUMBERS, VENGEANCE], ids=lambda rules: rules.game)
@pytest.mark.parametrize(("answer", "words"), [(2, "answered 2"), (-1, "answered -1")])
def test_an_illegal_answer_is_an_error(answer: int, words: str, rules: Rules) -> None:
    rule = Callback(lambda table, seat: answer)
    with pytest.raises(PolicyError, match=words):
        evaluate(rules, [Term(rule.address)], label="mine")


def test_an_illegal_answer_after_unlucky7_is_an_error() -> None:
    rule = Callback(lambda table, seat: 3 if table.line[seat, KIND["unlucky7"]] else 1)
    with pytest.raises(PolicyError, match="answered 3"):
        evaluate(VENGEANCE, [Term(rule.address)], label="mine", threads=2)


def test_a_policy_that_raises_is_an_error() -> None:
    rule = Callback(lambda table, seat: 1 // 0)
    with pytest.raises(PolicyError, match=r"mine.*raised"):
        evaluate(NUMBERS, [Term(rule.address)], label="mine")
    assert isinstance(rule.error, ZeroDivisionError)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="1 to 8"):
        evaluate(NUMBERS, [])
