"""The Vengeance round solved: consistency, options, what is refused, the cache."""

from __future__ import annotations

import pytest

from flip7sim.errors import InputError
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.rules import Rules


def vengeance(**options: object) -> Rules:
    return Rules.from_options("vengeance", options)


def test_plain_numbers_have_more_states_with_the_specials() -> None:
    plain = solve_vengeance(vengeance(deck="numbers", specials=False))
    special = solve_vengeance(vengeance(deck="numbers"))
    assert sum(special.outcome.scores().values()) == pytest.approx(1, abs=1e-12)
    assert special.n_states > 1000 * plain.n_states
    # Specials spread the scores: a Zero is worth nothing, a pair of 13s 26.
    assert special.outcome.sd > plain.outcome.sd
    assert max(special.outcome.scores()) <= 91


def test_cards_without_effect_on_a_lone_player_change_nothing() -> None:
    without = vengeance(deck="numbers", specials=False)
    names = ("div2", "-2", "-4", "-6", "-8", "-10", "flip_four", "discard", "just_one_more")
    deck = dict.fromkeys(names, 0)
    with_them = vengeance(deck=deck, specials=False)  # two Steal, two Swap
    assert with_them.n_cards == without.n_cards + 4
    assert solve_vengeance(with_them).value == pytest.approx(
        solve_vengeance(without).value, abs=1e-12
    )


def test_a_forced_flip_costs() -> None:
    names = ("div2", "-2", "-4", "-6", "-8", "-10", "flip_four", "discard", "steal", "swap")
    deck = dict.fromkeys(names, 0)
    with_it = solve_vengeance(vengeance(deck=deck, specials=False))  # two Just One More
    assert with_it.value < solve_vengeance(vengeance(deck="numbers", specials=False)).value


def test_brutal_scores_may_be_negative() -> None:
    deck = {name: 0 for name in ("flip_four", "discard", "steal", "swap")}
    rules = {"deck": deck, "specials": False}
    floored, brutal = (
        solve_vengeance(vengeance(**rules)),
        solve_vengeance(vengeance(**rules, brutal=True)),
    )
    assert min(brutal.outcome.scores()) < 0 == min(floored.outcome.scores())
    assert brutal.value < floored.value


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "leave out flip_four"),
        ({"deck": {"flip_four": 0}}, "leave out discard"),
        ({"deck": {"flip_four": 0, "discard": 0, "div2": 2}}, "one div2 at most"),
        ({"deck": "numbers", "brutal": True}, None),
    ],
    ids=["flip four", "discard", "two div2", "fine"],
)
def test_what_is_left_out_is_refused(options: dict[str, object], words: str | None) -> None:
    rules = vengeance(**options, specials=False)
    if words is None:
        assert solve_vengeance(rules).value > 0
        return
    with pytest.raises(InputError, match=words):
        solve_vengeance(rules)


def test_base_rules_are_refused() -> None:
    with pytest.raises(InputError, match="plays vengeance"):
        solve_vengeance(Rules())


def test_second_call_reads_the_cache() -> None:
    rules = vengeance(deck="numbers", specials=False, flip7_bonus=20)
    first, second = solve_vengeance(rules), solve_vengeance(rules)
    assert second.from_cache and not first.from_cache
    assert second.outcome.scores() == first.outcome.scores()
    assert second.words.tobytes() == first.words.tobytes()


def test_threads_change_no_bit() -> None:
    rules = vengeance(deck={f"{n}": 2 for n in range(8, 13)} | {"13": 3} | ONLY)
    one, two = (solve_vengeance(rules, threads=n, cached=False) for n in (1, 2))
    assert one.outcome.scores() == two.outcome.scores()
    assert one.words.tobytes() == two.words.tobytes()


ONLY = dict.fromkeys(
    ("div2", "-2", "-4", "-6", "-8", "-10", "just_one_more", "flip_four", "steal", "swap",
     "discard", "0", "1", "2", "3", "4", "5"), 0,
)  # fmt: skip
