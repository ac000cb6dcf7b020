"""Flip 7: With a Vengeance told in scripted rounds, paragraph by paragraph of rules.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flip7sim.cards import CARD_NAMES, LAST_NUMBER, RANKS
from flip7sim.errors import InputError
from flip7sim.replay import Outcome
from flip7sim.rules import Rules

Play = Callable[..., Outcome]
ILLEGAL = "no legal answer"

# --- sections 2 and 3: the deck and the deal ------------------------------------------------------


def test_the_deck() -> None:
    """Section 2: 108 cards, 92 of them numbers with faces of 819."""
    counts = Rules(game="vengeance").counts
    numbers = counts[: LAST_NUMBER + 1]
    assert (sum(counts), sum(numbers)) == (108, 92)
    assert sum(count * rank for count, rank in zip(counts, RANKS, strict=True)) == 819
    assert numbers == (1, 1, 2, 3, 4, 5, 6, 6, 8, 9, 10, 11, 12, 12, 1, 1)
    others = {CARD_NAMES[kind]: n for kind, n in enumerate(counts) if n and kind > LAST_NUMBER}
    assert others == dict.fromkeys(["div2", "-2", "-4", "-6", "-8", "-10"], 1) | dict.fromkeys(
        ["just_one_more", "flip_four", "swap", "steal", "discard"], 2
    )


def test_a_dealt_modifier_is_not_replaced(vengeance: Play) -> None:
    """Section 3.1: it is given away before the deal goes on, and its drawer must hit later."""
    after = vengeance(2, "deal -4 -> 1 9; 0 flips 8; 1 stays; 0 stays")
    assert after.lines == (("8",), ("9", "-4"))


def test_who_was_forced_to_stay_is_not_dealt_to(vengeance: Play) -> None:
    """Section 3.1: a Just One More in the deal takes its target out of it."""
    after = vengeance(2, "0 flips just_one_more -> 1; 1 flips 9; 0 flips 5; 0 stays")
    assert after.lines == (("5",), ("9",))


# --- section 5: stayed players, busts, Flip 7 -----------------------------------------------------


def test_a_stayed_player_can_bust(vengeance: Play) -> None:
    """Section 5: having stayed is no protection."""
    after = vengeance(2, "deal 5 6; 0 stays; 1 hits just_one_more -> 0; 0 flips 5; 1 stays")
    assert after.status == ("busted", "stayed")


def test_a_stayed_player_can_reach_flip_7(vengeance: Play) -> None:
    """Section 5: on somebody else's turn, and the round ends for that player too."""
    after = vengeance(
        2,
        """deal 1 9; 0 hits flip_four -> 0; 0 flips 2 3 4 5; 1 hits 10; 0 hits 6; 1 hits 11
        0 stays; 1 hits just_one_more -> 0; 0 flips 8""",
    )
    assert after.status == ("flip7", "active")
    assert after.round_scores == (29 + 15, 30)


def test_a_robbed_stayed_player_stays_out(vengeance: Play) -> None:
    """Section 5: even with an empty line nobody becomes active again."""
    after = vengeance(2, "deal 5 6; 0 stays; 1 hits steal; 1 hits 7; 1 stays")
    assert (after.status[0], after.lines) == ("stayed", ((), ("5", "6", "7")))


def test_a_second_card_of_a_rank_busts(vengeance: Play) -> None:
    """Section 5: when flipped."""
    assert vengeance(1, "deal 5; 0 hits 5").status == ("busted",)


def test_a_stolen_second_card_busts(vengeance: Play) -> None:
    """Section 5: an action must be used even to the own harm; nothing is asked."""
    after = vengeance(2, "deal 5 5; 0 hits steal; 1 flips 6; 1 stays")
    assert (after.status, after.lines) == (("busted", "stayed"), (("5", "5"), ("6",)))


def test_a_swapped_in_second_card_busts(vengeance: Play) -> None:
    """Section 5: when it comes by a Swap."""
    after = vengeance(2, "deal 5 6; 0 hits 7; 1 hits 5; 0 hits swap -> 0:7 1:5; 1 stays")
    assert (after.status[0], after.lines) == ("busted", (("5", "5"), ("6", "7")))


def test_a_stolen_seventh_number(vengeance: Play) -> None:
    """Section 5: Flip 7 counts by whatever way the card came."""
    after = vengeance(
        2, "deal 1 9; 0 hits flip_four -> 0; 0 flips 2 3 4 5; 1 stays; 0 hits 6, steal"
    )
    assert (after.status, after.round_scores) == (("flip7", "stayed"), (30 + 15, 0))


# --- section 5: Lucky 13 --------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [("13", "lucky13"), ("lucky13", "13")])
def test_lucky_13_allows_a_pair(vengeance: Play, cards: tuple[str, str]) -> None:
    """Section 5: in either order the two are no bust, and both score."""
    after = vengeance(1, f"deal {cards[0]}; 0 hits {cards[1]}; 0 stays")
    assert (after.status, after.round_scores) == (("stayed",), (26,))


def test_a_third_13_busts(vengeance: Play) -> None:
    """Section 5: Lucky 13 allows one pair, no more."""
    assert vengeance(1, "deal 13; 0 hits lucky13, 13").status == ("busted",)


def test_the_pair_counts_twice_toward_seven(vengeance: Play) -> None:
    """Section 5: the pair and five more are Flip 7, at best the highest possible round."""
    after = vengeance(1, "deal 13; 0 hits lucky13, 8, 9, 10, 11, 12")
    assert (after.status, after.round_scores) == (("flip7",), (91,))


def test_without_lucky_13_the_13_is_alone_again(vengeance: Play) -> None:
    """Section 5: once the lucky card is stolen, the next 13 busts."""
    after = vengeance(2, "deal 13 5; 0 hits lucky13; 1 hits steal -> 0:lucky13; 0 hits 13; 1 stays")
    assert (after.status, after.round_scores) == (("busted", "stayed"), (0, 18))


def test_two_plain_13s_bust(vengeance: Play) -> None:
    """Section 5: a Swap can leave its victim with a pair that nothing makes lucky."""
    after = vengeance(2, "deal 13 13; 0 hits lucky13; 1 hits swap -> 0:lucky13 1:13; 1 stays")
    assert (after.status, after.lines[0]) == (("busted", "stayed"), ("13", "13"))


def test_a_stolen_lucky_13_makes_a_pair(vengeance: Play) -> None:
    """Section 5: the exception holds however the card arrives."""
    after = vengeance(2, "deal 13 lucky13; 0 hits steal; 1 flips 5; 0 stays; 1 stays")
    assert after.round_scores == (26, 5)


# --- section 5: The Zero --------------------------------------------------------------------------


def test_the_zero_scores_nothing_and_must_hit(vengeance: Play) -> None:
    """Section 5: its holder is never asked; forced to stay, the line is worth 0."""
    after = vengeance(2, "deal 0 5; 0 flips 12; 1 stays; 0 flips just_one_more -> 0; 0 flips 11")
    assert (after.status, after.round_scores) == (("stayed", "stayed"), (0, 5))


def test_the_zero_is_worth_nothing_at_anothers_flip_7(vengeance: Play) -> None:
    """Section 5: its holder, still active, scores 0."""
    after = vengeance(
        2,
        """deal 0 1; 0 flips 12; 1 hits flip_four -> 1; 1 flips 2 3 4 5; 0 flips 11; 1 hits 6
        0 flips 10; 1 hits 8""",
    )
    assert (after.status, after.round_scores) == (("active", "flip7"), (0, 29 + 15))


def test_the_zero_is_one_of_seven(vengeance: Play) -> None:
    """Section 5: a holder who gets to Flip 7 scores like anybody."""
    after = vengeance(1, "deal 0; 0 flips 1 2 3 4 5 6")
    assert (after.status, after.round_scores) == (("flip7",), (21 + 15,))


def test_the_zero_does_not_wake_a_stayed_player(vengeance: Play) -> None:
    """Section 5: given to one it spoils the score, but there is no more turn; its giver is free."""
    after = vengeance(2, "deal 0 5; 0 flips 7; 1 stays; 0 flips swap -> 0:0 1:5; 0 stays")
    assert (after.status, after.round_scores) == (("stayed", "stayed"), (12, 0))


def test_a_discarded_zero_frees_its_holder(vengeance: Play) -> None:
    """Section 5: the duty lasts while the card lies in the line."""
    after = vengeance(1, "deal 0; 0 flips 9 discard -> 0:0; 0 stays")
    assert after.round_scores == (9,)


# --- section 5: Unlucky 7 -------------------------------------------------------------------------


def test_unlucky_7_sweeps_the_line(vengeance: Play) -> None:
    """Section 5: all other numbers and modifiers are discarded."""
    after = vengeance(1, "deal 5; 0 hits 9, -2, unlucky7; 0 stays")
    assert (after.lines, after.round_scores) == ((("unlucky7",),), (7,))
    assert after.discard == ("5", "9", "-2")


def test_unlucky_7_on_a_plain_7_is_no_bust(vengeance: Play) -> None:
    """Section 5: the plain one is swept away like any other card."""
    after = vengeance(1, "deal 7; 0 hits unlucky7; 0 stays")
    assert (after.status, after.discard) == (("stayed",), ("7",))


def test_a_7_on_unlucky_7_busts(vengeance: Play) -> None:
    """Section 5: after its arrival it is a 7."""
    assert vengeance(1, "deal unlucky7; 0 hits 7").status == ("busted",)


def test_unlucky_7_acts_on_arrival_only(vengeance: Play) -> None:
    """Section 5: later cards lie beside it."""
    assert vengeance(1, "deal unlucky7; 0 hits 5; 0 stays").round_scores == (12,)


def test_a_stolen_unlucky_7_sweeps(vengeance: Play) -> None:
    """Section 5: the line that it comes into, not the one that it leaves."""
    after = vengeance(
        2,
        "deal 5 unlucky7; 0 hits 7; 1 hits 9; 0 hits steal -> 1:unlucky7; 1 stays; 0 stays",
    )
    assert after.lines == (("unlucky7",), ("9",))
    assert after.discard == ("5", "7", "steal")


def test_a_swapped_unlucky_7_sweeps(vengeance: Play) -> None:
    """Section 5: the card given for it is safe, having left first."""
    after = vengeance(
        2, "deal 5 unlucky7; 0 hits 9; 1 hits swap -> 0:5 1:unlucky7; 0 stays; 1 stays"
    )
    assert after.lines == (("unlucky7",), ("5",))
    assert after.discard == ("9", "swap")


def test_unlucky_7_sweeps_a_stayed_players_line(vengeance: Play) -> None:
    """Section 5: staying protects from nothing."""
    after = vengeance(2, "deal 12 6; 0 stays; 1 hits just_one_more -> 0; 0 flips unlucky7; 1 stays")
    assert after.round_scores == (7, 6)


def test_unlucky_7_frees_from_the_zero(vengeance: Play) -> None:
    """Section 5: The Zero is a number of the line."""
    assert vengeance(1, "deal 0; 0 flips unlucky7; 0 stays").round_scores == (7,)


def test_unlucky_7_spares_what_is_set_aside(vengeance: Play) -> None:
    """Section 5: the -2 of a running Flip Four is in no line yet."""
    after = vengeance(1, "deal 5; 0 hits flip_four; 0 flips -2 9 unlucky7 3; 0 stays")
    assert after.lines == (("3", "unlucky7", "-2"),)


# --- section 5: modifiers and the score -----------------------------------------------------------


@pytest.mark.parametrize("receiver", [0, 1, 2])
def test_a_modifier_is_given_to_anybody(vengeance: Play, receiver: int) -> None:
    """Section 5: to the drawer, an active player or one who has stayed (seat 1 here)."""
    script = f"deal 12 11 10; 0 hits 1; 1 stays; 2 hits -4 -> {receiver}; 0 stays; 2 stays"
    after = vengeance(3, script)
    scores = [13, 11, 10]
    scores[receiver] -= 4
    assert after.round_scores == tuple(scores)


def test_a_modifier_is_not_given_to_a_busted_player(vengeance: Play) -> None:
    """Section 5: busted players are never touched."""
    with pytest.raises(InputError, match=ILLEGAL):
        vengeance(3, "deal 5 6 7; 0 hits 5; 1 hits -4 -> 0")


def test_the_last_player_keeps_the_modifier(vengeance: Play) -> None:
    """Section 5: the others have busted, so there is no choice."""
    after = vengeance(2, "deal 5 12; 0 hits 5; 1 hits -6; 1 stays")
    assert after.round_scores == (0, 6)


def test_a_modifier_that_nobody_can_take(vengeance: Play) -> None:
    """Section 5: everybody has busted before the set-aside -4 is settled: discarded."""
    after = vengeance(1, "deal 5; 0 hits flip_four; 0 flips just_one_more -4 6 8; 0 flips 5")
    assert after.discard == ("-4", "just_one_more", "flip_four")


def test_modifiers_do_not_count_toward_seven(vengeance: Play) -> None:
    """Section 5: Flip 7 is seven number cards."""
    after = vengeance(1, "deal 1; 0 hits 2, 3, 4, 5, 6, -2; 0 stays")
    assert (after.status, after.round_scores) == (("stayed",), (21 - 2,))


def test_div2_halves_the_numbers_rounded_down(vengeance: Play) -> None:
    """Section 5: before the minus cards come off."""
    assert vengeance(1, "deal 9; 0 hits -2, 6, div2; 0 stays").round_scores == (15 // 2 - 2,)


@pytest.mark.parametrize("minus", [2, 4, 6, 8, 10])
def test_a_minus_card_takes_its_points(vengeance: Play, minus: int) -> None:
    """Section 5: from the sum of the line that it lies in."""
    assert vengeance(1, f"deal 12; 0 hits -{minus}; 0 stays").round_scores == (12 - minus,)


def test_a_round_is_worth_at_least_nothing(vengeance: Play) -> None:
    """Section 5: there is a floor at 0."""
    assert vengeance(1, "deal 3; 0 hits -10; 0 stays").round_scores == (0,)


def test_div2_then_minus_then_the_bonus(vengeance: Play) -> None:
    """Section 5: the page's own sum, 48 to 24 to 20 to 35."""
    after = vengeance(1, "deal 13; 0 hits 12, 8, 6, 4, 3, div2, -4, 2")
    assert after.round_scores == (35,)


def test_the_bonus_comes_after_the_floor(vengeance: Play) -> None:
    """Section 5: 29 less 30 is 0, and Flip 7 is worth 15 all the same."""
    after = vengeance(1, "deal 1; 0 hits -10, -8, -6, -4, -2, 2, 3, 4, 5, 6, 8")
    assert after.round_scores == (15,)


# --- section 5: Just One More ---------------------------------------------------------------------


def test_just_one_more(vengeance: Play) -> None:
    """Section 5: the target is flipped one card and then stays; the turn passes as ever."""
    after = vengeance(
        3, "deal 5 6 7; 0 hits just_one_more -> 2; 2 flips 8; 1 hits 9; 0 stays; 1 stays"
    )
    assert after.lines == (("5",), ("6", "9"), ("7", "8"))
    assert after.discard == ("just_one_more",)


def test_just_one_more_on_its_drawer(vengeance: Play) -> None:
    """Section 5: the drawer may be the target."""
    after = vengeance(2, "deal 5 6; 0 hits just_one_more -> 0; 0 flips 8; 1 stays")
    assert after.lines == (("5", "8"), ("6",))


def test_just_one_more_can_bust(vengeance: Play) -> None:
    """Section 5: then there is nothing to stay on."""
    assert vengeance(1, "deal 5; 0 hits just_one_more; 0 flips 5").status == ("busted",)


def test_just_one_more_can_make_flip_7(vengeance: Play) -> None:
    """Section 5: then the round is over."""
    after = vengeance(1, "deal 1; 0 hits 2, 3, 4, 5, 6, just_one_more; 0 flips 8")
    assert after.status == ("flip7",)


def test_the_target_of_just_one_more_is_the_cards_drawer(vengeance: Play) -> None:
    """Section 5: a modifier flipped so is the target's to give, who then stays."""
    after = vengeance(2, "deal 5 6; 0 hits just_one_more -> 1; 1 flips -4 -> 0; 0 stays")
    assert (after.lines, after.status[1]) == ((("5", "-4"), ("6",)), "stayed")


def test_just_one_more_chained(vengeance: Play) -> None:
    """Section 5: the target settles a second one on seat 0, and both stay."""
    after = vengeance(
        2, "deal 5 6; 0 hits just_one_more -> 1; 1 flips just_one_more -> 0; 0 flips 8"
    )
    assert (after.status, after.round_scores) == (("stayed", "stayed"), (13, 6))


def test_just_one_more_makes_a_zero_holder_stay(vengeance: Play) -> None:
    """Section 5: the one way to stay with The Zero, for nothing."""
    after = vengeance(2, "deal 0 6; 0 flips 9; 1 hits just_one_more -> 0; 0 flips 8; 1 stays")
    assert (after.status, after.round_scores) == (("stayed", "stayed"), (0, 6))


def test_just_one_more_without_a_card(vengeance: Play) -> None:
    """Section 5: there is nothing left to flip, and the target stays nevertheless."""
    after = vengeance(2, "deal 5 6; 0 hits just_one_more -> 1; 0 stays", only="5 6 just_one_more")
    assert (after.status, after.lines) == (("stayed", "stayed"), (("5",), ("6",)))


# --- section 5: Flip Four -------------------------------------------------------------------------


def test_flip_four_flips_four(vengeance: Play) -> None:
    """Section 5: for any player who is not busted; numbers are handled as they come."""
    after = vengeance(2, "deal 5 6; 0 hits flip_four -> 1; 1 flips 1 2 3 4; 1 stays; 0 stays")
    assert after.lines == (("5",), ("1", "2", "3", "4", "6"))


def test_flip_four_sets_actions_and_modifiers_aside(vengeance: Play) -> None:
    """Section 5: the target settles them after the fourth card, in the order revealed."""
    after = vengeance(
        2,
        """deal 5 6; 0 hits flip_four -> 1; 1 flips -4 2 discard 3
        1 -4 -> 0; 1 discard -> 0:5; 1 stays; 0 stays""",
    )
    assert after.lines == (("-4",), ("2", "3", "6"))


def test_flip_four_is_settled_one_by_one(vengeance: Play) -> None:
    """Section 5: the Steal may take the -4 that its chooser has just given away."""
    after = vengeance(
        2,
        """deal 5 6; 0 hits flip_four -> 1; 1 flips -4 2 steal 3
        1 -4 -> 0; 1 steal -> 0:-4; 1 stays; 0 stays""",
    )
    assert after.lines == (("5",), ("2", "3", "6", "-4"))


def test_a_bust_stops_flip_four(vengeance: Play) -> None:
    """Section 5: what was set aside is discarded."""
    after = vengeance(2, "deal 5 6; 0 hits flip_four -> 1; 1 flips -4 steal 6; 0 stays")
    assert (after.status[1], after.flips) == ("busted", 6)
    assert after.discard == ("-4", "flip_four", "steal")


def test_flip_7_stops_flip_four(vengeance: Play) -> None:
    """Section 5: the -4 set aside costs nothing."""
    after = vengeance(1, "deal 1; 0 hits 2, 3, 4, 5, flip_four; 0 flips -4 6 8")
    assert (after.status, after.round_scores) == (("flip7",), (29 + 15,))
    assert after.discard == ("-4", "flip_four")


def test_a_busted_target_goes_on_settling(vengeance: Play) -> None:
    """Section 5: seat 0 busts by the first set-aside card and still gives the second away."""
    after = vengeance(
        3,
        """deal 5 6 7; 0 hits flip_four -> 0; 0 flips just_one_more -4 8 9
        0 just_one_more -> 0; 0 flips 5; 0 -4 -> 2; 1 stays; 2 stays""",
    )
    assert after.status[0] == "busted"
    assert after.round_scores == (0, 6, 3)


def test_an_inner_flip_four_comes_before_older_cards(vengeance: Play) -> None:
    """Section 5: the older Steal comes last and can take the -4 of the inner run."""
    after = vengeance(
        2,
        """deal 5 6; 0 hits flip_four -> 0; 0 flips flip_four steal 1 2
        0 flip_four -> 1; 1 flips -4 8 9 10; 1 -4 -> 1; 0 steal -> 1:-4; 1 stays; 0 stays""",
    )
    assert after.lines == (("1", "2", "5", "-4"), ("6", "8", "9", "10"))


def test_a_stayed_target_of_flip_four_remains_stayed(vengeance: Play) -> None:
    """Section 5: four cards later it is still out, and settles what was set aside."""
    after = vengeance(
        2, "deal 5 6; 0 stays; 1 hits flip_four -> 0; 0 flips 1 2 -2 4; 0 -2 -> 1; 1 stays"
    )
    assert (after.status, after.round_scores) == (("stayed", "stayed"), (12, 4))


# --- section 5: Steal, Swap, Discard --------------------------------------------------------------


@pytest.mark.parametrize("card", ["12", "-4"])
def test_steal_takes_a_card(vengeance: Play, card: str) -> None:
    """Section 5: a number or a modifier, from a player who has stayed too."""
    after = vengeance(2, f"deal 5 12; 0 hits -4 -> 1; 1 stays; 0 hits steal -> 1:{card}; 0 stays")
    other = {"12": "-4", "-4": "12"}[card]
    assert after.lines == (("5", card), (other,))
    assert after.discard == ("steal",)


@pytest.mark.parametrize("victim", ["0:5", "1:6"])
def test_steal_not_from_oneself_nor_a_busted_player(vengeance: Play, victim: str) -> None:
    """Section 5: seat 1 has busted; only the cards of seats 2 and 3 are there for seat 0."""
    script = "deal 5 6 7 8; 0 hits 9; 1 hits 6; 2 hits 10; 3 stays; 0 hits steal -> "
    with pytest.raises(InputError, match=ILLEGAL):
        vengeance(4, script + victim)


def test_steal_without_a_card_to_take(vengeance: Play) -> None:
    """Section 5: without a legal choice the card is discarded, and not replaced."""
    after = vengeance(2, "deal steal 6; 0 flips 5; 1 stays; 0 stays")
    assert (after.lines, after.discard) == ((("5",), ("6",)), ("steal",))


def test_a_busted_chooser_cannot_steal(vengeance: Play) -> None:
    """Section 5: set aside in a Flip Four whose target has busted since: discarded."""
    after = vengeance(
        2,
        """deal 5 6; 0 hits flip_four -> 0; 0 flips just_one_more steal 8 9
        0 just_one_more -> 0; 0 flips 5; 1 stays""",
    )
    assert (after.lines[1], after.discard) == (("6",), ("just_one_more", "flip_four", "steal"))


def test_swap_an_own_card(vengeance: Play) -> None:
    """Section 5: any card for any card, here a number for a modifier."""
    after = vengeance(2, "deal 5 12; 0 hits -4 -> 0; 1 stays; 0 hits swap -> 0:-4 1:12; 0 stays")
    assert after.lines == (("5", "12"), ("-4",))


def test_swap_two_others(vengeance: Play) -> None:
    """Section 5: the chooser need not be one of the two."""
    after = vengeance(3, "deal 5 6 7; 0 hits swap -> 1:6 2:7; 1 stays; 2 stays; 0 stays")
    assert after.lines == (("5",), ("7",), ("6",))


def test_swap_equal_cards(vengeance: Play) -> None:
    """Section 5: both leave before both arrive, so a 5 for a 5 is no bust."""
    after = vengeance(2, "deal 5 5; 0 hits swap; 1 stays; 0 stays")
    assert (after.status, after.lines) == (("stayed", "stayed"), (("5",), ("5",)))


def test_swap_can_bust_both(vengeance: Play) -> None:
    """Section 5: the busts are found when both cards have arrived."""
    after = vengeance(2, "deal 5 8; 0 hits 8; 1 hits 5; 0 hits swap -> 0:5 1:8")
    assert (after.status, after.round_scores) == (("busted", "busted"), (0, 0))


def test_swap_bust_before_flip_7(vengeance: Play) -> None:
    """Section 5: a seventh number that makes a pair is a bust."""
    after = vengeance(
        2,
        """deal 1 6; 0 hits flip_four -> 0; 0 flips 2 3 4 5; 1 hits -4 -> 0; 0 hits 6
        1 hits swap -> 0:-4 1:6; 1 stays""",
    )
    assert (after.status, len(after.lines[0])) == (("busted", "stayed"), 7)


def test_a_swapped_seventh_number(vengeance: Play) -> None:
    """Section 5: seat 0 gets it for a -4, on the turn of seat 1, and the round is over."""
    after = vengeance(
        3,
        """deal 1 9 -4 -> 0; 0 hits flip_four -> 0; 0 flips 2 3 4 5; 1 hits 10; 2 flips 9; 0 hits 6
        1 hits swap -> 0:-4 1:9""",
    )
    assert after.status == ("flip7", "active", "active")
    assert after.round_scores == (30 + 15, 6, 9)


def test_swap_a_bust_and_flip_7_at_once(vengeance: Play) -> None:
    """Section 5: seat 1 busts with two plain 13s, then the Flip 7 of seat 0 ends the round."""
    after = vengeance(
        2,
        """deal 13 6; 0 hits flip_four -> 0; 0 flips 1 2 3 4; 1 hits 13; 0 hits lucky13; 1 stays
        0 hits 5, swap -> 0:13 1:6""",
        lucky13_pair_counts=1,
    )
    assert (after.status, after.round_scores) == (("flip7", "busted"), (34 + 15, 0))


def test_swap_with_one_line_only(vengeance: Play) -> None:
    """Section 5: it takes two players with cards; otherwise it is discarded."""
    after = vengeance(2, "deal 5 swap; 0 stays; 1 flips 6; 1 stays")
    assert (after.lines, after.discard) == ((("5",), ("6",)), ("swap",))


def test_a_busted_chooser_swaps_between_two_others(vengeance: Play) -> None:
    """Section 5: with one pair of cards left there is nothing to ask."""
    after = vengeance(
        3,
        """deal 5 6 7; 0 hits flip_four -> 0; 0 flips just_one_more swap 8 9
        0 just_one_more -> 0; 0 flips 5; 1 stays; 2 stays""",
    )
    assert (after.status[0], after.lines[1:]) == ("busted", (("7",), ("6",)))


@pytest.mark.parametrize("picked", ["0:5", "0:-4", "1:6"])
def test_discard_takes_a_card_away(vengeance: Play, picked: str) -> None:
    """Section 5: from any line, the own one and a stayed player's included."""
    after = vengeance(
        2, f"deal 5 6; 0 hits -4 -> 0; 1 stays; 0 hits 9, discard -> {picked}; 0 stays"
    )
    owner, card = picked.split(":")
    lines = [["5", "9", "-4"], ["6"]]
    lines[int(owner)].remove(card)
    assert after.lines == tuple(tuple(line) for line in lines)
    assert after.discard == (card, "discard")


def test_discard_not_from_a_busted_player(vengeance: Play) -> None:
    """Section 5: face-down cards are out of reach."""
    with pytest.raises(InputError, match=ILLEGAL):
        vengeance(3, "deal 5 6 7; 0 hits 5; 1 hits discard -> 0:5")


def test_discard_without_a_card(vengeance: Play) -> None:
    """Section 5: dealt before anybody has a card it does nothing."""
    after = vengeance(2, "deal discard 6; 0 flips 5; 1 stays; 0 stays")
    assert (after.lines, after.discard) == ((("5",), ("6",)), ("discard",))


# --- section 5: Brutal mode -----------------------------------------------------------------------


def test_brutal_scores_may_be_negative(brutal: Play) -> None:
    """Section 5, Brutal (1): there is no floor at 0."""
    after = brutal(1, "deal 3; 0 hits -10; 0 stays", totals=(5,))
    assert (after.round_scores, after.totals) == ((-7,), (-2,))


def test_brutal_modifier_to_a_busted_player(brutal: Play) -> None:
    """Section 5, Brutal (2): what was received after the bust counts, here 4 + 6."""
    after = brutal(2, "deal 5 6; 0 hits 5; 1 hits -4 -> 0, -6 -> 0; 1 stays")
    assert (after.status[0], after.round_scores) == ("busted", (-10, 6))


def test_brutal_cards_before_the_bust_count_nothing(brutal: Play) -> None:
    """Section 5, Brutal (2): a -8 of the line is face down with it."""
    after = brutal(2, "deal 5 6; 0 hits -8 -> 0; 1 stays; 0 hits 5")
    assert after.round_scores == (0, 6)


def test_brutal_div2_on_nothing(brutal: Play) -> None:
    """Section 5, Brutal (2): it does not halve the minus points of a busted player."""
    after = brutal(2, "deal 5 6; 0 hits 5; 1 hits -4 -> 0, div2 -> 0; 1 stays")
    assert after.round_scores == (-4, 6)


def test_brutal_busted_drawer_may_take_it(brutal: Play) -> None:
    """Section 5, Brutal (2): alone with a set-aside -4 the busted drawer must."""
    after = brutal(1, "deal 5; 0 hits flip_four; 0 flips just_one_more -4 6 8; 0 flips 5")
    assert (after.status, after.round_scores) == (("busted",), (-4,))


def test_brutal_actions_leave_busted_players_alone(brutal: Play) -> None:
    """Section 5, Brutal: the -4 of a busted player cannot be stolen."""
    with pytest.raises(InputError, match=ILLEGAL):
        brutal(3, "deal 5 6 7; 0 hits 5; 1 hits -4 -> 0; 2 hits 8; 1 hits steal -> 0:-4")


SEVEN = """deal 9 1; 0 hits 10; 1 hits flip_four -> 1; 1 flips 2 3 4 5; 0 hits 11; 1 hits 6; {}
    1 hits 8; """


@pytest.mark.parametrize(
    ("answer", "scores"), [(1, (42, 29 + 15)), (0, (42 - 15, 29))], ids=["own", "other"]
)
def test_brutal_flip_7_is_a_choice(brutal: Play, answer: int, scores: tuple[int, int]) -> None:
    """Section 5, Brutal (3): 15 more for oneself, or 15 less for one other."""
    after = brutal(2, SEVEN.format("0 hits 12") + f"1 flip7_bonus -> {answer}")
    assert after.round_scores == scores


def test_brutal_flip_7_against_a_busted_player(brutal: Play) -> None:
    """Section 5, Brutal (3): busted or not, the 15 come off."""
    after = brutal(2, SEVEN.format("0 hits 9") + "1 flip7_bonus -> 0")
    assert (after.status[0], after.round_scores) == ("busted", (-15, 29))


def test_brutal_flip_7_against_a_zero_holder(brutal: Play) -> None:
    """Section 5, Brutal (3): 0 without Flip 7, whatever modifiers lie there, then less 15."""
    script = SEVEN.replace("deal 9", "deal 0").replace("0 hits", "0 flips")
    after = brutal(2, script.format("0 flips -4 -> 0") + "1 flip7_bonus -> 0")
    assert (after.lines[0], after.round_scores) == (("0", "10", "11", "-4"), (-15, 29))


def test_brutal_zero_with_a_minus_card(brutal: Play) -> None:
    """Section 5, Brutal: The Zero makes the round 0, not less."""
    after = brutal(1, "deal 0; 0 flips -4 just_one_more 5")
    assert after.round_scores == (0,)


def test_brutal_flip_7_alone(brutal: Play) -> None:
    """Section 5, Brutal (3): without another player the 15 are one's own, unasked."""
    assert brutal(1, "deal 1; 0 hits 2, 3, 4, 5, 6, 8").round_scores == (29 + 15,)


def test_brutal_flip_7_is_asked_for_nothing(brutal: Play) -> None:
    """Section 5, Brutal (3): with a `flip7_bonus` of 0 the choice is there all the same."""
    after = brutal(2, SEVEN.format("0 hits 12") + "1 flip7_bonus -> 0", flip7_bonus=0)
    assert after.round_scores == (42, 29)


def test_brutal_the_15_decide_before_the_200(brutal: Play) -> None:
    """Section 5, Brutal (3): 207 to 204 becomes 192 to 204."""
    script = SEVEN.format("0 hits 12") + "1 flip7_bonus -> 0"
    after = brutal(2, script, game=True, totals=(165, 175))
    assert (after.totals, after.winners, after.rounds) == ((192, 204), (1,), 1)


# --- section 6: the options of Vengeance ----------------------------------------------------------


def test_lucky13_pair_counts_once(vengeance: Play) -> None:
    """Section 6: the pair is one of the seven, so a seventh different number is needed."""
    after = vengeance(1, "deal 13; 0 hits lucky13, 1, 2, 3, 4, 5; 0 hits 6", lucky13_pair_counts=1)
    assert (after.status, after.round_scores) == (("flip7",), (26 + 21 + 15,))


def test_the_pair_counting_once_may_stay_with_seven_cards(vengeance: Play) -> None:
    """Section 6: both of the pair still score."""
    after = vengeance(1, "deal 13; 0 hits lucky13, 1, 2, 3, 4, 5; 0 stays", lucky13_pair_counts=1)
    assert (after.status, after.round_scores) == (("stayed",), (26 + 15,))


def test_no_specials_the_zero_is_a_0(vengeance: Play) -> None:
    """Section 6: its holder may stay, and the line scores."""
    after = vengeance(1, "deal 0; 0 hits 12; 0 stays", specials=False)
    assert after.round_scores == (12,)


def test_no_specials_unlucky_7_is_a_7(vengeance: Play) -> None:
    """Section 6: it sweeps nothing."""
    after = vengeance(1, "deal 5; 0 hits unlucky7; 0 stays", specials=False)
    assert after.lines == (("5", "unlucky7"),)


def test_no_specials_unlucky_7_busts_on_a_7(vengeance: Play) -> None:
    """Section 6: the two are of one rank."""
    assert vengeance(1, "deal 7; 0 hits unlucky7", specials=False).status == ("busted",)


@pytest.mark.parametrize("counts", [1, 2])
def test_no_specials_lucky_13_is_a_13(vengeance: Play, counts: int) -> None:
    """Section 6: a pair busts, and how it would count plays no part."""
    after = vengeance(1, "deal 13; 0 hits lucky13", specials=False, lucky13_pair_counts=counts)
    assert after.status == ("busted",)


CLOSED: dict[str, Any] = {"open_after_stay": False}


@pytest.mark.parametrize(
    "card",
    ["-4 -> 0", "just_one_more -> 0", "flip_four -> 0", "steal -> 0:5", "discard -> 0:5",
     "swap -> 0:5 1:6"],
)  # fmt: skip
def test_closed_a_stayed_player_is_no_target(vengeance: Play, card: str) -> None:
    """Section 6, `open_after_stay` false: of nothing; seats 1 to 3 are active."""
    script = f"deal 5 6 8 9; 0 stays; 1 hits {card}"
    with pytest.raises(InputError, match=ILLEGAL):
        vengeance(4, script, **CLOSED)


def test_closed_the_only_active_player_takes_the_modifier(vengeance: Play) -> None:
    """Section 6, `open_after_stay` false: with nobody else to take it."""
    assert vengeance(2, "deal 5 6; 0 stays; 1 hits -4; 1 stays", **CLOSED).round_scores == (5, 2)


@pytest.mark.parametrize("card", ["steal", "swap"])
def test_closed_no_card_to_reach(vengeance: Play, card: str) -> None:
    """Section 6, `open_after_stay` false: the other has stayed, so the action is discarded."""
    after = vengeance(2, f"deal 5 6; 0 stays; 1 hits {card}; 1 stays", **CLOSED)
    assert (after.lines, after.discard) == ((("5",), ("6",)), (card,))


FOUR = """deal 5 6; 0 hits flip_four -> 0; 0 flips just_one_more {} 8 9
    0 just_one_more -> 0; 0 flips 1; """


def test_closed_a_stayed_chooser_may_steal(vengeance: Play) -> None:
    """Section 6, `open_after_stay` false: seat 0 stayed by the first card, and uses the second."""
    after = vengeance(2, FOUR.format("steal") + "1 flips 7; 1 stays", **CLOSED)
    assert after.lines == (("1", "5", "6", "8", "9"), ("7",))


def test_closed_a_stayed_chooser_is_no_own_target(vengeance: Play) -> None:
    """Section 6, `open_after_stay` false: the -4 goes to the other, unasked."""
    after = vengeance(2, FOUR.format("-4") + "1 stays", **CLOSED)
    assert after.round_scores == (23, 2)


def test_closed_a_modifier_that_no_active_player_can_take(vengeance: Play) -> None:
    """Section 6, `open_after_stay` false: the only player has stayed by then: discarded."""
    after = vengeance(
        1, "deal 5; 0 hits flip_four; 0 flips just_one_more -4 8 9; 0 flips 1", **CLOSED
    )
    assert (after.round_scores, after.discard) == ((23,), ("-4", "just_one_more", "flip_four"))


def test_closed_brutal_a_busted_player_can_take_it(brutal: Play) -> None:
    """Section 6, `open_after_stay` false: seat 0 has stayed, seat 1 is busted and takes the -4."""
    after = brutal(
        2,
        """deal 5 6; 0 hits 7; 1 hits 6; 0 hits flip_four; 0 flips just_one_more -4 8 9
        0 flips 1""",
        **CLOSED,
    )
    assert (after.status, after.round_scores) == (("stayed", "busted"), (30, -4))


def test_closed_brutal_protects_too(brutal: Play) -> None:
    """Section 6, `open_after_stay` false: no modifier for a stayed player in Brutal mode."""
    with pytest.raises(InputError, match=ILLEGAL):
        brutal(3, "deal 5 6 7; 0 stays; 1 hits -4 -> 0", **CLOSED)


ACTIONS = ["just_one_more", "flip_four", "steal", "swap", "discard"]


@pytest.mark.parametrize("card", [*ACTIONS, "div2", "-2", "-10"])
def test_inert(vengeance: Play, card: str) -> None:
    """Section 6: the card does nothing, and the flip was the turn."""
    after = vengeance(2, f"deal 5 6; 0 hits {card}; 1 stays; 0 stays", inert=[card])
    assert (after.lines, after.discard) == ((("5",), ("6",)), (card,))


def test_inert_in_a_run(vengeance: Play) -> None:
    """Section 6: it counts as one of the four and is discarded at once, not set aside."""
    after = vengeance(
        1, "deal 5; 0 hits flip_four; 0 flips -4 steal 1 2; 0 stays", inert=["-4", "steal"]
    )
    assert (after.lines, after.round_scores) == ((("1", "2", "5"),), (8,))


def test_inert_cards_are_discarded_when_flipped(vengeance: Play) -> None:
    """Section 6: an inert -4 is in the reshuffle that the next card of its run needs."""
    after = vengeance(
        1, "deal 5; 0 hits flip_four; 0 flips -4 -4 -4 -4; 0 stays",
        inert=["-4"], only="5 flip_four -4",
    )  # fmt: skip
    assert (after.lines, after.flips) == ((("5",),), 6)


def test_several_div2(vengeance: Play) -> None:
    """Section 6: in a deck with two of them each halves, rounding down."""
    after = vengeance(1, "deal 11; 0 hits div2, div2; 0 stays", deck={"div2": 2})
    assert after.round_scores == (11 // 2 // 2,)


def test_two_zeros_are_a_pair(vengeance: Play) -> None:
    """Section 6: in a deck with two of them they are of one rank and bust."""
    assert vengeance(1, "deal 0; 0 flips 0", deck={"0": 2}).status == ("busted",)


@pytest.mark.parametrize("card", ["lucky13", "unlucky7"])
def test_one_of_a_kind(card: str) -> None:
    """Section 6: own counts may be anything but two of these."""
    with pytest.raises(InputError, match=f"at most one {card}"):
        Rules(game="vengeance", deck={card: 2})


@pytest.mark.parametrize(("preset", "n_cards"), [("numbers", 92), ("no-actions", 98)])
def test_deck_presets(preset: str, n_cards: int) -> None:
    """Section 6: the named decks, with the three special numbers in both."""
    rules = Rules(game="vengeance", deck=preset)
    assert rules.n_cards == n_cards
    assert all(rules.counts[CARD_NAMES.index(card)] == 1 for card in ("0", "unlucky7", "lucky13"))
