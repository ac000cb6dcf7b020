"""What the studies share: effort and rules as their files say them, and the report they return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from flip7sim.rules import Rules
from flip7sim.runner import checked_count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EFFORTS: Final = ("quick", "normal", "full")


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a study hands over to be printed and written; it has computed everything.

    Attributes
    ----------
    title : str
    tables : dict of str to pandas.DataFrame
        Data files by name: each is written as Parquet and CSV.
    shown : pandas.DataFrame
        The main table for people.
    answer : str
        One sentence in plain words.
    notes : list of str
        What was assumed.
    figures : dict of str to Figure
    document : dict
        For JSON.
    further : dict of str to pandas.DataFrame
        More tables for people, by heading.
    interrupted : bool
        Whether Ctrl-C ended the study early; what is there is complete in itself.
    """

    title: str
    tables: dict[str, Any]
    shown: Any
    answer: str
    notes: list[str]
    figures: dict[str, Figure]
    document: dict[str, Any]
    further: dict[str, Any] = field(default_factory=dict)
    interrupted: bool = False


class Effort(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Rounds (or games) by effort."""

    quick: int
    normal: int
    full: int

    def of(self, effort: str) -> int:
        """Return the number for an effort."""
        return int(getattr(self, effort))

    def checked(self, name: str, *, or_none: bool = False) -> Effort:
        """Return the same, every effort's number one that can be played.

        Parameters
        ----------
        name : str
            Of the key in the file.
        or_none : bool
            Whether 0 says that none are wanted.

        Raises
        ------
        InputError
            If one is not from 1 to 10**12.

        Examples
        --------
        >>> Effort(quick=0, normal=10, full=100).checked("games", or_none=True).of("full")
        100
        """
        for effort in EFFORTS:
            number = self.of(effort)
            if number or not or_none:
                checked_count(f"{name}.{effort}", number)
        return self


class WithRules(Protocol):
    """A study's configuration that names one game and its rule options."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def options(self) -> dict[str, Any]:
        """Rule options (rules.md section 6)."""


def rules_of(configuration: WithRules) -> Rules:
    """Return the rules that a study's file names.

    Raises
    ------
    InputError
        If the game or an option is unknown, or a value is not legal.
    """
    return Rules.from_options(configuration.game, configuration.options)
