"""Who is at a corrida of a table, what they may do with it, and how far it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Final

from django.http import HttpRequest

from corridas.engine import BULLS, MATADORS, Deck, Rules
from corridas.models import Deck as PrintedDeck
from corridas.models import Matador, TableCorrida
from corridas.operations.tables import GAME
from corridas.sheets import LidiaReading, Pad, Reading, judge
from corridas.simulation.founding import shipped
from corridas.views.tabletop.writing import CARDS, SCORE, SHEET, WAYS, Writing, typed_of
from leagues.views.writing import AtSheet

LIDIAS: Final = "lidias"


@dataclass(slots=True, kw_only=True)
class AtCorrida(AtSheet[Writing]):
    """A match of this game with who looks at it, its rules and its deck."""

    pressed_part: ClassVar[str] = "lidia"

    rules: Rules = field(init=False)
    table: TableCorrida | None = field(init=False)
    deck: Deck = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)
        rows = TableCorrida.objects.select_related("circuit", "plaza", "corrida__plaza")
        self.table = rows.filter(match=self.match).first()
        digest = self.sheet.get("deck")
        row = PrintedDeck.objects.filter(digest=str(digest)).first() if digest else None
        self.deck = printed(row.cards) if row else shipped().deck

    @property
    def sheet(self) -> dict[str, Any]:
        """The sheet that stands: the one being written, or the one that was handed in."""
        if self.match.sheet is None or self.correcting:
            return self.content
        handed_in = self.match.sheet.content
        return handed_in if isinstance(handed_in, dict) else {}

    @property
    def lidias(self) -> list[dict[str, Any]]:
        """The six lidias of the sheet being written, empty ones for those still to come."""
        found = self.content.get(LIDIAS)
        listed = found if isinstance(found, list) else []
        whole = [one if isinstance(one, dict) else {} for one in listed[:BULLS]]
        return whole + [{} for _ in range(BULLS - len(whole))]

    @property
    def framed(self) -> bool:
        """Whether plaza, cartel and bulls are on the sheet."""
        return bool(self.sheet.get("cartel"))

    def billings(self) -> list[str]:
        """The matadors by place of appearance, as the posters name them; one query."""
        cartel = [one or {} for one in list(self.sheet.get("cartel") or [])[:MATADORS]]
        names = [str(one.get("name", "")) for one in cartel]
        plaza = self.table.plaza if self.table else None
        known = Matador.objects.filter(circuit=plaza.circuit_id if plaza else None, name__in=names)
        posters = {one.name: one.billing for one in known}
        return [posters.get(name, name) for name in names]

    def with_lidia(self, turn: int, lidia: dict[str, Any]) -> dict[str, Any]:
        """The sheet with this lidia in its turn (0-5)."""
        lidias = self.lidias
        lidias[turn] = lidia
        return {**self.content, LIDIAS: lidias}

    def judged(self, sheet: dict[str, Any] | None = None) -> Reading:
        """The referee's answer to a sheet, the one that stands by default."""
        return judge(self.rules, self.deck, self.sheet if sheet is None else sheet)

    def pad(self, turn: int) -> Pad | None:
        """The pad of a lidia, None where it cannot be written card by card."""
        return Pad.of(self.rules, self.deck, self.content, turn)

    @property
    def writing(self) -> Writing:
        """The lidia that is open, in the way in which it is being written."""
        found = Writing.kept(self.kept.get("writing"))
        lidia = self.lidias[found.turn]
        if not found.way:
            found.way = next((way for way in WAYS if lidia.get(way) is not None), CARDS)
        if not found.typed and (lidia.get(SHEET) or lidia.get(SCORE)):
            found.typed = typed_of(lidia)
        return found

    def begin_anew(self) -> Writing:
        """The same lidia with nothing typed."""
        now = Writing.kept(self.kept.get("writing"))
        return Writing(turn=now.turn, way=now.way)

    @property
    def address(self) -> str:
        """The circuit whose pages the corrida belongs to; empty in a club's own book."""
        circuit = self.table.circuit if self.table else None
        return circuit.slug if circuit else ""


@lru_cache(maxsize=8)
def printed(cards: str) -> Deck:
    """The deck of these cards, read once: whatever depends on it is kept with it."""
    return Deck.parse(cards)


def at_corrida(request: HttpRequest, pk: int) -> AtCorrida:
    """The corrida of this match with who looks at it; 404 for who may not see it."""
    return AtCorrida.find(request, pk, GAME)


def first_open(reading: Reading) -> int:
    """The first lidia that does not stand yet; the last one where all do."""
    open_ones = [lidia.turn for lidia in reading.lidias if not lidia.stands]
    return next(iter(open_ones), max(len(reading.lidias) - 1, 0))


def reading_of(reading: Reading, turn: int) -> LidiaReading | None:
    """What the referee says of a turn; None where the corrida was over before."""
    return next((lidia for lidia in reading.lidias if lidia.turn == turn), None)
