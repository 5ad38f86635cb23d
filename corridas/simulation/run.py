"""Runs: jobs that continue a season in chunks until its end, a date or a stop condition."""

from __future__ import annotations

import datetime as dt
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop

from core.jobs.models import TakenOverError
from corridas import sql
from corridas.models import Circuit, Corrida, Reservation, Run, Season
from corridas.simulation.draw import ContractContext, SeedFactory, announce, without_cartel
from corridas.simulation.gates import GateKeeper, asks, pass_gates
from corridas.simulation.houses import Houses
from corridas.simulation.insertion import insert_lidias
from corridas.simulation.pars import store_pars
from corridas.simulation.play import TRIES, Batch
from corridas.simulation.post import Ledger, note_records, write
from corridas.simulation.record_book import leader_of
from corridas.simulation.reservations import Reservations
from corridas.simulation.rows import NewCartel
from corridas.simulation.substitutes import replace_injured, substitute
from corridas.world import gates
from corridas.world.contract_dates import AHEAD, HORIZON, announced_until
from corridas.world.deeds import PlayedCorrida
from corridas.world.gates import due_gate, played_until
from corridas.world.stops import Happened, StopOn, read, reasons
from search import index


@transaction.atomic
def halt(circuit: Circuit, *, at: dt.datetime) -> None:
    """Cancel the runs and queued corridas of a circuit.

    A run in progress stops after its current corridas.
    """
    runs = Run.objects.filter(season__circuit=circuit)
    runs.filter(state=Run.State.QUEUED).update(
        state=Run.State.STOPPED, reason="asked", ended_at=at, stop_requested=True
    )
    runs.filter(state=Run.State.RUNNING).update(stop_requested=True)
    queued = Corrida.objects.filter(season__circuit=circuit, state=Corrida.State.QUEUED)
    queued.update(state=Corrida.State.ANNOUNCED, pace_ms=None, queued_at=None)


Clock = Callable[[], dt.datetime]
# Called when a run ends, in the same transaction. The text is the reason: "" if all corridas were
# played, "asked" if the run was stopped by hand, otherwise the stop conditions that were met.
OnEnd = Callable[[Run, str, dt.datetime], None]
# Called in the same transaction when a run fails for the last time.
OnFailure = Callable[[Run, dt.datetime], None]

NOBODY = gettext_noop(
    "Fewer than three matadors were available on that day. Add matadors to the roster before the "
    "next corridas."
)
# The message in runs of earlier versions.
EARLIER_NOBODY = gettext_noop("Fewer than three matadors were available on that day.")
# Number of corridas played and posted in one transaction. Corridas announced together stay in one
# chunk, so a chunk may be up to twice as large.
CHUNK = 200


def run_on(run_id: int, *, clock: Clock, fresh: SeedFactory, on_end: OnEnd) -> Run:
    """Continue a season until it is finished, stopped, or a stop condition is met.

    Every chunk is a transaction and updates the progress in the `Run` row. After a crash another
    worker continues with the rest.
    """
    for run in chunks(run_id, clock=clock, fresh=fresh, on_end=on_end):
        last = run
    return last


def chunks(run_id: int, *, clock: Clock, fresh: SeedFactory, on_end: OnEnd) -> Iterator[Run]:
    runner = _Runner(run_id, clock, fresh, on_end)
    while runner.step():
        yield runner.run
    yield runner.row()


class _Runner:
    """Executes one run in one worker. `run` is the row after the latest chunk.

    The season, its market and the played corridas stay in memory between chunks. They are loaded
    again if another process has changed the season.
    """

    def __init__(self, run_id: int, clock: Clock, fresh: SeedFactory, on_end: OnEnd) -> None:
        self._run_id, self._clock, self._fresh, self._on_end = run_id, clock, fresh, on_end
        self._season = self._read_season()
        self._contracts: ContractContext | None = None
        self._houses: Houses | None = None
        self._reservations: Reservations | None = None
        self._played: list[PlayedCorrida] = []
        self._hung = dt.date.min
        self.run = self.row()

    def row(self) -> Run:
        run = Run.objects.get(pk=self._run_id)
        run.season = self._season
        return run

    def _read_season(self) -> Season:
        return Season.objects.select_related("circuit__deck").get(runs=self._run_id)

    def step(self) -> bool:
        """Play one chunk. Return False if the run is over.

        Commitments are stored before the first card is drawn, because they are public from then on
        (Ruling F-2). Results depend only on the committed data: if a worker dies before it has
        stored them, the next worker gets the same cards.
        """
        try:
            first = self._first()
            if first is None:
                return False
            with _without_gc():
                ledger = self._play(first)
                self._write(ledger)
            self._played += ledger.corridas
            self._season.posted_version += 1  # as the row is now, unless someone else posts too
        except (OvertakenError, TakenOverError):
            self._contracts, self._played, self._season = None, [], self._read_season()
            self._reservations = None
        self.run = self.row()
        return self.run.active

    def _first(self) -> dt.date | None:
        run = self.run
        if not run.active:
            return None
        first = sql.first_pending(run.season_id, run.until, run.feria_id)
        if sql.stop_requested(run.pk):
            self._end(Run.State.STOPPED, "asked")
        elif first is None or not _room(run):
            self._end(Run.State.DONE, "")
        elif self._stops_at_gate(first):
            return None
        elif self._stops_before_contracting(first):
            self._end(Run.State.STOPPED, StopOn.CARTELES.value)
        else:
            return first
        return None

    def _stops_before_contracting(self, day: dt.date) -> bool:
        """Return whether the run stops before this day, because matadors would have to be
        contracted.
        """
        if StopOn.CARTELES not in read(self.run.stop_on):
            return False
        hung = self._hung if self._contracts else dt.date.min
        return bool(sql.to_contract(self._season.pk, announced_until(day, hung)))

    def _stops_at_gate(self, day: dt.date) -> bool:
        """Pass the gates before a day, or end the run at one of them and return True."""
        if self._reservations is None:
            self._reservations = Reservations(self._season)
        return self._at_gate(day) and self._asks_before(day)

    @transaction.atomic
    def _asks_before(self, day: dt.date) -> bool:
        assert self._reservations is not None
        season, known = self._lock_season(), self._reservations.days()
        # Another worker of this run may have passed a gate, or ended the run at one.
        if Reservations(season).days() != known or not self.row().active:
            raise OvertakenError
        while (due := due_gate(day, self._reservations.days())) is not None:
            contracts = self._contracts_from(season, day)
            rows = [self._reservations.rows[key] for key in due.corridas]
            asking = [
                row
                for row in rows
                if row.asked != due.gate.value and asks(row, due.gate, contracts)
            ]
            if asking:
                Reservation.objects.filter(pk__in=[row.pk for row in asking]).update(
                    asked=due.gate.value
                )
                self._end(Run.State.STOPPED, gates.REASON)
                return True
            assert self._houses is not None
            keeper = GateKeeper(
                *(self._season, contracts, self._houses), fresh=self._fresh, at=self._clock()
            )
            keeper.pass_gate(due)
        return False

    def _contracts_from(self, season: Season, day: dt.date) -> ContractContext:
        if self._contracts is None:
            self._contracts, self._hung = ContractContext(season, day), dt.date.min
            self._reservations = self._contracts.reservations
            self._houses = Houses(season, store_pars(season), self._contracts.market)
        return self._contracts

    def _lock_season(self) -> Season:
        if sql.lock_season(self._season.pk) != self._season.posted_version:
            raise OvertakenError
        return self._season

    @transaction.atomic
    def _hang(self, day: dt.date) -> ContractContext:
        season = self._lock_season()
        contracts, at = self._contracts_from(season, day), self._clock()
        if (until := announced_until(day, self._hung)) > self._hung:
            self._hung = until
            announce(season, until=until, fresh=self._fresh, contracts=contracts, at=at)
        substitute(season, contracts.market, since=day, fresh=self._fresh)
        if sql.to_contract(season.pk, day):
            announce(season, until=day, fresh=self._fresh, contracts=contracts, at=at)
            without_cartel(season, day).update(state=Corrida.State.FAILED, error=NOBODY)
        return contracts

    def _play(self, first: dt.date) -> Ledger:
        """Play one chunk. If it goes beyond the announced corridas, announce further ones."""
        run, ledger = self.run, Ledger(self._season, earlier=self._played)
        played: list[int] = []
        day: dt.date | None = first
        while day is not None and (room := _room(run, len(played))) > 0:
            if played and (self._stops_before_contracting(day) or self._at_gate(day)):
                break
            self._play_announced(self._hang(day), day, ledger, played, room)
            played = [corrida.pk for corrida in ledger.corridas]
            day = sql.first_pending(run.season_id, run.until, run.feria_id, played)
        return ledger

    def _at_gate(self, day: dt.date) -> bool:
        assert self._reservations is not None
        return due_gate(day, self._reservations.days()) is not None

    def _play_announced(
        self,
        contracts: ContractContext,
        day: dt.date,
        ledger: Ledger,
        played: Sequence[int],
        room: int,
    ) -> None:
        run, rules = self.run, self._season.engine_rules()
        until = min(run.until, self._hung)
        until = min(until, played_until(day, contracts.reservations.days()))
        batch = Batch(sql.playable(run.season_id, until, run.feria_id, room, played))
        for key in list(batch.corridas):
            if batch.names_any(key, contracts.market.is_resting):
                batch.change(self._substitute(contracts, batch.corridas[key].date))
            if key not in batch.corridas:
                break  # its cartel was deleted, and a new one is drawn next
            assert self._houses is not None
            house = self._houses.begin(batch.corridas[key], batch.places(key))
            played_now = batch.play(rules, key)
            news = ledger.enter(played_now)
            contracts.market.apply_injuries(news.injuries, news.letters)
            row = self._houses.post(played_now, house)
            if row is not None:
                ledger.houses.append(row)

    @transaction.atomic
    def _substitute(
        self, contracts: ContractContext, since: dt.date
    ) -> dict[int, NewCartel | None]:
        return substitute(self._lock_season(), contracts.market, since=since, fresh=self._fresh)

    @transaction.atomic
    def _write(self, ledger: Ledger) -> None:
        run, season, played = self.run, self._lock_season(), ledger.corridas
        conditions = read(run.stop_on)
        leader = leader_of(season) if conditions else None
        _claim(run, played, self._clock())
        insert_lidias([lidia for corrida in played for lidia in corrida.lidias])
        fallen = write(ledger, at=self._clock())
        _note_progress(run, played, self._clock)
        note_records(run, fallen)
        happened = Happened(
            injuries=len(ledger.injuries),
            indultos=sum(counters["indultos"] for counters in ledger.counters.values()),
            leader_before=leader,
            leader_after=leader_of(season) if conditions else None,
            records=len(fallen),
        )
        met = ",".join(condition.value for condition in reasons(conditions, happened))
        if met:
            self._end(Run.State.STOPPED, met)

    @transaction.atomic
    def _end(self, state: Run.State, reason: str) -> None:
        run, at = self.run, self._clock()
        run.end(at=at, state=state, reason=reason)
        index.merge()
        # Load the season again, because the circuit may have a new owner.
        run.season = Season.objects.select_related("circuit").get(pk=run.season_id)
        run.state = state
        self._on_end(run, reason, at)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Disable the garbage collector temporarily, because a chunk creates many objects but few
    cycles.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class OvertakenError(RuntimeError):
    """Another process has changed the season, so the results of this chunk are discarded."""


def played_at_once(stop_on: str) -> int:
    """Return how many corridas a run plays before it evaluates its stop conditions."""
    return 1 if stop_on else CHUNK


def _room(run: Run, played: int = 0) -> int:
    """Return how many more corridas this chunk may contain."""
    most = played_at_once(run.stop_on)
    if played >= most:
        return 0
    return most if run.most is None else min(most, run.most - run.done - played)


def prepare(season: Season, day: dt.date, fresh: SeedFactory, *, at: dt.datetime) -> None:
    pass_gates(season, day, fresh, at=at)
    if without_cartel(season, day + HORIZON).exists():
        announce(season, until=day + AHEAD, fresh=fresh, at=at)
    if replace_injured(season, since=day, fresh=fresh):
        announce(season, until=day, fresh=fresh, at=at)


def _claim(run: Run, played: Sequence[PlayedCorrida], at: dt.datetime) -> None:
    """Mark all of these corridas as posted, or none of them.

    Raises `OvertakenError` if a corrida is no longer announced, or if its matadors have changed
    since it was played.
    """
    keys = [corrida.pk for corrida in played]
    seeds = {key: bytes(seed) for key, seed, _deck in sql.seeds(keys)}
    # A corrida without a seed has lost its cartel (bill) in the meantime.
    if any(seeds.get(corrida.pk) != corrida.seed for corrida in played):
        raise OvertakenError
    rows = Corrida.objects.filter(pk__in=keys)
    claimed = rows.filter(state=Corrida.State.ANNOUNCED).update(
        state=Corrida.State.POSTED, posted_at=at, run=run.pk
    )
    if claimed != len(keys):
        raise OvertakenError
    broken = [corrida.pk for corrida in played if corrida.suspended]
    if broken:
        rows.filter(pk__in=broken).update(state=Corrida.State.SUSPENDED)


def _note_progress(run: Run, played: Sequence[PlayedCorrida], clock: Clock) -> None:
    run.beat(
        at=clock(),
        state=Run.State.RUNNING,
        done=F("done") + len(played),
        last=played[-1].pk if played else run.last_id,
        attempts=0,
    )


def note_breakdown(
    run_id: int, error: str, *, at: dt.datetime, on_failure: OnFailure, lasting: bool = False
) -> None:
    """Store the message (see `breakdowns`) that says why a run failed.

    After three failures in a row the run ends; after a `lasting` error at once.
    """
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=run_id)
        run.attempts, run.reason, run.beat_at = run.attempts + 1, error, at
        if (lasting or run.attempts >= TRIES) and run.active:
            run.state, run.ended_at = Run.State.FAILED, at
        run.save(update_fields=["attempts", "reason", "beat_at", "state", "ended_at"])
        if run.state == Run.State.FAILED:
            on_failure(run, at)
