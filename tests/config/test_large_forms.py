"""Large forms: which requests are parsed by the middleware, and how many fields they may have."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from accounts.models import User
from config import large_forms
from config.large_forms import URL_ENCODED, LargeFormMiddleware

CALENDAR, ADMIN = "/circuitos/nuevo/", "/admin/corridas/plaza/"
VISITOR, ANA = AnonymousUser(), User(pk=1, username="ana")
STAFF = User(pk=2, username="staff", is_staff=True)
GONE = User(pk=3, username="gone", is_staff=True, is_active=False)


def sent(
    fields: int,
    path: str = CALENDAR,
    user: User | AnonymousUser = ANA,
    method: str = "POST",
    kind: str = URL_ENCODED,
) -> HttpRequest:
    """Send a form with this number of fields without values, and return its request."""
    body = "&".join(f"field{number}=" for number in range(fields))
    request = RequestFactory().generic(method, path, body, kind)
    request.user = user
    LargeFormMiddleware(lambda _request: HttpResponse())(request)
    return request


@pytest.fixture
def limits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 10
    monkeypatch.setattr(large_forms, "MAX_FIELDS", 30)


@pytest.mark.usefixtures("limits")
def test_large_form_has_up_to_the_maximum_number_of_fields() -> None:
    for fields in (10, 11, 12, 30):
        form = sent(fields).POST
        assert len(form) == fields
        assert form["field0"] == ""
    with pytest.raises(TooManyFieldsSent):
        sent(31)
    assert not sent(30).FILES


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize(
    ("path", "user", "allowed"),
    [
        (CALENDAR, ANA, True),
        (CALENDAR, VISITOR, False),
        ("/circuitos/", ANA, False),
        ("/nowhere/", STAFF, False),
        (ADMIN, STAFF, True),
        (ADMIN, ANA, False),
        (ADMIN, GONE, False),
        (ADMIN, VISITOR, False),
    ],
)
def test_only_users_of_a_page_with_a_large_form_may_send_one(
    path: str, user: User | AnonymousUser, allowed: bool
) -> None:
    request = sent(20, path, user)
    if allowed:
        assert len(request.POST) == 20
        return
    with pytest.raises(TooManyFieldsSent):
        assert request.POST


@pytest.mark.usefixtures("limits")
def test_other_requests_are_not_parsed() -> None:
    for request in (sent(20, method="PUT"), sent(20, kind="text/plain"), sent(2)):
        assert "_body" not in vars(request)
