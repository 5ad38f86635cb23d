"""htmx requests are redirected as a whole page, never within a fragment."""

from __future__ import annotations

import pytest
from django.test import Client

HTMX = {"HX-Request": "true"}
LOGIN = "/accounts/login/?next=/direccion/jugar/"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, (302, LOGIN, None)),
        (HTMX, (204, None, LOGIN)),
        (HTMX | {"HX-Boosted": "true"}, (302, LOGIN, None)),
    ],
)
def test_login_redirect_of_an_htmx_request_uses_the_hx_redirect_header(
    client: Client, headers: dict[str, str], expected: tuple[int, str | None, str | None], db: None
) -> None:
    answer = client.get("/direccion/jugar/", headers=headers)
    told = answer.headers.get("Location"), answer.headers.get("HX-Redirect")
    assert (answer.status_code, *told) == expected
    assert not answer.content
