"""Histograms of round scores, one panel a seat or policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flip7sim.plots.style import (
    GRID,
    INK,
    PALETTE,
    SOFT_INK,
    finish,
    groups_of,
    house_style,
    new_figure,
    require_columns,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ("score", "share")
CUT = 2.0
"""A bar at zero is cut where it is more than so many times as high as every other."""
ROOM = 1.5
"""Height of a panel over its highest bar, so that bars and words do not meet."""
FAINT = 3000.0
"""Bars of less than this fraction of a panel's height could not be seen: the axis ends before."""


def distribution(
    frame: pd.DataFrame,
    *,
    x_label: str = "Points in a round",
    y_label: str = "Share of rounds in %",
    means: Mapping[Any, float] | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw the distribution of scores, one panel a group, all on the same axes.

    The bar of the rounds that score nothing stands out in its own colour with its share in
    figures. Where it would dwarf the others it is cut, visibly, at the top of the panel.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a bar, with the columns

        - ``score``: points, whole numbers;
        - ``share``: of the group's rounds, 0 to 1;
        - ``low``, ``high`` (optional): the share's interval, drawn as a thin line;
        - ``group`` (optional): the seat or policy, written over its panel.
    x_label, y_label : str
        With units.
    means : mapping of group to float, optional
        Mean scores to mark; the key is None for a frame without groups.
    title : str, optional
    notes : sequence of str
        Small print.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> import pandas as pd
    >>> figure = distribution(pd.DataFrame({"score": [0, 20], "share": [0.3, 0.7]}))
    >>> len(figure.axes)
    1
    """
    require_columns(frame, COLUMNS, "distribution")
    panels = groups_of(frame)
    n_columns = 1 if len(panels) <= 3 else 2 if len(panels) <= 8 else 3
    n_rows = -(-len(panels) // n_columns)
    scored = frame[frame["score"] != 0]["share"]
    nothing = frame[frame["score"] == 0]["share"]
    greatest, at_zero = (100.0 * max([0.0, *shares.tolist()]) for shares in (scored, nothing))
    cut = greatest > 0.0 and at_zero > CUT * greatest
    top = ROOM * (greatest if cut else max(greatest, at_zero)) or 1.0
    visible = frame[100.0 * frame["share"] >= top / FAINT]["score"].tolist() or [0]
    with house_style():
        height = (2.9 if n_rows == 1 else 1.75 * n_rows) + 0.3
        figure = new_figure(height, title=title, notes=notes)
        grid = figure.subplots(n_rows, n_columns, sharex=True, sharey=True, squeeze=False)
        for axes, (name, part) in zip(grid.flat, panels, strict=False):
            axes.set_ylim(0.0, top)
            axes.set_xlim(min(visible) - 3.0, max(visible) + 3.0)
            axes.grid(axis="y", color=GRID)
            axes.yaxis.get_major_locator().set_params(nbins=4)
            _draw_bars(axes, part, cut=cut)
            if means is not None and name in means:
                _mark_mean(axes, float(means[name]))
            if name is not None:
                axes.set_title(str(name), loc="left", fontsize=9.5, fontweight="bold", pad=6.0)
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_visible(False)
        for axes in list(grid.flat)[max(0, len(panels) - n_columns) : len(panels)]:
            axes.tick_params(labelbottom=True)
        for place in range(n_columns):
            if grid[-1, place].get_visible():
                grid[-1, place].set_xlabel(x_label)
        for axes in grid[:, 0]:
            axes.set_ylabel(y_label, labelpad=8.0)
        return finish(figure)


def _draw_bars(axes: Axes, part: pd.DataFrame, *, cut: bool) -> None:
    score, share = part["score"].to_numpy(float), 100.0 * part["share"].to_numpy(float)
    colors = [PALETTE[1] if points == 0 else PALETTE[0] for points in score]
    axes.bar(score, share, width=0.86, color=colors, linewidth=0)
    if "low" in part.columns and "high" in part.columns:
        low, high = 100.0 * part["low"].to_numpy(float), 100.0 * part["high"].to_numpy(float)
        shown = (score != 0) if cut else (score == score)
        axes.vlines(score[shown], low[shown], high[shown], color=INK, linewidth=0.6)
    top = axes.get_ylim()[1]
    for height in share[score == 0]:
        over = height > top
        if over:  # two white strokes: the bar goes on above
            axes.plot([0.0, 0.0], [0.86 * top, 0.89 * top], "_", color="white", ms=11, mew=1.6)
        axes.annotate(
            f"{height:.1f} % score nothing",
            (0.0, min(height, top)),
            xytext=(7.0, -1.0 if over else 0.0),
            textcoords="offset points",
            va="top",
            fontsize=8.5,
            fontweight="bold",
            color=PALETTE[1],
            bbox={"color": "white", "pad": 1.0},
        )


def _mark_mean(axes: Axes, mean: float) -> None:
    axes.axvline(mean, ymax=0.78, color=INK, linewidth=1.0, linestyle=(0, (3, 2)))
    axes.annotate(
        f"mean {mean:.1f}",
        (mean, 0.78),
        xycoords=("data", "axes fraction"),
        xytext=(4.0, 0.0),
        textcoords="offset points",
        va="top",
        fontsize=8.0,
        color=SOFT_INK,
        bbox={"color": "white", "pad": 0.5},
    )
