"""The adviser: one hand, hit or stay.

For the base game, of a lone player: the chances of the next card, what the line is worth, what one
more card is worth (with all that it sets off), and what it is worth when the rest of the round is
played optimally. Without other cards seen, these are looked up in the solution of the full deck.
With cards seen, one step of look-ahead goes from what is left to that solution (`look_ahead`); or,
on demand, the round is solved again from this line on, exactly.

In Vengeance the same is known for decks of number cards; on demand the round is solved from this
line on, with Flip Four or Discard in the deck that of the deck without actions. Elsewhere, and with
a deck that could run out, one card of look-ahead is given: in the base game where no Flip Three is
left, in Vengeance with the card that a Just One More adds, without Flip Four and Discard. The
answer always says how it was found (`basis`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import FLIP_THREE, GAME_CARDS, KIND, LAST_NUMBER, N_KINDS, card_names
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
from flip7sim.exact.hands import Hand, check_hand, line_value, read_cards
from flip7sim.exact.layout import Layout, build_layout
from flip7sim.exact.look_ahead import (
    cards_seen,
    full_deck,
    one_step,
    points_after,
    vengeance_numbers,
)
from flip7sim.exact.probability import next_card
from flip7sim.exact.round import points, solve
from flip7sim.exact.winning import MODEL, MODEL_VENGEANCE, win_chances
from flip7sim.rules import MAX_SEATS, Rules


@dataclass(frozen=True)
class RaceOdds:
    """What the totals change.

    Attributes
    ----------
    stay, hit : float
        Chance to win after staying; after a hit and then the best play for winning (in Vengeance
        after one card and then staying).
    advice : {"hit", "stay"}
    model : str
        In which these are the chances.
    """

    stay: float
    hit: float
    advice: str
    model: str


@dataclass(frozen=True)
class Odds:
    """The figures of one hand.

    Attributes
    ----------
    game : str
    line, seen : list of str
    bust, flip7 : float
        Chances that the next card itself busts the line or is its seventh number.
    stay : int
        Points for staying.
    one_more : float
        Expected points after one more card and all that it sets off.
    optimal : float or None
        Expected points after one more card and optimal play; None where that is not known.
    advice : {"hit", "stay"}
    margin : float
        Expected points by which the advice is better.
    must_hit : bool
    basis : str
        How the figures were found.
    race : RaceOdds or None
    """

    game: str
    line: list[str]
    seen: list[str]
    bust: float
    flip7: float
    stay: int
    one_more: float
    optimal: float | None
    advice: str
    margin: float
    must_hit: bool
    basis: str
    race: RaceOdds | None = None

    def report(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        return asdict(self)


def odds(
    rules: Rules,
    line: str,
    seen: str = "",
    *,
    exact: bool = False,
    total: int | None = None,
    rivals: Sequence[int] | None = None,
    threads: int | None = None,
) -> Odds:
    """Advise a player with this line: hit or stay.

    Parameters
    ----------
    rules : Rules
    line : str
        Names of the cards in front of the player, separated by spaces or commas.
    seen : str
        Names of other cards that are no longer in the deck.
    exact : bool
        With cards seen, solve the round again from this line on, which takes seconds; otherwise one
        step of look-ahead.
    total : int, optional
        The player's total before the round; with `rivals`, chances to win are given too.
    rivals : sequence of int, optional
        The rivals' totals before the round.
    threads : int, optional
        For a solution that is not cached.

    Returns
    -------
    Odds

    Raises
    ------
    InputError
        If a card is unknown, too often there or in the wrong place, if the line has busted, if no
        card is left, if only one of `total` and `rivals` is given, or if an exact answer is wanted
        where there is none.

    Examples
    --------
    >>> hand = odds(Rules(deck="numbers"), "12 9 5", "12 12 12", exact=True)
    >>> hand.advice, hand.stay, f"{hand.bust:.4f} {hand.one_more:.3f}"
    ('stay', 26, '0.2740 24.356')
    """
    if (total is None) != (rivals is None):
        raise InputError("--total and --rivals are given together or not at all")
    if rivals is not None and not 1 <= len(rivals) < MAX_SEATS:
        raise InputError(f"there are 1 to {MAX_SEATS - 1} rivals, not {len(rivals)}")
    held, others = read_cards(line, rules), read_cards(seen, rules)
    check_hand(held, others, rules)
    left = np.array(rules.counts, np.int64)
    for hand in (held, others):
        for kind, count in hand.items():
            left[kind] -= count
    if not left.sum():
        raise InputError("no card is left in the deck")
    chances = next_card(rules, held, others)
    stay = line_value(held, rules)
    zero_binds = rules.game == "vengeance" and rules.specials and held.get(0, 0) > 0
    must_hit = not held or zero_binds
    values = _values(rules, held, others, left, exact, threads)
    hit = values.one_more if values.optimal is None else values.optimal
    race = None
    if total is not None and rivals is not None:
        race = _race(rules, held, others, left, total, rivals, must_hit, threads)
    return Odds(
        game=rules.game,
        line=_names(held),
        seen=_names(others),
        bust=float(chances.bust),
        flip7=float(chances.flip7),
        stay=stay,
        one_more=values.one_more,
        optimal=values.optimal,
        advice="hit" if must_hit or hit > stay else "stay",
        margin=abs(hit - stay),
        must_hit=must_hit,
        basis=values.basis,
        race=race,
    )


@dataclass(frozen=True)
class _Values:
    one_more: float
    optimal: float | None
    basis: str


def _names(hand: Hand) -> list[str]:
    return card_names([hand.get(kind, 0) for kind in range(N_KINDS)])


def _values(
    rules: Rules, line: Hand, seen: Hand, left: NDArray[np.int64], exact: bool, threads: int | None
) -> _Values:
    if rules.game != "base":
        if exact:
            return _solved_from_line(rules, line, seen, left, threads)
        from flip7sim.exact.vengeance_odds import one_more, solved_before

        best = vengeance_numbers(rules, line, left, threads)
        basis = ONE_STEP_VENGEANCE if best is None else ONE_STEP_SEEN if seen else FULL_DECK
        if best is None and not seen and (known := solved_before(rules, line)) is not None:
            best, basis = known
        return _Values(one_more(rules, line, left), best, basis)
    if seen and exact:
        layout = build_layout(rules, line=line, seen=seen)
        return _Values(
            one_more=_best_hit(layout, points(layout), threads, then_stay=True),
            optimal=_best_hit(layout, points(layout), threads),
            basis=CARDS_SEEN,
        )
    try:
        if seen:
            return _Values(*cards_seen(rules, line, left, threads), ONE_STEP_SEEN)
        return _Values(*full_deck(rules, line, threads), FULL_DECK)
    except InputError:
        if exact or (left[FLIP_THREE] and "flip_three" not in rules.inert):
            raise
        return _Values(one_step(rules, line, left), None, ONE_STEP)


def _solved_from_line(
    rules: Rules, line: Hand, seen: Hand, left: NDArray[np.int64], threads: int | None
) -> _Values:
    from flip7sim.exact.vengeance_odds import vengeance_values

    found = vengeance_values(rules, line, seen, left, threads)
    if found.optimal is None:
        raise InputError(
            "the round cannot be solved from this line on: it has too many states, or the deck "
            "could run out or holds two modifiers of a kind"
        )
    solved = CARDS_SEEN if seen else FROM_LINE
    return _Values(found.one_more, found.optimal, solved if found.whole else WITHOUT_ACTIONS)


def _best_hit(
    layout: Layout, reward: NDArray[np.float64], threads: int | None, *, then_stay: bool = False
) -> float:
    """Return the value of hitting on the layout's line, with the best play or a stay after it."""
    from flip7sim.exact import kernels, sweep

    mode = kernels.ALWAYS_STAY if then_stay else kernels.OPTIMAL
    with sweep.workers(threads) as pool:
        return sweep.solve_backward(layout, reward, pool, mode=mode, keep=False).start


def _race(
    rules: Rules,
    line: Hand,
    seen: Hand,
    left: NDArray[np.int64],
    total: int,
    rivals: Sequence[int],
    must_hit: bool,
    threads: int | None,
) -> RaceOdds:
    """Return the chances to win by staying and by hitting, in a model of `winning`."""
    if not 0 <= total < rules.target_score:
        raise InputError(
            f"--total must be from 0 to {rules.target_score - 1} in a game that goes on, "
            f"not {total}"
        )
    if rules.game == "base":
        layout = build_layout(rules, line=line, seen=seen)
        histogram = solve(rules, threads=threads).outcome.histogram
        wins = win_chances(histogram, rivals, rules.target_score)
        hit = _best_hit(layout, wins[total : total + layout.n_scores], threads)
        model = MODEL
    else:
        wins = win_chances(_number_cards_alone(rules, threads), rivals, rules.target_score)
        after = [wins[max(total + points_after(rules, line, kind), 0)] for kind in range(N_KINDS)]
        hit = float(left @ np.array(after)) / float(left.sum())
        model = MODEL_VENGEANCE
    stay = float(wins[max(total + line_value(line, rules), 0)])
    advice = "hit" if must_hit or hit > stay else "stay"
    return RaceOdds(stay=stay, hit=hit, advice=advice, model=model)


def _number_cards_alone(rules: Rules, threads: int | None) -> NDArray[np.float64]:
    """Return the chance of each score of an optimal Vengeance round of the deck's number cards."""
    from flip7sim.exact.vengeance import solve_vengeance

    counts = {
        name: rules.counts[KIND[name]] * (KIND[name] <= LAST_NUMBER)
        for name in GAME_CARDS["vengeance"]
    }
    numbers = Rules(
        game="vengeance", deck=counts, flip7_bonus=rules.flip7_bonus, specials=rules.specials,
        lucky13_pair_counts=rules.lucky13_pair_counts,
    )  # fmt: skip
    return solve_vengeance(numbers, threads=threads).outcome.histogram
