"""Notes seat 0's decisions to hit or stay, and sums them up by situation when the round is over.

A round is a cluster: what is added up for a situation are sums over the decisions of one round, and
their products, from which errors come. Words of the array:

    0            decisions noted in this round
    1            the one whose card is awaited, -1 for none
    2, 3         lowest score and number of scores
    4 …          decisions: `N_NOTES` words each, room for `MAX_POINTS`
    TALLIES …    `N_COLUMNS` words a row: `CARD_ROWS` rows by number of number cards, then a row a
                 score, then `HAND_ROWS` rows by hand
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper, read_word, write_word
from flip7sim.cards import KIND, LUCKY13
from flip7sim.lines import line_score
from flip7sim.readings import SEEN, bust_probability, busts
from flip7sim.table import (
    ASK_HIT_OR_STAY,
    BASE,
    BUSTED,
    EVENT_DECISION,
    EVENT_FLIP,
    EVENT_ROUND,
)

UNIT: Final = 1 << 24
"""What the probability 1 counts: probabilities are rounded to whole units."""
LIMB: Final = 30
_LOW: Final = (1 << LIMB) - 1

CARD_ROWS: Final = 16
HAND_BITS: Final = 15
"""Bits 0 to 12: ranks in the line. Base: bit 13 a Second Chance. Vengeance: 13, lucky13."""
HAND_ROWS: Final = 1 << HAND_BITS
GROUPINGS: Final = ("cards", "score", "hand")

MAX_POINTS: Final = 2048
"""More decisions than a round has flips."""
N_NOTES: Final = 6
_AWAITED: Final = 1
_LOWEST: Final = 2
_N_SCORES: Final = 3
_NOTES: Final = 4
TALLIES: Final = _NOTES + MAX_POINTS * N_NOTES

(
    ROUNDS,  # rounds in which the situation occurs
    CHOICES, CHOICES_SQUARED,  # decisions
    CHANCE,  # their chances that the next card busts, in units
    CHANCE_SQUARED, CHANCE_SQUARED_HIGH,
    CHANCE_CHOICES, CHANCE_CHOICES_HIGH,
    HIT_ROUNDS,  # rounds with a hit in the situation
    HITS, HITS_SQUARED,
    HIT_CHANCE,  # chances of the hits alone, in units
    BUSTED_NEXT, BUSTED_SQUARED, BUSTED_HITS,  # hits whose card bust
    ENDS, ENDS_CHOICES,  # decisions of rounds that ended in a bust
) = range(17)  # fmt: skip
N_COLUMNS: Final = 17
_SEAT: Final = 0
_THIRTEEN: Final = KIND["13"]


def n_words(n_scores: int) -> int:
    """Return how many words the array has."""
    return TALLIES + (CARD_ROWS + n_scores + HAND_ROWS) * N_COLUMNS


def new_words(low: int, n_scores: int) -> Any:
    """Return an array for tables whose scores are `low` and the `n_scores` - 1 above it."""
    import numpy as np

    words = np.zeros(n_words(n_scores), np.int64)
    words[_AWAITED] = -1
    words[_LOWEST] = low
    words[_N_SCORES] = n_scores
    return words


@helper
def _hand(table: Any) -> int:
    hand: int = table.held[_SEAT] & 0x1FFF
    if table.game == BASE:
        if table.n_second_chances[_SEAT] != 0:
            hand |= 1 << 13
    else:
        if table.line[_SEAT, _THIRTEEN] != 0:
            hand |= 1 << 13
        if table.line[_SEAT, LUCKY13] != 0:
            hand |= 1 << 14
    return hand


@helper
def _note_decision(table: Any, words: Any) -> None:
    n = read_word(words, 0)
    if n >= MAX_POINTS:
        return
    note = _NOTES + n * N_NOTES
    n_scores = read_word(words, _N_SCORES)
    score = line_score(table, _SEAT) - read_word(words, _LOWEST)
    score = min(max(score, 0), n_scores - 1)
    hit = 1 if table.answer == 0 else 0
    chance = int(bust_probability(table, _SEAT, SEEN) * UNIT + 0.5)
    write_word(words, note, min(table.n_numbers[_SEAT], CARD_ROWS - 1))
    write_word(words, note + 1, CARD_ROWS + score)
    write_word(words, note + 2, CARD_ROWS + n_scores + _hand(table))
    write_word(words, note + 3, chance)
    write_word(words, note + 4, hit)
    write_word(words, note + 5, 0)
    write_word(words, 0, n + 1)
    if hit == 1:
        write_word(words, _AWAITED, n)


@helper
def _add(words: Any, at: int, amount: int) -> None:
    write_word(words, at, read_word(words, at) + amount)


@helper
def _add_product(words: Any, at: int, product: int) -> None:
    _add(words, at, product & _LOW)
    _add(words, at + 1, product >> LIMB)


@helper
def _add_row(words: Any, row: int, n: int, first: int, place: int, ended: int) -> None:
    """Add a round's decisions in one situation; `first` is the first of them."""
    choices = 0
    chance = 0
    hits = 0
    hit_chance = 0
    busted = 0
    for i in range(first, n):
        note = _NOTES + i * N_NOTES
        if read_word(words, note + place) == row:
            hit = read_word(words, note + 4)
            choices += 1
            chance += read_word(words, note + 3)
            hits += hit
            hit_chance += hit * read_word(words, note + 3)
            busted += read_word(words, note + 5)
    at = TALLIES + row * N_COLUMNS
    _add(words, at + ROUNDS, 1)
    _add(words, at + CHOICES, choices)
    _add(words, at + CHOICES_SQUARED, choices * choices)
    _add(words, at + CHANCE, chance)
    _add_product(words, at + CHANCE_SQUARED, chance * chance)
    _add_product(words, at + CHANCE_CHOICES, chance * choices)
    if hits > 0:
        _add(words, at + HIT_ROUNDS, 1)
        _add(words, at + HITS, hits)
        _add(words, at + HITS_SQUARED, hits * hits)
        _add(words, at + HIT_CHANCE, hit_chance)
        _add(words, at + BUSTED_NEXT, busted)
        _add(words, at + BUSTED_SQUARED, busted * busted)
        _add(words, at + BUSTED_HITS, busted * hits)
    if ended != 0:
        _add(words, at + ENDS, choices)
        _add(words, at + ENDS_CHOICES, choices * choices)


@helper
def _close_round(table: Any, words: Any) -> None:
    n = read_word(words, 0)
    ended = 1 if table.status[_SEAT] == BUSTED else 0
    for place in range(3):
        for i in range(n):
            row = read_word(words, _NOTES + i * N_NOTES + place)
            seen = False
            for j in range(i):
                if read_word(words, _NOTES + j * N_NOTES + place) == row:
                    seen = True
            if not seen:
                _add_row(words, row, n, i, place, ended)
    write_word(words, 0, 0)
    write_word(words, _AWAITED, -1)


def observe(table: Any, seat: int) -> int:
    """Note an event; the observer of a table."""
    words = table.observer_data
    awaited = read_word(words, _AWAITED)
    if awaited >= 0:
        # A hit that no card answers (deck and discard pile are empty) became a stay.
        if table.event == EVENT_FLIP and busts(table, _SEAT, table.card):
            write_word(words, _NOTES + awaited * N_NOTES + 5, 1)
        write_word(words, _AWAITED, -1)
    if table.event == EVENT_DECISION:
        if seat == _SEAT and table.ask == ASK_HIT_OR_STAY:
            _note_decision(table, words)
    elif table.event == EVENT_ROUND:
        _close_round(table, words)
    return 0
