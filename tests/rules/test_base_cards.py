"""The base game told in scripted rounds, paragraph by paragraph of rules.md."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from flip7sim.cards import CARD_NAMES, LAST_NUMBER, RANKS
from flip7sim.errors import InputError
from flip7sim.replay import Outcome
from flip7sim.rules import Rules

Play = Callable[..., Outcome]

# --- section 2: the deck --------------------------------------------------------------------------


def test_the_deck() -> None:
    """Section 2: 94 cards, 79 of them numbers with faces of 650; n copies of n, one 0."""
    counts = Rules().counts
    numbers = counts[: LAST_NUMBER + 1]
    assert (sum(counts), sum(numbers)) == (94, 79)
    assert sum(count * rank for count, rank in zip(counts, RANKS, strict=True)) == 650
    assert numbers[:13] == (1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    others = {CARD_NAMES[kind]: n for kind, n in enumerate(counts) if n and kind > LAST_NUMBER}
    assert others == dict.fromkeys(["+2", "+4", "+6", "+8", "+10", "x2"], 1) | dict.fromkeys(
        ["freeze", "flip_three", "second_chance"], 3
    )


# --- section 3: a round ---------------------------------------------------------------------------


def test_the_deal_starts_at_the_dealers_left(base: Play) -> None:
    """Section 3.1: clockwise from the dealer's left, and the dealer last."""
    after = base(3, "1 flips 5; 2 flips 6; 0 flips 7; 1 stays; 2 stays; 0 stays", dealer=0)
    assert after.lines == (("7",), ("5",), ("6",))


def test_a_player_out_is_not_dealt_to(base: Play) -> None:
    """Section 3.1: who was frozen during the deal gets no card; the Freeze is not replaced."""
    after = base(3, "0 flips freeze -> 1; 2 flips 7; 0 flips 4; 2 stays; 0 stays")
    assert after.lines == (("4",), (), ("7",))


def test_who_has_cards_is_still_dealt_one(base: Play) -> None:
    """Section 3.1: a Flip Three before the own deal comes on top; its drawer has no card."""
    after = base(
        2, "0 flips flip_three -> 1; 1 flips 1 2 3; 1 flips 4; 0 flips 9; 1 stays; 0 stays"
    )
    assert after.lines == (("9",), ("1", "2", "3", "4"))


def test_an_empty_line_must_hit(base: Play) -> None:
    """Section 3.2: without a card in front there is no choice."""
    after = base(2, "0 flips freeze -> 1; 0 flips 8; 0 stays")
    assert after.round_scores == (8, 0)


def test_a_lone_modifier_may_stay(base: Play) -> None:
    """Section 3.2: any card in the line is enough to stay on."""
    assert base(1, "deal +2; 0 stays").round_scores == (2,)


def test_a_lone_second_chance_may_stay(base: Play) -> None:
    """Section 3.2: a held Second Chance is a card of the line too."""
    assert base(1, "deal second_chance; 0 stays").round_scores == (0,)


def test_the_turn_passes_from_the_drawer(base: Play) -> None:
    """Section 3.2: after an action on seat 2 it is the turn of seat 1, the drawer's neighbour."""
    after = base(
        3, "deal 5 6 7; 0 hits flip_three -> 2; 2 flips 1 2 3; 1 hits 8; 2 stays; 0 stays; 1 stays"
    )
    assert after.lines == (("5",), ("6", "8"), ("1", "2", "3", "7"))


def test_flip_7_ends_the_round_for_all(base: Play) -> None:
    """Section 3.3: at once, and those still active score what lies in front of them."""
    after = base(
        2,
        """deal 1 12; 0 hits flip_three -> 0; 0 flips 2 3 4; 1 hits 11
        0 hits flip_three -> 0; 0 flips 5 6 7""",
    )
    assert after.status == ("flip7", "active")
    assert after.round_scores == (28 + 15, 23)


def test_the_rounds_cards_are_not_shuffled_back(base: Play) -> None:
    """Section 3.4: the next round goes on with the rest of the deck, here without the 1."""
    script = "deal 1; 0 stays; deal 2; 0 stays"
    assert base(1, script, game=True, only="1 2 3", target_score=3).totals == (3,)
    with pytest.raises(InputError, match="the deck holds no 1"):
        base(1, "deal 1; 0 stays; deal 1; 0 stays", game=True, only="1 2 3", target_score=2)


def test_the_discard_pile_becomes_the_deck(base: Play) -> None:
    """Section 3.5: when a card is needed and none is left, but lines are no part of it."""
    after = base(
        2,
        "deal 5 6; 0 hits second_chance; 1 stays; 0 hits 5; 0 hits 5",
        only="5 5 6 second_chance",
    )
    assert after.lines == (("5", "5"), ("6",))
    assert after.discard == ()


def test_the_second_chance_of_a_new_deck(base: Play) -> None:
    """Section 3.5: the reshuffled pile can bring back a used Second Chance."""
    after = base(
        1,
        "deal 5; 0 hits second_chance, 5, second_chance, 5; 0 stays",
        only="5 5 second_chance",
    )
    assert after.lines == (("5",),)


def test_a_hit_without_a_card_is_a_stay(base: Play) -> None:
    """Section 3.5: hit or stay is asked, but deck and discard pile are empty."""
    after = base(1, "deal 5; 0 hits", only="5")
    assert (after.status, after.round_scores) == (("stayed",), (5,))


def test_a_deal_without_a_card(base: Play) -> None:
    """Section 3.5: the player goes without, and stays on an empty line when the turn comes."""
    after = base(2, "0 flips 5; 0 stays", only="5")
    assert (after.status, after.round_scores) == (("stayed", "stayed"), (5, 0))


def test_a_run_without_cards_ends(base: Play) -> None:
    """Section 3.5: what a run set aside is settled as after its last flip."""
    after = base(
        2,
        "deal 5 6; 0 hits flip_three -> 0; 0 flips freeze; 0 freeze -> 1; 0 stays",
        only="5 6 flip_three freeze",
    )
    assert after.discard == ("flip_three",)
    assert after.status == ("stayed", "stayed")


def test_flip_7_sweeps_what_is_pending(base: Play) -> None:
    """Section 3.6: the running Flip Three and the Freeze set aside in it are discarded."""
    after = base(1, "deal 1; 0 hits 2, 3, 4, 5, flip_three; 0 flips freeze 6 7")
    assert after.status == ("flip7",)
    assert after.discard == ("freeze", "flip_three")


# --- section 4: numbers and modifiers -------------------------------------------------------------


def test_a_second_card_of_a_number_busts(base: Play) -> None:
    """Section 4: the round scores nothing, modifiers neither; the line lies face down."""
    after = base(2, "deal 5 6; 0 hits +10; 1 stays; 0 hits 5")
    assert after.status == ("busted", "stayed")
    assert after.round_scores == (0, 6)
    assert after.lines[0] == ("5", "5", "+10")


def test_seven_different_numbers(base: Play) -> None:
    """Section 4: Flip 7 is worth 15; the 0 is one of the seven."""
    after = base(1, "deal 0; 0 hits 1, 2, 3, 4, 5, 6")
    assert (after.status, after.round_scores) == (("flip7",), (21 + 15,))


def test_modifiers_do_not_count_toward_seven(base: Play) -> None:
    """Section 4: six numbers and a plus card are no Flip 7."""
    after = base(1, "deal 0; 0 hits 1, 2, 3, 4, 5, +2; 0 stays")
    assert (after.status, after.round_scores) == (("stayed",), (15 + 2,))


@pytest.mark.parametrize("plus", [2, 4, 6, 8, 10])
def test_a_plus_card_adds_its_points(base: Play, plus: int) -> None:
    """Section 4: the drawer keeps it and is asked nothing."""
    assert base(2, f"deal 5 6; 0 hits +{plus}; 1 stays; 0 stays").round_scores == (5 + plus, 6)


def test_x2_doubles_the_numbers_only(base: Play) -> None:
    """Section 4: first the numbers are doubled, then the plus cards are added."""
    assert base(1, "deal 5; 0 hits +4, x2, 7; 0 stays").round_scores == ((5 + 7) * 2 + 4,)


def test_x2_does_not_double_the_bonus(base: Play) -> None:
    """Section 4: the 15 points of Flip 7 come last."""
    assert base(1, "deal x2; 0 hits 1, 2, 3, 4, 5, 6, 7").round_scores == (28 * 2 + 15,)


def test_the_highest_possible_round(base: Play) -> None:
    """Section 4: seven high numbers, all modifiers, Flip 7."""
    after = base(1, "deal x2; 0 hits +2, +4, +6, +8, +10, 12, 11, 10, 9, 8, 7, 6")
    assert after.round_scores == (171,)


# --- section 4: Freeze ----------------------------------------------------------------------------


def test_freeze_lets_the_target_stay(base: Play) -> None:
    """Section 4: the target keeps the line and is out."""
    after = base(2, "deal 5 6; 0 hits freeze -> 1; 0 hits 7; 0 stays")
    assert (after.status[1], after.round_scores) == ("stayed", (12, 6))


def test_freeze_may_be_kept(base: Play) -> None:
    """Section 4: the drawer may pick themself."""
    after = base(2, "deal 5 6; 0 hits freeze -> 0; 1 hits 7; 1 stays")
    assert after.lines == (("5",), ("6", "7"))


def test_freeze_hits_the_last_active_player(base: Play) -> None:
    """Section 4: with one active player there is nothing to choose."""
    assert base(2, "deal 5 6; 0 stays; 1 hits freeze").status == ("stayed", "stayed")


def test_freeze_on_a_stayed_player_is_illegal(base: Play) -> None:
    """Section 4: only active players are targets."""
    with pytest.raises(InputError, match="no legal answer"):
        base(3, "deal 5 6 7; 0 stays; 1 hits freeze -> 0")


def test_the_freeze_card_lies_in_front_of_its_target(base: Play) -> None:
    """Section 4: it is neither in the line nor, before the round is over, discarded."""
    after = base(2, "deal 5 6; 0 hits freeze -> 1; 0 stays")
    assert (after.lines, after.discard) == ((("5",), ("6",)), ())


def test_a_second_chance_is_no_help_against_freeze(base: Play) -> None:
    """Section 4: the frozen holder is out and keeps it unused."""
    after = base(2, "deal second_chance 6; 0 hits 4; 1 hits freeze -> 0; 1 stays")
    assert after.status[0] == "stayed"
    assert after.lines[0] == ("4", "second_chance")


# --- section 4: Second Chance ---------------------------------------------------------------------


def test_second_chance_saves_from_a_bust(base: Play) -> None:
    """Section 4: the duplicate and the card itself are discarded, without a question."""
    after = base(1, "deal 5; 0 hits second_chance, 5; 0 stays")
    assert (after.status, after.round_scores) == (("stayed",), (5,))
    assert (after.lines, after.discard) == ((("5",),), ("5", "second_chance"))


def test_the_turn_is_over_after_a_save(base: Play) -> None:
    """Section 4: it is the next player's turn."""
    after = base(
        2, "deal second_chance 6; 0 hits 5; 1 hits 7; 0 hits 5; 1 hits 8; 0 stays; 1 stays"
    )
    assert after.lines == (("5",), ("6", "7", "8"))


def test_second_chance_saves_once(base: Play) -> None:
    """Section 4: the next duplicate busts."""
    assert base(1, "deal 5; 0 hits second_chance, 5, 5").status == ("busted",)


def test_second_chance_counts_as_a_flip_of_the_run(base: Play) -> None:
    """Section 4: in a Flip Three the duplicate was one of the three, and the run goes on."""
    after = base(1, "deal 5; 0 hits second_chance, flip_three; 0 flips 5 7 8; 0 stays")
    assert after.lines == (("5", "7", "8"),)


def test_a_surplus_second_chance_is_given_away(base: Play) -> None:
    """Section 4: to another active player who has none, as the drawer likes."""
    after = base(
        3, "deal second_chance 6 7; 0 hits second_chance -> 2; 1 stays; 2 hits 7; 0 stays; 2 stays"
    )
    assert after.lines == (("second_chance",), ("6",), ("7",))


def test_a_surplus_second_chance_not_to_a_holder(base: Play) -> None:
    """Section 4: one per player; with a single other taker nothing is asked."""
    after = base(
        3,
        "deal second_chance second_chance 7; 0 hits second_chance; 1 stays; 2 stays; 0 stays",
    )
    assert after.lines == (("second_chance",), ("second_chance",), ("7", "second_chance"))


def test_a_surplus_second_chance_without_a_taker(base: Play) -> None:
    """Section 4: it is discarded."""
    after = base(2, "deal second_chance 6; 0 hits 5; 1 stays; 0 hits second_chance; 0 stays")
    assert (after.lines[1], after.discard) == (("6",), ("second_chance",))


def test_a_surplus_second_chance_in_a_flip_three(base: Play) -> None:
    """Section 4: it is given at once, before the next card of the run."""
    after = base(
        3,
        """deal second_chance 6 7; 0 hits flip_three -> 0
        0 flips second_chance -> 1 4 8; 1 stays; 2 stays; 0 stays""",
    )
    assert after.lines == (("4", "8", "second_chance"), ("6", "second_chance"), ("7",))


# --- section 4: Flip Three ------------------------------------------------------------------------


def test_flip_three_flips_three(base: Play) -> None:
    """Section 4: for any active player, who is asked nothing between the cards."""
    after = base(2, "deal 5 6; 0 hits flip_three -> 1; 1 flips 1 +2 3; 1 stays; 0 stays")
    assert after.lines == (("5",), ("1", "3", "6", "+2"))
    assert after.discard == ("flip_three",)


def test_flip_three_on_its_drawer(base: Play) -> None:
    """Section 4: the drawer may pick themself, and then the turn passes."""
    after = base(2, "deal 5 6; 0 hits flip_three -> 0; 0 flips 1 2 3; 1 stays; 0 stays")
    assert after.lines == (("1", "2", "3", "5"), ("6",))


def test_a_bust_stops_flip_three(base: Play) -> None:
    """Section 4: no further card is flipped, and what was set aside is discarded."""
    after = base(2, "deal 5 6; 0 hits flip_three -> 1; 1 flips freeze 6; 0 stays")
    assert (after.status[1], after.flips) == ("busted", 5)
    assert after.discard == ("freeze", "flip_three")


def test_flip_7_stops_flip_three(base: Play) -> None:
    """Section 4: with the seventh number the round is over, the third card unflipped."""
    after = base(1, "deal 1; 0 hits 2, 3, 4, 5, flip_three; 0 flips 6 7")
    assert (after.status, after.flips) == (("flip7",), 8)


def test_an_action_in_a_flip_three_is_set_aside(base: Play) -> None:
    """Section 4: it counts as one of the three; the target, not the drawer, assigns it later."""
    after = base(2, "deal 5 6; 0 hits flip_three -> 1; 1 flips freeze 2 3; 1 freeze -> 0; 1 stays")
    assert after.status == ("stayed", "stayed")
    assert after.lines == (("5",), ("2", "3", "6"))


def test_all_set_aside_cards_are_assigned_first(base: Play) -> None:
    """Section 4: seat 1, frozen by the first, can still be given the second, to no effect."""
    after = base(
        3,
        """deal 5 6 7; 0 hits flip_three -> 0; 0 flips freeze flip_three 2
        0 freeze -> 1; 0 flip_three -> 1; 2 stays; 0 stays""",
    )
    assert after.lines[1] == ("6",)
    assert after.discard == ("flip_three", "flip_three")


def test_the_assigner_may_be_out_by_then(base: Play) -> None:
    """Section 4: the second Freeze works although its assigner was frozen by the first."""
    after = base(
        3,
        """deal 5 6 7; 0 hits flip_three -> 0; 0 flips freeze freeze 2
        0 freeze -> 0; 0 freeze -> 2; 1 hits 8; 1 stays""",
    )
    assert after.lines == (("2", "5"), ("6", "8"), ("7",))


def test_an_inner_flip_three_comes_before_older_cards(base: Play) -> None:
    """Section 4: the inner Freeze takes seat 2 out, so the older one finds nobody."""
    after = base(
        3,
        """deal 5 6 7; 0 hits flip_three -> 0; 0 flips flip_three freeze 2
        0 flip_three -> 1; 0 freeze -> 2
        1 flips freeze 3 4; 1 freeze -> 2
        1 stays; 0 stays""",
    )
    assert after.lines == (("2", "5"), ("3", "4", "6"), ("7",))
    assert after.discard == ("freeze", "flip_three", "flip_three")


# --- section 3 and 6: the game and the options ----------------------------------------------------


def test_200_points_win(base: Play) -> None:
    """Section 3: the game is over after the round in which somebody gets there."""
    after = base(2, "deal 10 5; 0 stays; 1 stays", game=True, totals=(190, 0))
    assert (after.totals, after.winners, after.rounds) == ((200, 5), (0,), 1)


def test_199_points_do_not(base: Play) -> None:
    """Section 3: another round is played, and the deal has moved one seat left."""
    after = base(
        2,
        "deal 5 5; 0 stays; 1 stays; 1 flips 6; 0 flips 7; 1 stays; 0 stays",
        game=True,
        totals=(194, 0),
    )
    assert (after.totals, after.winners, after.rounds) == ((206, 11), (0,), 2)


def test_the_highest_total_wins(base: Play) -> None:
    """Section 3: more than one may have 200."""
    after = base(2, "deal 1 12; 0 stays; 1 stays", game=True, totals=(200, 200))
    assert after.winners == (1,)


def test_target_score(base: Play) -> None:
    """Section 6: another total than 200 to play to."""
    after = base(2, "deal 5 12; 0 stays; 1 stays", game=True, target_score=12)
    assert (after.winners, after.rounds) == ((1,), 1)


def test_a_tie_is_played_on(base: Play) -> None:
    """Section 6: by default two highest totals mean another round for everybody."""
    after = base(
        3,
        """deal 5 5 1; 0 stays; 1 stays; 2 stays
        1 flips 2; 2 flips 12; 0 flips 3; 1 stays; 2 stays; 0 stays""",
        game=True,
        target_score=5,
    )
    assert (after.totals, after.winners, after.rounds) == ((8, 7, 13), (2,), 2)


def test_a_tie_is_shared(base: Play) -> None:
    """Section 6: `share`, and a third player with the target but fewer points wins nothing."""
    after = base(3, "deal 8 8 6; 0 stays; 1 stays; 2 stays", game=True, target_score=5, tie="share")
    assert (after.winners, after.rounds) == ((0, 1), 1)


@pytest.mark.parametrize("bonus", [0, 40, 1000])
def test_flip7_bonus(base: Play, bonus: int) -> None:
    """Section 6: another number of points for seven numbers."""
    after = base(1, "deal 1; 0 hits 2, 3, 4, 5, 6, 7", flip7_bonus=bonus)
    assert after.round_scores == (28 + bonus,)


def test_reshuffle_each_round(base: Play) -> None:
    """Section 6: every round from the full deck, so its only 1 comes twice."""
    after = base(
        1,
        "deal 1; 0 stays; deal 1; 0 stays",
        game=True,
        only="1 2 3",
        target_score=2,
        reshuffle_each_round=True,
    )
    assert (after.totals, after.rounds, after.discard) == ((2,), 2, ())


@pytest.mark.parametrize("card", ["freeze", "flip_three", "second_chance", "x2", "+10"])
def test_inert(base: Play, card: str) -> None:
    """Section 6: the card goes to the discard pile and does nothing; the flip is the turn's."""
    after = base(2, f"deal 5 6; 0 hits {card}; 1 stays; 0 stays", inert=[card])
    assert (after.lines, after.round_scores) == ((("5",), ("6",)), (5, 6))
    assert after.discard == (card,)


def test_inert_in_a_run(base: Play) -> None:
    """Section 6: it counts as one of the three and is not set aside."""
    after = base(
        2,
        "deal 5 6; 0 hits flip_three -> 1; 1 flips freeze 2 3; 1 stays; 0 stays",
        inert=["freeze"],
    )
    assert after.lines == (("5",), ("2", "3", "6"))
    assert after.discard == ("freeze", "flip_three")


def test_an_inert_card_dealt_leaves_an_empty_line(base: Play) -> None:
    """Section 6: as if nothing lay there, so its drawer must hit."""
    after = base(2, "deal +4 6; 0 flips 9; 1 stays; 0 stays", inert=["+4"])
    assert after.round_scores == (9, 6)


def test_several_x2(base: Play) -> None:
    """Section 6: in a deck with two of them each doubles."""
    after = base(1, "deal 5; 0 hits x2, x2, +4; 0 stays", deck={"x2": 2})
    assert after.round_scores == (5 * 2 * 2 + 4,)


def test_own_counts_replace_the_standard_ones() -> None:
    """Section 6: only the cards named change."""
    assert Rules(deck={"freeze": 0, "5": 6}).n_cards == 94 - 3 + 1


@pytest.mark.parametrize(
    ("preset", "n_cards", "without"),
    [
        ("numbers", 79, "+2 x2 freeze flip_three second_chance"),
        ("no-actions", 85, "freeze flip_three second_chance"),
        ("no-attacks", 88, "freeze flip_three"),
    ],
)
def test_deck_presets(preset: str, n_cards: int, without: str) -> None:
    """Section 6: the named decks."""
    rules = Rules(deck=preset)
    assert rules.n_cards == n_cards
    assert all(rules.counts[CARD_NAMES.index(card)] == 0 for card in without.split())
