"""The pages for printing the game, printed by Chromium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.corridas.pages.conftest import World

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from pytest_django.live_server_helper import LiveServer

SHEETS = {
    "baraja/": (8, 8),
    "baraja/?backs": (16, 16),
    "matadores/": (1, 1),
    "hoja/": (2, 2),
    "hoja/?log": (3, 3),
    "listas/": (1, 2),
    "glosario/": (2, 4),
    "reglas/": (1, 1),
}


@pytest.mark.nightly
def test_chromium_prints_the_right_number_of_sheets(
    live_server: LiveServer, world: World, browser: Browser
) -> None:
    page = browser.new_page(base_url=live_server.url, locale="en-GB")
    for way, (fewest, most) in SHEETS.items():
        page.goto(f"/imprenta/{way}")
        printed = page.pdf(format="A4", prefer_css_page_size=True, print_background=True)
        count = len(re.findall(rb"/Type\s*/Page[^s]", printed))
        assert fewest <= count <= most, (way, count)
        assert set(re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", printed)) == {
            (b"595.91998", b"842.88")
        }
    page.close()
