"""A page from the cache is what it would be without one, whoever asked for it before."""

from __future__ import annotations

import inspect
import re
from types import FunctionType

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from accounts.models import User
from corridas import urls
from corridas.models import Follow
from tests.corridas.pages.test_spanish import addresses, busy
from tests.factories import World

__all__ = ["busy"]

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


def caches_itself(view: FunctionType) -> bool:
    """Whether a view, or a function of its module that it calls, stores what it has rendered."""
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


@pytest.mark.parametrize("name", cached_pages())
def test_a_page_is_the_same_with_and_without_a_cache(
    busy: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """In both languages, and for somebody who follows what is on it since the last visit."""
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
