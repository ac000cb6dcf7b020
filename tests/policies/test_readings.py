"""What a policy reads, against numbers counted by hand from rules.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flip7sim.cards import GAME_CARDS, KIND, LAST_MODIFIER, LAST_NUMBER, RANKS, UNLUCKY7
from flip7sim.readings import (
    LINES,
    OWN,
    SEEN,
    active_rivals,
    best_rival_total,
    bust_probability,
    busts,
    clockwise_distance,
    line_score,
    n_active,
    n_unseen,
    n_unseen_cards,
    next_card_gain,
    score_after,
    standing,
    uniform,
)
from flip7sim.table import NO_CARD

Deal = Callable[..., Any]


def test_line_score_of_both_games(deal: Deal) -> None:
    assert line_score(deal("3 12 x2 +4"), 0) == 34
    table = deal("0 12 div2 -4", game="vengeance")
    assert line_score(table, 0) == 0
    assert line_score(deal("5 12 div2 -4", game="vengeance"), 0) == 4


def test_bust_probability_by_attention(deal: Deal) -> None:
    """Own 12 and 3; a rival shows a 12; a 3 and a 5 lie in the discard pile."""
    table = deal("12 3", "12 x2", "3 busted", seen="3 5")
    # 12 + 3 of 94 cards, less the own two; less the rival's 12 and x2; less all that was seen.
    assert bust_probability(table, 0, OWN) == 13 / 92
    assert bust_probability(table, 0, LINES) == 12 / 90
    assert bust_probability(table, 0, SEEN) == 10 / 87


def test_second_chance_takes_the_risk(deal: Deal) -> None:
    table = deal("12 second_chance")
    assert [bust_probability(table, 0, level) for level in (SEEN, LINES, OWN)] == [0, 0, 0]
    assert not busts(table, 0, 12)


def test_empty_deck_is_read_as_the_discard_pile(deal: Deal) -> None:
    table = deal("4", seen="4 9 9 10")
    table.left[:] = 0
    table.n_cards_left = 0
    assert n_unseen_cards(table, 0, SEEN) == 4
    assert n_unseen(table, 0, 9, SEEN) == 2
    assert bust_probability(table, 0, SEEN) == 1 / 4
    table.discarded[:] = 0
    table.n_discarded = 0
    assert bust_probability(table, 0, SEEN) == 0
    assert next_card_gain(table, 0, SEEN) == 0


@pytest.mark.parametrize(
    ("line", "card", "bust"),
    [
        ("13", "lucky13", False), ("lucky13", "13", False), ("13", "13", True),
        ("13 lucky13", "13", True), ("7", "unlucky7", False), ("unlucky7", "7", True),
        ("0", "0", True), ("5", "6", False), ("5", "-2", False),
    ],
)  # fmt: skip
def test_what_busts_in_vengeance(deal: Deal, line: str, card: str, bust: bool) -> None:
    assert busts(deal(line, game="vengeance"), 0, KIND[card]) == bust


def test_specials_off_are_plain_numbers(deal: Deal) -> None:
    for line, card in (("13", "lucky13"), ("lucky13", "13"), ("7", "unlucky7")):
        assert busts(deal(line, game="vengeance", specials=False), 0, KIND[card])


def test_vengeance_bust_probability(deal: Deal) -> None:
    """A plain 13 and 7: 11 plain 13s bust, not the lucky one; 5 plain 7s, not the unlucky one."""
    table = deal("13 7", "", game="vengeance")
    assert bust_probability(table, 0, SEEN) == 16 / 106
    assert bust_probability(deal("lucky13", game="vengeance"), 0, SEEN) == 0
    table = deal("13 7", "", game="vengeance", specials=False)
    assert bust_probability(table, 0, SEEN) == 18 / 106


def test_base_gain_by_hand(deal: Deal) -> None:
    """Line 12: the rest of the deck brings its faces and modifiers, eleven 12s cost the 12."""
    table = deal("12")
    faces = 650 - 12 * 12  # every number that is not a 12
    expected = (faces + 2 + 4 + 6 + 8 + 10 + 12 - 11 * 12) / 93
    assert next_card_gain(table, 0, SEEN) == pytest.approx(expected)


def test_base_gain_with_seventh_number_and_doubler(deal: Deal) -> None:
    """Six numbers and x2: a new number counts twice and brings the bonus; actions nothing."""
    table = deal("1 2 3 4 5 6 x2", deck={str(n): 0 for n in range(7, 12)} | {"+4": 0, "+6": 0})
    score = 42
    bust = 0 + 1 + 2 + 3 + 4 + 5  # further copies of 1 ... 6
    gain = 12 * (24 + 15) + 1 * 15 + 2 + 8 + 10 - bust * score
    assert next_card_gain(table, 0, SEEN) == pytest.approx(gain / table.n_cards_left)


def test_base_gain_with_second_chance(deal: Deal) -> None:
    """A duplicate costs the Second Chance and no points."""
    table = deal("12 second_chance", deck="no-attacks")
    faces = 650 - 144
    assert next_card_gain(table, 0, SEEN) == pytest.approx((faces + 30 + 12) / 86)


def test_inert_modifiers_bring_nothing(deal: Deal) -> None:
    plain, inert = deal("12"), deal("12", inert=["x2", "+10"])
    lost = (next_card_gain(plain, 0, SEEN) - next_card_gain(inert, 0, SEEN)) * 93
    assert lost == pytest.approx(22)


def test_vengeance_gain_gives_modifiers_away(deal: Deal) -> None:
    """Alone a player must take them; div2 on 11 costs 6, the minus cards their points."""
    alone = deal("11", game="vengeance", deck="no-actions")
    together = deal("11", "busted", "1 stayed", game="vengeance", deck="no-actions")
    closed = deal(
        "11", "busted", "1 stayed", game="vengeance", deck="no-actions", open_after_stay=False
    )
    numbers = 819 - 7 - 121 - 10 * 11 + (7 - 11)  # unlucky7 leaves 7; ten 11s bust; the Zero: -11
    numbers -= 11
    assert next_card_gain(alone, 0, SEEN) == pytest.approx((numbers - 6 - 2 - 4 - 6 - 8 - 10) / 97)
    numbers_seen = numbers - 1  # the rival's 1
    assert next_card_gain(together, 0, SEEN) == pytest.approx(numbers_seen / 96)
    assert next_card_gain(closed, 0, SEEN) == pytest.approx(
        (numbers_seen - 6 - 2 - 4 - 6 - 8 - 10) / 96
    )


def test_the_zero_gains_only_by_seven(deal: Deal) -> None:
    """Six numbers with The Zero: any other number makes a Flip 7, all else leaves nothing."""
    table = deal("0 1 2 3 4 5", "", game="vengeance", deck="no-actions")
    new = [kind for kind in range(LAST_NUMBER + 1) if RANKS[kind] >= 6 and kind != UNLUCKY7]
    numbers = sum((15 + RANKS[kind] + 15) * table.left[kind] for kind in new)
    expected = numbers + 7  # unlucky7 wipes the Zero too
    assert next_card_gain(table, 0, SEEN) == pytest.approx(expected / table.n_cards_left)


def test_brutal_gain_of_a_negative_line_by_busting(deal: Deal) -> None:
    """In Brutal mode a bust saves from a line worth less than nothing."""
    table = deal("1 -10", "", game="vengeance", brutal=True, deck={str(n): 0 for n in range(2, 14)})
    # Left: the Zero (0 instead of -9), unlucky7 (7), lucky13 (+13), nothing else counts.
    assert next_card_gain(table, 0, SEEN) == pytest.approx((9 + 16 + 13) / table.n_cards_left)


@pytest.mark.parametrize(
    ("line", "leaving", "arriving", "score", "rules"),
    [
        ("5 6", "5", "6", 0, {}),
        ("5 6", "5", "5", 11, {}),
        ("13 lucky13", "13", None, 13, {}),
        ("13 lucky13", "lucky13", "13", 0, {}),
        ("13 lucky13", "13", "13", 26, {}),
        ("12 -10 div2", "div2", "unlucky7", 7, {}),
        ("12 -10 div2", "-10", None, 6, {}),
        ("12 -10 div2", "div2", None, 2, {}),
        ("1 -10", None, "-2", 0, {}),
        ("1 -10", None, "-2", -11, {"brutal": True}),
        ("12 0", "0", None, 12, {}),
        ("12 0", "12", "11", 0, {}),
        ("1 2 3 4 5 0", None, "6", 36, {}),
        ("1 2 3 4 5 13", None, "lucky13", 56, {}),
        ("1 2 3 4 5 13", None, "lucky13", 41, {"lucky13_pair_counts": 1}),
        ("1 2 3 4 13 lucky13", "13", "5", 28, {"lucky13_pair_counts": 1}),
        ("0 7", None, "unlucky7", 0, {"specials": False}),
        ("0 7", None, "3", 10, {"specials": False}),
    ],
)
def test_score_after_a_card_moves(
    deal: Deal, line: str, leaving: str | None, arriving: str | None, score: int, rules: Any
) -> None:
    table = deal(line, game="vengeance", **rules)
    out = NO_CARD if leaving is None else KIND[leaving]
    into = NO_CARD if arriving is None else KIND[arriving]
    assert score_after(table, 0, out, into) == score


@given(st.data())
def test_score_after_nothing_is_the_line_score(data: st.DataObject) -> None:
    """The formula for a changed line and the one for a line as it lies are the same."""
    from flip7sim.lines import add_card
    from flip7sim.rules import Rules
    from flip7sim.table import new_table

    rules = Rules(
        game="vengeance", brutal=data.draw(st.booleans()), specials=data.draw(st.booleans())
    )
    table = new_table(rules, 2)
    cards = [name for name in GAME_CARDS["vengeance"] if KIND[name] <= LAST_MODIFIER]
    ranks = set()
    for name in data.draw(st.lists(st.sampled_from(cards), unique=True, max_size=8)):
        if KIND[name] > LAST_NUMBER or (RANKS[KIND[name]] not in ranks and len(ranks) < 6):
            add_card(table, 0, KIND[name])
            if KIND[name] <= LAST_NUMBER:
                ranks.add(RANKS[KIND[name]])
    assert score_after(table, 0, NO_CARD, NO_CARD) == line_score(table, 0)


def test_rivals(deal: Deal) -> None:
    table = deal("5", "6 stayed", "7 busted", "", totals=[10, 50, -3, 50])
    assert best_rival_total(table, 0) == 50
    assert best_rival_total(table, 1) == 50
    assert best_rival_total(deal("5", totals=[7]), 0) == 7
    assert best_rival_total(deal("", "", totals=[7, -5]), 0) == -5
    assert n_active(table) == 2
    assert [active_rivals(table, seat) for seat in range(4)] == [1, 2, 2, 1]
    assert [standing(table, seat) for seat in range(4)] == [15, 56, -3, 50]
    assert [clockwise_distance(table, 2, seat) for seat in range(4)] == [2, 3, 0, 1]


def test_uniform_is_a_function_of_place_and_time(deal: Deal) -> None:
    table = deal("5", "6")
    table.seed[:] = (1, 2)
    first = uniform(table, 0)
    assert 0 <= first < 1
    assert uniform(table, 0) == first
    others = [uniform(table, 1)]
    for name in ("stream", "flips"):
        setattr(table, name, 7)
        others.append(uniform(table, 0))
    table.seed[1] = 3
    others.append(uniform(table, 0))
    assert len({first, *others}) == 5
    table.seed[0] = 9  # the deck's word, which tells nothing
    assert uniform(table, 0) == others[-1]


def test_uniform_is_uniform_and_independent(deal: Deal) -> None:
    table = deal("5", "6", "")
    table.seed[:] = (1, 2)
    numbers = np.empty((400, 3, 5))
    for stream in range(400):
        table.stream = stream
        for flips in range(5):
            table.flips = flips
            for seat in range(3):
                numbers[stream, seat, flips] = uniform(table, seat)
    counts = np.histogram(numbers, 20, (0, 1))[0]
    assert ((counts - 300) ** 2 / 300).sum() < 43.8  # chi-square, 19 degrees, 0.001
    correlation = np.corrcoef(numbers.reshape(400, 15), rowvar=False) - np.eye(15)
    assert abs(correlation).max() < 0.21  # 105 pairs, standard error 0.05
