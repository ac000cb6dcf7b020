"""Figures: the same bytes each time, the right marks, and no state outside themselves."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flip7sim import plots
from flip7sim.errors import InputError
from flip7sim.plots.style import spread_labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def sweep(groups: int = 2) -> pd.DataFrame:
    rows = []
    for group in range(1, groups + 1):
        for threshold in range(10, 41, 2):
            value = 20.0 - group - 0.01 * (threshold - 26) ** 2
            rows.append((f"{group} players", threshold, value, threshold == 26))
    frame = pd.DataFrame(rows, columns=["group", "parameter", "value", "best"])
    frame["low"], frame["high"] = frame["value"] - 0.2, frame["value"] + 0.2
    frame["tied"] = (frame["parameter"] - 26).abs() <= 2
    return frame


def scores(groups: int = 2) -> pd.DataFrame:
    points = np.arange(0, 60)
    share = np.exp(-((points - 25) ** 2) / 100.0)
    share[0] = 8.0
    share /= share.sum()
    return pd.concat(
        [
            pd.DataFrame({"group": f"seat {group}", "score": points, "share": share})
            for group in range(groups)
        ]
    )


def comparison() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "label": ["gain", "cards:3", "one round"],
            "value": [0.1, -0.9, 0.3],
            "low": [0.05, -1.0, math.nan],
            "high": [0.15, -0.8, math.nan],
            "section": ["base", "base", "vengeance"],
            "group": ["solitaire", "table", "table"],
            "text": ["0.10 ± 0.02", "-0.90 ± 0.05", "0.3 ± unknown"],
            "exact": [0.11, math.nan, math.nan],
        }
    )


FIGURES: dict[str, Callable[[], Figure]] = {
    "curve": lambda: plots.curve(sweep(), title="Curve", notes=["A note."]),
    "distribution": lambda: plots.distribution(scores(), means={"seat 1": 20.0}, title="Scores"),
    "intervals": lambda: plots.intervals(comparison(), x_label="points", sides=("worse", "better")),
}


@pytest.mark.parametrize("name", FIGURES)
def test_files_are_the_same_each_time_whatever_the_users_settings(
    tmp_path: Path, name: str
) -> None:
    import matplotlib

    first = plots.save_figure(FIGURES[name](), tmp_path / "new" / "v1.0")
    with matplotlib.rc_context({"font.size": 30.0, "svg.hashsalt": "other", "axes.grid": True}):
        second = plots.save_figure(FIGURES[name](), tmp_path / "again")
    assert [path.name for path in first] == ["v1.0.svg", "v1.0.png"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
    svg, png = (path.read_bytes() for path in first)
    assert png.startswith(b"\x89PNG") and b"Software" not in png and b"tIME" not in png
    assert b"<dc:date>" not in svg and b"matplotlib.org" not in svg.lower().split(b"<g ")[-1]
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"v1.0.svg", "v1.0.png"}


@pytest.mark.parametrize("name", FIGURES)
def test_the_last_bits_of_the_layout_do_not_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    found = ConstrainedLayoutEngine.execute

    def shaken(self: ConstrainedLayoutEngine, figure: Figure) -> None:
        found(self, figure)
        for axes in figure.axes:
            left, bottom, width, height = axes.get_position().bounds
            axes.set_position((left + 1e-13, bottom - 1e-13, width + 1e-13, height))

    first = plots.save_figure(FIGURES[name](), tmp_path / "one")
    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", shaken)
    again = plots.save_figure(FIGURES[name](), tmp_path / "two")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]


def test_drawing_leaves_no_state_behind() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    plots.figure_bytes(FIGURES["intervals"](), "svg")
    assert dict(matplotlib.rcParams) == before
    program = (
        "import sys, pandas as pd; from flip7sim import plots; "
        "f = plots.intervals(pd.DataFrame({'label': ['a'], 'value': [1], 'low': [0], "
        "'high': [2]}), x_label='x'); plots.figure_bytes(f, 'png'); "
        "print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"


def test_a_curve_names_its_lines_and_axes_and_marks_the_best() -> None:
    figure = plots.curve(sweep(3), x_label="threshold in points", y_label="points per round")
    (axes,) = figure.axes
    assert axes.get_xlabel() == "threshold in points"
    assert axes.get_title(loc="left") == "points per round"
    names = [text.get_text() for text in axes.texts]
    assert names == [f"{group} players, best 26" for group in (1, 2, 3)]
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1]
    assert [list(line.get_xdata()) for line in dots] == [[26.0]] * 3
    thick = [line for line in axes.lines if line.get_linewidth() > 4]
    for line in thick:
        drawn = np.asarray(line.get_xdata())[~np.isnan(np.asarray(line.get_ydata(), float))]
        assert drawn.tolist() == [24.0, 26.0, 28.0]
    assert len(axes.collections) == 3  # a band a group
    assert len({line.get_color() for line in thick}) == 3


def test_a_curve_without_groups_names_its_best_point() -> None:
    figure = plots.curve(sweep(1).drop(columns="group"))
    assert [text.get_text() for text in figure.axes[0].texts] == ["26"]


@pytest.mark.parametrize("rows", [1, 2])
def test_a_curve_of_few_points_with_unknown_errors_is_drawn(rows: int) -> None:
    frame = sweep(1).iloc[8 : 8 + rows].assign(low=math.nan, high=math.nan)
    assert plots.figure_bytes(plots.curve(frame), "png").startswith(b"\x89PNG")


def test_more_groups_than_colours_differ_by_their_dashes() -> None:
    figure = plots.curve(sweep(9)[["group", "parameter", "value", "low", "high"]])
    styles = {(line.get_color(), line.get_linestyle()) for line in figure.axes[0].lines}
    assert len(styles) == 9


def test_a_zero_that_would_dwarf_the_scores_is_cut_and_told() -> None:
    figure = plots.distribution(scores())
    for axes in figure.axes:
        zero = next(bar for bar in axes.patches if abs(bar.get_x() + bar.get_width() / 2) < 0.01)
        assert zero.get_height() > axes.get_ylim()[1]
        assert axes.texts[0].get_text() == f"{zero.get_height():.1f} % score nothing"
    # The bars below add up to 100 %: the cut is in the view, not in the data.
    assert sum(bar.get_height() for bar in figure.axes[0].patches) == pytest.approx(100.0)


@pytest.mark.parametrize("groups", [1, 5, 10])
def test_any_number_of_panels(groups: int) -> None:
    figure = plots.distribution(scores(groups))
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in shown] == [f"seat {k}" for k in range(groups)]


@pytest.mark.parametrize("points", [[0], [15], [-15, 0]])
def test_distributions_of_a_single_score(points: list[int]) -> None:
    frame = pd.DataFrame({"score": points, "share": 1.0 / len(points), "low": 0.1, "high": 1.0})
    assert plots.figure_bytes(plots.distribution(frame), "png").startswith(b"\x89PNG")


def test_intervals_stand_from_the_top_down_under_their_headings() -> None:
    (axes,) = FIGURES["intervals"]().axes
    heights = axes.get_yticks().tolist()
    assert heights == sorted(heights, reverse=True) and len(set(heights)) == 3
    texts = [text.get_text() for text in axes.texts]
    assert {"base", "vengeance", "0.3 ± unknown", "← worse", "better →"} <= set(texts)
    bottom, top = axes.get_ylim()
    assert all(bottom < height < top for height in heights)
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["solitaire", "table", "exact value"]


@pytest.mark.parametrize(
    "draw",
    [plots.curve, plots.distribution, lambda frame: plots.intervals(frame, x_label="points")],
    ids=["curve", "distribution", "intervals"],
)
def test_a_frame_that_lacks_columns_or_rows_is_refused(
    draw: Callable[[pd.DataFrame], Figure],
) -> None:
    with pytest.raises(ValueError, match="needs the columns"):
        draw(pd.DataFrame({"other": [1]}))
    for frame in (sweep(), scores(), comparison()):
        if not set(frame.columns).isdisjoint({"parameter", "share", "label"}):
            with pytest.raises(ValueError, match="needs"):
                draw(frame.iloc[:0])


def test_an_unwritable_place_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(InputError, match="cannot write to"):
        plots.save_figure(FIGURES["intervals"](), tmp_path / "file" / "figure")


def test_notebooks_show_the_figure_without_pyplot() -> None:
    figure = FIGURES["curve"]()
    data, size = figure._repr_png_()  # type: ignore[attr-defined]
    assert data == plots.figure_bytes(figure, "png")  # however often it is drawn
    assert size == {"width": round(96 * figure.get_figwidth())}


@given(st.lists(st.floats(0, 10), max_size=12))
def test_labels_are_spread_in_order_and_inside(wanted: list[float]) -> None:
    places = spread_labels(wanted, 0.7, 0.0, 10.0)
    assert all(-1e-9 <= place <= 10 + 1e-9 for place in places)
    ordered = sorted(range(len(wanted)), key=lambda item: wanted[item])
    gaps = np.diff([places[item] for item in ordered])
    assert (gaps >= 0.7 - 1e-9).all()


def test_labels_with_room_stay_where_they_are() -> None:
    assert spread_labels([9.0, 1.0, 5.0], 1.0, 0.0, 10.0) == [9.0, 1.0, 5.0]
