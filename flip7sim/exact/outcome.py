"""How a round ends: the chance of each score and of each kind of end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Outcome:
    """How a round ends, exactly.

    Attributes
    ----------
    histogram : ndarray of float64, shape (n_scores,)
        Chance of each score; busts are in the 0.
    bust, flip7, frozen : float
        Chances of these ends.
    n_reached : int
        Decision states that are reached with a chance above 0.
    """

    histogram: NDArray[np.float64]
    bust: float
    flip7: float
    frozen: float
    n_reached: int

    @property
    def mean(self) -> float:
        """Expected score."""
        return float(self.histogram @ np.arange(len(self.histogram)))

    @property
    def sd(self) -> float:
        """Standard deviation of the score."""
        deviations = np.arange(len(self.histogram)) - self.mean
        return float(np.sqrt(self.histogram @ deviations**2))

    def scores(self) -> dict[int, float]:
        """Return the chance of each score that occurs, by score."""
        return {
            int(score): float(self.histogram[score]) for score in np.flatnonzero(self.histogram)
        }

    def summary(self) -> dict[str, Any]:
        """Return everything, ready for JSON, for `from_summary`."""
        return {
            "n_scores": len(self.histogram),
            "histogram": {str(score): chance for score, chance in self.scores().items()},
            "bust": self.bust,
            "flip7": self.flip7,
            "frozen": self.frozen,
            "n_reached": self.n_reached,
        }

    @classmethod
    def from_summary(cls, summary: dict[str, Any]) -> Outcome:
        """Return the outcome that `summary` described."""
        histogram = np.zeros(int(summary["n_scores"]))
        for score, chance in summary["histogram"].items():
            histogram[int(score)] = chance
        return cls(
            histogram=histogram,
            bust=float(summary["bust"]),
            flip7=float(summary["flip7"]),
            frozen=float(summary["frozen"]),
            n_reached=int(summary["n_reached"]),
        )

    def report(self) -> dict[str, Any]:
        """Return the figures that a command prints, ready for JSON."""
        return {
            "mean": self.mean,
            "sd": self.sd,
            "bust": self.bust,
            "flip7": self.flip7,
            "frozen": self.frozen,
            "histogram": {str(score): chance for score, chance in self.scores().items()},
        }
