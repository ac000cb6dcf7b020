"""`bust`: tables from decision points, against a plain observer and against exact chances."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import flip7sim as f7
from flip7sim.callbacks import Callback
from flip7sim.cli import main
from flip7sim.engine.kernels import one_round
from flip7sim.observers import bust as noted
from flip7sim.policies import as_player
from flip7sim.runner import new_tables
from flip7sim.study.bust import Busts, bust
from flip7sim.study.bust_tallies import hand_name
from flip7sim.table import ASK_HIT_OR_STAY, BUSTED, EVENT_DECISION, EVENT_FLIP

COLUMNS = (
    noted.ROUNDS, noted.CHOICES, noted.CHOICES_SQUARED, noted.HITS, noted.HITS_SQUARED,
    noted.BUSTED_NEXT, noted.BUSTED_HITS, noted.ENDS, noted.ENDS_CHOICES,
)  # fmt: skip


class Watcher:
    """Notes seat 0's decisions: cards, points, chance, hit, and whether the next card bust."""

    def __init__(self) -> None:
        self.points: list[list[Any]] = []
        self.waiting = False

    def __call__(self, table: Any, seat: int) -> int:
        if self.waiting:
            # The card is known only when it is settled: look at the line before and the kind.
            if table.event == EVENT_FLIP and table.card <= 12:
                duplicate = table.line[0, table.card] > 0
                self.points[-1][4] = bool(duplicate and table.n_second_chances[0] == 0)
            self.waiting = False
        if table.event == EVENT_DECISION and table.ask == ASK_HIT_OR_STAY and seat == 0:
            numbers = [kind for kind in range(13) if table.line[0, kind]]
            left = sum(int(table.left[kind]) for kind in numbers) if table.n_cards_left else 0
            chance = 0.0 if table.n_second_chances[0] else left / int(table.n_cards_left)
            self.waiting = table.answer == 0
            score = int(f7.line_score(table, 0))
            self.points.append([len(numbers), score, chance, self.waiting, False])
        return 0


def round_by_round(players: list[str], rounds: int) -> list[tuple[list[list[Any]], bool]]:
    seated = [as_player(player) for player in players]
    out = []
    for index in range(rounds):
        tables = new_tables(f7.Rules(), seated, 1)
        table = tables.view(np.recarray)[0]
        table.stream, table.dealer = index, index % len(players)
        watcher = Watcher()
        callback = Callback(watcher)
        table.observer = callback.address
        one_round(tables)
        assert callback.error is None
        out.append((watcher.points, bool(table.status[0] == BUSTED)))
    return out


@pytest.fixture(scope="module")
def observed() -> list[tuple[list[list[Any]], bool]]:
    return round_by_round(["bust:0.3/random", "score:20"], 400)


def test_tallies_are_those_of_a_plain_observer(observed: Any) -> None:
    found = bust(["bust:0.3/random", "score:20"], rounds=400, min_count=1)
    rows: dict[int, list[int]] = defaultdict(lambda: [0] * noted.N_COLUMNS)
    chances: dict[int, float] = defaultdict(float)
    for points, ended in observed:
        for place, first in ((0, 0), (1, noted.CARD_ROWS)):
            by_row = defaultdict(list)
            for point in points:
                by_row[first + point[place]].append(point)
            for row, group in by_row.items():
                n, hits = len(group), sum(point[3] for point in group)
                busted = sum(point[4] for point in group)
                values = (
                    1,
                    n,
                    n * n,
                    hits,
                    hits**2,
                    busted,
                    busted * hits,
                    n * ended,
                    n * n * ended,
                )
                for column, value in zip(COLUMNS, values, strict=True):
                    rows[row][column] += value
                chances[row] += sum(point[2] for point in group)
    scores = len(found.tallies.rounds.scores)
    for row in range(noted.CARD_ROWS + scores):
        assert found.tallies.rows[row, list(COLUMNS)].tolist() == [
            rows[row][column] for column in COLUMNS
        ]
        units = found.tallies.rows[row, noted.CHANCE] / noted.UNIT
        assert units == pytest.approx(chances[row], abs=1e-4)


def test_errors_are_over_rounds(observed: Any) -> None:
    found = bust(["bust:0.3/random", "score:20"], rounds=400)
    row = next(row for row in found.by("cards") if row.situation == 2)
    groups = [[p for p in points if p[0] == 2] for points, _ in observed]
    ends = [ended for points, ended in observed if any(p[0] == 2 for p in points)]
    groups = [group for group in groups if group]
    n = np.array([len(group) for group in groups])
    for share, x in (
        (row.next_busts, np.array([sum(p[2] for p in group) for group in groups])),
        (row.round_busts, n * np.array(ends)),
    ):
        p = x.sum() / n.sum()
        se = math.sqrt(len(n) / (len(n) - 1) * ((x - p * n) ** 2).sum()) / n.sum()
        assert share.value == pytest.approx(p, abs=1e-6)
        assert share.se == pytest.approx(se, rel=1e-4)


def test_first_decision_of_the_numbers_deck_is_exact() -> None:
    # One card is in the line; the next is its like with (n - 1)/78.
    exact = sum((Fraction(n, 79) * Fraction(n - 1, 78) for n in range(1, 13)), Fraction(0))
    found = bust(["cards:3"], rules={"deck": "numbers"}, rounds=40_000)
    first = found.by("cards")[0]
    assert (first.situation, first.choices) == (1, 40_000)
    assert abs(first.next_busts.errors_from(float(exact))) < 4
    assert abs(first.hit_busts.errors_from(float(exact))) < 4


def test_hits_bust_as_often_as_their_chances_say() -> None:
    found = bust(["score:25", "score:25"], rounds=30_000)
    rows = found.tallies.rows[: noted.CARD_ROWS]
    for counts in rows[rows[:, noted.HITS] > 500]:
        expected = counts[noted.HIT_CHANCE] / noted.UNIT
        # The sum of independent-in-time chances: its variance is below the expected number.
        assert abs(counts[noted.BUSTED_NEXT] - expected) <= 4.5 * math.sqrt(max(expected, 1))


def test_a_second_chance_protects() -> None:
    deck = {"second_chance": 20}
    found = bust(["cards:4"], rules={"deck": deck}, rounds=5_000)
    protected = [row for row in found.by("hand") if "second_chance" in str(row.situation)]
    assert len(protected) > 5
    for row in protected:
        assert row.next_busts.value == 0.0
        assert row.hit_busts.value in (0.0,) or math.isnan(row.hit_busts.value)


def test_stayed_players_of_the_base_game_cannot_bust() -> None:
    found = bust(["score:25", "score:25"], rounds=5_000)
    for row in found.by("score"):
        assert isinstance(row.situation, int)
        if row.situation >= 25:
            assert (row.hits, row.round_busts.value) == (0, 0.0)


def test_vengeance_s_lucky_13_saves_from_one_13() -> None:
    found = bust(["never/random", "score:25"], rules="vengeance", rounds=20_000, min_count=30)
    chances = {row.situation: row.next_busts.value for row in found.by("hand")}
    assert chances["lucky13"] == 0.0
    assert chances["13"] > 0.09
    assert chances["13 lucky13"] > 0.0


def test_threads_and_blocks_change_nothing() -> None:
    one = bust(["score:25", "never"], rounds=3_000, threads=1)
    two = bust(["score:25", "never"], rounds=3_000, threads=2)
    assert (one.tallies.rows == two.tallies.rows).all()
    simulated = f7.simulate(["score:25", "never"], rounds=3_000)
    assert (one.tallies.rounds.histogram == simulated.tallies.histogram).all()


def test_rare_situations_are_left_out_and_counted() -> None:
    found = bust(["score:25"], rounds=500, min_count=50)
    assert all(row.choices >= 50 for row in found.situations)
    everything = bust(["score:25"], rounds=500, min_count=1)
    for by in noted.GROUPINGS:
        assert found.left_out[by] == len(everything.by(by)) - len(found.by(by))
    assert everything.left_out == {"cards": 0, "score": 0, "hand": 0}


@pytest.mark.parametrize(
    ("hand", "game", "name"),
    [
        (0, "base", "no number"),
        (1 << 0 | 1 << 12, "base", "0 12"),
        (1 << 13, "base", "second_chance"),
        (1 << 7 | 1 << 14, "vengeance", "7 lucky13"),
    ],
    ids=["nothing", "numbers", "chance", "lucky"],
)
def test_names_of_hands(hand: int, game: str, name: str) -> None:
    assert hand_name(hand, game) == name


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bust", "--player", "score:25", "--rounds", "2000"]
    assert main(arguments) == 0
    assert "By number of number cards" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {row["situation"] for row in document["cards"]} >= {1, 2, 3}
    assert document["hand"][0]["decisions"] >= document["hand"][1]["decisions"]
    assert main([*arguments, "--min-count", "0"]) == 2
    assert "min_count must be from 1" in capsys.readouterr().err


def test_figure_and_frame() -> None:
    found: Busts = bust(["score:25"], rounds=1_000, min_count=20)
    assert set(found.frame["by"]) == {"cards", "score", "hand"}
    assert len(found.plot().axes) == 1
