"""`games`, against games looked at one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import flip7sim as f7
from flip7sim.cli import main
from flip7sim.engine import decks
from flip7sim.engine.kernels import one_game
from flip7sim.policies import as_player
from flip7sim.runner import new_tables, play_games
from flip7sim.study.games import Games, games
from flip7sim.tallies import GameTallies

MIXED = ("score:25", "bust:0.3/next", "cards:3/random")


def game_by_game(players: Sequence[str], count: int, seed: int, rules: f7.Rules) -> list[Any]:
    """Play games on their own and return winners by seat, rounds, flips and rotation of each."""
    n, out = len(players), []
    seated = [as_player(player) for player in players]
    for game in range(count):
        shift = game % n
        at_table = [seated[(seat - shift) % n] for seat in range(n)]
        tables = new_tables(rules, at_table, seed)
        table = tables.view(np.recarray)[0]
        table.stream, table.dealer = game // n, n - 1
        one_game(tables)
        before = (table.total - table.score)[:n]
        winners = [seat for seat in range(n) if int(table.winners) >> seat & 1]
        behind = bool(winners) and all(before[seat] < before.max() for seat in winners)
        flips = int(table.flips_before + table.flips)
        out.append((winners, int(table.round_number) + 1, flips, shift, behind))
    return out


def deck_sums(found: list[Any], n: int, unit: int) -> Any:
    rows = np.zeros((-(-len(found) // n), decks.n_sums(n)), object)
    for game, (winners, rounds, flips, shift, behind) in enumerate(found):
        row = rows[game // n]
        row[decks.DECKS] = 1
        row[decks.GAMES] += 1
        row[decks.FLIPS] += flips
        if winners:
            row[decks.FINISHED] += 1
            row[decks.ROUNDS] += rounds
            row[decks.ROUNDS_SQUARED] += rounds * rounds
            row[decks.BEHIND] += behind
            for seat in winners:
                row[decks.WINS + (seat - shift) % n] += unit // len(winners)
                row[decks.WINS + n + seat] += unit // len(winners)
    return rows


@pytest.mark.parametrize(
    ("options", "count"),
    [({}, 32), ({"tie": "share", "target_score": 8}, 301)],
    ids=["play_on", "share"],
)
def test_tallies_are_those_of_games_one_by_one(options: dict[str, Any], count: int) -> None:
    rules = f7.Rules(**options)
    seated = [as_player(player) for player in MIXED]
    tallies = play_games(rules, [seated], games=count, seed=5, threads=1)
    found = game_by_game(MIXED, count, 5, rules)
    rows = deck_sums(found, 3, tallies.unit)
    assert tallies.unit == (6 if options else 1)
    assert (tallies.deck_matrix() == rows.T @ rows).all()
    counts = np.bincount([rounds for _, rounds, *_ in found], minlength=tallies.rounds.shape[1])
    assert (tallies.rounds[0] == counts).all()
    if options:
        assert any(len(winners) > 1 for winners, *_ in found)


def test_equal_players_win_exactly_alike_and_seats_carry_the_error() -> None:
    found = games(["score:25"] * 3, games=900, seed=2)
    for row in found.players:
        assert (row.wins.value, row.wins.se) == (1 / 3, 0.0)
    # With equal players a deck's games are one game: the seats' errors are those of 300 decks.
    for seat in found.seats:
        p = seat.wins.value
        assert seat.wins.se == pytest.approx(math.sqrt(p * (1 - p) / 299), rel=1e-9)
        assert seat.effect.value == pytest.approx(p - 1 / 3, abs=1e-15)
    mean = found.length.mean
    one_each = np.array(
        [rounds for _, rounds, *_ in game_by_game(["score:25"] * 3, 900, 2, f7.Rules())]
    )
    assert mean.value == one_each.mean()
    assert mean.se == pytest.approx(one_each[::3].std(ddof=1) / math.sqrt(300), rel=1e-9)


def spread_over_seeds(values: list[float], errors: list[float]) -> float:
    return float(np.var(values, ddof=1) / np.mean(np.square(errors)))


def test_errors_are_what_estimates_scatter_by() -> None:
    found = [games(MIXED, games=150, seed=seed, threads=1) for seed in range(1, 61)]
    takers = {
        "player": lambda one: one.players[0].wins,
        "seat": lambda one: one.seats[2].wins,
        "effect": lambda one: one.seats[0].effect,
        "rounds": lambda one: one.length.mean,
        "sd": lambda one: one.length.sd,
        "flips": lambda one: one.flips,
        "behind": lambda one: one.from_behind,
    }
    for name, take in takers.items():
        estimates = [take(one) for one in found]
        ratio = spread_over_seeds([e.value for e in estimates], [e.se for e in estimates])
        # Chi-square with 59 degrees of freedom over 59: 0.47 to 1.81 but once in 10,000 times each.
        assert 0.47 < ratio < 1.81, name


def test_threads_and_blocks_change_nothing() -> None:
    seated = [as_player(player) for player in MIXED]

    def play(**how: Any) -> GameTallies:
        return play_games(f7.Rules(), [seated, seated[::-1]], games=100, seed=3, **how)

    one = play(threads=1)
    for other in (play(threads=2, block=1), play(threads=1, block=7)):
        for name, value in vars(one).items():
            assert np.array_equal(value, getattr(other, name)), name


def test_parts_add_up_to_the_whole() -> None:
    seated = [as_player(player) for player in MIXED]
    parts = [
        play_games(f7.Rules(), [seated], games=n, first=first, seed=3)
        for first, n in ((0, 30), (30, 14))
    ]
    whole = play_games(f7.Rules(), [seated], games=44, seed=3)
    assert (whole.deck_products == (parts[0] + parts[1]).deck_products).all()
    with pytest.raises(ValueError, match="not the first of its deck"):
        play_games(f7.Rules(), [seated], games=3, first=31, seed=3)


def test_shared_wins_are_parts_of_one() -> None:
    # Every round deals each of two players a 5 or nothing else: all totals are equal.
    deck = {name: 0 for name in f7.GAME_CARDS["base"]} | {"5": 40}
    rules = f7.Rules(tie="share", target_score=5, deck=deck)
    found = games(["always"] * 2, rules=rules, games=20)
    for row in found.players:
        assert row.wins.value == 0.5
        assert (row.alone, row.shared) == (0, 20)


def test_games_that_nobody_wins_are_unfinished() -> None:
    found = games(["always"] * 2, rules={"target_score": 2**31 - 1}, games=4)
    assert found.unfinished.value == 1.0
    assert [row.wins.value for row in found.players] == [0.0, 0.0]
    assert found.document()["unfinished"]["games"] == 4
    assert math.isnan(found.length.mean.value)
    assert found.document()["rounds_per_game"]["mean"]["value"] is None
    assert len(found.shown) == 2


def test_a_lone_player_wins_every_game() -> None:
    found = games(["score:25"], games=50)
    assert found.players[0].wins.value == 1.0
    assert found.from_behind.value == 0.0


def test_until_se_stops_when_all_shares_are_known_well_enough() -> None:
    found = games(["score:25", "score:20"], games=10**6, until_se=0.006)
    errors = [row.wins.se for row in (*found.players, *found.seats)]
    assert max(errors) <= 0.006
    assert 2_000 <= found.games < 100_000


def test_quantiles_are_those_of_the_games() -> None:
    found = games(MIXED, games=300, seed=4)
    rounds = [rounds for _, rounds, *_ in game_by_game(MIXED, 300, 4, f7.Rules())]
    for q in found.length.quantiles:
        assert q.value == np.quantile(rounds, q.probability, method="inverted_cdf")
        assert q.low <= q.value <= q.high


def test_command_prints_tables_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["games", "--player", "score:25", "--player", "score:15", "--games", "200"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "rounds per game" in text
    assert "A game takes" in text
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["games"] == 200
    assert document["players"][0]["policy"] == "score:25/leader"
    assert sum(row["wins"]["value"] for row in document["players"]) == pytest.approx(1.0)
    assert sum(document["rounds_per_game"]["histogram"].values()) == 200


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--games", "0", "--player", "score:25"], "games must be from 1"),
        ([], "needs a --player"),
        (["--player", "score:25", "--rounds", "5"], "unknown option '--rounds'"),
        (["--player", "score:25", "--until-se", "-1"], "until_se must be above 0"),
    ],
    ids=["no games", "no players", "rounds", "negative error"],
)
def test_bad_input_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert captured.err.count("\n") == 1


def test_figure_and_frames() -> None:
    found: Games = games(MIXED, games=60)
    assert len(found.plot().axes) == 1
    assert list(found.frame["player"]) == [0, 1, 2]
    assert found.length_frame["games"].sum() == 60
    assert sum(row.effect.value for row in found.seats) == pytest.approx(0.0, abs=1e-12)
