"""An illegal answer ends the run with an error that names policy, seat, round and answer."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import flip7sim as f7
from flip7sim.errors import PolicyError
from flip7sim.policies import Player, player
from flip7sim.rules import Rules
from flip7sim.runner import play_games, play_rounds
from flip7sim.table import ASK_NAMES, BUSTED, GAME_ASKS

# Policies may not read which round or game it is; what is called from one is not looked into.
place_of = attrgetter("stream")

MINUS_ONE, TOO_LARGE, HUGE, RAISES = range(4)
ANSWERS = {"minus one": MINUS_ONE, "too large": TOO_LARGE, "huge": HUGE, "raises": RAISES}


def answer(table: Any, seat: Any, how: int) -> Any:
    if how == MINUS_ONE:
        return -1
    if how == TOO_LARGE:
        return table.n_options
    if how == HUGE:
        return 9223372036854775807
    raise ValueError("no idea what to do")


def names_busted(table: Any, seat: Any) -> Any:
    """Answer with a busted player's seat where that is no index into the options."""
    for other in range(table.n_seats):
        if table.status[other] == BUSTED and other >= table.n_options:
            return other
    return 0


def outside(table: Any, seat: Any) -> Any:
    """Read what is not there: compiled, only a bounds check notices."""
    return table.total[seat + 1000] > 0


BAD_STAY = {
    True: f7.stay_policy(answer, name="bad_stay"),
    False: f7.stay_policy(answer, name="bad_stay_plain", compiled=False),
}
BAD_TARGET = {
    True: f7.targeting_policy(answer, name="bad_target"),
    False: f7.targeting_policy(answer, name="bad_target_plain", compiled=False),
}
KINDS = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
EVERY_ANSWER = pytest.mark.parametrize("how", list(ANSWERS.values()), ids=list(ANSWERS))

NO_NUMBERS = {str(n): 0 for n in range(13)}
# Decks in which a choice comes up soon.
RULES = {
    "freeze": Rules(deck={"freeze": 20}),
    "flip_three": Rules(deck={"flip_three": 20}),
    "second_chance": Rules(deck={"second_chance": 40}),
    "just_one_more": Rules(game="vengeance", deck={"just_one_more": 20}),
    "flip_four": Rules(game="vengeance", deck={"flip_four": 20}),
    "steal": Rules(game="vengeance", deck={"steal": 40}),
    "swap": Rules(game="vengeance", deck={"swap": 40}),
    "discard": Rules(game="vengeance", deck={"discard": 40}),
    "modifier": Rules(game="vengeance", deck={"-2": 20}),
    # One card of each number and nothing else: somebody gets seven.
    "flip7_bonus": Rules(
        game="vengeance",
        brutal=True,
        deck={str(n): 1 for n in range(1, 14)}
        | dict.fromkeys(("0", "unlucky7", "lucky13", "div2", "-2", "-4", "-6", "-8", "-10"), 0)
        | dict.fromkeys(("just_one_more", "flip_four", "swap", "steal", "discard"), 0),
    ),
}
PLAYER = 1


class Listener:
    """Notes where its player is first asked something, and how many answers are legal."""

    def __init__(self, ask: str) -> None:
        self.ask = ask
        self.first: tuple[int, int, int] | None = None
        listener = self

        def stays(table: Any, seat: Any) -> Any:
            listener.note(table, "hit_or_stay")
            return False

        def takes_first(table: Any, seat: Any) -> Any:
            listener.note(table, ASK_NAMES[table.ask])
            return 0

        self.stay = f7.stay_policy(stays, compiled=False)
        self.target = f7.targeting_policy(takes_first, compiled=False)

    def note(self, table: Any, ask: str) -> None:
        if ask == self.ask and self.first is None:
            self.first = (int(place_of(table)), int(table.chooser), int(table.n_options))


def seated(who: Player, ask: str) -> list[Player]:
    others = player("always" if ask == "flip7_bonus" else "never", "next")
    return [others, who, others]


def first_ask(ask: str, *, game: bool) -> tuple[int, int]:
    """Return in which round or game player 1 is first asked, and the number of options."""
    rules = RULES.get(ask, Rules())
    listener = Listener(ask)
    who = player(listener.stay, listener.target)
    if game:
        play_games(rules, [seated(who, ask)], games=3, seed=1, threads=1, block=1)
    else:
        play_rounds(rules, seated(who, ask), rounds=40, seed=1, threads=1, block=1)
    assert listener.first is not None, f"{ask} was never asked"
    stream, seat, options = listener.first
    # Three games are played with every deck; in the g-th, player 1 sits in seat 1 + g.
    return (3 * stream + (seat - PLAYER) % 3 if game else stream), options


def bad_player(ask: str, how: int, compiled: bool) -> Player:
    if ask == "hit_or_stay":
        return player(BAD_STAY[compiled](how=how), "next")
    return player("never", dict.fromkeys(GAME_ASKS[RULES[ask].game], "next") | {
        ask: BAD_TARGET[compiled](how=how)
    })  # fmt: skip


def check(error: PolicyError, ask: str, how: int, compiled: bool, options: int, where: str) -> None:
    text = str(error)
    name = ("bad_stay" if ask == "hit_or_stay" else "bad_target") + ("" if compiled else "_plain")
    assert "\n" not in text
    assert f"policy '{name}:how={how}'" in text, text
    assert where in text, text
    assert repr(ask) in text, text
    if how == RAISES:
        assert "raised" in text
        assert compiled or "ValueError: no idea what to do" in text
        assert compiled or isinstance(error.__cause__, ValueError)
    else:
        said = {MINUS_ONE: -1, TOO_LARGE: options, HUGE: 2**63 - 1}[how]
        assert f"illegal answer {said}" in text, text


@pytest.fixture(scope="module")
def expected() -> dict[tuple[str, bool], tuple[int, int]]:
    return {}


@KINDS
@EVERY_ANSWER
@pytest.mark.parametrize("ask", ASK_NAMES)
def test_in_rounds(expected: dict[Any, Any], ask: str, how: int, compiled: bool) -> None:
    index, options = expected.setdefault((ask, False), first_ask(ask, game=False))
    who = seated(bad_player(ask, how, compiled), ask)
    with pytest.raises(PolicyError) as caught:
        play_rounds(RULES.get(ask, Rules()), who, rounds=40, seed=1)
    check(caught.value, ask, how, compiled, options, f"in seat {PLAYER}, round {index}")


@KINDS
@EVERY_ANSWER
@pytest.mark.parametrize("ask", ASK_NAMES)
def test_in_games(expected: dict[Any, Any], ask: str, how: int, compiled: bool) -> None:
    index, options = expected.setdefault((ask, True), first_ask(ask, game=True))
    who = seated(bad_player(ask, how, compiled), ask)
    with pytest.raises(PolicyError) as caught:
        play_games(RULES.get(ask, Rules()), [who], games=3, seed=1)
    seat = (PLAYER + index) % 3
    check(caught.value, ask, how, compiled, options, f"in seat {seat}, game {index}")


@KINDS
@pytest.mark.parametrize("ask", ["freeze", "flip_four"])
def test_a_busted_player_s_seat_is_no_answer(ask: str, compiled: bool) -> None:
    """The busted are not among the options, so the last seat's number lies outside them."""
    policy = f7.targeting_policy(names_busted, name="names_busted", compiled=compiled)
    others = player("never", "next")
    with pytest.raises(PolicyError, match=rf"'names_busted' in seat 0, .* asked '{ask}': illegal "
                       "answer 2, legal is 0 to 1"):  # fmt: skip
        play_rounds(RULES[ask], [player("never", policy), others, others], rounds=200, seed=1)


def test_a_read_out_of_bounds_is_an_error_compiled_and_plain() -> None:
    for compiled in (True, False):
        policy = f7.stay_policy(outside, name="outside", compiled=compiled)
        with pytest.raises(PolicyError, match=r"'outside'.* seat 0, round 0.*raised"):
            play_rounds(Rules(), [player(policy)], rounds=10, seed=1)


def test_the_term_that_is_wrong_is_named() -> None:
    f7_player = player("score:1")
    bad = player(BAD_STAY[True](how=HUGE))
    for joined in (True, False):
        first = f7_player if joined else player("score:999")
        both = Player((first.terms[0], bad.terms[0]), (joined,))
        with pytest.raises(PolicyError, match=r"policy 'bad_stay:how=2' in seat 0"):
            play_rounds(Rules(), [both], rounds=10, seed=1)


@pytest.mark.parametrize("value", [None, "stay", 2**64, 2**64 + 1, -(2**63)])
def test_a_plain_answer_that_is_no_legal_number(value: Any) -> None:
    policy = f7.stay_policy(lambda table, seat: value, name="odd", compiled=False)
    with pytest.raises(PolicyError, match="policy 'odd' in seat 0, round 0"):
        play_rounds(Rules(), [player(policy)], rounds=10, seed=1)


def test_writes_and_fractions_are_refused_when_a_policy_is_made() -> None:
    def writes(table: Any, seat: Any) -> Any:
        table.total[seat] = 200
        return True

    with pytest.raises(f7.InputError, match="writes"):
        f7.stay_policy(writes)

    with pytest.raises(f7.InputError, match="float"):
        f7.stay_policy(lambda table, seat: 0.5, name="half", compiled=False)


def test_plain_python_cannot_write_to_the_table(play: Any) -> None:
    """What no check of the source sees fails when it is tried."""
    with pytest.raises(ValueError, match="read-only"):
        play(Rules(), ["score:25"], observer=lambda table, seat: table.total.fill(200))


def test_the_earliest_error_is_told_whatever_the_threads() -> None:
    late = f7.stay_policy(
        lambda table, seat: 7 if place_of(table) in (400, 700) else 1, name="late", compiled=False
    )
    for threads, block in [(1, None), (2, 100), (2, 300), (3, 1000)]:
        with pytest.raises(PolicyError, match=r"round 400\b"):
            play_rounds(Rules(), [player(late)], rounds=1000, seed=1, threads=threads, block=block)


def test_a_good_run_follows_a_bad_one() -> None:
    before = play_rounds(Rules(), [player("score:25")], rounds=100, seed=1)
    with pytest.raises(PolicyError):
        play_rounds(Rules(), [player(BAD_STAY[True](how=1))], rounds=100, seed=1)
    after = play_rounds(Rules(), [player("score:25")], rounds=100, seed=1)
    assert np.array_equal(before.histogram, after.histogram)
