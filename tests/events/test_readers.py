"""The JSON pages and the event stream contain the same events, each visible event once, in one
order.
"""

import datetime as dt
import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from corridas.models import Circuit, Deck
from events import broadcast_source, queries
from events.models import Event, Tally
from events.numbering import publish
from events.operations import NewEvent, record_events
from tests.events.conftest import KIND
from tests.properties import examples

NOW = dt.datetime(2026, 11, 21, 20, tzinfo=dt.UTC)
# Events of these tests are numbered explicitly, because the test's own transaction is never
# committed.
pytestmark = pytest.mark.django_db


@pytest.fixture
def circuits() -> dict[str, Circuit]:
    deck = Deck.objects.create(name="deck", digest="d", cards="")
    return {
        slug: Circuit.objects.create(slug=slug, name=slug, deck=deck, public=public)
        for slug, public in (("open", True), ("shut", False))
    }


def happen(*whose: Circuit | None, kind: str = KIND) -> None:
    before = Event.objects.count()
    record_events([
        NewEvent(kind, f"thing/{before + number}", {}, NOW, one.pk if one else None)
        for number, one in enumerate(whose)
    ])  # fmt: skip
    publish(at=NOW)


def read_events(client: Client, **query: str | int) -> Any:
    answer = client.get(reverse("api_events"), query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def read_on(client: Client, after: int, limit: int, **query: str | int) -> list[dict[str, Any]]:
    """Read all pages from a cursor on, following `next`."""
    told, page = [], read_events(client, after=after, limit=limit, **query)
    told += page["results"]
    while page["next"]:
        page = client.get(page["next"]).json()
        told += page["results"]
    assert page["after"] == page["newest"]
    return told


def streamed(after: int, key: str = broadcast_source.ALL_EVENTS) -> list[dict[str, Any]]:
    """Return the events that the stream's log has after a cursor."""
    log = broadcast_source.event_log(key)
    assert log is not None
    told: list[dict[str, Any]] = []
    while after < log.newest():
        stretch = log.page_after(after)
        assert stretch.reached > after
        fresh = [(number, json.loads(data)) for number, data in stretch.events]
        assert all(number == one["number"] for number, one in fresh)
        told += [one for _, one in fresh]
        after = stretch.reached
    return told


@pytest.mark.slow
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    writes=st.lists(st.lists(st.sampled_from(["open", "shut", ""]), min_size=1, max_size=4),
                    max_size=8),
    limit=st.integers(1, 5),
    window=st.integers(1, 6),
)  # fmt: skip
def test_every_reader_gets_each_visible_event_once_in_the_same_order(
    client: Client,
    circuits: dict[str, Circuit],
    monkeypatch: pytest.MonkeyPatch,
    writes: list[list[str]],
    limit: int,
    window: int,
) -> None:
    monkeypatch.setattr(queries, "MAX_SCANNED", window)
    Event.objects.all().delete()
    start = Tally.objects.get().last if Tally.objects.exists() else 0
    told: list[dict[str, Any]] = []
    cursor = start
    for whose in writes:
        happen(*(circuits.get(slug) for slug in whose))
        fresh = read_on(client, cursor, limit)  # a reader after every write
        cursor = read_events(client, after=10**9)["newest"]
        told += fresh
    visible = [slug for whose in writes for slug in whose if slug != "shut"]
    assert [one["circuit"] or "" for one in told] == visible
    assert read_on(client, start, limit) == told  # ... and who reads it all at the end
    assert streamed(start) == told
    for place in range(len(told)):
        assert streamed(told[place]["number"]) == told[place + 1 :]


def test_events_of_a_circuit_disappear_when_it_becomes_private(
    client: Client, circuits: dict[str, Circuit]
) -> None:
    happen(circuits["open"], None)
    assert len(read_on(client, 0, 10)) == 2
    Circuit.objects.filter(slug="open").update(public=False)
    assert [one["circuit"] for one in read_on(client, 0, 10)] == [None]
    assert client.get(reverse("api_events"), {"circuit": "open"}).status_code == 404
    assert not broadcast_source.may_watch("circuit-open", visitor_of(client))


def visitor_of(client: Client, user: User | None = None) -> Any:
    visitor: Any = user or AnonymousUser()
    visitor.session = client.session
    return visitor


def test_director_gets_the_events_of_a_private_circuit(
    client: Client, circuits: dict[str, Circuit]
) -> None:
    director = User.objects.create(username="ana")
    Circuit.objects.filter(slug="shut").update(owner=director)
    happen(circuits["shut"], circuits["open"])
    assert client.get(reverse("api_events"), {"circuit": "shut"}).status_code == 404
    client.force_login(director)
    assert [one["circuit"] for one in read_on(client, 0, 5, circuit="shut")] == ["shut"]
    assert [one["circuit"] for one in streamed(0, "circuit-shut")] == ["shut"]
    assert broadcast_source.may_watch("circuit-shut", visitor_of(client, director))
    # The public stream is the same for everybody, including directors.
    assert [one["circuit"] for one in read_on(client, 0, 5)] == ["open"]


@pytest.mark.parametrize(
    "query",
    [
        {"after": "-1"},
        {"after": "five"},
        {"after": "9" * 30},
        {"after": "1.5"},
        {"limit": "0"},
        {"limit": "501"},
        {"kind": "no.such"},
        {"kind": "x" * 99},
        {"circuit": "a b"},
    ],
)
def test_invalid_query_gets_a_problem_document(client: Client, query: dict[str, str]) -> None:
    answer = client.get(reverse("api_events"), query)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]


def test_unknown_query_parameter_is_rejected(client: Client) -> None:
    answer = client.get(reverse("api_events"), {"kin": "corrida"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/kin"


def test_null_character_in_a_query_is_rejected(client: Client) -> None:
    answer = client.get(reverse("api_events"), {"after": "1\x00"})
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"


def test_circuit_and_league_in_one_query_are_rejected(client: Client) -> None:
    answer = client.get(reverse("api_events"), {"circuit": "open", "league": "any"})
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"


def test_cursor_beyond_the_last_event_gets_a_note(client: Client) -> None:
    happen(None)
    page = read_events(client, after=1000)
    assert page["results"] == []
    assert page["next"] is None
    assert page["after"] == page["newest"] == 1
    assert "1000" in page["note"]


def test_unchanged_page_of_events_is_not_sent_again(client: Client) -> None:
    happen(None)
    first = client.get(reverse("api_events"))
    again = client.get(reverse("api_events"), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    happen(None)
    assert client.get(
        reverse("api_events"), headers={"If-None-Match": first["ETag"]}
    ).status_code == 200  # fmt: skip


def test_events_can_be_filtered_by_kind_and_family(client: Client) -> None:
    happen(None)
    assert len(read_on(client, 0, 5, kind="test")) == 1
    assert len(read_on(client, 0, 5, kind=KIND)) == 1
    assert read_on(client, 0, 5, kind="corrida") == []


def test_stream_of_one_kind_uses_the_numbers_of_all_events(
    client: Client, circuits: dict[str, Circuit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MAX_SCANNED", 2)
    other = "corrida.withdrawn"
    data = {"date": "2027-04-04", "plaza": "sevilla"}
    for number, kind in enumerate((KIND, other, other, other, KIND, other, KIND)):
        record_events([NewEvent(kind, f"thing/{number}", data, NOW, circuits["open"].pk)])
    publish(at=NOW)
    every = streamed(0)
    assert len(every) == 7
    for key in ("all.test", f"all.{KIND}", f"circuit-open.{KIND}"):
        wanted = [one for one in every if one["kind"] == KIND]
        assert streamed(0, key) == wanted
        assert streamed(wanted[0]["number"], key) == wanted[1:]
        assert broadcast_source.may_watch(key, visitor_of(client))
    assert read_on(client, 0, 5, kind=KIND) == wanted
    assert not broadcast_source.may_watch(f"circuit-shut.{KIND}", visitor_of(client))


@pytest.mark.parametrize("key", ["all.", "all.no", "all..", "all.test.", "nobody.test", ".test"])
def test_stream_of_an_unknown_kind_does_not_exist(key: str) -> None:
    assert broadcast_source.event_log(key) is None


@pytest.mark.parametrize("count", [1, 3])
def test_page_of_many_events_takes_as_many_queries_as_one(
    client: Client,
    circuits: dict[str, Circuit],
    count: int,
    django_assert_num_queries: Any,
) -> None:
    happen(*[circuits["open"]] * count)
    with django_assert_num_queries(3):
        client.get(reverse("api_events"))


def test_events_page_shows_sentences_and_filters(client: Client) -> None:
    page = client.get(reverse("happenings")).content.decode()
    assert "Nothing has happened yet." in page
    happen(None)
    page = client.get(reverse("happenings")).content.decode()
    assert "thing/0" in page
    assert 'data-stream="/live/events/all/"' in page
    assert 'data-newest="1"' in page
    assert (
        "thing/0" not in client.get(reverse("happenings"), {"kind": "winter.over"}).content.decode()
    )
    alone = client.get(reverse("happenings"), headers={"HX-Request": "true"}).content.decode()
    assert alone.lstrip().startswith("<ol")
    assert client.get(reverse("happenings"), {"kind": "\x00'"}).status_code == 200


def test_events_page_of_one_kind_follows_that_kind_only(client: Client) -> None:
    happen(None)
    page = client.get(reverse("happenings"), {"kind": "winter.over"}).content.decode()
    assert 'data-stream="/live/events/all.winter.over/"' in page
    assert 'data-newest="1"' in page
    assert f'href="{reverse("api_events")}?kind=winter.over"' in page
    assert 'href="/live/events/all.winter.over/?after=0"' in page
