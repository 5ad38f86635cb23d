"""Copies of a small circuit, which take little time: their rows, progress, attempts and end."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import Notice, User
from corridas.addresses import address
from corridas.circuit_queries import copies_under_way, has_history
from corridas.circuits import copy_job
from corridas.circuits.copying import cancel_copy, request_copy
from corridas.circuits.operations import delete_circuit
from corridas.errors import OperationError
from corridas.models import Bull, Cartel, Circuit, CircuitCopy, Corrida, Run, Season, Winter
from corridas.search_index import rows_beside_corridas
from corridas.simulation.schedule import promise_winter
from fairness import Seed
from search import index
from search.models import Entry
from tests.corridas.circuits.barrio import NOW, copied, made
from tests.factories import World, small_circuit

pytestmark = pytest.mark.django_db

SECOND = dt.timedelta(seconds=1)
State, Reason = CircuitCopy.State, CircuitCopy.Reason


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def beto() -> User:
    return User.objects.create_user("beto")


@pytest.fixture
def world(ana: User) -> World:
    """Return a public circuit with a posted and an announced corrida, a run and a winter."""
    world = small_circuit("plain", "Plain", owner=ana, public=True)
    posted = world.post(world.announce(dt.date(2027, 3, 2)))
    world.announce(dt.date(2027, 3, 9))
    Run.objects.create(
        season=world.season,
        until=posted.date,
        state=Run.State.DONE,
        asked_at=NOW,
        ended_at=NOW,
        last=posted,
    )
    bull = Bull.objects.earliest("pk")
    for year in (2025, 2026):
        season = Season.objects.create(
            circuit=world.circuit, year=year, seed=b"o" * 32, commitment=b"c" * 32
        )
        promise_winter(season, Seed(b"w" * 32))
        news = [{"kind": "spared", "bull": bull.pk}, {"kind": "retired"}]
        Winter.objects.filter(season=season).update(done_at=NOW, news=news)
    promise_winter(world.season, Seed(b"w" * 32))
    return world


def test_a_copy_has_seeds_of_its_own_for_what_is_still_to_come(world: World, beto: User) -> None:
    """What is over keeps its seeds, so that it can still be verified."""
    copy = copied(world.circuit, beto)
    seeds: dict[str, Any] = {}
    for season in copy.seasons.select_related("winter"):
        seeds[f"{season.year}"] = bytes(season.seed)
        seeds[f"winter {season.year}"] = bytes(season.winter.seed)
    for cartel in Cartel.objects.filter(corrida__season__circuit=copy).select_related("corrida"):
        seeds[cartel.corrida.state] = bytes(cartel.seed)
    kept = {name for name, seed in seeds.items() if seed in (b"s" * 32, b"o" * 32, b"w" * 32)}
    assert kept == {"posted", "2025", "winter 2025", "2026", "winter 2026"}
    assert seeds.keys() - kept == {"announced", "2027", "winter 2027"}


def test_rows_of_a_copy_name_only_rows_of_the_copy(world: World, beto: User) -> None:
    copy = copied(world.circuit, beto)
    posted = Corrida.objects.get(season__circuit=copy, state="posted")
    assert Run.objects.get(season__circuit=copy).last == posted
    (first,) = Bull.objects.filter(cartel=posted.pk, place=0)
    news = Winter.objects.filter(season__circuit=copy).exclude(done_at=None)
    assert [winter.news[0]["bull"] for winter in news] == [first.pk, first.pk]


def test_a_finished_copy_says_how_many_rows_it_has_and_notifies_its_owner(
    world: World, beto: User
) -> None:
    Circuit.objects.filter(pk=world.circuit.pk).update(founded_at=NOW - dt.timedelta(days=9))
    job = made(request_copy(circuit=world.circuit, by=beto, at=NOW))
    copy = job.circuit
    assert copy is not None
    assert (copy.name, copy.founded_at) == ("Copy of Plain", NOW)
    assert (job.state, job.ended_at, job.beat_at, job.lidias) == ("done", NOW, None, 6)
    assert job.done == job.total > 40
    assert not has_history(copy)
    (notice,) = Notice.objects.all()
    assert (notice.user, notice.kind) == (beto, "circuit_copied")
    assert notice.link == address(copy.slug, "desk")
    found = Entry.objects.filter(scope=copy.pk)
    assert found.count() == len(list(rows_beside_corridas(copy.pk)))
    Circuit.objects.filter(pk=copy.pk).update(public=True)
    assert delete_circuit(circuit=copy, by=beto, at=NOW)
    circuit = Circuit.everything.get(pk=copy.pk)
    assert (circuit.public, circuit.owner, circuit.incomplete) == (False, None, True)
    assert copy_job.remove_copy(job.pk, clock=lambda: NOW)
    assert not copy_job.remove_copy(job.pk, clock=lambda: NOW)
    assert not found.exists()


def test_a_copy_with_more_rows_than_are_left_fails_and_notifies_its_user(
    world: World, beto: User, settings: Settings
) -> None:
    """Superusers may copy any number of rows."""
    settings.COPIED_ROWS_A_USER = 20
    job = made(request_copy(circuit=world.circuit, by=beto, at=NOW))
    assert (job.state, job.reason, job.circuit) == ("failed", "budget", None)
    (notice,) = Notice.objects.all()
    assert (notice.user, notice.kind) == (beto, "circuit_copy_failed")
    copy_job.fail(job.pk, Reason.GONE, at=NOW)
    job.refresh_from_db()
    assert job.reason == "budget", "it had failed already"
    settings.COPIED_ROWS_A_USER = 0
    with pytest.raises(OperationError, match="at most 0 rows in total"):
        request_copy(circuit=world.circuit, by=beto, at=NOW)
    User.objects.filter(pk=beto.pk).update(is_superuser=True)
    assert made(
        request_copy(circuit=world.circuit, by=User.objects.get(pk=beto.pk), at=NOW)
    ).circuit


def test_a_copy_is_tried_three_times_and_not_after_a_lasting_error(
    world: World, beto: User
) -> None:
    job = CircuitCopy.objects.create(
        source=world.circuit, asked_by=beto, name="Copy", asked_at=NOW, state=State.RUNNING
    )

    def goes_on(attempts: int, *, lasting: bool = False, state: str = State.RUNNING) -> bool:
        changes: dict[str, Any] = {"attempts": attempts, "state": state, "beat_at": NOW}
        CircuitCopy.objects.filter(pk=job.pk).update(**changes, ended_at=None)
        again = copy_job.note_breakdown(job.pk, at=NOW, lasting=lasting)
        job.refresh_from_db()
        return again

    assert goes_on(2)
    assert (job.state, job.beat_at) == ("queued", None)
    assert not goes_on(2, state=State.CANCELLED)
    assert job.state == "cancelled"
    assert not goes_on(1, lasting=True)
    assert (job.state, job.reason) == ("failed", "broken")
    assert not goes_on(3)
    assert (job.state, job.reason) == ("failed", "broken")


def test_the_third_attempt_removes_the_rows_of_the_attempt_before(world: World, beto: User) -> None:
    """The workers of two attempts were killed. After three the copy fails."""
    job = request_copy(circuit=world.circuit, by=beto, at=NOW)
    first = Circuit.everything.create(
        slug="_copy-0", name="Copy", deck=world.deck, incomplete=True, archived_at=NOW
    )
    index.add_rows(list(rows_beside_corridas(world.circuit.pk)))
    left = CircuitCopy.objects.filter(pk=job.pk)
    left.update(attempts=2, circuit=first, state=State.RUNNING)
    again = made(job)
    assert (again.state, again.attempts) == ("done", 3)
    assert not Circuit.everything.filter(pk=first.pk).exists()
    left.update(state=State.QUEUED, ended_at=None, circuit=None)
    again = made(job)
    assert (again.state, again.reason, again.attempts) == ("failed", "broken", 4)


def test_a_request_that_no_worker_takes_for_20_seconds_is_lost(world: World, beto: User) -> None:
    job = request_copy(circuit=world.circuit, by=beto, at=NOW)
    assert copy_job.lost_copies(at=NOW + 19 * SECOND) == []
    assert copy_job.lost_copies(at=NOW + 20 * SECOND) == [job.pk]


def test_a_request_that_ended_is_forgotten_30_days_later(world: World, beto: User) -> None:
    job = request_copy(circuit=world.circuit, by=beto, at=NOW - dt.timedelta(days=2))
    copy_job.fail(job.pk, Reason.GONE, at=NOW)
    copy_job.forget_copies(at=NOW + dt.timedelta(days=30) - SECOND)
    assert CircuitCopy.objects.exists()
    copy_job.forget_copies(at=NOW + dt.timedelta(days=30))
    assert not CircuitCopy.objects.exists()


def test_only_the_user_who_requested_a_copy_sees_it_and_can_cancel_it(
    world: World, beto: User, admin_user: User
) -> None:
    job = request_copy(circuit=world.circuit, by=beto, at=NOW)
    assert copies_under_way(beto) == [job]
    page = reverse("circuit_copying", args=[job.pk])
    for other in (world.circuit.owner, admin_user):
        assert other is not None
        assert copies_under_way(other) == []
        with pytest.raises(PermissionDenied):
            cancel_copy(copy=job, by=other, at=NOW)
        client = Client()
        client.force_login(other)
        assert client.get(page).status_code == 404
        assert client.post(page).status_code == 404
    assert cancel_copy(copy=job, by=beto, at=NOW)
    job.refresh_from_db()
    assert (job.state, job.ended_at, job.beat_at) == ("cancelled", NOW, None)
    assert copies_under_way(beto) == []
    assert not cancel_copy(copy=job, by=beto, at=NOW + SECOND)


def test_the_page_of_a_copy_shows_its_progress_and_its_end(world: World, beto: User) -> None:
    client = Client()
    client.force_login(beto)
    job = request_copy(circuit=world.circuit, by=beto, at=NOW)
    row = CircuitCopy.objects.filter(pk=job.pk)
    way = reverse("circuit_copying", args=[job.pk])

    def shown(**changes: Any) -> str:
        row.update(**changes)
        return " ".join(client.get(way).text.split())

    listed = client.get(reverse("circuits")).text
    assert f'href="{way}"' in listed
    assert "“Copy of Plain” is being created" in listed
    assert " / " not in shown().partition('id="copy"')[2].partition("<form")[0]
    going = shown(done=1200, total=34000)
    for part in (
        "1,200 / 34,000",
        'max="34000" value="1200"',
        "every 1s",
        "unsent.js",
        "Cancel copy",
    ):
        assert part in going
    failed = shown(state=State.FAILED, reason=Reason.HIDDEN, ended_at=NOW)
    assert "You can no longer see the circuit." in failed
    for part in ("every 1s", "unsent.js", "Cancel copy"):
        assert part not in failed
    assert client.post(way)["Location"] == way, "it has ended already"
    assert "The copy was cancelled." in shown(state=State.CANCELLED, reason="")
    own = Circuit.objects.create(slug="own", name="Own", deck=world.deck, owner=beto)
    done = shown(state=State.DONE, circuit=own)
    assert 'href="/circuitos/own/"' in done
    assert 'href="/circuitos/own/direccion/"' in done
    assert way not in client.get(reverse("circuits")).text
    assert "This copy has been deleted." in shown(circuit=None)
    row.update(state=State.RUNNING, ended_at=None)
    assert client.post(way)["Location"] == reverse("circuits")


def test_the_page_that_deletes_a_copy_says_that_it_is_one(world: World, beto: User) -> None:
    """It counts what the circuit contains."""
    client = Client()
    client.force_login(beto)
    copy = copied(world.circuit, beto)
    way = address(copy.slug, "circuit_delete")
    Corrida.objects.filter(season__circuit=copy, state="announced").update(state="suspended")
    copy.matadors.filter(slug="matador-0").update(state="retired")
    page = " ".join(client.get(way).text.split())
    assert "No corrida has been fought in this copy" in page
    for said, count in (("Seasons", 3), ("Corridas fought", 2), ("Matadors", 4), ("Plazas", 2)):
        assert f">{said}</dt><dd>{count}</dd>" in page
    assert ">Ganaderías</dt><dd>1</dd>" in page
    Circuit.objects.filter(pk=copy.pk).update(frozen_at=timezone.now())
    assert "Delete circuit permanently" in client.get(way).text
    Circuit.objects.filter(pk=copy.pk).update(archived_at=timezone.now())
    assert "This circuit is already archived." in client.get(way).text
