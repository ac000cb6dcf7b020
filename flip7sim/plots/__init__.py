
Each function takes a frame with documented columns and returns a matplotlib figure; nothing is
computed but where the ink goes. `save_figure` writes it as SVG and PNG, the same bytes each time.
"""

from __future__ import annotations

from flip7sim.plots.curve import curve
from flip7sim.plots.style import PALETTE, figure_bytes, save_figure

