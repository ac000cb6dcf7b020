"""Points and intervals one below the other: comparisons at a glance."""

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
    new_figure,
    require_columns,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ("label", "value", "low", "high")
ROW = 0.27
"""Height of a row in inches."""


def intervals(
    frame: pd.DataFrame,
    *,
    x_label: str,
    reference: float | None = 0.0,
    sides: tuple[str, str] | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
) -> Figure:
    """Draw estimates as points with their 95 % intervals, one row each (a forest plot).

    Parameters
    ----------
    frame : pandas.DataFrame
        One row an estimate, drawn from the top down, with the columns

        - ``label``: written to the left;
        - ``value``, ``low``, ``high``: the estimate and its interval; an unknown end (nan) leaves
          the point alone, an unknown value leaves the row empty;
        - ``section`` (optional): a heading over the rows that share it;
        - ``group`` (optional): told apart by colour and explained above;
        - ``text`` (optional): written to the right, the estimate in figures say;
        - ``exact`` (optional): the exact value beside the estimate, an open diamond.
    x_label : str
        With units.
    reference : float, optional
        Where a vertical line stands; None draws none.
    sides : tuple of str, optional
        What a point left and right of the reference means, such as ``("B is better",
        "A is better")``.
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
    >>> rows = {"label": ["gain", "score:25"], "value": [0.3, 0], "low": [0.2, 0], "high": [0.4, 0]}
    >>> figure = intervals(pd.DataFrame(rows), x_label="Points per round")
    >>> [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    ['gain', 'score:25']
    """
    require_columns(frame, COLUMNS, "plot of intervals")
    groups = [name for name, _ in groups_of(frame)] if "group" in frame.columns else []
    heights, headings = _places(frame)
    with house_style():
        highest = (headings[0][1] if headings else heights[0]) + 0.65
        lowest = heights[-1] - 0.65
        room = (
            0.55 + (0.25 if groups or "exact" in frame.columns else 0.0) + (0.2 if sides else 0.0)
        )
        height = ROW * (highest - lowest) + room
        figure = new_figure(height, title=title, notes=[*notes, _bars(frame)])
        axes = figure.subplots()
        axes.set_xlabel(x_label)
        axes.grid(axis="x", color=GRID)
        for row, y in zip(frame.to_dict("records"), heights, strict=True):
            color = group_style(groups.index(row["group"]) if groups else 0)[0]
            _draw_row(axes, row, y, color)
        axes.set_yticks(heights, [str(label) for label in frame["label"]])
        for heading, y in headings:
            axes.annotate(
                heading,
                (0.0, y),
                xycoords=axes.get_yaxis_transform(),
                xytext=(-3.5, 0.0),
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize=9.0,
                fontweight="bold",
                annotation_clip=False,
            )
        axes.margins(x=0.06)
        axes.set_ylim(lowest, highest)
        if reference is not None:
            axes.axvline(reference, color=SOFT_INK, linewidth=1.0, zorder=1.5)
        if reference is not None and sides is not None:
            _name_sides(axes, reference, sides)
        _explain(axes, groups, exact="exact" in frame.columns, above=sides is not None)
        return finish(figure)


def _bars(frame: pd.DataFrame) -> str:
    """Return what bars and figures are."""
    texts = frame["text"].astype(str) if "text" in frame.columns else frame["label"]
    error = "; ± is one standard error" if texts.str.contains("±").any() else ""
    return f"Bars are 95 % intervals{error}."


def _places(frame: pd.DataFrame) -> tuple[list[float], list[tuple[str, float]]]:
    """Return the height of every row, from 0 downwards, and the headings with theirs."""
    if "section" not in frame.columns:
        return [-float(place) for place in range(len(frame))], []
    heights: list[float] = []
    headings: list[tuple[str, float]] = []
    line, before = 0.0, object()
    for section in frame["section"].tolist():
        if section != before:
            line -= 1.4 if headings else 0.0
            headings.append((str(section), line))
            before = section
        line -= 1.0
        heights.append(line)
    return heights, headings


def _draw_row(axes: Axes, row: dict[Any, Any], y: float, color: str) -> None:
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    axes.plot([low, high], [y, y], color=color, linewidth=2.2, solid_capstyle="butt", zorder=3)
    axes.plot([value], [y], "o", color=color, ms=6.0, mew=0, zorder=4)
    exact = row.get("exact")
    if exact is not None:
        axes.plot([float(exact)], [y], "D", mfc="none", mec=INK, mew=1.0, ms=7.5, zorder=5)
    text = row.get("text")
    if text is not None:
        axes.annotate(
            str(text).replace("-", "\N{MINUS SIGN}"),
            (1.02, y),
            xycoords=axes.get_yaxis_transform(),
            va="center_baseline",
            fontsize=8.5,
            annotation_clip=False,
        )


def _name_sides(axes: Axes, reference: float, sides: tuple[str, str]) -> None:
    for text, shift, side in ((f"← {sides[0]}", -6, "right"), (f"{sides[1]} →", 6, "left")):
        axes.annotate(
            text,
            (reference, 1.0),
            xycoords=axes.get_xaxis_transform(),
            xytext=(shift, 4.0),
            textcoords="offset points",
            ha=side,
            va="bottom",
            fontsize=8.0,
            color=SOFT_INK,
            annotation_clip=False,
        )


def _explain(axes: Axes, groups: Sequence[Any], *, exact: bool, above: bool) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            [], [], color=group_style(place)[0], marker="o", ms=6.0, mew=0, lw=2.2, label=str(name)
        )
        for place, name in enumerate(groups)
    ]
    if exact:
        marks.append(
            Line2D([], [], ls="", marker="D", mfc="none", mec=INK, ms=7.0, label="exact value")
        )
    if marks:
        axes.legend(
            handles=marks,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=min(len(marks), 4),
            borderaxespad=1.6 if above else 0.3,
            handlelength=1.8,
            columnspacing=1.4,
            fontsize=8.5,
        )
