"""Sign-in and sign-up: wrong passwords, allowed usernames, and password confirmation."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django import Settings

from accounts.authentication import validate_latin_letters
from accounts.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "long enough for anybody"
SIGN_IN, SIGN_UP, KEYS = "/accounts/login/", "/accounts/signup/", "/accounts/tokens/make/"


@pytest.fixture
def ana() -> User:
    cache.clear()
    return User.objects.create_user("ana", "ana@example.org", PASSWORD)


def sign_in(password: str, address: str = "10.0.0.1", name: str = "ana") -> Any:
    return Client(REMOTE_ADDR=address).post(SIGN_IN, {"login": name, "password": password})


def is_in(answer: Any) -> bool:
    return bool(answer.status_code == 302)


@pytest.mark.usefixtures("ana")
def test_wrong_passwords_lock_an_account_only_for_the_guessing_ip_address() -> None:
    for _guess in range(5):
        assert not is_in(sign_in("wrong", "10.0.0.1"))
    assert not is_in(sign_in(PASSWORD, "10.0.0.1"))
    assert "Too many failed login attempts" in sign_in(PASSWORD, "10.0.0.1").content.decode()
    assert is_in(sign_in(PASSWORD, "10.0.0.2"))
    assert is_in(sign_in(PASSWORD, "10.0.0.2", name="ANA"))


def guess_all_day(addresses: int) -> None:
    for number in range(addresses):
        for _guess in range(5):
            sign_in("wrong", f"10.0.1.{number}")


@pytest.mark.slow
def test_hundred_wrong_passwords_a_day_lock_an_account_until_its_password_changes(
    ana: User,
) -> None:
    guess_all_day(19)
    assert is_in(sign_in(PASSWORD, "10.0.0.2"))
    guess_all_day(1)
    for guess in range(5):
        sign_in("wrong", f"10.0.2.{guess}")
    assert not is_in(sign_in(PASSWORD, "10.0.0.2"))
    assert not is_in(sign_in(PASSWORD, "10.0.0.2", name="ana@example.org")), "by whichever name"
    ana.set_password(PASSWORD + "!")
    ana.save()
    assert is_in(sign_in(PASSWORD + "!", "10.0.0.2"))


@pytest.mark.usefixtures("ana")
def test_successful_sign_ins_do_not_count_as_wrong_passwords() -> None:
    assert all(is_in(sign_in(PASSWORD)) for _time in range(8))


@pytest.mark.parametrize(
    "name", ["ana", "Íñigo", "françois", "Łukasz", "Sør_7", "a.b+c@d-e", "Núñez"]
)
def test_usernames_may_contain_any_latin_letters(name: str) -> None:
    validate_latin_letters(name)


@pytest.mark.parametrize(
    "name", ["\u0430na", "an\u0430", "\u03b1na", "\uff41na", "\u0251na", "\u0131na"]
)
def test_usernames_with_lookalike_letters_are_rejected(name: str, settings: Settings) -> None:
    with pytest.raises(ValidationError):
        validate_latin_letters(name)
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    answer = Client().post(SIGN_UP, form)
    assert answer.status_code == 200
    assert "only Latin letters" in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.usefixtures("ana")
def test_sign_up_without_mail_server_ignores_email_addresses() -> None:
    page = Client().get(SIGN_UP).content.decode()
    assert 'name="email"' not in page
    form = {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}
    answers = [
        Client().post(SIGN_UP, form | {"username": f"eva{at}", "email": address})
        for at, address in enumerate(("ana@example.org", "new@example.org"))
    ]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert not User.objects.filter(username="eva0", email="ana@example.org").exists()


@pytest.mark.usefixtures("ana")
def test_recent_sign_in_suffices_to_create_an_api_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client()
    client.post(SIGN_IN, {"login": "ana", "password": PASSWORD})
    key = {"name": "bot", "scope": "read", "days": "30"}
    assert "/reauthenticate/" not in client.post(KEYS, key).headers.get("Location", "")
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 301
    session.save()
    assert "/reauthenticate/" in client.post(KEYS, key).headers["Location"]


def test_recent_sign_up_suffices_to_create_an_api_key() -> None:
    client = Client()
    form = {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(SIGN_UP, form).status_code == 302
    answer = client.post(KEYS, {"name": "bot", "scope": "read", "days": "30"})
    assert "/reauthenticate/" not in answer.headers.get("Location", "")


def test_session_without_password_entry_must_confirm_it_to_create_an_api_key(ana: User) -> None:
    client = Client()
    client.force_login(ana)
    answer = client.post(KEYS, {"name": "bot", "scope": "read", "days": "30"})
    assert "/reauthenticate/" in answer.headers["Location"]
