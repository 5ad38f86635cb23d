"""Reads a season file entry by entry. A name may only be used after the entry that defines it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from django.utils.translation import gettext as _

from actas import DocumentPart
from actas.fields import many, mapping_reader, record, record_reader, whole_number_reader
from api.types import JSONObject
from corridas.archive import file_format
from corridas.archive.bundle import ENTRIES, ROWS_A_LINE, Refused
from corridas.archive.claims import LINES_A_LINE
from corridas.archive.winters import digest_of
from corridas.engine import Deck, MatadorCard, Rules
from corridas.simulation.rows import printed_card
from corridas.world.deeds import PlayedCorrida
from corridas.world.roster import CARDS_VERSION

Row = JSONObject


@dataclass
class SeasonData:
    """The contents of a season file: rows by slug in their order, and the corridas.

    `fought` are the replayed corridas and `entries` their rows, in the same order. `days` are all
    corridas, including those never fought. `claimed` are the lines of ranking, awards and records,
    which are compared with calculated ones.
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
    fought: list[PlayedCorrida] = field(default_factory=list)
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
    # Numbers from 1 that are used in place of primary keys of herds. A season file contains no
    # primary keys.
    herd_keys: dict[str, int] = field(default_factory=dict)

    @property
    def year(self) -> int:
        year: int = self.opening["year"]
        return year

    @property
    def cards_version(self) -> int:
        """The version of the cards and of the next winter, for `Circuit.cards_version`.

        It is 2 if the file names none. Winters of version 1 are not promised any more.
        """
        if "new_cards_at" in self.winter:
            return CARDS_VERSION
        version: int = self.winter.get("version", 2)
        return version


class Reader:
    def __init__(self, play: Callable[[SeasonData, DocumentPart, Row], PlayedCorrida]) -> None:
        self.data = SeasonData()
        self._play = play
        self._at = -1
        self._seen: Counter[str] = Counter()
        self._days: set[tuple[str, dt.date]] = set()
        self._busy: set[tuple[str, dt.date]] = set()
        self._numbers: set[tuple[str, int, int]] = set()
        self._latest = dt.date.min

    def take(self, part: DocumentPart) -> None:
        """Read one entry of the file.

        Raise `Malformed` or `Refused` if it is invalid or not allowed at this position.
        """
        kind = part["kind"].text()
        rank = "corrida" if kind == "date" else kind
        if rank not in file_format.ORDER or file_format.ORDER.index(rank) < self._at:
            raise part["kind"].malformed(_("This entry is not allowed here."))
        if rank in file_format.ONCE and rank in self._seen:
            raise part["kind"].malformed(
                _("A season file can contain only one entry of this type.")
            )
        if "season" not in self._seen and rank != "season":
            raise part["kind"].malformed(_("The first entry must describe the season."))
        self._at = file_format.ORDER.index(rank)
        self._seen[rank] += 1
        if rank != "corrida" and self._seen[rank] > ENTRIES:
            raise part["kind"].malformed(
                _("There are more entries of this type than a season can have.")
            )
        _TAKE[kind](self, part)

    def end(self) -> SeasonData:
        """Return the data after the last entry. Raise `Refused` if an entry is missing."""
        missing = [kind for kind in (*file_format.ONCE, "deck") if kind not in self._seen]
        missing = sorted(set(missing) - {"promises"})
        if missing:
            raise Refused("", _("The season file is incomplete. Missing: %s.") % ", ".join(missing))
        return self.data

    def season(self, part: DocumentPart) -> None:
        self.data.opening = record(part, file_format.SEASON, beside=file_format.LINKS)
        self.data.rules = Rules.from_options(self.data.opening["rules"])

    def deck(self, part: DocumentPart) -> None:
        """Read the entry of a deck. Raise `DeckError` if the deck breaks the rules."""
        row = record(part, file_format.DECK, beside=file_format.LINKS)
        if row["digest"] != digest_of_lines(row["lines"]):
            raise part["digest"].malformed(_("The digest does not match these cards."))
        self.data.decks[row["digest"]] = Deck.parse("\n".join(row["lines"]))
        self.data.deck_lines[row["digest"]] = row["lines"]

    def _rows(
        self, part: DocumentPart, fields: Any, most: int = ROWS_A_LINE
    ) -> list[tuple[DocumentPart, Row]]:
        kind: str = part["kind"].value
        record(part, {}, beside=(*file_format.LINKS, kind))
        rows = many(record_reader(fields), most)(part[kind])
        return list(zip(part[kind].items(most), rows, strict=True))

    def _by_slug(self, part: DocumentPart, fields: object, held: dict[str, Row]) -> None:
        for item, row in self._rows(part, fields):
            if held.setdefault(row["slug"], row) is not row:
                raise item["slug"].malformed(_("This value appears twice."))

    def plazas(self, part: DocumentPart) -> None:
        self._by_slug(part, file_format.PLAZA, self.data.plazas)

    def herds(self, part: DocumentPart) -> None:
        self._by_slug(part, file_format.HERD, self.data.herds)

    def sires(self, part: DocumentPart) -> None:
        """Read the entry of sires (bulls spared in earlier seasons) with sons in this season."""
        for item, row in self._rows(part, file_format.SIRE):
            self._check_known(item["herd"], self.data.herds)
            self._number(item, row["herd"], row)
            self.data.sires.append(row)

    def _number(self, part: DocumentPart, herd: str, row: Row) -> None:
        key = (herd, row["year"], row["number"])
        if key in self._numbers:
            raise part["number"].malformed(
                _("Another bull from this herd already has this number in the same year.")
            )
        self._numbers.add(key)

    def matadors(self, part: DocumentPart) -> None:
        """Read an entry of matadors with their cards. Raise `CardError` for an invalid card."""
        self._by_slug(part, file_format.MAN, self.data.men)
        for item in part["matadors"].items(ROWS_A_LINE):
            row = self.data.men[item["slug"].value]
            for card in row["cards"]:
                key = row["slug"], card["printing"]
                if key in self.data.cards:
                    raise item["cards"].malformed(_("This value appears twice."))
                ranges = tuple(card["ranges"].values())
                self.data.cards[key] = printed_card(
                    row["slug"], row["name"], card["rating"], row["alternativa"], ranges
                )

    def ferias(self, part: DocumentPart) -> None:
        """Read an entry of ferias.

        All matadors have been read by now, so the witnesses of their alternativas are checked here.
        """
        for row in self.data.men.values():
            by = {row["padrino"], row["testigo"]} - {None}
            if not by <= self.data.men.keys() or row["slug"] in by:
                raise part.malformed(
                    _("The padrino or testigo for %s is not in the file.") % row["slug"]
                )
            if len(by) == 1 and row["padrino"] == row["testigo"]:
                raise part.malformed(
                    _("The padrino and the testigo must be two different matadors.")
                )
        self.data.man_keys = {slug: key for key, slug in enumerate(self.data.men, 1)}
        self.data.herd_keys = {slug: key for key, slug in enumerate(self.data.herds, 1)}
        self._by_slug(part, file_format.FERIA, self.data.ferias)
        for item in part["ferias"].items(ROWS_A_LINE):
            self._check_known(item["plaza"], self.data.plazas)
            if item["ends"].value < item["starts"].value:
                raise item["ends"].malformed(_("A feria can’t end before it begins."))

    def _check_known(self, part: DocumentPart, held: Mapping[str, object]) -> None:
        if part.value is not None and part.value not in held:
            raise part.malformed(_("The rest of the file does not contain this value."))

    def _check_date(self, part: DocumentPart, row: Row) -> None:
        self._check_known(part["plaza"], self.data.plazas)
        self._check_known(part["feria"], self.data.ferias)
        day = (row["plaza"], row["date"])
        if row["date"].year != self.data.year or row["date"] < self._latest or day in self._days:
            raise part["date"].malformed(
                _(
                    "Every corrida needs a date in the season, "
                    "and a plaza can have only one corrida a day."
                )
            )
        self._days.add(day)
        self._latest = row["date"]
        self.data.days.append(row)

    def date(self, part: DocumentPart) -> None:
        row = record(part, file_format.DATE, beside=file_format.LINKS)
        self._check_date(part, row)

    def corrida(self, part: DocumentPart) -> None:
        row = record(part, file_format.CORRIDA, beside=(*file_format.LINKS, "acta", "lidias"))
        self._check_date(part, row)
        self._check_known(part["herd"], self.data.herds)
        self._check_known(part["deck"], self.data.decks)
        for item in part["matadors"].items(3):
            self._check_known(item["instead_of"], self.data.men)
            man = item["slug"].value
            if (man, item["printing"].value) not in self.data.cards:
                raise item["printing"].malformed(
                    _("The rest of the file does not contain this value.")
                )
            if (man, row["date"]) in self._busy:
                raise item["slug"].malformed(
                    _("The same matador appears in two plazas on one day.")
                )
            self._busy.add((man, row["date"]))
        for item in part["bulls"].items(6):
            self._number(item, row["herd"], item.value)
        self.data.entries.append(row)
        self.data.fought.append(self._play(self.data, part, row))

    def careers(self, part: DocumentPart) -> None:
        self._by_slug(part, file_format.CAREER, self.data.careers)

    def debuts(self, part: DocumentPart) -> None:
        self._by_slug(part, file_format.DEBUT, self.data.debuts)
        for item in part["debuts"].items(ROWS_A_LINE):
            if item["slug"].value in self.data.men:
                raise item["slug"].malformed(_("This value appears twice."))

    def cards(self, part: DocumentPart) -> None:
        self._by_slug(part, file_format.PRESSED, self.data.pressed)
        for item in part["cards"].items(ROWS_A_LINE):
            self._check_known(item["slug"], {**self.data.men, **self.data.debuts})
            following = item["slug"].value, item["printing"].value
            if following in self.data.cards or item["since"].value != self.data.year + 1:
                raise item["printing"].malformed(
                    _("This card was not printed in the winter after the season.")
                )

    def news(self, part: DocumentPart) -> None:
        record(part, {}, beside=(*file_format.LINKS, "news"))
        for item in part["news"].items(ROWS_A_LINE):
            kind = item["kind"].text()
            if kind not in file_format.NEWS:
                raise item["kind"].malformed(_("This type of news item does not exist."))
            row = record(item, file_format.NEWS[kind], beside=("kind",))
            self._about(item, kind)
            self.data.news.append({"kind": kind, **row})

    def _about(self, part: DocumentPart, kind: str) -> None:
        if kind == "sire":
            self._check_known(part["herd"]["slug"], self.data.herds)
        elif kind == "herd":
            self._check_known(part["slug"], self.data.herds)
        else:
            self._check_known(part["slug"], self.data.debuts if kind == "debut" else self.data.men)
        if kind == "alternativa":
            self._check_known(part["padrino"]["slug"], self.data.men)
            self._check_known(part["testigo"]["slug"], self.data.men)

    def winter(self, part: DocumentPart) -> None:
        fields = file_format.WINTER
        if "version" in part.mapping():
            fields = {**fields, **file_format.WINTER_VERSION}
        if "new_cards_at" in part.mapping():
            fields = {**fields, **file_format.NEW_CARDS}
        row = record(part, fields, beside=file_format.LINKS)
        if "new_cards_at" in row and row.get("version", 1) >= CARDS_VERSION:
            raise part["new_cards_at"].malformed(_("This circuit had the new cards already."))
        self.data.winter = row
        missing = [slug for slug in self.data.careers if slug not in self.data.men]
        if missing:
            raise part.malformed(
                _("The winter section mentions %s, who is not in the file.") % missing[0]
            )

    def escalafon(self, part: DocumentPart) -> None:
        lines = [row for _one, row in self._rows(part, file_format.ESCALAFON)]
        self.data.claimed["escalafon"] += lines

    def awards(self, part: DocumentPart) -> None:
        """Read an entry of awards. They are compared with calculated awards, but not stored."""
        record(part, {}, beside=(*file_format.LINKS, "awards"))
        self.data.claimed["awards"] += [item.value for item in part["awards"].items(ROWS_A_LINE)]

    def records(self, part: DocumentPart) -> None:
        record(part, {}, beside=(*file_format.LINKS, "records"))
        self.data.claimed["records"] += [item.value for item in part["records"].items(LINES_A_LINE)]

    def close(self, part: DocumentPart) -> None:
        announced = record(part, file_format.END, beside=file_format.LINKS)["corridas"]
        if announced != len(self.data.days):
            raise part["corridas"].malformed(
                _("The file does not contain as many corridas as its last entry states.")
            )

    def promises(self, part: DocumentPart) -> None:
        if "end" not in self._seen:
            raise part["kind"].malformed(_("This entry is not allowed here."))
        record(part, {}, beside=("kind", "promises"))
        promises = part["promises"]
        known = {**self.data.careers, **self.data.debuts}
        sealed = mapping_reader(whole_number_reader(1, 100))(promises)
        if digest_of(sealed) != self.data.winter["sealed"] or not sealed.keys() <= known.keys():
            raise part.malformed(
                _(
                    "The potential of the matadors does not match the values with which the winter "
                    "was played."
                )
            )
        self.data.promises = sealed


def digest_of_lines(lines: list[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()


_TAKE: Final[dict[str, Callable[[Reader, DocumentPart], None]]] = {
    **{kind: getattr(Reader, kind) for kind in (*file_format.ORDER, "date") if kind != "end"},
    "end": Reader.close,
}
