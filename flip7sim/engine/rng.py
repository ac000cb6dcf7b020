"""Random numbers: xoshiro256++ seeded by SplitMix64 (Blackman and Vigna 2021; Steele et al. 2014).

One stream per (seed, index of the round or game), so that no result depends on how rounds are
spread over blocks, threads or machines.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import helper

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_U17, _U19, _U23, _U27 = np.uint64(17), np.uint64(19), np.uint64(23), np.uint64(27)
_U30, _U31, _U32, _U41, _U45 = (np.uint64(n) for n in (30, 31, 32, 41, 45))


def seed_words(seed: int) -> np.ndarray:
    """Return the two 64-bit words that stand for a seed: the deck's and the policies'.

    Parameters
    ----------
    seed : int
        Not negative, of any size.

    Returns
    -------
    ndarray of uint64, shape (2,)
    """
    return np.random.SeedSequence(seed).generate_state(2, np.uint64)


@helper
def splitmix64_mix(word: Any) -> Any:
    """Return the output function of SplitMix64 of a 64-bit word."""
    z = word
    z = (z ^ (z >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31)


@helper
def seed_stream(table: Any) -> None:
    """Set the table's generator to the start of its stream."""
    state = table.seed[0] + np.uint64(table.stream)
    for i in range(4):
        state = state + GOLDEN
        table.rng[i] = splitmix64_mix(state)


@helper
def output(s0: Any, s3: Any) -> Any:
    """Return the 64 random bits of a state of xoshiro256++."""
    total = s0 + s3
    return ((total << _U23) | (total >> _U41)) + s0


@helper
def next_state(s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """Return the state of xoshiro256++ after this one."""
    shifted = s1 << _U17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    return s0, s1, s2, (s3 << _U45) | (s3 >> _U19)


@helper
def below(half: Any, n: int) -> Any:
    """Turn 32 random bits into a number from 0 to n - 1 (multiply-shift; bias below 2**-24)."""
    return (half * np.uint64(n)) >> _U32
