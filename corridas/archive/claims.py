"""Results that a season file claims: ranking, awards, and the records of the season itself.

A site that writes a file reads them from the database. A site that verifies a file calculates them
from the corridas. Matadors, herds and bulls have names that are the same on every site.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from api.types import JSONObject
from corridas.archive.bundle import parted
from corridas.models import Award, Bull, Corrida, Escalafon, Ganaderia, Matador, Season
from corridas.models.escalafon import COUNTERS
from corridas.simulation.record_book import SUMS, Summed, offer_rates, offer_sums
from corridas.simulation.rows import played_corridas
from corridas.world.awards import SEASON_BULLS, Prize, new, prizes
from corridas.world.deeds import CIRCUIT, PlayedCorrida, Where, shares
from corridas.world.records import BY_KEY, CAREER, BestClaims, Claim

Entry = JSONObject
LINES_A_LINE = 1000


@dataclass(frozen=True)
class Names:
    men: Mapping[int, str]
    herds: Mapping[int, str]
    corridas: Mapping[int, Sequence[str]]
    bulls: Mapping[int, Sequence[object]]

    @classmethod
    def of_rows(cls, season: Season) -> Names:
        """Return names that identify the matadors, herds, bulls and corridas of a season on every
        site.

        Primary keys cannot be used, because they differ between sites. Four queries.
        """
        circuit = season.circuit_id
        days = Corrida.objects.filter(season=season).values_list("pk", "date", "plaza__slug")
        bulls = Bull.objects.filter(cartel__corrida__season=season)
        rows = bulls.values_list("pk", "ganaderia__slug", "year", "number")
        return cls(
            men=dict(Matador.objects.filter(circuit=circuit).values_list("pk", "slug")),
            herds=dict(Ganaderia.objects.filter(circuit=circuit).values_list("pk", "slug")),
            corridas={key: [day.isoformat(), plaza] for key, day, plaza in days},
            bulls={key: list(bull) for key, *bull in rows},
        )

    def moment(self, row: Claim | Prize | Award) -> Entry:
        bull, corrida = _key(row, "bull"), _key(row, "corrida")
        matador, herd = _key(row, "matador"), _key(row, "herd", "ganaderia")
        return {
            "matador": None if matador is None else self.men[matador],
            "herd": None if herd is None else self.herds[herd],
            "bull": None if bull is None else list(self.bulls[bull]),
            "corrida": None if corrida is None else list(self.corridas[corrida]),
            "turn": row.turn,
        }


def _key(row: object, *names: str) -> int | None:
    for name in names:
        for attribute in (f"{name}_id", name):
            if hasattr(row, attribute):
                key: int | None = getattr(row, attribute)
                return key
    return None


def stored_claims(season: Season) -> Iterator[Entry]:
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
    for feria, row in sorted(given, key=lambda pair: (pair[0], pair[1].key)):
        yield awarded(feria, row, row.detail, names)


def awarded(feria: str, award: Award | Prize, detail: Entry, names: Names) -> Entry:
    return {
        "feria": feria,
        "key": award.key,
        "score": award.score,
        "detail": detail,
        **names.moment(award),
    }


def judged(
    corridas: Sequence[PlayedCorrida],
    year: int,
    alternativas: Mapping[int, dt.date | None],
    names: Names,
    version: int,
) -> Iterator[Entry]:
    by_feria: dict[str, list[PlayedCorrida]] = defaultdict(list)
    for afternoon in corridas:
        by_feria[afternoon.feria].append(afternoon)
    by_feria.pop("", None)
    courts = [("", corridas, SEASON_BULLS)] if corridas else []
    courts += [(feria, held, 1) for feria, held in by_feria.items()]
    for feria, held, least in sorted(courts, key=lambda afternoon: afternoon[0]):
        appeared = sorted({man for afternoon in held for man in afternoon.matadors})
        fresh = new(year, alternativas, appeared, version=version)
        given = prizes(held, fresh, least_bulls=least)
        for prize in sorted(given, key=lambda afternoon: afternoon.key):
            yield awarded(feria, prize, prize.detail(), names)


def book_of(corridas: Sequence[PlayedCorrida], names: Names) -> Iterator[Entry]:
    """Yield the records set within a season.

    Records of careers are left out, because they depend on other seasons.
    """
    best = BestClaims()
    for afternoon in corridas:
        best.enter(afternoon, names.men)
    present = summed(corridas)
    offer_sums(best, present, names.men)
    offer_rates(best, present.get((CIRCUIT, ""), ()), names.men)
    for (scope, of, key), claim in sorted(best.claims.items()):
        if BY_KEY[key].over != CAREER and claim.value >= BY_KEY[key].least:
            line = {"scope": scope, "of": of, "key": key, "value": claim.value}
            yield line | names.moment(claim)


def summed(corridas: Iterable[PlayedCorrida]) -> dict[Where, list[Summed]]:
    totals: dict[Where, dict[int, list[int]]] = defaultdict(dict)
    for afternoon in corridas:
        for man, share in shares(afternoon).items():
            counts = [share[name] for name in SUMS]
            for where in afternoon.places:
                held = totals[where].setdefault(man, [0] * len(SUMS))
                held[:] = [had + more for had, more in zip(held, counts, strict=True)]
    return {
        where: [tuple(chain((man, 1), held, held)) for man, held in sorted(men.items())]
        for where, men in totals.items()
    }
