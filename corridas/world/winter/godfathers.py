"""Alternativas: who becomes a matador, and who stands by him."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from corridas.world.winter.outcome import Alternativa
from corridas.world.winter.year import Career
from fairness import Seed

WAITS = {1: 30, 2: 55}
"""Per cent of the novilleros who are ready after so many seasons; after more, all are."""
EVER_READY = 62
"""Who is rated so high already waits no longer."""
SENIORS = 6
"""The padrino is one of so many most senior, oftener a famous one."""
FIRST_DAYS = 3
"""The season opens with them: alternativas fall on its first days, before any other corrida."""
LEAST_AGE = 18


def is_ready(career: Career, seed: Seed) -> bool:
    """Whether a novillero takes his alternativa now."""
    if career.age < LEAST_AGE - 1:
        return False
    chance = seed.chance(f"winter/alternativa/{career.slug}")
    patient = chance.below(100) >= WAITS.get(max(1, career.seasons), 100)
    return not patient or career.card.rating >= EVER_READY


def alternativa(
    slug: str, year: int, men: Sequence[Career], plazas: Sequence[str], seed: Seed
) -> Alternativa | None:
    """The ceremony, in the first days of the year; None with fewer than two active matadors.

    `men`: those who are active by seniority, the senior first; `plazas` in a fixed order.
    """
    if len(men) < 2:
        return None
    chance = seed.chance(f"winter/padrinos/{slug}")
    padrino = chance.weighted(_fame(men[:-1][:SENIORS]))
    juniors = men[padrino + 1 :]
    testigo = juniors[chance.weighted(_fame(juniors))]
    return Alternativa(
        slug=slug,
        padrino=men[padrino].slug,
        testigo=testigo.slug,
        plaza=chance.pick(plazas) if plazas else "",
        date=dt.date(year, 1, 1 + chance.below(FIRST_DAYS)),
    )


def _fame(men: Sequence[Career]) -> list[int]:
    return [max(1, man.card.rating) for man in men]


def by_seniority(men: Sequence[Career]) -> list[Career]:
    """The most senior first: by seasons fought here, then by the day of the alternativa."""
    return sorted(
        men, key=lambda man: (-man.seasons, man.card.alternativa or dt.date.max, man.slug)
    )
