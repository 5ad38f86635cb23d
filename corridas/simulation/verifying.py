"""A posted corrida held against what was promised before its first card."""

from __future__ import annotations

from collections.abc import Sequence

from corridas.engine import CorridaRecord, LidiaRecord, play_corrida
from corridas.models import Corrida, Lidia
from corridas.simulation.records import places_of, setup_of, stake_of
from fairness import Difference, Seed, verify


def check(corrida: Corrida) -> tuple[Difference, ...]:
    """What differs between promise, record and seed; nothing means that all is as promised.

    The commitment is made anew from seed and stake, the corrida played anew from the seed, and
    of every lidia the bull, who fought it, the cards and the result are compared with what is
    stored (Ruling F-2).
    """
    seed = bytes(corrida.cartel.seed)
    record = play_corrida(setup_of(corrida), Seed(seed))
    order = [place.matador_id for place in places_of([corrida.pk])[corrida.pk]]
    lidias = corrida.lidias.select_related("bull")
    return verify(
        promised=bytes(corrida.cartel.commitment),
        seed=seed,
        stake=stake_of(corrida),
        claimed={f"lidia/{lidia.turn}": _stored(lidia) for lidia in lidias},
        derived=_derived(record, order),
    )


def _stored(lidia: Lidia) -> tuple[object, ...]:
    who = (lidia.bull.place, lidia.starter_id, lidia.finisher_id, lidia.injured)
    points = (lidia.matador_points, lidia.bull_points, lidia.kill_points, lidia.avisos)
    told = (lidia.score, lidia.number, lidia.trophy, lidia.vuelta, lidia.crowd)
    return (*who, bytes(lidia.draws), lidia.ending, *points, *told)


def _derived(record: CorridaRecord, order: Sequence[int]) -> dict[str, tuple[object, ...]]:
    return {
        f"lidia/{lidia.turn + 1}": _played(lidia, record.sorteo[lidia.turn], order)
        for lidia in record.lidias
    }


def _played(lidia: LidiaRecord, bull: int, order: Sequence[int]) -> tuple[object, ...]:
    """A lidia in the words of its row: matadors by their keys, the bull by its place."""
    result = lidia.result
    finisher = None if result.finisher is None else order[result.finisher]
    injured = sum(1 << place for place in result.injured)
    who = (bull, order[result.starter], finisher, injured)
    points = (result.matador_points, result.bull_points, result.kill_points, result.avisos)
    told = (result.score, result.number, result.trophy, result.vuelta, result.crowd)
    return (*who, lidia.draws, result.ending.value, *points, *told)
