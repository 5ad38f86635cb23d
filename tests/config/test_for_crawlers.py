"""Files that crawlers and browsers request by themselves, and the log of rejected requests."""

from __future__ import annotations

import logging
import re

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.handlers.exception import response_for_exception
from django.test import Client, RequestFactory


def test_robots_txt_excludes_accounts_admin_and_api() -> None:
    answer = Client().get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    for path in ("/accounts/", "/admin/", "/api/", "/*?*sort=", "/*?*follow="):
        assert f"Disallow: {path}" in lines
    assert "Disallow: /" not in lines


def test_favicon_ico_redirects_to_the_icon() -> None:
    answer = Client().get("/favicon.ico")
    assert answer.status_code == 302
    assert re.search(r"/img/favicon(\.\w+)?\.ico$", answer["Location"])
    icon = (settings.BASE_DIR / "static/img/favicon.ico").read_bytes()
    assert icon[:6] == bytes([0, 0, 1, 0, 3, 0])  # header of an icon file with three sizes


def test_forbidden_request_is_logged_without_traceback(caplog: pytest.LogCaptureFixture) -> None:
    request = RequestFactory().get("/direccion/")
    request.user = AnonymousUser()
    assert response_for_exception(request, PermissionDenied("closed")).status_code == 403
    (record,) = [one for one in caplog.records if one.name == "django.request"]
    (kept,) = [one for one in logging.root.handlers if type(one) is logging.StreamHandler]
    assert kept.filter(record)
    assert "/direccion/" in kept.format(record)
    assert "Traceback" not in kept.format(record)
