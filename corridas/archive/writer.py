"""Writes a season to a file line by line. Only a few corridas are in memory at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import IO, Final

from django.db.models import Q
from django.utils.translation import gettext as _

from api.types import JSONObject
from corridas.archive import acta, bundle
from corridas.archive.bundle import parted
from corridas.archive.claims import stored_claims
from corridas.archive.winters import WinterData
from corridas.models import (
    Bull,
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Season,
    Winter,
)

Entry = JSONObject
PLAZA: Final = ("slug", "name", "city", "country", "continent", "category", "seats")
HERD: Final = ("slug", "name", "country", "continent", "encaste")
MAN: Final = (
    *("slug", "name", "apodo", "country", "birthplace", "born", "died", "deathplace"),
    *("alternativa_place", "style", "fictional"),
)
BULL: Final = ("year", "number", "name", "coat", "weight")
LIDIA: Final = (
    *("turn", "ending", "injured", "matador_points", "bull_points", "kill_points", "avisos"),
    *("score", "number", "trophy", "vuelta", "crowd"),
)
# Number of corridas read together.
CHUNK: Final = 50


class SeasonWriter:
    def __init__(self, season: Season) -> None:
        self._season = season
        self._winter = WinterData.of(season)
        fought = Corrida.objects.of_season(season)
        self._corridas = list(fought.values_list("pk", flat=True))
        self._puestos = Puesto.objects.filter(cartel__corrida__season=season)

    @property
    def total(self) -> int:
        return len(self._corridas)

    def entries(self) -> Iterator[Entry]:
        yield self._opening()
        yield from self._decks()
        yield from self._places()
        yield from parted("matadors", self._matadors())
        yield from parted("ferias", self._ferias())
        for start in range(0, self.total, CHUNK):
            yield from self._fought(self._corridas[start : start + CHUNK])
        yield from self._winter.entries()
        yield from stored_claims(self._season)
        yield {"kind": "end", "corridas": self.total}
        if self._winter.promises is not None:
            yield {"kind": "promises", "promises": self._winter.promises}

    def _opening(self) -> Entry:
        season = self._season
        return {
            "kind": "season",
            "circuit": season.circuit.promised_name,
            "year": season.year,
            "rules": season.engine_rules().options(),
            "seed": bytes(season.seed).hex(),
            "commitment": bytes(season.commitment).hex(),
        }

    def _decks(self) -> Iterator[Entry]:
        used = Corrida.objects.filter(season=self._season, cartel__isnull=False).order_by()
        decks = used.values_list("cartel__deck__digest", "cartel__deck__cards").distinct()
        for digest, cards in sorted(decks):
            yield {"kind": "deck", "digest": digest, "lines": cards.split("\n")}

    def _places(self) -> Iterator[Entry]:
        season, circuit = self._season, self._season.circuit_id
        own = Q(corridas__season=season) | Q(ferias__season=season)
        own |= Q(slug__in=list(self._winter.year["plazas"]))
        plazas = Plaza.objects.filter(own, circuit=circuit)
        yield from parted("plazas", plazas.order_by("pk").distinct().values(*PLAZA))
        renown = self._winter.renown
        sent = Q(carteles__corrida__season=season) | Q(slug__in=list(renown))
        herds = Ganaderia.objects.filter(sent, circuit=circuit).order_by("pk").distinct()
        yield from parted(
            "herds", ({**row, "renown": renown.get(row["slug"])} for row in herds.values(*HERD))
        )
        sires = Bull.objects.filter(offspring__cartel__corrida__season=season)
        rows = sires.order_by("pk").distinct().values("ganaderia__slug", *BULL)
        yield from parted("sires", ({"herd": row.pop("ganaderia__slug"), **row} for row in rows))

    @cached_property
    def _men(self) -> dict[int, Matador]:
        standing = set(self._puestos.values_list("matador", flat=True))
        standing |= set(self._puestos.values_list("instead_of", flat=True))
        own = Q(pk__in=standing - {None}) | Q(slug__in=list(self._winter.careers))
        rows = Matador.objects.filter(own, circuit=self._season.circuit_id).order_by("pk")
        return {row.pk: row for row in rows}

    def _matadors(self) -> Iterator[Entry]:
        cards = self._cards()
        for pk, man in self._men.items():
            fields = {name: getattr(man, name) for name in MAN}
            career = self._winter.careers.get(man.slug)
            if career:
                day = career["alternativa"]
            else:
                day = man.alternativa.isoformat() if man.alternativa else None
            fields |= {"alternativa": day, "padrino": None, "testigo": None}
            if day is None and man.alternativa is not None:
                fields["alternativa_place"] = ""  # he has taken the alternativa after this season
            elif day is not None:
                fields["padrino"] = self._slug(man.padrino_id)
                fields["testigo"] = self._slug(man.testigo_id)
            yield fields | {"cards": cards[pk]}

    def _slug(self, key: int | None) -> str | None:
        return self._men[key].slug if key in self._men else None

    def _cards(self) -> dict[int, list[Entry]]:
        played = set(self._puestos.values_list("card", flat=True))
        cards_by_matador: dict[int, list[Entry]] = defaultdict(list)
        rows = MatadorCard.objects.filter(matador__in=list(self._men))
        in_force: dict[int, MatadorCard] = {}
        kept: dict[int, list[MatadorCard]] = defaultdict(list)
        for card in rows.order_by("matador", "printing").iterator():
            slug = self._men[card.matador_id].slug
            if self._winter.was_in_force(slug, card):
                in_force[card.matador_id] = card
            if card.pk in played:
                kept[card.matador_id].append(card)
        for key in self._men:
            last = in_force.get(key)
            cards = {card.printing: card for card in [*kept[key], *([last] if last else [])]}
            cards_by_matador[key] = [cards[printing].to_json() for printing in sorted(cards)]
        return cards_by_matador

    def _ferias(self) -> Iterator[Entry]:
        rows = Feria.objects.filter(season=self._season).select_related("plaza").order_by("pk")
        for feria in rows:
            yield {
                "slug": feria.slug,
                "name": feria.name,
                "plaza": feria.plaza.slug,
                "starts": feria.starts.isoformat(),
                "ends": feria.ends.isoformat(),
            }

    def _fought(self, keys: Sequence[int]) -> Iterator[Entry]:
        rows = Corrida.objects.of_season(self._season).filter(pk__in=keys)
        about = ("season__circuit", "plaza", "feria", "cartel__deck", "cartel__ganaderia")
        puestos, bulls = self._places_of(keys), _bulls_of(keys)
        for corrida in rows.select_related(*about).prefetch_related("lidias"):
            fields = {
                "plaza": corrida.plaza.slug,
                "feria": corrida.feria.slug if corrida.feria else None,
                "date": corrida.date.isoformat(),
                "state": corrida.state,
            }
            if not corrida.is_over:
                yield {"kind": "date", **fields}
                continue
            cartel = {"matadors": puestos[corrida.pk], "bulls": bulls[corrida.pk]}
            yield {"kind": "corrida", **fields, **cartel, **corrida_entry(corrida)}

    def _places_of(self, keys: Iterable[int]) -> dict[int, list[Entry]]:
        places: dict[int, list[Entry]] = defaultdict(list)
        rows = Puesto.objects.filter(cartel__in=list(keys)).order_by("cartel", "order")
        columns = ("cartel_id", "matador__slug", "card__printing", "instead_of__slug")
        for cartel, slug, printing, instead in rows.values_list(*columns):
            places[cartel].append({"slug": slug, "printing": printing, "instead_of": instead})
        return places


def corrida_entry(corrida: Corrida) -> Entry:
    cartel = corrida.cartel
    entry: Entry = {
        "origin": corrida.origin,
        "posted_at": corrida.posted_at.isoformat() if corrida.posted_at else None,
        "herd": cartel.ganaderia.slug,
        "deck": cartel.deck.digest,
        "engine": cartel.engine_version,
        "by_hand": cartel.set_by_hand,
        "commitment": bytes(cartel.commitment).hex(),
    }
    if corrida.origin == Corrida.Origin.TABLE:
        return entry | {"lidias": list(_lidias(corrida))}
    return entry | {"acta": bare(acta.of_corrida(corrida))}


def bare(document: Entry) -> Entry:
    """Return a record of a corrida without the parts that differ between sites."""
    return {name: part for name, part in document.items() if name not in SITE_ALONE}


SITE_ALONE: Final = frozenset({"site", "of", "digest"})


def _lidias(corrida: Corrida) -> Iterator[Entry]:
    """Yield the lidias (fights with one bull) of a corrida at a real table, as its players entered
    them.
    """
    order = {row.matador_id: row.order for row in corrida.cartel.puestos.all()}
    for row in corrida.lidias.select_related("bull").order_by("turn"):
        yield {
            **{name: getattr(row, name) for name in LIDIA},
            "bull": row.bull.place,
            "starter": order[row.starter_id],
            "finisher": None if row.finisher_id is None else order[row.finisher_id],
            "draws": bytes(row.draws).hex(),
        }


def _bulls_of(keys: Iterable[int]) -> dict[int, list[Entry]]:
    bulls: dict[int, list[Entry]] = defaultdict(list)
    rows = Bull.objects.filter(cartel__in=list(keys)).order_by("cartel_id", "place")
    for row in rows.values("cartel_id", "sire__year", "sire__number", *BULL):
        cartel, *sire = row.pop("cartel_id"), row.pop("sire__year"), row.pop("sire__number")
        bulls[cartel].append({**row, "sire": None if sire[0] is None else sire})
    return bulls


# Type of a callback that gets the number of corridas written so far and the total.
Progress = Callable[[int, int], object]


class NotOver(ValueError):
    """The season, or the winter after it, is not over."""


def is_over(season: Season) -> bool:
    """Return whether the winter after a season is over. After that the season cannot change."""
    return Winter.objects.filter(season=season, done_at__isnull=False).exists()


def export(
    season: Season,
    out: IO[bytes],
    *,
    promises: bool = False,
    progress: Progress | None = None,
) -> str:
    """Write a season file to `out` and return the last hash of its chain.

    `out` need not support seeking. With `promises` the file includes the potential of every
    matador, which is confidential; without these values nobody can replay the winter. Raise
    `NotOver` before the winter is over.
    """
    if not is_over(season):
        raise NotOver(
            _("%s has not ended. The season file will be available after the winter.") % season
        )
    writer = SeasonWriter(season)
    entries = _public_entries(writer, promises, progress)
    with bundle.packing(out) as inside:
        return bundle.write_chain(inside, season.circuit.name, entries)


def _public_entries(
    writer: SeasonWriter, promises: bool, progress: Progress | None
) -> Iterator[JSONObject]:
    done = 0
    for entry in writer.entries():
        if entry["kind"] in {"corrida", "date"}:
            done += 1
            if progress:
                progress(done, writer.total)
        if promises or entry["kind"] not in bundle.OPEN:
            yield entry
