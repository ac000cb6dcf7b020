"""The base-game round solved: published values, the cache, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flip7sim.errors import InputError
from flip7sim.exact import store
from flip7sim.exact.layout import build_layout
from flip7sim.exact.round import rules_key, solve
from flip7sim.rules import Rules

NUMBERS = Rules(deck="numbers")


@pytest.mark.parametrize(
    ("deck", "value", "bust"),
    [
        ("numbers", 18.5652176141, 0.3135),
        ("no-actions", 20.2291054307, None),
        ("no-attacks", 22.2504, None),
    ],
)
def test_published_values(deck: str, value: float, bust: float | None) -> None:
    solution = solve(Rules(deck=deck))
    digits = len(str(value).partition(".")[2])
    assert round(solution.value, digits) == value
    assert bust is None or round(solution.outcome.bust, 4) == bust
    # The value found backward is the mean found forward.
    layout = build_layout(Rules(deck=deck))
    start = layout.tails.decision[layout.tails.start]
    assert solution.hit[0, start] == pytest.approx(solution.value, abs=1e-11)
    assert solution.outcome.histogram.sum() == pytest.approx(1, abs=1e-12)


def test_all_94_cards_have_as_many_states_as_said() -> None:
    layout = build_layout(Rules())
    assert layout.n_states == 4096 * 64 * 52  # lines' numbers, modifiers, Second Chances and runs
    assert round(layout.n_states / 1e6, 1) == 13.6


def test_threads_change_no_bit() -> None:
    one, two = (solve(Rules(deck="no-actions"), threads=n, cached=False) for n in (1, 2))
    assert one.words.tobytes() == two.words.tobytes()
    assert one.outcome.histogram.tobytes() == two.outcome.histogram.tobytes()


def test_second_call_reads_the_cache(own_cache: Path) -> None:
    rules = Rules(deck="numbers", flip7_bonus=16)
    first = solve(rules)
    second = solve(rules)
    assert not first.from_cache and second.from_cache
    assert isinstance(second.words, np.memmap)
    assert second.words.tobytes() == first.words.tobytes()
    assert second.outcome.scores() == first.outcome.scores()
    assert second.value > solve(NUMBERS).value  # the bonus is worth something


@pytest.mark.parametrize("where", ["words", "head", "end"])
def test_a_damaged_file_is_computed_again(where: str) -> None:
    rules = Rules(deck="numbers", flip7_bonus=17)
    whole = solve(rules, cached=False)
    solve(rules)
    path = store.solution_file({"what": "round", **rules_key(rules)})
    content = bytearray(path.read_bytes())
    if where == "words":
        content[-100] ^= 1
    elif where == "head":
        at = content.index(b'"bust": 0.') + len(b'"bust": 0.')
        content[at] = ord("9")
    else:
        content = content[:-8]
    path.write_bytes(content)
    assert store.load({"what": "round", **rules_key(rules)}) is None
    again = solve(rules)
    assert not again.from_cache
    assert again.words.tobytes() == whole.words.tobytes()
    assert solve(rules).from_cache


def test_single_values_are_read_without_the_rest() -> None:
    solution = solve(Rules(deck="no-attacks"))
    key = {"what": "round", **rules_key(solution.rules)}
    last = len(solution.words) - 1
    found = store.read_values(key, lambda words: [last, last - 1])
    assert found == solution.hit.ravel()[[-1, -2]].tolist()


def test_an_unwritable_cache_is_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("FLIP7SIM_CACHE_DIR", str(blocked))
    assert not solve(NUMBERS).from_cache
    assert not solve(NUMBERS).from_cache


def test_cache_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLIP7SIM_CACHE_DIR")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/caches")
    assert store.cache_folder() == Path("/somewhere/caches/flip7sim/exact")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules(game="vengeance"), "vengeance"),
        (Rules(deck={str(n): 1 if n < 6 else 0 for n in range(13)}), "run out"),
        (Rules(deck={"second_chance": 60, "flip_three": 60, "freeze": 20}), "too many states"),
        (Rules(deck={"x2": 25, "freeze": 0, "flip_three": 0}), "scores up to"),
    ],
    ids=["vengeance", "few cards", "states", "scores"],
)
def test_what_is_not_exact_is_refused(rules: Rules, words: str) -> None:
    with pytest.raises(InputError, match=words):
        solve(rules)
