"""Finding and starting Chromium."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


def chromium() -> str | None:
    """The path of a Chromium on this machine, or None; CHROMIUM names one of one's own."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launch(executable: str) -> "Iterator[Browser]":
    """The browser, headless, closed at the end."""
    from playwright.sync_api import sync_playwright

    # Playwright's loop runs in this thread; Django would take it for a view's.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=FLAGS.split())
        yield started
        started.close()
