"""Results by matador of corridas that are posted, or as far as they have been shown."""

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
class Bull:
    """A finished bull: its turn (1-6), its matador and the result.

    `injured` has bits 1, 2 and 4 set for the first, second and third matador in the order of
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
        """True if no matador was left to finish it (Ruling I-16)."""
        return self.finisher is None


@dataclass(frozen=True, kw_only=True)
class Share:
    matador: int
    slug: str
    name: str
    bulls: tuple[Bull, ...] = ()
    hurt: bool = False


@dataclass(frozen=True, kw_only=True)
class Row:
    """All that a line of a list shows of an afternoon; `feria` is empty outside of ferias.

    It has values only and no models, which are equal whatever their columns say. A rendered line
    can therefore be kept for everybody to whom the same is shown.
    """

    pk: int
    date: date
    state: str
    city: str
    plaza: str
    feria: str
    shares: tuple[Share, ...]
    hidden: bool


@dataclass(kw_only=True)
class Afternoon:
    """A corrida with its cartel and the results that may be shown. A `hidden` one has none."""

    corrida: Corrida
    shares: list[Share]
    bulls: list[Bull]
    hidden: bool = False

    @property
    def row(self) -> Row:
        corrida = self.corrida
        return Row(
            pk=corrida.pk,
            date=corrida.date,
            state=corrida.state,
            city=corrida.plaza.city,
            plaza=corrida.plaza.name,
            feria=corrida.feria.name if corrida.feria else "",
            shares=tuple(self.shares),
            hidden=self.hidden,
        )


def afternoons(
    corridas: Collection[Corrida], at: datetime, *, hidden: Collection[int] = ()
) -> list[Afternoon]:
    """Return carteles and results of these corridas, in their order. Two queries.

    A corrida on air has only the lidias that are over by `at`. One whose number is in `hidden` has
    none.
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
    """What some afternoons have brought so far, as far as it may be shown.

    `leaders` are the matadors with the most ears, at most `LEADERS`, with ears and tails.
    """

    played: int
    of: int
    bulls: int
    ears: int
    tails: int
    indultos: int
    hurt: int
    leaders: list[tuple[Share, int, int]]


LEADERS: Final = 3
_EARS: Final = {"oreja": 1, "dos": 2, "rabo": 2}


def summary(afternoons: Collection[Afternoon]) -> Summary:
    ears: Counter[int] = Counter()
    tails: Counter[int] = Counter()
    shares: dict[int, Share] = {}
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
    corrida: Corrida, shares: list[Share], bulls: list[Bull], *, hidden: bool
) -> Afternoon:
    brought = [
        replace(
            share,
            bulls=tuple(bull for bull in bulls if bull.finisher == share.matador),
            hurt=any(bull.injured & 1 << place for bull in bulls),
        )
        for place, share in enumerate(shares)
    ]
    return Afternoon(corrida=corrida, shares=brought, bulls=bulls, hidden=hidden)


def _shares(numbers: Iterable[int]) -> dict[int, list[Share]]:
    shares: dict[int, list[Share]] = defaultdict(list)
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
        shares[corrida].append(Share(matador=matador, slug=slug, name=display_name(*called)))
    return shares


def _bulls(numbers: Iterable[int], at: datetime) -> dict[int, list[Bull]]:
    bulls: dict[int, list[Bull]] = defaultdict(list)
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


# What `visible_results` reads
_SHOWN: Final = (
    *("corrida", "turn", "bull__name", "starter", "finisher", "trophy", "crowd"),
    *("vuelta", "ending", "avisos", "injured", "score"),
)


def visible_results(row: Any) -> Bull:
    return Bull(
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


# From the crowd's anger to two ears and the tail. The names are CSS classes too.
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

# Display names, in Spanish in both interfaces
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

# A spared bull in a form picture: as high as two ears, in the orange of the handkerchief
SPARED: Final = "r-indulto"

# The letters of a matador's stored form. Three avisos look like the bronca they bring.
LETTERS: Final = dict(zip("XBPSDAO12IR", ("bronca", *VERDICTS[:8], SPARED, "rabo"), strict=True))

CROWDS: Final = 6


def loudness(name: str) -> int:
    """Return the rank of an outcome, from 0 (bronca) to 8 (ears and tail)."""
    return VERDICTS.index("dos" if name == SPARED else name)


def verdict(trophy: int | None, crowd: int | None) -> str | None:
    """Return the outcome of a lidia from its trophy (0-3) and the crowd's verdict (1-6).

    None if the lidia was broken off, because then it has neither (Ruling I-16).
    """
    if trophy:
        return VERDICTS[CROWDS + trophy - 1]
    return VERDICTS[crowd - 1] if crowd else None
