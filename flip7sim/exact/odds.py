"""The adviser: one hand, hit or stay.

The answer is exact for a lone player: the chances of the next card, what the line is worth, what
one more card is worth (with all that it sets off), and what it is worth when the rest of the round
is played optimally. In the base game, without other cards seen, these are looked up in the solution
of the full deck; with cards seen, and in Vengeance, the round is solved from this line on.

Where that is not possible (a deck that could run out, or in Vengeance too many states), one card of
look-ahead is given; for Vengeance decks with Flip Four or Discard optimal play is that of the deck
without actions. The answer says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import (
    FIRST_MODIFIER,
    FLIP_THREE,
    LAST_MODIFIER,
    LAST_NUMBER,
    N_KINDS,
    SECOND_CHANCE,
    card_names,
)
from flip7sim.errors import InputError
from flip7sim.exact import packed, store
from flip7sim.exact.hands import Hand, after_card, check_hand, line_value, read_cards
from flip7sim.exact.layout import Layout, build_layout
from flip7sim.exact.probability import busts, counted_numbers, next_card
from flip7sim.exact.round import Solution, points, rules_key, solve
from flip7sim.exact.winning import MODEL, win_chances
from flip7sim.rules import MAX_SEATS, Rules

FULL_DECK: Final = "exact, from the solution of the full deck"
CARDS_SEEN: Final = "exact, the round solved from this line without the cards seen"
ONE_STEP: Final = "one card of look-ahead; actions count as no change"
_FLIP7: Final = 7


@dataclass(frozen=True)
class RaceOdds:
    """What the totals change.

    Attributes
    ----------
    stay, hit : float
        Chance to win after staying; after a hit and then the best play for winning.
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
        Expected points after one more card and optimal play; None where only one step is known.
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
        card is left, or if only one of `total` and `rivals` is given.

    Examples
    --------
    >>> hand = odds(Rules(deck="numbers"), "12 9 5", "12 12 12")
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
    values = _values(rules, held, others, left, threads)
    hit = values.one_more if values.optimal is None else values.optimal
    race = None
    if total is not None and rivals is not None:
        race = _race(rules, values.layout, held, total, rivals, must_hit, threads)
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
    layout: Layout | None


def _names(hand: Hand) -> list[str]:
    return card_names([hand.get(kind, 0) for kind in range(N_KINDS)])


def _values(
    rules: Rules, line: Hand, seen: Hand, left: NDArray[np.int64], threads: int | None
) -> _Values:
    if rules.game == "base":
        try:
            layout = build_layout(rules, line=line, seen=seen)
        except InputError:
            if left[FLIP_THREE] and "flip_three" not in rules.inert:
                raise
            return _Values(one_step(rules, line, left), None, ONE_STEP, None)
        if seen:
            one_more, optimal = _solve_here(layout, threads)
            return _Values(one_more, optimal, CARDS_SEEN, layout)
        counts = np.array([line.get(kind, 0) for kind in range(N_KINDS)], np.int64)
        one_more = _look_up("one-more", rules, counts, threads)
        optimal = _look_up("round", rules, counts, threads)
        return _Values(one_more, optimal, FULL_DECK, layout)
    from flip7sim.exact.vengeance_odds import FROM_LINE, WITHOUT_ACTIONS, vengeance_values

    found = vengeance_values(rules, line, seen, left, threads)
    basis = ONE_STEP
    if found.optimal is not None:
        basis = (CARDS_SEEN if seen else FROM_LINE) if found.whole else WITHOUT_ACTIONS
    return _Values(found.one_more, found.optimal, basis, None)


def one_step(rules: Rules, line: Mapping[int, int], left: NDArray[np.int64]) -> float:
    """Return the expected points after one more card, when actions and inert cards change nothing.

    Parameters
    ----------
    rules : Rules
    line : mapping of int to int
        By kind.
    left : ndarray of int64, shape (N_KINDS,)
        Cards in the deck.
    """
    stay = line_value(line, rules)
    value = 0.0
    for kind in np.flatnonzero(left):
        card = int(kind)
        points_after = stay
        if card <= LAST_NUMBER:
            if busts(rules, line, card):
                points_after = stay if line.get(SECOND_CHANCE, 0) else 0
            else:
                points_after = line_value(after_card(line, card, rules), rules)
                if counted_numbers(rules, line, card) >= _FLIP7:
                    points_after = _flip7_value(rules, after_card(line, card, rules))
        elif FIRST_MODIFIER <= card <= LAST_MODIFIER and not _inert(rules, card):
            points_after = line_value(after_card(line, card, rules), rules)
        value += float(left[kind]) * points_after
    return value / float(left.sum())


def _flip7_value(rules: Rules, line: Hand) -> int:
    # A Zero that is one of the seven costs nothing any more.
    without_zero = {kind: count for kind, count in line.items() if kind}
    return line_value(without_zero, rules) + rules.flip7_bonus


def _inert(rules: Rules, kind: int) -> bool:
    return card_names([int(k == kind) for k in range(N_KINDS)])[0] in rules.inert


def _solve_here(layout: Layout, threads: int | None) -> tuple[float, float]:
    from flip7sim.exact import kernels, sweep

    start = layout.tails.decision[layout.tails.start]
    with sweep.workers(threads) as pool:
        found = [
            float(sweep.solve_backward(layout, points(layout), pool, mode=mode)[0, start])
            for mode in (kernels.ALWAYS_STAY, kernels.OPTIMAL)
        ]
    return found[0], found[1]


def _look_up(what: str, rules: Rules, line: NDArray[np.int64], threads: int | None) -> float:
    """Return a value of the full deck's solution, which is computed where it is not cached."""

    def locate(words: NDArray[np.int64]) -> int:
        return int(words[packed.WORD_VALUES_AT]) + packed.line_state(words, line)

    key = {"what": what, **rules_key(rules)}
    value = store.read_value(key, locate)
    if value is not None:
        return value
    solution = solve(rules, threads=threads) if what == "round" else solve_one_more(rules, threads)
    words = solution.words if isinstance(solution, Solution) else solution
    return float(packed.values(words).ravel()[packed.line_state(words, line)])


def solve_one_more(rules: Rules, threads: int | None = None) -> NDArray[np.int64]:
    """Return the value of one more card, then staying, in every state, packed and cached.

    Parameters
    ----------
    rules : Rules
        As for `round.solve`.
    threads : int, optional

    Returns
    -------
    ndarray of int64
        Words as made by `packed.pack`.
    """
    from flip7sim.exact import kernels, sweep

    layout = build_layout(rules)
    with sweep.workers(threads) as pool:
        hit = sweep.solve_backward(layout, points(layout), pool, mode=kernels.ALWAYS_STAY)
    words = packed.pack(layout, hit)
    store.save({"what": "one-more", **rules_key(rules)}, {}, words)
    return words


def _race(
    rules: Rules,
    layout: Layout | None,
    line: Hand,
    total: int,
    rivals: Sequence[int],
    must_hit: bool,
    threads: int | None,
) -> RaceOdds:
    """Return the chances to win by staying and by hitting, in the model of `winning`."""
    if layout is None:
        raise InputError("--total and --rivals need a deck whose round can be solved exactly")
    if not 0 <= total < rules.target_score:
        raise InputError(
            f"--total must be from 0 to {rules.target_score - 1} in a game that goes on, "
            f"not {total}"
        )
    from flip7sim.exact import sweep

    outcome = solve(rules, threads=threads).outcome
    wins = win_chances(outcome.histogram, rivals, rules.target_score)
    reward = np.array(wins[total : total + layout.n_scores])
    with sweep.workers(threads) as pool:
        hit = sweep.solve_backward(layout, reward, pool)
    hit_value = float(hit[0, layout.tails.decision[layout.tails.start]])
    stay_value = float(reward[line_value(line, rules)])
    return RaceOdds(
        stay=stay_value,
        hit=hit_value,
        advice="hit" if must_hit or hit_value > stay_value else "stay",
        model=MODEL,
    )
