"""Error pages have the design of the site and a way out, and need as little as possible to be
shown.
"""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

# Error pages rendered without a request and without a database.
BARE = {"400.html": "400", "403_csrf.html": "403", "500.html": "500"}
DRESSED = {"403.html": "403", "404.html": "404", "413.html": "413", "429.html": "429"}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("template", BARE)
def test_error_page_needs_no_request_and_no_database(template: str, language: str) -> None:
    with translation.override(language):
        page = render_to_string(template)
    assert f'lang="{language}"' in page
    assert page.count("<h1>") == 1
    assert f">{BARE[template]}<" in page
    assert 'href="/"' in page
    assert "<script" not in page
    assert "style=" not in page


@pytest.mark.parametrize("template", DRESSED)
@pytest.mark.django_db
def test_error_page_explains_the_error_and_links_to_the_home_page(template: str) -> None:
    page = render_to_string(template)
    assert f">{DRESSED[template]}<" in page
    assert 'class="btn go" href="/"' in page


def test_expired_form_gets_an_explanation() -> None:
    answer = Client(enforce_csrf_checks=True, SERVER_NAME="localhost").post("/accounts/login/")
    assert answer.status_code == 403
    assert "This page has expired" in answer.text
    assert "csp" not in answer.text.lower()
    assert "default-src 'none'" in answer["Content-Security-Policy"]


@pytest.mark.django_db
def test_error_page_shows_the_reason_of_a_rejection() -> None:
    page = render_to_string("403.html", {"exception": "Only who directs it sits here."})
    assert "Only who directs it sits here." in page
    assert "You do not have permission to see this page." not in page
