"""replay.md's format: what is refused before a card is flipped, and how it is said."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from flip7sim.errors import InputError
from flip7sim.scenario import as_scenario, load_scenario, parse_scenario

BASE: dict[str, Any] = {
    "name": "two players",
    "game": "base",
    "rules": {},
    "players": 2,
    "dealer": 1,
    "totals": [0, -5],
    "play": "round",
    "draws": ["freeze", "5"],
    "decisions": [{"seat": 0, "ask": "freeze", "answer": 1}],
    "expect": {},
}
SWAP: dict[str, Any] = {"seat": 0, "card": "5", "with_seat": 1, "with_card": "-8"}
VENGEANCE: dict[str, Any] = BASE | {
    "game": "vengeance",
    "draws": ["swap"],
    "decisions": [{"seat": 0, "ask": "swap", "answer": SWAP}],
}
GAME: dict[str, Any] = BASE | {"play": "game"}


def changed(scenario: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy with the item at a path like ``decisions.0.seat`` set."""
    out = copy.deepcopy(scenario)
    place: Any = out
    *parents, last = path.split(".")
    for key in parents:
        place = place[int(key) if key.isdigit() else key]
    place[int(last) if last.isdigit() else last] = value
    return out


def refused(scenario: Any) -> str:
    with pytest.raises(InputError) as caught:
        parse_scenario(json.dumps(scenario))
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("scenario", [BASE, VENGEANCE, GAME], ids=["base", "vengeance", "game"])
def test_a_scenario_survives_its_own_text(scenario: dict[str, Any]) -> None:
    parsed = parse_scenario(json.dumps(scenario))
    assert parse_scenario(parsed.text()) == parsed
    assert as_scenario(parsed.as_json()) == parsed
    assert parsed.as_json() == scenario


def test_defaults() -> None:
    required = {key: BASE[key] for key in ("game", "players", "dealer", "draws", "decisions")}
    scenario = as_scenario(required)
    assert (scenario.name, scenario.play, scenario.totals) == (None, "round", (0, 0))
    assert scenario.expect == {}
    assert scenario.rules.options() == {}
    assert "name" not in scenario.as_json()


@pytest.mark.parametrize("key", ["game", "players", "dealer", "draws", "decisions"])
def test_required_keys(key: str) -> None:
    scenario = {name: value for name, value in BASE.items() if name != key}
    assert refused(scenario) == f"the scenario: key {key!r} is missing"


@pytest.mark.parametrize("key", ["seat", "ask", "answer"])
def test_required_keys_of_a_decision(key: str) -> None:
    decision = {name: value for name, value in BASE["decisions"][0].items() if name != key}
    message = refused(changed(BASE, "decisions.0", decision))
    assert message == f"decisions[0]: key {key!r} is missing"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("drows", [], "unknown key 'drows'; did you mean 'draws'?"),
        ("expect.round_score", [0, 0], "unknown key 'round_score'; did you mean 'round_scores'?"),
        ("decisions.0.card", "5", "unknown key 'card'"),
        ("game", "vengence", "unknown game 'vengence'; did you mean 'vengeance'?"),
        ("game", 1, "unknown game 1"),
        ("game", None, "unknown game None"),
        ("name", 5, "name must be a text, not 5"),
        ("name", None, "name must be a text, not None"),
        ("rules", None, "rules must be an object"),
        ("rules", [], "rules must be an object"),
        ("rules.ties", "share", "unknown option 'ties'; did you mean 'tie'?"),
        ("rules.game", "base", "unknown option 'game'"),
        ("rules.brutal", False, "option brutal belongs to vengeance"),
        ("rules.lucky13_pair_counts", 2, "belongs to vengeance"),
        ("rules.specials", True, "belongs to vengeance"),
        ("rules.open_after_stay", True, "belongs to vengeance"),
        ("rules.target_score", True, "target_score must be a whole number"),
        ("rules.target_score", 200.0, "target_score must be a whole number"),
        ("rules.target_score", 0, "target_score must be a whole number"),
        ("rules.flip7_bonus", 1001, "flip7_bonus must be a whole number from 0 to 1000"),
        ("rules.reshuffle_each_round", 1, "reshuffle_each_round must be true or false"),
        ("rules.tie", "shared", "unknown tie 'shared'; did you mean 'share'?"),
        ("rules.inert", "freeze", "inert must be a list"),
        ("rules.inert", ["5"], "option inert takes modifiers and actions"),
        ("rules.inert", ["swap"], "option inert takes modifiers and actions of base"),
        ("rules.deck", None, "option deck must be a name or counts"),
        ("rules.deck", ["5"], "option deck must be a name or counts"),
        ("rules.deck", "number", "unknown deck 'number' in base; did you mean 'numbers'?"),
        ("rules.deck", {"frezze": 1}, "unknown card 'frezze'"),
        ("rules.deck", {"13": 1}, "unknown card '13' in the deck of base"),
        ("rules.deck", {"5": True}, "deck count of '5' must be a whole number"),
        ("rules.deck", {"5": 1.0}, "deck count of '5' must be a whole number"),
        ("rules.deck", {"5": -1}, "deck count of '5' must be a whole number"),
        ("rules.deck", {"5": 255}, "a deck has at most 255 cards"),
        ("players", 0, "players must be a whole number from 1 to 18, not 0"),
        ("players", 19, "players must be a whole number from 1 to 18, not 19"),
        ("players", True, "players must be a whole number from 1 to 18, not True"),
        ("players", 2.0, "players must be a whole number from 1 to 18, not 2.0"),
        ("players", "2", "players must be a whole number"),
        ("dealer", 2, "dealer must be a seat from 0 to 1, not 2"),
        ("dealer", -1, "dealer must be a seat from 0 to 1, not -1"),
        ("dealer", True, "dealer must be a seat from 0 to 1, not True"),
        ("dealer", 1.0, "dealer must be a seat from 0 to 1, not 1.0"),
        ("totals", [0], "totals must have 2 entries, one a player, not 1"),
        ("totals", [0, 0, 0], "totals must have 2 entries, one a player, not 3"),
        ("totals", 0, "totals must be a list"),
        ("totals", None, "totals must be a list"),
        ("totals", [0, True], "totals[1] must be a whole number"),
        ("totals", [0, 0.0], "totals[1] must be a whole number"),
        ("totals", [0, 2**63], "totals[1] must be a whole number"),
        ("play", "rounds", "unknown play 'rounds'; did you mean 'round'?"),
        ("play", None, "unknown play None"),
        ("draws", "freeze", "draws must be a list"),
        ("draws", ["5", "frezze"], "draws[1]: unknown card 'frezze' in base; did you mean 'freeze"),
        ("draws", ["13"], "draws[0]: unknown card '13' in base"),
        ("draws", [5], "draws[0]: unknown card 5"),
        ("draws", [None], "draws[0]: unknown card None"),
        ("draws", [["5"]], "draws[0]: unknown card ['5']"),
        ("decisions", {}, "decisions must be a list"),
        ("decisions.0", "stay", "decisions[0] must be an object"),
        ("decisions.0.seat", 2, "decisions[0]: seat must be a seat from 0 to 1, not 2"),
        ("decisions.0.seat", False, "decisions[0]: seat must be a seat from 0 to 1, not False"),
        ("decisions.0.seat", 0.0, "decisions[0]: seat must be a seat from 0 to 1, not 0.0"),
        ("decisions.0.ask", "flip_four", "decisions[0]: unknown ask 'flip_four'"),
        ("decisions.0.ask", "modifier", "decisions[0]: unknown ask 'modifier'"),
        ("decisions.0.ask", "-2", "decisions[0]: unknown ask '-2'"),
        ("decisions.0.ask", 3, "decisions[0]: unknown ask 3"),
        ("decisions.0.answer", 2, "decisions[0]: answer to freeze must be a seat from 0 to 1"),
        ("decisions.0.answer", True, "decisions[0]: answer to freeze must be a seat"),
        ("decisions.0.answer", 1.0, "decisions[0]: answer to freeze must be a seat"),
        ("decisions.0.answer", "1", "decisions[0]: answer to freeze must be a seat"),
        ("decisions.0.answer", {"seat": 1}, "decisions[0]: answer to freeze must be a seat"),
        ("expect", None, "expect must be an object"),
        ("expect", [], "expect must be an object"),
        ("expect.rounds", 1, "expect: 'rounds' belongs to a game"),
        ("expect.winners", [0], "expect: 'winners' belongs to a game"),
        ("expect.flips", True, "expect.flips must be a whole number"),
        ("expect.flips", 2.0, "expect.flips must be a whole number"),
        ("expect.flips", None, "expect.flips must be a whole number"),
        ("expect.round_scores", 5, "expect.round_scores must be a list"),
        ("expect.round_scores", [0, False], "expect.round_scores[1] must be a whole number"),
        ("expect.totals", [0, 1.0], "expect.totals[1] must be a whole number"),
        ("expect.status", "stayed", "expect.status must be a list"),
        ("expect.status", ["stayed", 1], "expect.status[1] must be a text"),
        ("expect.lines", [["5"], "5"], "expect.lines[1] must be a list"),
        ("expect.lines", [["5"], ["14"]], "expect.lines[1][0]: unknown card '14'"),
        ("expect.discard", ["swap"], "expect.discard[0]: unknown card 'swap' in base"),
    ],
)
def test_refused_in_the_base_game(path: str, value: Any, message: str) -> None:
    assert message in refused(changed(BASE, path, value))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("draws", ["freeze"], "draws[0]: unknown card 'freeze' in vengeance"),
        ("rules.brutal", 1, "option brutal must be true or false"),
        ("rules.lucky13_pair_counts", 3, "lucky13_pair_counts must be a whole number from 1 to 2"),
        ("rules.lucky13_pair_counts", True, "lucky13_pair_counts must be a whole number"),
        ("rules.deck", {"lucky13": 2}, "a deck has at most one lucky13"),
        ("rules.deck", {"unlucky7": 2}, "a deck has at most one unlucky7"),
        ("rules.deck", "no-attacks", "unknown deck 'no-attacks' in vengeance"),
        ("rules.inert", ["freeze"], "option inert takes modifiers and actions of vengeance"),
        ("decisions.0.ask", "freeze", "decisions[0]: unknown ask 'freeze'"),
        ("decisions.0.ask", "steal", "decisions[0]: answer to steal: unknown key 'with_seat'"),
        ("decisions.0.answer", 1, "decisions[0]: answer to swap must be an object, not 1"),
        ("decisions.0.answer.seat", 2, "answer to swap: seat must be a seat from 0 to 1"),
        ("decisions.0.answer.with_seat", True, "answer to swap: with_seat must be a seat"),
        ("decisions.0.answer.card", "+2", "answer to swap: card: unknown card '+2' in vengeance"),
        ("decisions.0.answer.with_card", 5, "answer to swap: with_card: unknown card 5"),
        ("decisions.0.answer.extra", 5, "answer to swap: unknown key 'extra'"),
        ("decisions.0.answer", {"seat": 0, "card": "5"}, "answer to swap: key 'with_seat' is miss"),
    ],
)
def test_refused_in_vengeance(path: str, value: Any, message: str) -> None:
    assert message in refused(changed(VENGEANCE, path, value))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("expect.winners", [2], "expect.winners[0] must be a seat from 0 to 1, not 2"),
        ("expect.winners", 0, "expect.winners must be a list"),
        ("expect.winners", [True], "expect.winners[0] must be a seat"),
        ("expect.winners", None, "expect.winners must be a list"),
        ("expect.rounds", 1.0, "expect.rounds must be a whole number"),
    ],
)
def test_refused_in_a_game(path: str, value: Any, message: str) -> None:
    assert message in refused(changed(GAME, path, value))


def test_hit_or_stay_takes_two_words() -> None:
    for answer in ("Hit", "", 1, True, None, 0):
        scenario = changed(BASE, "decisions.0", {"seat": 0, "ask": "hit_or_stay", "answer": answer})
        assert "answer to hit_or_stay must be 'hit' or 'stay'" in refused(scenario)


def test_a_game_needs_a_card() -> None:
    empty = {name: 0 for name in map(str, range(13))}
    empty |= dict.fromkeys(("+2", "+4", "+6", "+8", "+10", "x2"), 0)
    empty |= dict.fromkeys(("freeze", "flip_three", "second_chance"), 0)
    assert "a game needs a deck with at least one card" in refused(
        changed(GAME, "rules.deck", empty)
    )
    assert as_scenario(changed(BASE, "rules.deck", empty)).rules.n_cards == 0


def test_deck_may_name_a_preset() -> None:
    scenario = as_scenario(changed(BASE, "rules.deck", "numbers"))
    assert scenario.rules.n_cards == 79
    assert scenario.as_json()["rules"] == {"deck": "numbers"}


def test_the_sides_of_a_swap_have_no_order() -> None:
    turned = {"seat": 1, "card": "-8", "with_seat": 0, "with_card": "5"}
    assert as_scenario(changed(VENGEANCE, "decisions.0.answer", turned)) == as_scenario(VENGEANCE)


@pytest.mark.parametrize("value", [[], 5, "x", None, True])
def test_a_scenario_is_an_object(value: Any) -> None:
    assert "the scenario must be an object" in refused(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("{} {}", "no JSON"),
        ("\ufeff{}", "no JSON"),
        ('{"name": NaN}', "no JSON: NaN is no number there"),
        ('{"name": -Infinity}', "no JSON: -Infinity is no number there"),
        ('{"game": "base", "game": "base"}', "key 'game' stands twice"),
        ('{"decisions": [{"seat": 0, "seat": 0}]}', "key 'seat' stands twice"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"players": ' + "9" * 5000 + "}", "no JSON"),
        ("{'game': 'base'}", "no JSON"),
        ('{"game": "base",}', "no JSON"),
    ],
    ids=[
        "empty", "cut", "two", "mark", "nan", "infinity", "twice", "twice-inside", "deep", "digits",
        "quotes", "comma",
    ],
)  # fmt: skip
def test_what_is_no_json(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_scenario(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the file: No such file"):
        load_scenario(tmp_path / "missing.json")
    with pytest.raises(InputError, match="cannot read the file"):
        load_scenario(tmp_path)
    with pytest.raises(InputError, match="cannot read the file"):
        load_scenario("a\0b")
    latin = tmp_path / "latin.json"
    latin.write_bytes('{"name": "é"}'.encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8 text: byte 10 is 0xe9"):
        load_scenario(latin)
