"""Claim, play, store: a corrida out of its rows and back into them."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from corridas.engine import CorridaRecord, CorridaSetup, LidiaRecord, play_corrida
from corridas.models import Bull, Corrida, Lidia, Puesto
from corridas.simulation.records import engine_card, engine_deck
from fairness import Seed

TRIES = 3


class Played(NamedTuple):
    """A corrida with what it was played from and what came of it, rows on both sides."""

    corrida: Corrida
    puestos: Sequence[Puesto]
    bulls: Sequence[Bull]
    lidias: Sequence[Lidia]
    suspended: bool


def play_all(corridas: Sequence[Corrida]) -> Iterator[Played]:
    """Play corridas one after another; nothing is written.

    They come with `season`, `plaza` and `cartel__deck`; places and bulls are read in two queries.
    """
    keys = [corrida.pk for corrida in corridas]
    puestos = _grouped(
        Puesto.objects.filter(cartel__in=keys).select_related("card__matador").order_by("order")
    )
    bulls = _grouped(Bull.objects.filter(cartel__in=keys).order_by("place"))
    for corrida in corridas:
        yield _play(corrida, puestos[corrida.pk], bulls[corrida.pk])


def _grouped(rows: Iterable[Puesto] | Iterable[Bull]) -> dict[int | None, list[object]]:
    groups: dict[int | None, list[object]] = defaultdict(list)
    for row in rows:
        groups[row.cartel_id].append(row)
    return groups


def _play(corrida: Corrida, puestos: Sequence[Puesto], bulls: Sequence[Bull]) -> Played:
    setup = CorridaSetup(
        rules=corrida.season.engine_rules(),
        deck=engine_deck(corrida.cartel.deck),
        plaza_rating=corrida.plaza.category,
        matadors=tuple(engine_card(puesto.card) for puesto in puestos),
    )
    record = play_corrida(setup, Seed(bytes(corrida.cartel.seed)))
    lidias = [_lidia(corrida, record, lidia, puestos, bulls) for lidia in record.lidias]
    return Played(corrida, puestos, bulls, lidias, record.suspended)


def _lidia(
    corrida: Corrida,
    record: CorridaRecord,
    lidia: LidiaRecord,
    puestos: Sequence[Puesto],
    bulls: Sequence[Bull],
) -> Lidia:
    result = lidia.result
    finisher = None if result.finisher is None else puestos[result.finisher].matador_id
    return Lidia(
        corrida_id=corrida.pk,
        turn=lidia.turn + 1,
        bull=bulls[record.sorteo[lidia.turn]],
        starter_id=puestos[result.starter].matador_id,
        finisher_id=finisher,
        ending=result.ending.value,
        injured=sum(1 << order for order in result.injured),
        draws=lidia.draws,
        matador_points=result.matador_points,
        bull_points=result.bull_points,
        kill_points=result.kill_points,
        avisos=result.avisos,
        score=result.score,
        number=result.number,
        trophy=result.trophy,
        vuelta=result.vuelta,
        crowd=result.crowd,
    )


@transaction.atomic
def play_on_air(corrida_id: int, *, at: dt.datetime) -> bool:
    """Claim a queued corrida, play it and put it on air from `at`; False where it is not queued.

    One transaction: a worker that dies leaves it queued, and nobody plays it twice.
    """
    claimed = Corrida.objects.filter(pk=corrida_id, state=Corrida.State.QUEUED).update(
        state=Corrida.State.ON_AIR, on_air_at=at, attempts=F("attempts") + 1
    )
    if not claimed:
        return False
    corrida = Corrida.objects.select_related("season", "plaza", "cartel__deck").get(pk=corrida_id)
    played = next(play_all([corrida]))
    _set_clock(corrida, played.lidias, at)
    Lidia.objects.bulk_create(played.lidias)
    corrida.save(update_fields=["ends_at"])
    return True


def _set_clock(corrida: Corrida, lidias: Sequence[Lidia], start: dt.datetime) -> None:
    """When each lidia may be told, and when the whole corrida is over."""
    timeline = corrida.timeline([len(lidia.draws) for lidia in lidias])
    for lidia, end in zip(lidias, timeline.lidia_ends_ms, strict=True):
        lidia.ends_at = start + dt.timedelta(milliseconds=end)
    corrida.ends_at = start + dt.timedelta(milliseconds=timeline.length_ms)


def note_failure(corrida_id: int, error: str) -> bool:
    """Write down why a corrida could not be played; after three tries it is marked failed.

    Returns whether it is to be tried again.
    """
    with transaction.atomic():
        corrida = Corrida.objects.select_for_update().get(pk=corrida_id)
        corrida.attempts += 1
        corrida.error = error
        if corrida.attempts >= TRIES and corrida.state == Corrida.State.QUEUED:
            corrida.state = Corrida.State.FAILED
        corrida.save(update_fields=["attempts", "error", "state"])
    return corrida.state == Corrida.State.QUEUED
