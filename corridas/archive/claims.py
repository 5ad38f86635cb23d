"""Results that a season file claims: escalafón, awards, and the season's own record book.

They are read from rows when a site writes them, and calculated from the corridas to verify them.
Matadors, herds and bulls appear by names that are the same on every site.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from api.types import JSONObject
from corridas.archive.bundle import parted
from corridas.models import Award, Bull, Corrida, Escalafon, Ganaderia, Matador, Season
from corridas.models.escalafon import COUNTERS
from corridas.season.simulation.record_book import SUMS, Summed, offer_rates, offer_sums
from corridas.season.simulation.rows import played_corridas
from corridas.world.awards import SEASON_BULLS, Prize, new, prizes
from corridas.world.deeds import CIRCUIT, PlayedCorrida, Where, shares
from corridas.world.records import BY_KEY, CAREER, Best, Claim

Entry = JSONObject
LINES_A_LINE = 1000


@dataclass(frozen=True)
class Names:
    men: Mapping[int, str]
    herds: Mapping[int, str]
    corridas: Mapping[int, Sequence[str]]
    bulls: Mapping[int, Sequence[Any]]

    @classmethod
    def of_rows(cls, season: Season) -> Names:
        """Return the names of a season. Four queries."""
        circuit = season.circuit_id
        days = Corrida.objects.filter(season=season).values_list("pk", "date", "plaza__slug")
        bulls = Bull.objects.filter(cartel__corrida__season=season)
        told = bulls.values_list("pk", "ganaderia__slug", "year", "number")
        return cls(
            men=dict(Matador.objects.filter(circuit=circuit).values_list("pk", "slug")),
            herds=dict(Ganaderia.objects.filter(circuit=circuit).values_list("pk", "slug")),
            corridas={key: [day.isoformat(), plaza] for key, day, plaza in days},
            bulls={key: list(bull) for key, *bull in told},
        )

    def moment(self, one: Claim | Prize | Award) -> Entry:
        bull, corrida = _key(one, "bull"), _key(one, "corrida")
        matador, herd = _key(one, "matador"), _key(one, "herd", "ganaderia")
        return {
            "matador": None if matador is None else self.men[matador],
            "herd": None if herd is None else self.herds[herd],
            "bull": None if bull is None else list(self.bulls[bull]),
            "corrida": None if corrida is None else list(self.corridas[corrida]),
            "turn": one.turn,
        }


def _key(one: object, *names: str) -> int | None:
    for name in names:
        for attribute in (f"{name}_id", name):
            if hasattr(one, attribute):
                found: int | None = getattr(one, attribute)
                return found
    return None


def told_claims(season: Season) -> Iterator[Entry]:
    names = Names.of_rows(season)
    yield from parted("escalafon", _escalafon(season))
    yield from parted("awards", _awards(season, names))
    corridas = played_corridas(Corrida.objects.over().filter(season=season))
    yield from parted("records", book_of(corridas, names), LINES_A_LINE)


def _escalafon(season: Season) -> Iterator[Entry]:
    rows = Escalafon.objects.filter(season=season).order_by("matador", "category")
    for slug, category, *counts in rows.values_list("matador__slug", "category", *COUNTERS):
        yield counted(slug, category, dict(zip(COUNTERS, counts, strict=True)))


def counted(slug: str, category: int, counts: Mapping[str, int]) -> Entry:
    return {"slug": slug, "category": category, **{name: counts[name] for name in COUNTERS}}


def _awards(season: Season, names: Names) -> Iterator[Entry]:
    rows = Award.objects.filter(season=season).select_related("feria")
    given = ((row.feria.slug if row.feria else "", row) for row in rows)
    for feria, row in sorted(given, key=lambda one: (one[0], one[1].key)):
        yield awarded(feria, row, row.detail, names)


def awarded(feria: str, one: Award | Prize, detail: Entry, names: Names) -> Entry:
    return {
        "feria": feria,
        "key": one.key,
        "score": one.score,
        "detail": detail,
        **names.moment(one),
    }


def judged(
    corridas: Sequence[PlayedCorrida],
    year: int,
    alternativas: Mapping[int, dt.date | None],
    names: Names,
) -> Iterator[Entry]:
    by_feria: dict[str, list[PlayedCorrida]] = defaultdict(list)
    for one in corridas:
        by_feria[one.feria].append(one)
    by_feria.pop("", None)
    courts = [("", corridas, SEASON_BULLS)] if corridas else []
    courts += [(feria, held, 1) for feria, held in by_feria.items()]
    for feria, held, least in sorted(courts, key=lambda one: one[0]):
        appeared = sorted({man for one in held for man in one.matadors})
        given = prizes(held, new(year, alternativas, appeared), least_bulls=least)
        for prize in sorted(given, key=lambda one: one.key):
            yield awarded(feria, prize, prize.detail(), names)


def book_of(corridas: Sequence[PlayedCorrida], names: Names) -> Iterator[Entry]:
    """Yield the records within the season.

    Career records depend on other seasons and are left out.
    """
    best = Best()
    for one in corridas:
        best.enter(one, names.men)
    present = summed(corridas)
    offer_sums(best, present, names.men)
    offer_rates(best, present.get((CIRCUIT, ""), ()), names.men)
    for (scope, of, key), claim in sorted(best.claims.items()):
        if BY_KEY[key].over != CAREER and claim.value >= BY_KEY[key].least:
            line = {"scope": scope, "of": of, "key": key, "value": claim.value}
            yield line | names.moment(claim)


def summed(corridas: Iterable[PlayedCorrida]) -> dict[Where, list[Summed]]:
    found: dict[Where, dict[int, list[int]]] = defaultdict(dict)
    for one in corridas:
        for man, share in shares(one).items():
            counts = [share[name] for name in SUMS]
            for where in one.places:
                held = found[where].setdefault(man, [0] * len(SUMS))
                held[:] = [had + more for had, more in zip(held, counts, strict=True)]
    return {
        where: [tuple(chain((man, 1), held, held)) for man, held in sorted(men.items())]
        for where, men in found.items()
    }
