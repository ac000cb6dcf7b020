"""Expected points against a parameter of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flip7sim.plots.style import (
    GRID,
    INK,
    SOFT_INK,
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
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ("parameter", "value", "low", "high")


def curve(
    frame: pd.DataFrame,
    *,
    x_label: str = "Stay when the line is worth … points or more",
    y_label: str = "Expected points per round",
    group_label: str = "{}",
    title: str | None = None,
    notes: Sequence[str] = (),
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Draw a value against a parameter, one line a group, with a band for the interval.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a point, with the columns

        - ``parameter``: the value on the horizontal axis;
        - ``value``, ``low``, ``high``: the estimate and its interval, nan where unknown;
        - ``group`` (optional): what the line stands for, the number of players say;
        - ``best`` (optional, bool): marked by a dot and its parameter;
        - ``tied`` (optional, bool): not told apart from the best, marked by a broad stroke.
    x_label, y_label : str
        With units.
    group_label : str
        How a group is named, such as ``"{} players"``.
    title : str, optional
    notes : sequence of str
        Small print: assumptions, number of rounds, how intervals were made.
    limits : tuple of float, optional
        Ends of the vertical axis; fitted to the data if not given.

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
            if name is not None:
                last = rows.iloc[-1]
                text = group_label.format(name)
                ends.append((float(last["parameter"]), float(last["value"]), text, color))
        axes.margins(x=0.02, y=0.06)
        if limits is not None:
            axes.set_ylim(*limits)
        _label_lines(axes, ends)
        _explain_marks(axes, frame)
    return figure


def _draw_line(axes: Axes, rows: pd.DataFrame, color: str, dashes: Any, *, zorder: int) -> None:
    x, value = rows["parameter"].to_numpy(float), rows["value"].to_numpy(float)
    low, high = rows["low"].to_numpy(float), rows["high"].to_numpy(float)
    axes.fill_between(x, low, high, color=color, alpha=0.25, linewidth=0, zorder=2)
    axes.plot(x, value, color=color, linestyle=dashes, linewidth=1.6, zorder=zorder)
    if "tied" in rows.columns:
        tied = rows["tied"].to_numpy(bool)
        stroke = {"linewidth": 7.0, "alpha": 0.3, "zorder": 2.5}
        # Gaps where an arm in between is told apart: a nan lifts the pen.
        held = value.copy()
        held[~tied] = float("nan")
        axes.plot(x, held, color=color, marker="", **stroke)
        alone = tied.copy()  # a stroke of a single point has no length
        alone[1:] &= ~tied[:-1]
        alone[:-1] &= ~tied[1:]
        axes.plot(x[alone], value[alone], "o", color=color, ms=7.0, mew=0, alpha=0.3, zorder=2.5)
    if "best" in rows.columns:
        for row in rows[rows["best"].to_numpy(bool)].to_dict("records"):
            spot = (float(row["parameter"]), float(row["value"]))
            axes.plot(*spot, "o", color=color, ms=6.5, mec="white", mew=1.2, zorder=zorder + 20)
            axes.annotate(
                f"{row['parameter']:g}",
                spot,
                xytext=(0, 6),
                textcoords="offset points",
                ha="center",
                fontsize=8.5,
                fontweight="bold",
                color=color,
                zorder=zorder + 20,
            )


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
            },
        )
    axes.set_xlim(right=right + 0.01 * (right - axes.get_xlim()[0]))


def _explain_marks(axes: Axes, frame: pd.DataFrame) -> None:
    from matplotlib.lines import Line2D

    marks: list[Line2D] = []
    if "best" in frame.columns:
        marks.append(
            Line2D([], [], marker="o", ls="", color=INK, mec="white", mew=1.2, ms=6.5, label="best")
        )
    if "tied" in frame.columns:
        marks.append(
            Line2D([], [], color=INK, lw=7.0, alpha=0.3, label="not told apart from the best")
        )
    if not frame["low"].isna().all():
        marks.append(Line2D([], [], color=INK, lw=4.0, alpha=0.25, label="interval"))
    if marks:
        axes.legend(
            handles=marks,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=len(marks),
            borderaxespad=0.35,
            handlelength=1.4,
            columnspacing=1.4,
            fontsize=8.0,
            labelcolor=SOFT_INK,
        )
