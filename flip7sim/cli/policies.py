"""`policies`: which there are, and what they look at."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(adder, "policies", "list the stay and targeting policies", execute)
    parser.add_argument("--game", choices=("base", "vengeance"), help="only those of this game")
    parser.add_argument("--kind", choices=("stay", "targeting"), help="only those of this kind")
    parser.add_argument(
        "--looks-at",
        metavar="WHAT",
        help="only those that look at this: line, lines, totals, seen …",
    )
    options.add_policy_files(parser)
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    options.load_policy_files(arguments)

    from flip7sim.policies import described, policies

    found = [
        described(policy)
        for policy in policies(
            game=arguments.game, kind=arguments.kind, looks_at=arguments.looks_at
        )
    ]
    if arguments.json:
        output.print_json({"policies": found})
        return 0
    groups: dict[tuple[str, str], list[Any]] = {}
    for policy in found:
        groups.setdefault((policy["kind"], " and ".join(policy["games"])), []).append(policy)
    for (kind, games), rows in groups.items():
        print(f"{kind} policies of {games}")
        for policy in rows:
            names = ",".join(parameter["name"] for parameter in policy["parameters"])
            title = f"{policy['name']}:{names}" if names else policy["name"]
            print(f"  {title}\n      {policy['summary']}")
    return 0
