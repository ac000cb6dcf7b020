r"""The Vengeance solitaire round solved, as far as the states go (rules.md section 5).

A lone player gives every modifier to the own line and must flip for every Just One More; Steal and
Swap find no legal choice and are discarded. What is left to decide is hit or stay.

Exact: decks of number cards, the three special ones included; with modifiers, at most one of a
kind; with Steal, Swap and Just One More; inert cards; all rule options. That is 104 of the 108
cards. Left out are Flip Four and Discard; a deck that holds them is refused: name them inert, or
leave them out of the deck.

``unlucky7`` discards a line, whose cards then lack in the deck. So the round after it is solved for
every line that it may have discarded, except for lines on which a player surely stays: those found
by first solving the round with an upper bound in the place of what follows. What comes out,
and in how many states and how much processor time on one machine:

===============================  =============  ===========  ==========
deck                             value          states       time
===============================  =============  ===========  ==========
numbers, 92 cards                20.7502341896  35 million   1 second
no-actions, 98                   19.6858810613  20 billion   5 minutes
without Flip Four, Discard, 104  19.2464137938  100 billion  32 minutes
===============================  =============  ===========  ==========

Discard would add which cards it has taken out of the deck, some thirty times the states: 600
billion for numbers, modifiers and Discard. Flip Four would add the flips left and what has been set
aside, each modifier apart and the actions in their order, some hundred times the states. With all
108 cards these are more than a hundred trillion, out of reach for this method. Number cards with
one of the two and nothing else would be about a billion, but nobody plays with such a deck.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from flip7sim.exact import store
from flip7sim.exact.round import SolvedRound, rules_key
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import Rules


class VengeanceSolution(SolvedRound):
    """A solved Vengeance round.

    `n_states` counts those after `unlucky7` for each line that it may discard; `words` are the
    playable part (`vengeance_words`), empty for decks with modifiers or actions.
    """


def vengeance_key(rules: Rules) -> dict[str, Any]:
    """Return what a Vengeance solution depends on, ready for JSON."""
    return {"what": "vengeance", "brutal": rules.brutal, **rules_key(rules)}


def hits_key(rules: Rules) -> dict[str, Any]:
    """Return under which key the values of hitting before `unlucky7` are kept, a word each."""
    return {**vengeance_key(rules), "what": "vengeance-hits"}


def solve_vengeance(
    rules: Rules,
    *,
    threads: int | None = None,
    cached: bool = True,
    progress: Callable[[float], None] | None = None,
) -> VengeanceSolution:
    """Solve the Vengeance solitaire round.

    Parameters
    ----------
    rules : Rules
        With a deck that is solved exactly: see the module. Options that matter to a lone round are
        `deck`, `specials`, `lucky13_pair_counts`, `flip7_bonus`, `brutal` and `inert`.
    threads : int, optional
        All cores by default. The result does not depend on it.
    cached : bool
        Read the solution from the cache folder, and write it there.
    progress : callable, optional
        Told the finished share of the work.

    Returns
    -------
    VengeanceSolution

    Raises
    ------
    InputError
        If the deck cannot be solved exactly.
    """
    lattices = build_lattices(rules)
    key = vengeance_key(rules)
    if cached and (found := VengeanceSolution.load(rules, key)) is not None:
        return found
    from flip7sim.exact.vengeance_sweep import sweep_round
    from flip7sim.exact.vengeance_words import pack

    start = time.perf_counter()
    found_round = sweep_round(lattices, threads, progress)
    words = np.zeros(0, np.int64)
    if found_round.stays is not None:
        words = pack(
            lattices, found_round.first_stays, found_round.stays, found_round.values,
            found_round.wiped,
        )  # fmt: skip
    solution = VengeanceSolution(
        rules=rules,
        outcome=found_round.ends.outcome(lattices.low),
        n_states=found_round.n_states,
        elapsed_s=time.perf_counter() - start,
        from_cache=False,
        words=words,
    )
    if cached:
        solution.save(key)
        if not lattices.is_playable:  # else the words have the values that the adviser asks for
            store.save(hits_key(rules), {}, found_round.hits.ravel().view(np.int64))
    return solution
