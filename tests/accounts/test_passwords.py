"""A password change keeps API keys and secret URLs valid, says so, and offers to end them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from accounts.notifications import tokens
from accounts.operations import end_access
from api.keys.operations import find_token, make_token
from api.models import Token
from tests.accounts.people import signed_in

BEFORE, AFTER = "una tarde de abril", "otra tarde de mayo"
Way = Callable[[User], tuple[Client, str]]


def password_form(user: User) -> tuple[Client, str]:
    return signed_in(user), reverse("account_change_password")


def first_set(user: User) -> tuple[Client, str]:
    user.set_unusable_password()
    user.save()
    return signed_in(user), reverse("account_set_password")


def reset_by_mail(user: User) -> tuple[Client, str]:
    browser = Client()
    browser.post(reverse("account_reset_password"), {"email": user.email})
    link = re.search(r"http://testserver(\S+)", str(mail.outbox[-1].body))
    assert link
    return browser, browser.get(link[1])["Location"]


def access_of(user: User) -> Callable[[], list[bool]]:
    """Return a function that checks whether the user's API key, calendar and feed still work."""
    _row, key = make_token(user=user, name="program", scope="read", at=timezone.now())
    addresses = [
        reverse("calendar", args=[tokens.make_token(user, tokens.CALENDAR)]),
        reverse("notices_feed", args=[tokens.make_token(user, tokens.FEED)]),
    ]

    def ask() -> list[bool]:
        works = find_token(key, at=timezone.now()) is not None
        return [works, *(Client().get(address).status_code == 200 for address in addresses)]

    assert ask() == [True] * 3
    return ask


SAID = {
    "en": (
        "stay valid when your password changes",
        "old calendar and feed addresses no longer work",
    ),
    "es": ("siguen siendo válidas", "y tu canal RSS ya no funcionan"),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", [password_form, first_set, reset_by_mail])
@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize("ended", [False, True], ids=["kept", "ended"])
def test_password_change_ends_keys_and_secret_urls_only_if_chosen(
    ana: User, eva: User, settings: Settings, way: Way, language: str, ended: bool
) -> None:
    works, of_another = access_of(ana), access_of(eva)
    browser, address = way(ana)
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    offered, done = SAID[language]
    page = browser.get(address).content.decode()
    assert offered in page
    filled_in = {"oldpassword": BEFORE, "password1": AFTER, "password2": AFTER}
    answer = browser.post(address, filled_in | ({"end_access": "on"} if ended else {}), follow=True)
    ana.refresh_from_db()
    assert ana.check_password(AFTER)
    assert works() == [not ended] * 3
    assert of_another() == [True] * 3
    assert (done in answer.content.decode()) is ended


def test_rejected_password_change_ends_no_access(ana: User) -> None:
    works = access_of(ana)
    browser, address = password_form(ana)
    filled_in = {"oldpassword": "wrong", "password1": AFTER, "password2": AFTER}
    browser.post(address, filled_in | {"end_access": "on"})
    assert works() == [True] * 3


def test_failed_end_of_access_is_rolled_back_completely(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = access_of(ana)
    monkeypatch.setattr(Token.objects, "filter", lambda **_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        end_access(ana)
    monkeypatch.undo()
    assert works() == [True] * 3
