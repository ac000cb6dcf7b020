"""The format of scripted rounds: JSON in, a validated `Scenario` out (replay.md).

Everything that can be judged without playing is judged here: keys, types, cards, seats and asks.
Whether a card is still in the deck and an answer legal only the play can tell.

Examples
--------
>>> scenario = as_scenario({"game": "base", "players": 1, "dealer": 0, "draws": ["5"],
...     "decisions": [{"seat": 0, "ask": "hit_or_stay", "answer": "stay"}]})
>>> scenario.draws, scenario.decisions[0].answer, scenario.totals
(('5',), 'stay', (0,))
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from flip7sim import strict
from flip7sim.cards import CARD_NAMES, FIRST_MODIFIER, GAMES, LAST_MODIFIER, card_kind
from flip7sim.errors import InputError
from flip7sim.rules import MAX_SEATS, Rules, one_of

Answer: TypeAlias = str | int | tuple[int, str] | tuple[int, str, int, str]
"""``"hit"`` or ``"stay"``; a seat; a seat and a card of its line; for `swap` two of those, the
lower seat first."""

SCENARIO_KEYS: Final = (
    "name", "game", "rules", "players", "dealer", "totals", "play", "draws", "decisions", "expect",
)  # fmt: skip
REQUIRED_KEYS: Final = ("game", "players", "dealer", "draws", "decisions")
ROUND_KEYS: Final = ("round_scores", "totals", "status", "lines", "discard", "flips")
"""What a round's outcome says."""
GAME_KEYS: Final = (*ROUND_KEYS, "rounds", "winners")
"""What a game's outcome says."""

MAX_TOTAL: Final = 2**62
"""The largest starting total, so that no sum leaves 64 bits."""

CARD_CHOICES: Final = ("steal", "discard")
_SEAT_CHOICES: Final = {
    "base": ("freeze", "flip_three", "second_chance"),
    "vengeance": ("just_one_more", "flip_four", "flip7_bonus"),
}
_VENGEANCE_MODIFIERS: Final = tuple(
    name for name in CARD_NAMES[FIRST_MODIFIER : LAST_MODIFIER + 1] if name[0] in "-d"
)
ASKS: Final[dict[str, tuple[str, ...]]] = {
    "base": ("hit_or_stay", *_SEAT_CHOICES["base"]),
    "vengeance": (
        "hit_or_stay", *_SEAT_CHOICES["vengeance"], *CARD_CHOICES, "swap", *_VENGEANCE_MODIFIERS,
    ),
}  # fmt: skip
"""The names by which each game's choices are asked for; a modifier's is its card's."""


@dataclass(frozen=True)
class Decision:
    """One choice with two or more legal options.

    Parameters
    ----------
    seat : int
        Who chooses.
    ask : str
        What is asked, one of `ASKS`.
    answer : Answer
    """

    seat: int
    ask: str
    answer: Answer

    def as_json(self) -> dict[str, Any]:
        """Return the decision as it stands in a file."""
        return {"seat": self.seat, "ask": self.ask, "answer": answer_json(self.answer)}


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A round or game with every flip and every choice fixed.

    Parameters
    ----------
    rules : Rules
    players, dealer : int
    totals : tuple of int, shape (players,)
        Points before the round.
    play : {"round", "game"}
    draws : tuple of str
        Card names in the order in which they are flipped.
    decisions : tuple of Decision
        In the order in which they arise.
    expect : mapping
        Expected values for any of `ROUND_KEYS`, for a game of `GAME_KEYS`.
    name : str, optional
    """

    rules: Rules
    players: int
    dealer: int
    totals: tuple[int, ...]
    draws: tuple[str, ...]
    decisions: tuple[Decision, ...]
    play: str = "round"
    expect: Mapping[str, Any] = field(default_factory=dict)
    name: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the scenario as it stands in a file."""
        named = {} if self.name is None else {"name": self.name}
        return named | {
            "game": self.rules.game,
            "rules": self.rules.options(),
            "players": self.players,
            "dealer": self.dealer,
            "totals": list(self.totals),
            "play": self.play,
            "draws": list(self.draws),
            "decisions": [decision.as_json() for decision in self.decisions],
            "expect": dict(self.expect),
        }

    def text(self) -> str:
        """Return the file's text: one key a line, one decision a line."""
        rows = []
        for key, value in self.as_json().items():
            if key in ("decisions", "expect") and value:
                items = (
                    [json.dumps(item) for item in value]
                    if isinstance(value, list)
                    else [f"{json.dumps(name)}: {json.dumps(item)}" for name, item in value.items()]
                )
                opening, closing = "[]" if isinstance(value, list) else "{}"
                body = ",\n".join("    " + item for item in items)
                rows.append(f"  {json.dumps(key)}: {opening}\n{body}\n  {closing}")
            else:
                rows.append(f"  {json.dumps(key)}: {json.dumps(value)}")
        return "{\n" + ",\n".join(rows) + "\n}\n"


def as_scenario(source: Scenario | Mapping[str, Any] | str | os.PathLike[str]) -> Scenario:
    """Return the scenario that `source` is, describes, or (a path) holds.

    Raises
    ------
    InputError
        If the file cannot be read or the scenario is malformed (replay.md).

    Examples
    --------
    >>> staying = {"seat": 0, "ask": "hit_or_stay", "answer": "stay"}
    >>> scenario = {"game": "base", "players": 1, "dealer": 0, "draws": ["9"]}
    >>> scenario["decisions"] = [staying]
    >>> as_scenario(scenario).totals
    (0,)
    """
    if isinstance(source, Scenario):
        return source
    if isinstance(source, str | os.PathLike):
        return load_scenario(source)
    return _validated(source)


def load_scenario(path: str | os.PathLike[str]) -> Scenario:
    """Read and validate the scenario in the file at `path`; errors as in `as_scenario`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> staying = {"seat": 0, "ask": "hit_or_stay", "answer": "stay"}
    >>> scenario = {"game": "base", "players": 1, "dealer": 0, "draws": ["9"]}
    >>> scenario["decisions"] = [staying]
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "nine.json")
    ...     _ = file.write_text(json.dumps(scenario))
    ...     load_scenario(file).draws
    ('9',)
    """
    return _validated(strict.read_json(path))


def parse_scenario(text: str) -> Scenario:
    """Validate the scenario that the JSON `text` holds; errors as in `as_scenario`.

    Examples
    --------
    >>> scenario = parse_scenario(
    ...     '{"game": "base", "players": 1, "dealer": 0, "draws": ["9", "9"], "decisions": '
    ...     '[{"seat": 0, "ask": "hit_or_stay", "answer": "hit"}]}'
    ... )
    >>> scenario.draws, scenario.decisions[0].answer
    (('9', '9'), 'hit')
    """
    return _validated(strict.parse_json(text))


def answer_json(answer: Answer) -> Any:
    """Return an answer as it stands in a file.

    Examples
    --------
    >>> answer_json((2, "12"))
    {'seat': 2, 'card': '12'}
    """
    if not isinstance(answer, tuple):
        return answer
    return dict(zip(("seat", "card", "with_seat", "with_card"), answer, strict=False))


def swap_answer(seat: int, card: str, with_seat: int, with_card: str) -> Answer:
    """Return the answer to `swap` with its two sides in the one order that answers compare in.

    Examples
    --------
    >>> swap_answer(2, "-8", 0, "5")
    (0, '5', 2, '-8')
    """
    (seat, card), (with_seat, with_card) = sorted([(seat, card), (with_seat, with_card)])
    return seat, card, with_seat, with_card


def _validated(data: Any) -> Scenario:
    scenario = strict.mapping("the scenario", data, SCENARIO_KEYS, REQUIRED_KEYS)
    name = strict.text("name", scenario["name"]) if "name" in scenario else None
    rules = _rules(scenario["game"], scenario.get("rules", {}))
    players = strict.integer("players", scenario["players"], 1, MAX_SEATS)
    seats = _Checker(rules.game, players)
    totals = strict.items("totals", scenario.get("totals", [0] * players), _total)
    if len(totals) != players:
        raise InputError(f"totals must have {players} entries, one a player, not {len(totals)}")
    play = scenario.get("play", "round")
    one_of("play", play, ("round", "game"))
    if play == "game" and rules.n_cards == 0:
        raise InputError("a game needs a deck with at least one card")
    return Scenario(
        name=name,
        rules=rules,
        players=players,
        dealer=seats.seat("dealer", scenario["dealer"]),
        totals=tuple(totals),
        play=play,
        draws=tuple(strict.items("draws", scenario["draws"], seats.card)),
        decisions=tuple(strict.items("decisions", scenario["decisions"], seats.decision)),
        expect=seats.expect(scenario.get("expect", {}), play),
    )


def _rules(game: Any, options: Any) -> Rules:
    one_of("game", game, GAMES)
    if not isinstance(options, Mapping):
        raise InputError(f"rules must be an object of options, not {options!r}")
    if options.get("deck", "") is None:
        raise InputError("option deck must be a name or counts per card, not None")
    return Rules.from_options(game, options)


@dataclass(frozen=True)
class _Checker:
    """Checks what depends on the game and on the number of players."""

    game: str
    players: int

    def seat(self, where: str, value: Any) -> int:
        return strict.integer(where, value, 0, self.players - 1, "a seat")

    def card(self, where: str, value: Any) -> str:
        try:
            return CARD_NAMES[card_kind(value, self.game)]
        except InputError as error:
            raise InputError(f"{where}: {error}") from None

    def decision(self, where: str, value: Any) -> Decision:
        keys = ("seat", "ask", "answer")
        decision = strict.mapping(where, value, keys, keys)
        seat = self.seat(f"{where}: seat", decision["seat"])
        ask = decision["ask"]
        try:
            one_of("ask", ask, ASKS[self.game])
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        answer = self.answer(f"{where}: answer to {ask}", ask, decision["answer"])
        return Decision(seat, ask, answer)

    def answer(self, where: str, ask: str, value: Any) -> Answer:
        if ask == "hit_or_stay":
            if not isinstance(value, str) or value not in ("hit", "stay"):
                raise InputError(f"{where} must be 'hit' or 'stay', not {value!r}")
            return str(value)
        if ask not in (*CARD_CHOICES, "swap"):
            return self.seat(where, value)
        keys = ("seat", "card", "with_seat", "with_card")[: 4 if ask == "swap" else 2]
        strict.mapping(where, value, keys, keys)
        side = (
            self.seat(f"{where}: seat", value["seat"]),
            self.card(f"{where}: card", value["card"]),
        )
        if ask != "swap":
            return side
        other = self.seat(f"{where}: with_seat", value["with_seat"])
        with_card = self.card(f"{where}: with_card", value["with_card"])
        return swap_answer(*side, other, with_card)

    def expect(self, value: Any, play: str) -> dict[str, Any]:
        if isinstance(value, Mapping) and play == "round":
            for key in ("rounds", "winners"):
                if key in value:
                    raise InputError(f"expect: {key!r} belongs to a game, and play is 'round'")
        expected = strict.mapping("expect", value, GAME_KEYS)
        check: dict[str, Callable[[str, Any], Any]] = {
            "round_scores": lambda where, item: strict.items(where, item, strict.whole),
            "totals": lambda where, item: strict.items(where, item, strict.whole),
            "status": lambda where, item: strict.items(where, item, strict.text),
            "lines": lambda where, item: strict.items(where, item, self.cards),
            "discard": self.cards,
            "flips": strict.whole,
            "rounds": strict.whole,
            "winners": lambda where, item: strict.items(where, item, self.seat),
        }
        return {key: check[key](f"expect.{key}", item) for key, item in expected.items()}

    def cards(self, where: str, value: Any) -> list[str]:
        return strict.items(where, value, self.card)


def _total(where: str, value: Any) -> int:
    return strict.integer(where, value, -MAX_TOTAL, MAX_TOTAL)
