"""Three browsers at one corrida show what the pages of the single moments show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.clock import set_clock
from tests.e2e.conftest import DESK, Visitor, moment, put_on_air, take_the_chair, wait_for_stage
from tests.e2e.line import ForwardingProxy
from tests.e2e.test_corrida_live import take_out_of, wait_until_shown
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

PACE_MS = 250
CARDS = 50
# Seconds since the corrida began: the opening parade (paseíllo) is over.
SINCE = 40

# JavaScript that records the text of every moment shown, by the moment's address. The stands of the
# ring are left out because they keep the state in which the page was loaded.
WATCH = """
    window.said = (stage) => {
        const copy = stage.cloneNode(true);
        copy.querySelectorAll("[data-keep]").forEach((drawn) => drawn.remove());
        return copy.textContent.replace(/\\s+/g, " ").trim();
    };
    window.shown = new Map();
    const stage = document.getElementById("stage");
    const note = () => shown.set(stage.dataset.here, said(stage));
    note();
    new MutationObserver(note).observe(stage, { attributeFilter: ["data-moment"] });
"""
COMPARE = """async () => {
    const differ = [];
    for (const [address, text] of shown) {
        const answer = await fetch(address, { headers: { "HX-Request": "true" } });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const there = said(page.getElementById("stage"));
        if (there !== text) differ.push([address, text, there]);
    }
    return differ;
}"""


def watch(page: Page, corrida: str) -> int:
    """Start watching, and return the first moment that is recorded."""
    page.goto(corrida)
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()
    page.evaluate(WATCH)
    return moment(page)


@pytest.mark.nightly
def test_three_browsers_show_the_same_as_the_pages_of_moments(
    visit: Visitor, site: Site, line: ForwardingProxy, complaints: list[str]
) -> None:
    first, spanish = visit(viewport=DESK), visit(locale="es-ES", viewport=DESK)
    lost = visit(base_url=line.url, viewport=DESK)
    take_the_chair(first)
    corrida = put_on_air(first, PACE_MS)
    wait_for_stage(first, corrida)
    first.goto("/glosario/")
    set_clock(site, corrida, since=SINCE)

    began = watch(first, corrida)
    watch(lost, corrida)
    wait_until_shown(first, began + 10)
    late = watch(spanish, corrida)  # joins late, and reads another language
    with line.cut():
        lost.context.set_offline(True)
        wait_until_shown(first, began + 30)
        lost.context.set_offline(False)
    for page in (first, spanish, lost):
        wait_until_shown(page, began + CARDS)

    assert late >= began + 10
    expect_shown(first, began, began + CARDS)
    expect_shown(spanish, late, began + CARDS)
    expect_shown(lost, began, began + CARDS)
    languages = [page.locator("html").get_attribute("lang") for page in (first, spanish)]
    assert languages == ["en", "es"]
    lost.close()  # before its connection is closed
    take_out_of(complaints, "ERR_")


def expect_shown(page: Page, first: int, last: int) -> None:
    """Check that all moments between two numbers were shown like their own pages."""
    assert page.evaluate("shown.size") > last - first
    differ: list[Any] = page.evaluate(COMPARE)
    assert differ == []
