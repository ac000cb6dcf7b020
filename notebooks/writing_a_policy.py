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
# # Writing a policy of your own
#
# A policy is a small Python function. flip7sim compiles it and lets it play millions of rounds of the
# real rules. This notebook writes a stay policy and a targeting policy, looks at their decisions one
# by one, sweeps a parameter and ends with a verdict: is it better than what we had, and is that sure?

# %%
import os

import flip7sim as f7

ROUNDS = int(os.environ.get("FLIP7SIM_NOTEBOOK_ROUNDS", "1_000_000"))
TABLE_OF_FOUR = ["score:25"] * 3  # the rivals in seats 1 to 3

# %% [markdown]
# ## A stay policy
#
# It gets the table and the seat that is asked, and says whether to stay. Keyword parameters are data:
# changing one compiles nothing. What may be read is in the documentation of `f7.line_score`,
# `f7.bust_probability`, `f7.best_rival_total` and their neighbours.
#
# The idea here: a Second Chance protects from one bust, so with one in hand go on for longer; and the
# more rivals are still active, the more attack cards will come our way, so take the points earlier.


# %%
@f7.stay_policy
def protected(table, seat, points=27.0, extra=15.0, crowd=0.0):
    """Stay at `points`, `extra` later with a Second Chance, `crowd` earlier per active rival."""
    goal = points - crowd * f7.active_rivals(table, seat)
    if table.n_second_chances[seat] > 0:
        goal += extra
    return f7.line_score(table, seat) >= goal


protected(points=26).label

# %% [markdown]
# ## A targeting policy
#
# `table.ask` says what is asked, `table.options[: table.n_options]` lists the legal answers, and the
# policy returns the index of one. Options stand clockwise from the seat after the chooser, oneself last.
# Here a Freeze and a Flip Three go to the rival whose line holds the most number cards: there a Flip
# Three is likeliest to bust, and a Freeze stops a Flip 7.


# %%
@f7.targeting_policy
def most_cards(table, seat):
    """Attack the rival with the most number cards; give a Second Chance to the one with fewest."""
    best, most = 0, -1.0
    for option in range(table.n_options):
        rival = table.options[option].seat
        if rival == seat:
            continue
        cards = 1.0 * table.n_numbers[rival]
        if table.ask == f7.ASK_SECOND_CHANCE:
            cards = 7.0 - cards
        if cards > most:
            best, most = option, cards
    return best


# %% [markdown]
# Without the compiler it is a plain function, to read and to test. Here is one round, told in words,
# with what each player knew at each decision.

# %%
me = f7.player(protected(extra=15), most_cards)
scenario = f7.trace_round([me, *map(f7.as_player, TABLE_OF_FOUR)], seed=5, round_index=3)
print(f7.narrate(scenario))

# %% [markdown]
# ## Which parameter is best?
#
# All values are played on the same rounds. *tied* marks those that the data cannot tell from the best.

# %%
swept = f7.sweep(
    f7.player(protected(), most_cards),
    [0, 5, 10, 20, 30, 40, 60],
    parameter="extra",
    against=TABLE_OF_FOUR,
    rounds=max(ROUNDS // 4, 1000),
    seed=2,
)
swept.shown

# %%
swept.plot()

# %% [markdown]
# ## Is it better?
#
# `versus` plays both in the same seat on the same rounds and the same games, and gives the paired
# difference with its interval. A fresh seed keeps the choice above from flattering the winner.

# %%
candidate = f7.player(protected(extra=swept.best), most_cards)
verdict = f7.versus(
    candidate,
    "score:27",
    against=TABLE_OF_FOUR,
    rounds=ROUNDS,
    games=max(ROUNDS // 20, 400),
    seed=3,
)
verdict.shown

# %%
print(verdict.answer())
