"""What a game adds to the records anyone can check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from actas import Part
from leagues.games.content import JSON
from leagues.games.judging import Judgement
from leagues.games.tables import RoundLog


class RoundActa(Protocol):
    """What a game adds to the records anyone can check (`actas`): of its rounds, and of sheets."""

    @property
    def kind(self) -> str:
        """What the acta of a round is called: `hand`, `game`; empty for a game of real tables."""

    @property
    def engine(self) -> str:
        """The version of the rules that are in force here."""

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """What chance brought to a round that is over, in full, and what came of it: `result`.

        Raises MoveRefused where its moves fit no game.
        """

    def read_round(self, document: Part, *, number: int, seats: int) -> Mapping[str, JSON]:
        """The same anew from a document alone, with its `rules`, `stake`, `moves` and `points`.

        Raises ValueError, in a sentence, for what cannot be played.
        """

    def read_rules(self, rules: Part) -> JSON:
        """Options out of a document, fit for the game's table. Raises ValueError."""

    @property
    def beside(self) -> Sequence[str]:
        """The names of what `beside_sheet` gives."""

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        """What a referee needs besides rules and sheet, to be written into the acta of a sheet."""

    def judge_sheet(self, document: Part, *, seats: int) -> Judgement:
        """What follows from the sheet in a document, which alone is read. Raises ValueError."""
