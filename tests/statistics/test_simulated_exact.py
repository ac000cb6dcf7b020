"""Simulated against exact, and mirror tables: equal players fare equally."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import flip7sim as f7
from flip7sim.cards import DECKS
from flip7sim.policies import player
from flip7sim.rules import Rules
from flip7sim.runner import play_rounds

NUMBERS = Rules(deck="numbers")
ROUNDS = 2_000_000
SCORE_23, SCORE_23_BUSTS = 18.5212257206, 0.3131734056
CARDS_3 = 17.6636528029
NEVER_FLIP7 = 1755667 / 20271005


def deviations(value: float, exact: float, error: float) -> float:
    """Return by how many standard errors a simulated value misses the exact one."""
    return abs(value - exact) / error


def binomial_error(probability: float) -> float:
    return float(np.sqrt(probability * (1 - probability) / ROUNDS))


def solitaire(spec: str, seed: int = 11) -> Any:
    return f7.simulate([spec], rules=NUMBERS, rounds=ROUNDS, seed=seed).seats[0]


def test_score_23_solitaire() -> None:
    seat = solitaire("score:23")
    mean = seat.summary.mean
    assert mean.se < 0.015  # so that four of them tell apart what matters
    assert deviations(mean.value, SCORE_23, mean.se) < 4
    assert deviations(seat.bust.value, SCORE_23_BUSTS, binomial_error(SCORE_23_BUSTS)) < 4


def test_cards_3_solitaire() -> None:
    mean = solitaire("cards:3").summary.mean
    assert deviations(mean.value, CARDS_3, mean.se) < 4


def test_never_solitaire_reaches_flip7() -> None:
    assert round(NEVER_FLIP7, 10) == 0.0866097660
    seat = solitaire("never")
    assert deviations(seat.flip7.value, NEVER_FLIP7, binomial_error(NEVER_FLIP7)) < 4
    assert seat.flip7.value + seat.bust.value == pytest.approx(1, abs=1e-12)


def with_replacement(threshold: int) -> float:
    """Return the exact mean score of `score:threshold` if every card were put back."""
    counts = DECKS["base"][:13]
    whole = sum(counts)

    def mean(held: frozenset[int], points: int) -> float:
        if points >= threshold and held:
            return points
        total = 0.0
        for number, count in enumerate(counts):
            if number not in held:
                total += count / whole * mean(held | {number}, points + number)
        return total

    return mean(frozenset(), 0)


def test_the_comparison_would_notice_cards_put_back() -> None:
    """Drawing with replacement, a common mistake, is 0.9 points off: sixty standard errors."""
    wrong = with_replacement(23)
    assert SCORE_23 - wrong == pytest.approx(0.9, abs=0.05)
    mean = solitaire("score:23").summary.mean
    assert deviations(mean.value, wrong, mean.se) > 40


BATCHES, BATCH = 120, 2_400


def seats_p_value(rules: Rules, players: list[str], statistic: str) -> float:
    """Return how likely the seats' means differ as much or more among equal seats.

    Hotelling's test of equal means, over batches of rounds as observations: the seats of a table
    are not independent of each other. With the deal every seat is dealt to first equally often.
    """
    seated = [player(spec) for spec in players]
    assert BATCH % len(seated) == 0
    rows = []
    for k in range(BATCHES):
        tallies = play_rounds(rules, seated, rounds=BATCH, seed=23, first=k * BATCH)
        rows.append(getattr(tallies, statistic)[0])
    values = np.array(rows, float)
    contrasts = values[:, 1:] - values[:, :-1]
    n, p = contrasts.shape
    middle = contrasts.mean(axis=0)
    inverse = np.linalg.inv(np.cov(contrasts, rowvar=False))
    hotelling = n * middle @ inverse @ middle
    return float(stats.f.sf(hotelling * (n - p) / (p * (n - 1)), p, n - p))


@pytest.mark.parametrize("statistic", ["sums", "busts", "flip7s"])
@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("base", "score:25/leader"),
        ("base", "bust:0.3/next"),
        ("base", "never/random"),
        ("vengeance", "score:25/leader"),
        ("vengeance", "bust:0.3/next"),
        ("vengeance", "never/random"),
    ],
)
def test_four_equal_players_have_equal_seats(game: str, spec: str, statistic: str) -> None:
    assert seats_p_value(Rules(game=game), [spec] * 4, statistic) > 1e-3


def test_the_mirror_would_notice_a_favoured_seat() -> None:
    slightly_worse = ["score:25/next", "score:25/next", "score:27/next", "score:25/next"]
    assert seats_p_value(Rules(), slightly_worse, "busts") < 1e-6
    worse = ["score:25/next", "score:25/next", "score:33/next", "score:25/next"]
    assert seats_p_value(Rules(), worse, "sums") < 1e-6
