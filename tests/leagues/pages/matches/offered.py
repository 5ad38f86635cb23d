"""Finds the forms that a page offers, as a browser would submit them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Offer:
    """A button with the fields of its form; `asks` are names of empty text fields."""

    action: str
    name: str = ""
    value: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    asks: list[str] = field(default_factory=list)

    def sent(self, said: str) -> dict[str, str]:
        pressed = {self.name: self.value} if self.name else {}
        return {**self.fields, **dict.fromkeys(self.asks, said), **pressed}


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.offers: list[Offer] = []
        self.links: list[str] = []
        self._form: Offer | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "form":
            self._form = Offer(action=given.get("action", ""))
        elif self._form is None:
            return
        elif tag == "input" and given.get("type") == "text":
            self._form.asks.append(given["name"])
        elif tag == "input" and "name" in given:
            self._form.fields[given["name"]] = given.get("value", "")
        elif tag == "button" and "disabled" not in given:
            form = self._form
            self.offers.append(
                Offer(
                    form.action,
                    given.get("name", ""),
                    given.get("value", ""),
                    dict(form.fields),
                    list(form.asks),
                )
            )

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None


def offers_of(page: str, *, below: str) -> tuple[list[Offer], list[str]]:
    """Return the buttons and links of a page whose URLs begin with `below`."""
    forms = _Forms()
    forms.feed(page)
    return (
        [offer for offer in forms.offers if offer.action.startswith(below)],
        [link for link in forms.links if link.startswith(below)],
    )
