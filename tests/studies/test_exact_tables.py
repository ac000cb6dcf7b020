"""The tables of exact answers: searches, stay sets, bust chances agree with other ways to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import flip7sim as f7
from flip7sim.cards import DECKS
from flip7sim.errors import InputError
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.study.exactly import exact_tables_experiment
from flip7sim.study.exactly.exact_bust import by_hand_size, by_sum
from flip7sim.study.exactly.exact_scan import Family, scan_family
from flip7sim.study.exactly.exact_tables import exact_tables
from flip7sim.study.exactly.exact_tables_experiment import Decks
from flip7sim.study.exactly.player_terms import check_player
from flip7sim.study.exactly.stay_set import ALONE, stay_set, thresholds
from flip7sim.study.experiment import load_experiment, run_experiment

Unplayed = Callable[[ModuleType], None]

FILE = Path(__file__).resolve().parents[2] / "experiments" / "exact_tables.toml"
NUMBERS = Rules(deck="numbers")


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLIP7SIM_CACHE_DIR", str(tmp_path_factory.mktemp("solutions")))
        yield


@pytest.mark.parametrize(("near", "every"), [(12, 0), (38, 0), (20, 10), (23, 0)])
def test_a_search_finds_the_best_of_all_values(near: float, every: int) -> None:
    family = Family(policy="score:{}", start=10, to=40, step=1)
    everything = scan_family(NUMBERS, family)
    searched = scan_family(NUMBERS, family, near=near, every=every)
    assert len(everything.outcomes) == 31
    assert searched.best == everything.best == 23
    assert {22, 23, 24} <= set(searched.outcomes)
    for value, outcome in searched.outcomes.items():
        assert outcome.mean == everything.outcomes[value].mean


def test_the_best_parameters_of_vengeance_lose_against_the_optimum() -> None:
    rules = Rules(game="vengeance", deck="numbers")
    family = Family(policy="score:{}", start=20, to=30, step=1)
    family.check(rules)
    answers = exact_tables(decks=[rules], families=[family], fixed=["gain"], races=[NUMBERS])
    (deck,) = answers.decks
    assert 20 < deck.scans[0].best < 30
    frame = answers.frames()["policies"]
    assert (frame["loss"] > 0).all()
    assert frame["best"].sum() == 2
    best = frame[frame["best"] & (frame["family"] == "score:{}")].iloc[0]
    assert best["mean"] == pytest.approx(f7.evaluate(best["player"], rules=rules).mean, abs=1e-9)
    assert best["loss"] == pytest.approx(f7.solve(rules).value - best["mean"], abs=1e-9)
    assert deck.cards == []


@pytest.mark.parametrize("policy", ["score", "score:{},{}"])
def test_a_family_varies_one_number(policy: str) -> None:
    with pytest.raises(InputError, match=r"one \{\}"):
        Family(policy=policy, start=1, to=2, step=1).check(NUMBERS)


def test_the_stay_set_follows_the_advice() -> None:
    table = stay_set(f7.solve(NUMBERS))
    assert set(table["beside"]) == {ALONE}
    for numbers in (2, 3):
        for total in (21, 22, 23, 24):
            lines = [line for line in combinations(range(1, 13), numbers) if sum(line) == total] + [
                (0, *line) for line in combinations(range(1, 13), numbers - 1) if sum(line) == total
            ]
            stays = sum(
                f7.odds(" ".join(map(str, line)), rules=NUMBERS).advice == "stay" for line in lines
            )
            row = table[(table["numbers"] == numbers) & (table["total"] == total)]
            if not lines:
                assert row.empty
                continue
            assert row[["lines", "lines_that_stay"]].to_numpy().tolist() == [[len(lines), stays]]


def test_thresholds_bound_the_stay_set() -> None:
    table = stay_set(f7.solve(NUMBERS))
    for _, row in thresholds(table).dropna().iterrows():
        part = table[table["numbers"] == row["numbers"]]
        assert (part.loc[part["total"] < row["some_stay_from"], "lines_that_stay"] == 0).all()
        assert (part.loc[part["total"] >= row["all_stay_from"], "share_that_stays"] == 1).all()
        assert row["some_stay_from"] <= row["all_stay_from"]


def test_busts_by_sum_add_up_to_those_by_hand_size() -> None:
    sums, sizes = by_sum(), by_hand_size().set_index(["game", "numbers"])
    whole = sums[(sums["deck"] == "numbers") & (sums["total"] == -1) & (sums["game"] == "base")]
    for _, row in whole.iterrows():
        size = sizes.loc[("base", row["numbers"])]
        assert row["line_comes_about"] == pytest.approx(size["survived"], abs=1e-14)
        assert row["next_card_busts"] == pytest.approx(size["next_number_busts"], abs=1e-14)


def test_two_number_lines_by_hand() -> None:
    counts = DECKS["base"][:13]
    pairs = [line for line in combinations(range(13), 2) if sum(line) == 15]
    ways = [prod(counts[number] for number in line) for line in pairs]
    same = [sum(counts[number] - 1 for number in line) for line in pairs]
    bust = Fraction(sum(w * s for w, s in zip(ways, same, strict=True)), sum(ways) * 77)
    table = by_sum()
    row = table[(table["deck"] == "numbers") & (table["game"] == "base")]
    row = row[(row["numbers"] == 2) & (row["total"] == 15)].iloc[0]
    assert row["next_card_busts"] == pytest.approx(float(bust), abs=1e-15)
    assert row["line_comes_about"] == pytest.approx(sum(ways) / comb(79, 2), abs=1e-15)


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    """The second run reads the solutions that the first one computed."""
    for name in ("one", "two"):
        report, _ = run_experiment(FILE, effort="quick", to=tmp_path / name)
        assert "18.5652 points with numbers (score:23 loses 0.0440)" in report.answer
    first, second = sorted((tmp_path / "one").iterdir()), sorted((tmp_path / "two").iterdir())
    assert [path.name for path in first] == [path.name for path in second]
    for one, two in zip(first, second, strict=True):
        assert one.name == "run.json" or one.read_bytes() == two.read_bytes(), one.name


def test_the_file_names_decks_that_can_be_solved(tmp_path: Path) -> None:
    experiment = load_experiment(FILE)
    experiment.study.check(experiment.configuration)
    text = FILE.read_text("utf-8").replace('quick = ["numbers"]', 'quick = ["number"]', 1)
    (tmp_path / "wrong.toml").write_text(text, "utf-8")
    wrong = load_experiment(tmp_path / "wrong.toml")
    with pytest.raises(InputError, match="unknown deck 'number'"):
        wrong.study.check(wrong.configuration)
    decks = Decks(quick=["base"], normal=[], full=[])
    assert decks.of("quick", "base")[0].n_cards == 94


SMALL = """
study = "exact_tables"
title = "Small"
fixed = ["gain"]
families = [{policy = "score:{}", from = 20, to = 25, step = 1}]
base = {quick = ["numbers"], normal = ["numbers"], full = ["numbers"]}
vengeance = {quick = [], normal = ["numbers"], full = ["no-actions"]}
race = {quick = ["numbers"], normal = [], full = []}
"""


def small(folder: Path, old: str = "", new: str = "") -> Path:
    assert old in SMALL
    file = folder / "small.toml"
    file.write_text(SMALL.replace(old, new, 1), "utf-8")
    return file


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["gain"]', '["score:25,chance=never"]', "has no effect in vengeance"),
        ('["gain"]', '["optimal:race"]', "solved for the base game"),
        ('"score:{}"', '"score:{},chance=30"', "has no effect in vengeance"),
        ('"score:{}"', '"score:25"', "one {} in its number's place"),
        ('"score:{}"', '"bust:{}"', "a number from 0 to 1"),
        ('full = ["no-actions"]', 'full = ["vengeance"]', "leave out flip_four"),
        ('{quick = ["numbers"], normal = []', '{quick = ["numbers"], normal = ["x"]', "deck 'x'"),
        ('full = ["numbers"]}', "full = []}", "base.full must name at least one deck"),
    ],
)
def test_study_is_refused_before_anything_is_computed(
    tmp_path: Path, unplayed: Unplayed, old: str, new: str, said: str
) -> None:
    unplayed(exact_tables_experiment)
    with pytest.raises(InputError, match=re.escape(said)):
        run_experiment(small(tmp_path, old, new), effort="quick", to=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_policy_that_draws_random_numbers_cannot_be_evaluated() -> None:
    @f7.stay_policy(metadata=f7.Metadata(asks=("hit_or_stay",), looks_at=("chance",)))
    def tosses_a_coin(table: Any, seat: int) -> bool:
        return bool(f7.uniform(table, seat) < 0.5)

    with pytest.raises(InputError, match="draws random numbers"):
        check_player(as_player(tosses_a_coin()), NUMBERS)
    check_player(as_player("random:0.5"), NUMBERS)


def test_vengeance_decks_without_evaluation_ask_nothing_of_policies(tmp_path: Path) -> None:
    """Of a deck with more than number cards only the optimum is computed."""
    text = small(tmp_path, '["gain"]', '["score:25,chance=never"]').read_text("utf-8")
    old = 'normal = ["numbers"], full = ["no-actions"]'
    assert old in text
    text = text.replace(old, 'normal = [], full = ["no-actions"]')
    (tmp_path / "small.toml").write_text(text, "utf-8")
    experiment = load_experiment(tmp_path / "small.toml")
    experiment.study.check(experiment.configuration)
