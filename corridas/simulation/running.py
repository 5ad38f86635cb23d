"""A season run on: contract, play and post, chunk by chunk, until its end or until stopped."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction
from django.db.models import F, QuerySet

from corridas.models import Corrida, Lidia, Run, Season
from corridas.queries.leader import leader_of
from corridas.simulation.contracting import Fresh, Office, announce, bare
from corridas.simulation.insertion import insert
from corridas.simulation.playing import TRIES, Played, play_all
from corridas.simulation.posting import injuries_of, post
from corridas.simulation.records import Afternoon, Place, afternoons
from corridas.simulation.substituting import replace_injured
from corridas.world.stops import Happened, read, reasons

Clock = Callable[[], dt.datetime]

HORIZON = dt.timedelta(days=21)
"""Carteles are announced at least so long before their day ..."""
AHEAD = dt.timedelta(days=42)
"""... and when the walls are bare, so far ahead."""
NOBODY = "Fewer than three matadors were free on the day."
CHUNK = 100
"""At most so many corridas are played and posted in one transaction."""


def run_on(run_id: int, *, clock: Clock, fresh: Fresh) -> Run:
    """Run a season on until it is done, stopped, or a condition is met.

    Every chunk is a transaction of its own: whoever takes the run up after a crash goes on with
    what has not been played. Progress stands in the row after every chunk.
    """
    for run in chunks(run_id, clock=clock, fresh=fresh):
        last = run
    return last


def chunks(run_id: int, *, clock: Clock, fresh: Fresh) -> Iterator[Run]:
    """Run a season on, giving the row as it stands after every chunk."""
    runner = _Runner(run_id, clock, fresh)
    while runner.step():
        yield runner.run
    yield runner.row()


class _Runner:
    """One worker at one run; `run` is the row as it stood after the last chunk.

    What the office knows is kept between chunks, and read anew when somebody else was at it.
    """

    def __init__(self, run_id: int, clock: Clock, fresh: Fresh) -> None:
        self._run_id, self._clock, self._fresh = run_id, clock, fresh
        self._office: Office | None = None
        self._hung = dt.date.min
        self.run = self.row()

    def row(self) -> Run:
        """The run as it stands."""
        return Run.objects.select_related("last", "season").get(pk=self._run_id)

    def step(self) -> bool:
        """One chunk; False when the run is over.

        The carteles are committed before the first card is drawn: they are public then
        (Ruling F-2). Each half holds the season's row, so that one worker at a time is at it.
        """
        with transaction.atomic():
            season = Season.objects.select_for_update().get(pk=self.run.season_id)
            first = self._prepare(season)
        if first is None:
            return False
        with transaction.atomic():
            season = Season.objects.select_for_update().get(pk=self.run.season_id)
            on = self._alone() and self._play_chunk(season, first)
        self.run = self.row()
        return on or self.run.active

    def _alone(self) -> bool:
        """Whether nobody has moved the run since it was last read."""
        moved = Run.objects.filter(pk=self._run_id).exclude(
            done=self.run.done, state=self.run.state
        )
        if moved.exists():
            self._office = None
            return False
        return True

    def _prepare(self, season: Season) -> dt.date | None:
        """Hang the carteles of the weeks to come; the next date to be played, None at the end."""
        if not self._alone():
            self.run = self.row()
        run = self.run
        if not run.active:
            return None
        if Run.objects.filter(pk=run.pk, stop_requested=True).exists():
            _end(run, Run.State.STOPPED, "asked", self._clock)
            return None
        first: dt.date | None = _pending(run).values_list("date", flat=True).first()
        if first is None or not _room(run):
            _end(run, Run.State.DONE, "", self._clock)
            return None
        self._hang(season, first)
        return first

    def _hang(self, season: Season, day: dt.date) -> None:
        if self._office is None:
            self._office, self._hung = Office(season, day), dt.date.min
        office = self._office
        if self._hung < day + HORIZON:
            self._hung = day + AHEAD
            announce(season, until=self._hung, fresh=self._fresh, office=office)
        replace_injured(season, since=day, fresh=self._fresh, market=office.market)
        if bare(season, day).exists():
            announce(season, until=day, fresh=self._fresh, office=office)
            bare(season, day).update(state=Corrida.State.FAILED, error=NOBODY)

    def _play_chunk(self, season: Season, day: dt.date) -> bool:
        """Claim, play, post and note the progress; False where a condition stops the run."""
        run = self.run
        conditions = read(run.stop_on)
        leader = leader_of(season) if conditions else None
        played = _play_until_struck(run, season, day, one=bool(conditions))
        _claim(played, self._clock())
        insert(Lidia, [lidia for corrida in played for lidia in corrida.lidias])
        posted = post(season, played)
        if self._office:
            self._office.market.hear(posted.injuries, posted.letters)
        _note_progress(run, played, self._clock)
        happened = Happened(
            injuries=len(posted.injuries),
            indultos=sum(counters["indultos"] for counters in posted.counters.values()),
            leader_before=leader,
            leader_after=leader_of(season) if conditions else None,
        )
        met = ",".join(condition.value for condition in reasons(conditions, happened))
        if met:
            _end(run, Run.State.STOPPED, met, self._clock)
        return not met


def _room(run: Run) -> int:
    """How many corridas the run may still play."""
    return CHUNK if run.most is None else min(CHUNK, run.most - run.done)


def _pending(run: Run) -> QuerySet[Corrida]:
    waiting = Corrida.objects.of_season(run.season).filter(
        state=Corrida.State.ANNOUNCED, date__lte=run.until
    )
    return waiting.filter(feria=run.feria_id) if run.feria_id else waiting


def prepare(season: Season, day: dt.date, fresh: Fresh) -> None:
    """See that the carteles hang, and that none names a matador who must rest."""
    if bare(season, day + HORIZON).exists():
        announce(season, until=day + AHEAD, fresh=fresh)
    if replace_injured(season, since=day, fresh=fresh):
        announce(season, until=day, fresh=fresh)


def _play_until_struck(run: Run, season: Season, day: dt.date, *, one: bool) -> list[Played]:
    """Play on, up to the first corrida whose cartel names a matador hurt on the way."""
    waiting = _pending(run).filter(cartel__isnull=False, date__lte=day + HORIZON)
    next_ones = afternoons(waiting[: 1 if one else _room(run)])
    resting: dict[int, dt.date] = {}

    def struck(afternoon: Afternoon, places: Sequence[Place]) -> bool:
        return any(resting.get(place.matador_id, dt.date.min) >= afternoon.date for place in places)

    played: list[Played] = []
    for corrida in play_all(season.engine_rules(), next_ones, struck):
        played.append(corrida)
        for lidia in corrida.lidias:
            if lidia.injured:
                for place, injury in injuries_of(season, corrida, lidia):
                    resting[place.matador_id] = injury.until
    return played


def _claim(played: Sequence[Played], at: dt.datetime) -> None:
    """Move the corridas from announced to posted; a claim of less than all of them is undone."""
    keys = [corrida.afternoon.pk for corrida in played]
    claimed = Corrida.objects.filter(pk__in=keys, state=Corrida.State.ANNOUNCED).update(
        state=Corrida.State.POSTED, posted_at=at
    )
    if claimed != len(keys):
        raise ClaimError("Somebody else has played some of these corridas.")
    broken = [corrida.afternoon.pk for corrida in played if corrida.suspended]
    if broken:
        Corrida.objects.filter(pk__in=broken).update(state=Corrida.State.SUSPENDED)


class ClaimError(RuntimeError):
    """Two workers were at the same season; nothing of this chunk is kept."""


def _note_progress(run: Run, played: Sequence[Played], clock: Clock) -> None:
    Run.objects.filter(pk=run.pk).update(
        state=Run.State.RUNNING,
        done=F("done") + len(played),
        last=played[-1].afternoon.pk if played else run.last_id,
        beat_at=clock(),
        attempts=0,
    )


def _end(run: Run, state: Run.State, reason: str, clock: Clock) -> None:
    Run.objects.filter(pk=run.pk).update(state=state, reason=reason, ended_at=clock())


def note_breakdown(run_id: int, error: str, *, at: dt.datetime) -> None:
    """Write down why a run broke; after three times without a chunk between it has failed."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=run_id)
        run.attempts, run.reason, run.beat_at = run.attempts + 1, error, at
        if run.attempts >= TRIES and run.active:
            run.state, run.ended_at = Run.State.FAILED, at
        run.save(update_fields=["attempts", "reason", "beat_at", "state", "ended_at"])
