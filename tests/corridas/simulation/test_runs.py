"""Runs, which play a season's corridas at once: their goals, stop conditions and progress."""

import datetime as dt
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from accounts.models import Notice, User
from corridas import notifications
from corridas.errors import OperationError
from corridas.models import Circuit, Corrida, Feria, Injury, Lidia, Matador, Record, Run, Season
from corridas.season.operations import Goal, OnAirError, prepare_run, request_stop
from corridas.simulation import breakdowns
from corridas.simulation.draw import announce
from corridas.simulation.play import play_on_air
from corridas.simulation.record_book import leader_of
from corridas.simulation.run import _Runner, chunks, halt, note_breakdown, run_on
from corridas.simulation.sweep import next_for_the_sand
from corridas.tasks import run_season
from corridas.world.stops import StopOn
from fairness import Seed
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.corridas.simulation.world import NOW
from tests.scratch import seeds

pytestmark = pytest.mark.usefixtures("rows")


def over(season: Season) -> list[Corrida]:
    return list(Corrida.objects.over().filter(season=season).order_by("date", "pk"))


def run(season: Season, goal: Goal, *stop_on: StopOn) -> Run:
    return world.run_on(world.begin(season, goal, stop_on))


def test_run_of_one_corrida_plays_the_next_one() -> None:
    season = world.calm()
    expected = Corrida.objects.of_season(season)[:1]
    ended = run(season, Goal(corridas=1))
    assert (ended.state, ended.done, ended.total) == ("done", 1, 1)
    assert over(season) == list(expected)
    assert ended.last == over(season)[0]
    assert ended.ended_at == ended.beat_at == NOW


@pytest.mark.slow
def test_repeated_runs_of_one_corrida_play_the_whole_season() -> None:
    season = world.calm()
    for played in range(1, 5):
        run(season, Goal(corridas=1))
        assert len(over(season)) == played
    with pytest.raises(
        OperationError, match="There are no corridas left to play up to the date that you chose"
    ):
        run(season, Goal(corridas=1))
    assert faults(season) == []


def test_run_of_too_many_corridas_ends_with_the_season() -> None:
    ended = run(world.calm(), Goal(corridas=99))
    assert (ended.state, ended.done, ended.total) == ("done", 4, 4)


def test_run_of_a_feria_plays_only_its_corridas() -> None:
    season = world.wild()
    feria = Feria.objects.get(season=season, name="Feria de Provincias")
    ended = run(season, Goal(feria=feria))
    assert (ended.state, ended.done, ended.total) == ("done", 3, 3)
    assert {corrida.feria_id for corrida in over(season)} == {feria.pk}
    assert faults(season) == []


def test_run_until_a_date_plays_up_to_that_date() -> None:
    season = world.calm()
    ended = run(season, Goal(until=dt.date(world.YEAR, 3, 2)))
    assert (ended.state, ended.done) == ("done", 3)
    assert max(corrida.date for corrida in over(season)) == dt.date(world.YEAR, 3, 2)


def test_run_to_the_end_plays_all_corridas() -> None:
    season = world.wild()
    ended = run(season, Goal())
    assert (ended.state, ended.done, ended.total, ended.reason) == ("done", 11, 11, "")
    assert len(over(season)) == 11
    assert season.corridas.filter(posted_at=NOW).count() == 11


def test_run_stops_after_the_first_injury() -> None:
    season = world.wild()
    ended = run(season, Goal(), StopOn.INJURY)
    assert (ended.state, ended.reason) == ("stopped", "injury")
    hurt = Injury.objects.order_by().values_list("corrida", flat=True).distinct()
    assert list(hurt) == [over(season)[-1].pk]
    assert Corrida.objects.of_season(season).filter(state="announced").exists()
    assert faults(season) == []


@pytest.mark.slow
def test_run_stops_after_the_first_indulto() -> None:
    season = world.found_long()
    ended = run(season, Goal(), StopOn.INDULTO)
    assert (ended.state, ended.reason) == ("stopped", "indulto")
    spared = Lidia.objects.filter(ending="spared").values_list("corrida", flat=True).distinct()
    assert list(spared) == [over(season)[-1].pk]
    assert ended.done == len(over(season)) > 1


def test_run_stops_after_a_new_leader() -> None:
    season = world.wild()
    begun = world.begin(season, None, (StopOn.LEADER,))
    told = [
        (progress.reason, leader_of(season))
        for progress in chunks(
            begun.pk, clock=lambda: NOW, fresh=seeds("leader"), on_end=notifications.run_ended
        )
    ]
    *before, (reason, leader) = told
    assert reason == "leader"
    assert len(set(before)) == 1, "the first leader took it from nobody"
    assert leader != before[0][1]


def test_run_names_the_condition_that_stopped_it() -> None:
    ended = run(world.wild(), Goal(), StopOn.INDULTO, StopOn.INJURY)
    assert ended.state == "stopped"
    assert "injury" in ended.reason.split(",")


def test_run_that_should_stop_ends_before_the_next_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corridas.simulation.run.CHUNK", 4)
    season = world.wild()
    begun = world.begin(season)
    for progress in chunks(
        begun.pk, clock=lambda: NOW, fresh=seeds("stop"), on_end=notifications.run_ended
    ):
        if progress.active:
            request_stop(run=progress)
    ended = Run.objects.get()
    assert (ended.state, ended.reason) == ("stopped", "asked")
    assert 0 < ended.done == len(over(season)) < 11
    with pytest.raises(OperationError, match="This run of corridas has already ended"):
        request_stop(run=ended)


def test_run_cancelled_before_its_first_chunk_posts_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = world.calm()
    begun = world.begin(season)
    play = _Runner._play

    def called_off(runner: Any, office: Any) -> Any:
        halt(season.circuit, at=NOW)
        return play(runner, office)

    monkeypatch.setattr(_Runner, "_play", called_off)
    ended = world.run_on(begun)
    assert (ended.state, ended.reason, ended.done) == ("stopped", "asked", 0)
    assert over(season) == []
    assert faults(season) == []


def test_run_reports_its_progress_after_every_chunk() -> None:
    season = world.wild()
    told = [
        (progress.state, progress.done, progress.last)
        for progress in chunks(
            world.begin(season).pk,
            clock=lambda: NOW,
            fresh=seeds("told"),
            on_end=notifications.run_ended,
        )
    ]
    done = [count for _, count, _ in told]
    assert done == sorted(done)
    assert told[0][0] == "running"
    assert told[-1] == ("done", 11, over(season)[-1])


def test_finished_run_is_not_continued() -> None:
    season = world.calm()
    ended = run(season, Goal(corridas=2))
    again = world.run_on(ended)
    assert (again.state, again.done) == ("done", 2)
    assert len(over(season)) == 2


class Breaks:
    """An invalid deck, which makes every attempt to play fail until it is repaired."""

    def __init__(self, season: Season) -> None:
        self.deck = season.circuit.deck
        self.cards = self.deck.cards
        lines = self.cards.splitlines()
        self.write("\n".join(["4 | NATURAL+", *lines[1:]]), "0" * 64)

    def write(self, cards: str, digest: str) -> None:
        self.deck.cards, self.deck.digest = cards, digest
        self.deck.save()


def test_permanent_error_ends_the_run_at_once_with_a_message() -> None:
    season = world.wild()
    begun = world.begin(season)
    Breaks(season)
    run_season(begun.pk)
    failed = Run.objects.get()
    assert (failed.state, failed.attempts) == ("failed", 1)
    assert failed.reason == breakdowns.INVALID
    assert failed.ended_at is not None
    assert over(season) == []
    assert faults(season) == []
    assert breakdowns.translated(failed.reason).startswith("A card, the deck or a rule")
    with translation.override("es"):
        assert breakdowns.translated(failed.reason).startswith("Una carta, el mazo o una regla")


def test_run_with_an_unexpected_error_is_tried_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = world.begin(world.calm())

    def fail(*_args: object, **_options: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr("corridas.simulation.run.insert_lidias", fail)
    for tries in (1, 2):
        run_season(begun.pk)
        waiting = Run.objects.get()
        assert (waiting.state, waiting.attempts) == ("queued", tries)
    run_season(begun.pk)
    failed = Run.objects.get()
    assert (failed.state, failed.reason) == ("failed", breakdowns.UNEXPECTED)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"instant": True}, id="play_season"),
        pytest.param({"count": 1}, id="play_seasons"),
    ],
)
def test_command_with_a_permanent_error_shows_it_and_leaves_no_run(
    options: dict[str, Any],
) -> None:
    season = world.wild()
    Breaks(season)
    with pytest.raises(CommandError, match="Check the roster, correct what is wrong"):
        call_command("play", circuit=season.circuit.slug, **options)
    failed = Run.objects.get()
    assert (failed.state, failed.reason) == ("failed", breakdowns.INVALID)


def test_interrupted_command_stops_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    season = world.calm()

    def interrupt(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("corridas.simulation.run.insert_lidias", interrupt)
    with pytest.raises(CommandError, match="was stopped"):
        call_command("play", circuit=season.circuit.slug, instant=True)
    assert Run.objects.get().state == "stopped"


def test_successful_chunk_resets_the_number_of_failures() -> None:
    season = world.wild()
    begun = world.begin(season)
    for _ in range(2):
        note_breakdown(begun.pk, "OSError: gone", at=NOW, on_failure=notifications.run_broken)
    ended = run_on(begun.pk, clock=lambda: NOW, fresh=Seed.fresh, on_end=notifications.run_ended)
    assert (ended.state, ended.attempts, ended.reason) == ("done", 0, "")
    assert faults(season) == []


def test_run_does_not_end_if_its_notification_fails() -> None:
    run = world.begin(world.calm())
    reasons = []

    def fail(run: Run, reason: str, at: dt.datetime) -> None:
        raise OSError("no mail")

    def succeed(run: Run, reason: str, at: dt.datetime) -> None:
        reasons.append(reason)

    with pytest.raises(OSError, match="no mail"):
        run_on(run.pk, clock=lambda: NOW, fresh=seeds("end"), on_end=fail)
    assert Run.objects.get().active
    run_on(run.pk, clock=lambda: NOW, fresh=seeds("end"), on_end=succeed)
    assert (Run.objects.get().state, reasons) == ("done", [""])


def test_season_can_be_played_again_after_a_failed_run() -> None:
    season = world.calm()
    begun = world.begin(season)
    for _ in range(3):
        note_breakdown(begun.pk, "OSError: gone", at=NOW, on_failure=notifications.run_broken)
    assert Run.objects.get().state == "failed"
    assert run(season, Goal()).state == "done"


def test_run_ends_a_broadcast_and_includes_queued_corridas() -> None:
    season = world.calm()
    keys = world.queue_all(season)
    play_on_air(keys[0], at=NOW)
    begun = world.begin(season)
    assert Corrida.objects.get(pk=keys[0]).is_over
    assert begun.total == 3
    world.run_on(begun)
    assert len(over(season)) == 4
    assert faults(season) == []


def test_run_ends_broadcasts_only_if_the_director_agreed() -> None:
    season = world.calm()
    first, second, *_others = world.queue_all(season)
    for key in (first, second):
        play_on_air(key, at=NOW)
    for agreed in ((), (first,), (first, 0)):
        with pytest.raises(OnAirError, match="on air"):
            prepare_run(season=season, goal=Goal(), at=NOW, posts=agreed)
    assert not Run.objects.exists()
    assert not over(season)
    prepare_run(season=season, goal=Goal(), at=NOW, posts=(first, second, 0))
    assert {corrida.pk for corrida in over(season)} == {first, second}


@pytest.mark.slow
def test_injured_matador_is_replaced_with_a_new_commitment() -> None:
    season = world.wild()
    announce(season, until=dt.date(world.YEAR, 12, 31), fresh=seeds("first"))
    before = {
        corrida.pk: bytes(corrida.cartel.commitment)
        for corrida in Corrida.objects.of_season(season)
    }
    run(season, Goal())
    replaced = set(
        Corrida.objects.of_season(season)
        .filter(cartel__puestos__instead_of__isnull=False)
        .values_list("pk", flat=True)
    )
    assert replaced
    after = {
        corrida.pk: bytes(corrida.cartel.commitment)
        for corrida in Corrida.objects.of_season(season).filter(cartel__isnull=False)
    }
    changed = {key for key, promised in after.items() if promised != before[key]}
    assert replaced <= changed
    assert faults(season) == []


def test_owner_at_the_end_of_a_run_is_notified_that_the_season_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("corridas.simulation.run.CHUNK", 2)
    season, (ana, eva) = world.calm(), (User.objects.create(username=name) for name in "ae")
    Circuit.objects.filter(pk=season.circuit_id).update(owner=ana)
    begun = prepare_run(season=season, goal=Goal(), at=NOW, by=ana)
    steps = chunks(
        begun.pk, clock=lambda: NOW, fresh=seeds("owners"), on_end=notifications.run_ended
    )
    next(steps)
    Circuit.objects.filter(pk=season.circuit_id).update(owner=eva)
    assert [progress.state for progress in steps][-1] == "done"
    told = Notice.objects.filter(kind="season_over").values_list("user", flat=True)
    assert list(told) == [eva.pk]


def test_run_lists_its_corridas_and_the_records_broken() -> None:
    season = world.wild()
    first = run(season, Goal(corridas=2))
    ended = run(season, Goal(), StopOn.RECORD)
    assert first.corridas.count() == first.done == 2
    assert ended.corridas.count() == ended.done
    assert ended.last in ended.corridas.all()
    assert (ended.state, ended.reason) == ("stopped", "record")
    for line in ended.fallen or []:
        record = Record.objects.get(
            book__circuit=season.circuit, book__scope="circuit", key=line["key"]
        )
        assert line["value"] == record.value > line["before"]
    assert ended.fallen


def test_circuit_with_an_invalid_roster_is_not_retried_every_second() -> None:
    season = world.calm()
    Circuit.objects.filter(pk=season.circuit_id).update(always_on_air=True)
    Matador.objects.filter(circuit=season.circuit_id)[0].cards.update(rabo="-")
    options: Any = {"at": NOW, "fresh": seeds("sweep"), "on_winter": notifications.winter_over}
    assert next_for_the_sand(**options) == []
    assert not Circuit.objects.get(pk=season.circuit_id).always_on_air
    failed = Corrida.objects.get(season=season, state=Corrida.State.FAILED)
    assert failed == Corrida.objects.of_season(season).first()
    assert failed.error == breakdowns.INVALID
    assert next_for_the_sand(**options) == []
    assert Corrida.objects.filter(season=season, state=Corrida.State.FAILED).count() == 1


def test_failed_run_is_explained_in_the_readers_language() -> None:
    asked_by = User.objects.create_user("empresario")
    season = world.wild()
    begun = prepare_run(season=season, goal=Goal(), at=NOW, by=asked_by)
    Breaks(season)
    run_season(begun.pk)
    notice = Notice.objects.get(user=asked_by)
    with translation.override("es"):
        assert "Revisa el plantel" in notifications.RUN_BROKEN.sentence(notice.data)
