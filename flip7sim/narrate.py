"""A scenario told in words: what each player knew, chose and got, for the reader of an article.

The scenario is played again and told by an observer. What a card did is read off the table: the
difference between one event and the next.

Examples
--------
>>> from flip7sim.scenario import as_scenario
>>> print(narrate(as_scenario({"game": "base", "players": 1, "dealer": 0, "draws": ["12"],
...     "decisions": [{"seat": 0, "ask": "hit_or_stay", "answer": "stay"}]})))
Base game, 1 player, 94 cards.
<BLANKLINE>
Seat 0 deals.
  Seat 0 is dealt 12: now 12 (12 points)
  Seat 0 stays on 12 (12 points), a hit would bust with 11.8% (11 of 93)
  Result: seat 0 stayed, 12 points, total 12
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from flip7sim.cards import (
    CARD_NAMES,
    DIV2,
    FLIP_FOUR,
    FLIP_THREE,
    FREEZE,
    JUST_ONE_MORE,
    KIND,
    LAST_NUMBER,
    LUCKY13,
    SECOND_CHANCE,
    UNLUCKY7,
)
from flip7sim.readings import SEEN, bust_probability, line_score, n_unseen_cards
from flip7sim.replay import Outcome, legal_answers, outcome_of, play
from flip7sim.scenario import Answer, Scenario
from flip7sim.table import (
    ACTIVE,
    ASK_DISCARD,
    ASK_FLIP7_BONUS,
    ASK_HIT_OR_STAY,
    ASK_STEAL,
    ASK_SWAP,
    BUSTED,
    EVENT_DECISION,
    EVENT_FLIP,
    NO_CARD,
    STAYED,
)

MOST_OPTIONS: Final = 6
"""Up to so many options are listed one by one."""
_SPECIAL: Final = {UNLUCKY7: "Unlucky 7", LUCKY13: "Lucky 13", DIV2: "÷2"}
_FLIPS: Final = {FLIP_THREE: 3, FLIP_FOUR: 4, JUST_ONE_MORE: 1}


def card_title(kind: int) -> str:
    """Return a card's name as it is written in words.

    Examples
    --------
    >>> card_title(FLIP_THREE)
    'Flip Three'
    """
    if kind in _SPECIAL:
        return _SPECIAL[kind]
    name = CARD_NAMES[kind]
    return name.replace("_", " ").title() if kind >= FREEZE else name


def narrate(scenario: Scenario) -> str:
    """Return a scenario told in words.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    str
        Lines of text, without a newline at the end.

    Raises
    ------
    InputError
        If the scenario is malformed.

    Examples
    --------
    >>> from flip7sim.trace import trace_round
    >>> print(narrate(trace_round(["score:20"], seed=7)))
    """
    narrator = _Narrator(scenario)
    table = play(scenario, observer=narrator)
    narrator.close(outcome_of(scenario, table))
    return "\n".join(narrator.rows)


class _Snapshot:
    """What lies where and who is what, at one event."""

    def __init__(self, table: Any) -> None:
        n = int(table.n_seats)
        self.status = table.status[:n].copy()
        self.frozen = table.frozen[:n].copy()
        self.line = table.line[:n].astype(np.int64)
        self.left = table.left.copy()
        self.discarded = table.discarded.copy()
        self.flip7_seat = int(table.flip7_seat)

    def start_round(self) -> None:
        """Clear the seats; deck and discard pile stay as they are."""
        self.status[:] = ACTIVE
        self.frozen[:] = 0
        self.line[:] = 0
        self.flip7_seat = -1


class _Narrator:
    """The observer: one row an event, what it led to added when the next one comes."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.rows = [*_heading(scenario)]
        self.before: _Snapshot | None = None
        self.n_left = scenario.rules.n_cards  # in the deck after the last round
        self.actor = -1
        self.undecided = False  # the last row tells of a hit whose card is to come
        self.set_aside = False  # the last row tells of a card that a forced run may set aside

    def __call__(self, table: Any, seat: int) -> int:
        """Tell of an event."""
        if self.before is None:
            self._open_round(table)
        drawn = int(table.card) if table.event == EVENT_FLIP else NO_CARD
        shuffled = self._tell_changes(table, drawn)
        if table.event == EVENT_FLIP:
            self._flip(table, seat, drawn, shuffled)
        elif table.event == EVENT_DECISION:
            self._decision(table, seat)
        else:
            self._results(table)
            self.n_left = int(table.n_cards_left)
            self.before = None
        return 0

    def close(self, outcome: Outcome) -> None:
        """Tell who won the game."""
        if outcome.winners is not None:
            who = _seats(outcome.winners) if outcome.winners else "nobody"
            rounds = f"{outcome.rounds} round{'s' if outcome.rounds != 1 else ''}"
            self.rows += ["", f"After {rounds} and {outcome.flips} flips {who} won."]

    def _open_round(self, table: Any) -> None:
        self.before = _Snapshot(table)
        self.before.start_round()
        if table.event == EVENT_FLIP:
            self.before.left[table.card] += 1
        where = f"Seat {table.dealer} deals."
        if self.scenario.play == "game":
            totals = " ".join(str(total) for total in table.total[: table.n_seats])
            n_cards = int(self.before.left.sum())
            shuffled = ", just shuffled" if n_cards > self.n_left else ""
            where = (
                f"Round {table.round_number + 1}. {where} "
                f"Totals {totals}; cards in the deck: {n_cards}{shuffled}."
            )
        self.rows += ["", where]

    def _flip(self, table: Any, seat: int, card: int, shuffled: bool) -> None:
        title = card_title(card)
        run = table.runs[table.n_runs - 1] if table.n_runs > 0 else None
        shuffle = ""
        if shuffled:
            shuffle = f"the discard pile, {table.n_cards_left + 1} cards, is shuffled; "
        if run is not None and seat == run.target and run.flips_left > 0:
            n_flips = _FLIPS[int(run.action)]
            place = f" ({n_flips - run.flips_left + 1} of {n_flips})" if n_flips > 1 else ""
            self._say(f"{shuffle}{card_title(int(run.action))}: seat {seat} flips {title}{place}")
        elif self.undecided:
            self.rows[-1] += f", and {shuffle}flips {title}"
        elif table.dealing:
            self._say(f"{shuffle}seat {seat} is dealt {title}")
        else:
            self._say(f"{shuffle}seat {seat} must hit, flips {title}")
        self.actor = seat
        self.undecided = False
        self.set_aside = (
            run is not None
            and run.action != JUST_ONE_MORE
            and card > LAST_NUMBER
            and card != SECOND_CHANCE
        )

    def _decision(self, table: Any, seat: int) -> None:
        self.set_aside = False
        self.actor = seat
        answers = legal_answers(table)
        answer = answers[table.answer]
        if table.ask == ASK_HIT_OR_STAY:
            self.undecided = answer == "hit"
            hit = _chance(table, seat, "busts" if self.undecided else "would bust")
            subject = "which" if self.undecided else "a hit"
            self._say(f"seat {seat} {answer}s on {_line(table, seat)}, {subject} {hit}")
            if answer == "stay" and self.before is not None:  # said already
                self.before.status[seat] = STAYED
            return
        others = [_answer(seat, other) for other in answers if other != answer]
        instead = f"one of {len(answers)} choices"
        if len(answers) <= MOST_OPTIONS:
            instead = "not " + ", ".join(others)
        self._say(f"  {_deed(table, seat, answer)} ({instead})")

    def _tell_changes(self, table: Any, drawn: int) -> bool:
        """Add what happened since the last event to its row; return whether a shuffle did."""
        before, now = self.before, _Snapshot(table)
        assert before is not None
        left = now.left.copy()
        if drawn != NO_CARD:
            left[drawn] += 1
        shuffled = bool(left.sum() > before.left.sum())
        # A shuffle comes last before a flip: what was discarded until then is the new deck.
        discarded = (left if shuffled else now.discarded) - before.discarded
        changes = [*self._changes(table, before, now, discarded)]
        if self.undecided and drawn == NO_CARD:
            changes.insert(0, "there is no flip any more")
        elif self.set_aside and not changes:
            changes.append("set aside")
        if changes:
            self.rows[-1] += ": " + "; ".join(changes)
        self.before = now
        return shuffled

    def _changes(
        self, table: Any, before: _Snapshot, now: _Snapshot, discarded: Any
    ) -> Iterable[str]:
        for seat in range(len(now.status)):
            who = "" if seat == self.actor else f"seat {seat} "
            gained = now.line[seat] - before.line[seat]
            busted = now.status[seat] == BUSTED
            if gained[SECOND_CHANCE] < 0:
                yield f"{who}saved by the Second Chance"
            if busted and before.status[seat] != BUSTED:
                yield f"{who}busts with {_cards(now.line[seat])}"
            elif busted and gained.any():
                yield f"{who}busted, takes {_cards(np.maximum(gained, 0))}"
            elif now.flip7_seat == seat != before.flip7_seat:
                yield f"{who}Flip 7 with {_line(table, seat)}, the round is over"
            elif gained.any():
                yield f"{who}now {_line(table, seat)}"
            if now.status[seat] == STAYED != before.status[seat]:
                how = "is frozen on" if now.frozen[seat] > before.frozen[seat] else "stays on"
                yield f"{who}{how} {_line(table, seat)}"
        if (discarded > 0).any():
            yield f"discarded {_cards(np.maximum(discarded, 0))}"

    def _results(self, table: Any) -> None:
        words = {ACTIVE: "active", STAYED: "stayed", BUSTED: "busted"}
        for seat in range(table.n_seats):
            how = "Flip 7" if seat == table.flip7_seat else words[int(table.status[seat])]
            score = int(table.score[seat])
            total = int(table.total[seat]) + score
            start = "Result:" if seat == 0 else "       "
            self.rows.append(f"  {start} seat {seat} {how}, {_points(score)}, total {total}")

    def _say(self, text: str) -> None:
        spaces = len(text) - len(text.lstrip())
        text = text.lstrip()
        self.rows.append("  " + " " * spaces + text[0].upper() + text[1:])


def _heading(scenario: Scenario) -> Iterable[str]:
    if scenario.name is not None:
        yield scenario.name
    rules = scenario.rules
    game = "Base game" if rules.game == "base" else "Vengeance"
    players = f"{scenario.players} player{'s' if scenario.players != 1 else ''}"
    options = [f"{name} {value}" for name, value in rules.options().items() if name != "deck"]
    if rules.deck is not None:
        counted = [f"{n} × {card_title(kind)}" for kind, n in enumerate(rules.counts) if n]
        options.append("deck " + ", ".join(counted))
    yield "; ".join([f"{game}, {players}, {rules.n_cards} cards", *options]) + "."


def _cards(counts: Any) -> str:
    titles = [card_title(kind) for kind, n in enumerate(counts) for _ in range(int(n))]
    return " ".join(titles) if titles else "no card"


def _line(table: Any, seat: int) -> str:
    cards = _cards(table.line[seat])
    return f"{cards} ({_points(int(line_score(table, seat)))})" if table.n_line[seat] else cards


def _points(points: int) -> str:
    return f"{points} point{'s' if points != 1 else ''}"


def _seats(seats: Iterable[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)


def _chance(table: Any, seat: int, busts: str) -> str:
    """Return the chance that the next card busts, as the player can know it."""
    n_cards = int(n_unseen_cards(table, seat, SEEN))
    chance = float(bust_probability(table, seat, SEEN))
    if chance == 0:
        return "cannot bust" if busts == "busts" else "could not bust"
    return f"{busts} with {chance:.1%} ({chance * n_cards:.0f} of {n_cards})"


def _answer(seat: int, answer: Answer) -> str:
    """Return one legal answer in few words."""
    if isinstance(answer, int):
        return "itself" if answer == seat else f"seat {answer}"
    if isinstance(answer, str):
        return answer
    owned = []
    for owner, card in zip(answer[::2], answer[1::2], strict=True):
        whose = "its own" if owner == seat else f"seat {owner}'s"
        owned.append(f"{whose} {card_title(KIND[str(card)])}")
    return " for ".join(owned)


def _deed(table: Any, seat: int, answer: Answer) -> str:
    """Return what a chooser does."""
    chosen = _answer(seat, answer)
    verbs = {ASK_STEAL: "steals", ASK_SWAP: "swaps", ASK_DISCARD: "discards"}
    if table.ask in verbs:
        return f"seat {seat} {verbs[int(table.ask)]} {chosen}"
    if table.ask == ASK_FLIP7_BONUS:
        bonus = int(table.flip7_bonus)
        if answer == seat:
            return f"seat {seat} takes the {bonus} points"
        return f"seat {seat} takes {bonus} points off {chosen}"
    state = ""
    if isinstance(answer, int) and answer != seat and table.status[answer] != BUSTED:
        state = f", {_line(table, answer)}"
        if table.card in _FLIPS:
            state += f", whose next card {_chance(table, answer, 'busts')}"
    return f"seat {seat} gives {card_title(int(table.card))} to {chosen}{state}"
