"""Expected points against a parameter of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flip7sim.plots.style import (
    GRID,
    INK,
    SOFT_INK,
    finish,
    group_style,
    groups_of,
    house_style,
    label_axes,
    new_figure,
    require_columns,
    spread_labels,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ("parameter", "value", "low", "high")
THICK = 4.2
"""Width of the line over tied points, in printer's points."""


def curve(
    frame: pd.DataFrame,
    *,
    x_label: str = "Stay when the line is worth … points or more",
    y_label: str = "Expected points per round",
    title: str | None = None,
    notes: Sequence[str] = (),
    limits: tuple[float, float] | None = None,
    band: str = "95 % interval",
) -> Figure:
    """Draw a value against a parameter, one line a group, with a band for the interval.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a point, with the columns

        - ``parameter``: the value on the horizontal axis;
        - ``value``, ``low``, ``high``: the estimate and its interval, nan where unknown;
        - ``group`` (optional): what the line stands for, ``"2 players"`` say, written at its end;
        - ``best`` (optional, bool): marked by a dot, its parameter written beside;
        - ``tied`` (optional, bool): not told apart from the best, marked by a thicker line.
    x_label, y_label : str
        With units.
    title : str, optional
    notes : sequence of str
        Small print: assumptions, number of rounds, how intervals were made.
    limits : tuple of float, optional
        Ends of the vertical axis; fitted to the data if not given.
    band : str
        What the band from `low` to `high` is.

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
    >>> figure = curve(
    ...     pd.DataFrame(
    ...         {"parameter": [20, 25], "value": [18, 19], "low": [17, 18], "high": [19, 20]}
    ...     )
    ... )
    >>> figure.axes[0].get_title(loc="left")
    'Expected points per round'
    """
    require_columns(frame, COLUMNS, "curve")
    with house_style():
        figure = new_figure(3.7, title=title, notes=notes)
        axes = figure.subplots()
        label_axes(axes, x_label, y_label)
        axes.grid(axis="y", color=GRID)
        ends: list[tuple[float, float, str, str]] = []
        for place, (name, part) in enumerate(groups_of(frame)):
            rows = part.sort_values("parameter", kind="stable")
            color, dashes = group_style(place)
            _draw_line(axes, rows, color, dashes, zorder=3 + place)
            best = _draw_best(axes, rows, color, zorder=30 + place, named=name is None)
            if name is not None:
                last = rows.iloc[-1]
                text = f"{name}, best {best}" if best else str(name)
                ends.append((float(last["parameter"]), float(last["value"]), text, color))
        axes.margins(x=0.02, y=0.06)
        if limits is not None:
            axes.set_ylim(*limits)
        _label_lines(axes, ends)
        _explain_marks(figure, axes, frame, band)
        return finish(figure)


def _draw_line(axes: Axes, rows: pd.DataFrame, color: str, dashes: Any, *, zorder: int) -> None:
    x, value = rows["parameter"].to_numpy(float), rows["value"].to_numpy(float)
    low, high = rows["low"].to_numpy(float), rows["high"].to_numpy(float)
    axes.fill_between(x, low, high, color=color, alpha=0.25, linewidth=0, zorder=2)
    axes.plot(x, value, color=color, linestyle=dashes, linewidth=1.6, zorder=zorder)
    if "tied" in rows.columns:
        tied = rows["tied"].to_numpy(bool)
        # Gaps where an arm in between is told apart: a nan lifts the pen.
        held = value.copy()
        held[~tied] = float("nan")
        axes.plot(x, held, color=color, linewidth=THICK, zorder=zorder)
        alone = tied.copy()  # a stroke of a single point has no length
        alone[1:] &= ~tied[:-1]
        alone[:-1] &= ~tied[1:]
        axes.plot(x[alone], value[alone], "o", color=color, ms=THICK, mew=0, zorder=zorder)


def _draw_best(axes: Axes, rows: pd.DataFrame, color: str, *, zorder: int, named: bool) -> str:
    """Mark the best points, and return their parameters as text."""
    if "best" not in rows.columns:
        return ""
    chosen = rows[rows["best"].to_numpy(bool)]
    x, value = chosen["parameter"].to_numpy(float), chosen["value"].to_numpy(float)
    axes.plot(x, value, "o", color=color, ms=7.5, mec="white", mew=1.3, zorder=zorder)
    names = [f"{parameter:g}" for parameter in x]
    for name, *spot in zip(names, x, value, strict=True):
        if named:
            axes.annotate(
                name,
                (spot[0], spot[1]),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=9.0,
                fontweight="bold",
                color=color,
                zorder=zorder,
            )
    return ", ".join(names)


def _label_lines(axes: Axes, ends: Sequence[tuple[float, float, str, str]]) -> None:
    """Name the lines at their right ends, moved apart where they would overlap."""
    if not ends:
        return
    low, high = axes.get_ylim()
    right = max(x for x, _, _, _ in ends)
    places = spread_labels([y for _, y, _, _ in ends], 0.055 * (high - low), low, high)
    for (x, y, text, color), place in zip(ends, places, strict=True):
        axes.annotate(
            text,
            (x, y),
            xytext=(1.035, place),
            textcoords=axes.get_yaxis_transform(),
            va="center",
            fontsize=8.5,
            fontweight="bold",
            color=color,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": color,
                "linewidth": 0.6,
                "alpha": 0.6,
                "shrinkA": 2.0,
                "shrinkB": 2.0,
                "relpos": (0.0, 0.5),
            },
        )
    axes.set_xlim(right=right + 0.01 * (right - axes.get_xlim()[0]))


def _explain_marks(figure: Figure, axes: Axes, frame: pd.DataFrame, band: str) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.transforms import blended_transform_factory

    marks: list[Artist] = []
    if "best" in frame.columns:
        marks.append(
            Line2D([], [], marker="o", ls="", color=INK, mec="white", ms=7.5, label="best")
        )
    if "tied" in frame.columns:
        marks.append(Line2D([], [], color=INK, lw=THICK, label="not told apart from the best"))
    if not frame["low"].isna().all():
        marks.append(Patch(color=INK, lw=0, alpha=0.25, label=band))
    if marks:
        # At the figure's edge, out of the layout's sums: names of lines may narrow the axes.
        place = blended_transform_factory(figure.transFigure, axes.transAxes)
        legend = axes.legend(
            handles=marks,
            loc="lower right",
            bbox_to_anchor=(0.99, 1.0),
            bbox_transform=place,
            ncols=len(marks),
            borderaxespad=0.35,
            handlelength=1.4,
            columnspacing=1.4,
            fontsize=8.0,
            labelcolor=SOFT_INK,
        )
        legend.set_in_layout(False)
