"""Find and start Chromium for browser tests, with generous timeouts."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium without windows: a page needs a third of the processor time, but no page is ever hidden.
HEADLESS = "chromium-headless-shell"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
# Host name that the browser resolves to 127.0.0.1, as if the site ran behind a proxy.
HOST = "temporada.example.org"


def chromium() -> str | None:
    """Return the path of a Chromium executable, or None.

    The variable CHROMIUM overrides the search.
    """
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


def headless_chromium() -> str | None:
    """Return the path of a Chromium without windows, otherwise that of any Chromium, or None."""
    return (not os.environ.get("CHROMIUM") and shutil.which(HEADLESS)) or chromium()


@contextmanager
def launch(executable: str) -> "Iterator[Browser]":
    """Start a headless Chromium and close it at the end."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE * 1000)

    # Playwright runs an event loop in this thread, so Django would reject synchronous queries here.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        flags = [*FLAGS.split(), f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        started = playwright.chromium.launch(executable_path=executable, args=flags)
        yield started
        started.close()


def new_context(browser: "Browser", **options: Any) -> "BrowserContext":
    """Return a new browser context whose timeout is `PATIENCE`; `options` are Playwright's."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    return context
