"""Limits of request rates and sizes apply before anything is read or written."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.models import User
from config.middleware import RequestLimitMiddleware
from core.limits.rate_limits import client_address

pytestmark = pytest.mark.django_db
SOMEWHERE = "/accounts/preferences/"
WISH = {"language": "es", "theme": "dark"}


def test_too_many_writes_are_rejected_until_the_minute_ends(
    client: Client, settings: Settings
) -> None:
    settings.WRITES_A_MINUTE = 2
    statuses = [client.post(SOMEWHERE, WISH).status_code for _time in range(3)]
    refused = client.post(SOMEWHERE, WISH)
    assert statuses == [302, 302, 429]
    assert refused["Retry-After"] == "50", "the clock of the tests is 10 seconds past the minute"
    assert client.get(SOMEWHERE).status_code == 200


@pytest.mark.parametrize("page", ["/actas/", "/circuitos/traer/", "/direccion/elenco/"])
def test_uploads_to_be_checked_have_a_separate_rate_limit(page: str, settings: Settings) -> None:
    settings.FILES_A_MINUTE = 2
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    answers = [boss.post(page, {"text": "{}"}) for _time in range(3)]
    assert 429 not in {one.status_code for one in answers[:2]}
    assert answers[2].status_code == 429
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert "Wait a minute" in answers[2].content.decode()
    assert boss.post(SOMEWHERE, WISH).status_code == 302


def test_pages_with_the_same_rate_limit_share_it(settings: Settings) -> None:
    settings.FILES_A_MINUTE = 1
    client = Client()
    assert client.post("/actas/", {"text": "{}"}).status_code == 200
    assert client.post("/circuitos/traer/", {}).status_code == 429
    assert client.get("/actas/").status_code == 200


@pytest.mark.parametrize("page", ["/accounts/notices/choices/", "/accounts/notices/read/"])
def test_preferences_and_notifications_count_as_writes(page: str, settings: Settings) -> None:
    settings.WRITES_A_MINUTE = 1
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    assert [client.post(page, {}).status_code for _time in range(2)] == [302, 429]


def test_rate_limits_of_two_users_are_independent(settings: Settings) -> None:
    settings.WRITES_A_MINUTE = 1
    ana, beto = Client(), Client()
    for client, name in ((ana, "ana"), (beto, "beto")):
        client.force_login(User.objects.create_user(name))
    assert [c.post(SOMEWHERE, WISH).status_code for c in (ana, ana, beto)] == [302, 429, 302]


def test_counter_that_expires_between_two_steps_starts_again(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WRITES_A_MINUTE = 0

    def gone(key: str) -> int:
        raise ValueError(key)

    monkeypatch.setattr(cache, "incr", gone)
    assert client.post(SOMEWHERE, WISH).status_code == 429


def test_body_that_is_too_large_is_not_read(client: Client, settings: Settings) -> None:
    settings.BODY_BYTES = 100
    assert client.post(SOMEWHERE, {"language": "e" * 200}).status_code == 413


@pytest.mark.parametrize(
    ("proxies", "told", "found"),
    [(0, "1.2.3.4", "127.0.0.1"), (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"), (2, "1.2.3.4", "127.0.0.1")],
)
def test_client_address_is_the_one_seen_by_our_proxy(
    settings: Settings, proxies: int, told: str, found: str
) -> None:
    settings.PROXIES = proxies
    assert client_address(RequestFactory().post("/", headers={"x-forwarded-for": told})) == found


@pytest.mark.parametrize(
    ("proxies", "told", "found"),
    [
        (1, "", "127.0.0.1"),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, " 1.2.3.4 ", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (1, "1.2.3.4, ", "127.0.0.1"),
        (3, "1.2.3.4, 10.0.0.1", "127.0.0.1"),
    ],
)
def test_only_as_many_proxies_are_trusted_as_configured(
    settings: Settings, proxies: int, told: str, found: str
) -> None:
    settings.PROXIES = proxies
    assert client_address(RequestFactory().post("/", headers={"x-forwarded-for": told})) == found


@pytest.mark.parametrize(("length", "status"), [("100", 200), ("101", 413), ("", 200), ("x", 200)])
def test_largest_allowed_body_is_accepted(settings: Settings, length: str, status: int) -> None:
    settings.BODY_BYTES = 100
    request = RequestFactory().post("/accounts/preferences/", CONTENT_LENGTH=length)
    request.user = AnonymousUser()
    request.session = {}  # type: ignore[assignment]
    assert RequestLimitMiddleware(lambda _request: HttpResponse())(request).status_code == status


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_get_requests_and_the_api_are_not_counted_as_writes(
    settings: Settings, method: str
) -> None:
    settings.WRITES_A_MINUTE = 0
    passing = RequestLimitMiddleware(lambda _request: HttpResponse())
    assert passing(RequestFactory().generic(method, "/")).status_code == 200
    assert passing(RequestFactory().post("/api/v1/leagues/")).status_code == 200
    request = RequestFactory().post("/apis/")
    request.user = AnonymousUser()
    request.session = {}  # type: ignore[assignment]
    assert passing(request).status_code == 429


@pytest.mark.parametrize(
    ("method", "page", "status"),
    [
        ("PUT", "/accounts/login/", 405),
        ("DELETE", "/accounts/login/", 405),
        ("TRACE", "/nowhere/", 405),
        ("OPTIONS", "/nowhere/", 404),
        ("PUT", "/api/v1/nowhere/", 404),
    ],
)
def test_pages_reject_methods_that_only_programs_use(method: str, page: str, status: int) -> None:
    answer = Client().generic(method, page)
    assert answer.status_code == status
    if status == 405:
        assert answer["Allow"] == "GET, HEAD, POST"


HUGE = 2**70


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 200),
        (f"id__in={HUGE}", 400),
        (f"id__in=1,{HUGE}", 400),
        (f"id__exact=-{HUGE}", 400),
        (f"q={HUGE}", 200),
        ("id%00=1", 400),
        ("q=%00", 400),
    ],
)
def test_admin_lists_reject_numbers_and_characters_that_cannot_be_stored(
    admin_client: Client, query: str, status: int
) -> None:
    assert admin_client.get(f"/admin/corridas/plaza/?{query}").status_code == status


def test_huge_number_in_the_url_of_a_program_gets_an_answer_for_programs() -> None:
    answer = Client().get(f"/api/v1/corridas/{HUGE}/")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    page = Client().get(f"/corridas/{HUGE}/")
    assert (page.status_code, page["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_rate_limits_of_two_visitors_are_independent(settings: Settings) -> None:
    """A user at the address of a visitor is counted apart from the visitor."""
    settings.WRITES_A_MINUTE = 1

    def statuses(client: Client, address: str) -> list[int]:
        return [client.post(SOMEWHERE, WISH, REMOTE_ADDR=address).status_code for _time in range(2)]

    assert statuses(Client(), "192.0.2.1") == [302, 429]
    assert statuses(Client(), "192.0.2.2") == [302, 429]
    user = Client()
    user.force_login(User.objects.create_user("ana"))
    assert statuses(user, "192.0.2.1") == [302, 429]
    assert user.post(SOMEWHERE, WISH, REMOTE_ADDR="192.0.2.3").status_code == 429


@pytest.mark.parametrize(
    ("debug", "page", "sent"),
    [
        (False, SOMEWHERE, True),
        (False, "/nowhere/", True),
        (True, SOMEWHERE, True),
        (True, "/nowhere/", False),
    ],
)
def test_only_debug_pages_of_django_have_no_security_policy(
    settings: Settings, debug: bool, page: str, sent: bool
) -> None:
    settings.DEBUG = debug
    assert ("Content-Security-Policy" in Client().get(page).headers) is sent
