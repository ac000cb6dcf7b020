"""The stay policies: true stays, false hits.

One short function each, whose docstring gives the idea and where it comes from. They work in both
games; a player who may not stay is not asked.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim.policies.parameters import NOT_GIVEN, Parameter
from flip7sim.policies.policy import Metadata, Policy, stay_policy
from flip7sim.readings import (
    LINES,
    OWN,
    SEEN,
    active_rivals,
    best_rival_total,
    bust_probability,
    line_score,
    next_card_gain,
    uniform,
)

ATTENTION: Final = {"seen": SEEN, "lines": LINES, "own": OWN}
"""Words for the levels of attention."""

_POINTS: Final = Parameter("points", positional=True)
_WHOLE_POINTS: Final = Parameter("points", positional=True, whole=True)
_FACTOR: Final = Parameter("factor", positional=True)
_PROBABILITY: Final = Parameter("probability", low=0, high=1, positional=True)
_ATTENTION: Final = Parameter("attention", int, SEEN, SEEN, OWN, choices=ATTENTION, positional=True)


def _about(looks_at: str, source: str) -> Metadata:
    return Metadata(asks=("hit_or_stay",), looks_at=tuple(looks_at.split()), source=source)


@stay_policy(
    parameters={
        "points": _WHOLE_POINTS,
        "chance": Parameter("chance", default=NOT_GIVEN, never=True, games=("base",)),
    },
    metadata=_about(
        "line", "KCClarke, BoardGameGeek 3453060; dirck.dev, 2025-09; gaffney2010/flip7"
    ),
)
def score(table: Any, seat: int, points: float, chance: float = NOT_GIVEN) -> bool:
    """Stay when the line is worth `points` or more, or `chance` while holding a Second Chance.

    The rule of thumb of most players and of all published tables: a fixed target.
    """
    if chance == chance and table.n_second_chances[seat] != 0:
        return line_score(table, seat) >= chance
    return line_score(table, seat) >= points


@stay_policy(
    name="sum",
    parameters={"points": _WHOLE_POINTS},
    metadata=_about("line", "KCClarke, BoardGameGeek thread 3453060; 2222-42/flip7_strategy"),
)
def number_sum(table: Any, seat: int, points: float) -> bool:
    """Stay when the numbers add up to `points` or more, whatever the modifiers.

    The risk of a bust lies in the numbers alone: each number n is n times in the deck, so their sum
    counts the cards that would bust.
    """
    return table.number_sum[seat] >= points


@stay_policy(
    parameters={"cards": Parameter("cards", positional=True)},
    metadata=_about("line", "Eppie/flip-seven, 2026: three cards have 95.1 % of optimal"),
)
def cards(table: Any, seat: int, cards: float) -> bool:
    """Stay with `cards` number cards or more, the simplest rule to remember."""
    return table.n_numbers[seat] >= cards


@stay_policy(
    parameters={"probability": _PROBABILITY, "attention": _ATTENTION},
    metadata=_about("line lines seen", "Eppie/flip-seven, 2026: stop at a bust risk of 26 %"),
)
def bust(table: Any, seat: int, probability: float, attention: int = SEEN) -> bool:
    """Stay when the next card busts with `probability` or more.

    `attention` says what the player counts: everything `seen` since the last shuffle, all `lines`,
    or only the `own` line.
    """
    return bust_probability(table, seat, attention) >= probability


@stay_policy(
    parameters={"attention": _ATTENTION},
    metadata=_about("line lines seen", "dirck.dev, 2025-09: is the next card worth it"),
)
def gain(table: Any, seat: int, attention: int = SEEN) -> bool:
    """Stay when one more card would not raise the expected score.

    Looks one step ahead: the bonus of a seventh number counts, an action drawn counts as no gain.
    """
    return next_card_gain(table, seat, attention) <= 0


@stay_policy(
    parameters={"points": _POINTS, "factor": _FACTOR},
    metadata=_about("line totals", "dirck.dev, 2026-01: 25 + 0.1 for each point behind"),
)
def race(table: Any, seat: int, points: float, factor: float) -> bool:
    """Stay at `points`, and `factor` more for each point behind the best rival.

    Who is behind must risk more, who leads may risk less (as in Neller and Presser on Pig).
    """
    behind = best_rival_total(table, seat) - table.total[seat]
    return line_score(table, seat) >= points + factor * behind


@stay_policy(
    parameters={"points": _POINTS, "factor": _FACTOR},
    metadata=_about("line lines", "this project: rivals still active can attack and end the round"),
)
def crowd(table: Any, seat: int, points: float, factor: float) -> bool:
    """Stay at `points`, and `factor` less for each rival still active.

    Active rivals draw the actions that hit oneself, and the Flip 7 that ends the round.
    """
    return line_score(table, seat) >= points - factor * active_rivals(table, seat)


@stay_policy(metadata=_about("nothing", "Eppie/flip-seven, 2026: chasing Flip 7"))
def never(table: Any, seat: int) -> bool:
    """Never stay: chase Flip 7 to the end."""
    return False


@stay_policy(metadata=_about("nothing", "this project: a lower bound"))
def always(table: Any, seat: int) -> bool:
    """Stay as soon as it is allowed."""
    return True


@stay_policy(
    name="random",
    parameters={"probability": _PROBABILITY},
    metadata=_about("chance", "joeNordling/PIGS: the random player"),
)
def at_random(table: Any, seat: int, probability: float) -> bool:
    """Stay with `probability`, whatever the line."""
    return uniform(table, seat) < probability


POLICIES: Final[tuple[Policy, ...]] = (
    score, number_sum, cards, bust, gain, race, crowd, never, always, at_random,
)  # fmt: skip
"""In the order in which they are listed."""
