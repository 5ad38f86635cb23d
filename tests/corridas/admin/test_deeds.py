"""Actions of the admin site: put a corrida on air, retry it, cut it short, stop a run.

The tests check the permissions that the actions need and the messages that they show.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from config.celery import app as celery_app
from corridas.models import Corrida, Run
from tests.factories import World
from tests.site import free_port

LIST = "/admin/corridas/corrida/"
DAY = dt.date(2027, 5, 1)


def staff(*permissions: str) -> Client:
    """Return a test client that is signed in as a staff user with exactly these permissions."""
    person = User.objects.create_user("mayoral", is_staff=True)
    person.user_permissions.set(
        Permission.objects.filter(codename__in=(*permissions, "oversee_circuits"))
    )
    client = Client()
    client.force_login(person)
    return client


def act(client: Client, verb: str, *chosen: Corrida) -> str:
    """Run an admin action on the chosen corridas and return the text of the next page."""
    given = {"action": verb, "_selected_action": [str(corrida.pk) for corrida in chosen]}
    return client.post(LIST, given, follow=True).text


def fail(corrida: Corrida) -> Corrida:
    corrida.state, corrida.pace_ms = Corrida.State.FAILED, 777
    corrida.attempts, corrida.error = 3, "DeckError: A deck has 70 cards, this one 69."
    corrida.save()
    return corrida


def run(world: World, state: str = "running") -> Run:
    return Run.objects.create(
        season=world.season, until=DAY, state=state, total=9, done=2, asked_at=timezone.now()
    )


def test_an_announced_corrida_can_be_put_on_air_from_the_admin(
    world: World, office: Client, valkey: str
) -> None:
    corrida = world.announce(DAY)
    assert "La Vieja, Ronda, 1 May 2027 is about to start." in act(office, "queue", corrida)
    corrida.refresh_from_db()
    assert (corrida.state, corrida.pace_ms) == (Corrida.State.QUEUED, 3000)


def test_an_admin_action_reports_each_rejected_corrida_and_handles_the_others(
    lived: World, office: Client, valkey: str
) -> None:
    waiting = lived.announce(DAY)
    over = Corrida.objects.over()[0]
    said = act(office, "queue", over, waiting)
    assert f"{over} is no longer waiting to be played. Its state is now “over”." in said
    assert f"{waiting} is about to start." in said


def test_an_unreachable_broker_is_reported(
    world: World, office: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(celery_app.conf, "broker_url", f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr(celery_app, "_pool", None)  # connections of earlier tests
    monkeypatch.setattr(celery_app.amqp, "_producer_pool", None)
    corrida = world.announce(DAY)
    assert (
        "The task queue is not available at the moment. This task will start as soon as "
        "the queue is back."
    ) in act(office, "queue", corrida)
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.QUEUED


def test_a_failed_corrida_can_be_retried_from_the_admin_index(
    world: World, office: Client, valkey: str
) -> None:
    corrida = fail(world.announce(DAY))
    first = office.get("/admin/").text
    retry = f"{LIST}{corrida.pk}/do/retry/"
    assert corrida.error in first
    assert retry in first
    answer = office.post(retry, {"back": "index"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/admin/"
    corrida.refresh_from_db()
    assert (corrida.state, corrida.pace_ms, corrida.error) == ("queued", 777, "")
    assert (
        LogEntry.objects.get().get_change_message()
        == f"The site will try to play this corrida again: {corrida}."
    )


@pytest.mark.slow
def test_a_broadcast_can_be_cut_short_after_confirmation(world: World, office: Client) -> None:
    corrida = world.air_in_earnest(world.announce(DAY), seconds=30)
    single = f"/admin/corridas/corrida/{corrida.pk}/do/cut-short/"
    for asked in (act(office, "cut-short", corrida), office.post(single).text):
        assert f"{corrida} is on air. Its results will be posted immediately." in asked
        assert "The number of people watching is not known at the moment." in asked
        assert 'name="sure" value="yes"' in asked
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.ON_AIR
    assert (
        f"The results of {corrida} have been posted."
        in office.post(single, {"sure": "yes"}, follow=True).text
    )
    corrida.refresh_from_db()
    assert corrida.is_over
    assert f"{corrida} is not on air." in act(office, "cut-short", corrida)


def test_repeating_a_failed_run_asks_before_it_posts_the_corrida_on_air(
    world: World, office: Client, valkey: str
) -> None:
    corrida = world.air_in_earnest(world.announce(DAY), seconds=30)
    world.announce(dt.date(2027, 4, 1))
    broken = run(world, "failed")
    address = f"/admin/corridas/run/{broken.pk}/do/again/"
    asked = office.post(address).text
    assert f"{corrida} is on air. Its results will be posted immediately." in asked
    assert "Nobody is watching." in asked
    assert list(Run.objects.all()) == [broken]
    office.post(address, {"sure": "yes"})
    assert Run.objects.count() == 2


def test_a_run_can_be_stopped_and_a_finished_run_cannot(world: World, office: Client) -> None:
    going = run(world)
    address = f"/admin/corridas/run/{going.pk}/do/stop/"
    assert address in office.get("/admin/").text
    assert "The season will stop after" in office.post(address, follow=True).text
    going.refresh_from_db()
    assert going.stop_requested
    Run.objects.update(state=Run.State.DONE)
    assert "This run of corridas has already ended." in office.post(address, follow=True).text


@pytest.mark.parametrize(
    ("state", "button"),
    [
        ("announced", "Put the corrida on air"),
        ("failed", "Try again"),
        ("on_air", "Cut the broadcast short"),
        ("posted", None),
        ("queued", None),
    ],
)
def test_a_corrida_s_admin_page_offers_the_actions_that_its_state_allows(
    world: World, office: Client, state: str, button: str | None
) -> None:
    corrida = world.announce(DAY)
    Corrida.objects.update(state=state)
    offered = office.get(f"{LIST}{corrida.pk}/change/").context["verbs"]
    assert [str(verb.label) for verb in offered] == ([button] if button else [])


def test_the_admin_index_shows_what_is_running_but_no_results(world: World, office: Client) -> None:
    on_air = world.air(world.announce(DAY), seconds=300)
    Run.objects.create(
        season=world.season,
        until=DAY,
        state="failed",
        reason="OperationalError: disk full",
        asked_at=timezone.now(),
    )
    shown = office.get("/admin/").text
    assert f'href="/corridas/{on_air.pk}/"' in shown
    assert "OperationalError: disk full" in shown
    for word in ("Oreja", "oreja", "rabo", "Silencio", "Ovación"):
        assert word not in shown


def test_the_admin_index_says_when_no_corrida_is_waiting(world: World, office: Client) -> None:
    assert (
        "There is nothing to do: no corridas are waiting to be played."
        in office.get("/admin/").text
    )


def test_staff_with_view_permission_only_cannot_retry_a_corrida(world: World) -> None:
    corrida, looks = fail(world.announce(DAY)), staff("view_corrida")
    assert looks.get(f"{LIST}{corrida.pk}/change/").status_code == 200
    assert "retry" not in looks.get("/admin/").text
    assert 'name="action"' not in looks.get(LIST).text
    assert looks.post(f"{LIST}{corrida.pk}/do/retry/").status_code == 403
    act(looks, "retry", corrida)
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.FAILED


def test_staff_with_change_permission_can_retry_a_corrida(world: World, valkey: str) -> None:
    corrida = fail(world.announce(DAY))
    staff("view_corrida", "change_corrida").post(f"{LIST}{corrida.pk}/do/retry/")
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.QUEUED


def test_creating_the_next_printing_requires_the_permission_to_add_cards(world: World) -> None:
    world.announce(DAY)
    romero = world.matadors[0]
    address = f"/admin/corridas/matador/{romero.pk}/do/next-printing/"
    assert staff("view_matador", "change_matador").post(address).status_code == 403
    assert romero.cards.count() == 1


def test_staff_without_view_permission_see_no_corridas_on_the_admin_index(world: World) -> None:
    fail(world.announce(DAY))
    shown = staff("view_plaza").get("/admin/").text
    assert "This afternoon" not in shown
    assert "Ronda" not in shown


def test_a_director_who_is_not_staff_cannot_use_the_admin(world: World, client: Client) -> None:
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    assert client.get(LIST).status_code in {302, 403}
    assert client.post(f"{LIST}1/do/queue/").status_code in {302, 403}


def test_an_admin_action_requires_a_post_request(world: World, office: Client) -> None:
    corrida = world.announce(DAY)
    assert office.get(f"{LIST}{corrida.pk}/do/queue/").status_code == 405
    assert office.post(f"{LIST}{corrida.pk}/do/dance/").status_code == 403
    assert office.post(f"{LIST}999/do/queue/", follow=True).status_code == 200
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.ANNOUNCED
