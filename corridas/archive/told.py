"""A season as its file tells it: small, for actas are checked as they pass and not kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from corridas.engine import Deck, MatadorCard, Rules
from corridas.simulation.records import Played

Row = dict[str, Any]


@dataclass
class Told:
    """A season as its file tells it: rows by slug in their order, corridas as they were fought.

    `fought` and `entries` stand side by side: what was played, and the row it comes from; `days`
    are those and the ones never fought. `claimed`: lines of escalafón, awards and records.
    """

    opening: Row = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    decks: dict[str, Deck] = field(default_factory=dict)
    deck_lines: dict[str, list[str]] = field(default_factory=dict)
    plazas: dict[str, Row] = field(default_factory=dict)
    herds: dict[str, Row] = field(default_factory=dict)
    sires: list[Row] = field(default_factory=list)
    men: dict[str, Row] = field(default_factory=dict)
    cards: dict[tuple[str, int], MatadorCard] = field(default_factory=dict)
    ferias: dict[str, Row] = field(default_factory=dict)
    days: list[Row] = field(default_factory=list)
    entries: list[Row] = field(default_factory=list)
    fought: list[Played] = field(default_factory=list)
    careers: dict[str, Row] = field(default_factory=dict)
    debuts: dict[str, Row] = field(default_factory=dict)
    pressed: dict[str, Row] = field(default_factory=dict)
    news: list[Row] = field(default_factory=list)
    winter: Row = field(default_factory=dict)
    claimed: dict[str, list[Any]] = field(
        default_factory=lambda: {"escalafon": [], "awards": [], "records": []}
    )
    promises: dict[str, int] | None = None
    man_keys: dict[str, int] = field(default_factory=dict)
    herd_keys: dict[str, int] = field(default_factory=dict)
    """Numbers from 1, in the place of the keys of rows."""

    @property
    def year(self) -> int:
        """The year of the season."""
        found: int = self.opening["year"]
        return found
