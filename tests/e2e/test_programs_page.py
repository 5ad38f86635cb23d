"""The page with the API description has landmarks for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor


@pytest.mark.nightly
def test_api_description_is_inside_the_only_main_landmark(visit: Visitor) -> None:
    page = visit()
    page.goto("/api/v1/docs/")
    page.locator(".opblock").first.wait_for()
    expect(page.get_by_role("main")).to_have_count(1)
    page.locator(".opblock-summary-control").first.click()
    page.locator(".opblock-body").first.wait_for()
    expect(page.locator("main .opblock").first).to_be_visible()
