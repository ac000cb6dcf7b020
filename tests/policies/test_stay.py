"""Three decisions of each stay policy, worked out by hand; 1 stays, 0 hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Deal = Callable[..., Any]
Decide = Callable[..., int]


@pytest.mark.parametrize(
    ("line", "answer"),
    [("12 11 +2", 1), ("12 10 +2", 0), ("6 6 second_chance", 0), ("12 +2 x2", 1)],
)
def test_score(deal: Deal, decide: Decide, line: str, answer: int) -> None:
    assert decide("score:25", deal(line, "")) == answer


def test_score_with_another_target_for_second_chance(deal: Deal, decide: Decide) -> None:
    assert decide("score:25,chance=30", deal("12 11 5 second_chance", "")) == 0
    assert decide("score:25,chance=28", deal("12 11 5 second_chance", "")) == 1
    assert decide("score:25,chance=30", deal("12 11 5", "")) == 1
    assert decide("score:25,chance=never", deal("12 11 10 9 second_chance", "")) == 0
    assert decide("score:25", deal("12 11 5 second_chance", "")) == 1


@pytest.mark.parametrize(("line", "answer"), [("12 8", 1), ("12 7 +10 x2", 0), ("12 9 1", 1)])
def test_sum(deal: Deal, decide: Decide, line: str, answer: int) -> None:
    assert decide("sum:20", deal(line, "")) == answer


@pytest.mark.parametrize(("line", "answer"), [("0 1 2", 1), ("12 11 x2 +10", 0), ("0 1 2 3", 1)])
def test_cards(deal: Deal, decide: Decide, line: str, answer: int) -> None:
    assert decide("cards:3", deal(line, "")) == answer


def test_bust(deal: Deal, decide: Decide) -> None:
    """Own 12 and 3 with a rival's 12: 11 + 2 of 92, 11 + 2 - 1 of 90, 10 of 87 when all is seen."""
    table = deal("12 3", "12 x2", "3 busted", seen="3 5")
    assert decide("bust:0.14,own", table) == 1  # 13/92 = 0.1413
    assert decide("bust:0.14,lines", table) == 0  # 12/90 = 0.1333
    assert decide("bust:0.13,lines", table) == 1
    assert decide("bust:0.13", table) == 0  # 10/87 = 0.1149
    assert decide("bust:0.11", table) == 1
    assert decide("bust:0.01", deal("12 3 second_chance", "")) == 0
    assert decide("bust:0", deal("12 second_chance", "")) == 1


def test_bust_in_vengeance(deal: Deal, decide: Decide) -> None:
    assert decide("bust:0.1", deal("lucky13", "", game="vengeance")) == 0
    assert decide("bust:0.1", deal("13", "", game="vengeance")) == 1  # 11/107
    assert decide("bust:0.105", deal("13", "", game="vengeance")) == 0


def test_gain(deal: Deal, decide: Decide) -> None:
    """Faces 1 to 12 once each: a line of two brings the others' faces, costs nothing to go on."""
    once = {str(n): 1 for n in range(1, 13)} | {"0": 0, "x2": 0, "freeze": 0, "flip_three": 0}
    once |= {f"+{n}": 0 for n in (2, 4, 6, 8, 10)} | {"second_chance": 0}
    assert decide("gain", deal("12 11", "", deck=once)) == 0
    # A second 12 in the deck: 1 to 10 bring 55, the 12 costs 23; three of them cost 69.
    assert decide("gain", deal("12 11", "", deck=once | {"12": 2})) == 0
    assert decide("gain", deal("12 11", "", deck=once | {"12": 4})) == 1


def test_gain_by_attention(deal: Deal, decide: Decide) -> None:
    """The two 12s that would cost 46 and more are in a rival's line or in the discard pile."""
    deck = {str(n): 0 for n in range(13)} | {"10": 1, "9": 1, "12": 4, "11": 1}
    deck |= {"x2": 0, "freeze": 0, "flip_three": 0, "second_chance": 0}
    deck |= {f"+{n}": 0 for n in (2, 4, 6, 8, 10)}
    lines = deal("12", "12", seen="12", deck=deck)
    # Left over from 10, 9 and 11: 30. Own line only: three 12s cost 36; lines: two cost 24.
    assert decide("gain:own", lines) == 1
    assert decide("gain:lines", lines) == 0
    assert decide("gain", lines) == 0
    rich = deal("12 11", "12", seen="12", deck=deck)
    # From 10 and 9: 19. Lines: two 12s cost 46; seen: one costs 23.
    assert decide("gain:lines", rich) == 1
    assert decide("gain", rich) == 1
    assert decide("gain", deal("12 11", "12 12", seen="12", deck=deck)) == 0


@pytest.mark.parametrize(
    ("line", "totals", "answer"),
    [
        ("12 8", [100, 100, 50], 1),
        ("12 8", [100, 110, 50], 0),  # 20 + 0.1 * 10 = 21
        ("12 7", [100, 90, 50], 1),  # 20 - 0.1 * 10 = 19
    ],
)
def test_race(deal: Deal, decide: Decide, line: str, totals: list[int], answer: int) -> None:
    assert decide("race:20,0.1", deal(line, "", "", totals=totals)) == answer


@pytest.mark.parametrize(
    ("rivals", "answer"), [(["", ""], 1), (["", "5 stayed"], 1), (["5 busted", "5 stayed"], 0)]
)
def test_crowd(deal: Deal, decide: Decide, rivals: list[str], answer: int) -> None:
    """21 points against 23 less 2 for each rival still active."""
    assert decide("crowd:23,2", deal("12 9", *rivals)) == answer


@pytest.mark.parametrize("line", ["1", "12 11 10 9", "+2"])
def test_never_and_always(deal: Deal, decide: Decide, line: str) -> None:
    assert decide("never", deal(line, "")) == 0
    assert decide("always", deal(line, "")) == 1


def test_random(deal: Deal, decide: Decide) -> None:
    table = deal("5", "")
    table.seed[:] = (1, 2)
    assert decide("random:0", table) == 0
    assert decide("random:1", table) == 1
    stays = 0
    for stream in range(400):
        table.stream = stream
        stays += decide("random:0.25", table)
    assert 66 < stays < 134  # mean 100, four standard deviations are 35
