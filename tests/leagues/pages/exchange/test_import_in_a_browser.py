"""Imports in a browser on a phone: files of common programs, from upload to standings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from leagues.models import League, Result
from tests.browser import new_context
from tests.factories import browser as signed_in
from tests.leagues.world import account, found_league

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.django_db(transaction=True)


def phone(browser: Browser, live_server: LiveServer, league: League, **options: Any) -> Page:
    """Open the import page on the organiser's phone."""
    user = league.members.get(role="organiser").player
    cookie = {"name": "sessionid", "value": signed_in(user).cookies["sessionid"].value}
    context = new_context(browser, viewport={"width": 390, "height": 844}, **options)
    context.add_cookies([{**cookie, "url": live_server.url}])  # type: ignore[typeddict-item]
    page = context.new_page()
    page.goto(live_server.url + reverse("league_import", args=[league.slug]))
    return page


def upload(page: Page, file: Path, data: bytes, kind: str) -> None:
    file.write_bytes(data)
    page.set_input_files("[name=file]", file)
    page.select_option("[name=file_format]", kind)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview of the changes")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def standings(page: Page, live_server: LiveServer, league: League) -> list[str]:
    page.goto(live_server.url + reverse("league", args=[league.slug]))
    # The mark of a player is in front of the name.
    names = page.locator(".st-who .lg-who").all_inner_texts()
    return [name.strip().splitlines()[-1] for name in names]


@pytest.fixture
def league() -> League:
    return found_league(account("olga"), plays=False, game="dominoes", profile="rulebook")


def two_anas() -> bytes:
    """Return an export of the app in which two people are called Ana."""
    people = ("Ana", "Ana", "Bruno")
    plays = [
        {
            "uuid": f"p{number}",
            "gameRefId": 1,
            "playDate": f"2026-02-{number:02} 20:00:00",
            "playerScores": [
                {"playerRefId": ana, "score": "100", "winner": True, "rank": 1},
                {"playerRefId": 3, "score": "60", "rank": 2},
            ],
        }
        for number, ana in enumerate((1, 1, 2), start=1)
    ]
    return json.dumps(
        {
            "games": [{"id": 1, "uuid": "g", "name": "Matador"}],
            "players": [
                {"id": n, "uuid": f"u{n}", "name": name} for n, name in enumerate(people, 1)
            ],
            "plays": plays,
        }
    ).encode()


def test_import_asks_whether_two_people_called_ana_are_the_same(
    browser: Browser, live_server: LiveServer, league: League, tmp_path: Path
) -> None:
    page = phone(browser, live_server, league, locale="en-GB")
    upload(page, tmp_path / "plays.json", two_anas(), "bgstats")
    question = page.get_by_role("group", name="Ana appears in this file with several identifiers.")
    expect(question).to_be_visible()
    expect(
        page.get_by_text("3 matches will be left out unless you answer the questions about them.")
    ).to_be_visible()
    question.get_by_label("Several people").check()
    page.get_by_role("button", name="Update preview").click()
    expect(page.get_by_text("Ana (2)").first).to_be_visible()
    page.get_by_role("button", name="Add 3 matches").click()
    expect(page.get_by_text("3 matches have been imported.")).to_be_visible()
    assert Result.objects.count() == 3
    assert standings(page, live_server, league) == ["Ana", "Ana (2)", "Bruno"]


# Script that stores whether the element shown during submission was ever visible.
WATCH = """() => {
  const said = document.querySelector("[data-while-sent]");
  new MutationObserver(() => {
    sessionStorage.setItem("said", said.checkVisibility() ? said.innerText : "");
  }).observe(said, { attributes: true });
}"""


def test_import_page_shows_that_a_file_is_being_read(
    browser: Browser, live_server: LiveServer, league: League, tmp_path: Path
) -> None:
    page = phone(browser, live_server, league, locale="en-GB")
    expect(page.get_by_text("The file is being read…")).to_be_hidden()
    page.evaluate(WATCH)
    upload(page, tmp_path / "plays.json", two_anas(), "bgstats")
    assert page.evaluate("sessionStorage.getItem('said')").strip() == "The file is being read…"
    expect(page.get_by_text("The file is being read…")).to_be_hidden()


SPANISH = """match;played_at;player;place;points
1;20/02/2026 20:00;Íñigo;1;100
1;20/02/2026 20:00;Begoña;2;80
2;21/02/2026 20:00;Íñigo;1;60
2;21/02/2026 20:00;Begoña;2;45
"""


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_spreadsheet_saved_in_a_spanish_office_program_is_imported(
    browser: Browser, live_server: LiveServer, league: League, tmp_path: Path, encoding: str
) -> None:
    page = phone(browser, live_server, league, locale="en-GB")
    upload(page, tmp_path / "tabla.csv", SPANISH.replace("\n", "\r\n").encode(encoding), "csv")
    expect(page.get_by_text("20 Feb 2026, 20:00")).to_be_visible()
    early = page.get_by_role("group", name="1 match ended early.")
    expect(early.get_by_label("Add these matches with their points")).to_be_checked()
    page.get_by_role("button", name="Add 2 matches").click()
    expect(page.get_by_text("2 matches have been imported.")).to_be_visible()
    assert standings(page, live_server, league) == ["Íñigo", "Begoña"]
