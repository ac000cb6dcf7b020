"""Traces: what was simulated, replayed, comes out the same; no card is ever lost; told in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flip7sim as f7
from flip7sim.cards import FREEZE, N_KINDS
from flip7sim.errors import InputError, PolicyError
from flip7sim.narrate import narrate
from flip7sim.replay import differences, outcome_of, play, replay
from flip7sim.rules import Rules
from flip7sim.runner import play_games, play_rounds
from flip7sim.scenario import Scenario, load_scenario, parse_scenario
from flip7sim.table import NO_CARD
from flip7sim.trace import trace_game, trace_round

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
PLAYERS = ("score:25", "bust:0.3/random", "cards:5 or sum:30/next", "never/random", "always")
RULES = {
    "base": Rules(),
    "base, odd": Rules(
        tie="share", inert=["x2"], flip7_bonus=0, target_score=60, deck={"flip_three": 12}
    ),
    "vengeance": Rules(game="vengeance"),
    "brutal": Rules(game="vengeance", brutal=True, target_score=120),
    "closed": Rules(
        game="vengeance", open_after_stay=False, lucky13_pair_counts=1, target_score=100,
        reshuffle_each_round=True,
    ),
    "few cards": Rules(
        game="vengeance", target_score=50,
        deck={str(n): 1 for n in range(1, 14)} | {"flip_four": 4, "just_one_more": 4},
    ),
}  # fmt: skip


def conserved(table: Any, seat: int) -> int:
    """Observe a table; raise unless every card is in exactly one place."""
    n = int(table.n_seats)
    cards = table.left + table.discarded + table.line[:n].sum(axis=0, dtype=np.int64)
    cards[FREEZE] += table.frozen[:n].sum()
    if table.settling != NO_CARD:
        cards[int(table.settling)] += 1
    if table.n_runs > 0:
        runs = table.runs[: table.n_runs].view(np.ndarray)
        place = np.arange(runs["aside"].shape[1])
        waits = (runs["next_aside"][:, None] <= place) & (place < runs["n_aside"][:, None])
        in_hand = np.concatenate([runs["card"], runs["aside"][waits]])
        cards += np.bincount(in_hand[in_hand != NO_CARD], minlength=N_KINDS)
    assert cards.tolist() == table.full.tolist()
    assert table.n_cards_left == table.left.sum()
    assert table.n_discarded == table.discarded.sum()
    assert np.bincount(table.deck[: table.n_cards_left], minlength=N_KINDS)[:N_KINDS].tolist() == (
        table.left.tolist()
    )
    return 0


def check(scenario: Scenario) -> None:
    """Replay a trace from its text, watching the cards."""
    again = parse_scenario(scenario.text())
    assert again == scenario
    table = play(again, observer=conserved)
    outcome = outcome_of(again, table)
    assert outcome.as_json() == scenario.expect
    assert differences(again, outcome) == []


players = st.lists(st.sampled_from(PLAYERS), min_size=1, max_size=6)
rules = st.sampled_from(sorted(RULES)).map(RULES.__getitem__)


@settings(max_examples=60)
@given(rules=rules, players=players, seed=st.integers(0, 2**70), index=st.integers(0, 10**9))
def test_a_traced_round_replays_to_the_same(
    rules: Rules, players: list[str], seed: int, index: int
) -> None:
    scenario = trace_round(players, rules=rules, seed=seed, round_index=index)
    assert scenario.dealer == index % len(players)
    check(scenario)


@settings(max_examples=15)
@given(rules=rules, players=players, seed=st.integers(0, 2**70), index=st.integers(0, 10**9))
def test_a_traced_game_replays_to_the_same(
    rules: Rules, players: list[str], seed: int, index: int
) -> None:
    # Somebody must score, or a game lasts 1,000 rounds.
    check(trace_game(["score:20", *players[:3]], rules=rules, seed=seed, game_index=index))


def test_the_traced_rounds_are_those_of_simulate() -> None:
    names, n_rounds = ["score:25", "bust:0.3", "never"], 60
    traced = np.array(
        [trace_round(names, seed=5, round_index=k).expect["round_scores"] for k in range(n_rounds)]
    )
    seated = [f7.player(name) for name in names]
    tallies = play_rounds(Rules(), seated, rounds=n_rounds, seed=5, threads=1)
    for seat in range(3):
        counts = np.bincount(traced[:, seat], minlength=tallies.histogram.shape[2])
        assert tallies.histogram[0, seat].tolist() == counts.tolist()


def test_the_traced_games_are_those_of_games() -> None:
    names, n_games = ["score:25", "bust:0.3", "cards:4"], 12
    wins = np.zeros((3, 3), np.int64)
    rounds = np.zeros(1001, np.int64)
    for game in range(n_games):
        expect = trace_game(names, seed=5, game_index=game).expect
        rounds[expect["rounds"]] += 1
        for seat in expect["winners"]:
            wins[(seat - game) % 3, seat] += 1
    seated = [f7.player(name) for name in names]
    tallies = play_games(Rules(), [seated], games=n_games, seed=5, threads=1)
    assert tallies.wins[0, :, :, 1].tolist() == wins.tolist()
    assert tallies.rounds[0].tolist() == rounds.tolist()


def test_the_name_lists_the_players_by_seat() -> None:
    scenario = trace_game(["score:20", "score:25", "always"], game_index=1, seed=3)
    assert scenario.name == "game 1, seed 3: always/leader, score:20/leader, score:25/leader"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"round_index": -1}, "round must be a whole number from 0"),
        ({"round_index": 1.0}, "round must be a whole number"),
        ({"seed": -1}, "seed must be a whole number from 0 on"),
        ({"players": []}, "a table has 1 to 18 players"),
        ({"players": ["scor:25"]}, "did you mean 'score'"),
    ],
)
def test_bad_traces(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"players": ["score:25"], "round_index": 0, "seed": 1} | options
    with pytest.raises(InputError, match=message):
        trace_round(arguments.pop("players"), **arguments)


def test_an_illegal_answer_is_named() -> None:
    @f7.stay_policy(compiled=False)
    def sevens(table: Any, seat: int) -> int:
        return 7

    with pytest.raises(PolicyError, match=r"'sevens' in seat 0, round 3, .*illegal answer 7"):
        trace_round([sevens, "score:25"], round_index=3)


def test_a_round_told() -> None:
    scenario = load_scenario(next(SCENARIOS.glob("base/050-*")))
    assert narrate(scenario).splitlines() == [
        "inside a Flip Three a surplus Second Chance is given at once, before a Freeze set aside "
        "earlier is assigned",
        "Base game, 3 players, 94 cards.",
        "",
        "Seat 2 deals.",
        "  Seat 0 is dealt Second Chance: now Second Chance (0 points)",
        "  Seat 1 is dealt 4: now 4 (4 points)",
        "  Seat 2 is dealt 6: now 6 (6 points)",
        "  Seat 0 hits on Second Chance (0 points), which cannot bust, and flips Flip Three",
        "    Seat 0 gives Flip Three to itself (not seat 1, seat 2)",
        "  Flip Three: seat 0 flips Freeze (1 of 3): set aside",
        "  Flip Three: seat 0 flips Second Chance (2 of 3)",
        "    Seat 0 gives Second Chance to seat 1, 4 (4 points) (not seat 2): "
        "seat 1 now 4 Second Chance (4 points)",
        "  Flip Three: seat 0 flips 5 (3 of 3): now 5 Second Chance (5 points); "
        "discarded Flip Three",
        "    Seat 0 gives Freeze to seat 2, 6 (6 points) (not seat 1, itself): "
        "seat 2 is frozen on 6 (6 points)",
        "  Seat 1 stays on 4 Second Chance (4 points), a hit could not bust",
        "  Seat 0 stays on 5 Second Chance (5 points), a hit could not bust",
        "  Result: seat 0 stayed, 5 points, total 5",
        "          seat 1 stayed, 4 points, total 4",
        "          seat 2 stayed, 6 points, total 6",
    ]


def test_a_game_told() -> None:
    scenario = load_scenario(next(SCENARIOS.glob("base/091-*")))
    rows = narrate(scenario).splitlines()
    assert "Round 2. Seat 0 deals. Totals 5 0; cards in the deck: 1." in rows
    assert "  The discard pile, 2 cards, is shuffled; seat 0 is dealt Freeze" in rows
    assert rows[-1] == "After 2 rounds and 5 flips seat 0 won."


@pytest.mark.parametrize(
    ("pattern", "row"),
    [
        (
            "vengeance/106-*",
            "    Seat 0 swaps its own 5 for seat 1's 8 (not its own 5 for seat 1's 5, its own 8 "
            "for seat 1's 5, its own 8 for seat 1's 8): busts with 8 8; seat 1 busts with 5 5; "
            "discarded Swap",
        ),
        (
            "vengeance/136-*",
            "    Seat 1 gives -8 to seat 0 (not itself): seat 0 busted, takes -8",
        ),
        ("vengeance/148-*", "    Seat 0 takes 15 points off seat 1 (not itself)"),
        (
            "vengeance/128-*",
            "Round 3. Seat 1 deals. Totals 14 14; cards in the deck: 4, just shuffled.",
        ),
        (
            "vengeance/124-*",
            "  Seat 0 hits on 5 (5 points), which cannot bust, and flips Just One More: stays on "
            "5 (5 points); discarded Just One More",
        ),
        (
            "base/079-*",
            "  Seat 0 hits on 5 6 (11 points), which cannot bust: there is no flip any more; "
            "stays on 5 6 (11 points)",
        ),
        (
            "base/036-*",
            "  Seat 0 hits on 5 Second Chance (5 points), which cannot bust, and flips 5: saved "
            "by the Second Chance; now 5 (5 points); discarded 5 Second Chance",
        ),
        ("base/022-*", None),
        ("base/027-*", None),
    ],
)
def test_what_a_card_did_is_told(pattern: str, row: str | None) -> None:
    rows = narrate(load_scenario(next(SCENARIOS.glob(pattern)))).splitlines()
    if row is not None:
        assert row in rows
    else:
        assert any("busts with" in text or ": Flip 7 with" in text for text in rows)


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_trace_can_be_told(name: str) -> None:
    for index in range(3):
        scenario = trace_round(PLAYERS, rules=RULES[name], round_index=index)
        told = narrate(scenario)
        scores = scenario.expect["round_scores"]
        for seat, score in enumerate(scores):
            assert f"seat {seat} " in told
            assert f"{score} point" in told
        assert told.count("Result:") == 1
        assert replay(scenario).as_json() == scenario.expect
