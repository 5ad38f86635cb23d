"""Permissions at game tables: who can see, join and manage them, for every relation to
the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.db import transaction

from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.models import Fixture, League, Player, Table, TableSeat
from leagues.tables import queries as table_queries
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings, check_may_sit
from leagues.tables.operations.moves import rematch
from leagues.tables.permissions import MAX_LINKS, follow_link, has_link, may_see
from tests.leagues import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import NOW, SECOND, log_of, open_table, row

pytestmark = pytest.mark.django_db

State, Watch, Seating = Table.State, Table.Watch, Table.Seating
# The people are in this order: an anonymous visitor, another player, a member of the table's
# league, a superuser, the host (who has no seat), a seated player, and a name merged into that
# player.
WHO = ("nobody", "stranger", "member", "office", "host", "sitter", "alias")
INSIDE = {"host", "sitter", "alias"}
People = dict[str, Player | None]


@pytest.fixture
def people() -> People:
    made: People = {"nobody": None}
    made |= {name: world.account(name) for name in ("stranger", "member", "host", "sitter")}
    made["office"] = world.account("office", is_superuser=True)
    alias = made["alias"] = world.guest("alias")
    alias.merged_into = made["sitter"]
    alias.save()
    return made


def person_named(people: People, name: str) -> Player:
    found = people[name]
    assert found is not None
    return found


def names_allowed(people: People, may: Callable[[Player | None], bool]) -> set[str]:
    return {name for name in WHO if may(people[name])}


def table_of(people: People, league: League | None = None, **house: Any) -> Table:
    """Create a table of the host, who has no seat, at which the sitter sits."""
    host = person_named(people, "host")
    if league is None:
        table = open_table(host, seats=3, house=TableSettings(**house), host_sits=False)
    else:
        table = lobby.create_table(
            host=host,
            at=NOW,
            league=league,
            house=TableSettings(**house),
            host_sits=False,
        )
    lobby.sit_down(table_id=table.pk, player=person_named(people, "sitter"), at=NOW, invited=True)
    return table


def league_of(people: People, visibility: str, **fields: object) -> League:
    """Create a league of the host, the sitter and a member."""
    league = world.found_league(
        person_named(people, "host"),
        game=sticks.KEY,
        profile="short",
        visibility=visibility,
        **fields,
    )
    for name in ("sitter", "member"):
        world.enter_league(league, person_named(people, name))
    return league


def seeing(people: People, table: Table, state: str, *, linked: bool) -> set[str]:
    Table.objects.filter(pk=table.pk).update(state=state)
    log = replace(log_of(table), table=row(table))
    return names_allowed(people, lambda who: may_see(log, who, linked=linked))


# Visibility of tables

OPEN_TO_ALL = {
    # Who can see an open table, by the settings for seats and spectators: without the link, and
    # with it.
    (Seating.ANYBODY, Watch.ANYBODY): (True, True),
    (Seating.ANYBODY, Watch.LINK): (True, True),
    (Seating.ANYBODY, Watch.NOBODY): (True, True),
    (Seating.LINK, Watch.ANYBODY): (True, True),
    (Seating.LINK, Watch.LINK): (False, True),
    (Seating.LINK, Watch.NOBODY): (False, True),
}
SHOWN_TO_ALL = {
    # Who can see a table whose game has started, by its setting for spectators: without the link,
    # and with it.
    Watch.ANYBODY: (True, True),
    Watch.LINK: (False, True),
    Watch.NOBODY: (False, False),
}


@pytest.mark.parametrize(("seating", "watch"), list(product(Seating, Watch)), ids=str)
def test_settings_of_a_table_decide_who_can_see_it(
    people: People, seating: Table.Seating, watch: Table.Watch
) -> None:
    table = table_of(people, seating=seating, watch=watch)
    for linked, state in product((False, True), State):
        if state == State.OPEN:
            everybody = OPEN_TO_ALL[seating, watch][linked]
        else:
            everybody = SHOWN_TO_ALL[watch][linked]
        found = seeing(people, table, state, linked=linked)
        assert found == (set(WHO) if everybody else INSIDE), (state, linked)


@pytest.mark.parametrize("visibility", League.Visibility)
def test_table_of_a_league_is_hidden_from_those_who_cannot_see_the_league(
    people: People, visibility: str
) -> None:
    league = league_of(people, visibility)
    table = table_of(people, league, watch=Watch.ANYBODY)
    known = INSIDE | {"member", "office"}
    public = visibility == League.Visibility.PUBLIC
    by_link = visibility != League.Visibility.PRIVATE
    for state in (State.PLAYING, State.OVER, State.CLOSED):
        found = seeing(people, table, state, linked=False)
        assert found == (set(WHO) if public else known)
        found = seeing(people, table, state, linked=True)
        assert found == (set(WHO) if by_link else known)
    assert seeing(people, table, State.OPEN, linked=False) == (set(WHO) if public else known)
    assert seeing(people, table, State.OPEN, linked=True) == set(WHO), "the invited may come"


def test_player_who_left_the_seat_cannot_see_a_private_table(people: People) -> None:
    table = table_of(people, watch=Watch.NOBODY, seating=Seating.LINK)
    lobby.stand_up(table_id=table.pk, player=person_named(people, "alias"), at=NOW)
    assert seeing(people, table, State.OPEN, linked=False) == {"host"}


def test_browser_that_opened_a_table_by_link_remembers_it(people: People) -> None:
    table, session = table_of(people), dict[str, list[int]]()
    for wrong in ("", "x", table.invitation[:-1], table.invitation.upper()):
        assert not follow_link(session, table, wrong)
    assert not has_link(session, table)
    assert follow_link(session, table, table.invitation)
    assert has_link(session, table)
    assert not has_link(session, Table(pk=table.pk + 1))
    for number in range(MAX_LINKS - 1):
        follow_link(session, Table(pk=10**6 + number, invitation="i"), "i")
    assert has_link(session, table)
    follow_link(session, Table(pk=10**7, invitation="i"), "i")
    assert not has_link(session, table)


@pytest.mark.parametrize(
    ("columns", "sit", "watch"),
    [
        ({}, True, False),
        ({"seating": Seating.LINK}, False, False),
        ({"deadline": NOW}, False, False),
        ({"deadline": NOW + SECOND}, True, False),
        ({"state": State.PLAYING}, False, True),
        ({"state": State.PLAYING, "seating": Seating.LINK}, False, True),
        ({"state": State.PLAYING, "watch": Watch.LINK}, False, False),
        ({"state": State.PLAYING, "watch": Watch.NOBODY}, False, False),
        ({"state": State.OVER}, False, False),
        ({"state": State.CLOSED}, False, False),
        ({"game": "of yore"}, False, False),
        ({"league": True}, False, False),
        ({"league": True, "state": State.PLAYING}, False, False),
        ({"full": True}, False, False),
    ],
)
def test_lists_contain_a_table_according_to_its_settings(
    people: People, columns: dict[str, object], sit: bool, watch: bool
) -> None:
    table = table_of(people)
    if columns.pop("full", False):
        TableSeat.objects.filter(table=table, player=None).update(bot="quick")
    if columns.pop("league", False):
        columns["league"] = league_of(people, League.Visibility.PUBLIC)
    Table.objects.filter(pk=table.pk).update(**columns)
    key = row(table).game
    assert (table.pk in {found.table.pk for found in table_queries.tables_to_join(NOW)}) == sit
    assert (table.pk in {found.table.pk for found in table_queries.tables_to_watch()}) == watch
    assert (
        table.pk in {found.table.pk for found in table_queries.tables_to_watch(sticks.KEY)}
    ) == watch
    assert not table_queries.tables_to_join(NOW, "dominoes")
    over = row(table).state in (State.OVER, State.CLOSED) or key != sticks.KEY
    mine = set() if over else INSIDE
    assert (
        names_allowed(
            people,
            lambda who: table.pk in {t.table.pk for t in table_queries.tables_of_player(who)},
        )
        == mine
    )
    expected = set(WHO) if sit or watch else mine
    assert (
        names_allowed(people, lambda who: table in table_queries.tables_known_to(who, NOW))
        == expected
    )


# Actions at a table


def is_refused(deed: Callable[[], object]) -> bool:
    """Return whether the action is rejected because of the person. The action is rolled back."""
    try:
        with transaction.atomic():
            deed()
            transaction.set_rollback(True)
    except NotAllowed:
        return True
    except OperationError:
        return False
    return False


@pytest.mark.slow
@pytest.mark.parametrize("state", [State.OPEN, State.PLAYING, State.OVER])
def test_only_the_host_can_manage_a_table(people: People, state: str) -> None:
    table = table_of(people)
    Table.objects.filter(pk=table.pk).update(state=state)
    deeds: list[Callable[[Player | None], object]] = [
        lambda by: lobby.begin_table(table_id=table.pk, player=by, at=NOW),
        lambda by: lobby.seat_bot(table_id=table.pk, player=by, bot="quick", seat=1, at=NOW),
        lambda by: lobby.free_seat(table_id=table.pk, player=by, seat=0, at=NOW),
        lambda by: lobby.close_table(table_id=table.pk, player=by, at=NOW),
    ]
    for deed in deeds:
        assert names_allowed(people, lambda by, do=deed: not is_refused(lambda: do(by))) == {"host"}  # type: ignore[misc]


@pytest.mark.parametrize("state", [State.OPEN, State.PLAYING, State.OVER])
def test_only_seated_players_can_act_at_a_table(people: People, state: str) -> None:
    table = table_of(people)
    Table.objects.filter(pk=table.pk).update(state=state)
    deeds: list[Callable[[Player | None], object]] = [
        lambda by: lobby.stand_up(table_id=table.pk, player=by, at=NOW),
        lambda by: table_moves.say_ready(table_id=table.pk, player=by, at=NOW),
        lambda by: table_moves.leave_game(table_id=table.pk, player=by, at=NOW),
        lambda by: table_moves.come_back(table_id=table.pk, player=by, at=NOW),
        lambda by: table_moves.make_move(
            table_id=table.pk, player=by, seen=0, fields={"take": "1"}, at=NOW
        ),
        lambda by: rematch(table_id=table.pk, player=by, at=NOW),
    ]
    for deed in deeds:
        acting = names_allowed(people, lambda by, do=deed: not is_refused(lambda: do(by)))  # type: ignore[misc]
        assert acting == {"sitter", "alias"}


def sitting(people: People, table: Table, *, invited: bool) -> set[str]:
    """Return the people who can take a free seat."""
    return {
        name
        for name in WHO[1:]
        if not is_refused(lambda: check_may_sit(table, person_named(people, name), invited=invited))  # noqa: B023  called at once
    }


def test_settings_of_a_table_decide_who_can_take_a_seat(people: People) -> None:
    everybody = set(WHO[1:])
    free = table_of(people)
    by_link = table_of(people, seating=Seating.LINK)
    league = league_of(people, League.Visibility.PUBLIC)
    of_league = table_of(people, league)
    by_link_of_league = table_of(people, league, seating=Seating.LINK)
    for invited in (False, True):
        assert sitting(people, free, invited=invited) == everybody
        assert sitting(people, by_link, invited=invited) == (everybody if invited else {"host"})
        members = {"host", "member", "sitter", "alias"}
        assert sitting(people, of_league, invited=invited) == members
        both = members if invited else {"host"}
        assert sitting(people, by_link_of_league, invited=invited) == both
    League.objects.filter(pk=league.pk).update(closed_at=NOW)
    assert sitting(people, row(of_league), invited=True) == set()


def test_table_of_a_fixture_can_be_created_and_joined_by_its_players(people: People) -> None:
    league = league_of(people, League.Visibility.PUBLIC, format=League.Format.ROUND_ROBIN)
    draw_round_robin(league=league, by=person_named(people, "host"), at=NOW)
    fixture = Fixture.objects.filter(seats__player=people["host"]).get(
        seats__player=people["sitter"]
    )
    laying = {
        name
        for name in WHO[1:]
        if not is_refused(
            lambda: lobby.create_table(host=person_named(people, name), at=NOW, fixture=fixture)  # noqa: B023  called at once
        )
    }
    assert laying == {"host", "sitter", "alias"}
    table = lobby.create_table(host=person_named(people, "host"), at=NOW, fixture=fixture)
    for invited in (False, True):
        assert sitting(people, table, invited=invited) == {"host", "sitter", "alias"}


@pytest.mark.parametrize(
    ("house", "field"),
    [
        ({"allowance": 4}, "allowance"),
        ({"allowance": 5}, None),
        ({"allowance": 900}, None),
        ({"allowance": 901}, "allowance"),
        ({"pace": Table.Pace.DAYS, "allowance": 0}, "allowance"),
        ({"pace": Table.Pace.DAYS, "allowance": 1}, None),
        ({"pace": Table.Pace.DAYS, "allowance": 14}, None),
        ({"pace": Table.Pace.DAYS, "allowance": 15}, "allowance"),
        ({"delay": -1}, "delay"),
        ({"delay": 0}, None),
        ({"delay": 3600}, None),
        ({"delay": 3601}, "delay"),
    ],
)
def test_time_limits_and_delay_of_a_table_have_bounds(
    people: People, house: dict[str, Any], field: str | None
) -> None:
    if field is None:
        table = table_of(people, **house)
        seconds = 24 * 3600 if "pace" in house else 1
        assert table.allowance == house.get("allowance", 60) * seconds
        return
    with pytest.raises(OperationError) as error:
        table_of(people, **house)
    assert error.value.field == field


def test_host_of_twenty_unfinished_tables_cannot_create_another(people: People) -> None:
    host = person_named(people, "host")
    made = [open_table(host) for _table in range(20)]
    with pytest.raises(OperationError, match="20"):
        open_table(host)
    Table.objects.filter(pk=made[0].pk).update(state=State.PLAYING)
    with pytest.raises(OperationError, match="20"):
        open_table(host)
    Table.objects.filter(pk=made[0].pk).update(state=State.OVER)
    open_table(host)
    open_table(person_named(people, "sitter"))
