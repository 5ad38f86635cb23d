"""Pages for entering a dominoes match are accessible and fit phones and desktops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser import new_context
from tests.e2e.club import (
    among_friends,
    expect_reading,
    found_league,
    hand_in_score,
    hold,
    hold_pips,
    join,
    key_of,
    lay_tile,
    open_match,
    path_of,
    press_button,
    sign_up,
    submit,
    went_out,
)
from tests.e2e.conftest import PHONE, Visitor, sweep
from tests.e2e.test_every_page import examine, width

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.site import Site


class Paper(NamedTuple):
    """The address of a page, and the browser storage of a user who may see it."""

    address: str
    state: Any


@pytest.fixture(scope="module")
def papers(browser: Browser, site: Site) -> dict[str, Paper]:
    """One page of each kind, and a user who may see it."""
    contexts = [
        new_context(browser, base_url=site.url, locale="en-GB", viewport=PHONE) for _ in range(3)
    ]
    nora, pepe, guest = (context.new_page() for context in contexts)
    sign_up(nora, "nora")
    invitation = found_league(nora, "Friday club")
    join(pepe, invitation, "pepe")
    league = path_of(pepe.url)
    found = {
        "league": league,
        "members": f"{league}players/",
        "history": f"{league}history/",
        "player": "/players/nora/",
        "new match": f"{league}match/",
        "objections": written_wrongly(nora, league),
        "moves": written_by_moves(nora, league),
        "ticket": handed_in(nora, league),
        "preview": corrected(nora, pepe, league),
    }
    friends = among_friends(guest, "Gil", "Hugo")
    others = {"join": invitation, "who": f"/matches/key/{key_of(site, friends)}/"}
    state = contexts[0].storage_state()
    for context in contexts:
        context.close()
    own = {kind: Paper(way, state) for kind, way in found.items()}
    own |= {"new league": Paper("/leagues/new/", state)}
    own |= {"own scoresheet": Paper(found["moves"].replace("hand/", "scoresheet/"), state)}
    return own | {kind: Paper(way, None) for kind, way in others.items()}


def written_wrongly(page: Page, league: str) -> str:
    """Return the form of a hand that contains an error."""
    form = open_match(page, league, "pepe")
    went_out(page, "nora")
    hold_pips(page, "pepe", 24)
    expect_reading(page, "can’t have 24 pips")
    return form


def written_by_moves(page: Page, league: str) -> str:
    """Return the form of a hand entered by moves, with a tile that can be laid in two ways."""
    form = open_match(page, league, "pepe")
    press_button(page, "Moves")
    submit(page, page.locator("button[name=leader][value='0']"))
    lay_tile(page, "6-3")
    lay_tile(page, "4-3", ">4|3")
    return form


def handed_in(page: Page, league: str) -> str:
    """Return a match that waits for confirmation by the second player."""
    form = open_match(page, league, "pepe")
    hand_in_score(page, {"nora": 36, "pepe": 20})
    return form


def corrected(page: Page, other: Page, league: str) -> str:
    """Return the preview of a correction to a confirmed match."""
    form = open_match(page, league, "pepe")
    went_out(page, "nora")
    hold(page, "pepe", ["6-6"])
    expect_reading(page, "12 points")
    press_button(page, "Submit hand")
    page.locator("details.in-sofar summary").click()
    press_button(page, "End the match here and submit the result")
    other.goto(form)
    press_button(other, "Confirm result")
    page.goto(form)
    press_button(page, "Correct result")
    press_button(page, "Change hand 1")
    went_out(page, "pepe")
    hold_pips(page, "nora", 9)
    press_button(page, "Save hand")
    press_button(page, "Preview changes")
    return path_of(page.url)


KINDS = [
    "league",
    "members",
    "history",
    "player",
    "new match",
    "objections",
    "moves",
    "ticket",
    "preview",
    "new league",
    "own scoresheet",
    "join",
    "who",
]
FOR_ALL = ["/dominoes/scoresheet/", "/leagues/", "/leaderboards/dominoes/"]


@pytest.mark.parametrize("way", sweep(FOR_ALL, "/leagues/"))
def test_public_dominoes_pages_are_accessible(visit: Visitor, way: str) -> None:
    page = visit(viewport=PHONE, reduced_motion="reduce")
    page.goto(way)
    expect_well(page)


def expect_well(page: Page) -> None:
    """Check that the page has one heading, is not wider than its window, and passes axe."""
    expect(page.locator("h1")).to_have_count(1)
    assert width(page) == (0, "")
    assert examine(page) == []


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_match_entry_pages_are_accessible(
    visit: Visitor, papers: dict[str, Paper], kind: str
) -> None:
    page = visit(viewport=PHONE, reduced_motion="reduce", storage_state=papers[kind].state)
    page.goto(papers[kind].address)
    assert path_of(page.url) == papers[kind].address
    expect_well(page)
