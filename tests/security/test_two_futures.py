"""Whatever was not shown yet changes no answer: every address is asked in two futures.

A corrida is on air, and four tables were played to their end of which spectators have seen only the
beginning. The same past goes on in two ways: other cards are drawn and other moves are made. What
anybody is told meanwhile must be the same, byte for byte, whoever asks, however they ask.
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
VARYING: Final = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]*"|"?csrf_?token"?[:=]\s*"[^"]*"|nonce="[^"]*"'
    # drawn for the answer
    rb'|"(key|invitation|challenge|token|secret|identifier)": ?"[^"]+"|name="seed" value="[^"]*"'
    # clocks that do not stand still
    rb'|[0-9]+ ms\b|"took_ms":[0-9]+|in [0-9.]+ seconds|value="[0-9:]{8}"|<dcterms:[^<]*<'
)
"""What differs between two answers that say the same."""
NEVER_TWICE: Final = {"mfa_activate_totp", "mfa_add_webauthn", "status", "metrics"}
"""Pages made of a secret drawn for them, or of what is measured as they are asked."""
SHOWS_THE_END: Final = "DELETE /api/v1/corridas/<int:pk>/broadcast/"
"""Who directs ends the broadcast, and is answered with the result."""


class EndpointRequest(NamedTuple):
    """An address, and how it is asked."""

    endpoint: Endpoint
    address: str


EVERY_DAY: Final = {"stranger", "fan", "organiser", "admin"}
Answer = tuple[int, str, bytes]


@dataclass(frozen=True)
class Evening:
    """What goes on: a corrida on air, and tables of two who have no other role."""

    scene: Scene
    corrida: Corrida
    tables: tuple[Table, ...]
    seated: tuple[Player, ...]
    receiver: Receiver

    def scenes(self) -> Iterator[Scene]:
        """The scene with each of those in the place of what is there otherwise."""
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
        """All that nobody may know yet happens: cards by this seed, moves as this bot plays."""
        Cartel.objects.filter(corrida=self.corrida).update(seed=seed)
        assert play_on_air(self.corrida.pk, at=NOW - A_CARD * 1.5)
        for table in self.tables:
            while Table.objects.get(pk=table.pk).state == Table.State.PLAYING:
                step(table, self.seated, bot, at=NOW)
        number_waiting(at=NOW)
        self.receiver.came.clear()
        deliver_due(clock=lambda: NOW)


def step(table: Table, seated: tuple[Player, ...], bot: str, *, at: dt.datetime) -> None:
    """Whoever is asked does what this bot would; between rounds both say that they are ready."""
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
    """Of each game a table of nobody's and one of a public league, three moves made long ago."""
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
    """Two seeds that draw the same lots and the same first card, which is all that is shown."""
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
    """A corrida that is about to begin."""
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
    """Up to what everybody has seen."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    settings.API_READS_A_MINUTE = settings.API_WRITES_A_MINUTE = 10**9
    settings.WRITES_A_MINUTE = settings.FILES_A_MINUTE = 10**9
    scene = set_up()
    seated = (account("carmen"), account("diego"))
    organiser = Player.objects.get(user__username="organiser")
    laid = tuple(lay_tables(organiser, seated, receiver.url))
    return Evening(scene, queued(scene.open), laid, seated, receiver)


def requests_to_send(evening: Evening) -> list[EndpointRequest]:
    """Every address with every method, of each thing that goes on; the office reads only."""
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
    """An address of the admin, with the number of each thing that goes on."""
    numbers = [evening.corrida.pk, *(table.pk for table in evening.tables)]
    for row in numbers:
        route = re.sub(r"<[^>]*>", str(row), endpoint.route)
        if "(?P" not in route:
            yield EndpointRequest(endpoint, "/" + route)


def send_request(client: Client, ask: EndpointRequest) -> Answer:
    """Status, where it leads to and what it says."""
    cookies = deepcopy(client.cookies)  # who is signed out there comes again
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
    """What is in an archive, without the hours of its files; anything else as it is."""
    if not body.startswith(b"PK"):
        return body
    with ZipFile(BytesIO(body)) as archive:
        return b"".join(name.encode() + archive.read(name) for name in archive.namelist())


def followed(evening: Evening) -> dict[str, Any]:
    """What the feed has to send by now on each of its lines."""
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
    """All that is due by now on a line."""
    log = sources.log(kind, key)
    if log is not None:
        return log.newest(), log.page_after(0)
    programme = sources.load(kind, key)
    assert programme is not None, f"There is no {kind}/{key}."
    due = [at for at in programme.moments if at <= NOW.timestamp()]
    return due, [programme.render(place) for place in range(1, len(due) + 1)]


def forget() -> None:
    """What this process remembers of rows that are no more."""
    cache.clear()
    for kept in (showings, logs, _renderings._fragments):
        kept.clear()


def future(evening: Evening, role: str, seed: bytes, bot: str) -> dict[Any, Any]:
    """All that is told after the evening went on like this; then it is undone."""
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
def test_what_is_still_hidden_changes_no_answer(evening: Evening, role: str) -> None:
    seeds = seeds_alike(evening.corrida)
    one, other = (future(evening, role, seed, bot) for seed, bot in zip(seeds, BOTS, strict=True))
    assert one.keys() == other.keys()
    assert {ask: (one[ask], other[ask]) for ask in one if one[ask] != other[ask]} == {}
