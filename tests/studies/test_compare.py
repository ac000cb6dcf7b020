"""The games compared: figures, independence, best thresholds; where the variance comes from."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from flip7sim.errors import InputError
from flip7sim.estimates import Estimate, Proportion, moments
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.runner import play_rounds
from flip7sim.study.compared import compare_experiment
from flip7sim.study.compared.best_threshold import own_best
from flip7sim.study.compared.compare import Comparison, compare
from flip7sim.study.compared.compared_figures import FIGURES
from flip7sim.study.compared.compared_games import ComparedGame, play_game_of, rules_compared
from flip7sim.study.compared.factorial import Factorial
from flip7sim.study.compared.own_best import compare_at_best
from flip7sim.study.compared.variance_cells import FACTORS, all_cells, play_cell, seated, switched
from flip7sim.study.compared.variance_sources import VarianceSources, variance_sources
from flip7sim.study.compared.variance_split import all_or_nothing
from flip7sim.study.conditions import spans
from flip7sim.study.experiment import load_experiment, run_experiment
from flip7sim.study.rounds import simulate

Unplayed = Callable[[ModuleType], None]

FOUR = (as_player("score:25"),) * 4


@pytest.fixture(scope="module")
def small() -> Comparison:
    return compare(rounds=20_000, games=400, seed=3)


@pytest.fixture(scope="module")
def sources() -> VarianceSources:
    return variance_sources(rounds=2_000, seed=3)


# A factorial against its definition.


def some_cells(keys: str) -> dict[frozenset[str], Estimate]:
    random = np.random.default_rng(11)
    return {
        frozenset(key for k, key in enumerate(keys) if place >> k & 1): Estimate(
            float(random.normal(10, 3)), float(random.uniform(0.1, 1)), 100, ""
        )
        for place in range(2 ** len(keys))
    }


def test_average_is_the_mean_over_all_orders() -> None:
    cells = some_cells("abcd")
    orders = list(permutations("abcd"))
    factorial = Factorial("abcd", cells)
    for key in "abcd":
        added = [
            cells[frozenset(order[: order.index(key) + 1])].value
            - cells[frozenset(order[: order.index(key)])].value
            for order in orders
        ]
        assert factorial.contribution(key).average.value == pytest.approx(np.mean(added))


def test_contributions_in_order_and_averages_add_up_to_the_whole() -> None:
    factorial = Factorial("abcd", some_cells("abcd"))
    found = factorial.contributions()
    for way in ("in_order", "average"):
        total = sum(getattr(part, way).value for part in found)
        assert total == pytest.approx(factorial.whole().value)


def test_effects_without_interactions_do_not_depend_on_the_order() -> None:
    worth = {"a": 2.0, "b": -3.0, "c": 0.5}
    cells = {
        on: Estimate(100.0 + sum(worth[key] for key in on), 0.1, 10, "") for on in some_cells("abc")
    }
    factorial = Factorial("abc", cells)
    for part in factorial.contributions():
        for way in ("in_order", "first", "last", "average", "main"):
            assert getattr(part, way).value == pytest.approx(worth[part.factor])
    for pair in factorial.interactions():
        assert pair.effect.value == pytest.approx(0.0, abs=1e-12)
        # Four means of two cells each, added and subtracted.
        assert pair.effect.se == pytest.approx(math.sqrt(8) * 0.1 / 2)


def test_a_factorial_misses_no_combination() -> None:
    cells = some_cells("ab")
    del cells[frozenset("a")]
    with pytest.raises(ValueError, match="every combination"):
        Factorial("ab", cells)


# The variance between rounds of nothing and the others.


def test_all_or_nothing_is_the_law_of_total_variance() -> None:
    scores = np.array([0, 0, 0, 5, 9, 14, 30, 30])
    scored = scores[scores > 0]
    within = scored.var() * len(scored) / len(scores)
    expected = 1.0 - within / scores.var()
    assert all_or_nothing(np.bincount(scores)).value == pytest.approx(expected)
    assert math.isnan(all_or_nothing([4]).value)


def test_error_of_all_or_nothing_is_its_spread_over_samples() -> None:
    weights = np.array([0.3, 0, 0, 0.05, 0.1, 0.2, 0.25, 0.1])
    samples = np.random.default_rng(5).multinomial(2_000, weights, size=400)
    found = [all_or_nothing(sample) for sample in samples]
    spread = float(np.std([each.value for each in found], ddof=1))
    # The spread of 400 is itself known to 3.5 %.
    assert np.mean([each.se for each in found]) == pytest.approx(spread, rel=0.15)


# Side by side.


def test_every_figure_of_every_game_has_an_interval(small: Comparison) -> None:
    assert [game.name for game in small.compared] == ["Base", "Vengeance", "Brutal"]
    assert small.keys == list(FIGURES)
    frame = small.frame.set_index(["game", "figure"])
    assert len(frame) == 6 * len(FIGURES)
    assert not frame[["value", "low", "high"]].isna().any().any()
    assert ((frame["low"] <= frame["value"]) & (frame["value"] <= frame["high"])).all()


def test_figures_are_those_of_the_histogram(small: Comparison) -> None:
    game = small["Vengeance"]
    scores = [k for k, n in game.rounds.seats[0].histogram.items() for _ in range(n)]
    assert game.estimate("mean").value == pytest.approx(np.mean(scores))
    assert game.estimate("variance").value == pytest.approx(np.var(scores, ddof=1))
    assert game.figures["zero"].value == scores.count(0) / len(scores)
    assert game.figures["quantile_75"].value == np.quantile(scores, 0.75, method="inverted_cdf")


def test_samples_are_independent_and_each_can_be_repeated(small: Comparison) -> None:
    seeds = [game.conditions.seed for game in small.compared]
    assert len(set(seeds)) == 3
    game = small["Brutal"]
    again = simulate(FOUR, rules=game.conditions.rules, rounds=20_000, seed=game.conditions.seed)
    assert (again.tallies.histogram == game.rounds.tallies.histogram).all()


def test_differences_of_independent_samples(small: Comparison) -> None:
    frame = small.frame.set_index(["game", "figure"])
    gap = frame.loc[("Vengeance - Base", "variance")]
    one, other = (frame.loc[(name, "variance")] for name in ("Vengeance", "Base"))
    assert gap["value"] == pytest.approx(one["value"] - other["value"])
    assert gap["se"] == pytest.approx(math.hypot(one["se"], other["se"]))


def test_answer_tells_the_larger_variance_only_where_the_data_do(small: Comparison) -> None:
    ratio = small.ratio("variance", "Vengeance", "Base")
    assert ratio.low > 1.0
    assert f"{ratio.value:.3f} times ({ratio.low:.3f} to {ratio.high:.3f})" in small.answer()
    assert "Vengeance has a larger variance of points per round than Base" in small.answer()

    def base(name: str) -> ComparedGame:
        return play_game_of(name, Rules(), FOUR, rounds=2_000, games=0, seed=1)

    same = Comparison(seed=1, compared=(base("Base"), base("Vengeance")), elapsed_s=0.0)
    assert "variances of Vengeance and Base cannot be told apart" in same.answer()


def test_threads_change_nothing(small: Comparison) -> None:
    assert compare(rounds=20_000, games=400, seed=3, threads=1).document() == small.document()


def test_options_of_all_games_and_those_that_are_compared() -> None:
    rules = rules_compared({"target_score": 100, "lucky13_pair_counts": 1})
    assert [each.target_score for each in rules.values()] == [100, 100, 100]
    assert rules["Vengeance"].lucky13_pair_counts == 1
    for name in ("deck", "brutal", "specials", "inert"):
        with pytest.raises(InputError, match="cannot be set in a comparison"):
            rules_compared({name: True})
    with pytest.raises(InputError, match="greedy makes no choice of base"):
        compare(["score:25/greedy"] * 2, rounds=10, games=0)


# The configurations between the games.


def test_a_factor_that_cannot_matter_changes_no_round() -> None:
    idle = frozenset({"numbers", "specials"})
    for extra in ("open", "targeting"):
        played = [
            play_rounds(switched("vengeance", on), seated(FOUR, on), rounds=2_000, seed=1)
            for on in (idle, idle | {extra})
        ]
        assert (played[0].histogram == played[1].histogram).all()


def test_with_everything_off_both_games_are_the_same() -> None:
    nothing = frozenset[str]()
    base = play_cell("base", nothing, FOUR, rounds=60_000, seed=1)
    vengeance = switched("vengeance", nothing)
    # One idle card fewer than Vengeance has, so that both decks hold 79 numbers and 15 others.
    same = Rules.from_options(
        "vengeance", vengeance.options() | {"deck": {"13": 0, "lucky13": 0, "discard": 1}}
    )
    assert same.n_cards == 94
    tallies = play_rounds(same, FOUR, rounds=60_000, seed=2)
    of = moments(tallies.histogram[0, 0], tallies.low)
    for mine, theirs in ((of.mean(), base.summary.mean), (of.variance(), base.variance)):
        assert abs(mine.value - theirs.value) < 4.5 * math.hypot(mine.se, theirs.se)


def test_with_everything_on_a_game_is_itself(sources: VarianceSources) -> None:
    rules = rules_compared()
    for game, name in (("base", "Base"), ("vengeance", "Vengeance")):
        on = frozenset(factor.key for factor in FACTORS[game])
        assert switched(game, on) == rules[name]
        assert sources.cells[game][on].conditions.players == tuple(p.label for p in FOUR)
    assert sources.brutal.conditions.rules == rules["Brutal"]


def test_every_configuration_is_a_game_of_its_own(sources: VarianceSources) -> None:
    cells = [cell for game in sources.cells.values() for cell in game.values()]
    assert len(cells) == 72 == len(all_cells("base")) + len(all_cells("vengeance"))
    assert len({cell.conditions.seed for cell in [*cells, sources.brutal]}) == 73
    played = {
        (cell.game, str(cell.conditions.rules.options()), cell.conditions.players) for cell in cells
    }
    assert len(played) == 72


def test_the_ladder_and_the_averages_add_up(sources: VarianceSources) -> None:
    whole = sources.whole().value
    rungs = [step.change.value for step in sources.ladder if step.change is not None]
    assert sum(rungs[:-1]) == pytest.approx(whole)  # the last is Brutal
    for way in ("in_order", "average"):
        parts = [change.ways.get(way, change.ways["average"]).value for change in sources.changes]
        assert sum(parts[:-1]) == pytest.approx(whole)


def test_the_special_numbers_make_the_flip_7s(sources: VarianceSources) -> None:
    # Who holds The Zero must go on to seven cards or bust.
    cells = sources.cells["vengeance"]
    without, with_them = (
        sum(cell.flip7.count for on, cell in cells.items() if ("specials" in on) == wanted)
        for wanted in (False, True)
    )
    assert with_them > 1.5 * without


def test_the_answer_names_the_largest_part_first(sources: VarianceSources) -> None:
    titles = {factor.key: factor.title for factor in FACTORS["vengeance"]}
    parts = sources.factorials["vengeance"].contributions()
    most = max(parts, key=lambda part: abs(part.average.value))
    named = f"most of it by {titles[most.factor]} {most.average.value:+z.1f}"
    assert named in sources.answer()


# Each game at its own best threshold.


def test_own_best_threshold_is_in_its_tied_set() -> None:
    found = own_best("Base", Rules(), as_player("score:25"), 3, [10, 20, 26, 45],
                     rounds=4_000, seed=1)  # fmt: skip
    assert found.settled
    assert found.value == 26
    assert found.value in found.tied
    assert found.player == as_player("score:26")
    assert 10 not in found.tied
    assert 45 not in found.tied
    assert found.rounds_played == 2 * 4 * 4_000
    assert len(found.variances) == len(found.tied)


def test_at_best_every_seat_plays_it() -> None:
    result = compare_at_best([1, 3], [15, 25], rounds=1_000, sweep_rounds=2_000, games=40)
    assert [table.n_players for table in result.tables] == [1, 3]
    for table in result.tables:
        for game in table.comparison.compared:
            value = table.bests[game.name].value
            wanted = (f"score:{value:g}/leader",) * table.n_players
            assert game.conditions.players == wanted
    seeds = {g.conditions.seed for table in result.tables for g in table.comparison.compared}
    assert len(seeds) == 6
    assert set(result.frame["figure"]) == set(FIGURES)
    answer = result.answer()
    for name in ("Vengeance", "Brutal"):
        ratios = [table.comparison.ratio("variance", name, "Base") for table in result.tables]
        told = sum(not ratio.low <= 1.0 <= ratio.high for ratio in ratios)
        low, high = sorted(ratio.value for ratio in ratios)
        said = (
            f"{name}'s is {low:.2f} to {high:.2f} times base's (told apart from it at {told} of 2"
        )
        assert said in answer
    with pytest.raises(InputError, match="1 to 18 players, not 19"):
        compare_at_best([19], [25], rounds=10, sweep_rounds=10)


def test_values_in_words() -> None:
    assert spans([20, 21, 22, 25]) == "20 to 22, 25"
    assert spans([0.1, 0.2]) == "0.1, 0.2"


# The study from a file.

STUDY = """
study = "compare"
title = "Small"
players = 2
player = "score:25/leader"
rounds = {quick = 300, normal = 300, full = 300}
games = {quick = 40, normal = 40, full = 40}
[thresholds]
players = [2]
from = 20
to = 30
step = 5
sweep_rounds = {quick = 200, normal = 200, full = 200}
rounds = {quick = 200, normal = 200, full = 200}
games = {quick = 20, normal = 20, full = 20}
[sources]
rounds = {quick = 100, normal = 100, full = 100}
"""


def test_study_writes_the_same_results_twice(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(STUDY, encoding="utf-8")
    report, folder = run_experiment(file, effort="quick", to=tmp_path / "one")
    run_experiment(file, effort="quick", to=tmp_path / "two", threads=1)
    names = {path.name for path in folder.iterdir()}
    assert {"manifest.json", "figures.csv", "own_best.parquet", "small.md", "points.svg"} <= names
    for name in names - {"run.json"}:
        assert (folder / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    text = (folder / "small.md").read_text(encoding="utf-8")
    assert report.answer in text
    assert all(f"## {heading}" in text for heading in report.further)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"score:25/leader"', '"score:25/greedy"', "greedy makes no choice of base"),
        ('"score:25/leader"', '"score:25 or optimal:round"', "leave out flip_four"),
        ("to = 30", "to = 10", "lower end first"),
        ('"score:25/leader"', '"bust:0.2/leader"', "a number from 0 to 1"),
        ("players = 2\n", "players = 2\noptions = {brutal = true}\n", "cannot be set"),
        ("players = 2\n", "players = 0\n", "1 to 18 players, not 0"),
        ("step = 5", "stepp = 5", "unknown key 'stepp'"),
        ("players = [2]", "players = [2, 40]", "1 to 18 players, not 40"),
        ("players = [2]", "players = []", "at least one number of players"),
        ("players = 2\n", "players = 2\nseed = -1\n", "seed"),
        ("normal = 300, full = 300", "normal = 300, full = 0", "rounds.full must be from 1"),
        ("normal = 40, full = 40", "normal = -1, full = 40", "games.normal must be from 1"),
        (
            "sweep_rounds = {quick = 200", "sweep_rounds = {quick = 0",
            "thresholds.sweep_rounds.quick must be from 1",
        ),
        (
            "\nrounds = {quick = 200, normal = 200", "\nrounds = {quick = 200, normal = 0",
            "thresholds.rounds.normal must be from 1",
        ),
        (
            "normal = 20, full = 20", "normal = 20, full = -20",
            "thresholds.games.full must be from 1",
        ),
        ("{quick = 100", "{quick = -1", "sources.rounds.quick must be from 1"),
    ],
)  # fmt: skip
def test_study_is_refused_before_anything_is_played(
    tmp_path: Path, unplayed: Unplayed, old: str, new: str, said: str
) -> None:
    unplayed(compare_experiment)
    file = tmp_path / "small.toml"
    assert old in STUDY
    file.write_text(STUDY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        run_experiment(file, effort="quick", to=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_no_games_are_an_effort_too(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(re.sub(r"(games = ).*", r"\1{quick = 0, normal = 0, full = 0}", STUDY))
    experiment = load_experiment(file)
    experiment.study.check(experiment.configuration)


def test_shares_keep_wilsons_interval(small: Comparison) -> None:
    bust = small["Base"].figures["bust"]
    assert isinstance(bust, Proportion)
    assert bust.count == int(small["Base"].rounds.tallies.busts[0, 0])
