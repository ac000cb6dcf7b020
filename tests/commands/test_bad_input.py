"""Bad input: one clear line with the nearest right word, status 2, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Refused = Callable[..., str]

PLAYER = ("--player", "score:25")
SIMULATE = ("simulate", *PLAYER)
SWEEP = ("sweep", "--policy", "score", "--from", "10", "--to", "12")

CASES = [
    # Commands and options.
    ([], "required: COMMAND"),
    (["simulat"], "unknown command 'simulat'; did you mean 'simulate'?"),
    ([*SIMULATE, "--jsn"], "unknown option '--jsn'; did you mean '--json'?"),
    ([*SIMULATE, "--round", "5"], "unknown option '--round'; did you mean '--rounds'?"),
    ([*SIMULATE, "extra"], "unexpected argument 'extra'"),
    ([*SIMULATE, "--game", "vengance"], "unknown --game 'vengance'; did you mean 'vengeance'?"),
    # Policies.
    (["simulate"], "needs a --player SPEC"),
    (["simulate", "--player", ""], "no stay policy"),
    (["simulate", "--player", "scroe:25"], "unknown stay policy 'scroe'; did you mean 'score'?"),
    (["simulate", "--player", "score:25/leadr"], "policy 'leadr'; did you mean 'leader'?"),
    (["simulate", "--player", "score:25/freez=next"], "choice 'freez'; did you mean 'freeze'?"),
    (["simulate", "--player", "score:25/steal=next"], "steal is never asked in base"),
    (["simulate", "--player", "score"], "'score' needs points"),
    (["simulate", "--player", "score:"], "must be a number, not ''"),
    (["simulate", "--player", "score:abc"], "must be a number, not 'abc'"),
    (["simulate", "--player", "score:nan"], "must be a number, not 'nan'"),
    (["simulate", "--player", "score:25 xor cards:3"], "not '25 xor cards:3'"),
    (["simulate", "--player", "bust:1.5"], "from 0 to 1, not"),
    (["simulate", "--player", "score:25\nx"], "must be a number"),
    ([*SIMULATE, "--policy-file", "no/such.py"], "no such file"),
    # Seats.
    (["simulate", *PLAYER * 19], "1 to 18 players, not 19"),
    ([*SWEEP, *("--against", "score:25") * 18], "1 to 18 players, not 19"),
    # Rules.
    ([*SIMULATE, "--option", "tye=share"], "unknown option 'tye'; did you mean 'tie'?"),
    ([*SIMULATE, "--option", "tie=share"], "option tie has no effect on simulate"),
    ([*SIMULATE, "--option", "target_score=9"], "target_score has no effect on simulate"),
    ([*SIMULATE, "--option", "reshuffle_each_round=true"], "has no effect on simulate"),
    ([*SWEEP, "--option", "tie=share"], "option tie has no effect on sweep"),
    (["trace", *PLAYER, "--option", "tie=share"], "option tie has no effect on trace"),
    ([*SIMULATE, "--option", "flip7_bonus=x"], "from 0 to 1000, not 'x'"),
    ([*SIMULATE, "--option", "flip7_bonus=1001"], "from 0 to 1000, not 1001"),
    ([*SIMULATE, "--option", "nothing"], "NAME=VALUE, not 'nothing'"),
    ([*SIMULATE, "--option", "specials=false"], "specials belongs to vengeance"),
    ([*SIMULATE, "--option", "inert=freez"], "'freez'; did you mean 'freeze'?"),
    ([*SIMULATE, "--option", "inert=5"], "modifiers and actions of base, not '5'"),
    ([*SIMULATE, *("--option", "flip7_bonus=1") * 2], "given twice"),
    ([*SIMULATE, "--brutal"], "brutal belongs to vengeance"),
    (
        [*SIMULATE, "--game", "vengeance", "--option", "specials=false", "--option",
         "lucky13_pair_counts=1"],
        "lucky13_pair_counts has no effect with specials=false",
    ),
    # Decks.
    ([*SIMULATE, "--deck", "nubmers"], "unknown deck 'nubmers' in base; did you mean 'numbers'?"),
    ([*SIMULATE, "--deck", '{"freez": 0}'], "unknown card 'freez' in the deck of base; did you"),
    ([*SIMULATE, "--deck", '{"steal": 0}'], "unknown card 'steal' in the deck of base"),
    ([*SIMULATE, "--deck", '{"freeze": 0'], "--deck: no JSON"),
    ([*SIMULATE, "--deck", "[" * 100_000], "--deck: no JSON"),
    ([*SIMULATE, "--deck", "[1]"], "counts per card, not [1]"),
    ([*SIMULATE, "--deck", '{"freeze": "a"}'], "from 0 to 255, not 'a'"),
    ([*SIMULATE, "--deck", '{"freeze": 1.0}'], "from 0 to 255, not 1.0"),
    ([*SIMULATE, "--deck", '{"freeze": -1}'], "from 0 to 255, not -1"),
    ([*SIMULATE, "--deck", '{"freeze": 200}'], "at most 255 cards, not 291"),
    ([*SIMULATE, "--deck", '{"freeze": 1, "freeze": 2}'], "key 'freeze' stands twice"),
    # Numbers.
    ([*SIMULATE, "--rounds", "0"], "rounds must be from 1 to 1000000000000, not 0"),
    ([*SIMULATE, "--rounds", "-5"], "rounds must be from 1 to 1000000000000, not -5"),
    ([*SIMULATE, "--rounds", "1e30"], "rounds must be from 1 to 1000000000000"),
    ([*SIMULATE, "--rounds", "1e400"], "no whole number"),
    ([*SIMULATE, "--rounds", "ten"], "'ten' is no whole number"),
    ([*SIMULATE, "--rounds", "1.5"], "'1.5' is no whole number"),
    ([*SIMULATE, "--seed", "-1"], "seed must be a whole number from 0 on, not -1"),
    ([*SIMULATE, "--seed", "x"], "'x' is no whole number"),
    ([*SIMULATE, "--threads", "0"], "threads must be a whole number from 1 to 1024, not 0"),
    ([*SIMULATE, "--until-se", "0"], "until_se must be above 0"),
    ([*SIMULATE, "--until-se", "nan"], "'nan' is no number"),
    # Sweeps.
    (["sweep", "--policy", "score", "--to", "12"], "required: --from"),
    (["sweep", "--policy", "score", "--from", "a", "--to", "12"], "'a' is no number"),
    (["sweep", "--policy", "score", "--from", "inf", "--to", "12"], "'inf' is no number"),
    (["sweep", "--policy", "score", "--from", "30", "--to", "12"], "give the lower end first"),
    (["sweep", "--policy", "scor", "--from", "1", "--to", "2"], "did you mean 'score'?"),
    (["sweep", "--policy", "never", "--from", "1", "--to", "2"], "'never' has 0 parameters"),
    (["sweep", "--policy", "bust", "--from", "1", "--to", "2"], "from 0 to 1, not 2.0"),
    ([*SWEEP, "--step", "0"], "step must be above 0, not 0"),
    ([*SWEEP, "--step", "1e-9"], "at most 1000 values"),
    ([*SWEEP, "--parameter", "9"], "there is no number 9"),
    ([*SWEEP, "--parameter", "0"], "a position from 1 or a name, not '0'"),
    ([*SWEEP, "--parameter", "pionts"], "'pionts'; did you mean 'points'?"),
    ([*SWEEP, "--rounds", "0"], "rounds must be from 1"),
    # The others.
    (["replay"], "at least one FILE"),
    (["trace"], "needs a --player SPEC"),
    (["trace", *PLAYER, "--round", "-1"], "from 0 on, not -1"),
    (["trace", *PLAYER, "--round", "1", "--game-number", "1"], "not allowed with"),
    (["policies", "--kind", "stya"], "unknown --kind 'stya'; did you mean 'stay'?"),
    (["policies", "--looks-at", "lnie"], "'lnie'; did you mean 'line'?"),
    (["run"], "required: FILE.toml"),
    (["run", "no/such.toml"], "cannot read no/such.toml: no such file or directory"),
    (["bench", "--rounds", "0"], "rounds must be from 1"),
    (["bench", "--runs", "0"], "runs must be from 1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    CASES,
    ids=[" ".join(arguments)[:60] or "nothing" for arguments, _ in CASES],
)
def test_bad_input_is_refused(refused: Refused, arguments: list[str], said: str) -> None:
    assert said in refused(*arguments)


TOML = (Path(__file__).resolve().parents[2] / "experiments/stay_thresholds.toml").read_text("utf-8")

STUDIES = [
    ("study = ", "studdy = ", "names no study"),
    ('"stay_thresholds"', '"stay_threshold"', "did you mean 'stay_thresholds'?"),
    ("rival = ", "rivla = ", "unknown key 'rivla'; did you mean 'rival'?"),
    ("quick = ", "quikc = ", "unknown key 'quikc'; did you mean 'quick'?"),
    ("seed = 1", "seed = 1\n[options]\ntye = 'share'", "did you mean 'tie'?"),
    ("seed = 1", 'seed = "one"', "seed"),
    ("seed = 1", "seed = -1", "seed"),
    ("from = 15", 'from = "low"', "from"),
    ("from = 15", "from = nan", "from must be a number"),
    ("from = 15", "from = 50", "give the lower end first"),
    ("step = 1", "step = 0", "step must be above 0"),
    ("quick = 20_000", "quick = 0", "rounds"),
    ("quick = 20_000", "quick = 1.5", "quick"),
    ("players = [1, 2, 3, 4, 5, 6]", "players = [0]", "1 to 18"),
    ("players = [1, 2, 3, 4, 5, 6]", "players = [2, 19]", "1 to 18"),
    ("players = [1, 2, 3, 4, 5, 6]", "players = []", "players"),
    ("score:25/leader", "scroe:25/leader", "did you mean 'score'?"),
    ("score:25/leader", "score:25/leadr", "did you mean 'leader'?"),
    ('policy = "score"', 'policy = "scor"', "did you mean 'score'?"),
    ('game = "base"', 'game = "bass"', "did you mean 'base'?"),
    ("[rounds]", "[rounds", "no TOML"),
    ("normal = 1_000_000", "", "normal"),
]


@pytest.mark.parametrize(
    ("old", "new", "said"), STUDIES, ids=[f"{new} not {old}" for old, new, _ in STUDIES]
)
def test_a_wrong_study_file_is_refused_before_anything_is_written(
    refused: Refused, tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in TOML
    file = tmp_path / "study.toml"
    text = TOML.replace(old, new, 1)
    if "[options]" in new:  # a table ends what stands before it, so it comes last
        text = TOML + new.removeprefix(old)
    file.write_text(text, "utf-8")
    folder = tmp_path / "out"
    line = refused("run", str(file), "--effort", "quick", "--to", str(folder))
    assert said in line
    assert not folder.exists() or list(folder.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x", b"study = 5"])
def test_a_file_that_is_no_study(refused: Refused, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "study.toml"
    file.write_bytes(content)
    refused("run", str(file), "--to", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.fixture
def study(tmp_path: Path) -> str:
    file = tmp_path / "study.toml"
    file.write_text(TOML, "utf-8")
    return str(file)


def test_a_file_in_the_folder_s_place(refused: Refused, study: str, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    for folder in (taken, taken / "below"):
        said = refused("run", study, "--effort", "quick", "--to", str(folder))
        assert str(folder) in said
        assert "cannot write" in said
    assert taken.read_text() == "mine"


@pytest.mark.parametrize("folder", ["/proc/self/results", "/dev/null/results", "a" * 300])
def test_a_folder_that_cannot_be(refused: Refused, study: str, folder: str) -> None:
    assert "cannot write" in refused("run", study, "--effort", "quick", "--to", folder)
