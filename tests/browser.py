"""Finding and starting Chromium, and how long anything in it is waited for."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
# The name of a site behind a proxy on this machine.
HOST = "temporada.example.org"


def chromium() -> str | None:
    """The path of a Chromium on this machine, or None; CHROMIUM names one of one's own."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launch(executable: str) -> "Iterator[Browser]":
    """The browser, headless, closed at the end."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE * 1000)

    # Playwright's loop runs in this thread; Django would take it for a view's.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        flags = [*FLAGS.split(), f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        started = playwright.chromium.launch(executable_path=executable, args=flags)
        yield started
        started.close()


def new_context(browser: "Browser", **options: Any) -> "BrowserContext":
    """A visitor's browser; options are playwright's. Whatever it waits for, it waits patiently."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    return context
