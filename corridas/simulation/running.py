"""A season run on: contract, play and post, chunk by chunk, until its end or until stopped."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction
from django.db.models import F, QuerySet

from corridas.models import Corrida, Lidia, Run, Season
from corridas.queries.leader import leader_of
from corridas.simulation.contracting import Fresh, announce
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
    """One worker at one run.

    `run` is the row as it stood after the last chunk; `_hurt`: somebody may be announced who
    should be in bed.
    """

    def __init__(self, run_id: int, clock: Clock, fresh: Fresh) -> None:
        self._run_id, self._clock, self._fresh = run_id, clock, fresh
        self._hurt = True
        self.run = self.row()

    def row(self) -> Run:
        """The run as it stands."""
        return Run.objects.select_related("last", "season").get(pk=self._run_id)

    def step(self) -> bool:
        """One chunk; False when the run is over.

        Whoever else is at the same season waits for its row, then looks at the run anew.
        """
        with transaction.atomic():
            season = Season.objects.select_for_update().get(pk=self.run.season_id)
            seen, self.run = self.run, self.row()
            self._hurt |= seen.done != self.run.done
            on = self._take_step(season)
        self.run = self.row()
        return on

    def _take_step(self, season: Season) -> bool:
        run = self.run
        if not run.active:
            return False
        if run.stop_requested:
            return _end(run, Run.State.STOPPED, "asked", self._clock)
        first = _pending(run).values_list("date", flat=True).first()
        if first is None or not _room(run):
            return _end(run, Run.State.DONE, "", self._clock)
        hang_carteles(season, first, self._fresh)
        if self._hurt:
            replace_injured(season, since=first, fresh=self._fresh)
        _give_up_bare(season, first, self._fresh)
        return self._play_chunk(run, season, first)

    def _play_chunk(self, run: Run, season: Season, day: dt.date) -> bool:
        """Claim, play, post and note the progress; False where a condition stops the run."""
        conditions = read(run.stop_on)
        leader = leader_of(season) if conditions else None
        played = _play_until_struck(run, season, day, one=bool(conditions))
        _claim(played, self._clock())
        insert(Lidia, [lidia for corrida in played for lidia in corrida.lidias])
        posted = post(season, played)
        self._hurt = bool(posted.injuries)
        _note_progress(run, played, self._clock)
        happened = Happened(
            injuries=len(posted.injuries),
            indultos=sum(counters["indultos"] for counters in posted.counters.values()),
            leader_before=leader,
            leader_after=leader_of(season) if conditions else None,
        )
        met = ",".join(condition.value for condition in reasons(conditions, happened))
        return _end(run, Run.State.STOPPED, met, self._clock) if met else True


def _room(run: Run) -> int:
    """How many corridas the run may still play."""
    return CHUNK if run.most is None else min(CHUNK, run.most - run.done)


def _pending(run: Run) -> QuerySet[Corrida]:
    waiting = Corrida.objects.of_season(run.season).filter(
        state=Corrida.State.ANNOUNCED, date__lte=run.until
    )
    return waiting.filter(feria=run.feria_id) if run.feria_id else waiting


def _bare(season: Season, until: dt.date) -> QuerySet[Corrida]:
    return Corrida.objects.filter(
        season=season, state=Corrida.State.ANNOUNCED, cartel=None, date__lte=until
    )


def hang_carteles(season: Season, day: dt.date, fresh: Fresh) -> None:
    """See that the carteles of the weeks to come hang."""
    if _bare(season, day + HORIZON).exists():
        announce(season, until=day + AHEAD, fresh=fresh)


def prepare(season: Season, day: dt.date, fresh: Fresh) -> None:
    """See that the carteles hang, and that none names a matador who must rest."""
    hang_carteles(season, day, fresh)
    if replace_injured(season, since=day, fresh=fresh):
        announce(season, until=day, fresh=fresh)


def _give_up_bare(season: Season, day: dt.date, fresh: Fresh) -> None:
    """A corrida of the day for which nobody can be found is not held."""
    if _bare(season, day).exists():
        announce(season, until=day, fresh=fresh)
        _bare(season, day).update(
            state=Corrida.State.FAILED, error="Fewer than three matadors were free on the day."
        )


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


def _end(run: Run, state: Run.State, reason: str, clock: Clock) -> bool:
    Run.objects.filter(pk=run.pk).update(state=state, reason=reason, ended_at=clock())
    return False


def note_breakdown(run_id: int, error: str, *, at: dt.datetime) -> None:
    """Write down why a run broke; after three times without a chunk between it has failed."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=run_id)
        run.attempts, run.reason, run.beat_at = run.attempts + 1, error, at
        if run.attempts >= TRIES and run.active:
            run.state, run.ended_at = Run.State.FAILED, at
        run.save(update_fields=["attempts", "reason", "beat_at", "state", "ended_at"])
