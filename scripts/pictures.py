"""Take the pictures of docs/img/ from a running site: python -m scripts.pictures [ADDRESS]

Home, live, escalafón and a matador, on a phone and on a desk, by day and by night, and the
picture of the README. Waits until the corrida on the sand is well into a faena. Pillow, where it
is at hand, halves the files.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import chromium, launch

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path("docs/img")
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")
TALLEST = 1800  # pixels
FIRST_SCREEN = 900
TO_THE_KEYS = 1245
"""Pixels from the top of the live page on a desk to below the ring and the viewer's keys."""
COLOURS = 255
PATIENCE_MS = 30 * 60 * 1000
"""How long a faena with some points may keep us waiting."""

FAENA = """() => {
    const written = (where) => parseInt(document.querySelector(where)?.textContent) || 0;
    const { turn, phase } = document.getElementById("stage").dataset;
    return phase === "lidia" && turn > 1 && document.querySelector(".co-ring[data-act='3']")
        && written(".co-sheet .r3 .cnt") > 3 && written(".co-plate.is-m b") > 5;
}"""


def main() -> int:
    """Take every picture; 1 where no browser is found."""
    site = (sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000").rstrip("/")
    executable = chromium()
    if executable is None:
        print("No Chromium found.")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with launch(executable) as browser:
        page = browser.new_page(base_url=site, locale="en-GB", reduced_motion="reduce")
        for name, way in addresses(page).items():
            page.goto(way)
            if name == "live":
                page.wait_for_function(FAENA, timeout=PATIENCE_MS, polling=500)
            take_all(page, name)
    return 0


def addresses(page: "Page") -> dict[str, str]:
    """The pages to be shown; the matador is who leads."""
    page.goto("/")
    on_air = page.locator(".acts a.btn.go").get_attribute("href") or ""
    page.goto("/escalafon/")
    leader = page.locator("table.esc tbody a").first.get_attribute("href") or ""
    return {"live": on_air, "home": "/", "escalafon": "/escalafon/", "matador": leader}


def take_all(page: "Page", name: str) -> None:
    """One page in both widths and lights; the live page down to its keys for the README."""
    for width in WIDTHS:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            take(page, f"{name}-{width}-{scheme}", width, TALLEST)
    if name == "live":
        page.emulate_media(color_scheme="light")
        take(page, f"{name}-1280", 1280, TO_THE_KEYS)


def take(page: "Page", name: str, width: int, tallest: int) -> None:
    """One picture, as tall as the page but not taller than `tallest` pixels."""
    page.set_viewport_size({"width": width, "height": FIRST_SCREEN})
    height: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(height, tallest)})
    path = FOLDER / f"{name}.png"
    path.write_bytes(smaller(page.screenshot()))
    print(f"{path}: {path.stat().st_size // 1000} KB", flush=True)


def smaller(picture: bytes) -> bytes:
    """The same picture in 255 colours, where Pillow is at hand."""
    try:
        from PIL import Image  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return picture
    out = BytesIO()
    reduced = Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=0)
    reduced.save(out, "PNG", optimize=True)
    return min(picture, out.getvalue(), key=len)


if __name__ == "__main__":
    sys.exit(main())
