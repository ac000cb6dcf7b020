"""`solve`, `exact`, `odds`: what they print, and under which names."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

NUMBERS = ("--deck", "numbers")


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the solutions of these tests out of the user's cache."""
    folder = tmp_path_factory.mktemp("solutions")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLIP7SIM_CACHE_DIR", str(folder))
        yield folder


def test_solve_as_json_and_from_the_cache(fine: Run) -> None:
    first, again = (fine("solve", *NUMBERS, "--json").json for _ in range(2))
    assert first["mean"] == pytest.approx(18.5652176141, abs=1e-10)
    assert {"sd", "bust", "flip7", "histogram", "n_states", "elapsed_s"} <= set(first)
    assert (first["game"], first["deck"], first["rules_version"]) == ("base", "numbers", 1)
    assert again == first | {"from_cache": True}


def test_solve_as_a_table(fine: Run) -> None:
    text = fine("solve", *NUMBERS).out
    for words in ("18.5652176141", "standard deviation", "P(bust)", "P(Flip 7)", "4,096", "Exact"):
        assert words in text


def test_a_damaged_solution_is_computed_again(fine: Run, own_cache: Path) -> None:
    whole = fine("solve", *NUMBERS, "--json").json
    for file in own_cache.glob("exact/round-*.solution"):
        content = bytearray(file.read_bytes())
        content[-3] ^= 1
        file.write_bytes(content)
    again = fine("solve", *NUMBERS, "--json").json
    assert not again["from_cache"]
    assert again["histogram"] == whole["histogram"]
    assert fine("solve", *NUMBERS, "--json").json["from_cache"]


def test_rule_card(fine: Run, refused: Run) -> None:
    lines = fine("solve", *NUMBERS, "--rule-card").out.splitlines()
    assert lines[0] == "with up to 2 numbers: stay at 22 or more"
    assert lines[-1].startswith("keeps 99.9")
    card = fine("solve", *NUMBERS, "--rule-card", "--json").json
    assert card["lines"] == lines[:3]
    assert card["conditions"] == 3
    assert card["share"] >= 0.999
    said = refused("solve", *NUMBERS, "--rule-card", "--race")
    assert said == "--rule-card and --race are two questions: ask one at a time"


@pytest.mark.parametrize("question", ["race", "rule-card"])
def test_what_is_known_for_the_base_game_only_says_so(refused: Run, question: str) -> None:
    said = refused("solve", "--game", "vengeance", f"--{question}")
    assert question.replace("-", " ") in said and "base game" in said


@pytest.mark.parametrize(
    ("player", "mean"),
    [("score:23", 18.5212257206), ("bust:0.26", 18.5293925583), ("gain", 18.5623573998)],
)
def test_one_policy_exactly(fine: Run, player: str, mean: float) -> None:
    found = fine("exact", "--player", player, *NUMBERS, "--json").json
    assert found["mean"] == pytest.approx(mean, abs=1e-10)
    assert {"mean", "sd", "bust", "flip7", "histogram"} <= set(found)
    assert sum(found["histogram"].values()) == pytest.approx(1, abs=1e-12)
    assert f"{mean:.10f}" in fine("exact", "--player", player, *NUMBERS).out


def test_odds_says_everything(fine: Run) -> None:
    text = fine("odds", "--line", "12 11", *NUMBERS, "--total", "120", "--rivals", "150,90").out
    found = fine(
        "odds", "--line", "12 11", *NUMBERS, "--total", "120", "--rivals", "150,90", "--json"
    ).json
    assert f"busts with {100 * found['bust']:.2f} %" in text
    assert f"Flip 7 with {100 * found['flip7']:.2f} %" in text
    for words in (
        "23 points",
        f"{found['one_more']:.3f} points",
        f"{found['optimal']:.3f} points",
        f"Advice: {found['advice']}, better by {found['margin']:.3f} points",
        f"Basis: {found['basis']}.",
        f"staying wins {100 * found['race']['stay']:.1f} %",
        f"Model: {found['race']['model']}.",
    ):
        assert words in text


def test_odds_with_cards_seen_by_look_ahead_or_exactly(fine: Run) -> None:
    hand = ("odds", "--line", "12 9 5", "--seen", "12 12 12", *NUMBERS)
    ahead, exact = fine(*hand).out, fine(*hand, "--exact").out
    assert "Basis: one step of look-ahead" in ahead
    assert "Basis: exact, the round solved from this line without the cards seen." in exact
    assert "seen: 12 12 12" in ahead


def test_odds_of_vengeance(fine: Run, refused: Run) -> None:
    found = fine("odds", "--line", "10 5", "--game", "vengeance", "--json").json
    assert found["optimal"] is None
    assert found["basis"] == "one card of look-ahead; flip_four and discard count as no change"
    said = refused("odds", "--line", "", "--game", "vengeance", "--exact")
    assert said.startswith("the round cannot be solved from this line on: it has too many states")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 1", "2 × 1 in the line, but the deck has 1"),
        ("13", "unknown card '13' in base"),
        ("2 2", "a line with 2 and 2 has busted"),
        ("freeze", "freeze never lies in a line"),
    ],
)
def test_impossible_lines(refused: Run, line: str, words: str) -> None:
    assert words in refused("odds", "--line", line)


@pytest.mark.parametrize("seen", ["", "12 12 7"])
def test_the_adviser_loads_no_compiler(fine: Run, seen: str) -> None:
    """With a solution in the cache nothing is left that it would be needed for."""
    hand = ["odds", "--line", "12 9", "--seen", seen, *NUMBERS]
    advice = fine(*hand).out
    script = (
        "import sys; from flip7sim.cli import main; "
        f"main({hand!r}); print(sorted({{'numba', 'pandas', 'matplotlib'}} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == advice + "[]\n"
