"""What no event of any round may show: cards lost, a pair in a line, a player back in the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flip7sim.cards import FREEZE, LAST_NUMBER, LUCKY13, RANKS
from flip7sim.errors import InputError
from flip7sim.replay import Outcome, outcome_of, play
from flip7sim.rules import Rules
from flip7sim.scenario import Scenario
from flip7sim.table import ACTIVE, BUSTED, EVENT_FLIP, EVENT_ROUND, NO_CARD, STAYED
from flip7sim.trace import trace_game, trace_round

PLAYERS = (
    "score:25/random",
    "score:12",
    "bust:0.3/next",
    "cards:5 or sum:30/leader",
    "never/random",
    "random:0.3/random",
)
LEGAL_MOVES = {
    (ACTIVE, ACTIVE), (ACTIVE, STAYED), (ACTIVE, BUSTED), (STAYED, STAYED), (STAYED, BUSTED),
    (BUSTED, BUSTED),
}  # fmt: skip
RULES = {
    "base": Rules(),
    "base, many actions": Rules(deck={"freeze": 8, "flip_three": 12, "second_chance": 8}),
    "vengeance": Rules(game="vengeance"),
    "brutal": Rules(game="vengeance", brutal=True),
    "closed": Rules(game="vengeance", open_after_stay=False),
    "no specials": Rules(game="vengeance", specials=False),
    "pair counts once": Rules(game="vengeance", lucky13_pair_counts=1),
    "swaps and steals": Rules(game="vengeance", deck={"swap": 16, "steal": 12, "flip_four": 6}),
    "13s and swaps": Rules(
        game="vengeance", deck={str(n): 1 for n in range(13)} | {"swap": 12, "steal": 8}
    ),
}


def illegal_pairs(table: Any, seat: int) -> list[int]:
    """Return the ranks of a line that should have busted its player."""
    line = [int(count) for count in table.line[seat]]
    ranks = Counter(RANKS[kind] for kind in range(LAST_NUMBER + 1) for _ in range(line[kind]))
    lucky = bool(table.specials) and line[LUCKY13] == 1
    return [
        rank
        for rank, count in ranks.items()
        if count > 1 and not (lucky and rank == 13 and count == 2)
    ]


def n_cards(table: Any) -> int:
    """Return how many cards there are in all places of rules.md section 1."""
    n = int(table.n_seats)
    places = [table.left, table.discarded, table.line[:n], table.frozen[:n]]
    runs = table.runs[: table.n_runs].view(np.ndarray)
    place = np.arange(runs["aside"].shape[1])
    waits = (runs["next_aside"][:, None] <= place) & (place < runs["n_aside"][:, None])
    held = np.concatenate([runs["card"], runs["aside"][waits], [table.settling]])
    return sum(int(np.sum(cards, dtype=np.int64)) for cards in places) + int(
        np.sum(held != NO_CARD)
    )


class Laws:
    """Observes a round or game and raises where a law is broken."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.n_cards = rules.n_cards
        self.before = [ACTIVE] * players
        self.flips = 0

    def __call__(self, table: Any, seat: int) -> int:
        assert n_cards(table) == self.n_cards, "cards lost or won"
        now = [int(status) for status in table.status[: len(self.before)]]
        moves = zip(self.before, now, strict=True)
        assert LEGAL_MOVES.issuperset(moves), "a player came back"
        for player, status in enumerate(now):
            if status != BUSTED:
                assert illegal_pairs(table, player) == [], "a pair lies in a line"
        self.before = [ACTIVE] * len(now) if table.event == EVENT_ROUND else now
        self.flips += table.event == EVENT_FLIP
        return 0


def check(scenario: Scenario) -> None:
    laws = Laws(scenario.rules, scenario.players)
    outcome = outcome_of(scenario, play(scenario, observer=laws))
    assert outcome.as_json() == scenario.expect
    assert laws.flips == outcome.flips


players = st.lists(st.sampled_from(PLAYERS), min_size=1, max_size=6)


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=12)
@given(players=players, index=st.integers(0, 10**9))
def test_every_event_of_a_round(name: str, players: list[str], index: int) -> None:
    """Sections 1, 4 and 5; the trace, replayed under observation, comes out the same."""
    check(trace_round(players, rules=RULES[name], seed=7, round_index=index))


@pytest.mark.parametrize("name", ["base", "vengeance", "13s and swaps"])
@settings(max_examples=3)
@given(index=st.integers(0, 10**9))
def test_every_event_of_a_game(name: str, index: int) -> None:
    """The same over rounds that share a deck."""
    players = ["score:20", "score:25/random", "cards:4/next"]
    check(trace_game(players, rules=RULES[name], seed=7, game_index=index))


def test_the_two_decks_have_94_and_108_cards() -> None:
    """Section 1: what the law of conservation counts."""
    assert (RULES["base"].n_cards, RULES["vengeance"].n_cards) == (94, 108)


def pair(table: Any) -> None:
    table.left[3] += int(table.line[0, 3]) - 2
    table.line[0, 3] = 2


def lost(table: Any) -> None:
    table.discarded[FREEZE] -= 1


def woken(table: Any) -> None:
    table.status[0] = ACTIVE


@pytest.mark.parametrize(
    ("change", "message"),
    [(pair, "a pair lies in a line"), (lost, "cards lost"), (woken, "a player came back")],
)
def test_a_broken_law_is_seen(change: Callable[[Any], None], message: str) -> None:
    """The laws are not such that anything goes."""
    scenario = trace_round(["cards:1"], rules=RULES["vengeance"], round_index=3)
    table = play(scenario)
    laws = Laws(scenario.rules, 1)
    laws(table, 0)
    assert laws.before == [STAYED]
    change(table)
    with pytest.raises(AssertionError, match=message):
        laws(table, 0)


@pytest.mark.parametrize(
    "script",
    [
        "deal 5 6; 0 hits 7; 0 stays; 1 stays",
        "deal 5 6; 0 hits flip_three -> 1; 0 flips 1 2 3; 1 stays; 0 stays",
        "deal 5 6; 0 stays; 1 stays; 1 hits 7",
        "deal 5 6; 0 stays",
    ],
    ids=["whose turn", "whose card", "too long", "too short"],
)
def test_a_script_is_checked(base: Callable[..., Outcome], script: str) -> None:
    """The scripts of the other files are held to the seat of every flip and decision."""
    with pytest.raises((InputError, AssertionError)):
        base(2, script)
