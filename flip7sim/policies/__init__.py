"""Policies: when to stay and whom to choose, the package's own and the users'.

Importing this compiles nothing; a policy is compiled when a table is first asked to play it.
"""

from __future__ import annotations

from flip7sim.policies.files import load_policy_file
from flip7sim.policies.parameters import Parameter
from flip7sim.policies.player import Player
from flip7sim.policies.policy import (
    BoundPolicy,
    Metadata,
    Policy,
    stay_policy,
    targeting_policy,
)
from flip7sim.policies.registry import described, policies
from flip7sim.policies.seating import as_player, player
from flip7sim.policies.spec import parse_player

__all__ = [
    "BoundPolicy", "Metadata", "Parameter", "Player", "Policy",
    "as_player", "described", "load_policy_file", "parse_player", "player", "policies",
    "stay_policy", "targeting_policy",
]  # fmt: skip
