"""The adviser: figures by hand, against the solution, and hands that cannot be."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from flip7sim.cards import GAME_CARDS
from flip7sim.errors import InputError
from flip7sim.exact.basis import (
    CARDS_SEEN,
    FROM_LINE,
    FULL_DECK,
    ONE_STEP,
    ONE_STEP_SEEN,
    ONE_STEP_VENGEANCE,
    WITHOUT_ACTIONS,
)
from flip7sim.exact.hands import read_cards
from flip7sim.exact.look_ahead import cards_seen, full_deck
from flip7sim.exact.odds import odds
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.exact.winning import MODEL_VENGEANCE, win_chances
from flip7sim.rules import Rules
from flip7sim.study.exactly.stay_set import stay_set

NUMBERS = Rules(deck="numbers")
BIG = Rules(game="vengeance")


def test_one_more_card_by_hand() -> None:
    hand = odds(NUMBERS, "12 11")
    left = 77
    busts = 11 + 10
    gained = sum(n * n for n in range(1, 11))  # n copies of n, each adds n
    assert hand.bust == pytest.approx(busts / left)
    assert hand.stay == 23
    assert hand.one_more == pytest.approx((gained + 23 * (left - busts)) / left)
    assert hand.basis == FULL_DECK
    assert hand.optimal is not None and hand.optimal >= hand.one_more


def test_seventh_number_by_hand() -> None:
    hand = odds(NUMBERS, "0 1 2 3 4 5")
    left = 73
    same = 0 + 0 + 1 + 2 + 3 + 4
    assert hand.flip7 == pytest.approx((left - same) / left)
    expected = sum(n * (15 + n + 15) for n in range(6, 13)) / left
    assert hand.one_more == hand.optimal == pytest.approx(expected)
    assert hand.advice == "hit"


def test_cards_seen_leave_the_deck() -> None:
    rules = Rules(deck="no-attacks")
    hand = odds(rules, "12 9 +4", "12 12 7", exact=True)
    assert hand.basis == CARDS_SEEN
    assert hand.bust == pytest.approx((9 + 8) / (88 - 6))
    # The same deck, built without the cards that were seen, says the same.
    smaller = odds(Rules(deck={"freeze": 0, "flip_three": 0, "12": 10, "7": 6}), "12 9 +4")
    assert smaller.optimal == pytest.approx(hand.optimal)
    assert smaller.one_more == pytest.approx(hand.one_more)


def test_one_step_of_look_ahead_with_cards_seen() -> None:
    """The next card by what is left, then the values of the full deck, hand by hand."""
    hand = odds(NUMBERS, "12 9", "12 12 7 11")
    left = {n: n for n in range(1, 13)} | {0: 1, 12: 9, 9: 8, 7: 6, 11: 10}
    after = {n: odds(NUMBERS, f"12 9 {n}") for n in left if n not in (12, 9)}
    assert hand.basis == ONE_STEP_SEEN
    assert hand.bust == pytest.approx(17 / 73)
    stayed = sum(left[n] * then.stay for n, then in after.items())
    assert hand.one_more == pytest.approx(stayed / 73)
    best = sum(left[n] * max(then.stay, then.optimal or 0) for n, then in after.items())
    assert hand.optimal == pytest.approx(best / 73)
    solved = odds(NUMBERS, "12 9", "12 12 7 11", exact=True)
    assert solved.one_more == pytest.approx(hand.one_more)
    # What was seen matters on later cards too: the two differ, if not by much.
    assert 1e-6 < abs(solved.optimal - hand.optimal) < 0.2  # type: ignore[operator]


@pytest.mark.parametrize("line", ["", "5 4", "+4", "5 second_chance", "5 4 3 2 1 0", "x2 +4 4"])
@pytest.mark.parametrize("inert", [(), ("freeze", "+4")], ids=["all", "inert"])
def test_look_ahead_with_nothing_seen_is_exact(line: str, inert: tuple[str, ...]) -> None:
    """All ways on from the hand are weighed as the solution does: Flip Threes, saves, Freezes."""
    if "+4" in inert and "+4" in line:
        line = line.replace("+4", "")
    deck = {str(n): 0 for n in range(7, 13)} | {"6": 9, "+2": 0, "+6": 0, "+8": 0, "+10": 0}
    rules = Rules(deck=deck, inert=inert)
    held = read_cards(line, rules)
    left = np.array(rules.counts, np.int64)
    for kind, count in held.items():
        left[kind] -= count
    assert cards_seen(rules, held, left, None) == pytest.approx(full_deck(rules, held, None))


def test_exact_where_it_is_not() -> None:
    with pytest.raises(InputError, match="too many states"):
        odds(BIG, "", exact=True)
    few = Rules(deck={str(n): 0 for n in range(4, 13)} | {"freeze": 0, "flip_three": 0})
    assert odds(few, "3").basis == ONE_STEP
    with pytest.raises(InputError, match="could run out"):
        odds(few, "3", exact=True)


def test_a_second_chance_is_worth_hitting_for() -> None:
    rules = Rules(deck="no-attacks")
    with_it, without = odds(rules, "12 11 10 second_chance"), odds(rules, "12 11 10")
    assert (with_it.advice, without.advice) == ("hit", "stay")
    assert with_it.bust == 0


def test_an_empty_line_must_hit() -> None:
    hand = odds(NUMBERS, "")
    assert hand.must_hit and hand.advice == "hit" and hand.stay == 0
    assert hand.optimal == pytest.approx(18.5652176141, abs=1e-10)


def test_forced_flips_count_in_one_more_card() -> None:
    deck = {"4": 3, "5": 3, "flip_three": 2} | {
        name: 0 for name in ("0", "1", "2", "3", "6", "7", "8", "9", "10", "11", "12")
    }
    deck |= dict.fromkeys(("+2", "+4", "+6", "+8", "+10", "x2", "freeze", "second_chance"), 0)
    hand = odds(Rules(deck=deck), "4")
    # Of seven cards two 4s bust and three 5s make 9. A Flip Three flips three of two 4s, three 5s
    # and a Flip Three, which at least once repeats a 4 or a 5 or goes on to: always a bust.
    assert hand.one_more == pytest.approx((3 * 9) / 7)


def test_totals_change_the_advice() -> None:
    behind = odds(NUMBERS, "12 11", total=150, rivals=[199])
    ahead = odds(NUMBERS, "12 11", total=177, rivals=[60])
    assert behind.race is not None and ahead.race is not None
    assert behind.race.advice == "hit"
    assert ahead.race.advice == "stay"
    assert ahead.race.stay == pytest.approx(1, abs=1e-3)


def test_vengeance_one_step_by_hand() -> None:
    hand = odds(BIG, "10 5")
    left = 106
    stay = 15
    value = 0.0
    for n, count in [(n, max(n, 1)) for n in range(14)]:
        if n in (10, 5):
            continue
        count = {7: 6, 13: 12}.get(n, count)
        value += count * (0 if n == 0 else stay + n)  # The Zero makes the line worth nothing
    value += 1 * 7 + 1 * (stay + 13)  # unlucky7, lucky13
    value += stay // 2 + sum(stay - minus for minus in (2, 4, 6, 8, 10))
    value += 10 * stay  # actions
    assert hand.basis == ONE_STEP_VENGEANCE and hand.optimal is None  # too many states
    # Each Just One More flips another card, which may be the other one.
    flips = value - 2 * stay
    without = flips / (left - 2)
    with_one = (flips + without) / (left - 1)
    assert hand.one_more == pytest.approx((flips + 2 * with_one) / left)
    assert hand.bust == pytest.approx((9 + 4) / left)


@pytest.mark.parametrize("specials", [True, False])
def test_vengeance_number_cards_are_looked_up(specials: bool) -> None:
    rules = Rules(game="vengeance", deck="numbers", specials=specials)
    assert odds(rules, "").optimal == pytest.approx(solve_vengeance(rules).value, abs=1e-12)
    # A hit is worth what the hands after it are worth.
    hand = odds(rules, "13 12 3")
    assert hand.basis == FULL_DECK
    value = 0.0
    for n in (0, 1, 2, 4, 5, 6, 8, 9, 10, 11):
        then = odds(rules, f"13 12 3 {n}")
        best = then.optimal if then.must_hit else max(then.stay, then.optimal or 0)
        value += max(n, 1) * (best or 0)
    sevens = odds(rules, "13 12 3 7")
    value += (6 if specials else 7) * max(sevens.stay, sevens.optimal or 0)
    if specials:
        pair = odds(rules, "13 lucky13 12 3")
        value += max(pair.stay, pair.optimal or 0)
        # What remains is `unlucky7`, after which the line is a 7 and at least that is sure.
        assert 7 < 89 * (hand.optimal or 0) - value < 30
    else:
        assert hand.optimal == pytest.approx(value / 89)


def test_vengeance_with_cards_seen() -> None:
    rules = Rules(game="vengeance", deck="numbers")
    hand, seen = odds(rules, "13 12 3"), odds(rules, "13 12 3", "13 13 13")
    assert seen.basis == ONE_STEP_SEEN
    # Three cards that would have busted are gone.
    assert 86 * (seen.optimal or 0) == pytest.approx(89 * (hand.optimal or 0))
    after = odds(rules, "unlucky7 4")
    assert after.optimal is None
    assert after.basis == ONE_STEP_VENGEANCE


def test_the_race_in_vengeance_by_hand() -> None:
    """One card, then a stay, in the model of rounds of the number cards."""
    hand = odds(BIG, "10 5", total=170, rivals=[190])
    assert hand.race is not None
    outcome = solve_vengeance(Rules(game="vengeance", deck="numbers")).outcome
    wins = win_chances(outcome.histogram, [190], 200)
    left = np.array(BIG.counts)
    left[[10, 5]] -= 1
    value = 2 * 5 * wins[185] + wins[170] + wins[177] + wins[170 + 7]  # actions, 0, unlucky7, div2
    value += sum(wins[185 - minus] for minus in (2, 4, 6, 8, 10))
    value += sum(int(left[n]) * wins[185 + n] for n in range(1, 14) if n not in (10, 5))
    value += wins[198]  # lucky13
    value += (int(left[10]) + int(left[5])) * wins[170]
    assert hand.race.stay == pytest.approx(wins[185])
    assert hand.race.hit == pytest.approx(value / 106)
    assert hand.race.model == MODEL_VENGEANCE


SMALL = {"unlucky7": 1, "lucky13": 1, "13": 4, "12": 5, "7": 4, "6": 4, "0": 1}


@pytest.mark.parametrize(
    ("line", "seen", "more"),
    [
        ("12", "", {}),
        ("12 13", "6", {}),
        ("13 lucky13 7", "", {}),
        ("0 6", "", {}),
        ("12 -4", "", {"-4": 1, "div2": 1}),
        ("unlucky7", "12 7", {}),
        ("unlucky7 13", "7 div2", {"-4": 1, "div2": 1}),
        ("12", "just_one_more", {"just_one_more": 2, "steal": 1}),
        ("-2", "", {"-2": 1, "just_one_more": 1, "swap": 1}),
    ],
)
def test_vengeance_hands_by_brute_force(
    line: str, seen: str, more: dict[str, int], brute_vengeance: ModuleType
) -> None:
    deck = SMALL | more
    left = [card for card, count in deck.items() for _ in range(count)]
    for card in [*line.split(), *seen.split()]:
        left.remove(card)
    start, options = tuple(sorted(line.split())), brute_vengeance.Options()
    rules = Rules(game="vengeance", deck=dict.fromkeys(GAME_CARDS["vengeance"], 0) | deck)
    hand = odds(rules, line, seen, exact=True)
    assert hand.basis == (CARDS_SEEN if seen else FROM_LINE)
    best = brute_vengeance.value_of_hitting(start, tuple(left), options)
    assert hand.optimal == pytest.approx(float(best), abs=1e-12)
    # Who hits once and then stays, if that is allowed.
    once = brute_vengeance.value_of_hitting(start, tuple(left), options, stays_then=True)
    assert hand.one_more == pytest.approx(float(once), abs=1e-12)


def test_one_card_of_vengeance_counts_what_its_basis_says(brute_vengeance: ModuleType) -> None:
    """Just One More counts, Steal and Swap do nothing; the other two are taken to do nothing."""
    deck = SMALL | {"just_one_more": 2, "steal": 1, "swap": 1}
    left = [card for card, count in deck.items() for _ in range(count)]
    left.remove("12")
    nothing = dict.fromkeys(GAME_CARDS["vengeance"], 0)
    hand = odds(Rules(game="vengeance", deck=nothing | deck), "12")
    assert hand.basis == ONE_STEP_VENGEANCE
    assert "flip_four and discard count as no change" in hand.basis
    once = brute_vengeance.value_of_hitting(
        ("12",), tuple(left), brute_vengeance.Options(), stays_then=True
    )
    assert hand.one_more == pytest.approx(float(once), abs=1e-12)
    others = SMALL | {"just_one_more": 2, "flip_four": 1, "discard": 1}
    same = odds(Rules(game="vengeance", deck=nothing | others), "12")
    assert (same.basis, same.one_more) == (hand.basis, hand.one_more)
    fewer = SMALL | {"steal": 3, "swap": 1}
    without = odds(Rules(game="vengeance", deck=nothing | fewer), "12")
    assert abs(without.one_more - hand.one_more) > 0.1


def test_a_solved_deck_of_vengeance_is_looked_up() -> None:
    few = dict.fromkeys(("0", *(str(n) for n in range(1, 7)), "flip_four", "discard"), 0)
    few |= {"-4": 0, "-6": 0, "-8": 0, "-10": 0}
    rules = Rules(game="vengeance", deck=few)  # with Just One More, Steal and Swap
    lines = ("", "12", "9 8 -2", "13 lucky13 div2", "div2")
    from_line = [odds(rules, line, exact=True) for line in lines]
    assert {hand.basis for hand in from_line} == {FROM_LINE}
    assert odds(rules, "12").basis == ONE_STEP_VENGEANCE
    value = solve_vengeance(rules).value
    assert from_line[0].optimal == pytest.approx(value, abs=1e-12)
    for line, hand in zip(lines, from_line, strict=True):
        looked_up = odds(rules, line)
        assert looked_up.basis == FULL_DECK
        assert looked_up.optimal == pytest.approx(hand.optimal, abs=1e-12)
    # On some lines nobody hits, so the solution does not have what comes of it.
    assert odds(rules, "13 lucky13 12 11 10 9").basis == ONE_STEP_VENGEANCE
    assert odds(rules, "unlucky7 9").basis == ONE_STEP_VENGEANCE


def test_vengeance_hands_agree_with_the_solved_round() -> None:
    rules = Rules(game="vengeance", deck="numbers")
    solution = solve_vengeance(rules)
    table = stay_set(solution)
    for line in ("12 13", "9 8 7", "12 8 6", "1 2 3 4 5"):
        numbers = [int(card) for card in line.split()]
        row = table[(table["numbers"] == len(numbers)) & (table["total"] == sum(numbers))].iloc[0]
        if row["lines_that_stay"] in (0, row["lines"]):
            stays = row["lines_that_stay"] > 0
            assert odds(rules, line, exact=True).advice == ("stay" if stays else "hit")
    empty = odds(rules, "", exact=True)
    assert empty.optimal == pytest.approx(solution.value, abs=1e-11)


def test_decks_with_all_actions_get_the_optimum_of_the_deck_without() -> None:
    hand = odds(BIG, "12 8 3 2 -4", "discard 9", exact=True)
    no_actions = Rules(game="vengeance", deck="no-actions")
    without = odds(no_actions, "12 8 3 2 -4", "9", exact=True)
    assert hand.basis == WITHOUT_ACTIONS
    assert hand.optimal == without.optimal
    assert without.basis == CARDS_SEEN
    assert hand.one_more != without.one_more


def test_vengeance_zero_must_hit() -> None:
    hand = odds(BIG, "0 10")
    assert hand.must_hit and hand.stay == 0


@pytest.mark.parametrize(
    ("rules", "line", "seen", "words"),
    [
        (NUMBERS, "1 1", "", "has 1"),
        (NUMBERS, "2 2", "", "2 and 2 has busted"),
        (NUMBERS, "13", "", "unknown card '13' in base"),
        (NUMBERS, "12", " ".join(["12"] * 12), "13 × 12"),
        (NUMBERS, "1 2 3 4 5 6 7", "", "ended the round"),
        (NUMBERS, "+2", "", "the deck has 0"),
        (Rules(), "5 freeze", "", "never lies in a line"),
        (Rules(), "5 second_chance second_chance", "", "one second_chance"),
        (Rules(inert=("+2",)), "5 +2", "", "inert"),
        (BIG, "unlucky7 7", "", "has busted"),
        (BIG, "13 13", "", "has busted"),
        (BIG, "steal", "", "never lies in a line"),
        (NUMBERS, "twelve", "", "unknown card"),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_impossible_hands(rules: Rules, line: str, seen: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        odds(rules, line, seen)


def test_lucky_pair_is_a_possible_hand() -> None:
    assert odds(BIG, "13 lucky13").stay == 26


def test_bad_totals() -> None:
    with pytest.raises(InputError, match="together"):
        odds(NUMBERS, "5", total=3)
    with pytest.raises(InputError, match="from 0 to 199"):
        odds(NUMBERS, "5", total=200, rivals=[3])
    with pytest.raises(InputError, match="rivals must be from 0 to 199"):
        odds(NUMBERS, "5", total=3, rivals=[200])


def test_equal_players_win_equally_often() -> None:
    histogram = np.array([0.3, 0.0, 0.2, 0.5])
    for n_rivals in (1, 2, 4):
        wins = win_chances(histogram, [0] * n_rivals, 10)
        assert histogram @ wins[:4] == pytest.approx(1 / (n_rivals + 1), abs=1e-9)


def test_win_chances_against_plain_recursion() -> None:
    histogram = np.array([0.25, 0.25, 0.5])
    target = 4

    def win(mine: int, rival: int, depth: int = 0) -> float:
        """Both totals after a round."""
        if max(mine, rival) >= target:
            return 1.0 if mine > rival else 0.5 if mine == rival else 0.0
        if depth > 14:
            return 0.5
        return sum(
            histogram[a] * histogram[b] * win(mine + a, rival + b, depth + 1)
            for a in range(3) for b in range(3) if a or b
        ) / (1 - histogram[0] ** 2)  # fmt: skip

    wins = win_chances(histogram, [1], target)
    for mine in range(5):
        expected = sum(histogram[b] * win(mine, 1 + b) for b in range(3))
        assert wins[mine] == pytest.approx(expected, abs=1e-9)
