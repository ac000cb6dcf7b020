"""rules.md once more, as plainly as Python allows: what the compiled engine is compared with.

Written from the page alone, for reading: lines are lists of names, nested cards are recursion.
`Game` deals and chooses at random and keeps what a scenario needs.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from flip7sim.cards import card_names
from flip7sim.rules import Rules
from flip7sim.scenario import Answer, Decision, Scenario, swap_answer

PLUS = {"+2": 2, "+4": 4, "+6": 6, "+8": 8, "+10": 10}
MINUS = {"-2": 2, "-4": 4, "-6": 6, "-8": 8, "-10": 10}
MODIFIERS = {*PLUS, *MINUS, "x2", "div2"}
RANK = {str(n): n for n in range(14)} | {"unlucky7": 7, "lucky13": 13}


class Flip7(Exception):  # noqa: N818 - no error
    """The round ends at once."""


class Game:
    """A round or game, played at random as it is made."""

    def __init__(
        self,
        rules: Rules,
        players: int,
        chance: random.Random,
        *,
        dealer: int = 0,
        totals: tuple[int, ...] | None = None,
        play: str = "round",
        boldness: float = 0.7,
    ) -> None:
        self.rules, self.players, self.chance, self.play = rules, players, chance, play
        self.boldness = boldness
        self.before = totals or (0,) * players
        self.first_dealer = self.dealer = dealer
        self.total = list(self.before)
        self.whole = Counter(card_names(rules.counts))
        self.deck, self.discards = Counter(self.whole), Counter[str]()
        self.draws: list[str] = []
        self.decisions: list[Decision] = []
        self.legal: list[list[Answer]] = []
        self.rounds, self.winners = 0, []
        self.play_round()
        while play == "game" and not self.is_won() and self.rounds < 1000:
            self.dealer = (self.dealer + 1) % players
            self.discards = self.whole - self.deck
            if rules.reshuffle_each_round:
                self.deck, self.discards = Counter(self.whole), Counter[str]()
            self.play_round()

    # --- a round -----------------------------------------------------------------------------

    def play_round(self) -> None:
        n = self.players
        self.rounds += 1
        self.flips = 0
        self.line: list[list[str]] = [[] for _ in range(n)]
        self.status = ["active"] * n
        self.penalty = [0] * n
        self.hand: list[str] = []
        seats = [(self.dealer + 1 + k) % n for k in range(n)]
        try:
            for seat in seats:
                if self.status[seat] == "active":
                    card = self.flip(seat)
                    if card is not None:
                        self.settle(seat, card)
            seat = self.dealer
            while "active" in self.status:
                seat = (seat + 1) % n
                if self.status[seat] == "active":
                    self.turn(seat)
        except Flip7:
            for card in self.hand:
                self.discards[card] += 1
            self.hand = []
        assert self.hand == []
        self.score = [self.scored(seat) for seat in range(n)]
        if "flip7" in self.status:
            self.bonus(self.status.index("flip7"))
        for seat in range(n):
            self.total[seat] += self.score[seat]

    def turn(self, seat: int) -> None:
        may_stay = bool(self.line[seat]) and not self.zero(seat)
        if may_stay and self.choose(seat, "hit_or_stay", ["hit", "stay"]) == "stay":
            self.status[seat] = "stayed"
            return
        card = self.flip(seat)
        if card is None:
            self.status[seat] = "stayed"
        else:
            self.settle(seat, card)

    def flip(self, seat: int) -> str | None:
        if self.flips == 2000:
            return None
        if not self.deck.total():
            if not self.discards.total():
                return None
            self.deck, self.discards = self.discards, Counter[str]()
        card = self.chance.choice(sorted(self.deck.elements()))
        self.deck[card] -= 1
        self.flips += 1
        self.draws.append(card)
        return card

    def choose(self, seat: int, ask: str, options: list[Answer]) -> Answer:
        if len(options) == 1:
            return options[0]
        if ask == "hit_or_stay":
            answer = "hit" if self.chance.random() < self.boldness else "stay"
        else:
            answer = self.chance.choice(options)
        self.decisions.append(Decision(seat, ask, answer))
        self.legal.append(options)
        return answer

    def put_away(self, card: str) -> None:
        """Discard a card that is in hand."""
        self.hand.remove(card)
        self.discards[card] += 1

    def lay(self, seat: int, card: str) -> None:
        """Lay a card in hand into a line."""
        self.hand.remove(card)
        self.line[seat].append(card)

    def stay(self, seat: int) -> None:
        if self.status[seat] == "active":
            self.status[seat] = "stayed"

    # --- lines -------------------------------------------------------------------------------

    def special(self) -> bool:
        return self.rules.game == "vengeance" and self.rules.specials

    def numbers(self, seat: int) -> list[str]:
        return [card for card in self.line[seat] if card in RANK]

    def towards_seven(self, seat: int) -> int:
        numbers = self.numbers(seat)
        if self.special() and self.rules.lucky13_pair_counts == 1:
            return len({RANK[card] for card in numbers})
        return len(numbers)

    def zero(self, seat: int) -> bool:
        return self.special() and "0" in self.line[seat] and self.towards_seven(seat) < 7

    def look_for_bust(self, seat: int) -> None:
        for rank, count in Counter(RANK[card] for card in self.numbers(seat)).items():
            lucky = self.special() and rank == 13 and count == 2 and "lucky13" in self.line[seat]
            if count > 1 and not lucky:
                self.status[seat] = "busted"

    def look_for_seven(self, seat: int) -> None:
        if self.status[seat] != "busted" and self.towards_seven(seat) >= 7:
            self.status[seat] = "flip7"
            raise Flip7

    def scored(self, seat: int) -> int:
        if self.status[seat] == "busted":
            return -self.penalty[seat]
        if self.zero(seat):
            return 0
        points = sum(RANK[card] for card in self.numbers(seat))
        for card in self.line[seat]:
            points = points * 2 if card == "x2" else points // 2 if card == "div2" else points
        points += sum(PLUS.get(card, 0) - MINUS.get(card, 0) for card in self.line[seat])
        return points if self.rules.brutal else max(points, 0)

    def bonus(self, seat: int) -> None:
        target = seat
        if self.rules.brutal:
            target = self.choose(seat, "flip7_bonus", list(range(self.players)))  # type: ignore[assignment]
        self.score[target] += self.rules.flip7_bonus * (1 if target == seat else -1)

    # --- cards -------------------------------------------------------------------------------

    def settle(self, seat: int, card: str, aside: list[str] | None = None) -> None:
        """Settle a card flipped for a seat, in a Flip Three or Flip Four if `aside` is given."""
        self.hand.append(card)
        if card not in RANK and card in self.rules.inert:
            self.put_away(card)
        elif self.rules.game == "base":
            self.settle_base(seat, card, aside)
        else:
            self.settle_vengeance(seat, card, aside)

    def settle_base(self, seat: int, card: str, aside: list[str] | None) -> None:
        line = self.line[seat]
        if card in RANK:
            twice = card in line
            if twice and "second_chance" in line:
                line.remove("second_chance")
                self.discards["second_chance"] += 1
                self.put_away(card)
                return
            self.lay(seat, card)
            if twice:
                self.status[seat] = "busted"
            self.look_for_seven(seat)
        elif card in MODIFIERS or (card == "second_chance" and card not in line):
            self.lay(seat, card)
        elif card == "second_chance":
            takers: list[Answer] = [
                other for other in self.active() if "second_chance" not in self.line[other]
            ]
            if takers:
                self.lay(self.choose(seat, card, takers), card)  # type: ignore[arg-type]
            else:
                self.put_away(card)
        elif aside is not None:
            aside.append(card)
        else:
            self.act(card, self.choose(seat, card, [*self.active()]))

    def active(self) -> list[int]:
        return [seat for seat in range(self.players) if self.status[seat] == "active"]

    def act(self, card: str, target: Any) -> None:
        if self.status[target] != "active":
            self.put_away(card)
        elif card == "freeze":
            self.hand.remove(card)  # it lies in front of the player
            self.status[target] = "stayed"
        else:
            aside = self.forced(target, card, 3)
            assigned = [self.choose(target, other, [*self.active()]) for other in aside]
            for other, whom in zip(aside, assigned, strict=True):
                self.act(other, whom)

    def forced(self, target: int, action: str, n_flips: int) -> list[str]:
        """Flip cards for a target; return what is set aside and still to be settled."""
        aside: list[str] = []
        for _ in range(n_flips):
            card = self.flip(target)
            if card is None:
                break
            self.settle(target, card, aside)
            if self.status[target] == "busted":
                for other in aside:
                    self.put_away(other)
                aside = []
                break
        self.put_away(action)
        return aside

    def open(self) -> list[int]:
        words = ("active", "stayed") if self.rules.open_after_stay else ("active",)
        return [seat for seat in range(self.players) if self.status[seat] in words]

    def settle_vengeance(self, seat: int, card: str, aside: list[str] | None) -> None:
        if card in RANK:
            self.hand.remove(card)
            self.arrive(seat, card)
            self.look_for_bust(seat)
            self.look_for_seven(seat)
        elif aside is not None:
            aside.append(card)
        elif card in MODIFIERS:
            self.give(seat, card)
        elif card == "just_one_more" or card == "flip_four":
            if self.open():
                self.force(card, self.choose(seat, card, [*self.open()]))
            else:
                self.put_away(card)
        else:
            {"steal": self.steal, "swap": self.swap, "discard": self.discard}[card](seat)
            self.put_away(card)

    def arrive(self, seat: int, card: str) -> None:
        if card == "unlucky7" and self.special():
            self.discards.update(self.line[seat])
            self.line[seat] = []
        self.line[seat].append(card)

    def give(self, seat: int, card: str) -> None:
        busted = [other for other in range(self.players) if self.status[other] == "busted"]
        receivers: list[Answer] = [*self.open(), *(busted if self.rules.brutal else [])]
        if not receivers:
            self.put_away(card)
            return
        receiver: Any = self.choose(seat, card, receivers)
        self.lay(receiver, card)
        if self.status[receiver] == "busted":
            self.penalty[receiver] += MINUS.get(card, 0)

    def force(self, action: str, target: Any) -> None:
        if action == "flip_four":
            for card in self.forced(target, action, 4):
                self.hand.remove(card)
                self.settle(target, card)
            return
        card = self.flip(target)
        self.put_away(action)
        if card is not None:
            self.settle(target, card)
        self.stay(target)

    def cards_of(self, seats: list[int]) -> list[tuple[int, str]]:
        return [(seat, card) for seat in seats for card in sorted(set(self.line[seat]))]

    def steal(self, seat: int) -> None:
        options = self.cards_of([other for other in self.open() if other != seat])
        if options and self.status[seat] != "busted":
            victim, card = self.choose(seat, "steal", [*options])  # type: ignore[misc]
            self.line[victim].remove(card)  # type: ignore[arg-type]
            self.arrive(seat, card)  # type: ignore[arg-type]
            self.look_for_bust(seat)
            self.look_for_seven(seat)

    def swap(self, seat: int) -> None:
        cards = self.cards_of(self.open())
        options = [swap_answer(*a, *b) for a in cards for b in cards if a[0] < b[0]]
        if options:
            one, card, two, with_card = self.choose(seat, "swap", options)  # type: ignore[misc]
            self.line[one].remove(card)
            self.line[two].remove(with_card)
            self.arrive(one, with_card)
            self.arrive(two, card)
            self.look_for_bust(one)
            self.look_for_bust(two)
            self.look_for_seven(one)
            self.look_for_seven(two)

    def discard(self, seat: int) -> None:
        options = self.cards_of(self.open())
        if options:
            owner, card = self.choose(seat, "discard", [*options])  # type: ignore[misc]
            self.line[owner].remove(card)  # type: ignore[arg-type]
            self.discards[card] += 1  # type: ignore[index]

    # --- a game ------------------------------------------------------------------------------

    def is_won(self) -> bool:
        best = max(self.total)
        self.winners = [seat for seat in range(self.players) if self.total[seat] == best]
        if best < self.rules.target_score or (self.rules.tie == "play_on" and self.winners[1:]):
            self.winners = []
        return bool(self.winners)

    def scenario(self) -> Scenario:
        expect = {
            "round_scores": self.score,
            "totals": self.total,
            "status": self.status,
            "lines": self.line,
            "discard": [*self.discards.elements()],
            "flips": len(self.draws),
        }
        if self.play == "game":
            expect |= {"rounds": self.rounds, "winners": self.winners}
        return Scenario(
            rules=self.rules,
            players=self.players,
            dealer=self.first_dealer,
            totals=self.before,
            play=self.play,
            draws=tuple(self.draws),
            decisions=tuple(self.decisions),
            expect=expect,
        )
