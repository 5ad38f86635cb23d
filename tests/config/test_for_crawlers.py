"""What browsers and crawlers ask of a site before they ask for a page, and what the log keeps."""

from __future__ import annotations

import logging
import re

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.handlers.exception import response_for_exception
from django.test import Client, RequestFactory


def test_crawlers_are_told_where_not_to_go() -> None:
    answer = Client().get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    for path in ("/accounts/", "/admin/", "/api/", "/*?*sort=", "/*?*follow="):
        assert f"Disallow: {path}" in lines
    assert "Disallow: /" not in lines


def test_the_icon_is_found_at_its_old_address() -> None:
    answer = Client().get("/favicon.ico")
    assert answer.status_code == 302
    assert re.search(r"/img/favicon(\.\w+)?\.ico$", answer["Location"])
    icon = (settings.BASE_DIR / "static/img/favicon.ico").read_bytes()
    assert icon[:6] == bytes([0, 0, 1, 0, 3, 0])  # an icon, in three sizes


def test_a_refusal_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    request = RequestFactory().get("/direccion/")
    request.user = AnonymousUser()
    assert response_for_exception(request, PermissionDenied("closed")).status_code == 403
    (record,) = [one for one in caplog.records if one.name == "django.request"]
    (kept,) = [one for one in logging.root.handlers if type(one) is logging.StreamHandler]
    assert kept.filter(record)
    assert "/direccion/" in kept.format(record)
    assert "Traceback" not in kept.format(record)
