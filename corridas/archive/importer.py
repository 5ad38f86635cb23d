"""Imports a season from its file: all of its rows, or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from api.types import JSONObject
from corridas.archive.bundle import Finding
from corridas.archive.claims import stored_claims
from corridas.archive.reader import Row, SeasonData
from corridas.archive.replay import bull_numbers, finding
from corridas.archive.verification import Report, awards_of, compared, ledger_of, year_data
from corridas.card_chances import fill_chances
from corridas.models import (
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Deck,
    Feria,
    Ganaderia,
    Injury,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Record,
    Reservation,
    Season,
    Winter,
)
from corridas.search_index import index_imported
from corridas.simulation import record_book
from corridas.simulation.insertion import insert_lidias
from corridas.simulation.namesakes import tell_apart
from corridas.simulation.new_circuit import create_circuit
from corridas.simulation.packed_year import pack_document
from corridas.simulation.post import STATE_AFTER, rebuild
from corridas.world.gates import CLOSES_BEFORE
from corridas.world.records import BY_KEY, CAREER
from corridas.world.winter import standing_after

if TYPE_CHECKING:
    from accounts.models import User

_FACTS = ("name", "apodo", "country", "birthplace", "born", "style")
_MORE = ("died", "deathplace", "alternativa", "alternativa_place", "fictional")
_PLAZA = ("name", "city", "country", "continent", "category", "seats")
_HERD = ("name", "country", "continent", "encaste")
_BULL = ("year", "number", "name", "coat", "weight")


class Misfit(ValueError):
    """Raised if a row of the imported season already exists on this site with other values."""


class Rosters:
    """The roster of the circuit into which a season is imported. Missing rows are added.

    The attributes hold primary keys: `plazas`, `herds` and `men` (matadors) by slug, `cards` by
    slug and printing (edition of a card), `sires` (spared bulls) by herd, year and number, and
    `decks` by digest.
    """

    def __init__(self, circuit: Circuit, source: SeasonData) -> None:
        self._circuit, self._source = circuit, source
        self.plazas = self._keys(Plaza)
        self.herds = self._keys(Ganaderia)
        self.men = self._keys(Matador)
        self.cards: dict[tuple[str, int], int] = {}
        self.sires: dict[tuple[str, int, int], int] = {}
        self.decks: dict[str, int] = {}

    def _keys(self, model: Any) -> dict[str, int]:
        return dict(model.objects.filter(circuit=self._circuit).values_list("slug", "pk"))

    def write(self) -> None:
        """Add all rows of the roster that the season needs.

        Raise `Misfit` if a card exists already and differs.
        """
        source = self._source
        for digest, lines in source.deck_lines.items():
            self.decks[digest] = self.deck(lines).pk
        self._add(Plaza, self.plazas, source.plazas, _PLAZA)
        self._add(Ganaderia, self.herds, source.herds, _HERD)
        for slug, row in source.herds.items():
            if row["renown"] is not None:
                Ganaderia.objects.filter(pk=self.herds[slug]).update(renown=row["renown"])
        self._write_sires()
        self._add(Matador, self.men, source.men, (*_FACTS, *_MORE))
        self._write_godfathers()
        printed = [(slug, card) for slug, row in source.men.items() for card in row["cards"]]
        self._print(printed)

    @staticmethod
    def deck(lines: Iterable[str]) -> Deck:
        cards = "\n".join(lines)
        digest = sha256(cards.encode()).hexdigest()
        deck, _made = Deck.objects.get_or_create(
            digest=digest, defaults={"name": "Temporada", "cards": cards}
        )
        return deck

    def _add(
        self, model: Any, keys: dict[str, int], rows: Mapping[str, Row], names: tuple[str, ...]
    ) -> None:
        new = [slug for slug in rows if slug not in keys]
        made = model.objects.bulk_create(
            model(circuit=self._circuit, slug=slug, **{name: rows[slug][name] for name in names})
            for slug in new
        )
        keys.update(zip(new, (row.pk for row in made), strict=True))

    def _write_sires(self) -> None:
        rows = Bull.objects.filter(ganaderia__circuit=self._circuit, state=Bull.State.SEMENTAL)
        sire_rows = rows.values_list("ganaderia__slug", "year", "number", "pk")
        self.sires = {(herd, year, number): pk for herd, year, number, pk in sire_rows}
        new = [
            row
            for row in self._source.sires
            if (row["herd"], row["year"], row["number"]) not in self.sires
        ]
        made = Bull.objects.bulk_create(
            Bull(
                ganaderia_id=self.herds[row["herd"]],
                state=Bull.State.SEMENTAL,
                **{name: row[name] for name in _BULL},
            )
            for row in new
        )
        for row, bull in zip(new, made, strict=True):
            self.sires[row["herd"], row["year"], row["number"]] = bull.pk

    def _write_godfathers(self) -> None:
        for slug, row in self._source.men.items():
            if row["padrino"] or row["testigo"]:
                Matador.objects.filter(pk=self.men[slug]).update(
                    padrino=self.men.get(row["padrino"]), testigo=self.men.get(row["testigo"])
                )

    def _print(self, printed: Iterable[tuple[str, Row]]) -> None:
        here = {
            (card.matador_id, card.printing): card
            for card in MatadorCard.objects.filter(matador__circuit=self._circuit)
        }
        new = []
        for slug, row in printed:
            known = here.get((self.men[slug], row["printing"]))
            if known is None:
                new.append((slug, row))
            else:
                self.cards[slug, row["printing"]] = _same(known, slug, row).pk
        cards = (MatadorCard.from_json(self.men[slug], row) for slug, row in new)
        made = MatadorCard.objects.bulk_create(fill_chances(self._circuit, cards))
        for (slug, row), card in zip(new, made, strict=True):
            self.cards[slug, row["printing"]] = card.pk

    def winter(self) -> None:
        source, year = self._source, self._source.year
        state = {"fictional": True, "state": Matador.State.NOVILLERO}
        debuts = {slug: {**row, **state} for slug, row in source.debuts.items()}
        self._add(Matador, self.men, debuts, (*_FACTS, "fictional", "state"))
        self._print(source.pressed.items())
        for slug, fields in _after(source, year).items():
            Matador.objects.filter(pk=self.men[slug]).update(**fields)
        for news in source.news:
            if news["kind"] == "herd":
                Ganaderia.objects.filter(pk=self.herds[news["slug"]]).update(renown=news["after"])
        cities = {slug: row["city"] for slug, row in source.plazas.items()}
        for news in source.news:
            if news["kind"] == "alternativa":
                Matador.objects.filter(pk=self.men[news["slug"]]).update(
                    alternativa=news["date"],
                    alternativa_place=cities.get(news["plaza"], ""),
                    padrino=self.men[news["padrino"]["slug"]],
                    testigo=self.men[news["testigo"]["slug"]],
                )


def _same(card: MatadorCard, slug: str, row: Row) -> MatadorCard:
    """Return a card that exists on this site already.

    Raise `Misfit` if it differs from the card in the file.
    """
    if card.rating != row["rating"] or card.ranges() != row["ranges"]:
        words = {"printing": row["printing"], "slug": slug}
        raise Misfit(
            _("Printing %(printing)s of the card of %(slug)s differs from the one on this site.")
            % words
        )
    return card


def _after(source: SeasonData, year: int) -> dict[str, Row]:
    of: dict[str, dict[str, Row]] = {}
    for news in source.news:
        of.setdefault(news["kind"], {})[news.get("slug", "")] = news
    promises = source.promises or {}
    rows_after = {
        slug: {
            **_career(row, year, {kind: slug in of.get(kind, {}) for kind in _MOVES}),
            "promise": promises.get(slug),
        }
        for slug, row in source.careers.items()
    }
    for slug in source.men.keys() - rows_after.keys():
        rows_after[slug] = {"state": Matador.State.RETIRED}
    for slug in source.debuts:
        age = of["debut"][slug]["age"] if slug in of.get("debut", {}) else 0
        rows_after[slug] = {"counted_from": year - age, "promise": promises.get(slug)}
    return rows_after


_MOVES = ("retired", "returned", "alternativa")


def _career(row: Row, year: int, moved: Mapping[str, bool]) -> Row:
    standing = standing_after(
        year,
        row["state"],
        row["retired_for"],
        row["seasons"],
        retires=moved["retired"],
        returns=moved["returned"],
        alternativa=moved["alternativa"],
    )
    return {**standing._asdict(), "counted_from": year - row["age"], "form": row["form"]}


_KEYS: Final = {
    "escalafon": ("slug", "category"),
    "awards": ("feria", "key"),
    "records": ("scope", "of", "key"),
}


def outcome(season: Season, source: SeasonData) -> list[Finding]:
    derived: dict[str, list[Any]] = {what: [] for what in source.claimed}
    for entry in stored_claims(season):
        derived[entry["kind"]] += entry[entry["kind"]]
    wrong = [
        difference
        for what, keys in _KEYS.items()
        for difference in compared(what, source.claimed[what], derived[what], keys)
    ]
    return [*wrong, *_in_the_book(season, source)]


def _in_the_book(season: Season, source: SeasonData) -> list[Finding]:
    lines = source.claimed["records"]
    claimed = {(row["scope"], row["of"], row["key"]): row["value"] for row in lines}
    rows = Record.objects.filter(book__circuit=season.circuit_id, season=season)
    return [
        finding("book", f"{scope} {of} {key}", claimed.get((scope, of, key)), value)
        for scope, of, key, value in rows.values_list("book__scope", "book__of", "key", "value")
        if BY_KEY[key].over != CAREER and claimed.get((scope, of, key)) != value
    ]


CHUNK = 500


class NotTaken(ValueError):
    """Raised if a season cannot be imported, with an error message and the differences."""

    def __init__(self, sentence: str, findings: Sequence[Finding] = ()) -> None:
        self.findings = list(findings)
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class Home:
    """The circuit into which a season is imported.

    If `circuit` is None, a new circuit is created with this name and owner, and with `slug` or a
    slug made from the name.
    """

    name: str
    slug: str = ""
    owner: User | None = None
    circuit: Circuit | None = None


def take_in(report: Report, home: Home, *, at: dt.datetime) -> Season:
    """Import a verified season in one transaction, and return it.

    Raise `NotTaken` if it cannot be imported; nothing is written then. An existing circuit must end
    with the season before it, imported from the same circuit of the other site. Otherwise a circuit
    is created.
    """
    source = report.data
    if source is None or not report.stands:
        raise NotTaken(report.refused or _("The season file contains errors."), report.findings)
    try:
        with transaction.atomic():
            circuit = (
                _continued(home.circuit, source) if home.circuit else _founded(home, source, at)
            )
            return _Taking(circuit, source, at).write()
    except Misfit as error:
        raise NotTaken(str(error)) from error
    except IntegrityError as error:
        raise NotTaken(_("The season does not fit the data on this site: %s") % error) from error


def _founded(home: Home, source: SeasonData, at: dt.datetime) -> Circuit:
    last = source.entries[-1]["deck"] if source.entries else ""
    lines = source.deck_lines.get(last) or next(iter(source.deck_lines.values()))
    columns: dict[str, Any] = {
        "name": home.name,
        "owner": home.owner,
        "public": False,
        "rules": source.rules.options(),
        "deck": Rosters.deck(lines),
        "roster": Circuit.Roster.IMPORTED,
        "cards_version": source.cards_version,
        "promised_as": source.opening["circuit"],
        "founded_at": at,
    }
    if home.slug:
        return Circuit.objects.create(slug=home.slug, **columns)
    return create_circuit(**columns)


def _continued(circuit: Circuit, source: SeasonData) -> Circuit:
    held = Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk)
    last = Season.objects.filter(circuit=held).order_by("-year").first()
    if held.roster != Circuit.Roster.IMPORTED or held.promised_name != source.opening["circuit"]:
        raise NotTaken(
            _("This season does not belong to the circuit from which %s was imported.") % held
        )
    over = last is not None and Winter.objects.filter(season=last, done_at__isnull=False).exists()
    if last is None or not over or last.year + 1 != source.year:
        words = {"circuit": held, "year": last.year + 1 if last else source.year}
        raise NotTaken(_("The next season of %(circuit)s must be %(year)s.") % words)
    held.cards_version = source.cards_version
    held.save(update_fields=["cards_version"])
    return held


@dataclass
class _Taking:
    circuit: Circuit
    source: SeasonData
    at: dt.datetime
    corridas: dict[int, int] = field(default_factory=dict)
    bulls: dict[int, int] = field(default_factory=dict)
    ferias: dict[str, int] = field(default_factory=dict)

    def write(self) -> Season:
        source = self.source
        self.rosters = Rosters(self.circuit, source)
        self.rosters.write()
        self.season = Season.objects.create(
            circuit=self.circuit,
            year=source.year,
            rules=source.rules.options(),
            seed=source.opening["seed"],
            commitment=source.opening["commitment"],
            posted_version=1,
        )
        self._create_dates()
        self._announce()
        self._fight()
        self._derive()
        wrong = outcome(self.season, self.source)
        if wrong:
            raise NotTaken(
                _("The results calculated from the season differ from those in the file."), wrong
            )
        self._winter()
        tell_apart(self.circuit.pk)
        index_imported(self.season)
        return self.season

    def _create_dates(self) -> None:
        source, plazas = self.source, self.rosters.plazas
        ferias = Feria.objects.bulk_create(
            Feria(season=self.season, plaza_id=plazas[row["plaza"]], **_own(row, *_FERIA))
            for row in source.ferias.values()
        )
        self.ferias = {feria.slug: feria.pk for feria in ferias}
        rows = Corrida.objects.bulk_create(
            Corrida(
                season=self.season,
                feria_id=self.ferias.get(row["feria"]),
                plaza_id=plazas[row["plaza"]],
                **_own(row, "date", "state", "posted_at", "origin"),
            )
            for row in source.days
        )
        held = zip(source.days, rows, strict=True)
        keys = {(row["plaza"], row["date"]): made.pk for row, made in held}
        for played, row in zip(source.fought, source.entries, strict=True):
            self.corridas[played.pk] = keys[row["plaza"], row["date"]]

    def _announce(self) -> None:
        carteles, puestos, bulls = [], [], []
        numbers: list[int] = []
        for played, row in zip(self.source.fought, self.source.entries, strict=True):
            key = self.corridas[played.pk]
            carteles.append(self._billed(key, row, played.seed))
            puestos += self._placed(key, row)
            bulls += [self._penned(key, row, place) for place in range(len(row["bulls"]))]
            numbers += bull_numbers(played.pk)
        Cartel.objects.bulk_create(carteles, batch_size=CHUNK)
        Puesto.objects.bulk_create(puestos, batch_size=CHUNK)
        made = Bull.objects.bulk_create(bulls, batch_size=CHUNK)
        self.bulls = {number: bull.pk for number, bull in zip(numbers, made, strict=True)}
        self._reserve()

    def _reserve(self) -> None:
        """Store the market's trios, to which reserved corridas have committed.

        The file does not say when they closed or who was signed for them.
        """
        Reservation.objects.bulk_create(
            Reservation(
                corrida_id=self.corridas[played.pk],
                closes_on=row["date"] - CLOSES_BEFORE,
                stage=Reservation.Stage.OVER,
                trio=row["bar"],
            )
            for played, row in zip(self.source.fought, self.source.entries, strict=True)
            if row.get("bar")
        )

    def _billed(self, key: int, row: Row, seed: bytes) -> Cartel:
        return Cartel(
            corrida_id=key,
            ganaderia_id=self.rosters.herds[row["herd"]],
            deck_id=self.rosters.decks[row["deck"]],
            seed=seed,
            commitment=row["commitment"],
            engine_version=row["engine"],
            set_by_hand=row["by_hand"],
        )

    def _placed(self, key: int, row: Row) -> list[Puesto]:
        men, cards = self.rosters.men, self.rosters.cards
        return [
            Puesto(
                cartel_id=key,
                order=order,
                matador_id=men[entry["slug"]],
                card_id=cards[entry["slug"], entry["printing"]],
                date=row["date"],
                instead_of_id=men.get(entry["instead_of"]),
            )
            for order, entry in enumerate(row["matadors"])
        ]

    def _penned(self, key: int, row: Row, place: int) -> Bull:
        bull, herd = row["bulls"][place], self.rosters.herds[row["herd"]]
        sire = self.rosters.sires.get((row["herd"], *bull["sire"])) if bull["sire"] else None
        own = _own(bull, "year", "number", "name", "coat", "weight")
        return Bull(ganaderia_id=herd, cartel_id=key, place=place, sire_id=sire, **own)

    def _fight(self) -> None:
        men = {key: self.rosters.men[slug] for slug, key in self.source.man_keys.items()}
        rows = []
        for played in self.source.fought:
            lidias: Sequence[Any] = played.lidias
            rows += [
                lidia._replace(
                    corrida_id=self.corridas[lidia.corrida_id],
                    bull_id=self.bulls[lidia.bull_id],
                    starter_id=men[lidia.starter_id],
                    finisher_id=None if lidia.finisher_id is None else men[lidia.finisher_id],
                )
                for lidia in lidias
            ]
        insert_lidias(rows)
        for ending, state in STATE_AFTER.items():
            Bull.objects.filter(lidia__corrida__season=self.season, lidia__ending=ending).update(
                state=state
            )

    def _derive(self) -> None:
        ledger = ledger_of(self.source)
        men = {key: self.rosters.men[slug] for slug, key in self.source.man_keys.items()}
        for injury in ledger.injuries:
            injury.matador_id = men[injury.matador_id]
            injury.corrida_id = self.corridas[injury.corrida_id]
        Injury.objects.bulk_create(ledger.injuries)
        for injury in ledger.injuries:
            Puesto.objects.filter(cartel=injury.corrida_id, matador=injury.matador_id).update(
                injured_in=injury.turn
            )
        rebuild(self.season, write_rows=True)
        _given, versions = awards_of(self.source)
        by_feria = {self.ferias.get(slug): version for slug, version in versions.items()}
        record_book.rebuild_record_book(self.circuit.pk, {self.season.pk: by_feria})

    def _winter(self) -> None:
        source = self.source
        Winter.objects.create(
            season=self.season,
            seed=source.winter["seed"],
            commitment=source.winter["commitment"],
            news=[self._keyed(news) for news in source.news],
            known=pack_document(year_data(source)),
            version=source.winter.get("version", 1),
            new_cards_at=source.winter.get("new_cards_at"),
            done_at=self.at,
        )
        self.rosters.winter()

    def _keyed(self, row: Row) -> Row:
        if row["kind"] != "sire":
            return row
        herd = self.rosters.herds[row["herd"]["slug"]]
        year, number = self.source.year, row["number"]
        bull = Bull.objects.filter(ganaderia=herd, year=year, number=number).first()
        return {**row, "bull": bull.pk if bull else 0}


_FERIA = ("slug", "name", "starts", "ends")


def _own(row: Mapping[str, object], *names: str) -> JSONObject:
    return {name: row[name] for name in names if name in row}
