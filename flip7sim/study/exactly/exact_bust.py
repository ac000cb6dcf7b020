"""Bust chances of both games by hand size and by sum, as tables; no sampling."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from flip7sim.cards import GAMES
from flip7sim.exact.probability import bust_table, no_bust
from flip7sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

MOST_FLIPPED: Final = 13
"""Number cards of a base line without a duplicate, at most."""


def by_hand_size() -> pd.DataFrame:
    """Return how likely number cards are survived by a player who never stays.

    Second Chances are left out and a Flip 7 does not end the count, so only the order of the number
    cards matters, which is the same in every deck with all of a game's number cards.

    Returns
    -------
    pandas.DataFrame
        A row per game and number of number cards, with the chance that the line survives them
        (exactly, as a fraction too), that the last of them busts, and that the next one busts a
        line that survived.

    Examples
    --------
    >>> table = by_hand_size()
    >>> table.loc[table["numbers"] == 2, "survived_exactly"].iloc[0]
    '215/237'
    """
    import pandas as pd

    rows = []
    for game in GAMES:
        rules = Rules(game=game, deck="numbers")
        chances = [no_bust(rules, numbers) for numbers in range(MOST_FLIPPED + 2)]
        for numbers in range(1, MOST_FLIPPED + 1):
            survived = chances[numbers]
            rows.append(
                {
                    "game": game,
                    "numbers": numbers,
                    "survived_exactly": str(survived),
                    "survived": float(survived),
                    "busted_by_this": float(chances[numbers - 1] - survived),
                    "next_number_busts": float(1 - chances[numbers + 1] / survived),
                }
            )
    return pd.DataFrame(rows)


def by_sum() -> pd.DataFrame:
    """Return how likely the next card busts, by the number of number cards and by their sum.

    For each game, its number cards alone and its whole deck. Lines are weighted by how often they
    come about when never staying; only the own line is counted, and every card may come next.

    Returns
    -------
    pandas.DataFrame
        A row per game, deck, number of cards and sum. `numbers` is 0 in rows that stand for lines
        of any length, `total` -1 in rows that stand for lines of any sum.
    """
    import pandas as pd

    rows = []
    for game in GAMES:
        for rules in (Rules(game=game, deck="numbers"), Rules(game=game)):
            lines: defaultdict[tuple[int, int], list[Fraction]]
            lines = defaultdict(lambda: [Fraction(0), Fraction(0)])
            for row in bust_table(rules):
                for key in ((row.cards, row.total), (0, row.total), (row.cards, -1)):
                    lines[key][0] += row.share
                    lines[key][1] += row.share * row.bust
            for (cards, total), (share, weighted) in sorted(lines.items()):
                rows.append(
                    {
                        "game": game,
                        "deck": rules.deck_name,
                        "numbers": cards,
                        "total": total,
                        "line_comes_about": float(share),
                        "next_card_busts": float(weighted / share),
                    }
                )
    return pd.DataFrame(rows)
