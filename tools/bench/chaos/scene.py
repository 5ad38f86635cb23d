"""The work of a chaos test, and the check of its results, each called in a separate process."""

from collections import Counter
from itertools import pairwise

from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db.models import Count, F, Max, QuerySet, Sum
from django.utils import timezone

from accounts.models import User
from core.jobs import send
from core.sequences import sequences_behind
from corridas.broadcast.source import provide
from corridas.circuit_queries import SHIPPED
from corridas.circuits.copying import request_copy
from corridas.models import Bull, Circuit, CircuitCopy, Corrida, Escalafon, Injury, Season
from corridas.simulation import new_circuit, verify
from corridas.simulation.derived_book import rebuild_book
from corridas.simulation.new_circuit import shipped
from corridas.simulation.post import rebuild
from corridas.simulation.schedule import plan
from corridas.tasks import play_corrida
from events.models import Event
from events.queries import EventReader
from tools.bench import seasons
from tools.bench.scratch_site import YEAR

WATCHED = 4
# Milliseconds per card of a broadcast, the fastest pace that the site offers.
PACE_MS = 50
# Number of copies made of each circuit.
COPIES = 4
# Milliseconds per card of the watched corridas, so that they are broadcast while processes are
# killed.
WATCHED_MS = 250


def prepare(corridas: int) -> dict[str, object]:
    """Create circuits with a season each and announce every cartel. Nothing is queued yet."""
    call_command("migrate", verbosity=0, interactive=False)
    for number in range(-(-corridas // 440)):
        slug = f"chaos-{number}" if number else SHIPPED
        new_circuit.found(shipped(), slug=slug, name=slug.title(), owner=None, rules={})
        circuit = Circuit.objects.get(slug=slug)
        plan(circuit, YEAR, shipped().ferias, seed=seasons.seeds(slug)())
    Circuit.objects.update(always_on_air=False)
    for season in Season.objects.select_related("circuit__deck"):
        seasons.announce_all(season)
    return {"ready": chosen(corridas).count(), "watched": list(watched(corridas))}


def chosen(corridas: int) -> QuerySet[Corrida]:
    hung = Corrida.objects.filter(cartel__isnull=False).order_by("season_id", "date", "pk")
    return Corrida.objects.filter(pk__in=hung.values("pk")[:corridas])


def watched(corridas: int) -> list[int]:
    keys = list(chosen(corridas).order_by("date", "pk").values_list("pk", flat=True))
    return keys[:WATCHED]


def queue(corridas: int) -> dict[str, object]:
    slow = watched(corridas)
    fresh = {"state": Corrida.State.QUEUED, "queued_at": timezone.now()}
    chosen(corridas).update(**fresh, pace_ms=PACE_MS)
    Corrida.objects.filter(pk__in=slow).update(pace_ms=WATCHED_MS)
    rest = chosen(corridas).exclude(pk__in=slow).order_by("date", "pk").values_list("pk", flat=True)
    return {"sent": sum(send(play_corrida, key) for key in [*slow, *rest])}


def copy() -> dict[str, object]:
    """Request copies of every circuit, which workers make while they play."""
    by = User.objects.create_superuser("copier")
    circuits = list(Circuit.objects.all())
    for _ in range(COPIES):
        for circuit in circuits:
            request_copy(circuit=circuit, by=by, at=timezone.now())
    return {"requested": COPIES * len(circuits)}


def audit(corridas: int) -> dict[str, object]:
    rows = chosen(corridas)
    copies, faults = _copies()
    return {
        "copies": copies,
        "states": dict(Counter(rows.values_list("state", flat=True))),
        "faults": [*faults, *_unlike_once(rows), *_not_rebuilt(), *_not_announced_once(rows)],
        "retries": sum(max(0, tries - 1) for tries in rows.values_list("attempts", flat=True)),
        "moments": {key: _moments(key) for key in watched(corridas)},
        "events": _events(),
        "times": _times(rows),
    }


def sessions() -> list[str]:
    return list(Session.objects.values_list("pk", flat=True))


def _copies() -> tuple[dict[str, int], list[str]]:
    """Return the states of the copies, and a list of faults.

    A copy may fail if its workers were killed repeatedly. Then its circuit must be deleted.
    """
    jobs = CircuitCopy.objects.select_related("circuit")
    ended = (CircuitCopy.State.DONE, CircuitCopy.State.FAILED)
    wrong = [f"copy {job.pk} is {job.state}" for job in jobs if job.state not in ended]
    wrong += [
        f"copy {job.pk} is {job.state}, its circuit {job.circuit}"
        for job in jobs
        if (job.state == CircuitCopy.State.DONE) != (job.circuit is not None)
    ]
    wrong += [f"{circuit} is incomplete" for circuit in Circuit.everything.filter(incomplete=True)]
    wrong += [f"the sequence of {behind.model} is behind" for behind in sequences_behind()]
    over = Corrida.objects.over().filter(season__circuit__copied_by__isnull=False)
    wrong += [
        f"{corrida}, {found.name}: {found.found!r} follows"
        for corrida in over.select_related("season", "plaza", "cartel__deck")
        for found in verify.check(corrida)
    ]
    if jobs and not any(job.state == CircuitCopy.State.DONE for job in jobs):
        wrong.append("no copy was made")
    return dict(Counter(job.state for job in jobs)), wrong


def _unlike_once(corridas: QuerySet[Corrida]) -> list[str]:
    counted = corridas.annotate(lidias_stored=Count("lidias"), last=Max("lidias__turn"))
    wrong = [
        f"{row.pk} is {row.state} with {row.lidias_stored} lidias, the last {row.last}"
        for row in counted
        if row.state not in Corrida.OVER
        or row.lidias_stored != row.last
        or (row.state == Corrida.State.POSTED and row.last != 6)
        or row.posted_at is None
    ]
    here = Corrida.objects.filter(season__circuit__copied_by=None)
    others = here.exclude(pk__in=corridas.values("pk"))
    wrong += [f"{row.pk} was not asked for and is {row.state}" for row in others.over()]
    return wrong


def _not_rebuilt() -> list[str]:
    differing = []
    for season in Season.objects.select_related("circuit"):
        differing += rebuild(season, write_rows=False)
    for circuit in Circuit.objects.all():
        differing += rebuild_book(circuit, write_rows=False)
    return differing + _bulls_and_injuries()


def _bulls_and_injuries() -> list[str]:
    over = Corrida.objects.over()
    afield = Bull.objects.filter(lidia__corrida__in=over, state=Bull.State.CAMPO).count()
    hurt = Escalafon.objects.aggregate(all=Sum(F("injuries")))["all"] or 0
    written = Injury.objects.count()
    problems = [f"{afield} bulls came out and are in the field"] if afield else []
    return problems + ([f"{hurt} injuries counted, {written} written"] if hurt != written else [])


def _not_announced_once(corridas: QuerySet[Corrida]) -> list[str]:
    ends = ("corrida.posted", "corrida.suspended")
    counter = Counter(Event.objects.filter(kind__in=ends).values_list("subject", flat=True))
    if not counter:
        return []  # the scene has no events of corridas
    subjects = [f"corrida/{key}" for key in corridas.values_list("pk", flat=True)]
    wrong = [f"{row} has {counter[row]} events" for row in subjects if counter[row] != 1]
    unnumbered = Event.objects.filter(number=None, due=None).count()
    return wrong + ([f"{unnumbered} events have no number"] if unnumbered else [])


def _events() -> list[int]:
    public = Event.objects.filter(EventReader().admits(), number__isnull=False)
    numbers = public.order_by("number").values_list("number", flat=True)
    return [number for number in numbers if number is not None]


def _moments(key: int) -> int:
    broadcast = provide(str(key), "en")
    return len(broadcast.moments) if broadcast else 0


def _times(corridas: QuerySet[Corrida]) -> dict[str, float]:
    played = sorted(filter(None, corridas.values_list("on_air_at", flat=True)))
    posted = sorted(filter(None, corridas.values_list("posted_at", flat=True)))
    queued = corridas.order_by("queued_at").values_list("queued_at", flat=True).first()
    if not played or not posted or queued is None:
        return {}
    stalls = [(after - before).total_seconds() for before, after in pairwise([queued, *played])]
    return {
        "played_in": (played[-1] - queued).total_seconds(),
        "posted_in": (posted[-1] - queued).total_seconds(),
        "stall": max(stalls),
    }
