"""API keys: creation, storage, lookup, expiry, deletion and permissions."""

from __future__ import annotations

import datetime as dt
from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts.account_deletion import operations as account_deletion
from accounts.models import User
from api.authentication import TokenAuthentication
from api.keys.forms import TokenForm
from api.keys.operations import (
    KEY_PREFIX,
    MAX_KEYS,
    TooManyKeys,
    digest,
    find_token,
    make_token,
    revoke_token,
    tokens_of,
)
from api.models import Token
from api.problems import Problem
from api.views import _check_may_write
from tests.accounts.people import signed_in

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 3, 5, 20, tzinfo=dt.UTC)
SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)
Scope = Token.Scope


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


def token_of(user: User, **fields: Any) -> tuple[Token, str]:
    given: dict[str, Any] = {"name": "m", "scope": Scope.READ, "at": NOW} | fields
    return make_token(user=user, **given)


def test_api_key_is_stored_as_digest_and_prefix(ana: User) -> None:
    row, text = token_of(ana, name="bot", scope=Scope.WRITE)
    row.refresh_from_db()
    assert text.startswith(KEY_PREFIX)
    assert len(text) == len(KEY_PREFIX) + 43
    assert bytes(row.digest) == sha256(text.encode()).digest() == digest(text)
    assert row.prefix == text[len(KEY_PREFIX) : len(KEY_PREFIX) + 6]
    assert (row.user, row.name, row.scope) == (ana, "bot", Scope.WRITE)
    assert (row.created_at, row.expires_at, row.used_on) == (NOW, None, None)
    assert not [value for value in Token.objects.values_list()[0] if value == text]
    assert token_of(ana)[1] != text


@pytest.mark.parametrize(("days", "ends"), [(None, None), (30, NOW + 30 * DAY), (0, NOW)])
def test_api_key_expires_after_the_chosen_days(
    ana: User, days: int | None, ends: dt.datetime | None
) -> None:
    row, text = token_of(ana, days=days)
    assert row.expires_at == ends
    if ends is None:
        assert find_token(text, at=NOW + 10_000 * DAY) == row
        return
    assert find_token(text, at=ends - SECOND) == row
    assert find_token(text, at=ends) is None
    assert find_token(text, at=ends + SECOND) is None


def test_only_the_exact_text_of_an_api_key_is_accepted(ana: User) -> None:
    row, text = token_of(ana)
    for other in (
        "",
        text[:-1],
        f"{text}x",
        text.removeprefix(KEY_PREFIX),
        text.upper(),
        row.prefix,
    ):
        assert find_token(other, at=NOW) is None
    assert find_token("\ud800", at=NOW) is None
    found = find_token(text, at=NOW)
    assert found == row
    assert found is not None
    assert found.user == ana


def test_last_day_of_use_of_an_api_key_is_stored(ana: User) -> None:
    row, text = token_of(ana)
    for at in (NOW, NOW + SECOND, NOW + DAY):
        find_token(text, at=at)
        row.refresh_from_db()
        assert row.used_on == at.date()
    _ended, other = token_of(ana, days=1)
    find_token(other, at=NOW + 2 * DAY)
    assert Token.objects.filter(used_on=None).count() == 1, "a key that ended is not used"


def test_api_key_is_invalid_while_its_owners_account_is_being_deleted(ana: User) -> None:
    _row, text = token_of(ana)
    departure = account_deletion.request_deletion(ana, at=NOW)
    assert find_token(text, at=NOW) is None
    account_deletion.cancel_deletion(departure)
    assert find_token(text, at=NOW) is not None


def test_user_can_have_at_most_twenty_api_keys(ana: User) -> None:
    eva = User.objects.create_user("eva")
    keys = [token_of(ana)[0] for _key in range(MAX_KEYS)]
    assert MAX_KEYS == 20
    with pytest.raises(TooManyKeys, match="20"):
        token_of(ana)
    token_of(eva)
    assert revoke_token(user=ana, key=keys[0].pk)
    token_of(ana)
    assert tokens_of(ana).count() == 20


def test_only_the_owner_can_delete_an_api_key(ana: User) -> None:
    eva = User.objects.create_superuser("eva")
    row, text = token_of(ana)
    other, _text = token_of(ana, at=NOW + SECOND)
    assert list(tokens_of(ana)) == [other, row]
    assert not list(tokens_of(eva))
    assert not revoke_token(user=eva, key=row.pk)
    assert find_token(text, at=NOW) == row
    assert revoke_token(user=ana, key=row.pk)
    assert not revoke_token(user=ana, key=row.pk)
    assert find_token(text, at=NOW) is None
    assert list(tokens_of(ana)) == [other]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("Bearer {key}", True),
        ("bearer {key}", True),
        ("BEARER  {key} ", True),
        ("Basic {key}", None),
        ("Token {key}", None),
        ("{key}", None),
        ("", None),
        ("Bearer", False),
        ("Bearer ", False),
        ("Bearer x{key}", False),
        ("Bearer {key} {key}", False),
    ],
)
def test_authorization_header_with_an_api_key(ana: User, header: str, found: bool | None) -> None:
    row, text = make_token(user=ana, name="m", scope=Scope.READ, at=timezone.now())
    headers = {"authorization": header.format(key=text)}
    request = Request(APIRequestFactory().get("/", headers=headers))
    if found is False:
        with pytest.raises(AuthenticationFailed):
            TokenAuthentication().authenticate(request)
        return
    assert TokenAuthentication().authenticate(request) == ((ana, row) if found else None)


@pytest.mark.parametrize(
    ("who", "refused"),
    [
        ("nobody", 401),
        (Scope.READ, 403),
        (Scope.WRITE, None),
        ("session", None),
    ],
)
def test_only_sessions_and_write_keys_may_change_data(
    ana: User, who: str, refused: int | None
) -> None:
    request = Request(APIRequestFactory().post("/"))
    request.user = AnonymousUser() if who == "nobody" else ana
    request.auth = Token(user=ana, scope=who) if who in Scope.values else None
    if refused is None:
        _check_may_write(request)
        return
    with pytest.raises((NotAuthenticated, Problem)) as error:
        _check_may_write(request)
    assert isinstance(error.value, NotAuthenticated) == (refused == 401)
    assert isinstance(error.value, Problem) == (refused == 403)


@pytest.mark.parametrize(
    ("sent", "days"),
    [("30", 30), ("365", 365), ("", None), ("7", False), ("-1", False), ("x", False)],
)
def test_form_for_api_keys_offers_fixed_lifetimes_and_scopes(
    sent: str, days: int | bool | None
) -> None:
    form = TokenForm({"name": "m", "scope": "read", "days": sent})
    assert form.is_valid() == (days is not False)
    if days is not False:
        assert form.cleaned_data["days"] == days
    for wrong in ({"scope": "all"}, {"name": ""}, {"name": "x" * 61}):
        assert not TokenForm({"name": "m", "scope": "read", "days": ""} | wrong).is_valid()


def test_new_api_key_is_shown_once_and_requires_the_password(ana: User) -> None:
    wish = {"name": "bot", "scope": "write", "days": "30"}
    ana.set_password("una tarde de abril")
    ana.save()
    plain = Client()
    plain.force_login(ana)
    assert "/reauthenticate/" in plain.post(reverse("token_make"), wish)["Location"]
    assert not Token.objects.exists()
    client = signed_in(ana)
    assert client.post(reverse("token_make"), wish | {"scope": "all"}).status_code == 400
    told = client.post(reverse("token_make"), wish)
    row = Token.objects.get()
    assert (row.name, row.scope, row.user) == ("bot", "write", ana)
    assert row.expires_at is not None
    assert (row.expires_at - row.created_at).days == 30
    assert f"{KEY_PREFIX}{row.prefix}" in told.text
    assert "no-store" in told["Cache-Control"]
    page = client.get(reverse("tokens"))
    assert f"{KEY_PREFIX}{row.prefix}" not in page.text
    assert "bot" in page.text
    Token.objects.bulk_create(
        Token(user=ana, name="x", prefix="", digest=b"%d" % n, created_at=NOW) for n in range(19)
    )
    assert client.post(reverse("token_make"), wish).status_code == 400
    assert tokens_of(ana).count() == 20


def test_page_of_api_keys_contains_only_own_keys(ana: User) -> None:
    row, _text = token_of(ana, name="of ana")
    eva = signed_in(User.objects.create_user("eva"))
    assert "of ana" not in eva.get(reverse("tokens")).text
    eva.post(reverse("token_revoke", args=[row.pk]))
    assert Token.objects.filter(pk=row.pk).exists()
    own = Client()
    own.force_login(ana)
    assert own.get(reverse("token_revoke", args=[row.pk])).status_code == 405
    own.post(reverse("token_revoke", args=[row.pk]))
    assert not Token.objects.exists()
