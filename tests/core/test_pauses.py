from __future__ import annotations

import time

import pytest
from django.template import engines

from core.pauses import WithPauses


def test_a_pause_is_made_before_each_item(monkeypatch: pytest.MonkeyPatch) -> None:
    """This also holds in a template, where Django would otherwise read all items, with their
    pauses, first.
    """
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


def test_sequence_with_pauses_supports_length_index_and_slices() -> None:
    items = WithPauses("abc")
    assert (len(items), items[1], items[:2], list(items)) == (3, "b", "ab", ["a", "b", "c"])
