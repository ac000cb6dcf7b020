"""Questions that the exact solvers answer: no round is played."""
