"""No response reveals what has not been shown yet: every URL is requested in two possible futures.

A corrida is on air, and at four game tables matches are over of which spectators have seen only the
beginning. The same past continues in two ways, with different cards and moves. Until the difference
is public, every response must be the same, byte for byte, for each role and in each format.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from corridas.broadcast.source import _cache as showings
from corridas.models import Cartel, Corrida, Lidia
from corridas.simulation.play import play_on_air
from events.numbering import number_waiting
from leagues.games import games
from leagues.league.operations import LeagueSettings, create_league
from leagues.members.operations.membership import join_league
from leagues.models import Player, Table
from leagues.tables import log as table_log
from leagues.tables.broadcast import _renderings
from leagues.tables.log import _cache as logs
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from leagues.webhooks.delivery import deliver_due
from leagues.webhooks.operations import add_webhook
from live.broadcast_source import sources
from tests.factories import World, account
from tests.leagues.webhooks.conftest import Receiver, receiver  # noqa: F401  a fixture
from tests.security.endpoints import Endpoint, address, endpoints
from tests.security.scene import ROLES, Scene, set_up

NOW: Final = dt.datetime(2027, 4, 1, 18, 0, tzinfo=dt.UTC)
DELAY: Final = 3600  # seconds
SEEN_AT: Final = NOW - dt.timedelta(seconds=2 * DELAY)
A_CARD: Final = dt.timedelta(minutes=10)
PLAYED: Final = {"dominoes": "rulebook", "eltoro": "el-toro"}
BOTS: Final = ("greedy", "random")
# Parts of a response that may differ although the content is the same.
VARYING: Final = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]*"|"?csrf_?token"?[:=]\s*"[^"]*"|nonce="[^"]*"'
    # drawn for the answer
    rb'|"(key|invitation|challenge|token|secret|identifier)": ?"[^"]+"|name="seed" value="[^"]*"'
    # Times that change
    rb'|[0-9]+ ms\b|"took_ms":[0-9]+|in [0-9.]+ seconds|value="[0-9:]{8}"|<dcterms:[^<]*<'
)
# Pages that show newly generated secrets or current measurements.
NEVER_TWICE: Final = {"mfa_activate_totp", "mfa_add_webauthn", "status", "metrics"}
# Endpoint with which the director ends the broadcast; its response contains the result.
SHOWS_THE_END: Final = "DELETE /api/v1/corridas/<int:pk>/broadcast/"


class EndpointRequest(NamedTuple):
    """An endpoint, and the URL of the request."""

    endpoint: Endpoint
    address: str


EVERY_DAY: Final = {"fan"}
Answer = tuple[int, str, bytes]


@dataclass(frozen=True)
class Evening:
    """A corrida on air, and game tables of two players who have no other role."""

    scene: Scene
    corrida: Corrida
    tables: tuple[Table, ...]
    seated: tuple[Player, ...]
    receiver: Receiver

    def scenes(self) -> Iterator[Scene]:
        """Return the scene once for each corrida and table, which replaces the usual one."""
        yield replace(self.scene, keys=self.scene.keys | {"corrida": self.corrida.pk})
        for table in self.tables:
            keys = {
                "table": table.pk,
                "table_invitation": table.invitation,
                "player": self.seated[0].slug,
            }
            if table.league is not None:
                keys |= {"league": table.league.slug, "invitation": table.league.invitation}
            yield replace(self.scene, keys=self.scene.keys | keys)

    def go_on(self, seed: bytes, bot: str) -> None:
        """Create the hidden future: cards by this seed, and moves as this bot plays."""
        Cartel.objects.filter(corrida=self.corrida).update(seed=seed)
        assert play_on_air(self.corrida.pk, at=NOW - A_CARD * 1.5)
        for table in self.tables:
            while Table.objects.get(pk=table.pk).state == Table.State.PLAYING:
                step(table, self.seated, bot, at=NOW)
        number_waiting(at=NOW)
        self.receiver.came.clear()
        deliver_due(clock=lambda: NOW)


def step(table: Table, seated: tuple[Player, ...], bot: str, *, at: dt.datetime) -> None:
    """Make the next move as this bot would; between two rounds, both players say that they are
    ready.
    """
    log = table_log.find_log(table.pk)
    assert log is not None
    if log.table.turn is None:
        for player in seated:
            table_moves.say_ready(table_id=table.pk, player=player, at=at)
        return
    move = games[table.game].table.bot_move(
        rules=log.table.rules,
        seats=log.seats,
        rounds=log.present(),
        bot=bot,
        seed=bytes([log.table.moves_made % 256]) * 32,
    )
    table_moves.make_move(
        table_id=table.pk,
        player=seated[log.table.turn],
        seen=log.table.moves_made,
        fields={"move": move},
        at=at,
    )


def lay_tables(organiser: Player, seated: tuple[Player, ...], url: str) -> Iterator[Table]:
    """Create for each game a table without a league and a table of a public league, with three
    old moves.
    """
    for game, profile in PLAYED.items():
        settings = LeagueSettings(name=f"Club {game}", game=game, profile=profile)
        settings = replace(settings, visibility="public")
        league = create_league(settings=settings, by=organiser, at=SEEN_AT, plays=False)
        for player in seated:
            join_league(token=league.invitation, by=player, at=SEEN_AT)
        add_webhook(league=league, url=url, wanted=(), by=organiser, at=SEEN_AT)
        for where in ({"game": game, "profile": profile, "seats": 2}, {"league": league}):
            house = TableSettings(delay=DELAY, watch=Table.Watch.ANYBODY)
            table = lobby.create_table(host=seated[0], at=SEEN_AT, house=house, **where)
            lobby.sit_down(table_id=table.pk, player=seated[1], at=SEEN_AT)
            lobby.begin_table(table_id=table.pk, player=seated[0], at=SEEN_AT)
            for _move in range(3):
                step(table, seated, "greedy", at=SEEN_AT)
            yield Table.objects.get(pk=table.pk)


def seeds_alike(corrida: Corrida) -> tuple[bytes, bytes]:
    """Return two seeds that give the same lot of the bulls and the same first card, which are
    public.
    """
    first: dict[tuple[object, ...], bytes] = {}
    for place in range(3000):
        seed = place.to_bytes(32, "big")
        with transaction.atomic():
            Cartel.objects.filter(corrida=corrida).update(seed=seed)
            assert play_on_air(corrida.pk, at=NOW)
            lidias = list(Lidia.objects.filter(corrida=corrida).order_by("turn"))
            transaction.set_rollback(True)
        shown = (*(lidia.bull_id for lidia in lidias), bytes(lidias[0].draws)[0])
        if (other := first.setdefault(shown, seed)) != seed:
            return other, seed
    raise AssertionError("No two seeds begin alike.")


def queued(world: World) -> Corrida:
    """Create a corrida that is about to begin."""
    corrida = world.announce(dt.date(2027, 4, 2), 1)
    for place in range(6):
        world.bull(corrida, place, "Cantinero")
    corrida.state, corrida.queued_at = Corrida.State.QUEUED, NOW
    corrida.pace_ms = int(A_CARD.total_seconds() * 1000)
    corrida.save()
    return corrida


@pytest.fixture
def evening(
    db: None,
    settings: Settings,
    receiver: Receiver,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> Evening:
    """Create everything up to what all spectators have seen."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    settings.WRITES_A_MINUTE = settings.FILES_A_MINUTE = 10**9
    scene = set_up()
    seated = (account("carmen"), account("diego"))
    organiser = Player.objects.get(user__username="organiser")
    laid = tuple(lay_tables(organiser, seated, receiver.url))
    return Evening(scene, queued(scene.open), laid, seated, receiver)


def requests_to_send(evening: Evening) -> list[EndpointRequest]:
    """Return requests for every endpoint and each object that continues; the admin is only read."""
    found = set()
    for endpoint in endpoints():
        if endpoint.name in NEVER_TWICE or endpoint.key == SHOWS_THE_END:
            continue
        if endpoint.route.startswith("admin/"):
            found |= set(of_the_office(endpoint, evening)) if endpoint.method == "GET" else set()
        else:
            found |= {
                EndpointRequest(endpoint, address(endpoint, scene)) for scene in evening.scenes()
            }
    return sorted(found)


def of_the_office(endpoint: Endpoint, evening: Evening) -> Iterator[EndpointRequest]:
    """Return an admin URL with the number of each object that continues."""
    numbers = [evening.corrida.pk, *(table.pk for table in evening.tables)]
    for row in numbers:
        route = re.sub(r"<[^>]*>", str(row), endpoint.route)
        if "(?P" not in route:
            yield EndpointRequest(endpoint, "/" + route)


def send_request(client: Client, ask: EndpointRequest) -> Answer:
    """Return the status, the redirect target and the content of a response."""
    cookies = deepcopy(client.cookies)  # the request may sign the user out
    extra: dict[str, Any] = {}
    if ask.endpoint.route.startswith("api/") and ask.endpoint.method != "GET":
        extra = {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        told = getattr(client, ask.endpoint.method.lower())(ask.address, **extra)
        body = b"".join(told) if told.streaming else told.content
        transaction.set_rollback(True)
    client.cookies = cookies
    return told.status_code, told.headers.get("Location", ""), VARYING.sub(b"", unpacked(body))


def unpacked(body: bytes) -> bytes:
    """Return the content of an archive without the times of its files; other content is
    returned unchanged.
    """
    if not body.startswith(b"PK"):
        return body
    with ZipFile(BytesIO(body)) as archive:
        return b"".join(name.encode() + archive.read(name) for name in archive.namelist())


def followed(evening: Evening) -> dict[str, Any]:
    """Return what the feed must have sent by now on each of its streams."""
    keys: dict[str, list[Any]] = {
        "corrida": [evening.corrida.pk],
        "table": [table.pk for table in evening.tables],
        "events": [
            "all",
            f"circuit-{evening.corrida.season.circuit.slug}",
            *(f"league-{table.league.slug}" for table in evening.tables if table.league),
        ],
    }
    found = {}
    for kind in (*sources._providers, *sources._logs):
        for key in keys.get(kind.partition("-")[0], ()):
            found[f"{kind}/{key}"] = sent(kind, str(key))
    return found


def sent(kind: str, key: str) -> Any:
    """Return everything that is due by now on a stream."""
    log = sources.log(kind, key)
    if log is not None:
        return log.newest(), log.page_after(0)
    programme = sources.load(kind, key)
    assert programme is not None, f"There is no {kind}/{key}."
    due = [at for at in programme.moments if at <= NOW.timestamp()]
    return due, [programme.render(place) for place in range(1, len(due) + 1)]


def forget() -> None:
    """Forget cached data of rows that no longer exist."""
    cache.clear()
    for kept in (showings, logs, _renderings._fragments):
        kept.clear()


def future(evening: Evening, role: str, seed: bytes, bot: str) -> dict[Any, Any]:
    """Return all responses after the evening has continued in this way; then roll the changes
    back.
    """
    forget()
    told: dict[Any, Any] = {}
    with transaction.atomic():
        evening.go_on(seed, bot)
        told |= {
            ask: send_request(evening.scene.clients[role], ask) for ask in requests_to_send(evening)
        }
        told |= followed(evening)
        told["webhooks"] = sorted(body for _heads, body in evening.receiver.came)
        transaction.set_rollback(True)
    return told


@pytest.mark.slow
@pytest.mark.parametrize(
    "role",
    [
        role if role in EVERY_DAY else pytest.param(role, marks=pytest.mark.nightly)
        for role in ROLES
    ],
)
def test_hidden_future_changes_no_response(evening: Evening, role: str) -> None:
    seeds = seeds_alike(evening.corrida)
    one, other = (future(evening, role, seed, bot) for seed, bot in zip(seeds, BOTS, strict=True))
    assert one.keys() == other.keys()
    assert {ask: (one[ask], other[ask]) for ask in one if one[ask] != other[ask]} == {}
