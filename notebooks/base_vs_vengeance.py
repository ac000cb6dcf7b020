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
# # Flip 7 and Flip 7: With a Vengeance compared
#
# Vengeance is said to be the wilder game. This notebook puts numbers on it: how the points of a
# round spread in the base game, in Vengeance and in its Brutal mode, and which of Vengeance's
# novelties makes the spread.
#
# What is assumed: four players, each staying at 25 points and attacking whoever has the most;
# independent rounds, each from a full shuffled deck. Whole games carry the deck over.

# %%
import json
import os

import pandas as pd

import flip7sim as f7
from flip7sim.study.compared import variance_tables
from flip7sim.study.compared.compare import compare
from flip7sim.study.compared.own_best import compare_at_best
from flip7sim.study.compared.variance_sources import variance_sources

# Fewer rounds make the notebook quick to try; the outputs shown were made with the default.
ROUNDS = int(os.environ.get("FLIP7SIM_NOTEBOOK_ROUNDS", "400_000"))

# %% [markdown]
# ## Side by side
#
# The three samples are independent, each with a seed of its own, so that the errors of
# differences are simply those of both sides together.

# %%
result = compare(["score:25"] * 4, rounds=ROUNDS, games=ROUNDS // 10, seed=1)
result.shown

# %%
result.differences_shown

# %%
result.plot("Points in a round, four players who stay at 25")

# %%
print(result.answer())

# %% [markdown]
# The middle of the three distributions is much the same, since everybody stays at 25. What
# differs is how often a round ends in nothing, and that is most of the variance in every game:
# the row *variance from 0 or not* tells which part of it lies between rounds of nothing and all
# others.

# %% [markdown]
# ## The same threshold does not suit every game
#
# A higher threshold makes more busts and so more variance, whatever the game. Staying at 25 is
# nearly best in the base game; in Vengeance, with more players above all, it is too high. So the
# games are also compared with every seat at the game's own best threshold: one that is best
# against rivals who play it too, as far as the sweeps can tell.

# %%
best = compare_at_best(
    [2, 4, 8],
    list(range(16, 32)),
    rounds=ROUNDS // 2,
    sweep_rounds=ROUNDS // 4,
    games=ROUNDS // 20,
    seed=1,
)
best.shown

# %% [markdown]
# *tied* lists the thresholds that the sweep cannot tell from the best, *over the tied* the least
# and the greatest variance among them. The variance depends on the threshold far more than the
# expected score does, so the second range matters when variances are compared.

# %%
best.more_shown

# %%
best.plot("Variance at each game's own best threshold")

# %%
print(best.answer())

# %% [markdown]
# ## Where the variance comes from
#
# From here on everybody stays at 25 again, and the game is changed one thing at a time. The base
# game is taken apart first: targets chosen at random, then actions that do nothing, then
# modifiers that do nothing. Only numbers act now, next to idle cards, and the same is true of
# Vengeance with everything switched off and without its 13s. That is the bridge; from there
# Vengeance is built up.

# %%
sources = variance_sources(["score:25"] * 4, rounds=ROUNDS // 4, seed=1)
variance_tables.ladder_shown(sources)

# %%
variance_tables.plot_ladder(sources, "From base to Vengeance, one thing at a time")

# %% [markdown]
# The change that each step makes depends on what is already there. So all 64 combinations of
# Vengeance's six parts were played, and the 8 of the base game's three. *First of all* is what a
# part adds to nothing, *last of all* what it adds to everything else; the mean over all orders is
# the one number a part that adds up to the whole.

# %%
variance_tables.changes_shown(sources)

# %%
variance_tables.plot(sources, "Where the variance of Vengeance comes from")

# %% [markdown]
# A pair interacts when one of them adds more where the other is present:

# %%
variance_tables.interactions_shown(sources)

# %%
print(sources.answer())

# %% [markdown]
# ## Three numbers that call for an explanation
#
# **Why are there so many more Flip 7s in Vengeance?** Who stays at 25 hardly ever holds seven
# cards. But The Zero forces its holder on, to seven cards or a bust, and modifiers make lines
# worth less, so that players take more cards. With everything switched off there are next to
# none:

# %%
cells = sources.cells["vengeance"]
chosen = [(), ("specials",), ("modifiers",), ("actions",), ("specials", "modifiers")]
pd.DataFrame(
    [
        {
            "only these on": ", ".join(on) or "nothing",
            "P(Flip 7) in %": 100 * cells[frozenset(on)].flip7.value,
            "standard error": 100 * cells[frozenset(on)].flip7.se,
        }
        for on in chosen
    ]
).round(3)

# %% [markdown]
# **Why does it matter so little that stayed players can be attacked?** Because most attacks come
# before anybody has stayed. Some rounds, choice by choice: how many of the cards that name a
# player (all but swaps) hit one who had chosen to stay?

# %%
players = [f7.as_player("score:25")] * 4
vengeance = f7.Rules(game="vengeance")
named = stayed = 0
for k in range(min(600, ROUNDS // 10)):
    scenario = json.loads(f7.trace_round(players, rules=vengeance, seed=1, round_index=k).text())
    out = set()
    for decision in scenario["decisions"]:
        if decision["ask"] == "hit_or_stay":
            if decision["answer"] == "stay":
                out.add(decision["seat"])
        elif decision["ask"] != "swap":
            answer = decision["answer"]
            seat = answer["seat"] if isinstance(answer, dict) else answer
            named += 1
            stayed += seat in out
print(f"{stayed} of {named} cards, {100 * stayed / named:.1f} %")

# %% [markdown]
# **Why has Brutal less variance than Vengeance?** Its Flip 7 gives a choice: 15 points for
# oneself, or 15 off a rival. These players always hurt the leader, which cuts off the highest
# scores. Where they take the points for themselves, or where a Flip 7 gives no points at all in
# ordinary Vengeance:

# %%
rows = []
for title, spec, rules in [
    ("Vengeance", "score:25", {"game": "vengeance"}),
    ("Vengeance, no bonus", "score:25", {"game": "vengeance", "flip7_bonus": 0}),
    ("Brutal, 15 off the leader", "score:25", {"game": "vengeance", "brutal": True}),
    (
        "Brutal, 15 for oneself",
        "score:25/flip7_bonus=greedy",
        {"game": "vengeance", "brutal": True},
    ),
]:
    seat = f7.simulate([spec] * 4, rules=rules, rounds=ROUNDS, seed=5).seats[0].summary
    rows.append(
        {
            "game": title,
            "variance": seat.variance.value,
            "standard error": seat.variance.se,
            "points per round": seat.mean.value,
        }
    )
pd.DataFrame(rows).round(2)

# %% [markdown]
# The choice of what to do with the bonus explains the difference; the modifiers that busted
# players can be given hardly show.
