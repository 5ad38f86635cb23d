"""Queries for lists. They read totals stored per season and corrida, instead of all lidias.

`until` is the last day whose results a reader may see, None for all days. Results after that day
are then subtracted from the stored totals.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)

from core.names.fields import spanish_order
from core.names.text import sort_key
from corridas import sql
from corridas.circuit_queries import find_ranked
from corridas.engine import EARS, Tally
from corridas.escalafon.queries.profiles import printed
from corridas.escalafon.queries.ranking import CATEGORIES, Counts, course_of, ranking_of, standings
from corridas.models import (
    Bull,
    Corrida,
    Escalafon,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Palmares,
    Plaza,
    Puesto,
    RecordBook,
    Season,
)
from corridas.results import LETTERS, verdict
from corridas.world.ranking import COLUMNS, Counters

SUMMED: Final = ("ears", "tails", "indultos")


def seasons(circuit: str) -> list[Season]:
    """Return the seasons of a circuit, the latest first."""
    rows = Season.objects.filter(circuit__slug=circuit).select_related("circuit")
    return list(rows.order_by("-year"))


def latest_season(circuit: str, until: dt.date | None = None) -> Season | None:
    """Return the latest season with a posted corrida, or None."""
    over = Corrida.objects.over().filter(season=OuterRef("pk"))
    if until:
        over = over.filter(date__lte=until)
    return Season.objects.filter(Exists(over), circuit__slug=circuit).order_by("-year").first()


def current_day(circuit: str, until: dt.date | None = None) -> dt.date | None:
    """Return the current day of a circuit, which is the day of its next corrida.

    If no corrida is left, it is the day of the last one, and None if nothing has been planned. With
    `until` it is at most one day later.
    """
    season = Season.objects.filter(pk=sql.current_season_id(circuit))
    held = Corrida.objects.filter(season__in=season.values("pk"))
    days = held.aggregate(
        next=Min("date", filter=~Q(state__in=Corrida.OVER)),
        last=Max("date", filter=Q(state__in=Corrida.OVER)),
    )
    day: dt.date | None = days["next"] or days["last"]
    if until and day:
        return min(day, until + dt.timedelta(days=1))
    return day


def hurt(circuit: str, day: dt.date | None, until: dt.date | None = None) -> list[Injury]:
    """Return the injuries that keep matadors from fighting on a day.

    The injury with the longest rest comes first.

    A matador with several injuries has only the one that lasts longest.
    """
    if day is None:
        return []
    rows = Injury.objects.filter(
        matador__circuit__slug=circuit, until__gte=day, corrida__state__in=Corrida.OVER
    )
    retired = Q(matador__state=Matador.State.RETIRED)
    if until:
        rows = rows.filter(corrida__date__lte=until)
        # The winter changes of matadors include retirements. Those of a winter that the reader has
        # not reached are not revealed, as in `_state`.
        retired &= Q(matador__retired_in=None) | Q(matador__retired_in__lt=until.year)
    rows = rows.exclude(retired)
    longest: dict[int, Injury] = {}
    for row in rows.select_related("matador", "corrida__plaza").order_by("-until", "pk"):
        longest.setdefault(row.matador_id, row)
    return list(longest.values())


# Matadors


@dataclass(frozen=True, kw_only=True)
class CardFigures:
    """The rating and the chances of a matador's latest card (`MatadorCard`), None without a card.

    The chances are also None if they have not been calculated.
    """

    rating: int | None = None
    ear_1: float | None = None
    two_ears_1: float | None = None
    lap_1: float | None = None
    ears_1: float | None = None
    ear_2: float | None = None
    two_ears_2: float | None = None
    lap_2: float | None = None
    ears_2: float | None = None
    ear_3: float | None = None
    two_ears_3: float | None = None
    lap_3: float | None = None
    ears_3: float | None = None


_CARD_FIGURES: Final = tuple(field.name for field in fields(CardFigures))


@dataclass(frozen=True, kw_only=True)
class MatadorRow(Counters, CardFigures):
    """A matador in the list, with figures of his latest card and his totals.

    `hurt_until` is the last day of his rest if he is injured now. `form` are his last ten verdicts.
    `place` is his place in the current ranking, if it was requested and he has one.
    """

    pk: int
    slug: str
    name: str
    full_name: str
    state: str
    hurt_until: dt.date | None
    country: str
    birthplace: str
    style: str
    alternativa: dt.date | None
    seasons: int
    form: list[str]
    place: int | None = None

    @property
    def rate(self) -> float | None:
        return self.ears / self.bulls if self.bulls else None


def places(circuit: str, until: dt.date | None = None) -> dict[int, int]:
    """Return the rank of each matador by his key, the first rank first.

    This is the current ranking, or with `until` that of a day. Before the first corrida of a year
    it is the final ranking of the year before.
    """
    if until is None:
        mark = find_ranked(circuit)
        lines = standings(Season(pk=mark.season)) if mark else []
    else:
        season = latest_season(circuit, until)
        lines = ranking_of(season, CATEGORIES, until).lines if season else []
    return {line.pk: line.place for line in lines}


def people(circuit: str, until: dt.date | None = None) -> QuerySet[Matador]:
    """Return the matadors of a circuit.

    With `until`, those whose first card was printed later are left out.
    """
    rows = Matador.objects.filter(circuit__slug=circuit)
    if until:
        later = MatadorCard.objects.filter(printing=1, since__gt=until.year)
        rows = rows.exclude(pk__in=later.values("matador"))
    return rows


def matadors(
    circuit: str,
    until: dt.date | None = None,
    *,
    year: int | None = None,
    categories: Collection[int] = CATEGORIES,
    only: Collection[str] | None = None,
    places: Mapping[int, int] = MappingProxyType({}),
) -> list[MatadorRow]:
    """Return the list rows of the matadors of a circuit.

    `only` selects some of them by slug. The number of queries is fixed.
    """
    rows = people(circuit, until)
    cards = printed(until).filter(matador__circuit__slug=circuit)
    if only is not None:
        rows, cards = rows.filter(slug__in=only), cards.filter(matador__slug__in=only)
    others = printed(until).filter(matador=OuterRef("matador")).order_by("-printing")
    cards = cards.filter(printing=Subquery(others.values("printing")[:1]))
    figures = {of.pop("matador_id"): of for of in cards.values("matador_id", *_CARD_FIGURES)}
    sums = _sums_of_matadors(circuit, until, year, categories)
    no_sums = dict.fromkeys((*COLUMNS, "seasons"), 0)
    resting = {
        row.matador_id: row.until for row in hurt(circuit, current_day(circuit, until), until)
    }
    return [
        MatadorRow(
            pk=row.pk,
            slug=row.slug,
            name=row.billing,
            full_name=row.name,
            state=_state(row, until),
            hurt_until=resting.get(row.pk),
            **figures.get(row.pk, {}),
            country=row.country,
            birthplace=row.birthplace,
            style=row.style,
            alternativa=_known(row.alternativa, until),
            place=places.get(row.pk),
            form=[] if until else [LETTERS[letter] for letter in row.form if letter in LETTERS],
            **(no_sums | sums[row.pk]),
        )
        for row in rows.order_by("name_key", "pk")
    ]


def _state(matador: Matador, until: dt.date | None) -> str:
    """Return the state of a matador on a day.

    Changes of the winter after that day are left out, because they would reveal how the season
    ended.
    """
    state = matador.state
    if not until:
        return state
    if state == Matador.State.RETIRED and matador.retired_in and matador.retired_in >= until.year:
        state = Matador.State.ACTIVE
    if state == Matador.State.ACTIVE and matador.alternativa and matador.alternativa > until:
        state = Matador.State.NOVILLERO
    return state


def _known(day: dt.date | None, until: dt.date | None) -> dt.date | None:
    return None if until and day and day > until else day


def _sums_of_matadors(
    circuit: str, until: dt.date | None, year: int | None, categories: Collection[int]
) -> dict[int, Counter[str]]:
    """Return the totals of the matadors by key.

    Stored totals are added up. For the season of `until` the lidias up to that day are added
    instead.
    """
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    stored = Escalafon.objects.filter(season__circuit__slug=circuit)
    if year:
        stored = stored.filter(season__year=year)
    if until:
        stored = stored.filter(season__year__lt=until.year)
    if len(categories) < len(CATEGORIES):
        stored = stored.filter(category__in=categories)
    rows: Any = stored.order_by().values("matador_id")
    rows = rows.annotate(
        **{f"all_{name}": Sum(name) for name in COLUMNS}, years=Count("season", distinct=True)
    )
    for row in rows:
        counts = {name: row[f"all_{name}"] for name in COLUMNS}
        sums[row["matador_id"]].update(counts, seasons=row["years"])
    if until and year in {None, until.year}:
        last = Season.objects.filter(circuit__slug=circuit, year=until.year).first()
        if last:
            tally = Counts()
            tally.add(course_of(last).up_to(until, categories))
            for matador, counted in tally.counts.items():
                known = {name: counted.get(name, 0) for name in COLUMNS}
                sums[matador].update(known, seasons=1)
    return sums


# Herds


@dataclass(frozen=True, kw_only=True)
class HerdRow:
    """A herd in the list, with the number of its bulls that have fought and their trophies."""

    pk: int
    slug: str
    name: str
    country: str
    encaste: str
    bulls: int
    ears: int
    tails: int
    indultos: int

    @property
    def rate(self) -> float | None:
        return self.ears / self.bulls if self.bulls else None


def herds(circuit: str, until: dt.date | None = None) -> list[HerdRow]:
    """Return the list rows of all herds by name. Five queries.

    A bull counts as fought when its corrida is posted. With `until` the lidias are read, because
    stored totals have no dates.
    """
    if until:
        return _herds_until(circuit, until)
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    books = RecordBook.objects.filter(circuit__slug=circuit, scope=RecordBook.Scope.HERD)
    kept = Palmares.objects.filter(book__in=books).order_by()
    for of, *counts in kept.values_list("book__of").annotate(*map(Sum, SUMMED)):
        sums[of].update(dict(zip(SUMMED, counts, strict=True)))
    named = list(Ganaderia.objects.filter(circuit__slug=circuit).order_by("name_key", "pk"))
    # Filter by the keys of the herds instead of a join, which would take three times as long.
    branded = _by_herd(Bull.objects.filter(ganaderia__in=[herd.pk for herd in named]))
    fresh = _by_herd(bulls_in_the_field(circuit))
    rows = []
    for herd in named:
        own = sums[herd.slug]
        rows.append(
            HerdRow(
                pk=herd.pk,
                slug=herd.slug,
                name=herd.name,
                country=herd.country,
                encaste=herd.encaste,
                bulls=branded.get(herd.pk, 0) - fresh.get(herd.pk, 0),
                **{name: own[name] for name in SUMMED},
            )
        )
    return rows


def bulls_in_the_field(circuit: str) -> QuerySet[Bull]:
    """Return the bulls that have not fought, or whose corrida is not posted yet.

    The query uses the index on the cartel. The index on the herd would lead to almost all bulls, so
    the herd is compared in an expression that cannot use it.
    """
    unposted = Corrida.objects.filter(season__circuit__slug=circuit).exclude(
        state=Corrida.State.POSTED
    )
    own = list(Ganaderia.objects.filter(circuit__slug=circuit).values_list("pk", flat=True))
    return Bull.objects.alias(herd=F("ganaderia_id") + 0).filter(
        Q(cartel=None) | Q(cartel__in=unposted.values("pk")),
        state=Bull.State.CAMPO,
        herd__in=own,
    )


def _by_herd(bulls: QuerySet[Bull]) -> dict[int, int]:
    return dict(bulls.order_by().values_list("ganaderia_id").annotate(all=Count("*")))


def _herds_until(circuit: str, until: dt.date) -> list[HerdRow]:
    fought = Lidia.objects.posted().filter(
        corrida__season__circuit__slug=circuit, corrida__date__lte=until
    )
    brought: dict[int, Tally] = defaultdict(Tally)
    columns = ("bull__ganaderia_id", "ending", "trophy", "vuelta", "avisos")
    for row in fought.order_by().values_list(*columns, named=True).iterator():
        brought[row.bull__ganaderia_id].add(row)
    return [
        HerdRow(
            pk=herd.pk,
            slug=herd.slug,
            name=herd.name,
            country=herd.country,
            encaste=herd.encaste,
            **{name: brought[herd.pk][name] for name in ("bulls", *SUMMED)},
        )
        for herd in Ganaderia.objects.filter(circuit__slug=circuit).order_by("name_key", "pk")
    ]


# Plazas


@dataclass(frozen=True, kw_only=True)
class PlazaRow:
    """A plaza in the list, with its posted corridas, their trophies, and its last and next day."""

    pk: int
    slug: str
    city: str
    name: str
    country: str
    category: int
    seats: int | None
    corridas: int
    ears: int
    tails: int
    indultos: int
    last: dt.date | None
    next: dt.date | None

    @property
    def rate(self) -> float | None:
        return self.ears / self.corridas if self.corridas else None


def plazas(circuit: str, until: dt.date | None = None) -> list[PlazaRow]:
    """Return the list rows of all plazas, the highest category first. Four queries."""
    held = Corrida.objects.filter(season__in=[season.pk for season in seasons(circuit)])
    over = held.over().filter(date__lte=until) if until else held.over()
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    last: dict[int, dt.date] = {}
    # Group by season first, because the database index that has all these columns begins with the
    # season.
    rows = over.order_by().values_list("season_id", "plaza_id")
    for _season, plaza, count, day, *counts in rows.annotate(
        Count("pk"), Max("date"), *map(Sum, SUMMED)
    ):
        sums[plaza].update(dict(zip(SUMMED, counts, strict=True)), corridas=count)
        last[plaza] = max(last.get(plaza, day), day)
    coming = held.exclude(state__in=Corrida.OVER).order_by().values_list("plaza_id")
    upcoming = dict(coming.annotate(Min("date")))
    return [
        PlazaRow(
            pk=row.pk,
            slug=row.slug,
            city=row.city,
            name=row.name,
            country=row.country,
            category=row.category,
            seats=row.seats,
            corridas=sums[row.pk]["corridas"],
            last=last.get(row.pk),
            next=upcoming.get(row.pk),
            **{name: sums[row.pk][name] for name in SUMMED},
        )
        for row in Plaza.objects.filter(circuit__slug=circuit).order_by(
            "category", "city_key", "name_key"
        )
    ]


# Bulls


@dataclass(frozen=True, kw_only=True)
class BullRow:
    """A bull in the list and, once posted, its lidia."""

    pk: int
    name: str
    number: int
    coat: str
    weight: int
    herd: str
    herd_slug: str
    fate: str
    corrida: int | None = None
    turn: int | None = None
    date: dt.date | None = None
    plaza: str = ""
    matador: str = ""
    matador_slug: str = ""
    verdict: str | None = None
    ears: int | None = None
    points: int | None = None


def fights(hidden: Collection[int]) -> QuerySet[Lidia]:
    """Return the posted lidias of all circuits.

    Lidias of `hidden` corridas are left out.
    """
    rows = Lidia.objects.posted()
    return rows.exclude(corrida__in=hidden) if hidden else rows


def with_sort_keys(rows: QuerySet[Lidia], sort: str) -> QuerySet[Lidia]:
    """Annotate lidias with the key to sort them by name, coat or fate of the bull."""
    if sort == "name":
        return rows.annotate(bull_key=spanish_order("bull__name_key", "bull__name"))
    if sort == "coat":
        return rows.annotate(coat_key=_coat_key(rows))
    if sort == "fate":
        return rows.annotate(fate_key=_fate_key())
    return rows


def _fate_key() -> Case:
    """Return an expression that sorts lidias by the translated name of the bull's fate."""
    fates = sorted(Bull.State, key=lambda fate: sort_key(str(fate.label)))
    places = [When(bull__state=fate, then=Value(place)) for place, fate in enumerate(fates)]
    return Case(*places, default=Value(len(fates)), output_field=IntegerField())


def _coat_key(rows: QuerySet[Lidia]) -> Case:
    """Return an expression that sorts lidias by coat, in Spanish alphabetical order.

    There are only a few dozen coats.
    """
    coats = sorted(rows.order_by().values_list("bull__coat", flat=True).distinct(), key=sort_key)
    places = [When(bull__coat=coat, then=Value(place)) for place, coat in enumerate(coats)]
    return Case(*places, default=Value(0), output_field=IntegerField())


def spared_bulls(circuit: str) -> QuerySet[Bull]:
    return Bull.objects.filter(ganaderia__circuit__slug=circuit, state=sql.SPARED)


def fought_rows(keys: Iterable[int]) -> list[BullRow]:
    """Return the list rows of these lidias in the given order. One query.

    Keys that no longer exist are left out.
    """
    rows = Lidia.objects.select_related("bull__ganaderia", "corrida__plaza", "finisher")
    found = rows.defer("draws").in_bulk(list(keys))
    return [_fought(found[key]) for key in keys if key in found]


def _fought(row: Lidia) -> BullRow:
    finisher = row.finisher
    return BullRow(
        **_of_bull(row.bull),
        corrida=row.corrida_id,
        turn=row.turn,
        date=row.corrida.date,
        plaza=row.corrida.plaza.city,
        matador=finisher.billing if finisher else "",
        matador_slug=finisher.slug if finisher else "",
        verdict=verdict(row.trophy, row.crowd) if finisher else None,
        ears=EARS[row.trophy or 0],
        points=row.score,
    )


def field_rows(bulls: Iterable[Bull]) -> list[BullRow]:
    return [BullRow(**{**_of_bull(bull), "fate": Bull.State.CAMPO.value}) for bull in bulls]


def _of_bull(bull: Bull) -> dict[str, Any]:
    return {
        "pk": bull.pk,
        "name": bull.name,
        "number": bull.number,
        "coat": bull.coat,
        "weight": bull.weight,
        "herd": bull.ganaderia.name,
        "herd_slug": bull.ganaderia.slug,
        "fate": bull.state,
    }


# Results


@dataclass(frozen=True, kw_only=True)
class MatadorTrophies:
    """A matador of a corrida and his trophies. `hurt` is true if an injury stopped him."""

    slug: str
    name: str
    ears: int
    tails: int
    hurt: bool


@dataclass(frozen=True, kw_only=True)
class ResultRow:
    """A finished corrida in the list of results."""

    pk: int
    date: dt.date
    plaza: str
    plaza_slug: str
    category: int
    feria: str
    herd: str
    herd_slug: str
    ears: int
    tails: int
    indultos: int
    hurt: int
    matadors: list[MatadorTrophies] = field(default_factory=list)


def results(seasons: Collection[int], hidden: Collection[int]) -> QuerySet[Corrida]:
    """Return the posted corridas of these seasons, without the `hidden` ones."""
    rows = Corrida.objects.over().filter(season__in=seasons)
    return rows.exclude(pk__in=hidden) if hidden else rows


def result_rows(keys: Iterable[int]) -> list[ResultRow]:
    """Return the list rows of these corridas in the given order. Three queries.

    Keys that no longer exist are left out.
    """
    keys = list(keys)
    rows = Corrida.objects.select_related("plaza", "feria", "cartel__ganaderia").in_bulk(keys)
    shares = _shares(keys)
    return [
        ResultRow(
            pk=key,
            date=row.date,
            plaza=row.plaza.city,
            plaza_slug=row.plaza.slug,
            category=row.plaza.category,
            feria=row.feria.name if row.feria else "",
            herd=row.cartel.ganaderia.name,
            herd_slug=row.cartel.ganaderia.slug,
            matadors=shares[key],
            ears=row.ears,
            tails=row.tails,
            indultos=row.indultos,
            hurt=row.hurt,
        )
        for key, row in ((key, rows[key]) for key in keys if key in rows)
    ]


def _shares(keys: Collection[int]) -> dict[int, list[MatadorTrophies]]:
    cut: dict[tuple[int, int], Tally] = defaultdict(Tally)
    lidias = Lidia.objects.filter(corrida__in=keys, finisher__isnull=False).order_by()
    columns = ("corrida_id", "finisher_id", "ending", "trophy", "vuelta", "avisos")
    for row in lidias.values_list(*columns, named=True):
        cut[row.corrida_id, row.finisher_id].add(row)
    shares: dict[int, list[MatadorTrophies]] = defaultdict(list)
    places = Puesto.objects.filter(cartel__in=keys).select_related("matador")
    for place in places.order_by("cartel", "order"):
        own = cut[place.cartel_id, place.matador_id]
        shares[place.cartel_id].append(
            MatadorTrophies(
                slug=place.matador.slug,
                name=place.matador.billing,
                ears=own["ears"],
                tails=own["tails"],
                hurt=place.injured_in is not None,
            )
        )
    return shares


# Injured matadors


@dataclass(frozen=True, kw_only=True)
class Patient:
    """An injured matador: where he was injured, and how long he must rest.

    `missed` are the corridas for which he was announced and is replaced. `dates` is the number of
    corridas in the calendar before he returns.
    """

    injury: Injury
    days: int
    missed: list[Puesto]
    dates: int


def patients(circuit: str, until: dt.date | None = None) -> tuple[dt.date | None, list[Patient]]:
    """Return the current day and the matadors injured on that day, those who return first
    coming first.

    The number of queries is fixed.
    """
    day = current_day(circuit, until)
    injuries = hurt(circuit, day, until)
    if day is None or not injuries:
        return day, []
    since = min(injury.since for injury in injuries)
    last = max(injury.until for injury in injuries)
    missed = _missed(injuries, since, last, until)
    coming = Corrida.objects.filter(
        season__circuit__slug=circuit,
        season__year__range=(day.year, last.year),
        date__range=(day, last),
    )
    ahead = ~Q(state__in=Corrida.OVER)
    if until:
        ahead |= Q(date__gt=until)
    days = Counter(coming.filter(ahead).values_list("date", flat=True))
    rows = [
        Patient(
            injury=injury,
            days=(injury.until - day).days + 1,
            missed=missed[injury.matador_id],
            dates=sum(count for date, count in days.items() if date <= injury.until),
        )
        for injury in injuries
    ]
    return day, sorted(
        rows, key=lambda row: (row.injury.until, sort_key(row.injury.matador.billing))
    )


def _missed(
    injuries: Collection[Injury], since: dt.date, last: dt.date, until: dt.date | None
) -> dict[int, list[Puesto]]:
    """Return the places on carteles that injured matadors miss, by the matador's key.

    A place already has a substitute, or the matador still holds it and a substitute will be chosen.
    """
    rest = {injury.matador_id: injury for injury in injuries}
    circuit = next(iter(injuries)).matador.circuit_id
    meanwhile = Corrida.objects.filter(
        season__circuit=circuit,
        season__year__range=(since.year, last.year),
        date__gt=since,
        date__lte=last,
    )
    places = Puesto.objects.filter(
        Q(instead_of__in=rest) | Q(matador__in=rest), cartel__in=meanwhile.order_by().values("pk")
    ).select_related("cartel__corrida__plaza", "matador")
    missed: dict[int, list[Puesto]] = defaultdict(list)
    for place in places.order_by("date", "pk"):
        over = place.cartel.corrida.state in Corrida.OVER
        if until and over and place.date > until:
            continue
        # A substitute can be injured too, so both matadors of a place are checked.
        for who in {place.instead_of_id} if over else {place.instead_of_id, place.matador_id}:
            injury = rest.get(who) if who else None
            if injury and injury.since < place.date <= injury.until:
                missed[injury.matador_id].append(place)
    return missed
