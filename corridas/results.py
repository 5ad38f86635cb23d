"""Results of corridas by matador, as far as they may be shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from core.names.text import sort_key
from corridas.models import Corrida, Lidia, Puesto
from corridas.world.names import display_name


@dataclass(frozen=True, kw_only=True)
class BullResult:
    """The result of a bull: its turn (1-6), the matadors who fought it, and what they won.

    `injured` is a bit mask: 1, 2 and 4 for the first, second and third matador in the order of
    appearance.
    """

    turn: int
    name: str
    pk: int
    starter: int
    finisher: int | None
    verdict: str | None
    vuelta: bool
    spared: bool
    three_avisos: bool
    avisos: int
    injured: int
    score: int | None

    @property
    def broken_off(self) -> bool:
        """True if no matador was able to finish the bull (Ruling I-16)."""
        return self.finisher is None


@dataclass(frozen=True, kw_only=True)
class MatadorResult:
    matador: int
    slug: str
    name: str
    bulls: tuple[BullResult, ...] = ()
    hurt: bool = False


@dataclass(frozen=True, kw_only=True)
class ListedCorrida:
    """The values that a list shows of a corrida. `feria` is empty outside ferias.

    `house` is a key of `labels.HOUSES`, empty if the corrida has no house.

    It contains no model instances, because these compare equal if only their keys are equal. Rows
    with equal values have the same HTML, so it can be cached for all users.
    """

    pk: int
    date: date
    state: str
    city: str
    plaza: str
    feria: str
    shares: tuple[MatadorResult, ...]
    house: str
    hidden: bool


@dataclass(kw_only=True)
class CorridaResult:
    """A corrida with its matadors and the results that may be shown.

    If `hidden` is true, no results are shown.
    """

    corrida: Corrida
    shares: list[MatadorResult]
    bulls: list[BullResult]
    hidden: bool = False

    @property
    def row(self) -> ListedCorrida:
        corrida = self.corrida
        return ListedCorrida(
            pk=corrida.pk,
            date=corrida.date,
            state=corrida.state,
            city=corrida.plaza.city,
            plaza=corrida.plaza.name,
            feria=corrida.feria.name if corrida.feria else "",
            shares=tuple(self.shares),
            house=corrida.house_word,
            hidden=self.hidden,
        )


def afternoons(
    corridas: Collection[Corrida], at: datetime, *, hidden: Collection[int] = ()
) -> list[CorridaResult]:
    """Return matadors and results of these corridas, in the same order. Two queries.

    A corrida that is being broadcast has only the bulls whose fights are over by `at`. A corrida
    whose key is in `hidden` has no results.
    """
    numbers = [corrida.pk for corrida in corridas]
    shares = _shares(numbers)
    bulls = _bulls([number for number in numbers if number not in hidden], at)
    return [
        _afternoon(corrida, shares[corrida.pk], bulls[corrida.pk], hidden=corrida.pk in hidden)
        for corrida in corridas
    ]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Totals of several corridas, as far as they may be shown.

    `leaders` are the matadors with the most ears, at most `LEADERS`, each with ears and tails.
    """

    played: int
    of: int
    bulls: int
    ears: int
    tails: int
    indultos: int
    hurt: int
    leaders: list[tuple[MatadorResult, int, int]]


LEADERS: Final = 3
_EARS: Final = {"oreja": 1, "dos": 2, "rabo": 2}


def summary(afternoons: Collection[CorridaResult]) -> Summary:
    ears: Counter[int] = Counter()
    tails: Counter[int] = Counter()
    shares: dict[int, MatadorResult] = {}
    for afternoon in afternoons:
        for share in afternoon.shares:
            shares.setdefault(share.matador, share)
            ears[share.matador] += sum(_EARS.get(bull.verdict or "", 0) for bull in share.bulls)
            tails[share.matador] += sum(bull.verdict == "rabo" for bull in share.bulls)
    order = sorted(shares, key=lambda key: (-ears[key], -tails[key], sort_key(shares[key].name)))
    bulls = [bull for afternoon in afternoons for bull in afternoon.bulls]
    return Summary(
        played=sum(row.corrida.is_over and not row.hidden for row in afternoons),
        of=len(afternoons),
        bulls=len(bulls),
        ears=ears.total(),
        tails=tails.total(),
        indultos=sum(bull.spared for bull in bulls),
        hurt=sum(share.hurt for afternoon in afternoons for share in afternoon.shares),
        leaders=[(shares[key], ears[key], tails[key]) for key in order[:LEADERS] if ears[key]],
    )


def _afternoon(
    corrida: Corrida, shares: list[MatadorResult], bulls: list[BullResult], *, hidden: bool
) -> CorridaResult:
    brought = [
        replace(
            share,
            bulls=tuple(bull for bull in bulls if bull.finisher == share.matador),
            hurt=any(bull.injured & 1 << place for bull in bulls),
        )
        for place, share in enumerate(shares)
    ]
    return CorridaResult(corrida=corrida, shares=brought, bulls=bulls, hidden=hidden)


def _shares(numbers: Iterable[int]) -> dict[int, list[MatadorResult]]:
    shares: dict[int, list[MatadorResult]] = defaultdict(list)
    rows = (
        Puesto.objects.filter(cartel__corrida__in=numbers)
        .order_by("order")
        .values_list(
            "cartel__corrida_id",
            "matador_id",
            "matador__slug",
            "matador__name",
            "matador__apodo",
            "matador__distinction",
        )
    )
    for corrida, matador, slug, *called in rows:
        shares[corrida].append(
            MatadorResult(matador=matador, slug=slug, name=display_name(*called))
        )
    return shares


def _bulls(numbers: Iterable[int], at: datetime) -> dict[int, list[BullResult]]:
    bulls: dict[int, list[BullResult]] = defaultdict(list)
    rows = (
        Lidia.objects.shown(at=at)
        .filter(corrida__in=numbers)
        .select_related("bull")
        .only(*_SHOWN)
        .order_by("turn")
    )
    for row in rows:
        bulls[row.corrida_id].append(visible_results(row))
    return bulls


# Columns that `visible_results` reads.
_SHOWN: Final = (
    *("corrida", "turn", "bull__name", "starter", "finisher", "trophy", "crowd"),
    *("vuelta", "ending", "avisos", "injured", "score"),
)


def visible_results(row: Any) -> BullResult:
    return BullResult(
        turn=row.turn,
        name=row.bull.name,
        pk=row.bull_id,
        starter=row.starter_id,
        finisher=row.finisher_id,
        verdict=verdict(row.trophy, row.crowd) if row.finisher_id else None,
        vuelta=bool(row.vuelta),
        spared=row.ending == "spared",
        three_avisos=row.ending == "three_avisos",
        avisos=row.avisos,
        injured=row.injured,
        score=row.score,
    )


# Results from worst to best: six verdicts of the crowd, one ear, two ears, tail. They are also
# names of CSS classes.
VERDICTS: Final = (
    "bronca",
    "pitos",
    "silencio",
    "division",
    "aplausos",
    "ovacion",
    "oreja",
    "dos",
    "rabo",
)

# Display names, which are Spanish in all languages.
NAMES: Final = {
    "bronca": "Bronca",
    "pitos": "Pitos",
    "silencio": "Silencio",
    "division": "División",
    "aplausos": "Aplausos",
    "ovacion": "Ovación",
    "oreja": "Oreja",
    "dos": "Dos orejas",
    "rabo": "Dos orejas y rabo",
    "r-indulto": "Indulto",
}

# The result of a spared bull in charts of form. Its column is as high as two ears, and orange.
SPARED: Final = "r-indulto"

# Results by the letters of a matador's stored form. Being stopped by three avisos (time warnings)
# is shown as `bronca`.
LETTERS: Final = dict(zip("XBPSDAO12IR", ("bronca", *VERDICTS[:8], SPARED, "rabo"), strict=True))

CROWDS: Final = 6


def loudness(name: str) -> int:
    """Return the rank of a result, from 0 (bronca) to 8 (tail)."""
    return VERDICTS.index("dos" if name == SPARED else name)


def verdict(trophy: int | None, crowd: int | None) -> str | None:
    """Return the result of a fight from its trophy (0-3) and the crowd's verdict (1-6).

    None if the fight was broken off, because it then has neither (Ruling I-16).
    """
    if trophy:
        return VERDICTS[CROWDS + trophy - 1]
    return VERDICTS[crowd - 1] if crowd else None
