"""The targeting policies: each returns an index into the table's options.

One short function each, whose docstring gives the idea and where it comes from. The options are
listed clockwise from the chooser, whose own seat is last; the first of equals is taken, so that
equal players are treated alike. Who attacks rivals chooses the own seat only where it must.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper, int64
from flip7sim.policies import worths
from flip7sim.policies.policy import Metadata, Policy, targeting_policy
from flip7sim.readings import SEEN, next_card_gain, uniform
from flip7sim.table import ASK_FREEZE, ASK_NAMES, ASK_SECOND_CHANCE, GAME_ASKS


def _about(looks_at: str, source: str, asks: tuple[str, ...] = GAME_ASKS["base"]) -> Metadata:
    games = ("base",) if asks == GAME_ASKS["base"] else ("base", "vengeance")
    return Metadata(games=games, asks=asks, looks_at=tuple(looks_at.split()), source=source)


@helper
def n_rivals(table: Any, seat: int) -> int:
    """Return how many of the options, the first ones, are rivals; all where there is no other."""
    n = table.n_options
    if n > 1 and table.options[n - 1].seat == seat:
        return n - 1
    return n


@helper
def first_of_highest(table: Any, seat: int, worth: Any) -> int:
    """Return the first option whose rival has the highest `worth`, a function of `worths`."""
    best, most = 0, worth(table, int64(table.options[0].seat))
    for option in range(1, n_rivals(table, seat)):
        value = worth(table, int64(table.options[option].seat))
        if value > most:
            best, most = option, value
    return best


@targeting_policy(metadata=_about("lines totals", "2222-42/flip7_strategy; dirck.dev, 2026-01"))
def leader(table: Any, seat: int) -> int:
    """Attack the rival with the most points, total and line; give to the next seat.

    Points taken from whoever is nearest to winning count most.
    """
    if table.ask == ASK_SECOND_CHANCE:
        return 0
    return first_of_highest(table, seat, worths.points)


@targeting_policy(metadata=_about("totals", "this project: looks at the score sheet only"))
def leader_total(table: Any, seat: int) -> int:
    """Attack the rival with the highest total; give to the next seat."""
    if table.ask == ASK_SECOND_CHANCE:
        return 0
    return first_of_highest(table, seat, worths.total)


@targeting_policy(metadata=_about("lines", "this project: looks at the table only"))
def biggest_line(table: Any, seat: int) -> int:
    """Attack the rival whose line is worth most; give to the next seat."""
    if table.ask == ASK_SECOND_CHANCE:
        return 0
    return first_of_highest(table, seat, worths.open_line)


@targeting_policy(metadata=_about("lines totals", "this project: the opposite of the leader"))
def weakest(table: Any, seat: int) -> int:
    """Choose the rival with the fewest points, total and line, to attack or to give to."""
    return first_of_highest(table, seat, worths.few_points)


@targeting_policy(metadata=_about("lines seen", "Eppie/flip-seven, 2026: adversarial targeting"))
def risky(table: Any, seat: int) -> int:
    """Choose the rival likeliest to bust on the next card."""
    return first_of_highest(table, seat, worths.risk)


@targeting_policy(metadata=_about("lines seen", "this project: the opposite of risky"))
def safe(table: Any, seat: int) -> int:
    """Choose the rival least likely to bust on the next card."""
    return first_of_highest(table, seat, worths.safety)


_leader = helper(leader.function)


@targeting_policy(metadata=_about("lines totals seen", "Eppie/flip-seven, 2026: self-targeting"))
def self_if_good(table: Any, seat: int) -> int:
    """Choose oneself when that raises the own expected score, else attack as `leader`.

    One step of look-ahead: a Flip Three for oneself when one more card raises the expected score,
    a Freeze when one more card would lower it.
    """
    last = table.n_options - 1
    if table.options[last].seat == seat:
        gain = next_card_gain(table, seat, SEEN)
        if (gain < 0) if table.ask == ASK_FREEZE else (gain > 0):
            return last
    return _leader(table, seat)


@targeting_policy(
    name="next", metadata=_about("nothing", "this project: the simplest", ASK_NAMES[1:])
)
def next_seat(table: Any, seat: int) -> int:
    """Choose the first option: the next seat clockwise."""
    return 0


@targeting_policy(
    name="random",
    metadata=_about("chance", "Eppie/flip-seven, 2026: random targeting", ASK_NAMES[1:]),
)
def at_random(table: Any, seat: int) -> int:
    """Choose any legal option, each equally likely."""
    return int(uniform(table, seat) * table.n_options)


POLICIES: Final[tuple[Policy, ...]] = (
    leader, leader_total, biggest_line, weakest, risky, safe, self_if_good, next_seat, at_random,
)  # fmt: skip
"""In the order in which they are listed."""
