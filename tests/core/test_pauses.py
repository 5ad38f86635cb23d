from __future__ import annotations

import time

import pytest
from django.template import engines

from core.pauses import WithPauses


def test_each_item_comes_after_a_pause_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a template too, which would otherwise make all pauses before the first item."""
    happened: list[str] = []
    monkeypatch.setattr(time, "sleep", lambda _seconds: happened.append("pause"))
    template = engines["django"].from_string(
        "{% for item in items %}{{ item.note }}{% if not forloop.last %}, {% endif %}{% endfor %}"
    )

    class Item:
        def note(self) -> str:
            happened.append("item")
            return "x"

    assert template.render({"items": WithPauses([Item(), Item()])}) == "x, x"
    assert happened == ["pause", "item"] * 2


def test_it_is_a_sequence_like_any_other() -> None:
    items = WithPauses("abc")
    assert (len(items), items[1], items[:2], list(items)) == (3, "b", "ab", ["a", "b", "c"])
