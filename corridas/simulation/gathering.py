"""A year as the winter wants it, out of the rows, with a fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django.db.models import (
    Aggregate,
    Case,
    Count,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)

from corridas.engine import RANGES, Trophy
from corridas.engine import MatadorCard as EngineCard
from corridas.models import (
    Corrida,
    Escalafon,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Season,
)
from corridas.models.escalafon import COUNTERS
from corridas.simulation.records import printed_card
from corridas.world.winter import Career, HerdYear, State, Year, settle
from corridas.world.winter.leaving import COMEBACK_YEARS
from fairness import Seed


class Signed(NamedTuple):
    """A matador of a circuit as his row has him; the names are those of `models.Matador`."""

    pk: int
    slug: str
    name: str
    apodo: str
    country: str
    state: str
    counted_from: int | None
    promise: int | None
    retired_in: int | None
    seasons: int
    form: str
    alternativa: dt.date | None


class Newest(NamedTuple):
    """The newest printing of a matador's card."""

    printing: int
    card: EngineCard


@dataclass(frozen=True)
class Gathered:
    """A year, and the rows behind it: matadors by slug, their newest cards by key."""

    year: Year
    signed: dict[str, Signed]
    newest: dict[int, Newest]

    def printing(self, slug: str) -> int:
        """The number of the newest printing of a matador."""
        return self.newest[self.signed[slug].pk].printing


def gather(season: Season, seed: Seed) -> Gathered:
    """What the winter after a season has to know: seven queries.

    Who has no age or no promise here yet is given them (`world.winter.settle`), by the seed of
    this winter: a roster is settled in the first. Those retired for longer than anybody comes
    back after are not read but for their names.
    """
    everybody = list(map(Signed._make, _signed(season)))
    newest = _newest([man for man in everybody if _in_reach(man, season.year)])
    settled = [
        _settled(man, newest[man.pk], season.year, seed) for man in everybody if man.pk in newest
    ]
    year = Year(
        year=season.year,
        careers=_careers(season, settled, newest),
        herds=_herds(season),
        taken=_taken(everybody, newest),
        plazas=_plazas(season),
    )
    return Gathered(year, {man.slug: man for man in settled}, newest)


def _taken(everybody: Iterable[Signed], newest: Container[int]) -> tuple[str, ...]:
    """What nobody else may be called: apodos of all, slugs and names of who is in no career."""
    apodos = {man.apodo for man in everybody if man.apodo}
    gone = [man for man in everybody if man.pk not in newest]
    return tuple(sorted({*apodos, *(man.slug for man in gone), *(man.name for man in gone)}))


def _signed(season: Season) -> Iterable[tuple[Any, ...]]:
    rows = Matador.objects.filter(circuit=season.circuit_id).order_by("slug")
    return rows.values_list(*Signed._fields)


def _in_reach(man: Signed, year: int) -> bool:
    if man.state != Matador.State.RETIRED:
        return True
    return man.retired_in is not None and year - man.retired_in <= COMEBACK_YEARS


def _newest(men: Iterable[Signed]) -> dict[int, Newest]:
    last = MatadorCard.objects.filter(matador=OuterRef("matador")).order_by("-printing")
    names = {man.pk: (man.name, man.alternativa) for man in men}
    rows = MatadorCard.objects.filter(
        matador__in=list(names), printing=Subquery(last.values("printing")[:1])
    ).values_list("matador_id", "printing", "rating", *RANGES)
    return {
        pk: Newest(printing, printed_card(names[pk][0], rating, names[pk][1], tuple(ranges)))
        for pk, printing, rating, *ranges in rows
    }


def _settled(man: Signed, newest: Newest, year: int, seed: Seed) -> Signed:
    if man.promise is not None and man.counted_from is not None:
        return man
    begins = settle(man.slug, newest.card.rating, seed)
    return man._replace(
        promise=man.promise or begins.promise,
        counted_from=year - begins.age if man.counted_from is None else man.counted_from,
    )


def _careers(
    season: Season, men: Iterable[Signed], newest: Mapping[int, Newest]
) -> tuple[Career, ...]:
    counts, hurt = _counts(season), _hurt_days(season)
    return tuple(
        _career(man, newest[man.pk].card, season.year, counts.get(man.pk, {}), hurt.get(man.pk, 0))
        for man in men
    )


def _career(
    man: Signed, card: EngineCard, year: int, counts: Mapping[str, int], hurt_days: int
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


def _counts(season: Season) -> dict[int, dict[str, int]]:
    """The counters of a season by matador, all categories of plaza together."""
    rows = Escalafon.objects.filter(season=season).values_list("matador_id")
    summed = rows.annotate(**{f"all_{name}": Sum(name) for name in COUNTERS})
    return {pk: dict(zip(COUNTERS, counts, strict=True)) for pk, *counts in summed}


def _hurt_days(season: Season) -> dict[int, int]:
    """Days of rest ordered in a season, first and last counted, by matador."""
    days: dict[int, int] = {}
    rows = Injury.objects.filter(corrida__season=season, corrida__state__in=Corrida.OVER)
    for matador, since, until in rows.values_list("matador_id", "since", "until"):
        days[matador] = days.get(matador, 0) + (until - since).days + 1
    return days


_EARS = Case(
    *(When(trophy=trophy, then=Value(trophy.ears)) for trophy in Trophy if trophy),
    default=Value(0),
    output_field=IntegerField(),
)


def _herds(season: Season) -> tuple[HerdYear, ...]:
    """Every herd that sends bulls, with what those of the year brought."""
    lidias = Lidia.objects.filter(corrida__season=season, corrida__state__in=Corrida.OVER)
    rows = lidias.order_by().values_list("corrida__cartel__ganaderia_id")
    brought = {herd: tuple(counts) for herd, *counts in rows.annotate(**_BROUGHT)}
    herds = Ganaderia.objects.filter(circuit=season.circuit_id, archived_at__isnull=True)
    known = herds.order_by("renown", "slug").values_list("pk", *_HERD)
    nothing = (0,) * len(_BROUGHT)
    names = (*_HERD, *_BROUGHT)
    return tuple(
        HerdYear(**dict(zip(names, (*told, *brought.get(pk, nothing)), strict=True)))
        for pk, *told in known
    )


_HERD = ("slug", "country", "continent", "renown")
_BROUGHT: dict[str, Aggregate] = {
    "bulls": Count("pk"),
    "ears": Sum(_EARS),
    "indultos": Count("pk", filter=Q(ending=Lidia.Ending.SPARED)),
    "vueltas": Count("pk", filter=Q(vuelta=True)),
    "three_avisos": Count("pk", filter=Q(ending=Lidia.Ending.THREE_AVISOS)),
}


def _plazas(season: Season) -> tuple[str, ...]:
    rows = Plaza.objects.filter(circuit=season.circuit_id, category=1, archived_at__isnull=True)
    return tuple(rows.order_by("slug").values_list("slug", flat=True))
