"""The targeting policies of Vengeance, Brutal mode included: they rank the options by their effect.

The options name players, or cards in their lines; `flip7sim.policies.effects` says what each does
to whom. The first of equals is taken. Names that the base game has too stand for the same idea.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper
from flip7sim.policies.effects import (
    costliest,
    leading_rival,
    option_busts,
    option_effect,
    rivals_touched,
)
from flip7sim.policies.policy import Metadata, Policy, targeting_policy
from flip7sim.readings import SEEN, bust_probability, line_score, standing
from flip7sim.table import BUSTED, GAME_ASKS


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
    return costliest(table, leading_rival(table, seat))


@targeting_policy(metadata=_about("lines totals seen", "this project: the score sheet only"))
def leader_total(table: Any, seat: int) -> int:
    """Take the option that costs the rival with the highest total most."""
    mask = rivals_touched(table, seat)
    chosen, rival = seat, seat
    for _ in range(table.n_seats - 1):
        rival = rival + 1 if rival + 1 < table.n_seats else 0
        if (mask >> rival) & 1 != 0 and (
            chosen == seat or table.total[rival] > table.total[chosen]
        ):
            chosen = rival
    return costliest(table, chosen)


@targeting_policy(metadata=_about("lines seen", "this project: the table only"))
def biggest_line(table: Any, seat: int) -> int:
    """Take the option that costs the rival whose line is worth most; busted lines are nothing."""
    mask = rivals_touched(table, seat)
    chosen, rival, most = seat, seat, 0
    for _ in range(table.n_seats - 1):
        rival = rival + 1 if rival + 1 < table.n_seats else 0
        if (mask >> rival) & 1 != 0:
            points = 0 if table.status[rival] == BUSTED else line_score(table, rival)
            if chosen == seat or points > most:
                chosen, most = rival, points
    return costliest(table, chosen)


@targeting_policy(metadata=_about("lines totals seen", "this project: the opposite of the leader"))
def weakest(table: Any, seat: int) -> int:
    """Take the option that costs the rival with the fewest points most."""
    mask = rivals_touched(table, seat)
    chosen, rival = seat, seat
    for _ in range(table.n_seats - 1):
        rival = rival + 1 if rival + 1 < table.n_seats else 0
        if (mask >> rival) & 1 != 0 and (
            chosen == seat or standing(table, rival) < standing(table, chosen)
        ):
            chosen = rival
    return costliest(table, chosen)


@helper
def _by_risk(table: Any, seat: int, sign: float) -> int:
    """Return the rival with the highest `sign` times chance to bust on the next card."""
    mask = rivals_touched(table, seat)
    chosen, rival, most = seat, seat, 0.0
    for _ in range(table.n_seats - 1):
        rival = rival + 1 if rival + 1 < table.n_seats else 0
        if (mask >> rival) & 1 != 0:
            risk = sign * bust_probability(table, rival, SEEN)
            if chosen == seat or risk > most:
                chosen, most = rival, risk
    return chosen


@targeting_policy(metadata=_about("lines seen", "Eppie/flip-seven, 2026: adversarial targeting"))
def risky(table: Any, seat: int) -> int:
    """Take the option that costs the rival likeliest to bust on the next card most."""
    return costliest(table, _by_risk(table, seat, 1.0))


@targeting_policy(metadata=_about("lines seen", "this project: the opposite of risky"))
def safe(table: Any, seat: int) -> int:
    """Take the option that costs the rival least likely to bust on the next card most."""
    return costliest(table, _by_risk(table, seat, -1.0))


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
    return costliest(table, leading_rival(table, seat))


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
    return costliest(table, leading_rival(table, seat))


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
