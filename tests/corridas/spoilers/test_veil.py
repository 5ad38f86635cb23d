"""Spoiler protection: which corridas are hidden from a user and which pages are covered.

Every rule is tested at its first and last instant.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from accounts.models import User
from corridas.broadcast import source
from corridas.models import Circuit, Corrida, Watched
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import (
    ALL,
    MAX_REVEALED,
    REVEALED_FOR,
    SESSION_KEY,
    reveal,
    revealed,
    spoiler_at,
)
from corridas.spoilers.operations import mark_all_watched, mark_watched
from corridas.spoilers.queries import (
    MAX_NAMED,
    can_mark_watched,
    earliest_hidden,
    hidden,
    hidden_corrida,
    hidden_in,
)
from live.broadcast_source import WatchingRefusedError
from tests.factories import World, small_circuit

MOMENT = dt.timedelta(microseconds=1)
HOUR = dt.timedelta(hours=1)
SINCE = dt.datetime(2027, 3, 1, 17, tzinfo=dt.UTC)
AT = SINCE + dt.timedelta(days=10)
BETWEEN = SINCE + dt.timedelta(days=5)
State = Corrida.State

pytestmark = pytest.mark.django_db


@pytest.fixture
def ours() -> World:
    return small_circuit()


@pytest.fixture
def theirs(ours: World) -> World:
    """Return a second public circuit."""
    return small_circuit("otro", "Otro")


def person(name: str = "vera", since: dt.datetime | None = SINCE) -> User:
    return User.objects.create_user(name, shielded_since=since)


def put(world: World, day: int = 2, state: str = State.POSTED, **columns: Any) -> Corrida:
    """Return a new corrida without a cartel.

    By default its broadcast began while the user had spoiler protection.
    """
    columns.setdefault("on_air_at", BETWEEN)
    return Corrida.objects.create(
        season=world.season,
        plaza=world.plazas[0],
        date=dt.date(2027, 3, day),
        state=state,
        **columns,
    )


@pytest.mark.parametrize(
    ("state", "on_air_at", "is_hidden"),
    [
        (State.POSTED, None, False),
        (State.POSTED, SINCE - MOMENT, False),
        (State.POSTED, SINCE, True),
        (State.POSTED, SINCE + MOMENT, True),
        (State.POSTED, AT - MOMENT, True),
        (State.POSTED, AT, True),
        (State.POSTED, AT + MOMENT, False),
        (State.ON_AIR, BETWEEN, True),
        (State.SUSPENDED, BETWEEN, True),
        (State.ANNOUNCED, BETWEEN, False),
        (State.QUEUED, BETWEEN, False),
        (State.FAILED, BETWEEN, False),
        (State.AT_TABLE, BETWEEN, False),
    ],
)
def test_corridas_broadcast_since_protection_was_switched_on_are_hidden(
    ours: World, state: str, on_air_at: dt.datetime | None, is_hidden: bool
) -> None:
    corrida, user = put(ours, state=state, on_air_at=on_air_at), person()
    expected = [corrida] if is_hidden else []
    assert list(hidden(user, AT)) == expected
    assert hidden_in(user, AT).total == len(expected)
    assert hidden_corrida(user, corrida.pk, AT) == (corrida if is_hidden else None)
    assert list(hidden(person("blas", None), AT)) == []


@pytest.mark.parametrize(
    ("state", "on_air_at", "can_be_watched"),
    [
        (State.POSTED, None, False),
        (State.POSTED, SINCE - HOUR, True),
        (State.POSTED, AT, True),
        (State.ON_AIR, AT, True),
        (State.SUSPENDED, AT, True),
        (State.POSTED, AT + MOMENT, False),
        (State.QUEUED, BETWEEN, False),
        (State.FAILED, BETWEEN, False),
    ],
)
def test_only_a_corrida_whose_broadcast_has_begun_can_be_marked_as_watched(
    ours: World, state: str, on_air_at: dt.datetime | None, can_be_watched: bool
) -> None:
    corrida, user = put(ours, state=state, on_air_at=on_air_at), person()
    assert can_mark_watched(user, corrida.pk, AT) is can_be_watched
    assert not can_mark_watched(user, corrida.pk + 1, AT)
    if can_be_watched:
        mark_watched(user=user, corrida=corrida.pk, at=AT)
    else:
        with pytest.raises(Corrida.DoesNotExist):
            mark_watched(user=user, corrida=corrida.pk, at=AT)
    kept = Watched.objects.values_list("user", "corrida", "at")
    assert list(kept) == [(user.pk, corrida.pk, AT)] * can_be_watched


def test_a_corrida_is_marked_as_watched_for_one_user_only(ours: World) -> None:
    first, second = put(ours, 2), put(ours, 3)
    vera, blas = person(), person("blas")
    mark_watched(user=vera, corrida=first.pk, at=AT)
    mark_watched(user=vera, corrida=first.pk, at=AT + HOUR)
    assert list(hidden(vera, AT)) == [second]
    assert set(hidden(blas, AT)) == {first, second}
    assert Watched.objects.get().at == AT


CIRCUITS: Mapping[str, tuple[dict[str, Any], bool]] = {
    "open to all": ({"public": True}, True),
    "closed": ({"public": False}, False),
    "archived": ({"public": True, "archived_at": SINCE}, False),
    "one's own": ({"public": False, "owner": "vera"}, True),
    "one's own and archived": ({"public": True, "archived_at": SINCE, "owner": "vera"}, True),
    "another's": ({"public": False, "owner": "blas"}, False),
    "offered to one": ({"public": False, "offered_to": "vera"}, True),
    "offered to another": ({"public": False, "offered_to": "blas"}, False),
    "offered and archived": ({"archived_at": SINCE, "offered_to": "vera"}, False),
}


@pytest.mark.parametrize("case", CIRCUITS)
def test_corridas_of_circuits_that_a_user_cannot_see_are_not_counted_as_hidden(
    theirs: World, case: str
) -> None:
    columns, is_seen = CIRCUITS[case]
    people = {name: person(name) for name in ("vera", "blas")}
    set_to = {name: people.get(str(value), value) for name, value in columns.items()}
    Circuit.objects.filter(pk=theirs.circuit.pk).update(**set_to)
    corrida, vera = put(theirs), people["vera"]
    assert list(hidden(vera, AT)) == [corrida] * is_seen
    assert can_mark_watched(vera, corrida.pk, AT) is is_seen
    assert (
        spoiler_at(vera, SpoilerScope.CORRIDA, {"pk": corrida.pk}, at=AT) is not None
    ) is is_seen


def test_all_hidden_corridas_are_counted_and_the_first_ten_are_named_in_order(ours: World) -> None:
    days = list(range(1, MAX_NAMED + 3))
    put_in = [put(ours, day, on_air_at=AT - day * HOUR) for day in days]
    found = hidden_in(person(), AT)
    assert found.total == len(days)
    assert list(found.first) == put_in[::-1][:MAX_NAMED]


@pytest.mark.parametrize(
    ("among", "watched", "day"),
    [
        (Q(), (), 2),
        (Q(), (2,), 4),
        (Q(), (2, 4, 9), None),
        (Q(date__day__gt=4), (), 9),
        (Q(date__day__gt=9), (), None),
    ],
)
def test_the_earliest_hidden_corrida_is_that_of_the_earliest_day(
    ours: World, theirs: World, among: Q, watched: Collection[int], day: int | None
) -> None:
    user, put_in = person(), {}
    for number in (9, 2, 4):
        put_in[number] = put(ours, number, on_air_at=AT - number * HOUR)
    put(ours, 1, on_air_at=None)
    put(theirs, 1)
    for number in watched:
        mark_watched(user=user, corrida=put_in[number].pk, at=AT)
    found = earliest_hidden(user, AT, circuit="leyendas", among=among)
    assert found == (put_in[day] if day else None)
    assert earliest_hidden(person("blas", None), AT, circuit="leyendas") is None


def test_of_two_hidden_corridas_broadcast_at_once_the_older_row_comes_first(ours: World) -> None:
    later, earlier = put(ours, 9), put(ours, 2)
    assert hidden_in(person(), AT).first == (later, earlier)


@pytest.mark.parametrize(
    ("circuit", "without", "expected"),
    [
        (None, (), {"leyendas", "otro"}),
        (None, ("leyendas",), {"otro"}),
        (None, ("leyendas", "otro"), set()),
        (None, ("nobody",), {"leyendas", "otro"}),
        ("leyendas", (), {"leyendas"}),
        ("otro", (), {"otro"}),
        ("nobody", (), set()),
    ],
)
def test_hidden_corridas_can_be_counted_for_one_circuit_or_for_all_but_some(
    ours: World, theirs: World, circuit: str | None, without: Collection[str], expected: set[str]
) -> None:
    put(ours)
    put(theirs)
    found = hidden_in(person(), AT, circuit=circuit, without=without)
    assert {one.season.circuit.slug for one in found.first} == expected
    assert found.total == len(expected)
    assert bool(found) is bool(expected)


VEILS: Mapping[str, tuple[SpoilerScope, dict[str, Any], Collection[str], str | None]] = {
    # Each case: the scope of the page, its URL arguments, the circuits whose results the user has
    # revealed, and the circuit that is hidden, or None.
    "nothing": (SpoilerScope.NOTHING, {"circuit": "otro"}, (), None),
    "all of all": (SpoilerScope.EVERYTHING, {}, (), ALL),
    "all though it names a circuit": (SpoilerScope.EVERYTHING, {"circuit": "quiet"}, (), ALL),
    "all, one lifted": (SpoilerScope.EVERYTHING, {}, ("leyendas",), ALL),
    "all, both lifted": (SpoilerScope.EVERYTHING, {}, ("leyendas", "otro"), None),
    "all, all lifted": (SpoilerScope.EVERYTHING, {}, (ALL,), None),
    "the shipped one, named nowhere": (SpoilerScope.CIRCUIT, {}, (), "leyendas"),
    "the shipped one lifted": (SpoilerScope.CIRCUIT, {}, ("leyendas",), None),
    "the shipped one, another lifted": (SpoilerScope.CIRCUIT, {}, ("otro",), "leyendas"),
    "another": (SpoilerScope.CIRCUIT, {"circuit": "otro"}, (), "otro"),
    "another, the shipped one lifted": (
        SpoilerScope.CIRCUIT,
        {"circuit": "otro"},
        ("leyendas",),
        "otro",
    ),
    "another lifted": (SpoilerScope.CIRCUIT, {"circuit": "otro"}, ("otro",), None),
    "another, all lifted": (SpoilerScope.CIRCUIT, {"circuit": "otro"}, (ALL,), None),
    "one where nothing is hidden": (SpoilerScope.CIRCUIT, {"circuit": "quiet"}, (), None),
}


@pytest.mark.parametrize("case", VEILS)
def test_a_page_is_replaced_if_it_would_show_hidden_results(
    ours: World, theirs: World, case: str
) -> None:
    what, parts, up, expected = VEILS[case]
    put(ours)
    put(theirs)
    small_circuit("quiet", "Quiet")
    veil = spoiler_at(person(), what, parts, at=AT, lifted=up)
    assert (veil.circuit if veil else None) == expected
    assert veil is None or veil.corrida is None


@pytest.mark.parametrize(
    "what", [SpoilerScope.CORRIDA, SpoilerScope.PRESENT, SpoilerScope.LIDIA, SpoilerScope.MOMENT]
)
@pytest.mark.parametrize("up", [(), (ALL,), ("leyendas",)])
def test_the_page_of_a_hidden_corrida_is_replaced_even_if_its_circuit_is_revealed(
    ours: World, theirs: World, what: SpoilerScope, up: Collection[str]
) -> None:
    corrida, watched = put(ours), put(ours, 3)
    user = person()
    put(theirs)
    mark_watched(user=user, corrida=watched.pk, at=AT)
    veil = spoiler_at(user, what, {"pk": corrida.pk}, at=AT, lifted=up)
    assert veil is not None
    assert (veil.corrida, veil.hidden.total, veil.hidden.first) == (corrida, 1, (corrida,))
    assert spoiler_at(user, what, {"pk": watched.pk}, at=AT, lifted=up) is None


def test_a_broadcast_counts_as_begun_when_its_first_bull_is_over(
    ours: World, theirs: World
) -> None:
    on_air, quiet = (world.announce(dt.date(2027, 3, 2)) for world in (ours, theirs))
    for corrida, ends_at in ((on_air, AT), (quiet, None)):
        world = ours if corrida is on_air else theirs
        world.play(corrida)
        corrida.lidias.update(ends_at=AT + HOUR)
        corrida.lidias.filter(turn=1).update(ends_at=ends_at)
        Corrida.objects.filter(pk=corrida.pk).update(state=State.ON_AIR, on_air_at=BETWEEN)
    user = person()

    def has_begun(corrida: Corrida, at: dt.datetime) -> bool:
        veil = spoiler_at(user, SpoilerScope.PRESENT, {"pk": corrida.pk}, at=at)
        return veil is not None and veil.begun

    assert [has_begun(on_air, AT + after) for after in (-MOMENT, dt.timedelta(0), MOMENT)] == [
        False,
        True,
        True,
    ]
    assert not has_begun(quiet, AT)


def test_marking_all_corridas_as_watched_affects_one_circuit_and_one_user(
    ours: World, theirs: World
) -> None:
    put(ours, 2)
    put(ours, 3)
    over = put(theirs)
    put(ours, 4, on_air_at=AT + MOMENT)
    vera, blas = person(), person("blas")
    assert mark_all_watched(user=vera, circuit="nobody", at=AT) == 0
    assert mark_all_watched(user=vera, circuit="leyendas", at=AT) == 2
    assert list(hidden(vera, AT)) == [over]
    assert mark_all_watched(user=vera, at=AT) == 1
    assert mark_all_watched(user=vera, at=AT) == 0
    assert hidden(blas, AT).count() == 3
    assert set(Watched.objects.values_list("user", "at")) == {(vera.pk, AT)}


def test_the_live_feed_is_closed_to_users_who_have_not_watched_a_finished_corrida(
    ours: World, theirs: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)
    over, on_air = put(ours, 2), put(ours, 3, State.ON_AIR)
    Circuit.objects.filter(pk=theirs.circuit.pk).update(public=False)
    closed, vera, blas = put(theirs), person(), person("blas", None)
    with pytest.raises(WatchingRefusedError):
        source.may_watch(str(over.pk), vera)
    for visitor in (blas, AnonymousUser()):
        assert source.may_watch(str(over.pk), visitor)
    for visitor in (vera, blas, AnonymousUser()):
        assert source.may_watch(str(on_air.pk), visitor)
        assert not source.may_watch(str(closed.pk), visitor)
    for key in ("", "-1", "x", "1.5", "²", "0" * 10, str(on_air.pk + 10**6)):
        assert not source.may_watch(key, blas), key
    mark_watched(user=vera, corrida=over.pk, at=AT)
    assert source.may_watch(str(over.pk), vera)


def test_a_corrida_posted_early_can_be_followed_until_its_broadcast_ends(
    ours: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)
    goes_on, has_ended = put(ours, 1), put(ours, 2)
    Corrida.objects.filter(pk=goes_on.pk).update(ends_at=AT + MOMENT)
    Corrida.objects.filter(pk=has_ended.pk).update(ends_at=AT)
    vera = person()
    assert source.may_watch(str(goes_on.pk), vera)
    with pytest.raises(WatchingRefusedError):
        source.may_watch(str(has_ended.pk), vera)


def test_results_of_a_revealed_circuit_are_hidden_again_after_half_an_hour() -> None:
    session: dict[str, Any] = {}
    reveal(session, "leyendas", at=AT)
    reveal(session, "otro", at=AT + HOUR / 4)
    assert REVEALED_FOR == HOUR / 2
    for after, expected in (
        (REVEALED_FOR - MOMENT, {"leyendas", "otro"}),
        (REVEALED_FOR, {"otro"}),
        (REVEALED_FOR + HOUR / 4 - MOMENT, {"otro"}),
        (REVEALED_FOR + HOUR / 4, set()),
    ):
        assert revealed(session, at=AT + after) == expected
    assert revealed({}, at=AT) == frozenset()


def test_revealing_a_circuit_again_extends_it_and_expired_entries_are_deleted() -> None:
    session: dict[str, Any] = {}
    reveal(session, "leyendas", at=AT)
    reveal(session, "otro", at=AT)
    reveal(session, "leyendas", at=AT + HOUR / 4)
    assert revealed(session, at=AT + REVEALED_FOR) == {"leyendas"}
    reveal(session, "new", at=AT + REVEALED_FOR)
    assert list(session[SESSION_KEY]) == ["leyendas", "new"]


def test_results_of_the_oldest_revealed_circuit_are_hidden_again_beyond_the_limit() -> None:
    session: dict[str, Any] = {}
    slugs = [f"circuit-{number}" for number in range(MAX_REVEALED)]
    for slug in slugs:
        reveal(session, slug, at=AT)
    assert revealed(session, at=AT) == set(slugs)
    reveal(session, "one-more", at=AT)
    assert revealed(session, at=AT) == {*slugs[1:], "one-more"}


def test_a_circuit_that_is_revealed_again_counts_as_the_newest() -> None:
    session: dict[str, Any] = {}
    for slug in ("first", "second", "first", *map(str, range(MAX_REVEALED - 1))):
        reveal(session, slug, at=AT)
    assert "first" in revealed(session, at=AT)
    assert "second" not in revealed(session, at=AT)
