"""Rounds written as one reads them: who flips what, and who decides what.

A script is a list of sentences, one a line or with semicolons between them:

    deal 5 freeze -> 2 7        one card for each seat in turn, from the dealer's left
    0 hits 8, 9                 seat 0 chooses to hit, twice, and is flipped an 8 and a 9
    0 flips 8 9                 seat 0 is flipped them without a choice: forced, or bound to hit
    1 stays                     seat 1 chooses to stay
    0 hits steal -> 1:12        seat 0 flips a Steal and takes the 12 of seat 1
    0 hits swap -> 0:5 2:-8     … exchanges its own 5 for the -8 of seat 2
    1 freeze -> 0               seat 1 settles a Freeze flipped (and set aside) before

An arrow stands exactly where there is a choice: what has one legal option is not asked. Every
sentence is checked, who is flipped a card too; the play must need all of them and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flip7sim.cards import CARD_NAMES, GAME_CARDS
from flip7sim.replay import Outcome, outcome_of, play
from flip7sim.scenario import as_scenario
from flip7sim.table import EVENT_FLIP

VERBS = ("hits", "stays", "flips")


class Script:
    """The flips, each with its seat, and the decisions that a text says."""

    def __init__(self, text: str, players: int, first: int) -> None:
        self.players = players
        self.flips: list[tuple[int, str]] = []
        self.decisions: list[dict[str, Any]] = []
        for sentence in text.replace(",", " ").replace("\n", ";").split(";"):
            words = sentence.split()
            if words:
                self.read(words, first)

    def read(self, words: list[str], first: int) -> None:
        who = words.pop(0)
        if who == "deal":
            for seat in range(first, first + self.players):
                self.flip(seat % self.players, words)
        elif words[0] not in VERBS:
            self.choose(int(who), words.pop(0), words)
        else:
            seat, verb = int(who), words.pop(0)
            while True:
                if verb != "flips":
                    self.decide(seat, "hit_or_stay", verb.removesuffix("s"))
                if words:
                    self.flip(seat, words)
                if not words:
                    break
        assert not words, f"too many words: {words}"

    def flip(self, seat: int, words: list[str]) -> None:
        card = words.pop(0)
        self.flips.append((seat, card))
        if words[:1] == ["->"]:
            self.choose(seat, card, words)

    def choose(self, seat: int, ask: str, words: list[str]) -> None:
        assert words.pop(0) == "->"
        answer: Any
        if ask == "swap":
            (one, card), (two, with_card) = (words.pop(0).split(":") for _ in range(2))
            answer = {"seat": int(one), "card": card, "with_seat": int(two), "with_card": with_card}
        elif ask in ("steal", "discard"):
            owner, card = words.pop(0).split(":")
            answer = {"seat": int(owner), "card": card}
        else:
            answer = int(words.pop(0))
        self.decide(seat, ask, answer)

    def decide(self, seat: int, ask: str, answer: Any) -> None:
        self.decisions.append({"seat": seat, "ask": ask, "answer": answer})


def played(
    kind: str,
    players: int,
    text: str,
    *,
    dealer: int | None = None,
    totals: tuple[int, ...] | None = None,
    game: bool = False,
    only: str = "",
    **rules: Any,
) -> Outcome:
    """Return what comes out of a script; seat 0 is dealt to first, `only` is the whole deck."""
    dealer = players - 1 if dealer is None else dealer
    if only:
        cards = only.split()
        rules["deck"] = {name: cards.count(name) for name in GAME_CARDS[kind]}
    script = Script(text, players, (dealer + 1) % players)
    scenario = as_scenario(
        {
            "game": kind,
            "rules": rules,
            "players": players,
            "dealer": dealer,
            "totals": list(totals or [0] * players),
            "play": "game" if game else "round",
            "draws": [card for _, card in script.flips],
            "decisions": script.decisions,
        }
    )
    seen: list[tuple[int, str]] = []

    def look(table: Any, seat: int) -> int:
        if table.event == EVENT_FLIP:
            seen.append((seat, CARD_NAMES[table.card]))
            assert seen[-1] == script.flips[len(seen) - 1], "somebody else is flipped the card"
        return 0

    return outcome_of(scenario, play(scenario, observer=look))


@pytest.fixture(scope="session")
def base() -> Callable[..., Outcome]:
    """Play a script of the base game: ``base(players, script, **rules)``."""
    return lambda players, text, **rules: played("base", players, text, **rules)


@pytest.fixture(scope="session")
def vengeance() -> Callable[..., Outcome]:
    """Play a script of Vengeance: ``vengeance(players, script, **rules)``."""
    return lambda players, text, **rules: played("vengeance", players, text, **rules)


@pytest.fixture(scope="session")
def brutal() -> Callable[..., Outcome]:
    """Play a script of Vengeance in Brutal mode: ``brutal(players, script, **rules)``."""
    return lambda players, text, **rules: played("vengeance", players, text, brutal=True, **rules)
