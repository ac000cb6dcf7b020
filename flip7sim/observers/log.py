"""Notes how each round ended and, as far as there is room, every decision.

Words of the array:

    0, 1    where the rows of rounds begin (0: none are kept), how many were noted
    2, 3    where the rows of decisions begin (0: none are kept), how many there were
    4       room for so many decisions; later ones are counted, not noted
    then the rows: a round has `ROUND_COLUMNS` words and two a seat (score, status), a decision
    `DECISION_COLUMNS` words
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper, read_word, write_word
from flip7sim.lines import line_score
from flip7sim.readings import SEEN, bust_probability
from flip7sim.table import ASK_HIT_OR_STAY, EVENT_DECISION, EVENT_ROUND, NO_CARD, NO_SEAT

HEADER: Final = 5
ROUND_COLUMNS: Final = 2
"""Flips, and the seat of a Flip 7 or -1."""
DECISION_COLUMNS: Final = 12
"""Round, flips before, seat, ask, card, answer, the option's four fields, line score, chance."""


def new_words(rounds: int, n_seats: int, decisions: int) -> Any:
    """Return an array with room for so many rounds and decisions; 0 keeps none."""
    import numpy as np

    width = ROUND_COLUMNS + 2 * n_seats
    words = np.zeros(HEADER + rounds * width + decisions * DECISION_COLUMNS, np.int64)
    words[0] = HEADER if rounds else 0
    words[2] = HEADER + rounds * width if decisions else 0
    words[4] = decisions
    return words


def round_rows(words: Any, n_seats: int) -> Any:
    """Return the rounds noted, int64 of shape (n_rounds, ROUND_COLUMNS + 2 n_seats)."""
    width = ROUND_COLUMNS + 2 * n_seats
    start, n = int(words[0]), int(words[1])
    return words[start : start + n * width].reshape(n, width)


def decision_rows(words: Any) -> Any:
    """Return the decisions noted, int64 of shape (n, DECISION_COLUMNS).

    The last column holds the bits of a float64.
    """
    start, n = int(words[2]), min(int(words[3]), int(words[4]))
    return words[start : start + n * DECISION_COLUMNS].reshape(n, DECISION_COLUMNS)


@helper
def _note_round(table: Any, words: Any) -> None:
    n = read_word(words, 1)
    at = read_word(words, 0) + n * (ROUND_COLUMNS + 2 * table.n_seats)
    write_word(words, at, table.flips)
    write_word(words, at + 1, table.flip7_seat)
    for seat in range(table.n_seats):
        write_word(words, at + 2 + seat, table.score[seat])
        write_word(words, at + 2 + table.n_seats + seat, table.status[seat])
    write_word(words, 1, n + 1)


@helper
def _note_decision(table: Any, words: Any, seat: int) -> None:
    n = read_word(words, 3)
    write_word(words, 3, n + 1)
    if n >= read_word(words, 4):
        return
    at = read_word(words, 2) + n * DECISION_COLUMNS
    write_word(words, at, table.stream)
    write_word(words, at + 1, table.flips)
    write_word(words, at + 2, seat)
    write_word(words, at + 3, table.ask)
    write_word(words, at + 5, table.answer)
    if table.ask == ASK_HIT_OR_STAY:
        write_word(words, at + 4, NO_CARD)
        write_word(words, at + 6, NO_SEAT)
        write_word(words, at + 7, NO_CARD)
        write_word(words, at + 8, NO_SEAT)
        write_word(words, at + 9, NO_CARD)
    else:
        option = table.options[table.answer]
        write_word(words, at + 4, table.card)
        write_word(words, at + 6, int(option.seat))
        write_word(words, at + 7, int(option.card))
        write_word(words, at + 8, int(option.with_seat))
        write_word(words, at + 9, int(option.with_card))
    write_word(words, at + 10, line_score(table, seat))
    write_word(words, at + 11, float(bust_probability(table, seat, SEEN)))


def observe(table: Any, seat: int) -> int:
    """Note an event; the observer of a table."""
    words = table.observer_data
    if table.event == EVENT_DECISION:
        if read_word(words, 2) != 0:
            _note_decision(table, words, seat)
    elif table.event == EVENT_ROUND and read_word(words, 0) != 0:
        _note_round(table, words)
    return 0
