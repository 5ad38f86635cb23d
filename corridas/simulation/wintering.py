"""The winter: what a season left, played once from the seed promised for it, and written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from corridas import telling
from corridas.engine import RANGES
from corridas.engine import MatadorCard as EngineCard
from corridas.models import Circuit, Ganaderia, Matador, MatadorCard, Plaza, Season, Winter
from corridas.queries.winter import Left, left
from corridas.simulation.contracting import Fresh
from corridas.simulation.gathering import Gathered, Signed, gather
from corridas.simulation.heralding import tell_winter
from corridas.simulation.insertion import insert, update
from corridas.simulation.newspaper import news, spared
from corridas.simulation.packing import pack
from corridas.simulation.planning import calendar_of, plan
from corridas.world.winter import Alternativa, Debut, Outcome, winter
from fairness import Seed


class Pressed(NamedTuple):
    """The columns of a printed card, in the words of `models.MatadorCard`."""

    matador_id: int
    printing: int
    rating: int
    since: int
    oreja: str
    dos_orejas: str
    rabo: str
    bronca: str
    pitos: str
    silencio: str
    division: str
    aplausos: str
    ovacion: str
    vuelta: str
    aviso: str
    indulto: str


class NotOverError(RuntimeError):
    """The season is still going on, or its circuit rests; `left` says what is in the way."""

    def __init__(self, season: Season, found: Left) -> None:
        self.left = found
        super().__init__(f"{season} is not over: {found}")


@transaction.atomic
def winter_over(
    season: Season, *, at: dt.datetime, fresh: Fresh, leave_failed: bool = False
) -> Season:
    """Play the winter after a season, once, and plan the next; returns that.

    Where it has been played already nothing is done. `leave_failed`: corridas that broke down are
    left as they are. Raises `NotOverError` where something of the season is still to come, or its
    circuit is frozen or archived.
    """
    circuit = (
        Circuit.objects.select_for_update(of=("self",))
        .select_related("deck")
        .get(pk=season.circuit_id)
    )
    found = left(season)
    resting = circuit.frozen_at or circuit.archived_at
    if found.going_on or (found.failed and not leave_failed) or resting:
        raise NotOverError(season, found)
    if Winter.objects.filter(season=season, done_at=None).update(done_at=at):
        tell_winter(season, _play(season), at=at)
        telling.winter_over(season, at=at)
    return _next(circuit, season.year + 1, fresh)


def _next(circuit: Circuit, year: int, fresh: Fresh) -> Season:
    """The season of a year, planned where it is not yet."""
    known = circuit.seasons.filter(year=year).select_related("circuit__deck").first()
    return known or plan(circuit, year, calendar_of(circuit), seed=fresh(), winter=fresh())


def _play(season: Season) -> Outcome:
    """The winter of a season that is claimed; the caller holds the transaction."""
    seed = Seed(bytes(Winter.objects.values_list("seed", flat=True).get(season=season)))
    gathered = gather(season, seed)
    outcome = winter(gathered.year, seed)
    herds = dict(Ganaderia.objects.filter(circuit=season.circuit_id).values_list("slug", "name"))
    told = news(gathered, outcome, spared(season), herds)
    debuts = _sign(season, outcome)
    _print(season, gathered, outcome, debuts)
    _write_careers(season, gathered, outcome)
    _move_herds(season, outcome)
    Winter.objects.filter(season=season).update(news=told, known=pack(gathered.year))
    Season.objects.filter(pk=season.pk).update(posted_version=F("posted_version") + 1)
    return outcome


def _sign(season: Season, outcome: Outcome) -> dict[str, int]:
    """Write the new novilleros; their keys by slug."""
    signed = Matador.objects.bulk_create(_novillero(season, one) for one in outcome.debuts)
    return {matador.slug: matador.pk for matador in signed}


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


def _print(season: Season, gathered: Gathered, outcome: Outcome, debuts: Mapping[str, int]) -> None:
    """The cards of the coming season: the first of the new, the next of the others."""
    year = season.year + 1
    first = [_pressed(debuts[one.slug], 1, year, one.card) for one in outcome.debuts]
    following = [
        _pressed(gathered.signed[one.slug].pk, gathered.printing(one.slug) + 1, year, one.card)
        for one in outcome.printed
    ]
    insert(MatadorCard, [*first, *following])


def _pressed(matador: int, printing: int, since: int, card: EngineCard) -> Pressed:
    return Pressed(
        matador, printing, card.rating, since, *(str(getattr(card, name)) for name in RANGES)
    )


def _write_careers(season: Season, gathered: Gathered, outcome: Outcome) -> None:
    """States, ages, promises, seasons fought; alternativas with who stood by."""
    stopped = {one.slug for one in outcome.retired}
    back = {one.slug for one in outcome.returned}
    made = {one.slug: one for one in outcome.alternativas}
    seasons = {career.slug: career.seasons for career in gathered.year.careers}
    rows = []
    for man in gathered.signed.values():
        state = _state(man, man.slug in stopped, man.slug in back or man.slug in made)
        gone = state == Matador.State.RETIRED
        left_in = season.year if man.slug in stopped else man.retired_in if gone else None
        fought = 0 if man.slug in made else seasons[man.slug]
        rows.append((state, left_in, man.counted_from, man.promise, fought, man.pk))
    update(Matador, _CAREER, rows)
    update(Matador, _ALTERNATIVA, _alternativas(season, gathered.signed, made))


def _state(man: Signed, stops: bool, begins: bool) -> str:
    if stops:
        return Matador.State.RETIRED.value
    return Matador.State.ACTIVE.value if begins else man.state


def _alternativas(
    season: Season, signed: Mapping[str, Signed], made: Mapping[str, Alternativa]
) -> list[tuple[object, ...]]:
    cities = dict(Plaza.objects.filter(circuit=season.circuit_id).values_list("slug", "city"))
    return [
        (
            one.date,
            cities.get(one.plaza, ""),
            signed[one.padrino].pk,
            signed[one.testigo].pk,
            signed[one.slug].pk,
        )
        for one in made.values()
    ]


def _move_herds(season: Season, outcome: Outcome) -> None:
    rows = [(one.after, season.circuit_id, one.slug) for one in outcome.herds]
    update(Ganaderia, ["renown"], rows, keys=["circuit_id", "slug"])


_CAREER = ("state", "retired_in", "counted_from", "promise", "seasons")
_ALTERNATIVA = ("alternativa", "alternativa_place", "padrino_id", "testigo_id")
