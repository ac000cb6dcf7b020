"""No result depends on how the work is spread, nor on whether the engine is compiled."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from flip7sim import _jit
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.runner import play_games, play_rounds
from flip7sim.tallies import GameTallies, RoundTallies

BASE = ["score:25", "cards:4/random", "bust:0.3/next"]
VENGEANCE = ["score:20/random", "random:0.2/next", "never/leader"]


def as_plain(tallies: Any) -> dict[str, Any]:
    """Return tallies as integers and nested lists, for comparison to the last bit."""
    values = {item.name: getattr(tallies, item.name) for item in fields(tallies)}
    for name, value in values.items():
        assert isinstance(value, int) or value.dtype == np.int64, name
    return {k: v if isinstance(v, int) else v.tolist() for k, v in values.items()}


def rounds(game: str, n: int = 600, **how: Any) -> RoundTallies:
    players = [as_player(spec) for spec in (BASE if game == "base" else VENGEANCE)]
    arms = [*(as_player(f"score:{points}") for points in (18, 25)), as_player("random:0.4")]
    return play_rounds(Rules(game=game), players, arms=arms, rounds=n, seed=9, **how)


def games(game: str, n: int = 40, **how: Any) -> GameTallies:
    players = [as_player(spec) for spec in (BASE if game == "base" else VENGEANCE)]
    other = [as_player("score:30"), *players[1:]]
    return play_games(Rules(game=game), [players, other], games=n, seed=9, **how)


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_threads_and_blocks_change_nothing(game: str) -> None:
    whole = as_plain(rounds(game, threads=1))
    for threads, block in [(2, None), (1, 1), (2, 7), (3, 599), (1, 10_000)]:
        assert as_plain(rounds(game, threads=threads, block=block)) == whole, (threads, block)
    all_games = as_plain(games(game, threads=1))
    for threads, block in [(2, None), (2, 1), (1, 13)]:
        assert as_plain(games(game, threads=threads, block=block)) == all_games, (threads, block)


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_a_beginning_and_the_rest_make_the_whole(game: str) -> None:
    parts = rounds(game, 250) + rounds(game, 350, first=250)
    assert as_plain(parts) == as_plain(rounds(game))
    assert as_plain(games(game, 15) + games(game, 25, first=15)) == as_plain(games(game))


def test_other_seeds_and_rounds_give_other_results() -> None:
    first = as_plain(rounds("base"))
    assert as_plain(rounds("base", first=600)) != first
    players = [as_player(spec) for spec in BASE]
    one, two = (as_plain(play_rounds(Rules(), players, rounds=600, seed=s)) for s in (1, 2))
    assert one != two


@pytest.mark.skipif(_jit.DISABLED, reason="as slow as it is elsewhere")
def test_an_executor_of_processes_changes_nothing() -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert as_plain(rounds("base", executor=pool, block=100)) == as_plain(rounds("base"))
        assert as_plain(games("base", executor=pool, block=9)) == as_plain(games("base"))


def test_merging_is_exact_in_any_order() -> None:
    blocks = [rounds("vengeance", 50, first=50 * k) for k in range(8)]
    whole = as_plain(rounds("vengeance", 400))
    chance = random.Random(1)
    for _ in range(5):
        pieces = list(blocks)
        while len(pieces) > 1:  # any two at a time
            chance.shuffle(pieces)
            pieces.append(pieces.pop() + pieces.pop())
        assert as_plain(pieces[0]) == whole


def test_tallies_agree_with_each_other() -> None:
    for game in ("base", "vengeance"):
        tallies = rounds(game)
        assert tallies.histogram.sum(axis=2).tolist() == [[600] * 3] * 3
        squares = tallies.histogram[:, 0] @ tallies.scores**2
        assert np.diag(tallies.products).tolist() == squares.tolist()
        assert np.array_equal(tallies.products, tallies.products.T)
        assert (tallies.flip7s.sum(axis=1) <= 600).all()  # a Flip 7 ends the round
        assert (tallies.flip7s + tallies.busts <= 600).all()  # who has busted has no Flip 7


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from test_equal_bits import digests
print(digests())
"""


def digests() -> str:
    """Return digests of rounds and games of both games, few enough to be played as plain Python."""
    found = {}
    brutal = Rules(game="vengeance", brutal=True, deck={"0": 4, "13": 20, "swap": 6})
    players = [as_player(spec) for spec in VENGEANCE]
    for name, tallies in [
        ("rounds of base", rounds("base", 60)),
        ("rounds of vengeance", rounds("vengeance", 40)),
        ("rounds of brutal", play_rounds(brutal, players, rounds=40, seed=4)),
        ("games of base", games("base", 3)),
        ("games of vengeance", games("vengeance", 2)),
    ]:
        text = json.dumps(as_plain(tallies), sort_keys=True)
        found[name] = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(found)


@pytest.mark.skipif(_jit.DISABLED, reason="compares compiled with plain")
def test_compiled_and_plain_python_give_equal_bits() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, os.path.dirname(__file__)],
        capture_output=True, text=True, check=False, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == json.loads(digests())
