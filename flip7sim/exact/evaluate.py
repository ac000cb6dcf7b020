"""One stay rule's exact figures in the solitaire round of either game.

The rule is asked about every state that it can reach, through the same table and address as in the
engine. It sees its own line, what is left in the deck and the discard pile. One thing a
state leaves open is *which* duplicates Second Chances took out, and which inert cards, or in
Vengeance cards without effect on a lone player, were drawn. Chances of a bust and expected gains do
not depend on it; a rule that counts the copies of single held numbers is shown one legal case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flip7sim.errors import InputError, PolicyError
from flip7sim.exact import sweep
from flip7sim.exact.layout import build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import Rules
from flip7sim.table import N_PARAMETERS, N_TERMS, RAISED, new_table, write_policy


@dataclass(frozen=True)
class Term:
    """One stay policy of a rule.

    Parameters
    ----------
    address : int
        Of its code (see `_jit.Entry`; seat and row in one word), which answers 1 to stay and 0 to
        hit. It may be called from several threads at once.
    parameters : sequence of float
        Put into ``table.parameter``.
    constants : int
        Address of its constant array, put into ``table.constants``.
    joined : bool
        Joined to the term before by `and`; by `or` otherwise.
    chance : float, optional
        Instead of an address: a random term, true with this chance. Random terms of one rule share
        their random number.
    line_only : bool
        It looks at nothing but the line, so it need not be asked again for every deck.
    """

    address: int = 0
    parameters: Sequence[float] = ()
    constants: int = 0
    joined: bool = False
    chance: float | None = None
    line_only: bool = False


def evaluate(
    rules: Rules,
    terms: Sequence[Term],
    *,
    total: int = 0,
    label: str = "the policy",
    threads: int | None = None,
) -> Outcome:
    """Return how the solitaire round ends under a stay rule, exactly.

    Parameters
    ----------
    rules : Rules
        Decks as for `round.solve` or `vengeance.solve_vengeance`.
    terms : sequence of Term
        1 to 8, combined as in the engine: `and` binds tighter than `or`.
    total : int
        The player's total before the round, for rules that look at it.
    label : str
        Names the rule in errors.
    threads : int, optional
        All cores by default.

    Returns
    -------
    Outcome

    Raises
    ------
    InputError
        If the deck cannot be solved exactly, or the number of terms is wrong.
    PolicyError
        If a policy raises or answers neither 0 nor 1.

    Examples
    --------
    >>> from flip7sim.callbacks import Callback
    >>> three_cards = Callback(lambda table, seat: int(table.n_numbers[seat] >= 3))
    >>> outcome = evaluate(Rules(deck="numbers"), [Term(three_cards.address)])
    >>> f"{outcome.mean:.10f}"
    '17.6636528029'
    """
    if not 1 <= len(terms) <= N_TERMS:
        raise InputError(f"a rule has 1 to {N_TERMS} policies, not {len(terms)}")
    carry = _carry_base if rules.game == "base" else _carry_vengeance
    try:
        return carry(rules, terms, lambda: _asked_table(rules, terms, total), threads)
    except sweep.IllegalAnswerError as error:
        answer = error.args[1]
        what = "raised" if answer == RAISED else f"answered {answer}, not 0 or 1"
        raise PolicyError(f"{label}, seat 0, in the exact solitaire round: {what}") from None


_Tables = Callable[[], NDArray[Any]]


def _carry_base(
    rules: Rules, terms: Sequence[Term], tables: _Tables, threads: int | None
) -> Outcome:
    layout = build_layout(rules)
    with sweep.workers(threads) as pool:
        return sweep.ask_forward(layout, pool, tables, _coins(terms))


def _carry_vengeance(
    rules: Rules, terms: Sequence[Term], tables: _Tables, threads: int | None
) -> Outcome:
    from flip7sim.exact.vengeance_sweep import carry_policies

    lattices = build_lattices(rules, all_blanks=True)
    line_only = all(term.line_only or term.chance is not None for term in terms)
    ends = carry_policies(lattices, threads, tables, _coins(terms), line_only=line_only)
    return ends.outcome(lattices.low)


def _coins(terms: Sequence[Term]) -> NDArray[np.float64]:
    return np.array([-1.0 if term.chance is None else term.chance for term in terms])


def _asked_table(rules: Rules, terms: Sequence[Term], total: int) -> NDArray[Any]:
    record = new_table(rules, 1)
    record.total[0] = total
    record.n_active = 1
    record.n_terms[0] = len(terms)
    for at, term in enumerate(terms):
        if len(term.parameters) > N_PARAMETERS:
            raise InputError(f"a policy has at most {N_PARAMETERS} parameters")
        record.and_terms[0] |= int(term.joined) << at
        write_policy(record, at, term.address, term.constants, term.parameters)
    tables = np.zeros(1, record.dtype).view(np.recarray)
    tables[0] = record
    return tables
