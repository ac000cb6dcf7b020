"""The random numbers: published vectors, independent streams, uniform draws and cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from flip7sim.cards import N_KINDS
from flip7sim.engine.deck import can_flip, fill_deck, flip
from flip7sim.engine.rng import (
    GOLDEN,
    below,
    next_state,
    output,
    seed_stream,
    seed_words,
    splitmix64_mix,
)
from flip7sim.rules import Rules
from flip7sim.table import TABLE, new_table

MASK = 2**64 - 1
# Vigna's reference programs: SplitMix64 started from 1234567, xoshiro256++ from 1, 2, 3, 4.
SPLITMIX64 = (
    6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
    16408922859458223821,
)  # fmt: skip
XOSHIRO256PP = (
    41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205,
    9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736,
    10450023813501588000,
)  # fmt: skip


@pytest.fixture
def tables() -> Any:
    """Return an array with one table, as kernels take it."""
    tables = np.zeros(1, TABLE)
    tables[0] = new_table(Rules(), 1)
    return tables


@pytest.fixture(autouse=True)
def wrap_around() -> Any:
    """Let 64-bit words overflow where nothing is compiled."""
    with np.errstate(over="ignore"):
        yield


def record(tables: Any) -> Any:
    return tables.view(np.recarray)[0]


def next_word(table: Any) -> Any:
    """Return a table's next random word."""
    word = output(table.rng[0], table.rng[3])
    table.rng[:] = next_state(*table.rng)
    return np.uint64(word)


def test_splitmix64_vectors() -> None:
    state, words = np.uint64(1234567), []
    for _ in SPLITMIX64:
        state = state + GOLDEN
        words.append(int(splitmix64_mix(state)))
    assert tuple(words) == SPLITMIX64


def words_from(state: Any, n: int) -> list[Any]:
    """Return the next words of a state of xoshiro256++."""
    state, words = tuple(np.uint64(word) for word in state), []
    for _ in range(n):
        words.append(np.uint64(output(state[0], state[3])))
        state = tuple(np.uint64(word) for word in next_state(*state))
    return words


def test_xoshiro256pp_vectors() -> None:
    assert tuple(map(int, words_from((1, 2, 3, 4), len(XOSHIRO256PP)))) == XOSHIRO256PP


def plain_mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (1, 5), (2**200 + 7, 10**12)])
def test_a_stream_starts_with_splitmix64_of_seed_and_index(
    tables: Any, seed: int, stream: int
) -> None:
    table = record(tables)
    table.seed[:] = seed_words(seed)
    table.stream = stream
    seed_stream(table)
    first = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    steps = [(first + stream + (k + 1) * int(GOLDEN)) & MASK for k in range(4)]
    assert [int(word) for word in table.rng] == [plain_mix(step) for step in steps]


def test_streams_and_seeds_differ(tables: Any) -> None:
    table = record(tables)
    words = set()
    for seed in range(30):
        table.seed[:] = seed_words(seed)
        for stream in range(30):
            table.stream = stream
            seed_stream(table)
            words.add(int(words_from(table.rng, 1)[0]))
    assert len(words) == 900
    assert len({int(word) for seed in range(100) for word in seed_words(seed)}) == 200


_32 = np.uint64(32)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 94, 108, 255])
def test_bounded_draws_are_uniform(n: int) -> None:
    words = words_from((n, 2, 3, 4), 30 * n + 100)
    halves = [half for word in words for half in (word >> _32, word & np.uint64(2**32 - 1))]
    draws = Counter(int(below(half, n)) for half in halves)
    assert min(draws) >= 0
    assert max(draws) < n
    counts = [draws[value] for value in range(n)]
    assert n == 1 or stats.chisquare(counts).pvalue > 1e-3


def test_a_bounded_draw_is_the_high_half_of_a_product() -> None:
    for n in (3, 94, 255):
        for half in (0, 1, 2**31, 2**31 + 12345, 2**32 - 1):
            assert int(below(np.uint64(half), n)) == half * n >> 32


def next_card(table: Any) -> int:
    """Return the kind of the next card."""
    assert can_flip(table, 0)
    return int(flip(table, 0))


@pytest.mark.parametrize("position", [0, 1, 40, 93])
def test_every_place_of_the_deck_is_fairly_shuffled(tables: Any, position: int) -> None:
    """The card at a place, over many rounds, is any of the 94 equally often."""
    table = record(tables)
    table.seed[:] = seed_words(3)
    counts, n = np.zeros(N_KINDS), 1_500
    for stream in range(n):
        table.stream = stream
        fill_deck(table)
        seed_stream(table)
        for _ in range(position):
            next_card(table)
        counts[next_card(table)] += 1
        table.flips = 0
    full = np.asarray(table.full, float)
    present = full > 0
    assert counts[~present].sum() == 0
    expected = full[present] / full.sum() * n
    assert stats.chisquare(counts[present], expected).pvalue > 1e-3


def test_neighbouring_places_and_rounds_are_independent(tables: Any) -> None:
    """First and second card of a round, and first cards of neighbouring rounds, are unrelated."""
    table = record(tables)
    table.seed[:] = seed_words(4)
    pairs, firsts = np.zeros((2, 2)), []
    for stream in range(8_000):
        table.stream = stream
        fill_deck(table)
        seed_stream(table)
        first, second = int(next_card(table)), int(next_card(table))
        table.flips = 0
        pairs[int(first > 9), int(second > 9)] += 1
        firsts.append(int(first > 9))
    low, high = 1 + 45, 94 - 46  # cards 0 to 9, and the others
    whole = 94 * 93
    expected = np.array([[low * (low - 1), low * high], [low * high, high * (high - 1)]]) / whole
    assert stats.chisquare(pairs.ravel(), (expected * pairs.sum()).ravel()).pvalue > 1e-3
    assert abs(np.corrcoef(firsts[1:], firsts[:-1])[0, 1]) < 4 / np.sqrt(len(firsts))
