"""Figures in one house style: curves over a parameter, distributions of scores, intervals.

Each function takes a frame with documented columns and returns a matplotlib figure; nothing is
computed but where the ink goes. `save_figure` writes it as SVG and PNG, the same bytes each time.
"""

from __future__ import annotations

from flip7sim.plots.curve import curve
from flip7sim.plots.distribution import distribution
from flip7sim.plots.intervals import intervals
from flip7sim.plots.style import PALETTE, figure_bytes, save_figure

__all__ = ["PALETTE", "curve", "distribution", "figure_bytes", "intervals", "save_figure"]
