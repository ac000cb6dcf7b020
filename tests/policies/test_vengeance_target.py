"""A decision of every Vengeance targeting policy for each choice, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flip7sim.policies.effects import option_busts, option_effect, rivals_touched

Deal = Callable[..., Any]
Decide = Callable[..., int]


@pytest.fixture
def choose(deal: Deal, decide: Decide) -> Callable[..., Any]:
    """Return the option that a policy takes, as it was listed."""

    def option(policy: str, *lines: str, options: tuple[Any, ...], **more: Any) -> Any:
        table = deal(*lines, options=options, game="vengeance", **more)
        return options[decide(f"never/{policy}", table)]

    return option


Choose = Callable[..., Any]


def test_effects_of_cards_that_move(deal: Deal) -> None:
    table = deal("5 -2", "12 5", "13", game="vengeance", ask="steal",
                 options=[(1, "12"), (1, "5"), (2, "13")])  # fmt: skip
    assert [option_effect(table, 0, seat) for seat in range(3)] == [12, -12, 0]
    assert [option_effect(table, 1, seat) for seat in range(3)] == [-3, -5, 0]
    assert [option_busts(table, 1, seat) for seat in range(3)] == [1, 0, 0]
    assert rivals_touched(table, 0) == 0b110
    table = deal("5 -2", "12 5", "13", game="vengeance", ask="swap",
                 options=[(1, "12", 2, "13"), (1, "12", 0, "5"), (2, "13", 0, "-2")])  # fmt: skip
    assert [option_effect(table, 0, seat) for seat in range(3)] == [0, 1, -1]
    assert [option_effect(table, 1, seat) for seat in range(3)] == [7, -17, 0]
    assert [option_busts(table, 1, seat) for seat in range(3)] == [0, 1, 0]
    assert [option_effect(table, 2, seat) for seat in range(3)] == [15, 0, -13]


def test_effects_of_gifts(deal: Deal) -> None:
    table = deal("5", "11", "busted", game="vengeance", brutal=True, ask="modifier", card="div2",
                 options=[1, 2, 0])  # fmt: skip
    assert [option_effect(table, k, s) for k, s in enumerate((1, 2, 0))] == [-6, 0, -3]
    table = deal("5", "11", "busted", game="vengeance", brutal=True, ask="modifier", card="-8",
                 options=[1, 2, 0])  # fmt: skip
    assert [option_effect(table, k, s) for k, s in enumerate((1, 2, 0))] == [-8, -8, -8]
    assert option_effect(table, 0, 2) == 0
    table = deal("5", "11", game="vengeance", brutal=True, ask="flip7_bonus", options=[1, 0])
    assert [option_effect(table, 0, 1), option_effect(table, 1, 0)] == [-15, 15]


def test_effects_of_forced_flips(deal: Deal) -> None:
    """Alone with a 12 of two and a 1: half the time the line is lost, else it gains a point."""
    none = {str(n): 0 for n in range(14)} | dict.fromkeys(
        ("unlucky7", "lucky13", "div2", "-2", "-4", "-6", "-8", "-10", "just_one_more",
         "flip_four", "steal", "swap", "discard"), 0,
    )  # fmt: skip
    table = deal("", "12", game="vengeance", deck=none | {"12": 2, "1": 1}, ask="just_one_more",
                 options=[1, 0])  # fmt: skip
    assert option_effect(table, 0, 1) == (1 - 12) / 2
    assert option_busts(table, 0, 1) == 0.5
    assert option_effect(table, 0, 0) == 0
    table.ask += 1  # flip_four
    assert option_busts(table, 0, 1) == 15 / 16
    assert option_effect(table, 0, 1) == 1 / 16 * (12 + 4) - 12


def test_leader(choose: Choose) -> None:
    lines = ("5", "9 8", "13 -2", "10 busted")
    totals = [0, 40, 45, 90]  # standings 57, 56 and the busted 90
    cards = ((1, "8"), (1, "9"), (2, "13"), (2, "-2"), (0, "5"))
    assert choose("leader", *lines, totals=totals, ask="discard", options=cards) == (1, "9")
    assert choose("leader", *lines, totals=totals, ask="steal", options=cards[:4]) == (1, "9")
    assert (
        choose("leader", *lines, totals=totals, ask="modifier", card="-10", options=(1, 2, 0)) == 1
    )
    swaps = ((1, "8", 2, "13"), (1, "9", 2, "-2"), (1, "9", 0, "5"), (2, "13", 0, "5"))
    assert choose("leader", *lines, totals=totals, ask="swap", options=swaps) == (1, "9", 2, "-2")
    flips = {"totals": totals, "options": (1, 2, 0)}
    rich = ("5", "9 8 12 11 10", "13 -2", "10 busted")
    assert choose("leader", *rich, ask="just_one_more", **flips) == 1
    assert choose("leader", *rich, ask="flip_four", **flips) == 1
    everybody = (1, 2, 3, 0)
    assert choose("leader", *lines, totals=totals, brutal=True, ask="flip7_bonus",
                  options=everybody) == 3  # fmt: skip


def test_greedy(choose: Choose) -> None:
    lines, totals = ("5 -4 div2", "9 8", "13 5", ""), [0, 40, 45, 90]
    steal = ((1, "8"), (1, "9"), (2, "5"), (2, "13"))
    assert choose("greedy", *lines, totals=totals, ask="steal", options=steal) == (2, "13")
    discard = ((1, "9"), (2, "13"), (0, "5"), (0, "-4"), (0, "div2"))
    assert choose("greedy", "9 -4 div2", *lines[1:], ask="discard", options=discard) == (0, "div2")
    swap = ((1, "9", 2, "13"), (1, "9", 0, "-4"), (2, "13", 0, "-4"), (2, "13", 0, "5"))
    assert choose("greedy", *lines, ask="swap", options=swap) == (2, "13", 0, "-4")
    assert choose("greedy", "5", "9", ask="modifier", card="-2", options=(1, 0)) == 1
    bonus = {"ask": "flip7_bonus", "brutal": True, "options": (1, 2, 0)}
    assert choose("greedy", "5", "9", "8", **bonus) == 0
    risky = ("12 11 10 9 8 6", "", "")
    assert choose("greedy", *risky, ask="flip_four", options=(1, 2, 0)) == 1
    assert choose("greedy", "1", "", "", ask="flip_four", options=(1, 2, 0)) == 0
    assert choose("greedy", "1", "", "", ask="just_one_more", options=(1, 2, 0)) == 0


def test_spread(choose: Choose) -> None:
    """Seats 1 and 2 stand at 60 and 58: only 3 points off the first leave the second ahead."""
    lines, totals = ("5", "2 4", "8", ""), [0, 54, 50, 0]
    discard = ((1, "2"), (1, "4"), (2, "8"))
    # Afterwards the best rival has 58, 58 and 60.
    assert choose("spread", *lines, totals=totals, ask="discard", options=discard) == (1, "2")
    assert choose("spread", *lines, totals=totals, ask="steal", options=discard[::-1]) == (1, "4")
    lower = [0, 50, 54, 0]  # standings 56 and 62
    assert choose("spread", *lines, totals=lower, ask="discard", options=discard) == (2, "8")
    swap = ((1, "2", 2, "8"), (1, "4", 2, "8"), (2, "8", 0, "5"))
    # 62 and 56, 60 and 58, 56 and 59.
    assert choose("spread", *lines, totals=lower, ask="swap", options=swap) == (2, "8", 0, "5")
    gift = {"ask": "modifier", "card": "-8", "options": (1, 2, 3, 0)}
    assert choose("spread", *lines, totals=totals, **gift) == 1
    assert choose("spread", *lines, totals=lower, **gift) == 2
    bonus = {"ask": "flip7_bonus", "brutal": True, "options": (1, 2, 3, 0)}
    assert choose("spread", *lines, totals=lower, **bonus) == 2
    rich = ("", "12 11 10 9 8", "1", "")
    flips = {"totals": [0, 0, 0, 0], "options": (1, 2, 3, 0)}
    assert choose("spread", *rich, ask="flip_four", **flips) == 1
    assert choose("spread", *rich, ask="just_one_more", **flips) == 1


def test_bust(choose: Choose) -> None:
    lines, totals = ("5 9", "9 8", "13 8", ""), [0, 40, 45, 0]
    swap = ((1, "9", 2, "13"), (1, "9", 2, "8"), (1, "8", 0, "9"), (2, "13", 0, "9"))
    # The second gives seat 1 a second 8.
    assert choose("bust", *lines, totals=totals, ask="swap", options=swap) == (1, "9", 2, "8")
    discard = ((1, "9"), (2, "13"), (0, "5"))
    assert choose("bust", *lines, totals=totals, ask="discard", options=discard) == (2, "13")
    assert choose("bust", *lines, totals=totals, ask="steal", options=discard[:2]) == (2, "13")
    assert choose("bust", *lines, ask="flip_four", options=(1, 2, 3, 0)) == 2  # 11 + 7 cards
    assert choose("bust", *lines, ask="just_one_more", options=(1, 2, 3, 0)) == 2
    gift = {"ask": "modifier", "card": "-8", "options": (1, 2, 3, 0)}
    assert choose("bust", *lines, totals=totals, **gift) == 2  # as the leader
    bonus = {"ask": "flip7_bonus", "brutal": True, "options": (1, 2, 3, 0)}
    assert choose("bust", *lines, totals=totals, **bonus) == 2


def test_polite(choose: Choose) -> None:
    lines = ("5 -4", "9 -2", "13 1", "")
    discard = ((1, "9"), (2, "13"), (1, "-2"), (0, "5"))
    assert choose("polite", *lines, ask="discard", options=discard) == (1, "-2")
    steal = ((1, "9"), (2, "13"), (2, "1"))
    assert choose("polite", *lines, ask="steal", options=steal) == (2, "1")
    swap = ((1, "9", 2, "13"), (1, "9", 0, "5"), (2, "1", 0, "5"))
    assert choose("polite", *lines, ask="swap", options=swap) == (2, "1", 0, "5")
    assert choose("polite", *lines, ask="modifier", card="-6", options=(1, 2, 3, 0)) == 3
    bonus = {"ask": "flip7_bonus", "brutal": True, "options": (1, 2, 3, 0)}
    assert choose("polite", *lines, **bonus) == 0
    rich = ("5", "9 8 12 11 10", "13 12 11 10 9", "")
    assert choose("polite", *rich, ask="flip_four", options=(1, 2, 3, 0)) == 3
    assert choose("polite", *rich, ask="just_one_more", options=(1, 2, 3, 0)) == 3


@pytest.mark.parametrize(
    ("policy", "victim"),
    [("leader", 1), ("leader_total", 3), ("biggest_line", 2), ("weakest", 3), ("risky", 2),
     ("safe", 3)],
)  # fmt: skip
def test_whom_the_others_hurt(choose: Choose, policy: str, victim: int) -> None:
    """Standings 61, 58, 53; totals 49, 30, 52; chances to bust by 12 (11), 9 8 11 (25) and 1."""
    lines, totals = ("5", "12", "9 8 11", "1"), [0, 49, 30, 52]
    if policy == "weakest":
        totals = [0, 49, 30, 2]
    discard = tuple((seat, card) for seat in (1, 2, 3) for card in lines[seat].split())
    taken = choose(policy, *lines, totals=totals, ask="discard", options=discard)
    assert taken[0] == victim
    hit = choose(policy, *lines, totals=totals, ask="modifier", card="-2", options=(1, 2, 3, 0))
    assert hit == victim
    bonus = {"ask": "flip7_bonus", "brutal": True, "options": (1, 2, 3, 0)}
    assert choose(policy, *lines, totals=totals, **bonus) == victim


def test_self_if_good(choose: Choose) -> None:
    lines, totals = ("5", "9 8", "13", ""), [0, 40, 30, 0]
    steal = ((1, "8"), (1, "9"), (2, "13"))
    assert choose("self_if_good", *lines, totals=totals, ask="steal", options=steal) == (2, "13")
    discard = ((1, "8"), (1, "9"), (2, "13"), (0, "5"))
    assert choose("self_if_good", *lines, totals=totals, ask="discard", options=discard) == (1, "9")
    bonus = {"ask": "flip7_bonus", "brutal": True, "options": (1, 2, 3, 0)}
    assert choose("self_if_good", *lines, totals=totals, **bonus) == 0


def test_next_and_random(choose: Choose) -> None:
    options = ((1, "8"), (1, "9"), (2, "13"))
    assert choose("next", "5", "9 8", "13", ask="steal", options=options) == (1, "8")
    assert choose("next", "5", "9", "13", ask="flip_four", options=(1, 2, 0)) == 1
    assert choose("random", "5", "9 8", "13", ask="steal", options=options) in options
