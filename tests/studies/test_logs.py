"""Files that `simulate` writes: a row a round, a row a decision."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import flip7sim as f7
from flip7sim.cli import main
from flip7sim.study import logs
from flip7sim.study.rounds import simulate

PLAYERS = ("score:25", "bust:0.3/random", "cards:4")


def rows_of(path: Path) -> list[dict[str, Any]]:
    frame = pd.read_parquet(path)
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def test_rounds_add_up_to_the_tallies(tmp_path: Path) -> None:
    file = tmp_path / "rounds.parquet"
    found = simulate(PLAYERS, rounds=3_000, seed=4, save_rounds=file)
    frame = pd.read_parquet(file)
    assert list(frame["round"]) == list(range(3_000))
    assert (frame["dealer"] == frame["round"] % 3).all()
    assert frame["flips"].sum() == found.tallies.flips[0, 0]
    for seat in range(3):
        assert frame[f"score_{seat}"].sum() == found.tallies.sums[0, seat]
        status = frame[f"status_{seat}"]
        assert (status == "busted").sum() == found.tallies.busts[0, seat]
        assert (status == "flip7").sum() == found.tallies.flip7s[0, seat]
        assert ((status == "flip7") == (frame["flip7"] == seat)).all()
    plain = simulate(PLAYERS, rounds=3_000, seed=4)
    assert (plain.tallies.histogram == found.tallies.histogram).all()


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_decisions_are_those_of_the_traces(game: str, tmp_path: Path) -> None:
    file = tmp_path / "decisions.parquet"
    rules = f7.Rules(game=game, **({"brutal": True} if game == "vengeance" else {}))
    players = [f7.as_player(spec) for spec in ("never/random", "score:20/random", "cards:5/random")]
    simulate(players, rules=rules, rounds=60, seed=9, decision_log=file)
    logged = rows_of(file)
    traced = []
    for index in range(60):
        scenario = f7.trace_round(players, rules=rules, seed=9, round_index=index)
        traced += [(index, decision) for decision in scenario.decisions]
    assert len(logged) == len(traced)
    for row, (index, decision) in zip(logged, traced, strict=True):
        answer = decision.answer
        assert (row["round"], row["seat"]) == (index, decision.seat)
        if row["ask"] == "hit_or_stay":
            assert row["choice"] == answer
            assert (row["card"], row["target_card"], row["with_card"]) == (None, None, None)
            continue
        word = row["card"] if row["ask"] == "modifier" else row["ask"]
        assert word == decision.ask
        if isinstance(answer, int):
            assert row["choice"] == str(answer)
        else:
            sides = [(int(row["choice"]), row["target_card"])]
            if row["with_seat"] is not None:
                sides.append((int(row["with_seat"]), row["with_card"]))
            # A swap may name its two sides in either order.
            assert sorted(sides) == sorted(zip(answer[::2], answer[1::2], strict=True))
    assert {row["ask"] for row in logged} > {"hit_or_stay"}


def test_logged_points_and_chances_are_the_readings(tmp_path: Path) -> None:
    file = tmp_path / "decisions.parquet"
    simulate(["cards:3"], rules={"deck": "numbers"}, rounds=200, decision_log=file)
    frame = pd.read_parquet(file)
    first = frame[frame["flips"] == 1]
    assert len(first) == 200
    # One card n in the line, 78 left, n - 1 of them the same (none for 0).
    assert first["bust_probability"].tolist() == [
        max(n - 1, 0) / 78 for n in first["line_score"].tolist()
    ]


def test_same_seed_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "GROUP", 700)
    files = []
    for k, threads in enumerate((1, 2)):
        monkeypatch.setattr(logs, "BLOCK", (64, 500)[k])
        names = [tmp_path / f"{kind}{k}.parquet" for kind in "rd"]
        simulate(
            PLAYERS, rounds=2_000, threads=threads, save_rounds=names[0], decision_log=names[1]
        )
        files.append([name.read_bytes() for name in names])
    assert files[0] == files[1]
    assert list(pd.read_parquet(tmp_path / "r0.parquet")["round"]) == list(range(2_000))


def test_decision_log_ends_when_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, short = tmp_path / "whole.parquet", tmp_path / "short.parquet"
    simulate(PLAYERS, rounds=300, decision_log=whole)
    monkeypatch.setattr(logs, "MAX_DECISIONS", 100)
    monkeypatch.setattr(logs, "GROUP", 64)
    found = simulate(PLAYERS, rounds=300, decision_log=short)
    assert found.written == (f"100 decisions written to {short}; the log ends after 100.",)
    assert found.rounds == 300
    assert rows_of(short) == rows_of(whole)[:100]


def test_rows_that_need_more_room_are_all_there(tmp_path: Path) -> None:
    # One number in all: nobody busts before the second, and Second Chances are passed around.
    deck = {name: 0 for name in f7.GAME_CARDS["base"]} | {"freeze": 200, "0": 10}
    file = tmp_path / "decisions.parquet"
    players = ["never"] * 18
    simulate(players, rules={"deck": deck}, rounds=5, decision_log=file)
    frame = pd.read_parquet(file)
    assert sorted(set(frame["round"])) == list(range(5))
    assert frame.groupby("round")["seat"].count().min() > 15


def test_too_many_rounds_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "rounds.parquet"
    with pytest.raises(f7.InputError, match="at most 20,000,000 rounds"):
        simulate(["score:25"], rounds=20_000_001, save_rounds=file)
    assert not file.exists()


def test_an_error_leaves_no_file(tmp_path: Path) -> None:
    stream = attrgetter("stream")  # which policies may not read

    @f7.stay_policy(compiled=False)
    def illegal(table: Any, seat: int) -> int:
        return 5 if stream(table) == 1_500 else 1

    file = tmp_path / "rounds.parquet"
    file.write_text("before")
    with pytest.raises(f7.PolicyError, match="round 1500"):
        simulate([illegal], rounds=5_000, save_rounds=file)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_unwritable_places_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--player", "score:25", "--rounds", "10", "--save-rounds"]
    blocker = tmp_path / "file"
    blocker.write_text("")
    for target in (tmp_path, blocker / "rounds.parquet"):
        assert main([*arguments, str(target)]) == 2
        captured = capsys.readouterr()
        assert "cannot write to" in captured.err
        assert captured.err.count("\n") == 1
    same = str(tmp_path / "both.parquet")
    assert main([*arguments, same, "--decision-log", same]) == 2
    assert "cannot both be written" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_command_tells_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "rounds.parquet"
    assert (
        main(["simulate", "--player", "score:25", "--rounds", "50", "--save-rounds", str(file)])
        == 0
    )
    assert f"Rounds written to {file}." in capsys.readouterr().err
    assert len(pd.read_parquet(file)) == 50
