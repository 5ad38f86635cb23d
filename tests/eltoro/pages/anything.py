"""A club with matches in every state, and browsers that send arbitrary requests to its pages."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

import eltoro.urls
from eltoro.engine import DueEntryKind, Rules
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from eltoro.tabletop import operations
from fairness import Chance
from leagues.matches.operations import matches
from leagues.models import League, Match, Player
from tests.databases import written_again
from tests.factories import account, browser
from tests.leagues.pages.matches.games import ELTORO

PATTERNS: Final[tuple[URLPattern, ...]] = tuple(eltoro.urls.urlpatterns)
NUMBER: Final = re.compile(r"<int:pk>")
SHORT: Final = Rules(days=1)
SHEET: Final = {"kind": "points", "days": [[9, 4]]}
# fmt: off
VALUES: Final = (
    "", "0", "1", "2", "6", "-1", "-0", "9" * 30, "1e9", "²", "٣", "\x00", "“”", "on",
    "x" * 5000, "a", "f", "a1", "T1", "T10", "all", "board",
    "bank", "bank.0", "2/odd", "fuente/odd", "fuente", "molino", "224456123", "2 3 4 5 6", "1" * 9,
)
DEEDS: Final = (
    "", ":", "read", "input_mode:points", "input_mode:arrivals", "send", "points", "finish",
    "edit:0", "edit:-1", "edit:" + "9" * 30, "clear", "rewrite", "leave", "begin", "choose",
    "undo", "hand-in", "lay",
    "draw", "dice", "bulls", "runners", "start", "charge", "roll", "face:3", "face:7", "flip",
    "swap", "move:fuente", "addbull:fuente", "addbull:", "token", "untoken:fuente/odd",
    "points:a:2", "points:f:2", "points:a:-9", "points:a:" + "9" * 30, "first:b", "first:f",
    "advance", "evening", "advance\nadvance", "points:a:1\npoints:a:1", "roll\x00", "x" * 5000,
)
FIELDS: Final = (
    "mode", "version", "pick", "bulls", "runners-a", "runners-b", "at-a1", "at-b1", "die-a",
    "die-a1", "die-b1", "d1", "d2", "d3", "d4", "d5", "token-seat", "sign", "from", "bull-face",
    "points-0-0", "points-0-1", "laid", "gained-0", "gained-1", "n-bank.0-0", "n-bank.0-1",
    "die-0-0", "card", "die-a-2", "by-card",
)
# fmt: on


def evening(at: League | None, *players: Player) -> Match:
    """Create a match of El Toro with a single day, whose result is not entered yet."""
    whose: dict[str, Any] = {"by": players[0], "at": timezone.now(), "players": list(players)}
    if at is not None:
        return matches.open_match(**whose, league=at)
    return matches.open_match(**whose, game="eltoro", profile="own", rules=SHORT.options())


def board_with_entries(match: Match, by: Player, mode: str, *entries: str) -> Keeping:
    """Begin a board on which the site tracks a real match, and record these entries on it."""
    row = operations.begin_keeping(match=match, mode=mode, by=by, at=timezone.now())
    for text in entries:
        row = operations.record_entry(
            keeping=row, version=row.version, text=text, by=by, at=timezone.now()
        )
    return row


def charged(match: Match, by: Player) -> Keeping:
    """Return a tracked board with dice rolled by the site, after the first morning of the game."""
    row = board_with_entries(match, by, "all", "lay")
    while (board := real_board_of(row)).due is not DueEntryKind.CARDS:
        ones = " ".join(f"{name}>5" for name in board.ones)
        row = operations.record_entry(
            keeping=row, version=row.version, text=f"start {ones}", by=by, at=timezone.now()
        )
    return row


@written_again
def create_people() -> dict[str, Player]:
    """Create an organiser and a player with matches of every kind, and a user without any part in
    them.
    """
    people = {name: account(name) for name in ("olga", "mara", "nico")}
    olga, mara = people["olga"], people["mara"]
    private = ELTORO.league(olga, olga, mara, rules=SHORT.options())
    for at in (private, None):
        evening(at, olga, mara)
        board_with_entries(evening(at, olga, mara), olga, "board")
        charged(evening(at, mara, olga), mara)
        over = evening(at, olga, mara)
        board_with_entries(over, olga, "all")
        now = timezone.now()
        matches.hand_in(match=over, version=over.version, by=olga, at=now, content=SHEET)
    matches.open_match(
        by=olga, at=timezone.now(), players=[olga, mara], game="dominoes", profile="rulebook"
    )
    return people


def rows() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the models of leagues and El Toro."""
    models = [
        model for app in ("leagues", "eltoro") for model in apps.get_app_config(app).get_models()
    ]
    return {
        model.__name__: list(model._default_manager.order_by("pk").values_list())
        for model in models
    }


def addresses() -> Iterator[str]:
    """Yield every URL of the app with the ids of all matches and of some that do not exist."""
    numbers = [str(pk) for pk in Match.objects.order_by("pk").values_list("pk", flat=True)]
    for pattern in PATTERNS:
        shape = f"/{pattern.pattern}".replace("<str:runner>", "a1")
        if NUMBER.search(shape):
            yield from (NUMBER.sub(number, shape) for number in [*numbers, "0", "9" * 30])
        else:
            yield shape


def form(chance: Chance) -> dict[str, Any]:
    """Return random form fields, including names and values that no form sends."""
    sent: dict[str, Any] = {
        chance.pick(FIELDS): [chance.pick(VALUES) for _ in range(1 + chance.below(3))]
        for _ in range(chance.below(14))
    }
    return sent | {"do": chance.pick(DEEDS)} if chance.below(12) else sent


def with_version(address: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Add the current version to most forms, so that requests are not rejected as outdated.

    Otherwise later checks would hardly be reached.
    """
    number = next((int(part) for part in address.split("/") if part.isdecimal()), 0)
    match = Match.objects.filter(pk=min(number, 10**9)).first()
    row = Keeping.objects.filter(match=match).first() if match else None
    if match is None or sent.get("version") == [""]:
        return sent
    version = row.version if row and "board" in address else match.version
    return {**sent, "version": version}


def send_requests(client: Client, chance: Chance, *, again: int = 1) -> Iterator[tuple[str, Any]]:
    """Send a GET request with random parameters and POST requests to every URL."""
    headers = itertools.cycle([{}, {"HX-Request": "true"}])
    for address in list(addresses()):
        yield address, client.get(address, form(chance), headers=next(headers))
        for _ in range(again):
            sent = with_version(address, form(chance))
            yield address, client.post(address, sent, headers=next(headers))


def somebody(of: Player | None) -> Client:
    """Return a browser that is signed in as this player, or an anonymous one."""
    return Client() if of is None else browser(of)


MOVES: Final = (
    "", "play", "play siesta", "play nobody", "start", "discard", "discard siesta siesta siesta",
    "play stray @2", "start a1>2", "start a1>2 a1>3", "play sidestep a1+", "play sidestep a99+",
    "play set a1=7", "play swapped-hats a1~a1", "play cowbell T1>", "play street-sign 2/odd>2/odd",
    "play\x00siesta", "x" * 5000, "play " + "a1 " * 40, "٣", "start a1>\u2028",
)  # fmt: skip
PLAYED: Final = (
    "card", "move", "do", "seen", "0.a1", "0.a1+", "0.face", "0.own", "0.other", "0.from", "0.@2",
    "1.T1", "start-a1", "start-b1", "start-", "drop-0", "drop-1", "drop-", "." * 300, "0.\x00",
)  # fmt: skip


def move(chance: Chance, seen: int) -> dict[str, Any]:
    """Return a form for a move with absurd values.

    It usually refers to the current position, so that it is not rejected as outdated.
    """
    values = (*VALUES, *MOVES, "siesta/0", "stray/1", "/", "start", "discard", "play")
    sent: dict[str, Any] = {
        chance.pick(PLAYED): [chance.pick(values) for _ in range(1 + chance.below(2))]
        for _ in range(chance.below(9))
    }
    return {**sent, "seen": seen} if chance.below(8) else sent
