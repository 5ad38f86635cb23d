"""Spanish texts address the reader as *tú*, also those of allauth and Django."""

from __future__ import annotations

import re
from pathlib import Path

import allauth
import polib
import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from tests.accounts.people import signed_in

OURS = Path(__file__).resolve().parents[2] / "locale"
ALLAUTH = Path(allauth.__file__).parent / "locale"
TO_A_STRANGER = re.compile(
    r"\b(usted|introduzca|ingrese|(?<!se )escriba|elija|utilice|compruebe|asegúrese|inicie"
    r"|solicite|póngase|inténtelo|guárdelo|mire|su (contraseña|correo|navegador)"
    r"|(?<!por )su cuenta)\b",
    re.IGNORECASE,
)
# Formal words, including *su* and *desea*, for texts that mention only the reader.
OF_YOURS = re.compile(TO_A_STRANGER.pattern + r"|\b(sus?|desea)\b", re.IGNORECASE)
ELSEWHERE = re.compile("socialaccount|openid|idp|headless|admin")
ROOMS = (
    *("account", "profile", "account_email", "account_change_password", "account_logout"),
    *("mfa_index", "mfa_activate_totp", "mfa_list_webauthn", "mfa_add_webauthn"),
    *("usersessions_list", "tokens", "account_export", "account_leave", "account_reauthenticate"),
)
DOORS = ("account_login", "account_signup", "account_reset_password", "account_inactive")


def catalogue(folder: Path) -> polib.POFile:
    return polib.pofile(str(folder / "es" / "LC_MESSAGES" / "django.po"))


def test_allauth_messages_in_spanish_contain_no_formal_address() -> None:
    with translation.override("es"):
        said = [spoken(entry) for entry in catalogue(ALLAUTH) if reaches_somebody(entry)]
    assert len(said) > 200
    assert not [text for text in said if OF_YOURS.search(text)]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "No account yet? "),
        ("en-velvet", "No account yet? "),
        ("es", "Si aún no tienes cuenta, "),
    ],
)
def test_sign_in_page_links_to_sign_up(client: Client, language: str, said: str) -> None:
    if language == "en-velvet":
        client.cookies["wording"] = "bloodless"
    page = client.get(reverse("account_login"), headers={"Accept-Language": language[:2]}).text
    assert said in page
    assert "please" not in page


def reaches_somebody(entry: polib.POEntry) -> bool:
    """Return whether this allauth message can appear on the site, which has no phone numbers."""
    places = [place for place, _line in entry.occurrences if not ELSEWHERE.search(place)]
    return bool(places) and "phone" not in entry.msgid and not entry.obsolete


def spoken(entry: polib.POEntry) -> str:
    """Return the site's translation of a message in the active language."""
    if entry.msgid_plural:
        return translation.ngettext(entry.msgid, entry.msgid_plural, 2)
    if entry.msgctxt:
        return translation.pgettext(entry.msgctxt, entry.msgid)
    return translation.gettext(entry.msgid)


@pytest.mark.slow
def test_own_spanish_translations_contain_no_formal_address() -> None:
    said = [text for one in catalogue(OURS) for text in (one.msgstr, *one.msgstr_plural.values())]
    assert not [text for text in said if TO_A_STRANGER.search(text)]


@pytest.mark.slow
@pytest.mark.django_db
def test_spanish_account_pages_contain_no_formal_address(client: Client) -> None:
    ana = User.objects.create_user("ana", "ana@example.org", "una tarde de abril")
    at_home = signed_in(ana)
    doors = [*((at_home, name) for name in ROOMS), *((client, name) for name in DOORS)]
    spanish = {"accept-language": "es"}
    pages = [one.get(reverse(name), headers=spanish, follow=True) for one, name in doors]
    for page in pages:
        assert page.status_code == 200, page.request["PATH_INFO"]
        assert not TO_A_STRANGER.findall(page.content.decode()), page.request["PATH_INFO"]


@pytest.mark.django_db
def test_spanish_password_emails_contain_no_formal_address(client: Client) -> None:
    User.objects.create_user("ana", "ana@example.org", "una tarde de abril")
    for address in ("ana@example.org", "nadie@example.org"):
        asked = {"email": address}
        client.post(reverse("account_reset_password"), asked, headers={"accept-language": "es"})
    known, unknown = mail.outbox
    assert "Recibes este correo" in known.body
    assert "Restablecer la contraseña" in known.subject
    assert "Si has sido tú" in unknown.body
    assert not [one.body for one in mail.outbox if TO_A_STRANGER.search(str(one.body))]


@pytest.mark.django_db
def test_form_for_a_security_key_is_in_spanish(client: Client) -> None:
    at_home = signed_in(User.objects.create_user("ana", "ana@example.org", "una tarde de abril"))
    page = at_home.get(reverse("mfa_add_webauthn"), headers={"accept-language": "es"})
    assert "Nombre:</label>" in page.content.decode()
