"""The corrida of a real table as one viewer sees it, and the lidia being typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final

from django.http import QueryDict

from api.types import JSON, JSONObject
from corridas.engine import BULLS, MARKS, MATADORS, STROKES, Deck, Rules
from corridas.models import Deck as PrintedDeck
from corridas.models import Matador, TableCorrida
from corridas.simulation.new_circuit import shipped
from corridas.tabletop.operations import GAME
from corridas.tabletop.sheets import LidiaReading, Pad, SheetReading, judge
from corridas.tabletop.sheets.frame import MAX_NAME
from leagues.pages.forms import FormDraft, typed_text
from leagues.pages.matches.sheets import SheetView

CARDS, SHEET, SCORE = "cards", "sheet", "score"
# Ways in which players can enter a lidia (fight): the cards in the order drawn, the scoresheet, or
# only the result (Ruling I-18).
WAYS: Final = (CARDS, SHEET, SCORE)
DIGITS: Final = 6

POINTS: Final = tuple(f"p-{tercio}-{side}" for tercio in range(3) for side in (0, 1))
KILL: Final = tuple(f"k-{stroke}" for stroke in range(STROKES))
HURT: Final = tuple(f"hurt-{place}" for place in range(MATADORS))
TYPED: Final = (
    *POINTS,
    *KILL,
    *HURT,
    *("marks", "avisos", "indulto", "number", "finished", "ending", "modified"),
)


@dataclass(slots=True)
class Writing(FormDraft):
    """What a user is typing, stored in the session: the lidia, the way of entry, the form fields.

    `turn` is 0-5.
    """

    turn: int = 0
    way: str = ""
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def fits(self) -> bool:
        return self.turn in range(BULLS) and self.way in ("", *WAYS)

    def open(self, turn: int, way: str = "") -> None:
        """Open the form of a lidia (fight), for one of the `WAYS` to enter it.

        If it is not the lidia that was open before, the values typed so far are dropped.
        """
        if turn != self.turn:
            self.typed = {}
        self.turn, self.way = turn, way

    def fill(self, sent: QueryDict) -> None:
        turn = parse_integer(sent.get("bull", ""))
        if turn is not None and 1 <= turn <= BULLS and turn - 1 != self.turn:
            self.open(turn - 1)
        if sent.get("way") in WAYS:
            self.way = str(sent["way"])
        if "form" in sent:
            self.typed = {name: typed_text(sent, name) for name in TYPED}

    def lidia(self, starter: int, able: tuple[int, ...]) -> JSONObject:
        if self.way == SCORE:
            return {SCORE: self._people(starter, able) | self._score()}
        return {SHEET: self._sheet() | self._people(starter, able)}

    def _sheet(self) -> JSONObject:
        points = [[points_of(self._of(f"p-{t}-{s}")) for s in (0, 1)] for t in range(3)]
        kill = [number_of_text(self._of(name)) for name in KILL]
        while kill and kill[-1] is None:
            kill.pop()
        marks = number_of_text(self._of("marks"))
        known = {} if marks is None else {"marks": [MARKS, marks, MARKS]}
        return known | {
            "tercios": points,
            "kill": kill,
            "avisos": number_of_text(self._of("avisos")),
            "indulto": number_of_text(self._of("indulto")),
            "number": number_of_text(self._of("number")),
        }

    def _score(self) -> JSONObject:
        return {
            "ending": self._of("ending") or None,
            "modified": number_of_text(self._of("modified")),
            "avisos": number_of_text(self._of("avisos")),
        }

    def _people(self, starter: int, able: tuple[int, ...]) -> JSONObject:
        """Return the matadors of a lidia (fight) as typed into the form: who began, was injured and
        finished.

        The injured are in the order in which they entered the ring (Ruling I-16).
        """
        order = (starter, *(place for place in able if place != starter))
        injured = [place for place in order if self._of(f"hurt-{place}")]
        finished = parse_integer(self._of("finished"))
        people: JSONObject = {"began": starter, "injured": injured}
        return people if finished is None else people | {"finished": finished}

    def _of(self, name: str) -> str:
        return self.typed.get(name, "")


def parse_integer(text: str) -> int | None:
    """Parse an integer with or without a sign. Return None for any other text."""
    clean = text.strip().replace("−", "-").replace("–", "-").removeprefix("+")
    digits = clean.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits.lstrip("0")) <= DIGITS):
        return None
    return int(clean)


def number_of_text(text: str) -> int | str | None:
    """Parse an integer.

    Return None for empty text. Invalid text is returned as it is, so that the referee reports it.
    """
    number = parse_integer(text)
    return number if number is not None else text or None


def points_of(text: str) -> JSON:
    """Parse the points of a tercio.

    A single number is a sum, several numbers are entries. The letter B before a number is ignored.
    """
    parts = [part.lstrip("Bb") for part in text.replace(",", " ").split()]
    if not parts:
        return None
    numbers = [number_of_text(part) for part in parts]
    return numbers[0] if len(numbers) == 1 else {"entries": numbers}


def typed_of(lidia: Mapping[str, JSON]) -> dict[str, str]:
    sheet = lidia.get(SHEET) or lidia.get(SCORE)
    if not isinstance(sheet, Mapping):
        return {}
    texts = {name: text_of(sheet.get(name)) for name in ("avisos", "indulto", "number")}
    texts |= {name: text_of(sheet.get(name)) for name in ("finished", "ending", "modified")}
    for tercio, sides in enumerate(_listed(sheet.get("tercios"))[:3]):
        for side, points in enumerate(_listed(sides)[:2]):
            texts[f"p-{tercio}-{side}"] = _points_text(points)
    marks = _listed(sheet.get("marks"))
    texts["marks"] = text_of(marks[1]) if len(marks) > 1 else ""
    texts |= dict(zip(KILL, map(text_of, _listed(sheet.get("kill"))), strict=False))
    return texts | {f"hurt-{place}": "on" for place in _listed(sheet.get("injured"))}


def _listed(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _points_text(points: JSON) -> str:
    if isinstance(points, Mapping):
        return " ".join(map(text_of, _listed(points.get("entries"))))
    return text_of(points)


def text_of(value: JSON) -> str:
    return "" if value is None else str(value)


LIDIAS: Final = "lidias"


def _cartel_of(sheet: JSONObject) -> list[JSON]:
    entries = sheet.get("cartel")
    return entries[:MATADORS] if isinstance(entries, list) else []


# Name and key of a matador's card on a sheet. Only matadors of the same name have a key (Ruling
# I-14).
_Named = tuple[str, str]


def _named(entry: JSON) -> _Named:
    card = entry if isinstance(entry, dict) else {}
    return str(card.get("name", "")), str(card.get("key", ""))


@dataclass(slots=True, kw_only=True)
class AtCorrida(SheetView[Writing]):
    """A match of corridas at a real table, with its viewer, rules and deck."""

    game: ClassVar[str] = GAME
    draft_class: ClassVar[type[Writing]] = Writing
    pressed_part: ClassVar[str] = "lidia"

    rules: Rules = field(init=False)
    table: TableCorrida | None = field(init=False)
    deck: Deck = field(init=False)
    _posters: dict[tuple[_Named, ...], list[str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)
        rows = TableCorrida.objects.select_related("circuit", "plaza", "corrida__plaza")
        self.table = rows.filter(match=self.match).first()
        digest = self.sheet.get("deck")
        row = PrintedDeck.objects.filter(digest=str(digest)).first() if digest else None
        self.deck = printed(row.cards) if row else shipped().deck

    @property
    def sheet(self) -> JSONObject:
        if self.submitted is None:
            return self.content
        handed_in = self.submitted.content
        return handed_in if isinstance(handed_in, dict) else {}

    @property
    def lidias(self) -> list[JSONObject]:
        stored = self.content.get(LIDIAS)
        listed = stored if isinstance(stored, list) else []
        whole = [lidia if isinstance(lidia, dict) else {} for lidia in listed[:BULLS]]
        return whole + [{} for _ in range(BULLS - len(whole))]

    @property
    def framed(self) -> bool:
        return bool(self.sheet.get("cartel"))

    def billings(self) -> list[str]:
        return self._billed(tuple(_named(entry) for entry in _cartel_of(self.sheet)))

    def _billed(self, cards: tuple[_Named, ...]) -> list[str]:
        if cards not in self._posters:
            plaza = self.table.plaza if self.table else None
            circuit = plaza.circuit_id if plaza else None
            known = Matador.objects.filter(circuit=circuit, name__in=[name for name, _ in cards])
            posters = {(row.name, row.slug): row.billing for row in known}
            bearers = Counter(row.name for row in known)
            # If several matadors of the circuit have this name, a card without a key could be any
            # of them, so the name on posters is not used.
            posters |= {(row.name, ""): row.billing for row in known if bearers[row.name] == 1}
            self._posters[cards] = [posters.get(card, card[0]) for card in cards]
        return self._posters[cards]

    def with_lidia(self, turn: int, lidia: JSONObject) -> JSONObject:
        lidias = self.lidias
        lidias[turn] = lidia
        return {**self.content, LIDIAS: lidias}

    def judged(self, sheet: JSONObject | None = None) -> SheetReading:
        """Return the referee's judgement of a sheet, by default of the current sheet of this
        corrida.

        The sentences use the names on posters. Sheets contain the names on cards.
        """
        written = given = self.sheet if sheet is None else sheet
        cartel = _cartel_of(given)
        if cartel and all(isinstance(entry, dict) for entry in cartel):
            names = self._billed(tuple(map(_named, cartel)))
            billed = [{**entry, "name": name} for entry, name in zip(cartel, names, strict=True)]
            fit = all(len(name) <= MAX_NAME for name in names)
            if fit and len(set(names)) == len(cartel) == len(given["cartel"]):
                given = {**given, "cartel": billed}
        reading = judge(self.rules, self.deck, given)
        if reading.setup is None and given is not written:
            # Matadors of equal rating are ordered by name, so names on posters may lead to another
            # order of appearance than names on cards.
            as_written = judge(self.rules, self.deck, written)
            return reading if as_written.setup is None else as_written
        return reading

    def pad(self, turn: int) -> Pad | None:
        """Return the pad (the form for entering the cards of a fight one by one), or None if it
        cannot be used.
        """
        return Pad.of(self.rules, self.deck, self.content, turn)

    @property
    def draft(self) -> Writing:
        form = Writing.from_stored(self.stored_form.get("writing"))
        lidia = self.lidias[form.turn]
        if not form.way:
            form.way = next((way for way in WAYS if lidia.get(way) is not None), CARDS)
        if not form.typed and (lidia.get(SHEET) or lidia.get(SCORE)):
            form.typed = typed_of(lidia)
        return form

    def new_draft(self) -> Writing:
        now = Writing.from_stored(self.stored_form.get("writing"))
        return Writing(turn=now.turn, way=now.way)

    @property
    def address(self) -> str:
        """The slug of the corrida's circuit, or an empty string for a corrida without a circuit."""
        circuit = self.table.circuit if self.table else None
        return circuit.slug if circuit else ""


@lru_cache(maxsize=8)
def printed(cards: str) -> Deck:
    """Return the parsed deck of the sheet.

    The result is cached so that the same text returns the same object, because other caches use the
    object as key.
    """
    return Deck.parse(cards)


def first_open(reading: SheetReading) -> int:
    """Return the turn of the first fight (lidia) that cannot be saved yet, or of the last one."""
    open_ones = [lidia.turn for lidia in reading.lidias if not lidia.stands]
    return next(iter(open_ones), max(len(reading.lidias) - 1, 0))


def reading_of(reading: SheetReading, turn: int) -> LidiaReading | None:
    """Return the referee's judgement of the lidia with this turn.

    Return None if the corrida ended before.
    """
    return next((lidia for lidia in reading.lidias if lidia.turn == turn), None)


def typed_lidia(
    at: AtCorrida, writing: Writing, pad: Pad | None, stored: SheetReading
) -> JSONObject:
    starter, able = people_of(stored, writing.turn)
    typed = writing.lidia(starter, able)
    cards = at.lidias[writing.turn].get(CARDS)
    return typed | ({CARDS: cards} if cards and pad is not None and pad.over else {})


def people_of(stored: SheetReading, turn: int) -> tuple[int, tuple[int, ...]]:
    """Return the matador who begins a fight, and the matadors not injured, by place of appearance.

    See Ruling I-16.
    """
    out: set[int] = set()
    for lidia in stored.lidias[:turn]:
        out |= set(lidia.result.injured) if lidia.result else set()
    able = tuple(place for place in range(3) if place not in out)
    announced = turn % 3
    return (announced if announced in able else next(iter(able), announced)), able
