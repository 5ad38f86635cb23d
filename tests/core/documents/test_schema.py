"""Document formats: one model gives the parser, the error locations and the JSON schema."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any

import pytest
from pydantic import BeforeValidator, Field, ValidationError

from core.documents.schema import (
    AT_ONCE,
    MAX_ERRORS,
    OR_NULL,
    Document,
    Items,
    between,
    error_paths,
    first,
    json_schema,
)


class Leaf(Document):
    number: Annotated[int, between(-9, 9), Field(description="A number.")]
    text: Annotated[str, first(3)] | None = None


class Tree(Document):
    leaves: Annotated[tuple[Leaf, ...], Items(200)] = ()
    numbers: Annotated[tuple[int, ...], Items(2, silent=True), AT_ONCE] | None = None
    flag: Annotated[bool | None, OR_NULL] = None
    empty: Annotated[tuple[int, ...], Items(2), BeforeValidator(lambda value: value or [])] = ()


def paths(content: Any) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Tree.model_validate(content)
    return error_paths(caught.value)


def test_valid_document_is_parsed_into_its_model() -> None:
    leaves = [{"number": 10**30, "text": "abcd", "else": 1}, {"number": -10}]
    tree = Tree.model_validate({"leaves": leaves, "numbers": [1, 2], "empty": None})
    assert [(leaf.number, leaf.text) for leaf in tree.leaves] == [(9, "ab…"), (-9, None)]
    assert (tree.numbers, tree.flag, tree.empty) == ((1, 2), None, ())


def test_all_errors_of_a_document_are_reported_with_their_locations() -> None:
    leaves = [{"number": True}, {"number": 1.0, "text": 3}, None, {}]
    assert paths({"leaves": leaves, "numbers": ["1", "2"], "flag": 1}) == [
        *("leaves/0/number", "leaves/1/number", "leaves/1/text", "leaves/2", "leaves/3/number"),
        *("numbers", "flag"),
    ]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ([], ""),
        ({"leaves": {}}, "leaves"),
        ({"leaves": [None] * 201}, "leaves"),  # one error, not one for each
        ({"numbers": [1, 2, 3]}, "numbers"),
        ({"numbers": (1, 2)}, "numbers"),
    ],
)
def test_error_location_is_written_as_a_path(content: Any, path: str) -> None:
    assert paths(content) == [path]


def test_number_of_reported_errors_is_limited() -> None:
    assert len(paths({"leaves": [None] * 200})) == MAX_ERRORS


def test_json_schema_contains_nested_models_inline() -> None:
    whole, text = {"type": "integer"}, {"type": "string"}
    leaf = {"number": whole | {"description": "A number."}, "text": text}
    told = json_schema("A tree", Tree)
    assert told["properties"] == {
        "leaves": {
            "type": "array",
            "maxItems": 200,
            "items": {
                "title": "Leaf",
                "type": "object",
                "properties": leaf,
                "required": ["number"],
            },
        },
        "numbers": {"type": "array", "items": whole},
        "flag": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "empty": {"type": "array", "items": whole, "maxItems": 2},
    }
    assert set(told) == {"$schema", "properties", "title", "type"}
    assert told["title"] == "A tree"


def test_json_schema_of_several_formats_lists_each_format() -> None:
    told = json_schema("Either", Leaf, Tree)
    assert [one["title"] for one in told["oneOf"]] == ["Leaf", "Tree"]
    assert set(told) == {"$schema", "oneOf", "title"}


@pytest.mark.slow
def test_pydantic_is_not_imported_at_startup() -> None:
    program = (
        "import sys, django; django.setup(); from config import urls, asgi;"
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
