"""The director's chair: on a local site, one click signs a visitor in as a superuser.

It exists only for visitors on the machine that runs the site.
"""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User

pytestmark = pytest.mark.django_db
HERE: dict[str, Any] = {"REMOTE_ADDR": "127.0.0.1", "headers": {"host": "localhost:8000"}}


@pytest.fixture
def local(settings: Settings) -> Settings:
    settings.LOCAL_CHAIR = True
    settings.LOCAL_CHAIR_REFUSED = []
    return settings


def sit(client: Client, **visitor: Any) -> int:
    return client.post(reverse("chair"), **(HERE | visitor)).status_code


@pytest.mark.slow
@pytest.mark.usefixtures("local")
def test_one_click_signs_a_local_visitor_in_as_director(client: Client) -> None:
    assert sit(client) == 302
    director = User.objects.get(pk=client.session["_auth_user_id"])
    assert director.username == "director"
    assert director.is_superuser
    assert director.is_staff
    assert not director.has_usable_password()


@pytest.mark.usefixtures("local")
def test_second_click_signs_in_as_the_same_director(client: Client) -> None:
    sit(client)
    sit(Client())
    assert get_user_model().objects.filter(username="director").count() == 1


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]", "[::1]:8000"])
def test_chair_works_under_every_host_name_of_this_machine(client: Client, host: str) -> None:
    assert sit(client, headers={"host": host}) == 302


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize(
    "visitor",
    [
        {"REMOTE_ADDR": "192.168.1.7"},
        {"REMOTE_ADDR": ""},
        {"headers": {"host": "localhost", "x-forwarded-for": "127.0.0.1"}},
        {"headers": {"host": "localhost", "x-real-ip": "127.0.0.1"}},
        {"headers": {"host": "localhost", "forwarded": "for=127.0.0.1"}},
        {"headers": {"host": "localhost", "via": "1.1 gate"}},
        {"headers": {"host": "testserver"}},
    ],
    ids=str,
)
def test_chair_returns_404_for_visitors_who_may_be_remote(
    client: Client, visitor: dict[str, Any]
) -> None:
    assert sit(client, **visitor) == 404
    assert not User.objects.exists()


@pytest.mark.usefixtures("local")
def test_chair_rejects_a_foreign_host_name(client: Client) -> None:
    assert sit(client, headers={"host": "evil.example:8000"}) == 400


def test_chair_returns_404_if_the_site_has_not_enabled_it(client: Client) -> None:
    assert sit(client) == 404
    assert not User.objects.exists()


def test_chair_returns_404_if_other_settings_forbid_it(client: Client, local: Settings) -> None:
    local.LOCAL_CHAIR_REFUSED = ["HOST is 0.0.0.0"]
    assert sit(client) == 404


@pytest.mark.usefixtures("local")
def test_get_request_does_not_sign_in_as_director(client: Client) -> None:
    assert client.get(reverse("chair"), **HERE).status_code == 405


@pytest.mark.usefixtures("local")
def test_chair_requires_a_csrf_token() -> None:
    assert sit(Client(enforce_csrf_checks=True)) == 403


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize(
    ("wanted", "lands"), [("/seasons/", "/seasons/"), ("https://evil.example/", "/"), ("", "/")]
)
def test_chair_redirects_only_to_pages_of_the_site(client: Client, wanted: str, lands: str) -> None:
    answer = client.post(reverse("chair"), {"next": wanted}, **HERE)
    assert answer["Location"] == lands


def test_sign_up_rejects_the_username_of_the_director(client: Client) -> None:
    filled_in = {"username": "Director", "email": "ana@example.org"}
    passwords = {"password1": "una tarde de abril", "password2": "una tarde de abril"}
    client.post(reverse("account_signup"), filled_in | passwords)
    assert not User.objects.exists()


@pytest.mark.usefixtures("local")
def test_director_gets_another_username_if_director_is_taken(client: Client) -> None:
    somebody = User.objects.create_user("DIRECTOR")
    stranger = User.objects.create_user("director-2", password="long enough for anybody")
    assert sit(client) == 302
    sit(Client())
    director = User.objects.get(pk=client.session["_auth_user_id"])
    assert director not in {somebody, stranger}
    assert director.is_superuser
    assert User.objects.count() == 3
