"""Take screenshots of a running site into var/pictures/. The README shows live-1280.png.

    python -m tools.scripts.pictures [ADDRESS [PART ...]]

The home page, live page, escalafón (ranking of matadors) and a matador are taken in phone and
desktop width and in both themes, and so is the picture of the README. The script waits until the
corrida on air is well into a faena. If `tools.scripts.club` has created its league, it also takes
standings, a player, the form for results and a game table, and the town of El Toro. If
`tools.scripts.decade` has run, it takes the pages of its ten years. `season`, `club`, `town` and
`careers` after the address restrict the screenshots to these parts. Pillow, if installed, halves
the file sizes.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import chromium, launch
from tests.e2e.table import move, moves, wait_for_script, wait_while
from tools.scripts.careers import DIRECTOR, take_the_careers
from tools.scripts.town import take_the_town

PASSWORD = "a club for pictures"  # noqa: S105 - as tools.scripts.club gives it

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path("var/pictures")
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")
TALLEST = 1800  # pixels
FIRST_SCREEN = 900
# Height in pixels of the live page on a desktop, from the top to below the ring and its controls.
TO_THE_KEYS = 1245
COLOURS = 255
# Maximum wait for a faena (the matador's part of the fight) with some points.
PATIENCE_MS = 30 * 60 * 1000

CLUB = "/leagues/thursday-league/"
MOVES_SHOWN = 13

FAENA = """() => {
    const written = (where) => parseInt(document.querySelector(where)?.textContent) || 0;
    const { turn, phase } = document.getElementById("stage").dataset;
    return phase === "lidia" && turn > 1 && document.querySelector(".co-ring[data-act='3']")
        && written(".co-sheet .r3 .cnt") > 3 && written(".co-plate.is-m b") > 5;
}"""


def main() -> int:
    site = (sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000").rstrip("/")
    executable = chromium()
    if executable is None:
        print("No Chromium found.")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with launch(executable) as browser:
        page = browser.new_page(base_url=site, locale="en-GB", reduced_motion="reduce")
        wanted = sys.argv[2:] or ["season", "club", "town", "careers"]
        if "season" in wanted:
            take_the_season(page)
        if "club" in wanted and (answer := page.goto(CLUB)) is not None and answer.ok:
            take_the_club(page)
        if "town" in wanted:
            take_the_town(page, take_all)
        if "careers" in wanted and sign_in(page, DIRECTOR):
            take_the_careers(page, take_all, take)
    return 0


def take_the_season(page: "Page") -> None:
    for name, way in addresses(page).items():
        page.goto(way)
        if name == "live":
            page.wait_for_function(FAENA, timeout=PATIENCE_MS, polling=500)
        take_all(page, name)


def take_the_club(page: "Page") -> None:
    take_all(page, "league")
    page.goto("/players/ana/")
    take_all(page, "player")
    sign_in(page, "ana")
    hand_in(page)
    take_all(page, "hand-in")
    sit_down(page)
    take_all(page, "table")


def sign_in(page: "Page", name: str) -> bool:
    """Sign in through the form. Return whether the site knows this user."""
    page.goto("/accounts/login/")
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_load_state()
    return "/login/" not in page.url


def hand_in(page: "Page") -> None:
    page.goto(f"{CLUB}match/")
    page.select_option("[name=seat-1]", index=2)
    page.get_by_role("button", name="To the sheet").click()
    page.wait_for_load_state()
    page.locator("label:has(input[name=out])").first.click()
    page.wait_for_timeout(500)
    for tile in ("6|4", "3|1", "5|0"):
        page.locator(f"label:has(input[value='{tile}']):visible").first.click()
        page.wait_for_timeout(500)


def sit_down(page: "Page") -> None:
    page.goto("/tables/new/?game=dominoes")
    page.locator("input[name=profile][value=crosswise_open]").check()
    page.locator("input[name=seats][value='4']").check()
    page.locator("input[name=bots]").fill("3")
    page.locator("input[name=seconds]").fill("900")
    page.get_by_role("button", name="Lay the table").click()
    wait_for_script(page)
    for button in page.get_by_role("button", name="Begin").all():
        button.click()
    while moves(page) < MOVES_SHOWN and wait_while(page, "theirs") == "mine":
        move(page)
    wait_while(page, "theirs")


def addresses(page: "Page") -> dict[str, str]:
    page.goto("/")
    on_air = page.locator(".acts a.btn.go").get_attribute("href") or ""
    page.goto("/escalafon/")
    leader = page.locator("table.esc tbody a").first.get_attribute("href") or ""
    return {"live": on_air, "home": "/", "escalafon": "/escalafon/", "matador": leader}


def take_all(page: "Page", name: str, at: str = "", tallest: int = TALLEST) -> None:
    """Take a page in both widths and themes.

    For the README the live page is taken down to its keys. `at` is the element at the top of the
    picture, if not the top of the page.
    """
    for width in WIDTHS:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            take(page, f"{name}-{width}-{scheme}", width, tallest, at)
    if name == "live":
        page.emulate_media(color_scheme="light")
        take(page, f"{name}-1280", 1280, TO_THE_KEYS)


def take(page: "Page", name: str, width: int, tallest: int, at: str = "") -> None:
    """Take one picture, as tall as the page but at most `tallest` pixels."""
    page.set_viewport_size({"width": width, "height": FIRST_SCREEN})
    height: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(height, tallest)})
    if at:
        page.locator(at).first.evaluate("one => one.scrollIntoView()")
    path = FOLDER / f"{name}.png"
    path.write_bytes(smaller(page.screenshot()))
    print(f"{path}: {path.stat().st_size // 1000} KB", flush=True)


def smaller(picture: bytes) -> bytes:
    try:
        from PIL import Image  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return picture
    out = BytesIO()
    reduced = (
        Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    )
    reduced.save(out, "PNG", optimize=True)
    return min(picture, out.getvalue(), key=len)


if __name__ == "__main__":
    sys.exit(main())
