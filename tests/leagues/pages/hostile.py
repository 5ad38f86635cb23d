"""A club with data of every kind, and test clients that send arbitrary requests to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from django.apps import apps
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

import dominoes.urls
import leagues.urls
from fairness import Chance
from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import LeagueSettings, create_league
from leagues.matches.operations import matches
from leagues.members.operations.membership import add_guest, join_league
from leagues.members.operations.merging import merge_players, propose_claim
from leagues.models import Claim, Fixture, League, Match, Member, Merge, Player, Round, Table
from leagues.pages.fixtures.views import ACTIONS
from leagues.pages.tables.table import ACTIONS as ACTS
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.databases import written_again
from tests.factories import account, guest
from tests.properties import FULL

SHEET: Final = {"totals": [100, 20]}
PATTERNS: Final[tuple[URLPattern, ...]] = (*leagues.urls.urlpatterns, *dominoes.urls.urlpatterns)
PART: Final = re.compile(r"<\w+:(\w+)>")
# Models whose rows anybody may add: own guests, game tables, and matches without league.
OWN: Final = frozenset({"Player", "Table", "TableSeat", "TableRound", "TableMoment", "Match"})
LONG: Final = "x" * 5000
VALUES: Final = (
    "",
    "0",
    "1",
    "2",
    "-1",
    "9" * 30,
    "1e9",
    "²",
    "٣",
    "\x00",
    "“”",
    "on",
    "=1+1",
    LONG,
)
WORDS: Final = ("yes", "own", "rulebook", "dominoes", "keeper", "live", "days", "link", "private")
WORDS_TOO: Final = ("organiser", "forfeit", "void", "stands", "csv", "json", "lay", "draw", "pass")
DATES: Final = ("2026-02-30T10:00", "9999-12-31T23:59", "0001-01-01T00:00", "2026-11-30T10:00")
MOVES: Final = ("6|3", ">4|3", "<4|3", "move:>1|1", "send", "finish", "score", "tile:6|1", "edit:0")
# fmt: off
FIELDS: Final = (
    "name", "own", "profile", "seats", "format", "visibility", "rounds_planned", "days_a_round",
    "hours_to_object", "cut", "about", "scoring", "first_tie_break", "second_tie_break", "game",
    "bot", "bots", "seat", "seating", "watch", "pace", "seconds", "delay", "rated", "plays",
    "role", "handling", "granted", "guest", "version", "reason", "settlement", "verdict", "do",
    "tile", "move", "seen", "move-0", "name-0", "name-1", "name-2", "seat-0", "seat-1", "edition",
    "deadline", "note", "token", "file", "file_format", "public", "own-highest", "own-hand_size",
    "own-target", "own-matadors", "out", "leader", "who", "held-0", "held-1", "pips-0", "pips-1",
    "total-0", "total-1", "stopped",
)
# fmt: on
QUERIES: Final = ("page", "day", "game", "league", "fixture", "in", "form", "seat-0", "after")


@dataclass(kw_only=True)
class Club:
    """Values for URL parameters: existing objects and secrets."""

    pk: list[int] = field(default_factory=list)
    slug: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)


def league(by: Player, visibility: str, fmt: str, *others: Player) -> League:
    settings = LeagueSettings(
        name=f"{visibility} {fmt}",
        game="dominoes",
        profile="rulebook",
        visibility=visibility,
        format=fmt,
    )
    found = create_league(settings=settings, by=by, at=timezone.now())
    for other in others:
        join_league(token=found.invitation, by=other, at=timezone.now())
    return found


def match(at: League | None, *players: Player, until: str = "final") -> Match:
    """Create a match that the first player submits and the second confirms, or stop before."""
    now, where = timezone.now(), {"league": at} if at else {"game": "dominoes"}
    profile = {} if at else {"profile": "rulebook"}
    found = matches.open_match(by=players[0], at=now, players=players, **where, **profile)  # type: ignore[arg-type]
    if until == "draft":
        return found
    found = matches.hand_in(
        match=found, version=found.version, by=players[0], at=now, content=SHEET
    )
    if until == "handed_in":
        return found
    return matches.confirm(match=found, version=found.version, by=players[1], at=now)


def table(host: Player, *others: Player, **house: Any) -> Table:
    """Create a table with these players; without `others` it waits for players."""
    now = timezone.now()
    at = house.pop("league", None)
    found = lobby.create_table(
        host=host,
        at=now,
        game="dominoes",
        profile="rulebook",
        league=at,
        house=TableSettings(seating=Table.Seating.LINK, **house),
    )
    for other in others:
        lobby.sit_down(table_id=found.pk, player=other, at=now, invited=True)
    if others:
        lobby.begin_table(table_id=found.pk, player=host, at=now)
    return found


@written_again
def create_club() -> tuple[Club, dict[str, Player]]:
    """Create the club and its people: an organiser, a player, a guest of the player, and another
    guest.
    """
    now = timezone.now()
    olga, mara, nico = (account(name) for name in ("olga", "mara", "nico"))
    for visibility, fmt in (("public", "ladder"), ("link", "round_robin"), ("private", "ladder")):
        one = league(olga, visibility, fmt, mara)
        gil = add_guest(league=one, name="gil", by=olga, at=now).player
        if fmt == "ladder":
            for until in ("draft", "handed_in", "final"):
                match(one, mara, gil, until=until)
            match(one, olga, mara, until="handed_in")
        else:
            draw_round_robin(league=one, by=olga, at=now)
        table(mara, olga, league=one if fmt == "ladder" else None, watch=Table.Watch.NOBODY)
    match(None, mara, nico, until="handed_in")
    table(mara)
    propose_claim(guest=gil, by=nico, at=now)
    double = add_guest(league=one, name="mara too", by=olga, at=now).player
    merge_players(absorbed=double, kept=mara, by=olga, at=now)
    return club(), {"organiser": olga, "member": mara, "guest": gil, "other": guest("x")}


def club() -> Club:
    """Return the present values for URL parameters."""
    models = (League, Member, Round, Fixture, Match, Table, Claim, Merge, Player)
    keys = {pk for model in models for pk in model.objects.values_list("pk", flat=True)}
    slugs = [
        slug for one in (League, Player) for slug in one.objects.values_list("slug", flat=True)
    ]
    secrets = [*League.objects.values_list("invitation", flat=True)]
    secrets += [*Match.objects.values_list("key", flat=True)]
    secrets += [*Table.objects.values_list("invitation", flat=True)]
    return Club(pk=sorted(keys), slug=slugs, secrets=secrets)


def addresses(there: Club, chance: Chance, *, inside: bool) -> Iterator[str]:
    """Yield every URL of leagues and dominoes, with existing and invalid parameters.

    A full run tries URLs with parameters several times. `inside`: the visitor also knows links and
    keys.
    """
    tokens = ["nonsense", "a\x00b", *(there.secrets if inside else ())]
    for pattern in PATTERNS:
        names = list(pattern.pattern.converters)
        for _again in range(1 + len(names) if FULL else 1):
            given = {name: str(_part(name, there, tokens, chance)) for name in names}
            yield "/" + PART.sub(lambda part: quote(given[part[1]]), str(pattern.pattern))  # noqa: B023


def _part(name: str, there: Club, tokens: list[str], chance: Chance) -> Any:
    if name == "slug":
        return chance.pick([*there.slug, "nobody"])
    if name == "pk":
        return chance.pick([*there.pk, 0, 10**30])
    if name in {"number", "round_number", "move"}:
        return chance.pick([0, 1, 2, 10**30])
    if name == "what":
        return chance.pick([*ACTS, "x"])
    if name == "action":
        return chance.pick([*ACTIONS, "x"])
    if name in {"game", "key"} and chance.below(2):
        return chance.pick(["dominoes", "chess"])
    return chance.pick(tokens)


def form(chance: Chance) -> dict[str, Any]:
    """Return random form fields, some with values that no form sends."""
    values = [*VALUES, *WORDS, *WORDS_TOO, *DATES, *MOVES]
    return {
        chance.pick(FIELDS): [chance.pick(values) for _ in range(1 + chance.below(2))]
        for _ in range(chance.below(16))
    }


def query(chance: Chance) -> dict[str, str]:
    values = [*VALUES, "00", "٠", "-0", "csv", "bgstats", "2026-02-30", "9999-12-31"]
    return {chance.pick(QUERIES): chance.pick(values) for _ in range(chance.below(3))}


def rows() -> dict[str, dict[Any, tuple[Any, ...]]]:
    """Return all rows of the leagues by model and key."""
    return {
        model.__name__: {row[0]: row for row in _all(model).values_list("pk", *_columns(model))}
        for model in apps.get_app_config("leagues").get_models()
    }


def _all(model: Any) -> Any:
    return model.objects.all()


def _columns(model: Any) -> list[str]:
    return [one.attname for one in model._meta.concrete_fields if not one.primary_key]


def changed_rows(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the changed and deleted rows, and rows added to models that nobody may add to."""
    found = [
        f"{name} {key}"
        for name, kept in before.items()
        for key, row in kept.items()
        if after[name].get(key) != row
    ]
    added = [name for name, kept in after.items() if kept.keys() - before[name].keys()]
    return found + [f"new {name}" for name in added if name not in OWN]


def send_requests(
    client: Client, there: Club, chance: Chance, *, inside: bool
) -> Iterator[HttpResponse]:
    """Yield the responses to requests of every URL with any query and any form."""
    headers = itertools.cycle([{}, {"HX-Request": "true"}])
    for address in addresses(there, chance, inside=inside):
        yield client.get(address, query(chance), headers=next(headers))  # type: ignore[misc]
        yield client.post(address, form(chance), headers=next(headers))  # type: ignore[misc]
