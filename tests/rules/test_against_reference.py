"""The engine against a second reading of rules.md: same choices, same options, same outcome."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from flip7sim.cards import CARD_NAMES, DECKS, GAME_CARDS, KIND, LAST_NUMBER
from flip7sim.replay import differences, legal_answers, outcome_of, play
from flip7sim.rules import Rules
from flip7sim.scenario import Answer
from flip7sim.table import EVENT_DECISION


def _reference() -> ModuleType:
    path = Path(__file__).with_name("reference.py")
    spec = importlib.util.spec_from_file_location("rules_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


reference = _reference()


@st.composite
def rules(draw: st.DrawFn, game: str) -> Rules:
    """Any rules: small decks with many actions and reshuffles, and the standard ones."""
    options: dict[str, Any] = {
        "flip7_bonus": draw(st.sampled_from([15, 0, 40])),
        "reshuffle_each_round": draw(st.booleans()),
        "tie": draw(st.sampled_from(["play_on", "share"])),
        "target_score": draw(st.integers(1, 60)),
    }
    if game == "vengeance":
        options |= {
            "brutal": draw(st.booleans()),
            "lucky13_pair_counts": draw(st.sampled_from([2, 1])),
            "specials": draw(st.sampled_from([True, True, True, False])),
            "open_after_stay": draw(st.sampled_from([True, True, False])),
        }
    names = GAME_CARDS[game]
    actions = [name for name in names if KIND[name] > LAST_NUMBER]
    options["inert"] = draw(st.lists(st.sampled_from(actions), max_size=1))
    kind = draw(st.sampled_from(["standard", "many actions", "small"]))
    if kind == "many actions":
        options["deck"] = {
            name: draw(st.integers(0, 6)) for name in draw(st.sets(st.sampled_from(actions)))
        }
    elif kind == "small":
        options["deck"] = {
            name: min(draw(st.integers(0, 3)), DECKS[game][KIND[name]] if "y" in name else 9)
            for name in names
        }
    if sum(Rules.from_options(game, options).counts) == 0:
        options["deck"] = {}
    return Rules.from_options(game, options)


def played(*args: Any, **options: Any) -> Any:
    """Return a game of the reference, which recurses as deep as a round has flips."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        return reference.Game(*args, **options)
    finally:
        sys.setrecursionlimit(limit)


def check(game: Any) -> None:
    scenario = game.scenario()
    asked: list[list[Answer]] = []

    def observe(table: Any, seat: int) -> int:
        if table.event == EVENT_DECISION:
            asked.append(legal_answers(table))
        return 0

    table = play(scenario, observer=observe)
    assert differences(scenario, outcome_of(scenario, table)) == [], scenario.text()
    assert len(asked) == len(game.legal)
    for engine, reading in zip(asked, game.legal, strict=True):
        assert len(set(engine)) == len(engine)
        assert set(engine) == set(reading)


@settings(max_examples=400)
@given(data=st.data(), game=st.sampled_from(["base", "vengeance", "vengeance"]))
def test_rounds(data: st.DataObject, game: str) -> None:
    players = data.draw(st.integers(1, 6), label="players")
    check(
        played(
            data.draw(rules(game), label="rules"),
            players,
            random.Random(data.draw(st.integers(0, 10**9), label="seed")),
            dealer=data.draw(st.integers(0, players - 1), label="dealer"),
            boldness=data.draw(st.sampled_from([0.6, 0.9, 1.0]), label="boldness"),
        )
    )


@settings(max_examples=60)
@given(data=st.data(), game=st.sampled_from(["base", "vengeance"]))
def test_games(data: st.DataObject, game: str) -> None:
    players = data.draw(st.integers(1, 4), label="players")
    chosen = data.draw(rules(game), label="rules")
    if chosen.n_cards == 0 or not any(chosen.counts[1 : LAST_NUMBER + 1]):
        return
    check(
        played(
            chosen,
            players,
            random.Random(data.draw(st.integers(0, 10**9), label="seed")),
            dealer=data.draw(st.integers(0, players - 1), label="dealer"),
            totals=tuple(data.draw(st.integers(-20, 50)) for _ in range(players)),
            play="game",
            boldness=0.5,
        )
    )


def test_eighteen_players() -> None:
    for game in ("base", "vengeance"):
        for seed in range(5):
            check(played(Rules(game=game), 18, random.Random(seed)))


def test_names() -> None:
    assert set(reference.RANK) == set(CARD_NAMES[: LAST_NUMBER + 1])
