"""The targeting policies of Vengeance, Brutal mode included: they rank the options by their effect.

The options name players, or cards in their lines; `flip7sim.policies.effects` says what each does
to whom. The first of equals is taken. Names that the base game has too stand for the same idea.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper
from flip7sim.policies import worths
from flip7sim.policies.effects import (
    costliest,
    option_busts,
    option_effect,
    rival_of_highest,
)
from flip7sim.policies.policy import Metadata, Policy, targeting_policy
from flip7sim.readings import standing
from flip7sim.table import GAME_ASKS


def _about(looks_at: str, source: str) -> Metadata:
    return Metadata(
        games=("vengeance",), asks=GAME_ASKS["vengeance"], looks_at=tuple(looks_at.split()),
        source=source,
    )  # fmt: skip


@targeting_policy(metadata=_about("lines totals seen", "2222-42/flip7_strategy"))
def leader(table: Any, seat: int) -> int:
    """Take the option that costs the leading rival most.

    The leading rival has the most points, total and line, of those whom the options name.
    """
    return costliest(table, rival_of_highest(table, seat, worths.points))


@targeting_policy(metadata=_about("lines totals seen", "this project: the score sheet only"))
def leader_total(table: Any, seat: int) -> int:
    """Take the option that costs the rival with the highest total most."""
    return costliest(table, rival_of_highest(table, seat, worths.total))


@targeting_policy(metadata=_about("lines seen", "this project: the table only"))
def biggest_line(table: Any, seat: int) -> int:
    """Take the option that costs the rival whose line is worth most; busted lines are nothing."""
    return costliest(table, rival_of_highest(table, seat, worths.open_line))


@targeting_policy(metadata=_about("lines totals seen", "this project: the opposite of the leader"))
def weakest(table: Any, seat: int) -> int:
    """Take the option that costs the rival with the fewest points most."""
    return costliest(table, rival_of_highest(table, seat, worths.few_points))


@targeting_policy(metadata=_about("lines seen", "Eppie/flip-seven, 2026: adversarial targeting"))
def risky(table: Any, seat: int) -> int:
    """Take the option that costs the rival likeliest to bust on the next card most."""
    return costliest(table, rival_of_highest(table, seat, worths.risk))


@targeting_policy(metadata=_about("lines seen", "this project: the opposite of risky"))
def safe(table: Any, seat: int) -> int:
    """Take the option that costs the rival least likely to bust on the next card most."""
    return costliest(table, rival_of_highest(table, seat, worths.safety))


@helper
def _best_for(table: Any, seat: int) -> int:
    """Return the first option that is best for a seat."""
    best, most = 0, option_effect(table, 0, seat)
    for option in range(1, table.n_options):
        effect = option_effect(table, option, seat)
        if effect > most:
            best, most = option, effect
    return best


@targeting_policy(metadata=_about("lines seen", "this project: maximising points is not winning"))
def greedy(table: Any, seat: int) -> int:
    """Take the option that is best for the own expected score."""
    return _best_for(table, seat)


@targeting_policy(metadata=_about("lines totals seen", "Eppie/flip-seven, 2026: self-targeting"))
def self_if_good(table: Any, seat: int) -> int:
    """Take the option best for oneself if it raises the own expected score, else as `leader`."""
    best = _best_for(table, seat)
    if option_effect(table, best, seat) > 0:
        return best
    return costliest(table, rival_of_highest(table, seat, worths.points))


@targeting_policy(metadata=_about("lines totals seen", "this project: keep every rival down"))
def spread(table: Any, seat: int) -> int:
    """Take the option that leaves the most dangerous rival with the fewest points.

    The most dangerous rival is whoever has most points, total and line, once the option is taken:
    it may be another one for each option, so the attacks spread.
    """
    best, least = 0, 0.0
    for option in range(table.n_options):
        most = 0.0
        found = False
        for rival in range(table.n_seats):
            if rival != seat:
                points = standing(table, rival) + option_effect(table, option, rival)
                if not found or points > most:
                    most = points
                    found = True
        if option == 0 or most < least:
            best, least = option, most
    return best


@targeting_policy(metadata=_about("lines totals seen", "this project: a bust costs the whole line"))
def bust(table: Any, seat: int) -> int:
    """Take the option likeliest to bust a rival; if none can, as `leader`."""
    best, most = 0, 0.0
    for option in range(table.n_options):
        chance = 0.0
        for rival in range(table.n_seats):
            if rival != seat:
                chance = max(chance, option_busts(table, option, rival))
        if chance > most:
            best, most = option, chance
    if most > 0:
        return best
    return costliest(table, rival_of_highest(table, seat, worths.points))


@targeting_policy(metadata=_about("lines seen", "this project: a friendly table"))
def polite(table: Any, seat: int) -> int:
    """Take the option that harms the rivals least, in points lost by all of them together."""
    best, least = 0, 0.0
    for option in range(table.n_options):
        harm = 0.0
        for rival in range(table.n_seats):
            if rival != seat:
                harm += max(-option_effect(table, option, rival), 0.0)
        if option == 0 or harm < least:
            best, least = option, harm
    return best


POLICIES: Final[tuple[Policy, ...]] = (
    leader, leader_total, biggest_line, weakest, risky, safe, self_if_good,
    greedy, spread, bust, polite,
)  # fmt: skip
"""In the order in which they are listed."""
