"""Plays single corridas and stores their results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from corridas.engine import CorridaSetup, Rules, play_corrida
from corridas.models import Corrida
from corridas.simulation.emit import emit_on_air
from corridas.simulation.houses import house_on_air
from corridas.simulation.insertion import LidiaRow, insert_lidias
from corridas.simulation.rows import (
    AnnouncedCorrida,
    NewCartel,
    PuestoCard,
    announced_corridas,
    bulls_of,
    engine_deck,
    places_of,
)
from corridas.world.deeds import PlayedCorrida
from fairness import Seed

TRIES = 3


class Batch:
    """Corridas with their matadors and bulls, loaded in three queries.

    Corridas without a cartel (announced matadors and bulls) are left out.
    """

    def __init__(self, corridas: Collection[int]) -> None:
        self.corridas = {corrida.pk: corrida for corrida in announced_corridas(corridas)}
        self._places = places_of(corridas)
        self._bulls = bulls_of(corridas)

    def names_any(self, key: int, is_resting: Callable[[int, dt.date], bool]) -> bool:
        date = self.corridas[key].date
        return any(is_resting(place.matador_id, date) for place in self._places[key])

    def places(self, key: int) -> list[PuestoCard]:
        return self._places[key]

    def change(self, carteles: Mapping[int, NewCartel | None]) -> None:
        """Replace the carteles (posters) of corridas that have changed.

        None stands for a deleted cartel.
        """
        for key in carteles.keys() & self.corridas.keys():
            reprint = carteles[key]
            if reprint is None:
                del self.corridas[key]
            else:
                self.corridas[key] = self.corridas[key]._replace(seed=reprint.seed)
                self._places[key] = reprint.places

    def play(self, rules: Rules, key: int) -> PlayedCorrida:
        return play(rules, self.corridas[key], self._places[key], self._bulls[key])


def play(
    rules: Rules, corrida: AnnouncedCorrida, places: Sequence[PuestoCard], bulls: Sequence[int]
) -> PlayedCorrida:
    """Play a corrida with the seed of its cartel (bill). Nothing is written to the database."""
    setup = CorridaSetup(
        rules=rules,
        deck=engine_deck(corrida.deck),
        plaza_rating=corrida.category,
        matadors=tuple(place.card for place in places),
    )
    record = play_corrida(setup, Seed(corrida.seed))
    men = tuple(place.matador_id for place in places)
    lidias = [
        LidiaRow.of(corrida.pk, turn, draws, result, men=men, bull=bulls[record.sorteo[turn]])
        for turn, draws, _events, result in record.lidias
    ]
    return PlayedCorrida(
        pk=corrida.pk,
        date=corrida.date,
        plaza=corrida.plaza,
        category=corrida.category,
        feria=corrida.feria,
        herd=corrida.herd,
        herd_key=corrida.herd_key,
        matadors=men,
        lidias=tuple(lidias),
        suspended=record.suspended,
        seed=corrida.seed,
    )


@transaction.atomic
def play_on_air(corrida_id: int, *, at: dt.datetime) -> bool:
    """Play a queued corrida and start its broadcast at the time `at`.

    Returns False if the corrida is not queued. Everything happens in one transaction: if a worker
    dies, the corrida is still queued, and it is never played twice.
    """
    claimed = Corrida.objects.filter(pk=corrida_id, state=Corrida.State.QUEUED).update(
        state=Corrida.State.ON_AIR, on_air_at=at, attempts=F("attempts") + 1
    )
    if not claimed:
        return False
    corrida = Corrida.objects.select_related("season", "plaza").get(pk=corrida_id)
    batch = Batch([corrida_id])
    house = house_on_air(corrida.season, batch.corridas[corrida_id], batch.places(corrida_id))
    if house is not None:
        corrida.house, corrida.turnout = house
    played = batch.play(corrida.season.engine_rules(), corrida_id)
    insert_lidias(_set_clock(corrida, played, at))
    corrida.save(update_fields=["ends_at", "house", "turnout"])
    emit_on_air(corrida, played.matadors, at=at)
    return True


def _set_clock(corrida: Corrida, played: PlayedCorrida, start: dt.datetime) -> list[LidiaRow]:
    lidias: Sequence[Any] = played.lidias
    timeline = corrida.timeline([len(lidia.draws) for lidia in lidias])
    corrida.ends_at = start + dt.timedelta(milliseconds=timeline.length_ms)
    ends = [start + dt.timedelta(milliseconds=end) for end in timeline.lidia_ends_ms]
    return [lidia._replace(ends_at=end) for lidia, end in zip(lidias, ends, strict=True)]


def note_failure(corrida_id: int, error: str, *, lasting: bool = False) -> bool:
    """Store the message (see `breakdowns`) that says why a corrida could not be played.

    After three attempts the corrida is marked as failed; after a `lasting` error at once. Returns
    whether to try again.
    """
    with transaction.atomic():
        corrida = Corrida.objects.select_for_update().get(pk=corrida_id)
        corrida.attempts += 1
        corrida.error = error
        if (lasting or corrida.attempts >= TRIES) and corrida.state == Corrida.State.QUEUED:
            corrida.state = Corrida.State.FAILED
        corrida.save(update_fields=["attempts", "error", "state"])
    return corrida.state == Corrida.State.QUEUED
