"""Usernames are unique regardless of case, also in the database.

Older accounts may still collide.
"""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.authentication import rate_limit_key
from accounts.models import Notice, User
from core.names.filling import fill_missing_keys
from tests.databases import opened
from tests.scratch import at_once

PASSWORD = "long enough for anybody"


def sign_up(username: str) -> tuple[bool, str]:
    """Sign up, and return whether it succeeded and the content of the response."""
    form = {"username": username, "password1": PASSWORD, "password2": PASSWORD}
    answer = Client().post("/accounts/signup/", form)
    return answer.status_code == 302, answer.content.decode()


def signed_in(username: str) -> str | None:
    client = Client()
    client.post("/accounts/login/", {"login": username, "password": PASSWORD})
    number = client.session.get("_auth_user_id")
    return User.objects.get(pk=number).username if number else None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("peñista", "PEÑISTA"),
        ("penista", "PENISTA"),
        ("Ólga", "ólga"),
        ("ólga", "O\u0301LGA"),
        ("Straße", "STRASSE"),
    ],
)
def test_username_that_differs_only_in_case_is_taken(shared: str, first: str, second: str) -> None:
    with opened(shared):
        assert sign_up(first)[0]
        made, page = sign_up(second)
        assert not made
        assert "A user with that username already exists." in page
        assert User.objects.count() == 1


def test_usernames_that_differ_in_accents_are_different(shared: str) -> None:
    with opened(shared):
        assert sign_up("pena")[0]
        assert sign_up("peña")[0]
        assert signed_in("PEÑA") == "peña"
        assert signed_in("PENA") == "pena"


@pytest.mark.parametrize("typed", ["Ólga", "ólga", "ÓLGA", "O\u0301lga", " ólga\u200b"])
def test_sign_in_ignores_the_case_of_the_username(shared: str, typed: str) -> None:
    with opened(shared):
        sign_up("Ólga")
        assert signed_in(typed) == "Ólga"
        assert signed_in("Olga") is None


def test_rejected_sign_up_form_keeps_the_typed_username(shared: str) -> None:
    with opened(shared):
        sign_up("peñista")
        assert 'value="PEÑISTA"' in sign_up("PEÑISTA")[1]


def test_of_two_concurrent_sign_ups_differing_in_case_one_succeeds(shared: str) -> None:
    names = iter(["íñigo", "ÍÑIGO"])

    def choose() -> bool:
        return sign_up(next(names))[0]

    at_once(shared, choose, choose, reading='FROM "accounts_user".*username_key')
    with opened(shared):
        assert User.objects.count() == 1


@pytest.mark.django_db
def test_model_command_and_database_reject_a_username_that_differs_in_case() -> None:
    User.objects.create_user("peñista")
    with pytest.raises(ValidationError, match="already exists"):
        User(username="PEÑISTA", password="x").full_clean()
    with pytest.raises(CommandError, match="already taken"):
        call_command(
            "createsuperuser", username="Peñista", email="a@example.org", interactive=False
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("PEÑISTA")


@pytest.mark.django_db
def test_wrong_passwords_are_counted_for_all_cases_of_a_username() -> None:
    User.objects.create_user("Ólga", password=PASSWORD)
    assert rate_limit_key(username="ólga") == rate_limit_key(username="ÓLGA")
    assert rate_limit_key(username="ólga").startswith("user ")


def collide() -> tuple[User, User]:
    """Create two accounts whose usernames differ only in case, as the previous release allowed."""
    one = User.objects.create_user("peñista", password=PASSWORD)
    other = User.objects.create_user("other", password=PASSWORD)
    User.objects.filter(pk=one.pk).update(username_key=None)
    User.objects.filter(pk=other.pk).update(username="PEÑISTA", username_key=None)
    User.objects.create_user("Ólga", password=PASSWORD)
    User.objects.filter(username="Ólga").update(username_key=None)
    return one, other


def test_colliding_accounts_sign_in_with_their_exact_spelling(shared: str) -> None:
    with opened(shared):
        one, other = collide()
        fill = importlib.import_module("accounts.migrations.0006_fill_name_keys")
        fill.fill(apps, None)
        assert signed_in("peñista") == "peñista"
        assert signed_in("PEÑISTA") == "PEÑISTA"
        assert signed_in("ólga") == "Ólga"
        told = Notice.objects.order_by("pk").values_list("user", "kind", "data")
        assert [*told] == [
            (one.pk, "username", {"name": "peñista"}),
            (other.pk, "username", {"name": "PEÑISTA"}),
        ]
        client = Client()
        client.post("/accounts/login/", {"login": "PEÑISTA", "password": PASSWORD})
        page = client.get("/accounts/notices/").content.decode()
        assert "spell yours exactly like this: PEÑISTA" in page


def test_colliding_accounts_can_be_saved_and_block_the_name_for_others(shared: str) -> None:
    with opened(shared):
        one, other = collide()
        fill_missing_keys()
        one.refresh_from_db()
        one.first_name = "Eva"
        one.save()
        other.refresh_from_db()
        other.save()
        assert User.objects.get(pk=one.pk).username_key is None
        assert not sign_up("PeñIsta")[0]
        other.delete()
        one.save()
        assert User.objects.get(pk=one.pk).username_key == "peñista"


@pytest.mark.django_db
def test_account_created_by_the_previous_release_gets_its_username_key() -> None:
    User.objects.create_user("Ólga", password=PASSWORD)
    User.objects.update(username_key=None, search_text="")
    assert authenticate(username="ólga", password=PASSWORD) is None
    fill_missing_keys()
    assert authenticate(username="ólga", password=PASSWORD) is not None
    assert User.objects.get().search_text == " olga"


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["José.Peña", "Jose\u0301.Pen\u0303a", "JOSÉ.PEÑA"])
def test_admin_rejects_a_username_that_is_taken(typed: str, shared: str) -> None:
    with opened(shared):
        client = Client()
        User.objects.create_user("José.Peña")
        client.force_login(User.objects.create_superuser("office"))
        password = "long enough for anybody"
        form = {"username": typed, "password1": password, "password2": password}
        answer = client.post("/admin/accounts/user/add/", form | {"usable_password": "true"})
        assert answer.status_code == 200
        assert "A user with that username already exists." in answer.text
