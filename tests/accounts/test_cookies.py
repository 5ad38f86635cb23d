"""Session cookies: a new session at sign-in, and names bound to the host under HTTPS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.site import KEY

ROOT = Path(__file__).resolve().parents[2]
ASK = (
    "from config import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, "
    "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.MFA_ALLOW_UNVERIFIED_EMAIL, s.SITE_URL)"
)


def settings_text(tmp_path: Path, **variables: str) -> str:
    """Return the settings of a site that starts with these environment variables."""
    kept = {"PATH": os.environ["PATH"], "DATA": str(tmp_path), "SECRET_KEY": KEY}
    asked = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=kept | variables, check=True, capture_output=True
    )
    return asked.stdout.decode().strip()


@pytest.mark.slow
def test_cookies_of_a_public_site_are_secure_and_bound_to_its_host(tmp_path: Path) -> None:
    open_to_all = {"ALLOWED_HOSTS": "toros.example.org", "HOST": "0.0.0.0", "EMAIL_HOST": "mail"}
    names = "__Host-sessionid __Host-csrftoken True True"
    assert settings_text(tmp_path, **open_to_all) == f"{names} False https://toros.example.org"
    assert settings_text(tmp_path) == "sessionid csrftoken False False True http://localhost:8000"


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ({"PORT": "8000"}, "sessionid csrftoken"),
        ({"PORT": "8080"}, "sessionid_8080 csrftoken_8080"),
        # Public sites have the same cookie names on every port. New names would end all sessions.
        ({"PORT": "8080", "HOST": "0.0.0.0", "HTTPS": "0"}, "sessionid csrftoken"),
        ({"PORT": "8080", "PROXIES": "1"}, "__Host-sessionid __Host-csrftoken"),
    ],
)
@pytest.mark.slow
def test_cookie_names_differ_by_port_on_a_local_site(
    tmp_path: Path, variables: dict[str, str], names: str
) -> None:
    assert settings_text(tmp_path, **variables).startswith(f"{names} ")


@pytest.mark.django_db
def test_sign_in_starts_a_new_session_whose_cookie_scripts_cannot_read() -> None:
    User.objects.create_user("ana", "ana@example.org", "una tarde de abril")
    client = Client()
    session = client.session
    session["guest_player"] = 0
    session.save()
    before = session.session_key
    filled_in = {"login": "ana", "password": "una tarde de abril"}
    answer = client.post(reverse("account_login"), filled_in)
    cookie = answer.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie.value not in {"", before}
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


@pytest.mark.django_db
def test_sign_in_is_blocked_after_many_wrong_passwords() -> None:
    User.objects.create_user("ana", "ana@example.org", "una tarde de abril")
    client = Client()
    wrong = {"login": "ana", "password": "guessed"}
    pages = [client.post(reverse("account_login"), wrong) for _try in range(7)]
    assert "Too many failed" in pages[-1].content.decode() or pages[-1].status_code == 429
