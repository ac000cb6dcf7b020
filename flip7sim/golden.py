"""Fingerprints of small blocks of rounds and games, one set for each engine version.

The same seed gives the same numbers as long as `ENGINE_VERSION` stays. Fingerprints of tallies are
kept in ``golden.json``; a test compares, and so does ``flip7sim doctor``. When numbers are meant to
change, raise the version in ``versions.py`` and run ``python -m flip7sim.golden --write``: it adds
a set for the new version and never changes one that is there.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from flip7sim.errors import InputError
from flip7sim.versions import ENGINE_VERSION

FILE: Final = Path(__file__).with_name("golden.json")
SEED: Final = 7

_ROUND_FIELDS: Final = ("histogram", "busts", "flip7s", "flips", "products")
_GAME_FIELDS: Final = (
    "wins", "rounds", "flips", "behind", "joint", "unit", "deck_products",
    "pair_products",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Block:
    """Rounds or games that are played to see whether numbers are what they were.

    Attributes
    ----------
    name : str
    players : tuple of str
    count : int
        Rounds or games.
    game : str
    games : bool
        Whether whole games are played instead of independent rounds.
    arms : tuple of str
        Players of seat 0, all on the same cards; the first of `players` where there are none.
    options : dict
    """

    name: str
    players: tuple[str, ...]
    count: int
    game: str = "base"
    games: bool = False
    arms: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


BLOCKS: Final = (
    Block(name="base", players=("score:25",) * 4, count=500),
    Block(
        name="base, many policies",
        players=(
            "bust:0.26 or cards:6/risky", "score:28,chance=never/random", "gain/self_if_good",
            "race:22,0.1/weakest", "crowd:30,1/safe", "random:0.3/next",
        ),
        count=500,
    ),
    Block(name="base, solitaire", players=("cards:4",), count=500, options={"deck": "numbers"}),
    Block(
        name="base, options", players=("sum:20/biggest_line", "never", "bust:0.3,own"), count=300,
        options={"flip7_bonus": 30, "inert": ["freeze"], "deck": {"x2": 3, "second_chance": 6}},
    ),
    Block(
        name="base, arms", players=("score:25", "bust:0.3/random", "cards:5"), count=200,
        arms=("score:18", "score:30/random", "random:0.4", "gain/risky"),
    ),
    Block(
        name="base, games", players=("score:25", "bust:0.25", "race:20,0.2/leader_total"),
        count=60, games=True,
    ),
    Block(
        name="base, games, options", players=("score:20", "score:30/random"), count=40, games=True,
        options={"reshuffle_each_round": True, "tie": "share", "target_score": 100},
    ),
    Block(name="vengeance", players=("score:25",) * 4, count=400, game="vengeance"),
    Block(
        name="vengeance, brutal", players=("bust:0.3/random", "cards:5", "score:30/next"),
        count=400, game="vengeance", options={"brutal": True},
    ),
    Block(
        name="vengeance, options", players=("gain/random", "never/random", "score:15/random"),
        count=300, game="vengeance",
        options={"lucky13_pair_counts": 1, "open_after_stay": False},
    ),
    Block(
        name="vengeance, without specials",
        players=("score:25/polite", "bust:0.3/greedy", "score:30/spread", "cards:5/bust"),
        count=200, game="vengeance", options={"specials": False},
    ),
    Block(
        name="vengeance, targeting", count=200, game="vengeance",
        players=("score:25/polite", "bust:0.3/greedy", "score:30/spread", "cards:5/bust"),
        arms=("score:25/polite", "score:25/greedy", "score:25/spread", "score:25/bust"),
    ),
    Block(
        name="vengeance, brutal, targeting", count=200, game="vengeance",
        players=("score:25/polite", "bust:0.3/greedy", "score:30/spread", "cards:5/bust"),
        options={"brutal": True},
    ),
    Block(
        name="vengeance, games", players=("score:25", "bust:0.25/random", "cards:4"), count=45,
        game="vengeance", games=True,
    ),
)  # fmt: skip


def fingerprint(block: Block) -> str:
    """Play a block and return the fingerprint of its tallies, 64 hexadecimal digits."""
    import numpy as np

    from flip7sim.rules import Rules
    from flip7sim.runner import checked_players, play_games, play_rounds

    rules = Rules.from_options(block.game, block.options)
    players = checked_players(block.players, rules)
    arms = checked_players(block.arms, rules) if block.arms else players[:1]
    tallies: Any
    names: tuple[str, ...]
    if block.games:
        lists = [(arm, *players[1:]) for arm in arms]
        tallies = play_games(rules, lists, games=block.count, seed=SEED, threads=1)
        names = _GAME_FIELDS
    else:
        tallies = play_rounds(rules, players, arms=arms, rounds=block.count, seed=SEED, threads=1)
        names = _ROUND_FIELDS
    state = hashlib.sha256()
    for name in names:
        array = np.asarray(getattr(tallies, name))
        state.update(f"{name} {array.shape} ".encode())
        state.update(array.astype("<i8", order="C").tobytes())
    return state.hexdigest()


def recorded() -> dict[str, dict[str, str]]:
    """Return the fingerprints kept: by engine version, then by block.

    Raises
    ------
    InputError
        If the file is missing or damaged.
    """
    try:
        found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {FILE}: {error}") from None
    return found


def differences() -> list[str]:
    """Return the names of blocks whose numbers are not those kept for this engine version."""
    kept = recorded().get(str(ENGINE_VERSION), {})
    return [block.name for block in BLOCKS if kept.get(block.name) != fingerprint(block)]


def write() -> str:
    """Add what is missing for this engine version to the file; return what was done.

    Raises
    ------
    InputError
        If numbers have changed without a new engine version; nothing is written then.
    """
    from flip7sim.files import write_json

    kept = recorded() if FILE.exists() else {}
    mine = dict(kept.get(str(ENGINE_VERSION), {}))
    added = []
    for block in BLOCKS:
        new = fingerprint(block)
        old = mine.setdefault(block.name, new)
        if old != new:
            raise InputError(
                f"the numbers of {block.name!r} have changed: raise ENGINE_VERSION above "
                f"{ENGINE_VERSION} in flip7sim/versions.py, name the change in CHANGELOG.md, and "
                "run this again"
            )
        if block.name not in kept.get(str(ENGINE_VERSION), {}):
            added.append(block.name)
    write_json(FILE, {**kept, str(ENGINE_VERSION): mine})
    return f"engine version {ENGINE_VERSION}: {len(added)} of {len(mine)} fingerprints added"


def main(arguments: list[str]) -> int:
    """Compare, or with ``--write`` add what is missing; return the exit status."""
    try:
        if arguments == ["--write"]:
            print(write())
            return 0
        if arguments:
            print("usage: python -m flip7sim.golden [--write]", file=sys.stderr)
            return 2
        found = differences()
    except InputError as error:
        print(f"flip7sim: error: {error}", file=sys.stderr)
        return 2
    for name in found:
        print(f"{name}: not the numbers of engine version {ENGINE_VERSION}")
    print(f"{len(BLOCKS) - len(found)} of {len(BLOCKS)} blocks as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
