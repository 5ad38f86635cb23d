"""Plays the winter after a season: loads the year, applies the rules, and stores the changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django.db import transaction
from django.db.models import (
    Aggregate,
    Case,
    Count,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)

from corridas.bulk import bulk_update
from corridas.card_chances import fill_chances
from corridas.engine import RANGES, Trophy
from corridas.engine import MatadorCard as EngineCard
from corridas.models import (
    Circuit,
    Corrida,
    Escalafon,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Season,
    Winter,
)
from corridas.models.escalafon import COUNTERS
from corridas.models.winters import NewsItem, NewsName
from corridas.search_index import index_matadors
from corridas.simulation.draw import SeedFactory, announce_alternativas, spared_bulls
from corridas.simulation.emit import emit_winter
from corridas.simulation.namesakes import tell_apart
from corridas.simulation.packed_year import pack
from corridas.simulation.rows import printed_card
from corridas.simulation.schedule import calendar_of, plan
from corridas.simulation.winter_queries import UnfinishedCorridas, left_in_season
from corridas.world.calendar import dates
from corridas.world.names import display_name
from corridas.world.roster import CARDS_VERSION
from corridas.world.winter import (
    Alternativa,
    Career,
    Debut,
    HerdYear,
    OpenDate,
    Outcome,
    State,
    Year,
    draw_beginning,
    standing_after,
    winter,
    with_new_cards,
)
from corridas.world.winter.leaving import COMEBACK_YEARS
from fairness import Seed


class Newest(NamedTuple):
    printing: int
    card: EngineCard


@dataclass(frozen=True)
class Gathered:
    """The input of a winter with related rows: matadors by slug, and their newest cards by key."""

    year: Year
    signed: dict[str, Matador]
    newest: dict[int, Newest]

    def printing(self, slug: str) -> int:
        return self.newest[self.signed[slug].pk].printing


def gather_year(season: Season, seed: Seed, version: int = 1) -> Gathered:
    """Load the input of the winter after a season. Seven queries, nine from version 2 on.

    Matadors without an age or a potential get them from the winter's seed (`world.winter.settle`),
    so this happens in the first winter of a new roster. Of matadors who retired too long ago to
    return, only the names are read.
    """
    everybody = list(Matador.objects.filter(circuit=season.circuit_id).order_by("slug"))
    newest = _newest([man for man in everybody if _in_reach(man, season.year)])
    settled = [
        _settled(man, newest[man.pk], season.year, seed) for man in everybody if man.pk in newest
    ]
    calendar = _open_dates(season) if version > 1 else ()
    year = Year(
        year=season.year,
        careers=_careers(season, settled, newest),
        herds=_herds_of_year(season),
        taken=_names_in_use(everybody, newest),
        plazas=_places_of_alternativas(season, version, calendar),
        version=version,
        calendar=calendar,
    )
    return Gathered(year, {man.slug: man for man in settled}, newest)


def closing_careers(season: Season, seed: Seed) -> list[tuple[Matador, Career]]:
    """Return the active matadors as the winter after the season will see them.

    Nothing is written, and no retirement is drawn. `seed` is the winter's seed. Four queries.
    """
    active = Matador.objects.filter(circuit=season.circuit_id, state=Matador.State.ACTIVE)
    men = list(active.order_by("slug"))
    newest = _newest(men)
    settled = [_settled(man, newest[man.pk], season.year, seed) for man in men if man.pk in newest]
    return list(zip(settled, _careers(season, settled, newest), strict=True))


def _places_of_alternativas(
    season: Season, version: int, calendar: Iterable[OpenDate]
) -> tuple[str, ...]:
    if version > 1:
        return tuple(sorted({place.plaza for place in calendar}))
    plazas = Plaza.objects.filter(circuit=season.circuit_id, category=1, archived_at__isnull=True)
    return tuple(plazas.order_by("slug").values_list("slug", flat=True))


def _open_dates(season: Season) -> tuple[OpenDate, ...]:
    """Return the corridas of the coming season that have no matadors yet. Three queries at most.

    Usually the season does not exist yet, and the dates are calculated from the calendar.
    """
    year, circuit = season.year + 1, season.circuit
    fields = ("date", "plaza__slug", "plaza__category", "plaza__country")
    planned = Corrida.objects.filter(season__circuit=circuit, season__year=year)
    if planned.exists():
        waiting = planned.filter(state=Corrida.State.ANNOUNCED, cartel=None)
        rows: Any = waiting.order_by("date", "plaza__slug").values_list(*fields)
        return tuple(OpenDate(*row) for row in rows)
    plazas = Plaza.objects.filter(circuit=circuit).values_list("slug", "category", "country")
    about = {slug: (category, country) for slug, category, country in plazas}
    return tuple(
        OpenDate(corrida.date, corrida.plaza, *about[corrida.plaza])
        for corrida in dates(calendar_of(circuit), year)
    )


def _names_in_use(everybody: Iterable[Matador], newest: Container[int]) -> tuple[str, ...]:
    # Names and slugs that a new matador must not get. Those of matadors with a career are not
    # included, because the careers contain them.
    apodos = {man.apodo for man in everybody if man.apodo}
    gone = [man for man in everybody if man.pk not in newest]
    return tuple(sorted({*apodos, *(man.slug for man in gone), *(man.name for man in gone)}))


def _in_reach(man: Matador, year: int) -> bool:
    if man.state != Matador.State.RETIRED:
        return True
    return man.retired_in is not None and year - man.retired_in <= COMEBACK_YEARS


def _newest(men: Iterable[Matador]) -> dict[int, Newest]:
    last = MatadorCard.objects.filter(matador=OuterRef("matador")).order_by("-printing")
    by_key = {man.pk: man for man in men}
    rows = MatadorCard.objects.filter(
        matador__in=list(by_key), printing=Subquery(last.values("printing")[:1])
    ).values_list("matador_id", "printing", "rating", *RANGES)
    newest = {}
    for pk, printing, rating, *ranges in rows:
        man = by_key[pk]
        card = printed_card(man.slug, man.name, rating, man.alternativa, tuple(ranges))
        newest[pk] = Newest(printing, card)
    return newest


def _settled(man: Matador, newest: Newest, year: int, seed: Seed) -> Matador:
    if man.promise is None or man.counted_from is None:
        begins = draw_beginning(man.slug, newest.card.rating, seed)
        man.promise = man.promise or begins.promise
        if man.counted_from is None:
            man.counted_from = year - begins.age
    return man


def _careers(
    season: Season, men: Iterable[Matador], newest: Mapping[int, Newest]
) -> tuple[Career, ...]:
    rows = Escalafon.objects.filter(season=season).values_list("matador_id")
    summed = rows.annotate(**{f"all_{name}": Sum(name) for name in COUNTERS})
    counts = {pk: dict(zip(COUNTERS, sums, strict=True)) for pk, *sums in summed}
    hurt = _hurt_days(season)
    return tuple(
        _career(man, newest[man.pk].card, season.year, counts.get(man.pk, {}), hurt.get(man.pk, 0))
        for man in men
    )


def _career(
    man: Matador, card: EngineCard, year: int, counts: Mapping[str, int], hurt_days: int
) -> Career:
    fought = man.state == Matador.State.NOVILLERO or counts.get("corridas", 0) > 0
    return Career(
        slug=man.slug,
        name=man.name,
        country=man.country,
        age=year - (man.counted_from or year),
        state=cast("State", man.state),
        promise=man.promise or card.rating,
        seasons=man.seasons + fought,
        card=card,
        retired_for=0 if man.retired_in is None else year - man.retired_in,
        counts=counts,
        hurt_days=hurt_days,
        form=man.form,
    )


def _hurt_days(season: Season) -> dict[int, int]:
    days: dict[int, int] = {}
    rows = Injury.objects.filter(corrida__season=season, corrida__state__in=Corrida.OVER)
    for matador, since, until in rows.values_list("matador_id", "since", "until"):
        days[matador] = days.get(matador, 0) + (until - since).days + 1  # both included
    return days


_EARS = Case(
    *(When(trophy=trophy, then=Value(trophy.ears)) for trophy in Trophy if trophy),
    default=Value(0),
    output_field=IntegerField(),
)


def _herds_of_year(season: Season) -> tuple[HerdYear, ...]:
    lidias = Lidia.objects.filter(corrida__season=season, corrida__state__in=Corrida.OVER)
    rows = lidias.order_by().values_list("corrida__cartel__ganaderia_id")
    brought = {herd: tuple(counts) for herd, *counts in rows.annotate(**_BROUGHT)}
    herds = Ganaderia.objects.filter(circuit=season.circuit_id, archived_at__isnull=True)
    known = herds.order_by("renown", "slug").values_list("pk", *_HERD)
    nothing = (0,) * len(_BROUGHT)
    names = (*_HERD, *_BROUGHT)
    return tuple(
        HerdYear(**dict(zip(names, (*herd_counts, *brought.get(pk, nothing)), strict=True)))
        for pk, *herd_counts in known
    )


_HERD = ("slug", "country", "continent", "renown")
_BROUGHT: dict[str, Aggregate] = {
    "bulls": Count("pk"),
    "ears": Sum(_EARS),
    "indultos": Count("pk", filter=Q(ending=Lidia.Ending.SPARED)),
    "vueltas": Count("pk", filter=Q(vuelta=True)),
    "three_avisos": Count("pk", filter=Q(ending=Lidia.Ending.THREE_AVISOS)),
}


def news(
    gathered: Gathered, outcome: Outcome, bulls: Sequence[NewsItem], herds: Mapping[str, str]
) -> list[NewsItem]:
    """Return the news of a winter.

    `bulls` are the news of bulls spared in the season. `herds` are names by slug.
    """
    names = {slug: display_name(man.name, man.apodo) for slug, man in gathered.signed.items()}
    names |= {debut.slug: display_name(debut.name, debut.apodo) for debut in outcome.debuts}
    return [
        *_departure_news(outcome, names),
        *_alternativa_news(outcome, names),
        *_debut_news(outcome),
        *_card_news(gathered, outcome, names),
        *_herd_news(outcome, herds),
        *bulls,
    ]


def _name(slug: str, names: Mapping[str, str]) -> NewsName:
    return {"slug": slug, "name": names[slug]}


def _departure_news(outcome: Outcome, names: Mapping[str, str]) -> Iterator[NewsItem]:
    for retired in outcome.retired:
        yield {
            "kind": "retired",
            "slug": retired.slug,
            "name": names[retired.slug],
            "why": retired.why.value,
        }
    for returned in outcome.returned:
        yield {"kind": "returned", "slug": returned.slug, "name": names[returned.slug]}


def _alternativa_news(outcome: Outcome, names: Mapping[str, str]) -> Iterator[NewsItem]:
    for alternativa in outcome.alternativas:
        yield {
            "kind": "alternativa",
            "slug": alternativa.slug,
            "name": names[alternativa.slug],
            "padrino": _name(alternativa.padrino, names),
            "testigo": _name(alternativa.testigo, names),
            "plaza": alternativa.plaza,
            "date": alternativa.date.isoformat(),
        }


def _debut_news(outcome: Outcome) -> Iterator[NewsItem]:
    for debut in outcome.debuts:
        yield {
            "kind": "debut",
            "slug": debut.slug,
            "name": display_name(debut.name, debut.apodo),
            "country": debut.country,
            "birthplace": debut.birthplace,
            "age": debut.age,
        }


def _card_news(
    gathered: Gathered, outcome: Outcome, names: Mapping[str, str]
) -> Iterator[NewsItem]:
    moved = [change for change in outcome.printed if change.card.rating != change.before]
    moved.sort(
        key=lambda change: (
            -abs(change.card.rating - change.before),
            -change.card.rating,
            change.slug,
        )
    )
    for change in moved:
        yield {
            "kind": "card",
            "slug": change.slug,
            "name": names[change.slug],
            "before": change.before,
            "after": change.card.rating,
            "printing": gathered.printing(change.slug) + 1,
        }


def _herd_news(outcome: Outcome, herds: Mapping[str, str]) -> Iterator[NewsItem]:
    moved = sorted(outcome.herds, key=lambda change: (change.after - change.before, change.after))
    for change in moved:
        yield {
            "kind": "herd",
            "slug": change.slug,
            "name": herds[change.slug],
            "before": change.before,
            "after": change.after,
        }


def spared(season: Season) -> list[NewsItem]:
    """Return news of the bulls spared in a season, which will now have sons. One query."""
    rows = spared_bulls(season, season.year, season.year).order_by("ganaderia__renown", "number")
    fields = ("pk", "name", "number", "ganaderia__slug", "ganaderia__name")
    return [
        {
            "kind": "sire",
            "bull": pk,
            "name": name,
            "number": number,
            "herd": {"slug": slug, "name": herd},
        }
        for pk, name, number, slug, herd in rows.values_list(*fields)
    ]


# Called in the same transaction when a winter has been played. The argument is its season.
OnWinter = Callable[[Season, dt.datetime], None]


class NotOverError(RuntimeError):
    """The winter cannot be played yet: its season is not over, or the circuit is frozen.

    `left` says how many corridas are left.
    """

    def __init__(self, season: Season, left: UnfinishedCorridas) -> None:
        self.left = left
        super().__init__(f"{season} is not over: {left}")


@transaction.atomic
def winter_over(
    season: Season,
    *,
    at: dt.datetime,
    fresh: SeedFactory,
    on_winter: OnWinter,
    leave_failed: bool = False,
) -> Season:
    """Play the winter after a season, plan the next season, and return that season.

    A winter is never played twice; `on_winter` is only called when it is played. With
    `leave_failed`, failed corridas do not delay the winter. Raises `NotOverError` if the season is
    not over, or its circuit is frozen or archived.
    """
    circuit = (
        Circuit.objects.select_for_update(of=("self",))
        .select_related("deck")
        .get(pk=season.circuit_id)
    )
    left = left_in_season(season)
    resting = circuit.frozen_at or circuit.archived_at
    if left.going_on or (left.failed and not leave_failed) or resting:
        raise NotOverError(season, left)
    if Winter.objects.filter(season=season, done_at=None).update(done_at=at):
        emit_winter(season, _play(season, circuit), at=at)
        on_winter(season, at)
    year = season.year + 1
    following = circuit.seasons.filter(year=year).select_related("circuit__deck").first()
    if following is None:
        following = plan(circuit, year, calendar_of(circuit), seed=fresh(), winter=fresh())
    announce_alternativas(following, fresh=fresh, at=at)
    return following


def _play(season: Season, circuit: Circuit) -> Outcome:
    row = Winter.objects.only("seed", "version", "new_cards_at").get(season=season)
    seed = Seed(bytes(row.seed))
    gathered = gather_year(season, seed, row.version)
    outcome = winter(gathered.year, seed)
    if row.new_cards_at:
        outcome = with_new_cards(gathered.year, outcome)
        circuit.cards_version = CARDS_VERSION
        circuit.save(update_fields=["cards_version"])
    herds = dict(Ganaderia.objects.filter(circuit=season.circuit_id).values_list("slug", "name"))
    items = news(gathered, outcome, spared(season), herds)
    signed = Matador.objects.bulk_create(_novillero(season, debut) for debut in outcome.debuts)
    _print(season, circuit, gathered, outcome, {matador.slug: matador.pk for matador in signed})
    index_matadors([matador.pk for matador in signed])
    _write_careers(season, gathered, outcome)
    tell_apart(season.circuit_id)
    ranks = [(herd.after, season.circuit_id, herd.slug) for herd in outcome.herds]
    bulk_update(Ganaderia, ["renown"], ranks, keys=["circuit_id", "slug"])
    Winter.objects.filter(season=season).update(news=items, known=pack(gathered.year))
    Season.objects.filter(pk=season.pk).update(posted_version=F("posted_version") + 1)
    return outcome


def _novillero(season: Season, debut: Debut) -> Matador:
    return Matador(
        circuit_id=season.circuit_id,
        slug=debut.slug,
        name=debut.name,
        apodo=debut.apodo,
        country=debut.country,
        birthplace=debut.birthplace,
        born=debut.born.isoformat(),
        style=debut.style,
        state=Matador.State.NOVILLERO,
        counted_from=season.year - debut.age,
        promise=debut.promise,
        fictional=True,
    )


def _print(
    season: Season,
    circuit: Circuit,
    gathered: Gathered,
    outcome: Outcome,
    debuts: Mapping[str, int],
) -> None:
    cards = [(debuts[debut.slug], 1, debut.card) for debut in outcome.debuts]
    cards += [
        (gathered.signed[change.slug].pk, gathered.printing(change.slug) + 1, change.card)
        for change in outcome.printed
    ]
    printed = (
        MatadorCard(
            matador_id=matador,
            printing=printing,
            rating=card.rating,
            since=season.year + 1,
            **card.ranges(),
        )
        for matador, printing, card in cards
    )
    # The season's own circuit may have been read before the lock, with another deck or rules.
    MatadorCard.objects.bulk_create(fill_chances(circuit, printed))


def _write_careers(season: Season, gathered: Gathered, outcome: Outcome) -> None:
    stopped = {retired.slug for retired in outcome.retired}
    back = {returned.slug for returned in outcome.returned}
    made = {alternativa.slug: alternativa for alternativa in outcome.alternativas}
    rows = []
    for career in gathered.year.careers:
        man = gathered.signed[career.slug]
        state, retired_in, seasons = standing_after(
            season.year,
            career.state,
            career.retired_for,
            career.seasons,
            retires=man.slug in stopped,
            returns=man.slug in back,
            alternativa=man.slug in made,
        )
        rows.append((state, retired_in, man.counted_from, man.promise, seasons, man.pk))
    bulk_update(Matador, _CAREER, rows)
    bulk_update(Matador, _ALTERNATIVA, _alternativas(season, gathered.signed, made))


def _alternativas(
    season: Season, signed: Mapping[str, Matador], made: Mapping[str, Alternativa]
) -> list[tuple[object, ...]]:
    cities = dict(Plaza.objects.filter(circuit=season.circuit_id).values_list("slug", "city"))
    return [
        (
            ceremony.date,
            cities.get(ceremony.plaza, ""),
            signed[ceremony.padrino].pk,
            signed[ceremony.testigo].pk,
            signed[ceremony.slug].pk,
        )
        for ceremony in made.values()
    ]


_CAREER = ("state", "retired_in", "counted_from", "promise", "seasons")
_ALTERNATIVA = ("alternativa", "alternativa_place", "padrino_id", "testigo_id")
