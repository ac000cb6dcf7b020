"""At every event of any round: no card is lost, lines add up, scores keep their bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flip7sim.cards import (
    DIV2,
    FREEZE,
    GAME_CARDS,
    KIND,
    LAST_NUMBER,
    MODIFIER_POINTS,
    N_KINDS,
    RANKS,
    SECOND_CHANCE,
    X2,
)
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.table import BUSTED, EVENT_FLIP, EVENT_ROUND, NO_CARD
from flip7sim.trace import trace_round

STAYS = ["score:25", "score:12", "cards:4", "bust:0.3", "never", "always", "random:0.3"]
STAYS += ["bust:0.26 or cards:6", "score:20 and cards:3"]
TARGETS = {
    "base": ["leader", "next", "random", "weakest", "self_if_good"],
    "vengeance": ["leader", "next", "random", "weakest"],
}


@st.composite
def any_rules(draw: st.DrawFn, game: str, *, short: bool = False) -> Rules:
    """Rules with any options; standard decks, decks full of actions, and very small ones.

    `short` leaves out brutal mode and own decks, under which a game may last for a thousand rounds.
    """
    options: dict[str, Any] = {
        "flip7_bonus": draw(st.sampled_from([15, 0, 1000])),
        "target_score": draw(st.integers(1, 120)),
        "tie": draw(st.sampled_from(["play_on", "share"])),
        "reshuffle_each_round": draw(st.booleans()),
    }
    if game == "vengeance":
        options["brutal"] = not short and draw(st.booleans())
        options["lucky13_pair_counts"] = draw(st.sampled_from([2, 1]))
        options["specials"] = draw(st.sampled_from([True, True, False]))
        options["open_after_stay"] = draw(st.booleans())
    names = GAME_CARDS[game]
    others = [name for name in names if KIND[name] > LAST_NUMBER]
    options["inert"] = draw(st.sets(st.sampled_from(others), max_size=2).map(sorted))
    decks = ["standard", "preset"] if short else ["standard", "preset", "actions", "small", "large"]
    match draw(st.sampled_from(decks)):
        case "preset":
            options["deck"] = draw(st.sampled_from(["numbers", "no-actions"]))
        case "actions":
            options["deck"] = {name: draw(st.integers(0, 8)) for name in others}
        case "small":
            most = {"lucky13": 1, "unlucky7": 1}
            options["deck"] = {name: draw(st.integers(0, most.get(name, 2))) for name in names}
            options["deck"]["5"] = draw(st.integers(1, 3))
        case "large":
            name = draw(st.sampled_from(others))
            most_of = 32 if name == "x2" else 120
            options["deck"] = {name: most_of}
    return Rules.from_options(game, options)


def players(game: str, most: int) -> st.SearchStrategy[list[Any]]:
    spec = st.tuples(st.sampled_from(STAYS), st.sampled_from(TARGETS[game]))
    return st.lists(spec.map(lambda pair: as_player("/".join(pair))), min_size=1, max_size=most)


def cards_by_place(table: Any) -> dict[str, np.ndarray]:
    """Return where the cards are: a count per kind for every place of rules.md section 1."""
    n = int(table.n_seats)
    frozen, hand = np.zeros(N_KINDS, int), np.zeros(N_KINDS, int)
    frozen[FREEZE] = int(np.sum(table.frozen[:n]))
    if table.settling != NO_CARD:
        hand[table.settling] += 1
    runs = table.runs[: table.n_runs].view(np.ndarray)
    place = np.arange(runs["aside"].shape[1])
    waits = (runs["next_aside"][:, None] <= place) & (place < runs["n_aside"][:, None])
    held = np.concatenate([runs["card"], runs["aside"][waits]])
    hand += np.bincount(held[held != NO_CARD], minlength=N_KINDS)
    return {
        "deck": np.asarray(table.left),
        "discard pile": np.asarray(table.discarded),
        "lines": table.line[:n].astype(int).sum(axis=0),
        "frozen": frozen,
        "hand": hand,
    }


def check_cards(table: Any) -> None:
    places = cards_by_place(table)
    assert sum(places.values()).tolist() == table.full.tolist(), places
    in_deck = np.bincount(table.deck[: table.n_cards_left], minlength=N_KINDS)
    assert in_deck.tolist() == table.left.tolist()
    assert int(table.n_discarded) == int(np.sum(table.discarded))
    # Whatever went to the discard pile in this round, one seat has used up.
    used = table.used[: table.n_seats].astype(int).sum(axis=0)
    before = np.asarray(table.discarded) - used
    assert (before >= 0).all()
    if table.round_number == 0:
        assert not before.any()
    assert all(int(place.min()) >= 0 for place in places.values())


def check_lines(table: Any) -> None:
    """Recount what the table says about each line from the cards in it."""
    for seat in range(int(table.n_seats)):
        line = [int(count) for count in table.line[seat]]
        assert int(table.n_line[seat]) == sum(line)
        if table.status[seat] == BUSTED:
            continue
        numbers = [RANKS[kind] for kind in range(LAST_NUMBER + 1) for _ in range(line[kind])]
        counted = set(numbers) if table.lucky13_pair_counts == 1 else numbers
        assert int(table.held[seat]) == sum(1 << rank for rank in set(numbers))
        assert int(table.number_sum[seat]) == sum(numbers)
        assert int(table.n_numbers[seat]) == len(counted)
        assert int(table.n_doublers[seat]) == line[X2] + line[DIV2]
        points = sum(count * MODIFIER_POINTS[kind] for kind, count in enumerate(line))
        assert int(table.modifier_sum[seat]) == points
        assert int(table.n_second_chances[seat]) == line[SECOND_CHANCE] <= 1


class Watcher:
    """Checks all laws at every event and counts what it has seen."""

    def __init__(self, rules: Rules) -> None:
        self.low, self.high = rules.score_bounds()
        self.flips = self.rounds = self.events = 0
        self.scores: list[list[int]] = []

    def __call__(self, table: Any, seat: int) -> int:
        self.events += 1
        # Rounds of thousands of events are all of one kind: then every 25th will do.
        if self.events < 100 or self.events % 25 == 0 or table.event == EVENT_ROUND:
            check_cards(table)
            if table.event != EVENT_FLIP:
                check_lines(table)
        if table.event == EVENT_FLIP:
            assert int(table.settling) == int(table.card)
            self.flips += 1
        if table.event == EVENT_ROUND:
            assert not cards_by_place(table)["hand"].any()
            scores = [int(score) for score in table.score[: table.n_seats]]
            assert all(self.low <= score <= self.high for score in scores)
            self.scores.append(scores)
            self.rounds += 1
        return 0


def check(
    play: Callable[..., Any], rules: Rules, who: list[Any], *, game: bool, **where: int
) -> None:
    watcher = Watcher(rules)
    table = play(rules, who, game=game, observer=watcher, **where)
    assert table.error == 0
    assert watcher.flips == int(table.flips) + int(table.flips_before)
    assert watcher.rounds == int(table.round_number) + 1
    if game:
        totals = np.sum(watcher.scores, axis=0).tolist()
        assert table.total[: len(who)].tolist() == totals


@settings(max_examples=120)
@given(data=st.data(), game=st.sampled_from(["base", "vengeance"]), stream=st.integers(0, 10**6))
def test_rounds(play: Callable[..., Any], data: st.DataObject, game: str, stream: int) -> None:
    rules = data.draw(any_rules(game), label="rules")
    who = data.draw(players(game, 7), label="players")
    check(play, rules, who, game=False, stream=stream, seed=data.draw(st.integers(0, 5)))


@settings(max_examples=30)
@given(data=st.data(), game=st.sampled_from(["base", "vengeance"]), stream=st.integers(0, 10**6))
def test_games(play: Callable[..., Any], data: st.DataObject, game: str, stream: int) -> None:
    # Brutal mode and own decks are looked at round by round above.
    rules = data.draw(any_rules(game, short=True), label="rules")
    who = data.draw(players(game, 4), label="players")
    check(play, rules, who, game=True, stream=stream, dealer=len(who) - 1)


@pytest.mark.parametrize("game", ["base", "vengeance"])
@pytest.mark.parametrize("stream", range(3))
def test_eighteen_seats(play: Callable[..., Any], game: str, stream: int) -> None:
    who = [f"{STAYS[k % len(STAYS)]}/{TARGETS[game][k % 4]}" for k in range(18)]
    check(play, Rules(game=game), who, game=False, stream=stream)


def test_the_watcher_sees_a_lost_card(play: Callable[..., Any]) -> None:
    table = play(Rules(), ["score:25", "score:25"])
    check_cards(table)
    table.line[0, 3] += 1
    with pytest.raises(AssertionError):
        check_cards(table)


def test_a_trace_is_the_simulated_round(play: Callable[..., Any]) -> None:
    who = [as_player("score:25/random"), as_player("cards:4/next"), as_player("random:0.2")]
    for index in (0, 1, 77):
        scenario = trace_round(who, seed=3, round_index=index)
        table = play(Rules(), who, seed=3, stream=index)
        assert scenario.dealer == index % 3
        assert scenario.expect["round_scores"] == table.score[:3].tolist()
        assert scenario.expect["flips"] == int(table.flips)
