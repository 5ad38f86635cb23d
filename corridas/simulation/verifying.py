"""A posted corrida held against what was promised before its first card."""

from __future__ import annotations

from corridas.engine import CorridaRecord, play_corrida
from corridas.models import Corrida, Lidia
from corridas.simulation.records import setup_of, stake_of
from fairness import Difference, Seed, verify


def check(corrida: Corrida) -> tuple[Difference, ...]:
    """What differs between promise, record and seed; nothing means that all is as promised.

    The commitment is made anew from seed and stake, the corrida played anew from the seed, and
    the cards of every lidia and its result compared with what is stored (Ruling F-2).
    """
    seed = bytes(corrida.cartel.seed)
    record = play_corrida(setup_of(corrida), Seed(seed))
    return verify(
        promised=bytes(corrida.cartel.commitment),
        seed=seed,
        stake=stake_of(corrida),
        claimed={f"lidia/{lidia.turn}": _stored(lidia) for lidia in corrida.lidias.all()},
        derived=_derived(record),
    )


def _stored(lidia: Lidia) -> tuple[object, ...]:
    figures = (lidia.matador_points, lidia.bull_points, lidia.kill_points, lidia.avisos)
    return (bytes(lidia.draws), lidia.ending, *figures, lidia.score, lidia.number, lidia.trophy)


def _derived(record: CorridaRecord) -> dict[str, tuple[object, ...]]:
    return {
        f"lidia/{lidia.turn + 1}": (
            lidia.draws,
            lidia.result.ending.value,
            lidia.result.matador_points,
            lidia.result.bull_points,
            lidia.result.kill_points,
            lidia.result.avisos,
            lidia.result.score,
            lidia.result.number,
            lidia.result.trophy,
        )
        for lidia in record.lidias
    }
