"""Take the picture of the README, `docs/img/live-1280.png`, from a running site.

    python -m tools.scripts.pictures [ADDRESS]

The picture is the live page of the corrida on air, in desktop width and the light theme, from the
top to below the ring and its controls. The script waits until the corrida is well into a faena (the
matador's part of the fight). Pillow, if installed, halves the file size.
"""

import sys
from io import BytesIO
from pathlib import Path

from tests.browser import chromium, launch

FILE = Path("docs/img/live-1280.png")
VIEWPORT = {"width": 1280, "height": 1245}  # pixels
COLOURS = 255
# Maximum wait for a faena with some points.
PATIENCE_MS = 30 * 60 * 1000
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
    with launch(executable) as browser:
        page = browser.new_page(
            base_url=site,
            locale="en-GB",
            reduced_motion="reduce",
            color_scheme="light",
            viewport=VIEWPORT,  # type: ignore[arg-type]
        )
        page.goto("/")
        page.goto(page.locator(".acts a.btn.go").get_attribute("href") or "")
        page.wait_for_function(FAENA, timeout=PATIENCE_MS, polling=500)
        FILE.write_bytes(smaller(page.screenshot()))
    print(f"{FILE}: {FILE.stat().st_size // 1000} KB")
    return 0


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
