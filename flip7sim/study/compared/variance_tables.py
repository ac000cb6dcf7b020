"""The tables, notes and figures of `variance_sources`; nothing is computed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flip7sim.estimates import format_estimate, format_proportion
from flip7sim.study.compared.variance_cells import FACTORS
from flip7sim.study.compared.variance_sources import FOUR_WAYS, WAY_TITLES, VarianceSources
from flip7sim.study.conditions import INDEPENDENT_ROUNDS, players_line

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


def ladder_shown(sources: VarianceSources) -> pd.DataFrame:
    """Return the ladder for people: one row a rung."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "game": step.title,
                "variance": format_estimate(step.cell.variance.value, step.cell.variance.se),
                "change": ""
                if step.change is None
                else format_estimate(step.change.value, step.change.se),
                "points per round": format_estimate(
                    step.cell.summary.mean.value, step.cell.summary.mean.se
                ),
                "P(bust)": format_proportion(step.cell.bust),
            }
            for step in sources.ladder
        ]
    )


def changes_shown(sources: VarianceSources) -> pd.DataFrame:
    """Return what each change does to the variance; the last row is base to Vengeance."""
    import pandas as pd

    rows = [
        {
            "change of the variance": f"{change.part}: {change.title}",
            **{
                title: format_estimate(change.ways[way].value, change.ways[way].se)
                if way in change.ways
                else ""
                for way, title in zip(FOUR_WAYS, WAY_TITLES, strict=True)
            },
        }
        for change in sources.changes
    ]
    whole = sources.whole()
    total = format_estimate(whole.value, whole.se)
    rows.append(
        {
            "change of the variance": "base to Vengeance in all",
            WAY_TITLES[0]: total, WAY_TITLES[1]: "", WAY_TITLES[2]: "", WAY_TITLES[3]: total,
        }
    )  # fmt: skip
    return pd.DataFrame(rows)


def interactions_shown(sources: VarianceSources) -> pd.DataFrame:
    """Return Vengeance's interactions for people, the largest first."""
    import pandas as pd

    titles = {factor.key: factor.title for factor in FACTORS["vengeance"]}
    pairs = sorted(
        sources.factorials["vengeance"].interactions(), key=lambda pair: -abs(pair.effect.value)
    )
    return pd.DataFrame(
        [
            {
                "where this is on": titles[pair.factors[0]],
                "this adds more": titles[pair.factors[1]],
                "by, points²": format_estimate(pair.effect.value, pair.effect.se),
            }
            for pair in pairs
        ]
    )


def notes(sources: VarianceSources) -> list[str]:
    """Return what was assumed, in sentences."""
    return [
        f"Seat 0; {players_line(sources.players)}. {sources.rounds:,} rounds of each of "
        f"{sources.rounds_played // sources.rounds} configurations, all independent, seeds derived "
        f"from {sources.seed}.",
        "They are rounds of their own: what stands here and in other tables too agrees with them "
        f"within the errors. ± is one standard error. {INDEPENDENT_ROUNDS}",
        "What is switched off: "
        + "; ".join(f"{factor.title}: {factor.off}" for factor in FACTORS["vengeance"])
        + ". Base is taken apart likewise, Second Chance being an action; then only numbers act in "
        "either deck.",
        "An order tells what each change adds to those before it. First of all: to a game where "
        "nothing else acts (taken out of base: from the whole game). Last of all: to all the "
        "others. The mean over all orders (Shapley value) adds up to the whole. Interaction: "
        "how much more one adds where the other is on, averaged over the rest.",
    ]


def plot_ladder(sources: VarianceSources, title: str | None = None) -> Figure:
    """Draw the variance on every rung of the ladder."""
    import pandas as pd

    from flip7sim.plots import intervals

    rows = [
        {
            "label": step.title, "section": _heading(step.part),
            "value": step.cell.variance.value,
            "low": step.cell.variance.low, "high": step.cell.variance.high,
            "text": f"{step.cell.variance.value:.1f}",
        }
        for step in sources.ladder
    ]  # fmt: skip
    return intervals(
        pd.DataFrame(rows), x_label="Variance of points per round, points²", reference=None,
        title=title, notes=notes(sources)[:1],
    )  # fmt: skip


def plot(sources: VarianceSources, title: str | None = None) -> Figure:
    """Draw what each change does on average, and first and last of all in figures."""
    import pandas as pd

    from flip7sim.plots import intervals

    rows = []
    for change in sources.changes:
        average = change.ways["average"]
        text = f"{average.value:+z.1f}"
        if "first" in change.ways:
            first, last = change.ways["first"].value, change.ways["last"].value
            text += f"  (first {first:+z.1f}, last {last:+z.1f})"
        rows.append(
            {
                "label": change.title, "section": _heading(change.part),
                "value": average.value, "low": average.low, "high": average.high, "text": text,
            }
        )  # fmt: skip
    return intervals(
        pd.DataFrame(rows), x_label="Change of the variance, points², mean over all orders",
        sides=("less variance", "more variance"), title=title, notes=notes(sources)[:1],
    )  # fmt: skip


def _heading(part: str) -> str:
    return part[0].upper() + part[1:]
