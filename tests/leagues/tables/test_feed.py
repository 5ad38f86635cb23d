"""Event streams of game tables over a real connection, for players and for spectators."""

import asyncio
import datetime as dt
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings as site
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from leagues.models import Player, Table
from leagues.players import GUEST_SESSION_KEY
from leagues.tables import broadcast as tables_broadcast
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from leagues.tables.permissions import LINKS_SESSION_KEY
from live.broadcast_source import sources
from tests.leagues.tables import sticks
from tests.leagues.tables.room import log_of, person, row
from tests.live.conftest import Server, run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("valkey")]


@pytest.fixture
def feed(valkey: str) -> Iterator[Server]:
    """Start the live feed server with the site's streams on its own port."""
    running = Server()
    running.feed._offered = sources
    running.start()
    yield running
    running.stop()


def cookie(player: Player | None = None, **more: object) -> str:
    """Return the Cookie header of a guest's session."""
    session = SessionStore()
    if player is not None:
        session[GUEST_SESSION_KEY] = player.pk
    for name, value in more.items():
        session[name] = value
    session.save()
    return f"{site.SESSION_COOKIE_NAME}={session.session_key}"


def table_begun_now(people: list[Player], **house: Any) -> Table:
    at = timezone.now()
    table = lobby.create_table(
        host=people[0],
        at=at,
        game=sticks.KEY,
        profile="long",
        house=TableSettings(**house),
        seats=2,
    )
    for player in people[1:]:
        lobby.sit_down(table_id=table.pk, player=player, at=at)
    return table


def begun_now(people: list[Player], **house: Any) -> Table:
    table = table_begun_now(people, **house)
    lobby.begin_table(table_id=table.pk, player=people[0], at=timezone.now())
    return row(table)


def take_now(table: Table, people: list[Player], sticks: int = 1) -> None:
    found = row(table)
    table_moves.make_move(
        table_id=table.pk,
        player=people[found.turn or 0],
        seen=found.moves_made,
        fields={"take": str(sticks)},
        at=timezone.now(),
    )


def secrets(table: Table) -> list[str]:
    log = log_of(table)
    return [str(secret) for secret in log.position(log.moments[-1]).secrets]  # type: ignore[attr-defined]


async def status(feed: Server, path: str, sent: str) -> int:
    stream, writer = await feed.request(path, Cookie=sent)
    writer.close()
    return stream.status


def test_move_is_streamed_to_the_other_seat_without_foreign_secrets(feed: Server) -> None:
    people = [person("Ana"), person("Beto")]
    table = begun_now(people)
    hers, his = secrets(table)
    sent = cookie(people[1])

    async def follow() -> tuple[str, str]:
        async with feed.watch(f"/live/seat-en/{table.pk}-1/", Cookie=sent) as stream:
            first = await stream.event()
            await asyncio.to_thread(take_now, table, people)
            return first.data, (await stream.event()).data

    first, second = run(follow())
    assert "form" not in first, "it is not his turn"
    assert "form" in second
    assert 'name="seen" value="1"' in second
    assert "csrf" not in second, "a fragment bears no token"
    for page in (first, second):
        assert f"secret {his}" in page
        assert hers not in re.sub(r'data-\w+="\d+"', "", page)


@pytest.mark.slow
def test_event_numbers_are_moment_numbers_and_streams_can_be_resumed(feed: Server) -> None:
    people = [person(), person()]
    table = begun_now(people)
    for _ in range(2):
        take_now(table, people)

    changes, sent = row(table).changes, cookie(people[0])

    async def resume(after: int) -> list[str]:
        path = f"/live/seat-en/{table.pk}-0/?after={after}"
        async with feed.watch(path, Cookie=sent) as stream:
            return [(await stream.event()).number for _ in range(changes - after)]

    assert run(resume(2)) == [str(number) for number in range(3, changes + 1)]


def test_stream_of_a_seat_is_only_for_its_player(feed: Server) -> None:
    people = [person(), person()]
    table = begun_now(people)
    address = f"/live/seat-es/{table.pk}-0/"
    asked = {
        "hers": (address, cookie(people[0]), 200),
        "the other's": (address, cookie(people[1]), 404),
        "a stranger's": (address, cookie(person()), 404),
        "nobody's": (address, "", 404),
        "by link": (address, cookie(None, **{LINKS_SESSION_KEY: [table.pk]}), 404),
        "no such seat": (f"/live/seat-en/{table.pk}-7/", cookie(people[0]), 404),
        "no such table": ("/live/seat-en/999999-0/", cookie(people[0]), 404),
        "no number": ("/live/seat-en/x-0/", cookie(people[0]), 404),
        "not even that": (f"/live/seat-en/{table.pk}/", cookie(people[0]), 404),
    }
    for name, (path, sent, expected) in asked.items():
        assert run(status(feed, path, sent)) == expected, name


@pytest.mark.slow
def test_seat_has_no_stream_before_the_game_because_its_player_may_change(feed: Server) -> None:
    people = [person(), person()]
    table = table_begun_now(people)
    assert run(status(feed, f"/live/seat-en/{table.pk}-0/", cookie(people[0]))) == 404
    assert run(status(feed, f"/live/table-en/{table.pk}/", cookie(people[0]))) == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("watch", "link", "expected"),
    [
        (Table.Watch.ANYBODY, False, 200),
        (Table.Watch.LINK, False, 404),
        (Table.Watch.LINK, True, 200),
        (Table.Watch.NOBODY, True, 404),
    ],
)
def test_stream_of_a_table_respects_its_setting_for_spectators(
    feed: Server, watch: Table.Watch, link: bool, expected: int
) -> None:
    people = [person(), person()]
    table = begun_now(people, watch=watch)
    address = f"/live/table-en/{table.pk}/"
    stranger = cookie(None, **({LINKS_SESSION_KEY: [table.pk]} if link else {}))
    assert run(status(feed, address, stranger)) == expected
    assert run(status(feed, address, cookie(people[1]))) == 200


@pytest.mark.slow
def test_stream_for_spectators_is_delayed_and_contains_no_secret(feed: Server) -> None:
    """All bytes of the stream are checked."""
    people = [person("Ana"), person("Beto")]
    table = begun_now(people, delay=1)
    hidden, changes = secrets(table), row(table).changes

    async def follow() -> tuple[list[str], float]:
        async with feed.watch(f"/live/table-en/{table.pk}/?after=0") as stream:
            seen = [await stream.event() for _ in range(changes)]
            clicked = timezone.now().timestamp()
            await asyncio.to_thread(take_now, table, people)
            late = await stream.event()
            return [event.data for event in [*seen, late]], late.at - clicked

    pages, delay = run(follow())
    assert delay >= 1.0
    raw = re.sub(r'data-\w+="\d+"', "", "".join(pages))
    assert "secret unknown" in raw
    for secret in hidden:
        assert secret not in raw


def test_spectators_see_no_move_before_the_delay_has_passed() -> None:
    people = [person(), person()]
    table = begun_now(people, delay=60)
    take_now(table, people)
    log = log_of(table)
    at = timezone.now()
    assert tables_broadcast.current_view(log, 0).moves_made == 1
    assert tables_broadcast.current_view(log, None).moves_made == 0
    assert log.latest_moment(seat=None, at=at + dt.timedelta(seconds=61)).moves == 1
    broadcast = tables_broadcast.broadcast_of(table.pk, None, "en")
    assert broadcast is not None
    assert broadcast.moments[-1] - at.timestamp() > 55
    assert list(broadcast.moments) == sorted(broadcast.moments)


def test_stream_ends_when_the_table_is_closed(feed: Server) -> None:
    people = [person(), person()]
    table, sent = table_begun_now(people, delay=0), cookie(people[0])

    async def follow() -> list[str]:
        async with feed.watch(f"/live/table-en/{table.pk}/", Cookie=sent) as stream:
            await stream.event()
            await asyncio.to_thread(
                lobby.close_table, table_id=table.pk, player=people[0], at=timezone.now()
            )
            return [event.name for event in await stream.events()]

    assert run(follow()) == ["card", "end"]


def test_each_language_has_its_own_stream() -> None:
    people = [person(), person()]
    table = begun_now(people)
    english, spanish = (
        tables_broadcast.broadcast_of(table.pk, 0, language) for language in ("en", "es")
    )
    assert english is not None
    assert spanish is not None
    assert english.render(1) == spanish.render(1), "the game has no words of its own"
    assert english.language != spanish.language


def test_fragment_requested_concurrently_is_rendered_once() -> None:
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "drawn"

    drawings = tables_broadcast.RenderCache()

    def ask(_: int) -> str:
        return drawings.have("key", make)

    ask_all: Callable[..., Any] = ThreadPoolExecutor(8).map
    assert list(ask_all(ask, range(8))) == ["drawn"] * 8
    assert len(made) == 1
