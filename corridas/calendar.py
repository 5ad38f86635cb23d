"""Queries for the calendar of a season and for the director's control page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from core.keys import parse_key
from corridas.models import Corrida, Feria, Injury, Matador, Puesto, Run, Season
from corridas.models.corridas import CorridaQuerySet
from corridas.results import LETTERS
from corridas.world.contract_dates import contracted_with


def corridas() -> CorridaQuerySet:
    """Return corridas with all related objects that a list shows, in one query."""
    return Corrida.objects.select_related("plaza", "feria", "season")


def feria_ends(season: Season) -> list[tuple[date, str, int]]:
    """Return the last date, name and number of corridas of each feria (festival)."""
    rows = (
        Corrida.objects.filter(season=season, feria__isnull=False)
        .values_list("feria_id", "feria__name")
        .annotate(last=Max("date"), corridas=Count("pk"))
        .order_by("last", "feria__starts", "feria_id")
    )
    return [(last, name, number) for _pk, name, last, number in rows]


def ferias(season: Season) -> QuerySet[Feria]:
    """Return the ferias (festivals) of a season by date.

    Each has the number of its corridas as `held`, and of those with posted results as `over`.
    """
    return (
        Feria.objects.filter(season=season)
        .select_related("plaza")
        .annotate(
            held=Count("corridas"),
            over=Count("corridas", filter=Q(corridas__state__in=Corrida.OVER)),
        )
        .order_by("starts", "name_key", "pk")
    )


def on_air(circuit: str, at: datetime) -> list[Corrida]:
    """Return the corridas that are being broadcast at this time, the earliest first."""
    begun = corridas().on_air().filter(season__circuit__slug=circuit, on_air_at__lte=at)
    return list(begun.select_related("cartel__ganaderia").order_by("on_air_at", "pk"))


def coming(season: Season, number: int) -> list[Corrida]:
    waiting = corridas().to_come().filter(season=season)
    return list(waiting.select_related("cartel__ganaderia").order_by("date", "pk")[:number])


class ToPlay(NamedTuple):
    """A corrida that would be played when the season is continued.

    `cartel` is None if its matadors have not been contracted yet.
    """

    pk: int
    date: date
    city: str
    feria: int | None
    feria_name: str | None
    cartel: int | None

    @property
    def is_open(self) -> bool:
        return self.cartel is None


def to_play(season: Season) -> list[ToPlay]:
    """Return the announced corridas of a season in the order in which they will be played."""
    rows = Corrida.objects.filter(season=season, state=Corrida.State.ANNOUNCED)
    fields = ("pk", "date", "plaza__city", "feria", "feria__name", "cartel")
    return [ToPlay(*row) for row in rows.order_by("date", "pk").values_list(*fields)]


class OpenCartel(NamedTuple):
    """A corrida without matadors, and the corrida before which they will be contracted."""

    corrida: ToPlay
    contracted_with: ToPlay


class OpenCarteles(NamedTuple):
    """The corridas without matadors in one feria, or in none (`feria` is None)."""

    feria: int | None
    name: str | None
    carteles: list[OpenCartel]

    @property
    def first(self) -> ToPlay:
        return self.carteles[0].corrida

    @property
    def number(self) -> int:
        return len(self.carteles)

    @property
    def by_contract(self) -> list[tuple[ToPlay, list[ToPlay]]]:
        """Open corridas, grouped by the corrida before which their matadors are contracted."""
        taken: dict[ToPlay, list[ToPlay]] = defaultdict(list)
        for cartel in self.carteles:
            taken[cartel.contracted_with].append(cartel.corrida)
        return list(taken.items())


def open_carteles(waiting: Sequence[ToPlay]) -> list[OpenCartel]:
    """Return those of the announced corridas of a season that have no matadors yet, by date."""
    first_of_day = {corrida.date: corrida for corrida in reversed(waiting)}
    return [
        OpenCartel(corrida, first_of_day[contracted_with(corrida.date, first_of_day)])
        for corrida in waiting
        if corrida.is_open
    ]


def open_by_feria(waiting: Sequence[ToPlay]) -> list[OpenCarteles]:
    """Return corridas without matadors by feria, in the order of the first corrida of each
    feria.
    """
    by_feria: dict[int | None, list[OpenCartel]] = defaultdict(list)
    for cartel in open_carteles(waiting):
        by_feria[cartel.corrida.feria].append(cartel)
    return [
        OpenCarteles(feria, each[0].corrida.feria_name, each) for feria, each in by_feria.items()
    ]


def next_open(waiting: Sequence[ToPlay], after: int | None = None) -> ToPlay | None:
    """Return the next corrida without matadors after a corrida, or the first if none follows."""
    still_open = [corrida for corrida in waiting if corrida.is_open]
    keys = [corrida.pk for corrida in waiting]
    behind = set(keys[: keys.index(after)]) if after in keys else set()
    return next(
        (each for each in still_open if each.pk not in behind), next(iter(still_open), None)
    )


class MissedCorrida(NamedTuple):
    """A coming corrida that an injured matador misses, and his substitute (None if there is
    none).
    """

    corrida: Corrida
    stands_in: Matador | None


class LostMatador(NamedTuple):
    """An injured matador and the coming corridas that he misses, by date."""

    injury: Injury
    missed: list[MissedCorrida]


def lost_matadors(season: Season, hidden: Collection[int] = ()) -> list[LostMatador]:
    """Return injured matadors who miss announced corridas, ordered by their first missed corrida.

    Injuries from corridas in `hidden` are left out. Two queries.
    """
    hurt = Injury.objects.filter(
        matador=OuterRef("matador"), since__lte=OuterRef("date"), until__gte=OuterRef("date")
    )
    rows = Puesto.objects.filter(
        Q(instead_of__isnull=False) | Exists(hurt),
        cartel__corrida__season=season,
        cartel__corrida__state=Corrida.State.ANNOUNCED,
    ).select_related("matador", "cartel__corrida__plaza")
    puestos = list(rows.order_by("date", "pk")[:MAX_LOST])
    # A substitute may be injured too.
    out = [
        (puesto, matador)
        for puesto in puestos
        for matador in (puesto.instead_of_id, puesto.matador_id)
        if matador
    ]
    injuries = Injury.objects.filter(matador__in={matador for _puesto, matador in out})
    injuries = injuries.exclude(corrida__in=hidden).select_related("matador")
    by_matador = list(injuries.order_by("-until")) if out else []
    lost: dict[int, LostMatador] = {}
    for puesto, matador in out:
        injury = next(
            (
                each
                for each in by_matador
                if each.matador_id == matador and each.since <= puesto.date <= each.until
            ),
            None,
        )
        if injury is not None:
            stands_in = puesto.matador if matador != puesto.matador_id else None
            row = lost.setdefault(matador, LostMatador(injury, []))
            row.missed.append(MissedCorrida(puesto.cartel.corrida, stands_in))
    return list(lost.values())


# Maximum number of announced appearances that are checked.
MAX_LOST = 60


def is_over(season: int) -> bool:
    """Return whether a season (its key) has no corrida left that can be played.

    Corridas that are being broadcast or assigned to a real table count as left.
    """
    ended = (*Corrida.OVER, Corrida.State.FAILED)
    return not Corrida.objects.filter(season=season).exclude(state__in=ended).exists()


def last(circuit: str, number: int) -> list[Corrida]:
    """Return the latest corridas of a circuit whose results are posted, the newest first."""
    return list(_newest_first(corridas(), circuit)[:number])


def newest(circuit: str) -> int | None:
    """Return the key of the latest posted corrida of a circuit, or None."""
    return _newest_first(Corrida.objects.all(), circuit).values_list("pk", flat=True).first()


def _newest_first(rows: CorridaQuerySet, circuit: str) -> CorridaQuerySet:
    over = rows.over().filter(season__circuit__slug=circuit)
    return over.order_by("-season__year", "-date", "-posted_at", "-pk")


def months(season: Season) -> list[date]:
    return list(Corrida.objects.filter(season=season).dates("date", "month"))


def current_day(season: Season) -> date | None:
    """Return the latest date of a posted corrida in a season, or None."""
    over = Corrida.objects.over().filter(season=season)
    latest: date | None = over.aggregate(day=Max("date"))["day"]
    return latest


@dataclass(frozen=True, kw_only=True)
class Progress:
    run: Run
    left: int
    remaining: timedelta | None

    @property
    def seconds(self) -> int | None:
        """Estimated number of seconds left, rounded up, or None before the first corrida is
        played.
        """
        return None if self.remaining is None else int(self.remaining.total_seconds()) + 1


def latest_run(season: Season, at: datetime) -> Progress | None:
    run = _runs().filter(season=season).first()
    return _progress(run, at) if run else None


def ended_run(season: Season, number: str, at: datetime) -> Progress | None:
    """Return the ended run with this number in any season of the circuit, or None."""
    pk = parse_key(number)
    if pk is None:
        return None
    run = _runs().filter(pk=pk, season__circuit=season.circuit_id).first()
    return _progress(run, at) if run and not run.active else None


def _runs() -> QuerySet[Run]:
    return Run.objects.select_related("season", "last__plaza", "feria")


def _progress(run: Run, at: datetime) -> Progress:
    left = max(0, run.total - run.done)
    remaining = None
    if run.active and run.done:
        remaining = (at - run.asked_at) / run.done * left
    return Progress(run=run, left=left, remaining=remaining)


def queued_corridas(season: Season) -> int:
    return Corrida.objects.to_come().filter(season=season).count()


def failed_corridas(season: Season) -> list[Corrida]:
    rows = Corrida.objects.filter(season=season, state=Corrida.State.FAILED)
    return list(rows.select_related("plaza").order_by("date", "pk"))


def leaders_form(numbers: Iterable[int]) -> dict[int, list[str]]:
    """Return the results of these matadors' last ten bulls, the oldest first."""
    rows = Matador.objects.filter(pk__in=list(numbers)).values_list("pk", "form")
    return {pk: [LETTERS[letter] for letter in letters] for pk, letters in rows}
