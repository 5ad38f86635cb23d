"""Middleware that behaves like Django's, but skips work that a request does not need."""

from __future__ import annotations

import pytest
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from config.middleware import LanguageMiddleware, MessageStorage

PAGE = "/accounts/login/"


@pytest.mark.parametrize("cookie", ["", "es", "en", "fr", "es-mx"])
@pytest.mark.parametrize("accepted", ["", "es", "es-MX,en;q=0.5", "fr", "*", "nonsense;;"])
@pytest.mark.parametrize("path", ["/", "/es/", "/nowhere/"])
def test_language_middleware_chooses_the_same_language_as_django(
    cookie: str, accepted: str, path: str, rf: RequestFactory
) -> None:
    def answer(middleware: type[LocaleMiddleware]) -> tuple[str, str, str]:
        request = rf.get(path, headers={"Accept-Language": accepted})
        request.COOKIES = {"django_language": cookie} if cookie else {}
        response = middleware(lambda _request: HttpResponse())(request)
        assert isinstance(response, HttpResponse)
        return request.LANGUAGE_CODE, response["Content-Language"], response["Vary"]

    assert answer(LanguageMiddleware) == answer(LocaleMiddleware)


@pytest.mark.django_db
def test_request_without_session_takes_no_query_for_the_user(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        answer = client.get(PAGE)
    assert type(answer.wsgi_request.user) is AnonymousUser
    assert "Cookie" in answer["Vary"]


@pytest.mark.django_db
def test_user_of_a_session_is_loaded(client: Client) -> None:
    client.force_login(user := User.objects.create_user("ana"))
    assert client.get("/").wsgi_request.user == user
    client.cookies["sessionid"] = "made-up"
    assert not client.get("/").wsgi_request.user.is_authenticated


@pytest.mark.parametrize("length", [10, 5000], ids=["in a cookie", "in the session"])
@pytest.mark.django_db
def test_message_is_shown_on_the_next_page_once(length: int, client: Client) -> None:
    def requested(storage: type[FallbackStorage], *, add: str = "") -> list[str]:
        request = client.get(PAGE).wsgi_request
        waiting = storage(request)
        if add:
            waiting.add(messages.INFO, add)
        read = [] if add else [message.message for message in waiting]
        response = HttpResponse()
        waiting.update(response)
        request.session.save()
        client.cookies.update(response.cookies)
        client.cookies["sessionid"] = request.session.session_key or ""
        return read

    word = "a" * length
    for first, second in ((MessageStorage, FallbackStorage), (FallbackStorage, MessageStorage)):
        requested(first, add=word)
        assert requested(second) == [word]
        assert requested(first) == []


def test_request_without_messages_opens_no_message_storage(rf: RequestFactory) -> None:
    storage = MessageStorage(rf.get("/"))
    storage.update(HttpResponse())
    assert "storages" not in vars(storage)
