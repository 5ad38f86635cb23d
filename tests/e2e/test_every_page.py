"""Every kind of page is accessible and fits phones and desktops, in light and dark colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser import new_context
from tests.e2e.clock import corrida_on_the_sand
from tests.e2e.conftest import DESK, PHONE, Visitor, sweep, take_the_chair
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Pages with fixed addresses. The others are found by their first link.
OPEN = [
    *("/", "/escalafon/", "/temporada/", "/glosario/", "/matadores/", "/plazas/", "/ganaderias/"),
    *("/reglas/", "/dominoes/rules/", "/eltoro/rules/"),
    *("/lecciones/", "/lecciones/one-bull-on-paper/?step=4&sent=1&answer=8"),
    *("/lecciones/matador-in-five-moves/?step=3", "/lecciones/a-day-in-el-toro/?step=4"),
    *("/toros/", "/resultados/?cols=category", "/enfermeria/"),
    "/buscar/?q=a",
    "/matadores/comparar/?m=joselito&m=manolete",
]

FIRST = {
    "live": ("/", "a.btn.go[href^='/corridas/']"),
    "card": ("/", "a.btn[href^='/corridas/'][href$='/1/']"),
    "matador": ("/matadores/", "main tbody a[href^='/matadores/']"),
    "plaza": ("/plazas/", "main a[href^='/plazas/']:not([href='/plazas/'])"),
    "herd": ("/ganaderias/", "main a[href^='/ganaderias/']:not([href='/ganaderias/'])"),
    "bull": ("/toros/", "main tbody a[href^='/toros/']"),
    "feria": (
        "/temporada/?by=feria",
        "main a[href*='/temporada/20'][href$='/']:not([href$='/2026/'])",
    ),
    "replay": ("/temporada/", "main a[href^='/corridas/']"),
    "sign-in": ("/accounts/login/", ""),
    "sign-up": ("/accounts/signup/", ""),
    "no page": ("/nowhere/", ""),
}


@pytest.fixture(scope="module")
def pages(browser: Browser, site: Site) -> dict[str, str]:
    """The address of one page of each kind."""
    corrida_on_the_sand(site)
    context = new_context(browser, base_url=site.url, locale="en-GB")
    page = context.new_page()
    found = {way: way for way in OPEN}
    for kind, (way, link) in FIRST.items():
        page.goto(way)
        found[kind] = (page.locator(link).first.get_attribute("href") or "") if link else way
    context.close()
    return found


KINDS = [*OPEN, *FIRST]


def examine(page: Page) -> list[str]:
    """Return the faults that axe finds on a page, on phone and desktop, in light and dark
    colours.
    """
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESK)
    found = faults(page, None)
    page.set_viewport_size(PHONE)
    found += faults(page, None)
    page.emulate_media(color_scheme="dark")  # only colours change, and they do not with the size
    return found + faults(page, {"runOnly": ["color-contrast"]})


def faults(page: Page, options: dict[str, Any] | None) -> list[str]:
    """Return the faults that axe finds on the page as it is."""
    found: dict[str, Any] = Axe().run(page, options=options).response
    assert found["passes"]
    return [
        f"{page.url} {fault['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


def width(page: Page) -> tuple[int, str]:
    """Return by how many pixels the page is wider than the window, and which elements stick out."""
    over: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return over, page.evaluate(STICKS_OUT) if over > 0 else ""


STICKS_OUT = """[...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .filter((one) => {
        while ((one = one.parentElement) !== document.body) {
            if (getComputedStyle(one).overflowX !== "visible") return false;  // cut off there
        }
        return true;
    })
    .slice(0, 3).map((one) => one.outerHTML.slice(0, 120)).join("\\n")"""


@pytest.mark.parametrize("kind", sweep(KINDS, "/", "live", "/escalafon/", "matador"))
def test_page_fits_a_phone_and_logs_no_console_errors(
    visit: Visitor, pages: dict[str, str], complaints: list[str], kind: str
) -> None:
    page = visit(viewport=PHONE)
    page.goto(pages[kind])
    expect(page.locator("h1")).to_have_count(1)
    assert width(page) == (0, "")
    if kind == "no page":
        complaints[:] = [said for said in complaints if "404" not in said]


@pytest.mark.parametrize("kind", sweep(KINDS, "/", "live", "sign-in", "plaza", "bull"))
def test_page_is_accessible(
    visit: Visitor, pages: dict[str, str], complaints: list[str], kind: str
) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(pages[kind])
    assert examine(page) == []
    if kind == "no page":
        complaints[:] = [said for said in complaints if "404" not in said]


@pytest.mark.parametrize(
    "way",
    sweep(
        ["/direccion/", "/direccion/jugar/", "by hand", "/accounts/preferences/", "/siguiendo/"],
        "/direccion/",
    ),
)
def test_directors_pages_are_accessible(visit: Visitor, way: str) -> None:
    page = visit(reduced_motion="reduce")
    take_the_chair(page)
    by_hand = page.locator("a[href^='/direccion/cartel/']").first.get_attribute("href") or ""
    page.goto(by_hand if way == "by hand" else way)
    assert width(page) == (0, "")
    assert examine(page) == []
