"""Bloodless wording is a variant of a language, which only the preference activates."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import formats, translation

from accounts.wording import VARIANT, WordingMiddleware, bloodless, usual

LANGUAGES = [code for code, _name in settings.LANGUAGES]


def active(path: str, wording: str = "bloodless") -> str:
    """Return the language in which a view at this path responds."""
    request = RequestFactory().get(path)
    request.COOKIES["wording"] = wording

    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(translation.get_language())

    return WordingMiddleware(view)(request).content.decode()


def test_preference_activates_bloodless_wording_on_pages_but_not_in_api_or_admin() -> None:
    for language in LANGUAGES:
        with translation.override(language):
            assert active("/escalafon/") == f"{language}-velvet"
            assert active("/escalafon/", "gentle") == language
            assert (active("/api/v1/"), active("/admin/")) == (language, language)
            assert translation.get_language() == language


def test_each_bloodless_variant_has_a_language() -> None:
    assert [usual(bloodless(language)) for language in LANGUAGES] == LANGUAGES
    assert bloodless(bloodless("es")) == "es-velvet"
    assert len(VARIANT) <= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_bloodless_variant_formats_dates_and_numbers_like_its_language(language: str) -> None:
    day, said = dt.date(2027, 3, 5), []
    for each in (language, bloodless(language)):
        with translation.override(each):
            dates = [formats.date_format(day, form) for form in ("j F Y", "j M", "DATE_FORMAT")]
            said.append([*dates, formats.number_format(1234.5, 1), translation.gettext("Save")])
    assert said[0] == said[1]


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_page_in_bloodless_wording_declares_the_language_without_variant(
    client: Client, language: str
) -> None:
    client.cookies["wording"] = "bloodless"
    page = client.get(reverse("preferences"), headers={"accept-language": language})
    assert page["Content-Language"] == language
    assert f'<html lang="{language}"' in page.text
    assert page.text.count('aria-pressed="true"') == 1


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_requesting_a_bloodless_variant_as_language_selects_the_plain_language(
    client: Client, language: str
) -> None:
    asked = client.get(reverse("preferences"), headers={"accept-language": f"{language}-velvet"})
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = f"{language}-velvet"
    remembered = client.get(reverse("preferences"))
    client.get(reverse("language"), {"language": f"{language}-velvet"})
    switched = client.get(reverse("preferences"))
    for page in (asked, remembered, switched):
        request = page.wsgi_request
        assert (page["Content-Language"], request.LANGUAGE_CODE) == (language, language)
