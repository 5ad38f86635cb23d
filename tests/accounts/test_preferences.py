"""Language, theme and wording: of a visitor in the browser, of an account wherever it signs in."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.html_forms import sent_by

pytestmark = pytest.mark.django_db
PASSWORD = "una tarde de abril"


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", "ana@example.org", PASSWORD)


def test_a_visitor_may_prefer_without_an_account(client: Client) -> None:
    answer = client.post(reverse("preferences"), {"language": "es", "theme": "dark"})
    assert answer.cookies["theme"].value == "dark"
    assert answer.cookies["django_language"].value == "es"


def test_what_is_preferred_is_kept_with_the_account(client: Client, ana: User) -> None:
    client.force_login(ana)
    client.post(reverse("preferences"), {"language": "es", "theme": "light"})
    ana.refresh_from_db()
    assert (ana.language, ana.theme) == ("es", "light")


def test_bloodless_wording_is_for_visitors_and_comes_with_signing_in(
    client: Client, ana: User
) -> None:
    wish = {"language": "", "theme": "system", "bloodless": "on"}
    assert client.post(reverse("preferences"), wish).cookies["wording"].value == "bloodless"
    assert "checked" in client.get(reverse("preferences")).content.decode()
    wish.pop("bloodless")
    assert client.post(reverse("preferences"), wish).cookies["wording"].value == ""
    User.objects.filter(pk=ana.pk).update(bloodless=True)
    answer = Client().post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    assert answer.cookies["wording"].value == "bloodless"


def test_bloodless_wording_is_kept_with_the_account_from_either_form(
    client: Client, ana: User
) -> None:
    client.force_login(ana)
    wish = {"language": "", "theme": "system", "bloodless": "on"}
    client.post(reverse("preferences"), wish)
    assert User.objects.get(pk=ana.pk).bloodless
    assert "checked" in client.get(reverse("profile")).content.decode()
    wish.pop("bloodless")
    answer = client.post(reverse("profile"), wish | {"name": "Ana"})
    assert answer.cookies["wording"].value == ""
    assert not User.objects.get(pk=ana.pk).bloodless


def test_an_unknown_theme_changes_nothing(client: Client, ana: User) -> None:
    client.force_login(ana)
    client.post(reverse("preferences"), {"language": "eo", "theme": "neon"})
    ana.refresh_from_db()
    assert (ana.language, ana.theme) == ("", "system")


@pytest.mark.parametrize("name", ["ana", "ana@example.org"])
def test_signing_in_by_name_or_mail_brings_the_preferences(
    client: Client, ana: User, name: str
) -> None:
    User.objects.filter(pk=ana.pk).update(language="es", theme="dark")
    answer = client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert answer.status_code == 302
    assert answer.cookies["theme"].value == "dark"
    assert answer.cookies["django_language"].value == "es"


def test_going_back_to_the_browsers_ways_takes_the_cookies_away(client: Client) -> None:
    client.post(reverse("preferences"), {"language": "es", "theme": "dark"})
    answer = client.post(reverse("preferences"), {"language": "", "theme": "system"})
    assert answer.cookies["theme"].value == ""
    assert answer.cookies["django_language"].value == ""


def test_the_office_is_entered_by_the_same_door(client: Client) -> None:
    answer = client.get("/admin/")
    answer = client.get(answer["Location"])
    assert answer["Location"].startswith(reverse("account_login"))


ENTRANCES = ["account_login", "account_signup", "account_reset_password", "preferences"]
ROOMS = ["account_email", "account_change_password", "mfa_index", "usersessions_list"]


@pytest.mark.parametrize("name", ENTRANCES)
def test_the_pages_at_the_entrance_wear_the_sites_dress(client: Client, name: str) -> None:
    page = client.get(reverse(name)).content.decode()
    assert page.count("<main") == 1
    assert page.count("<h1") == 1
    assert 'class="field"' in page
    assert "style=" not in page


@pytest.mark.parametrize("name", ROOMS)
def test_the_pages_of_the_account_wear_the_sites_dress(
    client: Client, ana: User, name: str
) -> None:
    client.force_login(ana)
    page = client.get(reverse(name)).content.decode()
    assert page.count("<main") == 1
    assert reverse("account_leave") in page


def test_the_browser_that_asks_is_counted_as_signed_in(client: Client, ana: User) -> None:
    """Its session may not be recorded yet."""
    client.force_login(ana)
    UserSession.objects.all().delete()
    page = " ".join(client.get(reverse("account")).text.split())
    assert "Signed in on 1 browser." in page


def test_a_profile_changes_only_what_was_changed() -> None:
    """A username longer than a name may be stays, and so does what changed in another browser."""
    user = User.objects.create_user("a" * 100, password="olé-olé-olé")
    browser = Client()
    browser.force_login(user)
    sent = sent_by(browser.get(reverse("profile")).text, having="theme")
    assert sent["name"] == ["a" * 100]
    User.objects.update(zone="Asia/Tokyo", theme="dark")
    assert browser.post(reverse("profile"), sent | {"language": ["es"]}).status_code == 302
    user.refresh_from_db()
    assert (user.language, user.zone, user.theme) == ("es", "Asia/Tokyo", "dark")
    assert (user.get_full_name(), user.get_username()) == ("", "a" * 100)
    refused = browser.post(reverse("profile"), sent | {"name": ["b" * 61]})
    assert refused.status_code == 422
