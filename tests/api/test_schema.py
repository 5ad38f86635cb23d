"""The API schema is generated once for each language and format, whatever else a request
contains.
"""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.response import Response

from api.resources import SchemaView

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.acts")]
SCHEMA = "/api/v1/schema/"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the schema generator, which is slow, and return the list of its calls."""
    times: list[str] = []

    def draw(self: SchemaView, request: Any) -> Response:
        times.append(request.accepted_renderer.format)
        return Response({"openapi": "3.1"})

    monkeypatch.setattr(SchemaView, "_get_schema_response", draw)
    cache.clear()
    return times


def test_additional_query_parameters_and_headers_use_the_cached_schema(
    client: Client, drawn: list[str]
) -> None:
    header = {"accept": "application/json"}
    for at in (SCHEMA, f"{SCHEMA}?x=1", f"{SCHEMA}?y=2&x=1", f"{SCHEMA}?lang=en"):
        client.cookies["a"] = at
        assert client.get(at, headers=header | {"x-other": at}).json() == {"openapi": "3.1"}
    assert len(drawn) == 1


def test_schema_is_generated_for_each_language_and_format(client: Client, drawn: list[str]) -> None:
    told = client.get(SCHEMA, headers={"accept": "application/json", "accept-language": "es"})
    assert json.loads(told.content)
    assert told["Content-Language"] == "es"
    yaml = client.get(f"{SCHEMA}?lang=en")
    assert (yaml.content, yaml["Content-Type"]) == (
        b"openapi: '3.1'\n",
        "application/vnd.oai.openapi",
    )
    assert {"Accept", "Accept-Language", "Cookie"} <= set(yaml["Vary"].split(", "))
    assert len(drawn) == 2


@pytest.mark.parametrize("language", ["xx", "../en", "%00", "e" * 500])
def test_schema_in_an_unknown_language_is_rejected(
    client: Client, drawn: list[str], language: str
) -> None:
    assert client.get(f"{SCHEMA}?lang={language}").status_code == 400
    assert not drawn


@pytest.mark.slow
def test_schema_is_returned_in_the_requested_format(client: Client) -> None:
    assert client.get(f"{SCHEMA}?format=json")["Content-Type"].endswith("json")
    assert client.get(f"{SCHEMA}?format=yaml").content.startswith(b"openapi:")
    assert client.get(f"{SCHEMA}?format=csv").status_code == 404
