"""Following matadors and herds: the button, the list, the marks on pages, and notifications."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.account_deletion import registry
from accounts.data_export.registry import ExportTable, export_parts
from accounts.models import Notice, User
from corridas import notifications
from corridas.errors import OperationError
from corridas.following import operations
from corridas.following.operations import follow, unfollow
from corridas.following.queries import (
    Followed,
    followed_first,
    followed_keys,
    followed_rows,
    followers,
)
from corridas.models import Circuit, Corrida, Follow, Ganaderia, Lidia, Matador, Run
from tests.factories import World, small_circuit

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2027, 3, 1, tzinfo=dt.UTC)


@pytest.fixture
def user() -> User:
    return User.objects.create_user("vera")


@pytest.fixture
def vera(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def test_a_user_can_follow_and_stop_following_a_matador_or_herd(
    world: World, vera: Client, user: User
) -> None:
    for way, page in (("/matadores/matador-0/", "Follow"), ("/ganaderias/mayalde/", "Follow")):
        assert f"{page}</button>" in vera.get(f"{way}seguir/").text
        answer = vera.post(f"{way}seguir/", {"follow": "yes"})
        assert (answer.status_code, answer["Location"]) == (302, way)
        vera.post(f"{way}seguir/", {"follow": "yes"})
        assert "Stop following</button>" in vera.get(f"{way}seguir/").text
    matador, herd = world.matadors[0].pk, world.herd.pk
    assert followed_keys(user, "leyendas") == Followed(frozenset({matador}), frozenset({herd}))
    page = vera.get("/siguiendo/").text
    assert world.matadors[0].billing in page
    assert world.herd.name in page
    vera.post("/matadores/matador-0/seguir/", {"follow": "no"})
    assert followed_keys(user, "leyendas") == Followed(frozenset(), frozenset({herd}))


def test_the_follow_button_is_loaded_separately_and_not_part_of_the_page(
    world: World, vera: Client
) -> None:
    cache.clear()
    follow(user=User.objects.get(), row=world.matadors[0], at=NOW)
    page = vera.get("/matadores/matador-0/").text
    assert 'data-load="/matadores/matador-0/seguir/"' in page
    assert "Stop following" not in page
    assert "Follow</button>" not in page
    fragment = vera.get("/matadores/matador-0/seguir/", headers={"HX-Request": "true"})
    assert "<html" not in fragment.text
    assert "Stop following" in fragment.text
    assert "no-store" in fragment["Cache-Control"]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize("page", ["/matadores/matador-0/", "/ganaderias/mayalde/"])
def test_the_follow_button_leads_back_to_the_page_that_it_is_on(
    world: World, vera: Client, page: str, headers: dict[str, str]
) -> None:
    """The form is sent as a browser would send it, first to follow and then to stop following."""
    for choice in ("yes", "no"):
        shown = vera.get(f"{page}seguir/", headers=headers).text
        form = re.search(
            r'<form method="post" action="([^"]*/seguir/)">(.*?)</form>', shown, re.DOTALL
        )
        assert form
        sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2]))
        assert sent["follow"] == choice
        answer = vera.post(form[1], sent)
        assert (answer.status_code, answer["Location"]) == (302, page)
    assert not Follow.objects.exists()


def test_following_requires_signing_in(world: World, client: Client) -> None:
    page = client.get("/matadores/matador-0/").text
    assert "data-load" not in page
    for way in ("/matadores/matador-0/seguir/", "/ganaderias/mayalde/seguir/", "/siguiendo/"):
        assert client.get(way)["Location"].startswith("/accounts/login/")
    client.post("/matadores/matador-0/seguir/", {"follow": "yes"})
    assert not Follow.objects.exists()
    assert followed_keys(AnonymousUser(), "leyendas") == Followed()


def test_private_circuits_and_unknown_matadors_cannot_be_followed(vera: Client, user: User) -> None:
    """Matadors of a circuit that was made private or archived stay in the list of its owner
    only.
    """
    closed = small_circuit("cerrado", "Cerrado")
    for row in (closed.matadors[0], closed.herd):
        follow(user=user, row=row, at=NOW)

    def shown() -> list[int]:
        return [len(rows) for rows in followed_rows(user)]

    assert shown() == [1, 1]
    assert vera.get("/circuitos/cerrado/matadores/matador-0/seguir/").status_code == 200
    Circuit.objects.update(public=False)
    assert shown() == [0, 0]
    for way in ("matadores/matador-0", "ganaderias/mayalde", "matadores/nobody"):
        assert vera.post(f"/circuitos/cerrado/{way}/seguir/").status_code == 404
    Circuit.objects.update(public=False, owner=user)
    assert shown() == [1, 1]
    assert vera.get("/circuitos/cerrado/matadores/matador-0/seguir/").status_code == 200
    Circuit.objects.update(public=True, archived_at=NOW, owner=None)
    assert shown() == [0, 0]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("last", ["matador", "herd"])
def test_matadors_and_herds_can_be_followed_up_to_the_limit(
    world: World, user: User, monkeypatch: pytest.MonkeyPatch, number: int, last: str
) -> None:
    """Neither following one a second time nor another user's list counts."""
    monkeypatch.setattr(operations, "MAX_FOLLOWED", number)
    follow(user=User.objects.create_user("otra"), row=world.matadors[0], at=NOW)
    rows = [*world.matadors[: number - 1], world.herd if last == "herd" else world.matadors[3]]
    for row in rows:
        follow(user=user, row=row, at=NOW)
        follow(user=user, row=row, at=NOW)
    assert Follow.objects.filter(user=user).count() == number
    others: list[Matador | Ganaderia] = [world.matadors[2]]
    if last == "matador":
        others.append(world.herd)
    for other in others:
        with pytest.raises(OperationError, match=f"You can follow {number} "):
            follow(user=user, row=other, at=NOW)
        assert Follow.objects.filter(user=user).count() == number
    unfollow(user=user, row=rows[0])
    follow(user=user, row=others[0], at=NOW)
    assert Follow.objects.filter(user=user).count() == number


@pytest.mark.slow
def test_the_number_of_followed_matadors_and_herds_is_limited(
    world: World, vera: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matadors and herds count together. Following one a second time does not count again."""
    monkeypatch.setattr(operations, "MAX_FOLLOWED", 2)

    def press(way: str, answer: str) -> str:
        return vera.post(f"/{way}/seguir/", {"follow": answer}, follow=True).text

    refused = "You can follow 2 matadors and herds at most."
    assert refused not in press("matadores/matador-0", "yes")
    assert refused not in press("ganaderias/mayalde", "yes")
    assert refused not in press("ganaderias/mayalde", "yes")
    assert refused in press("matadores/matador-1", "yes")
    assert Follow.objects.count() == 2
    press("matadores/matador-0", "no")
    assert refused not in press("matadores/matador-1", "yes")
    assert Follow.objects.count() == 2


def test_the_database_allows_one_followed_matador_or_herd_per_row_and_no_duplicates(
    world: World, user: User
) -> None:
    man, herd = world.matadors[0], world.herd
    follow(user=user, row=man, at=NOW)
    for wrong in ({}, {"matador": man, "ganaderia": herd}, {"matador": man}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Follow.objects.create(user=user, at=NOW, **wrong)


def test_followed_items_come_first() -> None:
    def key(item: tuple[str, int]) -> int:
        return item[1]

    items = [("a", 1), ("b", 2), ("c", 3)]
    assert followed_first(items, {3}, key) == [("c", 3), ("a", 1), ("b", 2)]


def next_days(user: User) -> dict[str, dt.date | None]:
    """Return the date of the next corrida of each followed matador and herd."""
    men, herds = followed_rows(user)
    return {str(line.row): line.next.date if line.next else None for line in (*men, *herds)}


def test_the_list_names_the_next_corrida_with_a_constant_number_of_queries(
    world: World, vera: Client, user: User
) -> None:
    """Later corridas, and corridas that have begun or failed, are not named."""
    man, herd = world.matadors[0], world.herd
    for row in (man, herd):
        follow(user=user, row=row, at=NOW)
    days = dict.fromkeys((str(man), str(herd)))
    assert next_days(user) == days
    corridas = [world.announce(dt.date(2027, month, 9)) for month in (6, 4, 5)]
    assert set(next_days(user).values()) == {dt.date(2027, 4, 9)}

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            page = vera.get("/siguiendo/").text
        assert "9 Apr 2027" in page
        assert page.count(f'href="/corridas/{corridas[1].pk}/"') == sum(
            map(bool, next_days(user).values())
        )
        assert "9 May 2027" not in page
        assert "9 Jun 2027" not in page
        return len(asked)

    before = count()
    for other in world.matadors[1:]:
        follow(user=user, row=other, at=NOW)
    assert count() == before
    Follow.objects.exclude(matador=man).exclude(ganaderia=herd).delete()
    coming = {Corrida.State.ANNOUNCED, Corrida.State.QUEUED}
    for state in Corrida.State:
        Corrida.objects.filter(pk=corridas[1].pk).update(state=state)
        month = 4 if state in coming else 5
        assert set(next_days(user).values()) == {dt.date(2027, month, 9)}, state


def test_of_two_corridas_of_a_herd_on_one_day_the_first_is_named(world: World, user: User) -> None:
    """Only a herd can have two corridas on one day."""
    follow(user=user, row=world.herd, at=NOW)
    world.matadors += small_circuit("otro", "Otro").matadors
    first = world.announce(dt.date(2027, 4, 9), plaza=1)
    world.announce(dt.date(2027, 4, 9), plaza=0, first=3)
    (line,) = followed_rows(user)[1]
    assert line.next == first


def test_the_list_is_sorted_by_circuit_and_name_in_spanish_order(user: User) -> None:
    """Circuits of the same name stay separate."""
    expected = []
    for slug, name in (("b", "Ñu"), ("a", "Ñu"), ("c", "Nube"), ("d", "Óscar")):
        circuit = Circuit.objects.create(
            slug=slug, name=name, deck=small_circuit(f"{slug}-x", "X").deck
        )
        people = [
            Matador.objects.create(circuit=circuit, slug=f"m-{n}", name=called)
            for n, called in enumerate(("Óscar", "Ñito", "Nuño", "Ñito"))
        ]
        places = {"country": "ES", "continent": "EU", "circuit": circuit}
        herds = [
            Ganaderia.objects.create(slug=f"h-{n}", name=called, **places)
            for n, called in enumerate(("Óscar", "Ñito", "Nuño"))
        ]
        rows: list[Matador | Ganaderia] = [*people, *herds]
        for row in rows:
            follow(user=user, row=row, at=NOW)
        expected.append((circuit, [people[n] for n in (2, 1, 3, 0)], [herds[n] for n in (2, 1, 0)]))
    ordered = [expected[place] for place in (2, 0, 1, 3)]
    men, herds_shown = followed_rows(user)
    assert [line.row for line in men] == [row for _circuit, rows, _herds in ordered for row in rows]
    assert [line.row for line in herds_shown] == [row for *_rest, rows in ordered for row in rows]


# Notifications about a run


@pytest.fixture
def run(world: World) -> Run:
    """Return a run that has played one corrida."""
    corrida = world.post(world.announce(dt.date(2027, 3, 2)))
    run = Run.objects.create(
        season=world.season, until=corrida.date, last=corrida, asked_at=NOW, state="done",
        done=1, total=1,
    )  # fmt: skip
    Corrida.objects.update(run=run)
    return run


def told_of(run: Run) -> dict[str, list[str]]:
    return {
        User.objects.get(pk=user).username: sorted(names)
        for user, names in followers(Run.objects.get(pk=run.pk)).items()
    }


def test_a_run_notifies_the_followers_of_everybody_who_appeared(
    world: World, run: Run, user: User
) -> None:
    """The fourth matador did not appear, and a matador of the same name in another circuit does
    not count.
    """
    first, second, _third, fourth = world.matadors
    bea = User.objects.create_user("bea")
    for who, row in ((user, first), (user, world.herd), (bea, second), (bea, fourth)):
        follow(user=who, row=row, at=NOW)
    other = small_circuit("otro", "Otro")
    follow(user=User.objects.create_user("eva"), row=other.matadors[0], at=NOW)
    assert told_of(run) == {
        "vera": sorted([first.billing, world.herd.name]),
        "bea": [second.billing],
    }
    # A herd and a matador of an earlier corrida have nothing to do with this run.
    world.herd = Ganaderia.objects.create(
        circuit=world.circuit, slug="aldama", name="Aldama", country="ES", continent="EU"
    )
    world.post(world.announce(dt.date(2027, 2, 1), first=3))
    follow(user=bea, row=world.herd, at=NOW)
    assert told_of(run)["bea"] == [second.billing]


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({}, {"vera", "bea"}),
        ({"public": False}, {"bea"}),
        ({"archived_at": NOW}, {"bea"}),
        ({"public": False, "archived_at": NOW}, {"bea"}),
        ({"public": False, "owner": None}, set()),
        ({"archived_at": NOW, "owner": None}, set()),
    ],
)
def test_only_the_owner_of_a_private_or_archived_circuit_is_notified(
    world: World, run: Run, user: User, columns: dict[str, Any], told: set[str]
) -> None:
    owner = User.objects.create_user("bea")
    for who in (user, owner):
        follow(user=who, row=world.matadors[0], at=NOW)
    Circuit.objects.update(**{"owner": owner, **columns})
    assert set(told_of(run)) == told


@pytest.mark.parametrize("count", [1, 3, 4])
def test_a_notification_names_at_most_three_matadors_in_spanish_order(
    world: World, run: Run, user: User, count: int
) -> None:
    """The user who started the run gets no such notification."""
    names = ("Zurdo", "Ñito", "Óscar", "Nuño")
    asker = User.objects.create_user("bea")
    for matador, name in zip(world.matadors[:3], names, strict=False):
        matador.name = name
        matador.save()
    world.herd.name = names[3]
    world.herd.save()
    rows: list[Matador | Ganaderia] = [*world.matadors[:3], world.herd]
    for row in rows[:count]:
        for who in (user, asker):
            follow(user=who, row=row, at=NOW)
    run.asked_by = asker
    run.save()
    notifications.followed_played(Run.objects.get(pk=run.pk), at=NOW)
    (notice,) = Notice.objects.all()
    few = {1: "Zurdo", 3: "Ñito, Óscar, Zurdo", 4: "Nuño, Ñito, Óscar"}
    assert (notice.user, notice.data["names"]) == (user, few[count])


def test_the_notification_of_a_run_names_matadors_followed_by_its_director_first(
    world: World, run: Run, user: User
) -> None:
    """Injured matadors follow, then those with the most trophies. Ties are in Spanish order."""
    first, second, third, _fourth = world.matadors
    for matador, name in ((second, "Zurdo"), (third, "Ñito")):
        matador.name = name
        matador.save()
    Lidia.objects.update(trophy=0, vuelta=False, crowd=3, avisos=0)
    assert [pk for pk, _name in notifications.in_the_news(run)] == [third.pk, first.pk, second.pk]
    Lidia.objects.filter(turn=2).update(trophy=1)
    assert [pk for pk, _name in notifications.in_the_news(run)] == [second.pk, third.pk, first.pk]
    world.hurt_and_spare(Corrida.objects.get())
    Lidia.objects.update(ending="killed")
    assert [pk for pk, _name in notifications.in_the_news(run)] == [first.pk, second.pk, third.pk]
    run.asked_by = user
    run.save()

    def names() -> list[str]:
        Notice.objects.all().delete()
        notifications.run_over(Run.objects.select_related("asked_by").get(pk=run.pk), at=NOW)
        return str(Notice.objects.get().data["names"]).split(", ")

    assert names() == [first.billing, "Zurdo", "Ñito"]
    follow(user=user, row=world.herd, at=NOW)
    assert names() == [first.billing, "Zurdo", "Ñito"]
    follow(user=user, row=third, at=NOW)
    assert names() == ["Ñito", first.billing, "Zurdo"]


def test_followed_matadors_are_in_the_data_export_and_deleted_with_the_account(
    world: World, user: User
) -> None:
    follow(user=user, row=world.matadors[0], at=timezone.now())
    tables: Any = [part for part in export_parts if isinstance(part, ExportTable)]
    (table,) = (part for part in tables if part.name == "following")
    assert [row["matador_id"] for row in table.iterate_rows(user)] == [world.matadors[0].pk]
    effects = [effect.text for part in registry.handlers for effect in part.effects(user)]
    assert "Your list of the matadors and herds that you follow will be deleted." in effects
    user.delete()
    assert not Follow.objects.exists()
