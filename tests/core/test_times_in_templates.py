"""Templates write a time twice, for programs and for readers. Both must use the same variable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from django.conf import settings

TIME: Final = re.compile(
    r'<time\b[^>]*?datetime="\{\{ ([\w.]+)\|.*?\}\}"[^>]*>(.*?)</time>', re.DOTALL
)


def times() -> Iterator[tuple[str, str, set[str]]]:
    """Yield for each time element its template, its `datetime` value and the times it displays."""
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        found = TIME.findall(text)
        assert len(found) == text.count("<time"), f"{path} writes a time in another way"
        for machine, shown in found:
            yield path.name, machine, set(re.findall(r"\{\{ ([\w.]+)", shown))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('<time datetime="{{ a.at|date:"c" }}">{{ a.at|naturaltime }}</time>', ("a.at", "a.at")),
        ('<time class="x" datetime="{{ a|date:"c" }}">{{ b|date }}–</time>', ("a", "b")),
    ],
)
def test_time_elements_are_found_in_templates(text: str, read: tuple[str, str]) -> None:
    [(machine, shown)] = TIME.findall(text)
    assert (machine, *re.findall(r"\{\{ ([\w.]+)", shown)) == read


def test_displayed_time_is_the_one_in_the_datetime_attribute() -> None:
    found = list(times())
    assert len(found) > 20
    assert [one for one in found if one[2] != {one[1]}] == []
