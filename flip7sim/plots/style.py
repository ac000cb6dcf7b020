"""The house style, and how a figure becomes a file.

matplotlib is used through its objects alone: no `pyplot`, no global state, no window.
"""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from flip7sim.files import write_bytes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, told apart by every reader ("Color Universal Design", 2008). Their
yellow is left out: it cannot be read on white."""
DASHES: Final = ("-", (0, (5, 2)), (0, (1, 1.5)))
"""Line styles, the next one each time the colours are used up."""
INK: Final = "#1A1A1A"
SOFT_INK: Final = "#5C5C5C"
GRID: Final = "#E3E3E3"
WIDTH: Final = 7.2
"""Width of a figure in inches, two columns of a magazine."""
DOTS_PER_INCH: Final = 200
LINE: Final = 0.2
"""Height of a line of text in inches."""

STYLE: Final[dict[str, Any]] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so every machine draws the same
    "font.size": 9.0,
    "text.color": INK,
    "axes.edgecolor": SOFT_INK,
    "axes.labelcolor": INK,
    "axes.labelsize": 9.0,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": SOFT_INK,
    "ytick.color": SOFT_INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.major.size": 3.5,
    "ytick.major.size": 0.0,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "flip7sim",
}


@lru_cache(maxsize=1)
def _figure_class() -> type[Figure]:
    from matplotlib.figure import Figure

    class HouseFigure(Figure):
        """A figure that notebooks show in the house style, without pyplot."""

        def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
            return figure_bytes(self, "png"), {"width": round(96 * self.get_figwidth())}

    return HouseFigure


def house_style() -> Any:
    """Return the context manager that applies the house style to what is drawn inside it."""
    from matplotlib import rc_context, rcParamsDefault

    # From the defaults, so that no settings file of the user's shows in a committed figure.
    settings: dict[str, Any] = {
        key: value
        for key, value in rcParamsDefault.items()
        if not key.startswith(("backend", "interactive", "toolbar", "webagg", "datapath"))
    }
    settings.update(STYLE)
    return rc_context(cast("Any", settings))


def new_figure(height: float, *, title: str | None, notes: Sequence[str]) -> Figure:
    """Return an empty figure with its title above and its notes below the room for axes.

    Parameters
    ----------
    height : float
        Height of the room for the axes, in inches; the texts' height is added.
    title : str, optional
        What the figure shows, wrapped where it is long.
    notes : sequence of str
        Assumptions and how intervals were made, in small print.
    """
    heading = textwrap.wrap(title, 74) if title else []
    small = [line for note in notes for line in textwrap.wrap(note, 118)]
    above = 1.2 * LINE * len(heading) + (0.12 if heading else 0.0)
    below = 0.8 * LINE * len(small) + (0.1 if small else 0.0)
    total = height + above + below
    figure = _figure_class()(figsize=(WIDTH, total), layout="constrained")
    engine: Any = figure.get_layout_engine()
    engine.set(rect=(0.0, below / total, 1.0, 1.0 - (above + below) / total), w_pad=0.1, h_pad=0.06)
    if heading:
        place, text = (0.1 / WIDTH, 1.0 - 0.1 / total), "\n".join(heading)
        figure.text(*place, text, ha="left", va="top", fontsize=12.5, fontweight="bold")
    if small:
        print_style: dict[str, Any] = {"fontsize": 7.5, "color": SOFT_INK, "linespacing": 1.35}
        place, text = (0.1 / WIDTH, 0.08 / total), "\n".join(small)
        figure.text(*place, text, ha="left", va="bottom", **print_style)
    return figure


def finish(figure: Figure) -> Figure:
    """Fix the layout, and return the figure.

    Left to itself, matplotlib would adjust it again, by a hair, each time the figure is drawn. The
    last bits of what it finds are not the same in every run either, and SVG names depend on them.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(edge, 6) for edge in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))
    return figure


def label_axes(axes: Axes, x_label: str, y_label: str) -> None:
    """Write the vertical axis' label flat above it, the horizontal one's below."""
    axes.set_xlabel(x_label)
    axes.set_title(y_label, loc="left", fontsize=9.0, color=INK, pad=8.0)


def group_style(place: int) -> tuple[str, Any]:
    """Return the colour and the line style of the group at this place."""
    return PALETTE[place % len(PALETTE)], DASHES[place // len(PALETTE) % len(DASHES)]


def groups_of(frame: pd.DataFrame, column: str = "group") -> list[tuple[Any, pd.DataFrame]]:
    """Return the groups of a frame in the order of their first rows.

    A frame without the column is one group, named None.
    """
    if column not in frame.columns:
        return [(None, frame)]
    names = list(dict.fromkeys(frame[column].tolist()))
    return [(name, frame[frame[column] == name]) for name in names]


def require_columns(frame: pd.DataFrame, names: Sequence[str], figure: str) -> None:
    """Raise `ValueError` where a frame lacks a column or has no row."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise ValueError(f"a {figure} needs the columns {', '.join(missing)}")
    if len(frame) == 0:
        raise ValueError(f"a {figure} needs at least one row")


def spread_labels(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near the wanted ones, at least `gap` apart and inside the bounds.

    Labels that are too close form a block around their mean; with too many labels for the room
    the gap shrinks.

    Examples
    --------
    >>> spread_labels([1.0, 1.1, 5.0], 1.0, 0.0, 10.0)
    [0.55, 1.55, 5.0]
    """
    order = sorted(range(len(wanted)), key=lambda item: wanted[item])
    if len(order) > 1:
        gap = min(gap, (high - low) / (len(order) - 1))
    blocks: list[tuple[float, int]] = []  # first place and number of labels
    for item in order:
        blocks.append((min(max(wanted[item], low), high), 1))
        while len(blocks) > 1 and blocks[-2][0] + gap * blocks[-2][1] > blocks[-1][0] + 1e-12:
            (first, n_first), (second, n_second) = blocks[-2:]
            n_both = n_first + n_second
            middle = (first * n_first + (second - gap * n_first) * n_second) / n_both
            middle = min(max(middle, low), high - gap * (n_both - 1))
            blocks[-2:] = [(middle, n_both)]
    places = [first + gap * step for first, count in blocks for step in range(count)]
    result = [0.0] * len(order)
    for item, place in zip(order, places, strict=True):
        result[item] = place
    return result


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """Return a figure as the bytes of an SVG or PNG file, without dates or program names.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    kind : {"svg", "png"}
    """
    metadata: Mapping[str, Any] = {
        "svg": {"Date": None, "Creator": None},
        "png": {"Software": None},
    }[kind]
    buffer = io.BytesIO()
    with house_style():
        figure.savefig(buffer, format=kind, dpi=DOTS_PER_INCH, metadata=dict(metadata))
    return buffer.getvalue()


def save_figure(figure: Figure, stem: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Write a figure as ``stem.svg`` and ``stem.png``, each atomically.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    stem : path
        The files' path without a suffix.

    Returns
    -------
    tuple of pathlib.Path
        The SVG and the PNG file.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    base = Path(stem)
    # Both are drawn before either is written.
    drawn = [(kind, figure_bytes(figure, kind)) for kind in ("svg", "png")]
    first, second = (
        write_bytes(base.with_name(f"{base.name}.{kind}"), data) for kind, data in drawn
    )
    return first, second
