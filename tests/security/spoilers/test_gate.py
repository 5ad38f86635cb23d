"""Spoiler protection on pages: what is hidden, how to watch it, and how to reveal it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from corridas.models import Corrida, Watched
from corridas.spoilers.hiding import ALL, MAX_REVEALED, REVEALED_FOR, reveal, revealed
from corridas.spoilers.queries import hidden
from tests.factories import small_circuit
from tests.security.spoilers.conftest import Afternoons, broadcast

FRAGMENT: dict[str, Any] = {"HTTP_HX_REQUEST": "true"}


def page(corrida: Corrida) -> str:
    return reverse("corrida", args=[corrida.pk])


def veiled(answer: Any) -> bool:
    return bool(answer.status_code == 403 and b"sh-gate" in answer.content)


def test_pages_are_open_without_spoiler_protection(afternoons: Afternoons, client: Client) -> None:
    user = User.objects.create_user("blas")
    for asking in (client, signed_in(user)):
        for address in (page(afternoons.over), "/premios/", "/", "/sucesos/"):
            assert asking.get(address).status_code == 200


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_page_of_an_unwatched_corrida_is_hidden(afternoons: Afternoons, shielded: Client) -> None:
    answer = shielded.get(page(afternoons.over))
    assert veiled(answer)
    assert answer["Cache-Control"] == "no-store"
    assert reverse("card", args=[afternoons.over.pk, 0, 0]) in answer.content.decode()
    assert "You have not watched this corrida" in answer.content.decode()


def test_corrida_played_without_broadcast_is_never_hidden(
    afternoons: Afternoons, person: User
) -> None:
    found = set(hidden(person, timezone.now()).values_list("pk", flat=True))
    assert found == {afternoons.over.pk, afternoons.on_air.pk}


def test_corrida_broadcast_before_the_protection_is_not_hidden(
    afternoons: Afternoons, person: User, shielded: Client
) -> None:
    User.objects.update(shielded_since=timezone.now())
    assert shielded.get(page(afternoons.over)).status_code == 200
    assert shielded.get("/premios/").status_code == 200


def test_replay_is_allowed_and_offers_to_mark_as_watched_at_its_end(
    afternoons: Afternoons, shielded: Client, person: User
) -> None:
    corrida = afternoons.over
    first = shielded.get(reverse("card", args=[corrida.pk, 0, 0]))
    assert first.status_code == 200
    assert b'id="watched"' in first.content
    assert b"hidden" in part(first.content, b'id="watched"')
    step = shielded.get(reverse("card", args=[corrida.pk, 1, 3]), **FRAGMENT)
    assert step.status_code == 200
    last = shielded.get(reverse("card", args=[corrida.pk, 7, 0]))
    assert b"hidden" not in part(last.content, b'id="watched"')
    assert shielded.post(reverse("watched", args=[corrida.pk])).status_code == 302
    assert shielded.get(page(corrida)).status_code == 200
    assert Watched.objects.filter(user=person, corrida=corrida).count() == 1
    assert shielded.post(reverse("watched", args=[corrida.pk])).status_code == 302


def part(body: bytes, mark: bytes) -> bytes:
    """Return the opening tag that contains a text."""
    return body[body.index(mark) :].partition(b">")[0] + b">"


def test_protected_lidia_starts_at_its_first_card(afternoons: Afternoons, shielded: Client) -> None:
    answer = shielded.get(reverse("lidia", args=[afternoons.over.pk, 4]))
    assert answer["Location"] == reverse("card", args=[afternoons.over.pk, 4, 0])


def test_viewer_of_a_broadcast_starts_at_the_beginning_or_joins_live(
    afternoons: Afternoons, shielded: Client
) -> None:
    way = page(afternoons.on_air)
    answer = shielded.get(way)
    assert veiled(answer)
    assert f"{way}?live" in answer.content.decode()
    assert shielded.get(f"{way}?live").status_code == 200
    assert shielded.get(way, **FRAGMENT).status_code == 200  # the viewer loads the current moment
    afternoons.on_air.lidias.update(ends_at=timezone.now() + dt.timedelta(hours=1))
    assert shielded.get(way).status_code == 200


def test_summary_page_names_the_first_unwatched_corrida_and_can_be_revealed(
    afternoons: Afternoons, shielded: Client
) -> None:
    answer = shielded.get("/premios/")
    assert veiled(answer)
    assert "2 corridas that you have not watched" in answer.content.decode()
    sent = {"circuit": "leyendas", "next": "/premios/"}
    assert shielded.post(reverse("unveil"), sent)["Location"] == "/premios/"
    assert shielded.get("/premios/").status_code == 200
    assert shielded.get("/").status_code == 200
    assert veiled(shielded.get(page(afternoons.over)))  # that corrida was not revealed
    # There is no other circuit, so no results are left out.
    assert "that you have not watched" not in shielded.get("/sucesos/").text


def test_all_corridas_can_be_marked_as_watched_at_once(
    afternoons: Afternoons, shielded: Client, person: User
) -> None:
    elsewhere = broadcast(small_circuit("otro", "Otro"))
    shielded.post(reverse("watched_all"), {"circuit": "leyendas", "next": "//evil.example/"})
    assert shielded.get("/premios/").status_code == 200
    assert veiled(shielded.get("/circuitos/otro/premios/"))
    assert "that you have not watched" in shielded.get("/sucesos/").text
    answer = shielded.post(reverse("watched_all"), {"next": "//evil.example/"})
    assert answer["Location"] == "/"
    assert "that you have not watched" not in shielded.get("/sucesos/").text
    assert Watched.objects.filter(user=person, corrida=elsewhere.over).exists()


def test_hidden_fragment_is_rejected_and_reloads_the_page(
    afternoons: Afternoons, shielded: Client
) -> None:
    answer = shielded.get("/premios/", **FRAGMENT)
    assert answer.status_code == 403
    assert answer["HX-Refresh"] == "true"
    assert b"<html" not in answer.content


def test_spoiler_protection_reveals_nothing_about_private_circuits(shielded: Client) -> None:
    closed = broadcast(small_circuit("cerrado", "Cerrado", public=False))
    assert shielded.get("/circuitos/cerrado/escalafon/").status_code == 404
    way = reverse("circuit:corrida", args=["cerrado", closed.over.pk])
    assert shielded.get(way).status_code == 404
    assert shielded.post(reverse("watched", args=[closed.over.pk])).status_code == 404


def test_future_corrida_cannot_be_marked_as_watched(
    afternoons: Afternoons, shielded: Client
) -> None:
    to_come = afternoons.world.announce(dt.date(2027, 5, 1))
    for pk in (to_come.pk, 10**9):
        assert shielded.post(reverse("watched", args=[pk])).status_code == 404
    assert not Watched.objects.exists()


@pytest.mark.parametrize("name", ["unveil", "watched_all"])
@pytest.mark.parametrize("slug", ["x" * 41, "a\0b"])
def test_unknown_circuit_is_rejected(shielded: Client, name: str, slug: str) -> None:
    assert shielded.post(reverse(name), {"circuit": slug}).status_code == 404


def test_spoiler_protection_takes_one_query_and_none_for_others(
    afternoons: Afternoons, shielded: Client, person: User
) -> None:
    other = signed_in(User.objects.create_user("blas"))
    Watched.objects.bulk_create(
        Watched(user=person, corrida=one, at=timezone.now()) for one in Corrida.objects.all()
    )
    address = reverse("herds")
    counts = [queries(client, address) for client in (other, shielded)]
    assert counts[1] - counts[0] == 1
    assert queries(other, "/glosario/") == queries(shielded, "/glosario/")


def test_hidden_page_takes_as_many_queries_for_many_corridas(
    afternoons: Afternoons, shielded: Client
) -> None:
    few = queries(shielded, "/premios/")
    for day in range(1, 13):
        corrida = afternoons.world.announce(dt.date(2027, 6, day), first=day)
        Corrida.objects.filter(pk=corrida.pk).update(
            state="posted", on_air_at=timezone.now() - dt.timedelta(hours=day)
        )
    assert queries(shielded, "/premios/") == few
    assert "and 4 more" in shielded.get("/premios/").content.decode()


def queries(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as caught:
        client.get(address)
    return len(caught)


def test_revealed_results_expire_and_are_limited_in_number() -> None:
    session: dict[str, Any] = {}
    at = timezone.now()
    for number in range(MAX_REVEALED + 5):
        reveal(session, f"circuit-{number}", at=at)
    reveal(session, ALL, at=at)
    assert len(revealed(session, at=at)) == MAX_REVEALED
    assert ALL in revealed(session, at=at)
    assert revealed(session, at=at + REVEALED_FOR) == frozenset()
