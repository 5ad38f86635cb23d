"""A page from the cache equals a newly rendered page, whichever user requested it before."""

from __future__ import annotations

import datetime as dt
import inspect
import re
from collections.abc import Callable
from types import FunctionType

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from accounts.models import User
from corridas import urls
from corridas.models import Circuit, Corrida, Follow, Winter
from tests.corridas.pages.test_spanish import addresses, busy
from tests.factories import World, browser_of

__all__ = ["busy"]

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


def caches_itself(view: FunctionType) -> bool:
    """Return whether a view, or a function of its module that it calls, caches its response."""
    known, names = [view], set[str]()
    for function in known:
        names |= set(function.__code__.co_names)
        called = (function.__globals__.get(name) for name in function.__code__.co_names)
        known += [
            each
            for each in called
            if isinstance(each, FunctionType)
            and each.__module__ == view.__module__
            and each not in known
        ]
    return "cached_response" in names or {"cache", "set"} <= names


def cached_pages() -> list[str]:
    views = {
        str(pattern.name): inspect.unwrap(pattern.callback)
        for pattern in urls.urlpatterns
        if isinstance(pattern, URLPattern) and pattern.name != "escalafon_csv"
    }
    return sorted(name for name, view in views.items() if caches_itself(view))


@pytest.mark.slow
@pytest.mark.parametrize("name", cached_pages())
def test_a_cached_page_equals_the_page_rendered_without_a_cache(
    busy: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Check both languages, and a user who has begun to follow matadors since the last request."""
    now, address = timezone.now(), addresses(busy)[name][0]
    monkeypatch.setattr(timezone, "now", lambda: now)
    ana, hers = User.objects.create_user("ana"), Client()
    hers.force_login(ana)

    def follow() -> None:
        for man in busy.matadors:
            Follow.objects.create(user=ana, matador=man, at=now)
        Follow.objects.create(user=ana, ganaderia=busy.herd, at=now)

    def read(client: Client, language: str = "en") -> str:
        page = client.get(address, headers={"accept-language": language})
        assert page.status_code == 200
        return TOKEN.sub("", page.text)

    first, spanish, signed_in = read(Client()), read(Client(), "es"), read(hers)
    assert len({first, spanish, signed_in}) == 3
    follow()
    following = read(hers)
    for before, client, language in ((following, hers, "en"), (spanish, Client(), "es")):
        for cache in caches.all():
            cache.clear()
        assert read(client, language) == before


@pytest.mark.parametrize("name", cached_pages())
def test_a_page_cached_with_spoiler_protection_is_not_shown_without_it(
    busy: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Switch protection on, off and on again for a user who has not watched the newest corrida."""
    now, address = timezone.now(), addresses(busy)[name][0]
    monkeypatch.setattr(timezone, "now", lambda: now)
    newest = Corrida.objects.filter(state="posted").latest("date")
    Corrida.objects.filter(pk=newest.pk).update(on_air_at=now, ends_at=now)
    User.objects.create_user("vera")
    vera, people = browser_of("vera"), User.objects.filter(username="vera")

    def read(*, protected: bool) -> tuple[int, str]:
        people.update(shielded_since=now - dt.timedelta(days=1) if protected else None)
        page = vera.get(address)
        return page.status_code, TOKEN.sub("", page.text)

    pages = {protected: read(protected=protected) for protected in (True, False)}
    assert pages[False][0] == 200
    assert pages[True] != pages[False]
    for protected, page in pages.items():
        assert read(protected=protected) == page
    for protected, page in pages.items():
        for cache in caches.all():
            cache.clear()
        assert read(protected=protected) == page


@pytest.mark.parametrize("name", [name for name in cached_pages() if name != "corrida"])
def test_a_cached_page_shows_the_new_name_of_its_circuit(
    busy: World, client: Client, name: str
) -> None:
    """The page of a corrida on air is cached until the next card only."""
    address = f"/circuitos/vega{addresses(busy)[name][0]}"
    Circuit.objects.update(slug="vega", name="Circuito de la Vega", public=True)
    assert "Circuito de la Vega" in client.get(address).text
    Circuit.objects.update(name="Circuito del Valle")
    page = client.get(address).text
    assert "Circuito del Valle" in page
    assert "Circuito de la Vega" not in page


@pytest.mark.slow
def test_the_page_of_a_season_end_is_rendered_again_after_every_change(
    lived: World, client: Client
) -> None:
    """The page says what the winter waits for.

    To the director it also names the corridas that would be left out.
    """
    Winter.objects.create(season=lived.season, seed=b"s" * 32, commitment=b"c" * 32)
    Corrida.objects.update(posted_at=timezone.now() - dt.timedelta(days=1))
    circuit = Circuit.objects.filter(pk=lived.circuit.pk)

    def fail(day: int) -> None:
        corrida = lived.announce(dt.date(2027, 5, day))
        Corrida.objects.filter(pk=corrida.pk).update(state="failed")

    changes: list[tuple[Client, Callable[[], object], str]] = [
        (client, lambda: None, "The winter begins when the director starts it."),
        (
            client,
            lambda: circuit.update(evening=dt.time(20, 30), zone="Asia/Tokyo"),
            "with the next daily corrida, at 20:30 (Asia/Tokyo).",
        ),
        (client, lambda: circuit.update(evening=dt.time(21)), "at 21:00 (Asia/Tokyo)."),
        (client, lambda: circuit.update(zone="Europe/Madrid"), "at 21:00 (Europe/Madrid)."),
    ]
    User.objects.create_superuser("ana")
    ana = browser_of("ana")
    changes += [
        (ana, lambda: fail(1), "Leave out the corrida that could not be played."),
        (ana, lambda: fail(2), "Leave out the 2 corridas that could not be played."),
        (
            client,
            lambda: circuit.update(frozen_at=timezone.now()),
            "Nothing goes on while the circuit rests.",
        ),
    ]
    tag = ""
    for browser, change, sentence in changes:
        change()
        page = browser.get("/temporada/2027/final/", headers={"if-none-match": tag})
        assert page.status_code == 200
        assert sentence in " ".join(page.text.split())
        tag = page["ETag"]
        again = browser.get("/temporada/2027/final/", headers={"if-none-match": tag})
        assert again.status_code == 304
