"""The edges: no card to draw, two thousand flips, eighteen players, the largest decks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import flip7sim as f7
from flip7sim.cards import DECKS, GAME_CARDS, KIND
from flip7sim.errors import InputError
from flip7sim.policies import player
from flip7sim.rules import MAX_FLIPS, Rules
from flip7sim.runner import play_games, play_rounds
from flip7sim.table import BUSTED, STAYED

Play = Callable[..., Any]


def only(game: str, **counts: int) -> dict[str, int]:
    """Return a deck of these cards alone."""
    return dict.fromkeys(GAME_CARDS[game], 0) | counts


def statuses(table: Any) -> list[int]:
    return [int(status) for status in table.status[: table.n_seats]]


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_one_card_for_three_players(play: Play, game: str) -> None:
    """The first is dealt it, the others go without; nobody can hit, so everybody stays."""
    rules = Rules(game=game, deck=only(game, **{"5": 1}))
    for dealer in range(3):
        table = play(rules, ["never/next"] * 3, dealer=dealer)
        first = (dealer + 1) % 3
        assert table.score[:3].tolist() == [5 if seat == first else 0 for seat in range(3)]
        assert statuses(table) == [STAYED] * 3
        assert int(table.flips) == 1


def test_a_zero_holder_who_cannot_hit_stays(play: Play) -> None:
    table = play(Rules(game="vengeance", deck=only("vengeance", **{"0": 1})), ["never/next"] * 2)
    assert table.score[:2].tolist() == [0, 0]
    assert statuses(table) == [STAYED] * 2


@pytest.mark.parametrize(
    ("game", "card"),
    [("base", "flip_three"), ("vengeance", "flip_four"), ("vengeance", "just_one_more")],
)
@pytest.mark.parametrize("seats", [1, 2, 18])
@pytest.mark.parametrize("n", [1, 2, 3, 100, 255])
def test_decks_of_forced_flips_alone(play: Play, game: str, card: str, seats: int, n: int) -> None:
    """Runs within runs: what is discarded is flipped again, up to two thousand times."""
    rules = Rules(game=game, deck=only(game, **{card: n}))
    table = play(rules, ["never/random"] * seats)
    assert table.error == 0
    if (card, n) == ("just_one_more", 1):
        # It finds no other card, so each time it comes back to somebody there is one player less.
        assert seats <= int(table.flips) < MAX_FLIPS
    else:
        assert int(table.flips) == MAX_FLIPS
    assert int(table.n_cards_left) + int(table.n_discarded) == n
    assert table.n_line[:seats].tolist() == [0] * seats
    assert statuses(table) == [STAYED] * seats
    assert int(table.n_active) == 0
    assert int(table.n_runs) == 0
    assert table.score[:seats].tolist() == [0] * seats


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_two_thousand_flips_end_a_round_of_inert_cards(play: Play, game: str) -> None:
    name = "+2" if game == "base" else "-2"
    rules = Rules(game=game, inert=[name], deck=only(game, **{name: 1}))
    table = play(rules, ["never/next"] * 2)
    assert int(table.flips) == MAX_FLIPS == 2000
    assert statuses(table) == [STAYED] * 2
    assert table.score[:2].tolist() == [0, 0]


def test_two_thousand_flips_end_a_forced_run_too(play: Play) -> None:
    """A Flip Four whose flips find actions only: what was set aside is settled without flips."""
    deck = only("vengeance", flip_four=1, discard=2, steal=1)
    for stream in range(5):
        table = play(Rules(game="vengeance", deck=deck), ["never/random"] * 3, stream=stream)
        assert int(table.flips) == MAX_FLIPS
        assert int(table.n_runs) == 0
        assert table.score[:3].tolist() == [0] * 3


def test_a_pile_that_is_empty_is_not_shuffled(play: Play) -> None:
    """All cards lie in lines: a hit becomes a stay, though it was asked for."""
    asked: list[int] = []

    def observe(table: Any, seat: int) -> int:
        if table.event == 2:  # a decision
            asked.append(seat)
        return 0

    deck = only("base", **{"1": 1, "2": 1, "3": 1, "4": 1})
    table = play(Rules(deck=deck), ["never/next"] * 2, dealer=1, observer=observe)
    assert int(table.flips) == 4
    assert asked == [0, 1, 0, 1]
    assert sum(table.score[:2].tolist()) == 10
    assert statuses(table) == [STAYED, STAYED]


def test_the_discard_pile_becomes_the_deck_and_lines_do_not(play: Play) -> None:
    """With Second Chances a duplicate goes to the discard pile and is flipped again."""
    deck = only("base", **{"7": 2, "second_chance": 1})
    for stream in range(6):
        table = play(Rules(deck=deck), ["never/next"], stream=stream)
        # 7, Second Chance, 7: both discarded, reshuffled, and so on until a 7 comes first.
        assert statuses(table) == [BUSTED]
        assert int(table.n_cards_left) + int(table.n_discarded) + int(table.n_line[0]) == 3


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_eighteen_players_and_255_cards(game: str) -> None:
    room = 255 - sum(DECKS[game])
    name = "+2" if game == "base" else "swap"
    deck = {name: room + DECKS[game][KIND[name]]}
    rules = Rules(game=game, deck=deck)
    assert rules.n_cards == 255
    players = [player("score:25" if seat % 2 else "never", "random") for seat in range(18)]
    tallies = play_rounds(rules, players, rounds=60, seed=1)
    assert tallies.histogram.sum(axis=2).tolist() == [[60] * 18]
    assert int(tallies.flips[0, 0]) >= 60 * 18  # everybody is dealt a card
    assert (tallies.sums[0, 1::2] > 0).all()  # the last seat scores like the others
    assert tallies.busts[0, ::2].sum() > tallies.busts[0, 1::2].sum()  # who never stays busts more
    assert play_games(rules, [players], games=2, seed=1).games == 2


def test_a_game_without_an_end_is_unfinished_after_a_thousand_rounds() -> None:
    rules = Rules(deck=only("base", **{"0": 2}))
    tallies = play_games(rules, [[player("always"), player("always")]], games=2, seed=1)
    assert tallies.rounds[0, 0] == 2
    assert tallies.rounds[0, 1:].sum() == 0
    assert tallies.wins[0, :, :, 1:].sum() == 0


def test_a_game_has_at_least_one_round_and_ends_with_one_highest() -> None:
    rules = Rules(target_score=1, deck=only("base", **{"5": 3}))
    tallies = play_games(rules, [[player("always"), player("always")]], games=4, seed=1)
    assert tallies.rounds[0, 0] == 4  # always five each: a tie is played on for ever
    shared = Rules(target_score=1, tie="share", deck=only("base", **{"5": 3}))
    tallies = play_games(shared, [[player("always"), player("always")]], games=4, seed=1)
    assert tallies.rounds[0, 1] == 4
    assert tallies.wins[0, 0, :, 2].sum() == 4


@pytest.mark.parametrize("rounds", [0, -1, 1.5, True, "10", 10**13])
def test_a_number_of_rounds_that_is_none(rounds: Any) -> None:
    with pytest.raises(InputError, match="rounds must be"):
        f7.simulate(["score:25"], rounds=rounds)


@pytest.mark.parametrize("seats", [0, 19])
def test_a_number_of_players_that_is_none(seats: int) -> None:
    with pytest.raises(InputError, match=f"1 to 18 players, not {seats}"):
        f7.simulate(["score:25"] * seats, rounds=10)


@pytest.mark.parametrize("seed", [-1, 1.0, None, "1", True])
def test_a_seed_that_is_none(seed: Any) -> None:
    with pytest.raises(InputError, match="seed must be"):
        f7.simulate(["score:25"], rounds=10, seed=seed)


def test_a_deck_without_a_card() -> None:
    with pytest.raises(InputError, match="no card"):
        f7.simulate(["score:25"], rules={"deck": only("base")}, rounds=10)


@pytest.mark.parametrize("threads", [0, -1, 1.5, 2000])
def test_a_number_of_threads_that_is_none(threads: Any) -> None:
    with pytest.raises(InputError, match="threads"):
        f7.simulate(["score:25"], rounds=10, threads=threads)


def test_more_points_than_the_tallies_hold_are_refused() -> None:
    with pytest.raises(InputError, match="x2"):
        f7.simulate(["never"], rules={"deck": {"x2": 32}}, rounds=10)
    with pytest.raises(InputError, match="too many to tally"):
        f7.simulate(["never"], rules={"deck": {"x2": 11}}, rounds=10**12)
