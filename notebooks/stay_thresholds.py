# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # At how many points should you stay?
#
# In Flip 7 every further card may add points, and may bust the line. The simplest rule a person can
# keep in mind is a threshold: *stay as soon as my line is worth N points or more*. This notebook
# finds the best N for 1 to 6 players, says how sure that is, and what it costs to use another one.
#
# What is assumed: independent rounds, each from a full shuffled deck (the convention of all published
# tables); every rival stays at 25 points; Freeze and Flip Three go to the rival with the most points.

# %%
import os

import flip7sim as f7

# Fewer rounds make the notebook quick to try; the outputs shown were made with the default.
ROUNDS = int(os.environ.get("FLIP7SIM_NOTEBOOK_ROUNDS", "400_000"))
VALUES = list(range(15, 41))

# %% [markdown]
# ## The sweep
#
# All thresholds are played on the *same* shuffles, so their differences are far more certain than
# their means. The best threshold is then played again on fresh rounds, because the winner of a
# comparison looks a little better than it is.

# %%
result = f7.stay_thresholds(
    rules=f7.Rules(),
    players=[1, 2, 3, 4, 5, 6],
    rival="score:25/leader",
    policy="score",
    values=VALUES,
    instead=[20, 25, 30],
    rounds=ROUNDS,
    seed=1,
)
result.shown

# %% [markdown]
# *tied* lists the thresholds that these rounds cannot tell from the best one (Hsu's multiple
# comparisons with the best, 95 %). ± is one standard error; brackets hold 95 % intervals.

# %%
result.plot("Points per round against the threshold")

# %% [markdown]
# The curves are flat on top. A threshold a few points off costs little; far more is lost by staying
# early, at 20 say, than by going on to 30.

# %% [markdown]
# ## Bust probability beside expected score
#
# A higher threshold buys points with busts. At a table of four:

# %%
four = next(table for table in result.tables if table.n_players == 4).sweep.frame
columns = ["points", "mean", "mean_se", "sd", "bust", "flip7", "loss", "loss_se", "tied"]
four[four["points"].isin([15, 20, 23, 25, 26, 27, 28, 30, 35, 40])][columns].round(4)

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
axes.plot(100 * four["bust"], four["mean"], color="#0072B2", linewidth=1.6)
axes.fill_between(
    100 * four["bust"], four["mean_low"], four["mean_high"], color="#0072B2", alpha=0.25
)
for row in four[four["points"].isin([15, 20, 25, 27, 30, 35, 40])].itertuples():
    axes.annotate(
        f"{row.points:g}", (100 * row.bust, row.mean), xytext=(0, 7), textcoords="offset points",
        ha="center", fontsize=9,
    )  # fmt: skip
    axes.plot(100 * row.bust, row.mean, "o", color="#0072B2", markersize=4)
axes.set(
    xlabel="Rounds that end in a bust, in %",
    ylabel="Expected points per round",
    title="What busts buy: four players, threshold beside each point",
)
axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# The player who never busts much scores little; beyond a third of all rounds, more courage costs
# more than it brings.

# %% [markdown]
# ## Is the simulation right?
#
# One corner of the question can be answered without sampling: solitaire with the number cards only.
# There the exact value of each threshold is known, and the simulated one must lie within a few
# standard errors of it.

# %%
import pandas as pd

numbers = f7.Rules(deck="numbers")
rows = []
for threshold in (18, 20, 23, 26, 30):
    exact = f7.evaluate(f"score:{threshold}", rules=numbers)
    simulated = f7.simulate([f"score:{threshold}"], rules=numbers, rounds=ROUNDS, seed=2).seats[0]
    mean = simulated.summary.mean
    rows.append(
        {
            "stay at": threshold,
            "exact": exact.mean,
            "simulated": mean.value,
            "standard error": mean.se,
            "difference in standard errors": mean.errors_from(exact.mean),
        }
    )
pd.DataFrame(rows).round(4)

# %% [markdown]
# ## The answer

# %%
print(result.answer())
