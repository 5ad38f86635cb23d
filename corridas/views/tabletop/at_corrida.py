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


def _cartel_of(sheet: dict[str, Any]) -> list[Any]:
    found = sheet.get("cartel")
    return found[:MATADORS] if isinstance(found, list) else []


def _name_of(entry: Any) -> str:
    return str(entry.get("name", "")) if isinstance(entry, dict) else ""


@dataclass(slots=True, kw_only=True)
class AtCorrida(AtSheet[Writing]):
    """A match of this game with who looks at it, its rules and its deck."""

    pressed_part: ClassVar[str] = "lidia"

    rules: Rules = field(init=False)
    table: TableCorrida | None = field(init=False)
    deck: Deck = field(init=False)
    _posters: dict[tuple[str, ...], list[str]] = field(init=False, default_factory=dict)

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
        """The matadors by place of appearance, as the posters name them."""
        return self._billed([_name_of(one) for one in _cartel_of(self.sheet)])

    def _billed(self, names: list[str]) -> list[str]:
        """These names as the posters have them; one query for all that is asked of a cartel."""
        key = tuple(names)
        if key not in self._posters:
            plaza = self.table.plaza if self.table else None
            circuit = plaza.circuit_id if plaza else None
            known = Matador.objects.filter(circuit=circuit, name__in=names)
            posters = {one.name: one.billing for one in known}
            self._posters[key] = [posters.get(name, name) for name in names]
        return self._posters[key]

    def with_lidia(self, turn: int, lidia: dict[str, Any]) -> dict[str, Any]:
        """The sheet with this lidia in its turn (0-5)."""
        lidias = self.lidias
        lidias[turn] = lidia
        return {**self.content, LIDIAS: lidias}

    def judged(self, sheet: dict[str, Any] | None = None) -> Reading:
        """The referee's answer to a sheet, the one that stands by default.

        Its sentences call matadors as the posters do; sheets have the names of their cards.
        """
        given = self.sheet if sheet is None else sheet
        cartel = _cartel_of(given)
        if cartel and all(isinstance(one, dict) for one in cartel):
            names = self._billed([_name_of(one) for one in cartel])
            billed = [{**one, "name": name} for one, name in zip(cartel, names, strict=True)]
            if len(set(names)) == len(cartel) == len(given["cartel"]):
                given = {**given, "cartel": billed}
        return judge(self.rules, self.deck, given)

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
