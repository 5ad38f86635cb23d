"""Every URL pattern and HTTP method of the site, read from its URLconf, with an example of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from tests.security.scene import CLOSED, Scene

PART = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")

CAUGHT = re.compile(r"\(\?P<\w+>(?:\[[^]]*\]|[^)])*\)|\.\*")


class Endpoint(NamedTuple):
    """A URL pattern with its name, one allowed method and its view."""

    name: str
    route: str
    method: str
    callback: Any

    @property
    def key(self) -> str:
        """The key of this endpoint in `roles.csv`."""
        return f"{self.method} /{self.route}"

    @property
    def resource(self) -> Any:
        """Return the view class of an API endpoint, or None for a page."""
        view = resource_class(self.callback)
        return view and view(**getattr(self.callback, "initkwargs", {}))


def endpoints() -> list[Endpoint]:
    """Return all endpoints except Django's own catch-all patterns."""
    return [
        Endpoint(name, route, method, pattern.callback)
        for name, route, pattern in walk(get_resolver())
        for method in methods(pattern)
    ]


def walk(
    resolver: URLResolver, before: str = "", space: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    """Yield name, full route and pattern of every URL."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name or ''}", f"{before}{pattern.pattern}", pattern
        else:
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from walk(pattern, f"{before}{pattern.pattern}", inner)


def methods(pattern: URLPattern) -> tuple[str, ...]:
    """Return GET and POST for a page, and the supported methods for an API endpoint."""
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
    """A URL pattern has a parameter for which this module has no example."""


# Examples of parameters after a word of a URL, if they are the same in every test.
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

# The objects in the scene that give the parameters after a word of a URL.
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

# Examples of all other parameters; most of them match no object.
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


def address(endpoint: Endpoint, scene: Scene) -> str:
    """Return a working URL for an endpoint, of the private circuit and league if possible.

    Raises NoExample for a parameter that is not listed above.
    """
    plain = CAUGHT.sub("nobodys", endpoint.route).replace("^", "").rstrip("$")
    words = plain.split("/")
    return "/" + "/".join(_filled(words, place, scene) for place in range(len(words)))


def _filled(words: list[str], place: int, scene: Scene) -> str:
    """Return one word of a URL with its parameters filled in."""
    before = [word for word in words[:place] if not PART.search(word)]
    return PART.sub(lambda part: str(_value(part["name"], before, words, scene)), words[place])


def _value(name: str, before: list[str], words: list[str], scene: Scene) -> Any:
    """Return the value of a parameter; `before` are the words before it in the URL."""
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
