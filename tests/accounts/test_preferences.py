"""Preferences such as language and theme: stored in the browser, or with a user's account."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from core.names.text import sort_key
from leagues.models import Player
from leagues.players import new_player
from tests.html_forms import sent_by

pytestmark = pytest.mark.django_db
PASSWORD = "una tarde de abril"


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", "ana@example.org", PASSWORD)


def test_anonymous_visitor_stores_preferences_in_cookies(client: Client) -> None:
    answer = client.post(reverse("preferences"), {"language": "es", "theme": "dark"})
    assert answer.cookies["theme"].value == "dark"
    assert answer.cookies["django_language"].value == "es"


def test_preferences_of_a_signed_in_user_are_stored_with_the_account(
    client: Client, ana: User
) -> None:
    client.force_login(ana)
    client.post(reverse("preferences"), {"language": "es", "theme": "light"})
    ana.refresh_from_db()
    assert (ana.language, ana.theme) == ("es", "light")


def test_bloodless_wording_is_stored_in_a_cookie_and_restored_at_sign_in(
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


def test_bloodless_wording_of_a_user_can_be_changed_in_both_forms(
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


def test_unknown_language_and_theme_change_no_preference(client: Client, ana: User) -> None:
    client.force_login(ana)
    client.post(reverse("preferences"), {"language": "eo", "theme": "neon"})
    ana.refresh_from_db()
    assert (ana.language, ana.theme) == ("", "system")


@pytest.mark.parametrize("name", ["ana", "ana@example.org"])
def test_sign_in_by_username_or_email_restores_preferences(
    client: Client, ana: User, name: str
) -> None:
    User.objects.filter(pk=ana.pk).update(language="es", theme="dark")
    answer = client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert answer.status_code == 302
    assert answer.cookies["theme"].value == "dark"
    assert answer.cookies["django_language"].value == "es"


def test_choosing_the_browsers_defaults_clears_preference_cookies(client: Client) -> None:
    client.post(reverse("preferences"), {"language": "es", "theme": "dark"})
    answer = client.post(reverse("preferences"), {"language": "", "theme": "system"})
    assert answer.cookies["theme"].value == ""
    assert answer.cookies["django_language"].value == ""


def test_admin_uses_the_sign_in_page_of_the_site(client: Client) -> None:
    answer = client.get("/admin/")
    answer = client.get(answer["Location"])
    assert answer["Location"].startswith(reverse("account_login"))


ENTRANCES = ["account_login", "account_signup", "account_reset_password", "preferences"]
ROOMS = ["account_email", "account_change_password", "mfa_index", "usersessions_list"]


@pytest.mark.parametrize("name", ENTRANCES)
def test_sign_in_pages_have_the_layout_of_the_site(client: Client, name: str) -> None:
    page = client.get(reverse(name)).content.decode()
    assert page.count("<main") == 1
    assert page.count("<h1") == 1
    assert 'class="field"' in page
    assert "style=" not in page


@pytest.mark.parametrize("name", ROOMS)
def test_account_pages_of_allauth_have_the_layout_of_the_site(
    client: Client, ana: User, name: str
) -> None:
    client.force_login(ana)
    page = client.get(reverse(name)).content.decode()
    assert page.count("<main") == 1
    assert reverse("account_leave") in page


def test_account_page_counts_the_current_browser_as_signed_in(client: Client, ana: User) -> None:
    """Allauth may not have recorded the current session yet."""
    client.force_login(ana)
    UserSession.objects.all().delete()
    page = " ".join(client.get(reverse("account")).text.split())
    assert "Signed in on 1 browser." in page


def test_profile_form_saves_only_changed_fields() -> None:
    """An unchanged username longer than the limit of names is accepted.

    Changes from another browser stay.
    """
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


UNCLEAN = "A\N{COMBINING ACUTE ACCENT}na\N{ZERO WIDTH SPACE}  Ruiz"


@pytest.mark.parametrize("page", ["profile", "admin"])
def test_old_unclean_name_is_cleaned_when_a_form_with_it_is_saved(
    client: Client, ana: User, page: str
) -> None:
    """The form changes something else and sends the name as it was shown."""
    player = new_player(name="Ana", at=timezone.now(), user=ana)
    Player.objects.filter(pk=player.pk).update(name=UNCLEAN)
    address = reverse("profile")
    wish = {"language": ["es"]}
    if page == "admin":
        User.objects.filter(pk=ana.pk).update(is_superuser=True, is_staff=True)
        address, wish = f"/admin/leagues/player/{player.pk}/change/", {"public": []}
    client.force_login(User.objects.get(pk=ana.pk))
    sent = sent_by(client.get(address).text, having="name")
    assert sent["name"] == [UNCLEAN]
    assert client.post(address, sent | wish).status_code == 302
    player.refresh_from_db()
    assert player.name == "Ána Ruiz"
    assert player.name_key == sort_key("Ána Ruiz")
