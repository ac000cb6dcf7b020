"""Results show themselves: in a console as the command prints them, in a notebook as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import flip7sim as f7

SMALL: dict[str, Callable[[], Any]] = {
    "simulate": lambda: f7.simulate(["score:25", "cards:4"], rounds=500, seed=3),
    "versus": lambda: f7.versus("gain", "score:27", against=["score:25"], rounds=500, games=50),
    "games": lambda: f7.games(["score:25", "gain"], games=50, seed=3),
    "sweep": lambda: f7.sweep("score", values=[20, 25], rounds=500, seed=3),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_result_prints_its_table_its_answer_and_its_notes(name: str) -> None:
    result = SMALL[name]()
    text = " ".join(repr(result).split())
    for part in (*result.shown.columns, result.answer(), *result.notes()):
        assert " ".join(str(part).split()) in text
    assert "histogram" not in text and "array(" not in text


@pytest.mark.parametrize("name", SMALL)
def test_a_notebook_gets_a_table_and_no_raw_text(name: str) -> None:
    result = SMALL[name]()
    shown = result._repr_html_()
    assert shown.count("<tr") == len(result.shown) + 1
    assert result.notes()[0].split(".")[0] in shown
    assert "'" not in shown.split("<small>")[1]  # escaped
