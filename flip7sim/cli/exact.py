"""`solve`, `exact`, `odds`: answers without sampling."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.errors import InputError


def register(adder: Any) -> None:
    """Add the commands."""
    parser = options.add_command(
        adder,
        "solve",
        "the optimal solitaire round, exactly: value, spread, busts, a rule card",
        _solve,
    )
    options.add_rules(parser)
    parser.add_argument(
        "--race",
        action="store_true",
        help="the fewest expected rounds to the target; all 94 cards take a quarter of an hour",
    )
    parser.add_argument(
        "--rule-card", action="store_true",
        help="the fewest conditions that keep 99.9 %% of the value, instead of its figures",
    )  # fmt: skip
    options.add_threads(parser)
    options.add_json(parser)

    parser = options.add_command(
        adder, "exact", "one stay policy's exact figures in the solitaire round", _exact
    )
    options.add_players(parser)
    options.add_rules(parser)
    options.add_threads(parser)
    options.add_json(parser)

    parser = options.add_command(adder, "odds", "advice for one hand: hit or stay", _odds)
    parser.add_argument(
        "--line", metavar="CARDS", required=True, help="such as '12 9 +4 second_chance'"
    )
    parser.add_argument(
        "--seen", metavar="CARDS", default="", help="other cards that are no longer in the deck"
    )
    parser.add_argument(
        "--exact", action="store_true",
        help="solve the round from this line on, not one step of look-ahead",
    )  # fmt: skip
    parser.add_argument(
        "--total", metavar="N", type=options.whole_number, default=None,
        help="own total before the round; with --rivals",
    )  # fmt: skip
    parser.add_argument(
        "--rivals", metavar="A,B", default=None, help="the rivals' totals, with commas between"
    )
    options.add_rules(parser)
    options.add_threads(parser)
    options.add_json(parser)


def _threads(arguments: Any) -> int | None:
    from flip7sim.blocks import checked_threads

    return None if arguments.threads is None else checked_threads(arguments.threads)


def _document(rules: Any, report: dict[str, Any]) -> dict[str, Any]:
    """Return a report behind the game, deck, options and versions that every document names."""
    from flip7sim.study.conditions import rules_document

    return {**report, **rules_document(rules)}


def _solve(arguments: Any) -> int:
    """Run `solve`."""
    unused = [name for name in options.GAME_ONLY if not (arguments.race and name == "target_score")]
    rules = options.rules_of(arguments, without_effect=unused)
    threads = _threads(arguments)
    if arguments.race and arguments.rule_card:
        raise InputError("--rule-card and --race are two questions: ask one at a time")
    answer: Any
    asked = "race" if arguments.race else "rule card" if arguments.rule_card else "solve"
    with output.ProgressBar() as bar:
        update = bar(asked, "%")

        def progress(share: float) -> None:
            if update is not None:
                update(round(100 * share), 100)

        if arguments.rule_card:
            from flip7sim.study.exactly.exact_answers import rule_card

            answer = rule_card(rules, threads=threads, progress=progress)
        elif arguments.race:
            from flip7sim.study.exactly.exact_answers import solve_race

            answer = solve_race(rules, threads=threads, progress=progress)
        else:
            from flip7sim.study.exactly.exact_answers import solve

            answer = solve(rules, threads=threads, progress=progress)
    if arguments.json:
        output.print_json(_document(rules, answer.report()))
        return 0
    from flip7sim.study.exactly.exact_shown import card_text, shown_race, shown_solution

    if arguments.rule_card:
        print(card_text(answer))
    else:
        shown = shown_race(answer) if arguments.race else shown_solution(answer)
        output.print_table(shown.frame, title=shown.title, notes=shown.notes)
    return 0


def _exact(arguments: Any) -> int:
    """Run `exact`."""
    rules = options.rules_of(arguments)
    players = options.players_of(arguments)
    if len(players) > 1:
        raise InputError(f"exact takes one --player, not {len(players)}: the round is solitaire")
    threads = _threads(arguments)

    from flip7sim.study.exactly.exact_answers import evaluate

    outcome = evaluate(players[0], rules=rules, threads=threads)
    if arguments.json:
        output.print_json(_document(rules, {"policy": players[0].label, **outcome.report()}))
    else:
        from flip7sim.study.exactly.exact_shown import shown_outcome

        shown = shown_outcome(outcome, rules, players[0].label)
        output.print_table(shown.frame, title=shown.title, notes=shown.notes)
    return 0


def _odds(arguments: Any) -> int:
    """Run `odds`."""
    rules = options.rules_of(
        arguments,
        without_effect=[
            name for name in options.GAME_ONLY
            if not (arguments.total is not None and name == "target_score")
        ],
    )  # fmt: skip
    rivals = None
    if arguments.rivals is not None:
        try:
            rivals = [int(text) for text in arguments.rivals.replace(",", " ").split()]
        except ValueError:
            raise InputError(
                f"--rivals takes totals with commas between, not {arguments.rivals!r}"
            ) from None
    threads = _threads(arguments)

    from flip7sim.study.exactly.exact_answers import odds

    found = odds(
        arguments.line, rules=rules, seen=arguments.seen, exact=arguments.exact,
        total=arguments.total, rivals=rivals, threads=threads,
    )  # fmt: skip
    if arguments.json:
        output.print_json(_document(rules, found.report()))
    else:
        from flip7sim.study.exactly.exact_shown import odds_text

        print(odds_text(found))
    return 0
