"""Questions asked of the simulator and of the exact solvers.

A question has a module of its own, and so has what several of them need: conditions, shares of
clusters, wins, values of a parameter. `compared` sets the two games side by side, `exactly` asks
the exact solvers; modules that end in ``_experiment`` read one kind of study's TOML file.
"""
