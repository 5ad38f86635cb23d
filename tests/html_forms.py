"""Reads from a page the values that a browser would submit with a form."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

# Input types that are sent only if they are checked, and types that are buttons.
CHECKED = ("checkbox", "radio")
BUTTONS = ("submit", "button", "image", "reset", "file")


def sent_by(page: str, *, having: str) -> dict[str, list[str]]:
    """Return the values that the first form with the field `name` would submit.

    Disabled fields and buttons are left out.
    """
    reader = _Forms()
    reader.feed(page)
    reader.close()
    return next(form for names, form in reader.forms if having in names)


class _Forms(HTMLParser):
    """Parser that collects the field names and the submitted values of each form."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[set[str], dict[str, list[str]]]] = []
        self._select: dict[str, Any] | None = None
        self._text: dict[str, Any] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.forms.append((set(), {}))
        elif tag == "input":
            self._input(given)
        elif tag == "select":
            self._select = {"attrs": given, "first": None, "chosen": []}
        elif tag == "option" and self._select is not None:
            value = given.get("value") or ""
            if self._select["first"] is None:
                self._select["first"] = value
            if "selected" in given:
                self._select["chosen"].append(value)
        elif tag == "textarea":
            self._text = {"attrs": given, "text": ""}

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text["text"] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select is not None:
            given, chosen = self._select["attrs"], self._select["chosen"]
            if not chosen and "multiple" not in given and self._select["first"] is not None:
                chosen = [self._select["first"]]
            self._send(given, chosen)
            self._select = None
        elif tag == "textarea" and self._text is not None:
            # Browsers drop the line break directly after the opening tag of a textarea.
            self._send(self._text["attrs"], [self._text["text"].removeprefix("\n")])
            self._text = None

    def _input(self, given: dict[str, str | None]) -> None:
        kind = given.get("type") or "text"
        if kind in BUTTONS:
            return
        on = kind not in CHECKED or "checked" in given
        value = given.get("value")
        usual = "on" if kind in CHECKED else ""
        self._send(given, [usual if value is None else value] if on else [])

    def _send(self, given: dict[str, str | None], values: list[str]) -> None:
        name = given.get("name")
        if name and self.forms:
            names, form = self.forms[-1]
            names.add(name)
            if values and "disabled" not in given:
                form.setdefault(name, []).extend(values)
