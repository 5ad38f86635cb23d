"""Code that saves a name also saves the columns derived from the name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from core.names.fields import DerivedTextField, UniqueNameField
from tests.site import ROOT

PACKAGES = ("accounts", "actas", "api", "corridas", "dominoes", "eltoro", "events", "leagues")


def sources() -> set[str]:
    found = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, DerivedTextField):
                found |= set(field.sources)
            if isinstance(field, UniqueNameField):
                found.add(field.source)
    return found


def partial_saves(path: Path) -> Iterator[tuple[int, set[str]]]:
    """Yield line and columns of every `save(update_fields=[...])` and `update(...)`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        for keyword in node.keywords:
            partial = node.func.attr == "save" and keyword.arg == "update_fields"
            if partial and isinstance(keyword.value, ast.List | ast.Tuple | ast.Set):
                yield node.lineno, strings(keyword.value)
        if node.func.attr == "update":
            yield node.lineno, {keyword.arg for keyword in node.keywords if keyword.arg}


def strings(node: ast.AST) -> set[str]:
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {value for value in found if isinstance(value, str)}


def test_source_columns_of_derived_columns_are_found() -> None:
    assert {"name", "username", "city", "slug"} <= sources()


def test_partial_saves_of_a_name_are_found_in_code(tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text('row.save(update_fields=["name", "state"])\nrows.update(name="Ana")\n')
    assert [columns & sources() for _line, columns in partial_saves(path)] == [{"name"}, {"name"}]


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_no_code_saves_a_name_without_its_derived_columns(package: str) -> None:
    files = (ROOT / package).rglob("*.py")
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files
        if "migrations" not in path.parts
        for line, columns in partial_saves(path)
        if columns & sources()
    ]
    assert wrong == []
