"""Tail states that differ in name only, merged: a fifth to a quarter of those of the whole deck.

Behind a Freeze that waits, it no longer matters whether a Flip Three or another Freeze is set
aside, only that a card more has left the deck. Two tails may be merged when the same number of
cards has been flipped and, class by class of the merged tails, as many cards lead from the one as
from the other (Kemeny and Snell 1960, lumpable chains). Decisions are never merged.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from flip7sim.exact.tails import Tails


def _classes(tails: Tails) -> NDArray[np.int64]:
    """Return the class of each tail, the coarsest that tells apart all that must be."""
    moves = (
        (tails.chances_left, tails.on_chance),
        (tails.flip_threes_left, tails.on_flip_three),
        (tails.freezes_left, tails.on_freeze),
        (tails.inert_left, tails.on_inert),
    )
    n_tails = len(tails.states)
    own: list[tuple[int, ...]] = [
        # The two ends are told apart from each other and from all others.
        (min(index - 2, 0), tails.decision[index], tails.n_cards[index], tails.used[index])
        for index in range(n_tails)
    ]
    classes, n_classes = _numbered(own), 0
    while n_classes < max(classes) + 1:  # those told apart stay so; until no more are
        n_classes = max(classes) + 1
        signatures: list[object] = []
        for index in range(n_tails):
            cards: dict[int, int] = {}
            for left, following in moves:
                if left[index]:
                    to = classes[following[index]]
                    cards[to] = cards.get(to, 0) + int(left[index])
            signatures.append(
                (
                    classes[index],
                    classes[tails.neutral[index]],
                    classes[tails.on_duplicate[index]],
                    tuple(sorted(cards.items())),
                )
            )
        classes = _numbered(signatures)
    return np.array(classes, np.int64)


def _numbered(signatures: list[object] | list[tuple[int, ...]]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(signature, len(numbers)) for signature in signatures]


def merge_tails(tails: Tails) -> Tails:
    """Return the same automaton with one tail, the first, for each class of equal ones.

    Examples
    --------
    >>> from flip7sim.exact.tails import build_tails
    >>> tails = build_tails(second_chances=3, flip_threes=3, freezes=3, inert=0)
    >>> len(tails.states), len(merge_tails(tails).states), len(merge_tails(tails).decisions)
    (808, 603, 52)
    """
    classes = _classes(tails)
    _, kept = np.unique(classes, return_index=True)
    kept = np.sort(kept)
    # Classes hold tails of one number of cards, by which tails are sorted: a transition by one of
    # those cards still leads to a smaller index.
    new = np.empty(len(kept), np.int64)
    new[classes[kept]] = np.arange(len(kept))
    moved = {"neutral", "on_duplicate", "on_chance", "on_flip_three", "on_freeze", "on_inert"}
    columns: dict[str, NDArray[np.int64]] = {}
    for field in fields(tails):
        if field.name in ("states", "decisions", "start"):
            continue
        column = getattr(tails, field.name)[kept]
        columns[field.name] = new[classes[column]] if field.name in moved else column
    return replace(
        tails,
        states=tuple(tails.states[index] for index in kept),
        decisions=new[classes[tails.decisions]],
        start=int(new[classes[tails.start]]),
        **columns,
    )
