"""Common random numbers: until a reshuffle, the i-th card depends on seed and index alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from flip7sim.cards import CARD_NAMES
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.runner import play_rounds
from flip7sim.table import EVENT_FLIP

TABLES = {
    "base": [
        ["score:25"],
        ["never"],
        ["always/next", "always/random"],
        ["bust:0.2/random", "cards:5/next", "score:15"],
        ["random:0.1/random"] * 6,
    ],
    "vengeance": [
        ["score:25/next"],
        ["never/random"],
        ["always/next", "random:0.5/random"],
        ["bust:0.2/random", "cards:5/next", "never/leader"],
        ["random:0.1/random"] * 6,
    ],
}  # fmt: skip


class Cards:
    """Notes the cards flipped until the deck is first reshuffled."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.reshuffled = False
        self._left: int | None = None

    def __call__(self, table: Any, seat: int) -> int:
        if table.event == EVENT_FLIP:
            left = int(table.n_cards_left)
            self.reshuffled |= self._left is not None and left >= self._left
            self._left = left
            if not self.reshuffled:
                self.names.append(CARD_NAMES[table.card])
        return 0


def flipped(
    play: Callable[..., Any], rules: Rules, players: Sequence[str], **where: Any
) -> list[str]:
    cards = Cards()
    play(rules, players, observer=cards, **where)
    return cards.names


def common(lists: Sequence[list[str]]) -> int:
    """Check that the shorter lists are beginnings of the longest; return the length of that."""
    longest = max(lists, key=len)
    for names in lists:
        assert names == longest[: len(names)]
    return len(longest)


@pytest.mark.parametrize("game", ["base", "vengeance"])
@pytest.mark.parametrize("stream", [0, 1, 12_345_678_901])
def test_the_cards_of_a_round_do_not_depend_on_what_players_do(
    play: Callable[..., Any], game: str, stream: int
) -> None:
    rules = Rules(game=game)
    lists = [flipped(play, rules, who, seed=6, stream=stream) for who in TABLES[game]]
    assert common(lists) > 15
    assert lists[-1] != flipped(play, rules, TABLES[game][-1], seed=6, stream=stream + 1)
    assert lists[-1] != flipped(play, rules, TABLES[game][-1], seed=7, stream=stream)


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_the_cards_of_a_game_run_through_the_whole_deck(
    play: Callable[..., Any], game: str
) -> None:
    rules = Rules(game=game)
    lists = [flipped(play, rules, who, stream=4, game=True) for who in TABLES[game]]
    assert common(lists) == rules.n_cards  # every card once, over several rounds
    assert sorted(max(lists, key=len)) == sorted(
        name for name, n in zip(CARD_NAMES, rules.counts, strict=True) for _ in range(n)
    )
    rounds = [flipped(play, rules, who, stream=4) for who in TABLES[game]]
    common([*lists, *rounds])  # a round is the beginning of the game of the same index


def test_the_order_holds_when_rules_change_what_cards_do(play: Callable[..., Any]) -> None:
    inert = Rules(inert=("freeze", "flip_three", "second_chance"))
    for stream in range(5):
        who = ["never"] * 4
        common([flipped(play, rules, who, stream=stream) for rules in (Rules(), inert)])


def test_paired_differences_vary_far_less() -> None:
    arms = [as_player("score:25"), as_player("score:27")]
    tallies = play_rounds(
        Rules(), [arms[0], as_player("score:25")], arms=arms, rounds=20_000, seed=2
    )
    n = tallies.rounds
    mean = tallies.sums[:, 0] / n
    covariance = tallies.products / n - mean[:, None] * mean[None, :]
    paired = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    unpaired = covariance[0, 0] + covariance[1, 1]
    assert unpaired > 5 * paired
