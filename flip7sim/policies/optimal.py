"""`optimal:round` and `optimal:race`: the solved solitaire round and race, played at any table.

They look at the own line and the own used cards alone and count the rest of the deck as unseen, so
at tables with rivals they are a policy like others, not the optimum.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim.exact.optimal import race_stays, race_words, round_stays, round_words, rules_of
from flip7sim.policies.parameters import Parameter
from flip7sim.policies.policy import Metadata, Policy, stay_policy

GOALS: Final = {"round": 0, "race": 1}


def solution(table: Any, goal: int) -> Any:
    """Return the packed solution for the table's deck, from the cache or solved now."""
    rules = rules_of(table)
    return race_words(rules) if goal else round_words(rules)


@stay_policy(
    parameters={"goal": Parameter("goal", int, None, 0, 1, choices=GOALS, positional=True)},
    metadata=Metadata(
        asks=("hit_or_stay",),
        looks_at=("line", "totals"),
        source="dynamic programming over the solitaire round (flip7sim.exact)",
    ),
    constants=solution,
)
def optimal(table: Any, seat: int, goal: int) -> bool:
    """Stay where the exact solitaire solution says so: of the round, or of the race to the target.

    The first use of a deck solves it: seconds for the round, some ten minutes for the race with all
    94 cards. After that the solution is read from the disk.
    """
    words = table.constants[table.row]
    if goal == 1:
        return race_stays(table, seat, words)
    return round_stays(table, seat, words)


POLICIES: Final[list[Policy]] = [optimal]
