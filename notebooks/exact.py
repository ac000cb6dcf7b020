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
# # What is the best way to play Flip 7 alone, exactly?
#
# A simulation gives a number and an error. For a single player the whole round can also be worked
# out: every line that can come about, how likely the next card is, and what each choice is worth.
# This notebook puts the two side by side, and shows what the exact answers look like: the optimal
# policy, a rule card that fits on a coaster, the odds of some hands, and the race to 200.
#
# What is assumed: one round from a full shuffled deck, drawn without replacement, by the rules as
# printed. A lone player takes every Freeze and every Flip Three.

# %%
import os

import pandas as pd

import flip7sim as f7

# Fewer rounds make the notebook quick to try; the outputs shown were made with the default, which
# also adds all 94 cards.
ROUNDS = int(os.environ.get("FLIP7SIM_NOTEBOOK_ROUNDS", "5_000_000"))
WHOLE = ROUNDS >= 100_000
DECKS = {
    "numbers": f7.Rules(deck="numbers"),
    "no-actions": f7.Rules(deck="no-actions"),
    "no-attacks": f7.Rules(deck="no-attacks"),
} | ({"all 94 cards": f7.Rules()} if WHOLE else {})

# %% [markdown]
# ## Optimal play
#
# Dynamic programming from the longest lines back to the empty one: in each state the player stays
# if the line is worth as much as the best that can follow a hit. `numbers` is the deck of number
# cards alone, `no-actions` adds the modifiers, `no-attacks` the Second Chances too.

# %%
solved = {deck: f7.solve(rules) for deck, rules in DECKS.items()}
pd.DataFrame(
    [
        {
            "deck": deck,
            "cards": solution.rules.n_cards,
            "states": f"{solution.n_states:,}",
            "expected points": f"{solution.value:.10f}",
            "standard deviation": f"{solution.outcome.sd:.4f}",
            "bust, in %": f"{100 * solution.outcome.bust:.3f}",
            "Flip 7, in %": f"{100 * solution.outcome.flip7:.4f}",
            "frozen, in %": f"{100 * solution.outcome.frozen:.3f}",
        }
        for deck, solution in solved.items()
    ]
)

# %% [markdown]
# ## Exact beside simulated
#
# The same policies, once evaluated exactly and once played by the engine. The two share the policies
# alone: the one adds up the chances of all states, the other shuffles and deals cards. Each
# simulation has a seed of its own; its difference from the exact mean is given in standard errors.

# %%
POLICIES = ["score:20", "score:23", "score:27", "cards:3", "sum:24", "bust:0.26", "gain",
            "score:25 or cards:5", "optimal:round"]  # fmt: skip
small = [deck for deck in DECKS if deck != "all 94 cards"]
pairs = [(deck, policy) for deck in small for policy in POLICIES]
pairs += [("all 94 cards", policy) for policy in ("score:27", "gain", "optimal:round") if WHOLE]
rows = []
for seed, (deck, policy) in enumerate(pairs):
    if policy == "optimal:round":
        exact = solved[deck].outcome
    else:
        exact = f7.evaluate(policy, rules=DECKS[deck])
    played = f7.simulate([policy], rules=DECKS[deck], rounds=ROUNDS, seed=seed).seats[0]
    se = exact.sd / ROUNDS**0.5
    rows.append(
        {
            "deck": deck,
            "policy": policy,
            "exact": exact.mean,
            "simulated": played.summary.mean.value,
            "difference in standard errors": (played.summary.mean.value - exact.mean) / se,
            "loss against optimal play": solved[deck].value - exact.mean,
        }
    )
compared = pd.DataFrame(rows)
compared.round(
    {
        "exact": 6,
        "simulated": 4,
        "difference in standard errors": 2,
        "loss against optimal play": 4,
    }
)

# %% [markdown]
# If both are right, these differences are standard normal numbers: about two thirds of them lie
# within one, nearly all within two and a half. On the line, they are distributed exactly so.

# %%
from scipy import stats

from flip7sim.plots import PALETTE
from flip7sim.plots.style import GRID, finish, house_style, label_axes, new_figure

z = compared["difference in standard errors"].sort_values().to_numpy()
wanted = stats.norm.ppf([(place + 0.5) / len(z) for place in range(len(z))])
with house_style():
    figure = new_figure(3.7, title=f"{len(z)} simulated means against exact ones", notes=[])
    axes = figure.subplots()
    label_axes(axes, "Standard normal quantiles", "Differences in standard errors, sorted")
    axes.grid(axis="y", color=GRID)
    axes.axline((0, 0), slope=1, color=PALETTE[-1], linewidth=0.8)
    axes.plot(wanted, z, "o", color=PALETTE[0], markersize=5)
    finish(figure)
figure

# %%
print(f"sum of squares {(z**2).sum():.1f}, expected {len(z)} ± {(2 * len(z)) ** 0.5:.1f}")
print(f"largest difference {abs(z).max():.2f} standard errors")
print(
    f"Kolmogorov-Smirnov test against the standard normal: p = {stats.kstest(z, 'norm').pvalue:.2f}"
)

# %% [markdown]
# ## The optimal policy as a rule card
#
# Nobody carries millions of states in mind. A rule card is the shortest list of conditions, of some
# simple forms, that keeps at least 99 % or 99.9 % of the optimal value; what it keeps is exact too.
# The forms count the numbers, alone or with a third, half or all of the plus points, and stay at one
# count for each group of hand sizes.

# %%
for deck, rules in DECKS.items():
    for share in (0.99, 0.999):
        card = f7.rule_card(rules, share=share)
        print(f"{deck}: keeps {100 * card.share:.3f} % of the optimal value, "
              f"{card.outcome.mean:.4f} points a round")  # fmt: skip
        print("  " + "\n  ".join(card.lines()) + "\n")

# %% [markdown]
# Plus points count less than numbers: a hit puts both at risk, but only the numbers raise the risk.
# With a Second Chance the next duplicate costs nothing, so the card says to hit whatever the line.

# %% [markdown]
# Why do the thresholds rise with the number of cards? With five or six different numbers in the
# line a Flip 7 and its 15 points are near, so a hit is worth more risk. Below, from which sum of
# the numbers the optimum stays, without modifiers: where two sums are given, lines with a sum in
# between are decided by which numbers they hold.

# %%
from flip7sim.study.exactly.stay_set import ALONE, stay_set, thresholds

table = {}
for deck, solution in solved.items():
    limits = thresholds(stay_set(solution))
    limits = limits[limits["beside"] == ALONE].set_index("numbers")
    table[deck] = {
        f"{count} number{'s' if count > 1 else ''}": (
            "always hit" if pd.isna(row["some_stay_from"])
            else str(row["some_stay_from"]) if row["some_stay_from"] == row["all_stay_from"]
            else f"{row['some_stay_from']} to {row['all_stay_from']}"
        )
        for count, row in limits.iterrows()
    }  # fmt: skip
pd.DataFrame(table).T

# %% [markdown]
# ## The odds of some hands
#
# For one hand: how likely the next card busts, what staying is worth, what one more card is worth
# when optimal play follows, and the advice.

# %%
deck = list(DECKS)[-1]
hands = ["12", "12 9", "12 11", "10 8 5", "12 8 3 +4", "9 7 6 x2", "12 11 10 second_chance",
         "8 6 4 3 2", "9 8 6 4 3 2"]  # fmt: skip
rows = []
for hand in hands:
    odds = f7.odds(hand, rules=DECKS[deck])
    rows.append(
        {
            "line": hand,
            "bust, in %": f"{100 * odds.bust:.2f}",
            "Flip 7, in %": f"{100 * odds.flip7:.2f}",
            "stay": odds.stay,
            "hit, then optimal": f"{odds.optimal:.4f}",
            "advice": odds.advice,
            "better by": f"{odds.margin:.4f}",
        }
    )
print(f"Deck: {deck}")
pd.DataFrame(rows)

# %% [markdown]
# Seen cards change the odds. With four of the 12s gone, a line with a 12 is safer than it looks. By
# default the adviser then looks one card ahead and takes what follows from the full deck's
# solution; with `exact=True` it solves the round again from this line on:

# %%
for seen in ("", "12 12 12 12", "1 2 2 3 3 3"):
    odds = f7.odds("12 7 4", rules=DECKS["numbers"], seen=seen, exact=True)
    print(f"12 7 4, seen {seen or 'nothing':12}: bust {100 * odds.bust:.2f} %, {odds.advice}, "
          f"better by {odds.margin:.3f}")  # fmt: skip

# %% [markdown]
# ## The race to 200
#
# A game is won by reaching the target, not by the mean of a round. Alone, the question becomes: how
# few rounds does it take? Value iteration over the total gives the least expected number, and how
# the stay rule bends on the way.

# %%
race = f7.solve_race(DECKS["numbers"])
print(f"fewest expected rounds to 200:      {race.value:.6f}")
print(f"playing every round for its points: {race.round_optimal[0]:.6f}")

# %%
with house_style():
    figure = new_figure(4.8, title="The race alone, number cards only", notes=[])
    upper, lower = figure.subplots(2, sharex=True)
    label_axes(upper, "", "Expected rounds left")
    upper.plot(race.rounds, color=PALETTE[0], label="racing")
    upper.plot(race.round_optimal, color=PALETTE[1], linestyle="--", label="playing for points")
    upper.legend()
    label_axes(lower, "Total before the round", "Rounds that bust, in %")
    lower.plot(100 * race.busts, color=PALETTE[0])
    lower.axhline(100 * solved["numbers"].outcome.bust, color=PALETTE[1], linestyle="--")
    for axes in (upper, lower):
        axes.grid(axis="y", color=GRID)
    finish(figure)
figure

# %% [markdown]
# Far from the target both play nearly alike. Close to it the racer looks at what is missing: takes
# more risk where one good round ends the race, and stays at once when the line is enough.

# %% [markdown]
# ## The answer

# %%
best = compared[compared["policy"] != "optimal:round"].sort_values("exact").groupby("deck").last()
for deck, solution in solved.items():
    row = best.loc[deck]
    print(f"{deck}: optimal play is worth {solution.value:.4f} points a round; of the simple rules "
          f"above, {row['policy']} comes closest, {row['loss against optimal play']:.4f} below.")  # fmt: skip
