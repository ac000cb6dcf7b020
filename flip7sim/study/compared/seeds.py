"""Seeds of samples that are to be independent of each other, all made from one seed."""

from __future__ import annotations

import numpy as np


def derived_seed(seed: int, name: str) -> int:
    """Return the seed of the sample called `name`.

    The first 53 bits of ``SeedSequence(seed, spawn_key=name)``, the name's bytes being the key: so
    every name has a stream of its own, and its seed, given to `simulate`, repeats the sample alone.

    Parameters
    ----------
    seed : int
        From 0 on.
    name : str

    Returns
    -------
    int
        Below 2**53, which every reader of JSON keeps exactly.

    Examples
    --------
    >>> derived_seed(1, "Base") == derived_seed(1, "Base")
    True
    >>> len({derived_seed(seed, name) for seed in (1, 2) for name in ("Base", "Brutal")})
    4
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(name.encode()))
    return int(sequence.generate_state(1, np.uint64)[0]) >> 11
