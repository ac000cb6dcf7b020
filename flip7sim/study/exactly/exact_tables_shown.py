"""The tables of exact answers for people: Markdown tables, the answer, notes, the figure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from flip7sim.rules import Rules
from flip7sim.study.exactly.exact_shown import SOLITAIRE
from flip7sim.study.exactly.exact_tables import SHARES, ExactTables, deck_name
from flip7sim.study.exactly.stay_set import thresholds

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

OPTIMAL: Final = "optimal:round"
SHOWN_SUMS: Final = range(10, 41)
SHOWN_TOTALS: Final = (0, 50, 100, 150, 160, 170, 175, 180, 185, 190, 195, 199)


@dataclass(frozen=True)
class Presented:
    """Exact answers with their data tables, ready to be shown.

    Attributes
    ----------
    answers : ExactTables
    frames : dict of str to pandas.DataFrame
        From ``answers.frames()``.
    """

    answers: ExactTables
    frames: dict[str, Any]

    def shown(self) -> pd.DataFrame:
        """Return optimal play and each family's best policy, deck by deck."""
        import pandas as pd

        best = self.frames["policies"][self.frames["policies"]["best"]]
        rows = []
        for deck in self.answers.decks:
            optimum = _of(self.frames["optimum"], deck.rules).iloc[0]
            rows.append(_figures(deck.name, OPTIMAL, optimum, 0.0))
            chosen = _of(best, deck.rules).sort_values("mean", ascending=False, kind="stable")
            rows += [
                _figures(deck.name, row["player"], row, row["loss"] / optimum["mean"])
                for _, row in chosen.iterrows()
            ]
        return pd.DataFrame(rows)

    def further(self) -> dict[str, pd.DataFrame]:
        """Return the other tables by heading."""
        tables = {
            "From which sum of the numbers optimal play stays": self._stay_set(),
            "Rule cards": self._cards(),
        }
        if self.answers.races:
            tables["The race alone"] = self._race()
        tables["Busts by hand size, never staying"] = self._hand_sizes()
        tables["Chance in % that the next card busts, by sum of the numbers"] = self._sums()
        return tables

    def _stay_set(self) -> pd.DataFrame:
        import pandas as pd

        rows: list[dict[str, str]] = []
        for deck in self.answers.decks:
            limits = thresholds(_of(self.frames["stay_set"], deck.rules))
            for beside, part in limits.groupby("beside", sort=False):
                cells = {_count(row["numbers"]): _limits(row) for row in _records(part)}
                rows.append({"deck": deck.name, "beside the numbers": str(beside), **cells})
        return pd.DataFrame(rows)

    def _cards(self) -> pd.DataFrame:
        import pandas as pd

        rows = []
        for deck in self.answers.decks:
            for card in deck.cards:
                kept = f"{card.outcome.mean:.4f} points, {100 * card.share:.3f} %"
                for place, line in enumerate(card.lines()):
                    rows.append(
                        {
                            "deck": "" if place else deck.name,
                            "rule": line,
                            "keeps of the optimum": "" if place else kept,
                        }
                    )
        return pd.DataFrame(rows, columns=["deck", "rule", "keeps of the optimum"])

    def _race(self) -> pd.DataFrame:
        import pandas as pd

        frame = self.frames["race"]
        names = {race.rules.deck_name: deck_name(race.rules) for race in self.answers.races}
        return pd.DataFrame(
            [
                {
                    "deck": names[row["deck"]],
                    "total": row["total"],
                    "fewest expected rounds": f"{row['fewest_rounds']:.4f}",
                    "playing for points": f"{row['rounds_playing_for_points']:.4f}",
                    "expected score of the next round": f"{row['expected_score']:.3f}",
                    "it busts, in %": f"{100 * row['bust']:.1f}",
                }
                for row in _records(frame[frame["total"].isin(SHOWN_TOTALS)])
            ]
        )

    def _hand_sizes(self) -> pd.DataFrame:
        import pandas as pd

        frame = self.frames["bust_by_hand_size"]
        rows = []
        for numbers in frame["numbers"].unique():
            row = {"number cards flipped": numbers}
            for game, part in frame[frame["numbers"] == numbers].groupby("game", sort=False):
                row |= {
                    f"{game}: survived, in %": f"{100 * part['survived'].iloc[0]:.4f}",
                    f"{game}: busted by the last, in %": (
                        f"{100 * part['busted_by_this'].iloc[0]:.4f}"
                    ),
                    f"{game}: then the next number busts, in %": (
                        f"{100 * part['next_number_busts'].iloc[0]:.2f}"
                    ),
                }
            rows.append(row)
        return pd.DataFrame(rows)

    def _sums(self) -> pd.DataFrame:
        import pandas as pd

        frame = self.frames["bust_by_sum"]
        frame = frame[(frame["numbers"] == 0) & frame["total"].isin(SHOWN_SUMS)]
        rows = []
        for total, part in frame.groupby("total"):
            row: dict[str, Any] = {"sum": total}
            for found in _records(part):
                deck = "whole deck" if found["deck"] == found["game"] else found["deck"]
                row[f"{found['game']}, {deck}"] = f"{100 * found['next_card_busts']:.2f}"
            rows.append(row)
        return pd.DataFrame(rows)

    def answer(self) -> str:
        """Return one sentence: what optimal play is worth, and what the simplest rule costs."""
        said = []
        for deck in self.answers.decks:
            line = f"{deck.solution.value:.4f} points with {deck.name}"
            if deck.scans:
                scan = deck.scans[0]
                outcome = scan.outcomes[scan.best]
                loss = deck.solution.value - outcome.mean
                line += f" ({scan.family.spec(scan.best)} loses {loss:.4f})"
            said.append(line)
        return "Optimal solitaire play is worth " + ", ".join(said) + " a round."

    def notes(self) -> list[str]:
        """Return what was assumed and how the tables are to be read."""
        notes = [
            SOLITAIRE,
            "The best parameter is the best of the values tried, its loss that against optimal "
            "play in points a round. Values are correct to about 1e-12.",
            "A cell 23-25 says: hit below 23, stay from 25 on, and in between on some lines only, "
            "as other lines of the same sum leave other cards in the deck. No Flip Three and no "
            "Second Chance has been used up before; beside the numbers lies the one card named. "
            "In Vengeance the line has no Zero, which forces a hit, and no Unlucky 7 came before; "
            '"25 on" where the largest sums, those with both 13s, are hit again.',
            "Rule cards: the fewest conditions, of the forms tried, that keep at least "
            f"{' and '.join(f'{100 * share:g} %' for share in SHARES)} of the optimum.",
            "Who never stays reaches a Flip 7, Second Chances and actions left out, with chance "
            f"{self._never_staying()}.",
            "Hand sizes: only number cards are counted, Second Chances are left out, and a Flip 7 "
            "does not end the count; in Vengeance a line goes on after an Unlucky 7 with that card "
            "alone. By sum: lines of 1 to 6 numbers, weighted by how often they come about when "
            "never staying; every card of the deck may come next; before an Unlucky 7.",
        ]
        if searched := [deck.name for deck in self.answers.decks if deck.searched]:
            notes.append(
                f"For {', '.join(searched)} the best parameters were found by climbing: both "
                "neighbours were evaluated and are worse. The effort full tries every value."
            )
        return notes

    def _never_staying(self) -> str:
        chances = self.answers.document()["flip7_never_staying"]
        return " and ".join(
            f"{chance} ({100 * float(Fraction(chance)):.4f} %) in {game}"
            for game, chance in chances.items()
        )

    def plot(self, title: str) -> Figure:
        """Draw the first family's curve for each deck that has one, with the optimum as a line."""
        import pandas as pd

        from flip7sim.plots import PALETTE, curve

        decks = [deck for deck in self.answers.decks if deck.scans]
        rows = []
        for deck in decks:
            scan = deck.scans[0]
            for value, outcome in scan.outcomes.items():
                rows.append(
                    {
                        "group": deck.name,
                        "parameter": value,
                        "value": outcome.mean,
                        "low": float("nan"),
                        "high": float("nan"),
                        "best": value == scan.best,
                    }
                )
        frame = pd.DataFrame(rows)
        top = max(deck.solution.value for deck in decks)
        bottom = float(frame["value"].min())
        room = 0.05 * (top - bottom)
        figure = curve(
            frame,
            x_label=f"N in the policy {decks[0].scans[0].family.policy.replace('{}', 'N')}",
            title=title,
            notes=["Dotted: optimal play of the same deck.", SOLITAIRE],
            limits=(bottom - room, top + room),
        )
        for place, deck in enumerate(decks):
            figure.axes[0].axhline(
                deck.solution.value, color=PALETTE[place % len(PALETTE)], linestyle=(0, (1, 2)),
                linewidth=1.1, zorder=2.5,
            )  # fmt: skip
        return figure


def _of(frame: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    return frame[(frame["game"] == rules.game) & (frame["deck"] == rules.deck_name)]


def _figures(deck: str, player: str, row: Any, loss: float) -> dict[str, str]:
    points = float(row["mean"])
    return {
        "deck": deck,
        "player": player,
        "points per round": f"{points:.4f}",
        "loss": f"{float(row.get('loss', 0.0)):.4f}",
        "loss in %": f"{100 * loss:.2f}",
        "standard deviation": f"{row['sd']:.3f}",
        "bust, in %": f"{100 * row['bust']:.2f}",
        "Flip 7, in %": f"{100 * row['flip7']:.3f}",
        "frozen, in %": f"{100 * row['frozen']:.2f}",
    }


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = frame.to_dict("records")  # type: ignore[assignment]
    return records


def _count(numbers: int) -> str:
    return f"{numbers} number{'s' if numbers > 1 else ''}"


def _limits(row: dict[str, Any]) -> str:
    """Return from where lines of one length stay: from this sum, or in a range on some lines."""
    import pandas as pd

    some, every = row["some_stay_from"], row["all_stay_from"]
    if pd.isna(some):
        return "hit"
    if pd.isna(every):
        return f"{some} on"
    return str(some) if some == every else f"{some}-{every}"
