"""Rounds played with seat 0's decisions noted, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flip7sim.observers import attach
from flip7sim.observers import bust as noted
from flip7sim.runner import RoundTask
from flip7sim.tallies import RoundTallies


@dataclass(frozen=True, kw_only=True)
class BustTallies:
    """Rounds and what `observers.bust` noted of them.

    Attributes
    ----------
    rounds : RoundTallies
    rows : ndarray of int64, shape (n_rows, N_COLUMNS)
    """

    rounds: RoundTallies
    rows: Any

    def __add__(self, other: BustTallies) -> BustTallies:
        """Add both."""
        return BustTallies(rounds=self.rounds + other.rounds, rows=self.rows + other.rows)


class BustTask(RoundTask):
    """Plays blocks of rounds, seat 0's decisions being noted (a `blocks.Task`)."""

    def empty(self) -> BustTallies:
        """Return tallies of no rounds."""
        rounds = RoundTallies.empty(self.rules, len(self.players))
        n_rows = noted.CARD_ROWS + len(rounds.scores) + noted.HAND_ROWS
        return BustTallies(rounds=rounds, rows=np.zeros((n_rows, noted.N_COLUMNS), np.int64))

    def __call__(self, first: int, count: int) -> BustTallies:  # type: ignore[override]
        """Play rounds `first` to ``first + count - 1``."""
        nothing = RoundTallies.empty(self.rules, len(self.players))
        words = noted.new_words(nothing.low, len(nothing.scores))
        attach(self._tables(self.players), noted.observe, words)
        rounds = super().__call__(first, count)
        rows = words[noted.TALLIES :].reshape(-1, noted.N_COLUMNS)
        return BustTallies(rounds=rounds, rows=rows)


def hand_name(hand: int, game: str) -> str:
    """Return the cards of a hand: ranks ascending, what protects at the end.

    Examples
    --------
    >>> hand_name(1 << 3 | 1 << 12 | 1 << 13, "base"), hand_name(1 << 13 | 1 << 14, "vengeance")
    ('3 12 second_chance', '13 lucky13')
    """
    last = ("second_chance", "") if game == "base" else ("13", "lucky13")
    names = [*(str(rank) for rank in range(13)), *last]
    return " ".join(names[bit] for bit in range(noted.HAND_BITS) if hand >> bit & 1) or "no number"
