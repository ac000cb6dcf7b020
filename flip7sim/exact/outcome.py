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
        Chance of each score, the lowest first; busts are in the 0.
    bust, flip7, frozen : float
        Chances of these ends.
    n_reached : int
        Decision states that are reached with a chance above 0.
    low : int
        The lowest score, below 0 in Brutal mode only.
    """

    histogram: NDArray[np.float64]
    bust: float
    flip7: float
    frozen: float
    n_reached: int
    low: int = 0

    @property
    def points(self) -> NDArray[np.int64]:
        """The scores that `histogram` counts."""
        return np.arange(self.low, self.low + len(self.histogram))

    @property
    def mean(self) -> float:
        """Expected score."""
        return float(self.histogram @ self.points)

    @property
    def sd(self) -> float:
        """Standard deviation of the score."""
        deviations = self.points - self.mean
        return float(np.sqrt(self.histogram @ deviations**2))

    def scores(self) -> dict[int, float]:
        """Return the chance of each score that occurs, by score."""
        return {
            int(at) + self.low: float(self.histogram[at]) for at in np.flatnonzero(self.histogram)
        }

    def summary(self) -> dict[str, Any]:
        """Return everything, ready for JSON, for `from_summary`."""
        return {
            "low": self.low,
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
        low = int(summary["low"])
        for score, chance in summary["histogram"].items():
            histogram[int(score) - low] = chance
        return cls(
            histogram=histogram,
            bust=float(summary["bust"]),
            flip7=float(summary["flip7"]),
            frozen=float(summary["frozen"]),
            n_reached=int(summary["n_reached"]),
            low=low,
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
