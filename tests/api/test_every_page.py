"""Every page outside the games has an API resource, or a reason why it has none."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.urls import reverse

APPLICATIONS = ("accounts", "actas", "api", "events", "lessons", "search")
OWN = "who one is, and how one gets in, a person settles by hand: a program that was let in once "
OWN += "could else shut its owner out"
LEARNT = "for people who learn a game; a program has its rules and records"
ALONE = {
    "account": "leads to the others",
    "chair": "the chair of a site that has one person: a matter of the browser there",
    "preferences": OWN,
    "profile": OWN,
    "account_export": OWN,
    "account_export_file": OWN,
    "account_leave": OWN,
    "account_leave_undo": OWN,
    "notices_choices": OWN,
    "notices_renew": OWN,
    "notices_unsubscribe": "opened from a letter, by its secret",
    "notice": "leads where it says; `link` in the list says it too",
    "notices_feed": "an Atom feed already",
    "calendar": "an iCalendar file already",
    "actas": "anybody checks a record without this site; the page does it for who has no program",
    "lessons": LEARNT,
    "lesson": LEARNT,
    "tokens": OWN,
    "token_make": OWN,
    "token_revoke": OWN,
}
RESOURCES = {
    "notices": "api_notices",
    "notices_read": "api_notices_read",
    "happenings": "api_events",
    "search": "api_search",
}


def pages() -> set[str]:
    """Return the names of all URL patterns of these applications."""
    maps = [import_module(f"{one}.urls").urlpatterns for one in APPLICATIONS]
    return {str(one.name) for patterns in maps for one in patterns}


def test_every_page_outside_the_games_has_an_api_resource_or_a_reason() -> None:
    assert not set(ALONE) & set(RESOURCES)
    assert set(ALONE) | set(RESOURCES) == pages()


@pytest.mark.parametrize("name", sorted(RESOURCES.values()))
def test_api_resources_named_for_pages_exist(name: str) -> None:
    assert reverse(name).startswith("/api/v1/")
