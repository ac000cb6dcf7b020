"""A player in one string: what is read, how it is written, what is refused and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flip7sim.errors import InputError
from flip7sim.policies import (
    Player,
    as_player,
    load_policy_file,
    parse_player,
    player,
    policies,
    registry,
)
from flip7sim.rules import Rules
from flip7sim.table import ASK_NAMES, GAME_ASKS, new_table


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("score:25", "score:25/leader"),
        (" score : 25 / leader ", "score:25/leader"),
        ("score:25.0", "score:25/leader"),
        ("score:2.5e1", "score:25/leader"),
        ("score:22.5/next", "score:22.5/next"),
        ("score:28,chance=never/freeze=leader,flip_three=risky",
         "score:28,chance=never/flip_three=risky"),
        ("score:28,40", "score:28,chance=40/leader"),
        ("score:chance=30,points=25", "score:25,chance=30/leader"),
        ("bust:0.26 or cards:6 / leader", "bust:0.26 or cards:6/leader"),
        ("bust:.26,own", "bust:0.26,own/leader"),
        ("bust:0.26,seen", "bust:0.26/leader"),
        ("bust:0.26,attention=lines", "bust:0.26,lines/leader"),
        ("gain", "gain/leader"),
        ("gain:lines", "gain:lines/leader"),
        ("gain:seen", "gain/leader"),
        ("race:20,0.1", "race:20,0.1/leader"),
        ("crowd:25,-1", "crowd:25,-1/leader"),
        ("never or always and random:0.5", "never or always and random:0.5/leader"),
        ("never / flip_four=greedy , swap=bust", "never/flip_four=greedy,swap=bust"),
        ("never/greedy", "never/greedy"),
        ("never/weakest", "never/weakest"),
        ("never/freeze=next,flip_three=next,second_chance=next",
         "never/freeze=next,flip_three=next,second_chance=next"),
        ("never/random", "never/random"),
    ],
)  # fmt: skip
def test_read_and_written(text: str, label: str) -> None:
    made = parse_player(text)
    assert made.label == label
    assert parse_player(label) == made
    assert as_player(made) is made
    assert str(made) == label


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scor:25", "unknown stay policy 'scor'; did you mean 'score'"),
        ("score:25/leadr", "unknown targeting policy 'leadr'; did you mean 'leader'"),
        ("leader", "unknown stay policy 'leader'"),
        ("score", "policy 'score' needs points, a number"),
        ("score:", "points of score must be a number, not ''"),
        ("score:abc", "points of score must be a number, not 'abc'"),
        ("score:nan", "points of score must be a number, not 'nan'"),
        ("score:never", "points of score must be a number, not 'never'"),
        ("score:25,chanc=3", "no parameter 'chanc'; did you mean 'chance'"),
        ("score:25,chance=inf", "chance of score must be a number or never, not 'inf'"),
        ("score:25,26,27", "policy 'score' takes 2 values, not 3"),
        ("score:25,points=3", "points is given twice"),
        ("score:points=3,4", "'4' stands after a named value"),
        ("never:3", "policy 'never' takes no value, '3' was given"),
        ("bust:1.5", "probability of bust must be a number from 0 to 1, not '1.5'"),
        ("bust:0.2,all", "attention of bust must be one of seen, lines, own, not 'all'"),
        ("race:20", "policy 'race' needs factor, a number"),
        ("", "has no stay policy"),
        ("/leader", "has no stay policy"),
        ("score:25/", "a targeting policy is missing after '/'"),
        ("score:25/freez=leader", "unknown choice 'freez'; did you mean 'freeze'"),
        ("score:25/freeze=leader,freeze=next", "freeze is named twice"),
        ("score:25/freeze=", "unknown targeting policy ''"),
        ("score:25/freeze=greedy", "targeting policy 'greedy' cannot choose for freeze"),
        ("score:25/next:3", "policy 'next' takes no value"),
        ("score:25/leader/next", "unknown targeting policy"),
        ("score:25 or", "unknown stay policy 'score:25 or'|points of score"),
        ("score:25 xor never", "points of score"),
        (" or ".join(["never"] * 9), "at most 8 stay policies, not 9"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_player(text)
    assert "\n" not in str(caught.value)


numbers = st.one_of(
    st.integers(-200, 200), st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)
)
shares = st.floats(0, 1, allow_subnormal=False)
attentions = st.sampled_from(["", ",own", ",lines", ",seen"])
chances = st.one_of(st.just(""), st.just(",chance=never"), numbers.map(",chance={}".format))
terms = st.one_of(
    st.builds("score:{}{}".format, numbers, chances),
    st.builds("sum:{}".format, numbers),
    st.builds("cards:{}".format, st.integers(0, 9)),
    st.builds("bust:{}{}".format, shares, attentions),
    st.sampled_from(["gain", "gain:own", "gain:lines", "gain:seen", "never", "always"]),
    st.builds("race:{},{}".format, numbers, numbers),
    st.builds("crowd:{},{}".format, numbers, numbers),
    st.builds("random:{}".format, shares),
)
base_names = st.sampled_from([p.name for p in policies("base", "targeting")])
vengeance_names = st.sampled_from([p.name for p in policies("vengeance", "targeting")])
pairs = st.dictionaries(st.sampled_from(GAME_ASKS["base"]), base_names, max_size=3)
more_pairs = st.dictionaries(st.sampled_from(GAME_ASKS["vengeance"]), vengeance_names, max_size=7)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Any player's text, with spaces here and there."""
    parts = draw(st.lists(terms, min_size=1, max_size=4))
    space = draw(st.sampled_from(["", " ", "  "]))
    text = parts[0]
    for part in parts[1:]:
        text += draw(st.sampled_from([" and ", " or ", "  and ", " or  "])) + part
    match draw(st.sampled_from(["none", "one", "each"])):
        case "one":
            text += f"{space}/{space}" + draw(st.one_of(base_names, vengeance_names))
        case "each":
            chosen = draw(pairs) | draw(more_pairs)
            if chosen:
                joined = f",{space}".join(f"{ask}={name}" for ask, name in chosen.items())
                text += f"{space}/{space}{joined}"
    return space + text + space


@given(texts())
def test_labels_round_trip(text: str) -> None:
    made = parse_player(text)
    again = parse_player(made.label)
    assert again == made
    assert again.label == made.label
    assert hash(again) == hash(made)
    assert repr([term.values for term in again.terms]) == repr([t.values for t in made.terms])
    for ask in ASK_NAMES[1:]:
        assert again.policy_for(ask) == made.policy_for(ask)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        made = parse_player(text)
    except InputError:
        return
    assert parse_player(made.label) == made


def test_parameters_can_be_swept() -> None:
    start = parse_player("race", partial=True)
    with pytest.raises(InputError, match="policy 'race' needs points"):
        start.rows(new_table(Rules(), 2))
    swept = start.with_parameter(0, 20).with_parameter("factor", "0.1")
    assert swept == parse_player("race:20,0.1")
    assert start.label == "race/leader"
    both = parse_player("bust:0.2 or cards:6/next")
    assert both.with_parameter("cards", 5, term=1).label == "bust:0.2 or cards:5/next"
    assert both.with_parameter(1, "own").label == "bust:0.2,own or cards:6/next"
    assert both.parameter(0, term=1).name == "cards"
    with pytest.raises(InputError, match="has 2 parameters, there is no number 3"):
        both.with_parameter(2, 5)
    with pytest.raises(InputError, match="no stay policy number 3"):
        both.with_parameter(0, 5, term=2)
    with pytest.raises(InputError, match="probability of bust must be"):
        both.with_parameter(0, 2)


@pytest.mark.parametrize(
    ("text", "game", "message"),
    [
        ("never/flip_four=next", "base", "flip_four is never asked in base"),
        ("never/freeze=next", "vengeance", "freeze is never asked in vengeance"),
        ("never/freeze=leader", "vengeance", "freeze is never asked in vengeance"),
        ("score:25,chance=30", "vengeance", "chance of score has no effect in vengeance"),
        ("never/greedy", "base", "greedy.*makes no choice of base"),
    ],
)
def test_what_has_no_effect_in_a_game(text: str, game: str, message: str) -> None:
    made = parse_player(text)
    with pytest.raises(InputError, match=message):
        made.check_game(game)
    with pytest.raises(InputError, match=message):
        made.install(new_table(Rules(game=game), 2), 0)


def test_from_objects() -> None:
    score = next(policy for policy in policies(kind="stay") if policy.name == "score")
    greedy = next(policy for policy in policies(kind="targeting") if policy.name == "greedy")
    assert player(score(points=25)) == parse_player("score:25")
    assert player(score(points=25), "next") == parse_player("score:25/next")
    assert player("score:25", {"swap": greedy}) == parse_player("score:25/swap=greedy")
    with pytest.raises(InputError, match="'greedy' is a targeting policy, not a stay one"):
        player(greedy)
    with pytest.raises(InputError, match="names its targeting twice"):
        player("score:25/next", "next")
    with pytest.raises(InputError, match="unknown choice 'swop'; did you mean 'swap'"):
        player("score:25", {"swop": greedy})
    with pytest.raises(InputError, match="a player is text"):
        as_player(25)
    with pytest.raises(InputError, match="needs a stay policy"):
        Player(())


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Forget the policies that a test registers."""
    before = dict(registry._USERS)
    yield
    registry._USERS.clear()
    registry._USERS.update(before)


MINE = '''
"""Two policies of mine."""
import flip7sim as f7

@f7.stay_policy
def careful(table, seat, floor=20.0):
    """Stay early."""
    return f7.line_score(table, seat) >= floor

@f7.targeting_policy
def last(table, seat, back=1):
    """The last option."""
    return table.n_options - back
'''


@pytest.mark.usefixtures("forgetful")
def test_policies_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    careful, last = load_policy_file(file)
    assert (careful.name, last.name) == ("careful", "last")
    assert careful in policies(kind="stay")
    made = parse_player("careful:18 or cards:5/freeze=last:2,flip_three=last:back=1")
    assert made.label == "careful:floor=18 or cards:5/freeze=last:back=2,flip_three=last"
    assert parse_player(made.label) == made
    assert parse_player("careful/last").label == "careful/last"
    made.install(new_table(Rules(), 2), 0)
    file.write_text(MINE.replace("20.0", "21.0"))
    assert load_policy_file(str(file))[0].parameters[0].default == 21


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 3\n", "defines no policy; decorate a function"),
        ("def f(:\n", "line 1: invalid syntax"),
        ("x = 3\nraise ValueError('no\\nsuch')\n", "line 2: ValueError: no$"),
        ("import nothing_of_the_kind\n", "line 1: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        (MINE.replace("def last", "def random"), "'random' is the name of a built-in targeting"),
        (MINE.replace("return table.n_options", "table.ask = 1\n    return table.n_options"),
         "policy 'last' writes to the table"),
    ],
)  # fmt: skip
def test_files_refused(tmp_path: Path, source: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source)
    with pytest.raises(InputError, match=message) as caught:
        load_policy_file(file)
    assert "mine.py" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="unknown stay policy 'careful'"):
        parse_player("careful")


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load_policy_file(tmp_path / "none.py")
    (tmp_path / "mine.txt").write_text(MINE)
    with pytest.raises(InputError, match=r"must end in \.py"):
        load_policy_file(tmp_path / "mine.txt")
