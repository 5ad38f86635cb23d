"""Every address and method of the site, read out of its URL map, with an example of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from tests.security.scene import CLOSED, Scene

PART = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")

CAUGHT = re.compile(r"\(\?P<\w+>(?:\[[^]]*\]|[^)])*\)|\.\*")


class Endpoint(NamedTuple):
    """An address as the map writes it, its name, a method it may be asked with, and its view."""

    name: str
    route: str
    method: str
    callback: Any

    @property
    def key(self) -> str:
        """What a row of the table is found by."""
        return f"{self.method} /{self.route}"

    @property
    def resource(self) -> Any:
        """The view of a resource as an object, or None for a page."""
        view = resource_class(self.callback)
        return view and view(**getattr(self.callback, "initkwargs", {}))


def endpoints() -> list[Endpoint]:
    """All of them, those of Django's own catch-alls left out."""
    return [
        Endpoint(name, route, method, pattern.callback)
        for name, route, pattern in walk(get_resolver())
        for method in methods(pattern)
    ]


def walk(
    resolver: URLResolver, before: str = "", space: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    """Name, whole route and pattern of every address."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name or ''}", f"{before}{pattern.pattern}", pattern
        else:
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from walk(pattern, f"{before}{pattern.pattern}", inner)


def methods(pattern: URLPattern) -> tuple[str, ...]:
    """GET and POST of a page; of a resource all that it offers."""
    view = resource_class(pattern.callback)
    if view is None:
        return ("GET", "POST")
    actions = getattr(pattern.callback, "actions", None)
    if actions is not None:
        offered = [method.upper() for method in actions]
    else:
        offered = view(**getattr(pattern.callback, "initkwargs", {})).allowed_methods
    return tuple(method for method in offered if method not in {"OPTIONS", "HEAD"})


def resource_class(callback: Any) -> Any:
    view = getattr(callback, "cls", None)
    return view if hasattr(view, "authentication_classes") else None


class NoExample(LookupError):
    """There is an address for which nobody has said what stands in it."""


FIXED: dict[str, dict[str, Any]] = {
    "circuitos": {"circuit": CLOSED},
    "circuits": {"circuit": CLOSED, "slug": CLOSED},
    "lecciones": {"slug": "one-bull-on-paper"},
    "matadores": {"slug": "matador-0"},
    "matadors": {"slug": "matador-0"},
    "plazas": {"slug": "ronda"},
    "ganaderias": {"slug": "mayalde"},
    "herds": {"slug": "mayalde"},
    "<int:year>": {"slug": "goyesca"},
    "records": {"scope": "plaza", "slug": "ronda"},
    "mano-a-mano": {"left": "matador-0", "right": "matador-1"},
    "duels": {"left": "matador-0", "right": "matador-1"},
    "ferias": {"slug": "goyesca"},
    "boards": {"key": "la-cuesta"},
    "elenco": {"table": "matadors"},
    "leaderboards": {"key": "dominoes"},
    "new": {"game": "dominoes"},
    "rounds": {"n": 1, "number": 1, "round_number": 1},
    "versions": {"number": 1},
    "sheets": {"number": 1},
    "ways": {"runner": "r1"},
    "games": {"key": "dominoes", "game": "dominoes", "slug": "dominoes"},
}
"""What stands after a word of an address, where it is the same everywhere."""

ROWS: dict[str, dict[str, str]] = {
    "resumen": {"run": "played_run"},
    "digests": {"run": "played_run"},
    "toros": {"pk": "bull"},
    "bulls": {"pk": "bull"},
    "corridas": {"pk": "corrida"},
    "al-aire": {"pk": "on_air"},
    "cartel": {"pk": "announced"},
    "mesas": {"pk": "announced"},
    "tienta": {"pk": "afternoon"},
    "leagues": {"slug": "league"},
    "standings": {"player": "player"},
    "leagues/join": {"token": "invitation"},
    "fixtures": {"pk": "fixture"},
    "players": {"pk": "member", "slug": "player"},
    "claims": {"pk": "claim"},
    "matches": {"pk": "match"},
    "eltoro/matches": {"pk": "town"},
    "members": {"pk": "guest_member"},
    "tables": {"pk": "table"},
    "invitations": {"token": "invitation"},
    "webhooks": {"pk": "webhook"},
    "deliveries": {"delivery": "delivery"},
    "join": {"invitation": "table_invitation"},
}
"""The row of the scene that stands after a word of an address."""

ANYTHING: dict[str, Any] = {
    "year": 2027,
    "turn": 1,
    "card": 1,
    "move": 1,
    "round_number": 1,
    "slug": "ears",
    "action": "void",
    "what": "leave",
    "token": "nobodys",
    "key": "nobodys",
    "uidb36": "1",
    "pk": 1,
    "content_type_id": 1,
    "object_id": 1,
    "id": 1,
    "verb": "archive",
}
"""What stands there otherwise: mostly something that nobody has."""


def address(endpoint: Endpoint, scene: Scene) -> str:
    """An address that is really there: of the private circuit and league, where it can be.

    Raises NoExample for a part that is told of nowhere above.
    """
    plain = CAUGHT.sub("nobodys", endpoint.route).replace("^", "").rstrip("$")
    words = plain.split("/")
    return "/" + "/".join(_filled(words, place, scene) for place in range(len(words)))


def _filled(words: list[str], place: int, scene: Scene) -> str:
    """One word of an address with all its parts."""
    before = [word for word in words[:place] if not PART.search(word)]
    return PART.sub(lambda part: str(_value(part["name"], before, words, scene)), words[place])


def _value(name: str, before: list[str], words: list[str], scene: Scene) -> Any:
    """What stands for one part; `before` are the words of the address before it."""
    last, both = "".join(before[-1:]), "/".join(before[-2:])
    if name == "slug" and "<int:year>" in words and last not in ROWS:
        return "goyesca"
    keys = scene.keys
    if "<slug:circuit>" in words and name != "circuit":
        keys = keys | scene.keys["closed"]
    for word in (both, last):
        if name in FIXED.get(word, {}):
            return FIXED[word][name]
        if name in ROWS.get(word, {}):
            return keys[ROWS[word][name]]
    if name in ANYTHING:
        return ANYTHING[name]
    raise NoExample(f"Say in tests/security/endpoints.py what stands for {name} after {last!r}.")
