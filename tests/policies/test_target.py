"""Three decisions of each targeting policy of the base game, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Deal = Callable[..., Any]
Decide = Callable[..., int]

ATTACKS = ("freeze", "flip_three")
# Options stand clockwise from the chooser, seat 0, who is last.
EVERYBODY = (1, 2, 3, 0)


@pytest.fixture
def attack(deal: Deal, decide: Decide) -> Callable[..., list[int]]:
    """Return the seats that a policy attacks with either card."""

    def seats(policy: str, *lines: str, options: tuple[int, ...] = EVERYBODY, **more: Any) -> Any:
        chosen = set()
        for ask in ATTACKS:
            table = deal(*lines, ask=ask, card=ask, options=options, **more)
            chosen.add(options[decide(f"never/{policy}", table)])
        return chosen

    return seats


Attack = Callable[..., set[int]]


def test_leader(attack: Attack) -> None:
    assert attack("leader", "", "5", "6", "4", totals=[99, 50, 50, 52]) == {2}  # 55, 56, 56
    assert attack("leader", "", "5", "6", "8", totals=[99, 50, 50, 52]) == {3}
    assert attack("leader", "12", "1", "", "busted", options=(1, 2, 0), totals=[0, 3, 3, 99]) == {1}


def test_leader_attacks_itself_only_when_alone(attack: Attack) -> None:
    assert attack("leader", "12 11", "stayed", "1", "", options=(2, 0)) == {2}


def test_leader_total(attack: Attack) -> None:
    assert attack("leader_total", "", "12", "", "", totals=[99, 50, 51, 51]) == {2}
    assert attack("leader_total", "", "12", "", "", totals=[99, 0, 0, 0]) == {1}
    assert attack("leader_total", "", "12", "", "", totals=[99, -9, -5, -4]) == {3}


def test_biggest_line(attack: Attack) -> None:
    assert attack("biggest_line", "12", "5", "6", "4 x2", totals=[0, 99, 0, 0]) == {3}
    assert attack("biggest_line", "12", "5", "6", "4 +2", totals=[0, 99, 0, 0]) == {2}
    assert attack("biggest_line", "12", "", "", "") == {1}


def test_weakest(attack: Attack) -> None:
    assert attack("weakest", "", "5", "6", "4", totals=[0, 50, 50, 52]) == {1}
    assert attack("weakest", "", "9", "6", "4", totals=[0, 50, 50, 51]) == {3}
    assert attack("weakest", "", "6", "6", "6") == {1}


def test_risky_and_safe(attack: Attack) -> None:
    """What busts: 12s (eleven left), 3 and 9 (2 + 8), 5 and 6 (4 + 5); a Second Chance saves."""
    assert attack("risky", "", "12", "3 9", "5 6") == {1}
    assert attack("safe", "", "12", "3 9", "5 6") == {3}
    assert attack("risky", "", "12 second_chance", "3 9", "5 6") == {2}
    assert attack("safe", "", "12 second_chance", "3 9", "5 6") == {1}
    assert attack("risky", "12 11", "", "", "") == {1}
    assert attack("safe", "", "12", "12", "12") == {1}


def test_risky_counts_what_it_has_seen(attack: Attack) -> None:
    """With three of the 12s gone, two 12s of a rival are less a danger than 3 and 9."""
    seen = "12 12 12"
    assert attack("risky", "", "12", "3 9", "5 6", seen=seen) == {2}
    assert attack("safe", "", "12", "3 9", "5 6", seen=seen) == {1}


def test_self_if_good(deal: Deal, decide: Decide) -> None:
    """By one more card: 0 alone can only win, 12 11 10 9 8 loses more than it gains."""
    good = {"totals": [0, 1, 2, 0], "options": EVERYBODY}
    poor = deal("0", "", "", "", ask="flip_three", card="flip_three", **good)
    assert decide("never/self_if_good", poor) == 3
    rich = deal("12 11 10 9 8", "", "", "", ask="flip_three", card="flip_three", **good)
    assert decide("never/self_if_good", rich) == 1  # the leader, seat 2
    poor = deal("0", "", "", "", ask="freeze", card="freeze", **good)
    assert decide("never/self_if_good", poor) == 1
    rich = deal("12 11 10 9 8", "", "", "", ask="freeze", card="freeze", **good)
    assert decide("never/self_if_good", rich) == 3


def test_next(attack: Attack) -> None:
    assert attack("next", "", "", "12", "") == {1}
    assert attack("next", "", "stayed", "12", "", options=(2, 3, 0)) == {2}
    assert attack("next", "12", "stayed", "stayed", "", options=(3, 0)) == {3}


def test_random_takes_every_option(deal: Deal, decide: Decide) -> None:
    table = deal("", "", "", "", ask="freeze", options=EVERYBODY)
    counts = [0, 0, 0, 0]
    for stream in range(400):
        table.stream = stream
        counts[decide("never/random", table)] += 1
    assert all(65 < count < 135 for count in counts)  # mean 100, four standard deviations are 35


@pytest.mark.parametrize(
    ("policy", "receiver"),
    [
        ("leader", 2), ("leader_total", 2), ("biggest_line", 2), ("self_if_good", 2), ("next", 2),
        ("weakest", 3), ("risky", 2), ("safe", 3),
    ],
)  # fmt: skip
def test_who_gets_a_second_chance(deal: Deal, decide: Decide, policy: str, receiver: int) -> None:
    """Seats 2 and 3 can take it; 2 has the bigger line and total."""
    options = (2, 3)
    table = deal("second_chance", "second_chance", "12", "1", totals=[0, 0, 9, 0],
                 ask="second_chance", card="second_chance", options=options)  # fmt: skip
    assert options[decide(f"never/{policy}", table)] == receiver


def test_the_seat_numbers_do_not_matter(deal: Deal, decide: Decide) -> None:
    """Seat 2 chooses among 3, 0, 1: of equals the first clockwise from the chooser."""
    table = deal("5", "6", "", "6", ask="freeze", chooser=2, options=(3, 0, 1, 2))
    assert decide("never/leader", table, 2) == 0
    table.total[1] = 1
    assert decide("never/leader", table, 2) == 2
