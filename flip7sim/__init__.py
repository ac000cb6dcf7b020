"""flip7sim: simulated and exact answers about the card game Flip 7.

Every public name can be had from the package itself and is imported when it is first used, so that
``import flip7sim`` is cheap.

Examples
--------
>>> import flip7sim as f7
>>> f7.Rules(deck="numbers").n_cards
79
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from flip7sim.cards import CARD_NAMES as CARD_NAMES
    from flip7sim.cards import DECKS as DECKS
    from flip7sim.cards import GAME_CARDS as GAME_CARDS
    from flip7sim.cards import GAMES as GAMES
    from flip7sim.cards import KIND as KIND
    from flip7sim.cards import PRESETS as PRESETS
    from flip7sim.cards import card_kind as card_kind
    from flip7sim.cards import card_names as card_names
    from flip7sim.checks.doctor import doctor as doctor
    from flip7sim.checks.policy_check import check_policies as check_policies
    from flip7sim.errors import Flip7Error as Flip7Error
    from flip7sim.errors import InputError as InputError
    from flip7sim.errors import PolicyError as PolicyError
    from flip7sim.narrate import narrate as narrate
    from flip7sim.policies import BoundPolicy as BoundPolicy
    from flip7sim.policies import Metadata as Metadata
    from flip7sim.policies import Parameter as Parameter
    from flip7sim.policies import Player as Player
    from flip7sim.policies import Policy as Policy
    from flip7sim.policies import as_player as as_player
    from flip7sim.policies import described as described
    from flip7sim.policies import load_policy_file as load_policy_file
    from flip7sim.policies import parse_player as parse_player
    from flip7sim.policies import policies as policies
    from flip7sim.policies import stay_policy as stay_policy
    from flip7sim.policies import targeting_policy as targeting_policy
    from flip7sim.policies.effects import option_busts as option_busts
    from flip7sim.policies.effects import option_effect as option_effect
    from flip7sim.policies.seating import player as player
    from flip7sim.readings import LINES as LINES
    from flip7sim.readings import OWN as OWN
    from flip7sim.readings import SEEN as SEEN
    from flip7sim.readings import active_rivals as active_rivals
    from flip7sim.readings import best_rival_total as best_rival_total
    from flip7sim.readings import bust_probability as bust_probability
    from flip7sim.readings import busts as busts
    from flip7sim.readings import busts_without as busts_without
    from flip7sim.readings import clockwise_distance as clockwise_distance
    from flip7sim.readings import line_score as line_score
    from flip7sim.readings import n_active as n_active
    from flip7sim.readings import n_unseen as n_unseen
    from flip7sim.readings import n_unseen_cards as n_unseen_cards
    from flip7sim.readings import next_card_gain as next_card_gain
    from flip7sim.readings import score_after as score_after
    from flip7sim.readings import standing as standing
    from flip7sim.readings import uniform as uniform
    from flip7sim.replay import Outcome as Outcome
    from flip7sim.replay import replay as replay
    from flip7sim.replay import replay_files as replay_files
    from flip7sim.rules import RULES_VERSION as RULES_VERSION
    from flip7sim.rules import Rules as Rules
    from flip7sim.scenario import Scenario as Scenario
    from flip7sim.scenario import as_scenario as as_scenario
    from flip7sim.scenario import load_scenario as load_scenario
    from flip7sim.scenario import parse_scenario as parse_scenario
    from flip7sim.study.bust import Busts as Busts
    from flip7sim.study.bust import bust as bust
    from flip7sim.study.compared.compare import Comparison as Comparison
    from flip7sim.study.compared.compare import compare as compare
    from flip7sim.study.compared.own_best import compare_at_best as compare_at_best
    from flip7sim.study.compared.variance_sources import VarianceSources as VarianceSources
    from flip7sim.study.compared.variance_sources import variance_sources as variance_sources
    from flip7sim.study.deck_carried_over import DeckStudy as DeckStudy
    from flip7sim.study.deck_carried_over import deck_carried_over as deck_carried_over
    from flip7sim.study.exactly.exact_answers import evaluate as evaluate
    from flip7sim.study.exactly.exact_answers import odds as odds
    from flip7sim.study.exactly.exact_answers import rule_card as rule_card
    from flip7sim.study.exactly.exact_answers import solve as solve
    from flip7sim.study.exactly.exact_answers import solve_race as solve_race
    from flip7sim.study.experiment import run_experiment as run_experiment
    from flip7sim.study.games import Games as Games
    from flip7sim.study.games import games as games
    from flip7sim.study.rounds import Simulation as Simulation
    from flip7sim.study.rounds import simulate as simulate
    from flip7sim.study.sweep import Sweep as Sweep
    from flip7sim.study.sweep import sweep as sweep
    from flip7sim.study.thresholds import Thresholds as Thresholds
    from flip7sim.study.thresholds import stay_thresholds as stay_thresholds
    from flip7sim.study.values import parameter_values as parameter_values
    from flip7sim.study.versus import Versus as Versus
    from flip7sim.study.versus import versus as versus
    from flip7sim.table import ACTIVE as ACTIVE
    from flip7sim.table import ASK_DISCARD as ASK_DISCARD
    from flip7sim.table import ASK_FLIP7_BONUS as ASK_FLIP7_BONUS
    from flip7sim.table import ASK_FLIP_FOUR as ASK_FLIP_FOUR
    from flip7sim.table import ASK_FLIP_THREE as ASK_FLIP_THREE
    from flip7sim.table import ASK_FREEZE as ASK_FREEZE
    from flip7sim.table import ASK_HIT_OR_STAY as ASK_HIT_OR_STAY
    from flip7sim.table import ASK_JUST_ONE_MORE as ASK_JUST_ONE_MORE
    from flip7sim.table import ASK_MODIFIER as ASK_MODIFIER
    from flip7sim.table import ASK_NAMES as ASK_NAMES
    from flip7sim.table import ASK_SECOND_CHANCE as ASK_SECOND_CHANCE
    from flip7sim.table import ASK_STEAL as ASK_STEAL
    from flip7sim.table import ASK_SWAP as ASK_SWAP
    from flip7sim.table import BUSTED as BUSTED
    from flip7sim.table import STAYED as STAYED
    from flip7sim.trace import trace_game as trace_game
    from flip7sim.trace import trace_round as trace_round
    from flip7sim.versions import ENGINE_VERSION as ENGINE_VERSION

__version__ = "0.1.0"

_HOME: Final[dict[str, str]] = {
    "ACTIVE": "table",
    "ASK_DISCARD": "table",
    "ASK_FLIP7_BONUS": "table",
    "ASK_FLIP_FOUR": "table",
    "ASK_FLIP_THREE": "table",
    "ASK_FREEZE": "table",
    "ASK_HIT_OR_STAY": "table",
    "ASK_JUST_ONE_MORE": "table",
    "ASK_MODIFIER": "table",
    "ASK_NAMES": "table",
    "ASK_SECOND_CHANCE": "table",
    "ASK_STEAL": "table",
    "ASK_SWAP": "table",
    "BUSTED": "table",
    "BoundPolicy": "policies",
    "Busts": "study.bust",
    "CARD_NAMES": "cards",
    "Comparison": "study.compared.compare",
    "DECKS": "cards",
    "DeckStudy": "study.deck_carried_over",
    "ENGINE_VERSION": "versions",
    "Flip7Error": "errors",
    "GAMES": "cards",
    "GAME_CARDS": "cards",
    "Games": "study.games",
    "InputError": "errors",
    "KIND": "cards",
    "LINES": "readings",
    "Metadata": "policies",
    "OWN": "readings",
    "Outcome": "replay",
    "PRESETS": "cards",
    "Parameter": "policies",
    "Player": "policies",
    "Policy": "policies",
    "PolicyError": "errors",
    "RULES_VERSION": "rules",
    "Rules": "rules",
    "SEEN": "readings",
    "STAYED": "table",
    "Scenario": "scenario",
    "Simulation": "study.rounds",
    "Sweep": "study.sweep",
    "Thresholds": "study.thresholds",
    "VarianceSources": "study.compared.variance_sources",
    "Versus": "study.versus",
    "active_rivals": "readings",
    "as_player": "policies",
    "as_scenario": "scenario",
    "best_rival_total": "readings",
    "bust": "study.bust",
    "bust_probability": "readings",
    "busts": "readings",
    "busts_without": "readings",
    "card_kind": "cards",
    "card_names": "cards",
    "check_policies": "checks.policy_check",
    "clockwise_distance": "readings",
    "compare": "study.compared.compare",
    "compare_at_best": "study.compared.own_best",
    "deck_carried_over": "study.deck_carried_over",
    "described": "policies",
    "doctor": "checks.doctor",
    "evaluate": "study.exactly.exact_answers",
    "games": "study.games",
    "line_score": "readings",
    "load_policy_file": "policies",
    "load_scenario": "scenario",
    "n_active": "readings",
    "n_unseen": "readings",
    "n_unseen_cards": "readings",
    "narrate": "narrate",
    "next_card_gain": "readings",
    "odds": "study.exactly.exact_answers",
    "option_busts": "policies.effects",
    "option_effect": "policies.effects",
    "parameter_values": "study.values",
    "parse_player": "policies",
    "parse_scenario": "scenario",
    "player": "policies.seating",
    "policies": "policies",
    "replay": "replay",
    "replay_files": "replay",
    "rule_card": "study.exactly.exact_answers",
    "run_experiment": "study.experiment",
    "score_after": "readings",
    "simulate": "study.rounds",
    "solve": "study.exactly.exact_answers",
    "solve_race": "study.exactly.exact_answers",
    "standing": "readings",
    "stay_policy": "policies",
    "stay_thresholds": "study.thresholds",
    "sweep": "study.sweep",
    "targeting_policy": "policies",
    "trace_game": "trace",
    "trace_round": "trace",
    "uniform": "readings",
    "variance_sources": "study.compared.variance_sources",
    "versus": "study.versus",
}
"""Public name → the module of the package that defines it."""

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps a module from hiding the public function that has its name.

    Importing the module ``flip7sim.x`` sets the package's attribute ``x`` to that module, whatever
    the public name ``x`` is.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
