"""Three browsers at one corrida: what they show is what stands at the addresses of its moments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.e2e.clock import set_clock
from tests.e2e.conftest import DESK, Visitor, moment, put_on_air, take_the_chair, wait_for_stage
from tests.e2e.line import ForwardingProxy
from tests.e2e.test_corrida_live import take_out_of, wait_until_shown
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

PACE_MS = 250
CARDS = 50
SINCE = 40
"""Seconds since the corrida began: the paseíllo is over."""

# The text of the stage at every moment that it has shown, by the address of that moment. The
# stands stay as the page came with them.
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
    """Begin to watch; the moment from which on it is noted what is shown."""
    page.goto(corrida)
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()
    page.evaluate(WATCH)
    return moment(page)


def test_three_browsers_show_what_stands_at_the_addresses_of_the_moments(
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
    lost.close()  # before its line is taken down, of which it would complain
    take_out_of(complaints, "ERR_")


def expect_shown(page: Page, first: int, last: int) -> None:
    """Every card from one moment to another, and more that have come since, as they stand there."""
    assert page.evaluate("shown.size") > last - first
    differ: list[Any] = page.evaluate(COMPARE)
    assert differ == []
