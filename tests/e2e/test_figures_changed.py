"""After a run of the season, every open page of the circuit says that its figures have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import Visitor, take_the_chair
from tests.e2e.test_desk import play

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

CHANGED = "The figures on this page have changed."


def note(page: Page) -> Locator:
    return page.locator("#play-band").get_by_text(CHANGED)


def test_open_pages_of_the_circuit_say_that_figures_have_changed(visit: Visitor) -> None:
    here = visit()
    take_the_chair(here)
    here.goto("/escalafon/")
    other, stranger, desk = (here.context.new_page() for _ in range(3))
    other.goto("/temporada/")
    stranger.goto("/leagues/")
    desk.goto("/direccion/")
    for page in (here, other):
        expect(note(page)).to_have_count(0)
    play(here, "next")
    for page in (here, other):
        expect(note(page)).to_be_visible()
    # The director's page updates itself, so only its header says that the run is over.
    expect(desk.locator("#play-band").get_by_role("link", name="What happened")).to_be_visible()
    expect(note(desk)).to_be_hidden()
    # Reloading shows the new figures without the message.
    with other.expect_navigation():
        other.locator("#play-band").get_by_role("link", name="Reload").click()
    expect(note(other)).to_have_count(0)
    assert other.url.endswith("/temporada/")
