"""Edge cases of game tables: limits, exact times, visibility, lists and rematches."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from fairness import Seed
from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.games import Position
from leagues.models import Fixture, League, Match, Player, Table, TableMoment, TableSeat
from leagues.tables import automation, play
from leagues.tables import changes as tables_changes
from leagues.tables import queries as table_queries
from leagues.tables.automation import CLAIM_TIME, EARLY, LOST_AFTER
from leagues.tables.clock import Awaited, awaited, time_limit
from leagues.tables.log import Moment, SeatOccupant, TableLog, read_log
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from leagues.tables.operations.moves import rematch
from leagues.tables.permissions import may_see
from tests.leagues import world
from tests.leagues.tables import sticks
from tests.leagues.tables.room import (
    NOW,
    SECOND,
    begun_table,
    bot_turn,
    log_of,
    open_table,
    pair,
    person,
    play_round,
    row,
    take_sticks,
)

MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, dt.timedelta(days=1)
Pace, Watch, Seating, State = Table.Pace, Table.Watch, Table.Seating, Table.State

# Clocks


def chair(player: int | None = None, bot: str = "", *, away: bool = False) -> SeatOccupant:
    return SeatOccupant(player, bot, away, False)


ANA, BETO, BOT, AWAY, FREE = chair(1), chair(2), chair(bot="quick"), chair(1, away=True), chair()


@pytest.mark.parametrize(
    ("state", "turn", "chairs", "expected"),
    [
        (State.OPEN, None, [ANA, FREE], Awaited("players")),
        (State.OPEN, None, [AWAY, BOT], Awaited("players")),
        (State.OVER, None, [ANA, BETO], Awaited("nothing")),
        (State.CLOSED, 0, [ANA, BETO], Awaited("nothing")),
        (State.PLAYING, 0, [ANA, BETO], Awaited("person", 0, 7)),
        (State.PLAYING, 1, [ANA, BETO], Awaited("person", 1, 7)),
        (State.PLAYING, 1, [ANA, BOT], Awaited("bot", 1, 7)),
        (State.PLAYING, 0, [AWAY, BETO], Awaited("bot", 0, 7)),
        (State.PLAYING, 1, [AWAY, BETO], Awaited("person", 1, 7)),
        (State.PLAYING, 1, [AWAY, BOT], Awaited("bot", 1, 7)),
        (State.PLAYING, 0, [AWAY, BOT], Awaited("bot", 0, 7)),
        (State.PLAYING, None, [AWAY, BOT], Awaited("anybody")),
        (State.PLAYING, None, [AWAY, AWAY], Awaited("anybody")),
        (State.PLAYING, None, [ANA, BOT], Awaited("round", None, 7)),
        (State.PLAYING, None, [AWAY, BETO], Awaited("round", None, 7)),
        (State.PLAYING, 0, [BOT, BOT], Awaited("bot", 0, 7)),
    ],
)
def test_table_knows_whether_it_waits_for_a_person_a_bot_or_others(
    state: str, turn: int | None, chairs: list[SeatOccupant], expected: Awaited
) -> None:
    assert awaited(SimpleNamespace(state=state, turn=turn, moves_made=7), chairs) == expected


@pytest.mark.parametrize(
    ("pace", "allowance", "chairs", "what", "wait"),
    [
        (Pace.LIVE, 60, [ANA, FREE], "players", 2 * HOUR),
        (Pace.DAYS, 86_400, [ANA, FREE], "players", 14 * DAY),
        (Pace.LIVE, 60, [AWAY, AWAY], "anybody", 10 * MINUTE),
        (Pace.LIVE, 600, [AWAY, AWAY], "anybody", 10 * MINUTE),
        (Pace.LIVE, 601, [AWAY, AWAY], "anybody", 601 * SECOND),
        (Pace.DAYS, 86_400, [AWAY, AWAY], "anybody", DAY),
        (Pace.LIVE, 60, [ANA, BETO], "round", 20 * SECOND),
        (Pace.LIVE, 60, [ANA, BOT], "round", 20 * SECOND),
        (Pace.DAYS, 86_400, [ANA, BETO], "round", DAY),
        (Pace.LIVE, 60, [AWAY, BOT], "round", 4 * SECOND),
        (Pace.DAYS, 86_400, [AWAY, BOT], "round", 4 * SECOND),
        (Pace.LIVE, 45, [ANA, BETO], "person", 45 * SECOND),
        (Pace.DAYS, 2 * 86_400, [ANA, BETO], "person", 2 * DAY),
        (Pace.LIVE, 60, [ANA, BETO], "nothing", None),
    ],
)
def test_waiting_time_depends_on_pace_and_on_what_is_awaited(
    pace: str, allowance: int, chairs: list[SeatOccupant], what: Any, wait: dt.timedelta | None
) -> None:
    table = Table(pk=3, pace=pace, allowance=allowance)
    assert time_limit(table, chairs, what) == wait


def test_bot_waits_about_a_second_and_half_of_it_before_another_move() -> None:
    waits = set()
    for moves in range(200):
        table = Table(pk=5, moves_made=moves)
        wait = time_limit(table, [ANA, BOT], "bot")
        assert wait is not None
        assert 600 <= wait / dt.timedelta(milliseconds=1) <= 1200
        assert time_limit(table, [ANA, BOT], "bot", again=True) == wait / 2
        waits.add(wait)
    assert len(waits) > 100, "not always the same"


# Views of spectators


def moment(number: int, round_: int, moves: int, second: int) -> Moment:
    return Moment(
        number=number, event="moved", seat=0, state="playing", round=round_, moves=moves,
        points=(0, 0), chairs=(ANA, BETO), deadline=None, at=NOW + second * SECOND,
    )  # fmt: skip


MOMENTS = (
    moment(1, 0, 0, 0),
    moment(2, 1, 0, 10),
    moment(3, 1, 1, 20),
    moment(4, 2, 1, 25),
    moment(5, 2, 2, 90),
)


def the_log(delay: int) -> TableLog:
    return TableLog(table=Table(pk=1, delay=delay), people={}, rounds=(), moves=(), moments=MOMENTS)


@pytest.mark.parametrize(
    ("delay", "second", "number"),
    [
        (30, -1, 1),
        (30, 0, 1),
        (30, 9, 1),
        (30, 10, 2),
        (30, 49, 2),
        (30, 50, 3),
        (30, 54, 3),
        (30, 55, 4),
        (30, 119, 4),
        (30, 120, 5),
        (0, 20, 3),
        (0, 89, 4),
        (0, 90, 5),
        (3600, 3619, 2),
    ],
)
def test_spectators_see_each_moment_after_the_delay(delay: int, second: int, number: int) -> None:
    log, at = the_log(delay), NOW + second * SECOND
    assert log.latest_moment(seat=None, at=at).number == number
    assert log.latest_moment(seat=0, at=at).number == 5, "who sits there sees all at once"


@pytest.mark.django_db
@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("seating", list(Seating))
@pytest.mark.parametrize("watch", list(Watch))
@pytest.mark.parametrize("state", list(State))
def test_visibility_of_a_table_depends_on_state_seating_and_link(
    state: str, watch: str, seating: str, linked: bool
) -> None:
    ana, beto, carla = person(), person(), person()
    table = open_table(ana, host_sits=False)
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    Table.objects.filter(pk=table.pk).update(state=state, watch=watch, seating=seating)
    log = read_log(table.pk)
    by_table = {Watch.ANYBODY: True, Watch.LINK: linked, Watch.NOBODY: False}[Watch(watch)]
    comes = state == State.OPEN and (linked or seating == Seating.ANYBODY)
    for stranger in (None, carla):
        assert may_see(log, stranger, linked=linked) is (by_table or comes)
    assert may_see(log, ana, linked=linked), "who laid it"
    assert may_see(log, beto, linked=linked), "who sits there"


# Creating tables


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pace", "allowance", "delay", "field"),
    [
        (Pace.LIVE, 5, 0, ""),
        (Pace.LIVE, 900, 3600, ""),
        (Pace.DAYS, 1, 30, ""),
        (Pace.DAYS, 14, 30, ""),
        (Pace.LIVE, 4, 30, "allowance"),
        (Pace.LIVE, 901, 30, "allowance"),
        (Pace.DAYS, 0, 30, "allowance"),
        (Pace.DAYS, 15, 30, "allowance"),
        (Pace.LIVE, 60, -1, "delay"),
        (Pace.LIVE, 60, 3601, "delay"),
    ],
)
def test_time_limits_and_delays_of_a_new_table_have_bounds(
    pace: Table.Pace, allowance: int, delay: int, field: str
) -> None:
    house = TableSettings(pace=pace, allowance=allowance, delay=delay)
    if field:
        with pytest.raises(OperationError) as refused:
            open_table(person(), house=house)
        assert refused.value.field == field
        return
    table = row(open_table(person(), house=house))
    seconds = allowance * (86_400 if pace == Pace.DAYS else 1)
    assert (table.pace, table.allowance, table.delay) == (pace, seconds, delay)
    assert table.deadline == NOW + (14 * DAY if pace == Pace.DAYS else 2 * HOUR)


@pytest.mark.django_db
def test_new_table_has_default_settings() -> None:
    table = row(open_table(person()))
    assert (table.pace, table.allowance, table.delay, table.rated) == ("live", 60, 30, True)
    assert (table.seating, table.watch, table.state) == ("anybody", "anybody", "open")
    assert (table.round, table.moves_made, table.turn, table.changes) == (0, 0, None, 1)
    assert (table.created_at, table.changed_at, table.begun_at) == (NOW, NOW, None)
    assert TableSeat.objects.filter(table=table).count() == 2
    assert TableMoment.objects.get().event == "laid"


@pytest.mark.django_db
def test_finished_tables_and_those_of_others_do_not_count_for_the_limit_of_a_host() -> None:
    ana = person()
    for _ in range(20):
        table = open_table(ana)
    open_table(person())
    with pytest.raises(OperationError, match="20 tables"):
        open_table(ana)
    Table.objects.filter(pk=table.pk).update(state=State.OVER)
    open_table(ana)


SHUT: list[tuple[str, Callable[[Table, Player], object]]] = [
    ("begin", lambda t, by: lobby.begin_table(table_id=t.pk, player=by, at=NOW)),
    ("close", lambda t, by: lobby.close_table(table_id=t.pk, player=by, at=NOW)),
    (
        "bot",
        lambda t, by: lobby.seat_bot(table_id=t.pk, player=by, bot="quick", seat=1, at=NOW),
    ),
    ("free", lambda t, by: lobby.free_seat(table_id=t.pk, player=by, seat=1, at=NOW)),
    ("stand", lambda t, by: lobby.stand_up(table_id=t.pk, player=by, at=NOW)),
    ("sit", lambda t, by: lobby.sit_down(table_id=t.pk, player=person(), at=NOW)),
    ("ready", lambda t, by: table_moves.say_ready(table_id=t.pk, player=by, at=NOW)),
    ("leave", lambda t, by: table_moves.leave_game(table_id=t.pk, player=by, at=NOW)),
    ("back", lambda t, by: table_moves.come_back(table_id=t.pk, player=by, at=NOW)),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "deed"), SHUT, ids=[name for name, _ in SHUT])
@pytest.mark.parametrize("state", list(State))
def test_actions_at_a_table_depend_on_its_state(
    name: str, deed: Callable[[Table, Player], object], state: str
) -> None:
    table, ana, _beto = pair()
    changes = row(table).changes
    Table.objects.filter(pk=table.pk).update(state=state)
    playing_ = state == State.PLAYING
    done = {
        "begin": playing_,
        "close": state == State.CLOSED,
        "bot": False,
        **dict.fromkeys(("ready", "leave", "back"), playing_),
    }.get(name, False)
    if state == State.OPEN:
        done = name in ("begin", "close", "free", "stand")
    if done:
        deed(table, ana)
        return
    with pytest.raises(OperationError):
        deed(table, ana)
    assert row(table).changes == changes


@pytest.mark.django_db
def test_host_needs_no_link_and_can_free_the_seats_of_others() -> None:
    ana, beto = person(), person()
    table = open_table(ana, house=TableSettings(seating=Seating.LINK), host_sits=False)
    assert lobby.sit_down(table_id=table.pk, player=ana, at=NOW, seat=1) == 1
    assert lobby.sit_down(table_id=table.pk, player=beto, at=NOW, invited=True) == 0
    lobby.free_seat(table_id=table.pk, player=ana, seat=0, at=NOW)
    assert log_of(table).seat_of(beto) is None
    with pytest.raises(NotAllowed):
        lobby.free_seat(table_id=table.pk, player=beto, seat=1, at=NOW)
    with pytest.raises(OperationError, match="This seat does not exist"):
        lobby.free_seat(table_id=table.pk, player=ana, seat=2, at=NOW)
    events = TableMoment.objects.filter(table=table).values_list("event", "seat")
    assert list(events) == [("laid", None), ("sat", 1), ("sat", 0), ("freed", 0)]


# During the game


@pytest.mark.django_db
def test_leaving_and_returning_twice_is_stored_once() -> None:
    table, ana, beto = pair()
    changes = row(table).changes
    table_moves.come_back(table_id=table.pk, player=ana, at=NOW)
    table_moves.say_ready(table_id=table.pk, player=ana, at=NOW)
    assert row(table).changes == changes, "nobody was away, no round is awaited"
    for _ in range(2):
        table_moves.leave_game(table_id=table.pk, player=beto, at=NOW)
    assert row(table).changes == changes + 1
    for _ in range(2):
        table_moves.come_back(table_id=table.pk, player=beto, at=NOW)
    assert row(table).changes == changes + 2
    with pytest.raises(NotAllowed):
        table_moves.leave_game(table_id=table.pk, player=person(), at=NOW)


@pytest.mark.django_db
def test_next_round_waits_only_for_players_who_are_present() -> None:
    ana, beto, carla = person(), person(), person()
    table = begun_table([ana, beto, carla], "long")
    play_round(table, [ana, beto, carla])
    table_moves.leave_game(table_id=table.pk, player=carla, at=NOW)
    table_moves.say_ready(table_id=table.pk, player=ana, at=NOW)
    assert row(table).round == 1
    table_moves.say_ready(table_id=table.pk, player=carla, at=NOW)
    assert [one.stand_in for one in log_of(table).chairs] == [False] * 3, "a word is a return"
    table_moves.leave_game(table_id=table.pk, player=carla, at=NOW)
    table_moves.say_ready(table_id=table.pk, player=beto, at=NOW)
    assert row(table).round == 2, "nobody waits for absent players"
    assert not TableSeat.objects.filter(table=table, ready=True).exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("late", "away"), [(-SECOND, False), (dt.timedelta(0), True), (SECOND, True)]
)
def test_time_limit_ends_exactly_at_the_deadline(late: dt.timedelta, away: bool) -> None:
    table, *_players = pair(allowance=30)
    pair(allowance=900)
    found = automation.sweep_due_tables(at=NOW + 30 * SECOND + late, fresh=Seed.fresh)
    assert [one.stand_in for one in log_of(table).chairs] == [away, False]
    assert [turn.table for turn in found] == [table.pk] * away
    stood = TableMoment.objects.filter(event="timed_out").values_list("table", "seat")
    assert list(stood) == [(table.pk, 0)] * away


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("early", "moves"), [(EARLY, True), (EARLY + SECOND / 1000, False), (-SECOND, True)]
)
def test_bot_may_move_early_by_the_tolerance_of_clocks(early: dt.timedelta, moves: bool) -> None:
    table = open_table(person(), "long", bots={0: "quick"})
    turn = bot_turn(table)
    came = automation.play_bot_move(table.pk, 0, clock=lambda: turn.due - early, fresh=Seed.fresh)
    assert (came is not None) is moves
    assert row(table).moves_made == int(moves)


@pytest.mark.django_db
def test_late_bot_move_is_sent_again_after_a_time() -> None:
    table = open_table(person(), "long", bots={0: "quick"})
    due = bot_turn(table).due
    assert automation.sweep_due_tables(at=due + LOST_AFTER - SECOND / 1000, fresh=Seed.fresh) == []
    (turn,) = automation.sweep_due_tables(at=due + LOST_AFTER, fresh=Seed.fresh)
    assert turn == tables_changes.BotTurn(table.pk, 0, due + LOST_AFTER)
    assert dt.timedelta(seconds=5) == CLAIM_TIME


@pytest.mark.django_db
def test_only_consecutive_failures_of_one_bot_move_are_counted() -> None:
    ana = person()
    table = open_table(ana, "long", bots={0: "quick"})
    for _ in range(2):
        automation.record_bot_failure(table.pk, 0, "x" * 400, at=NOW)
    assert (row(table).failures, row(table).error) == (2, "x" * 300)
    automation.record_bot_failure(table.pk, 1, "late", at=NOW)
    assert row(table).failures == 2, "of another move"
    due = bot_turn(table).due
    assert automation.play_bot_move(table.pk, 0, clock=lambda: due, fresh=Seed.fresh)
    assert (row(table).failures, row(table).error) == (0, "")
    automation.record_bot_failure(table.pk, 1, "again", at=NOW)
    assert (row(table).failures, row(table).state) == (1, "playing")


@pytest.mark.django_db
def test_match_of_two_seats_merged_into_one_player_is_not_recorded() -> None:
    table, ana, beto = pair("short")
    Player.objects.filter(pk=beto.pk).update(merged_into=ana)
    position: Position = log_of(table).position(log_of(table).moments[-1])
    assert not position.match_over
    while row(table).turn is not None:
        turn = row(table).turn or 0
        play.play_move(
            table.pk, seat=turn, seen=row(table).moves_made, text="1", at=NOW, fresh=Seed.fresh
        )
    assert (row(table).state, row(table).match) == ("over", None)
    assert Match.objects.count() == 0


# Lists


@pytest.mark.django_db
def test_lists_of_tables_contain_exactly_the_matching_tables() -> None:
    ana, beto, carla = person("Ana"), person("Beto"), person("Carla")
    league = world.found_league(world.account("org"), game=sticks.KEY, profile="short")
    made = {
        "open": open_table(ana),
        "linked": open_table(ana, house=TableSettings(seating=Seating.LINK, watch=Watch.LINK)),
        "bots": open_table(beto, seats=3, bots={1: "quick"}),
        "full": open_table(ana),
        "playing": begun_table([ana, beto]),
        "unwatched": begun_table([beto, carla], watch=Watch.NOBODY),
        "laid for others": open_table(carla, host_sits=False),
        "league result": open_table(beto),
        "over": begun_table([ana, beto]),
        "closed": open_table(ana),
    }
    lobby.sit_down(table_id=made["full"].pk, player=carla, at=NOW)
    Table.objects.filter(pk=made["league result"].pk).update(league=league)
    Table.objects.filter(pk=made["over"].pk).update(state=State.OVER)
    Table.objects.filter(pk=made["closed"].pk).update(state=State.CLOSED)
    Table.objects.filter(pk=made["linked"].pk).update(created_at=NOW + DAY)
    names = {table.pk: name for name, table in made.items()}

    def of(found: list[table_queries.ListedTable]) -> list[str]:
        return [names[one.table.pk] for one in found]

    sitting = ["open", "bots", "laid for others"]
    assert sorted(of(table_queries.tables_to_join(NOW))) == sorted(sitting)
    assert of(table_queries.tables_to_join(NOW + 2 * HOUR)) == [], "closed at that instant"
    assert len(table_queries.tables_to_join(NOW + 2 * HOUR - SECOND)) == 3
    assert of(table_queries.tables_to_join(NOW, game="dominoes")) == []
    assert sorted(of(table_queries.tables_to_join(NOW, game=sticks.KEY))) == sorted(sitting)
    assert of(table_queries.tables_to_watch()) == ["playing"]
    assert of(table_queries.tables_to_watch("dominoes")) == []
    mine = of(table_queries.tables_of_player(carla))
    assert sorted(mine) == sorted(["full", "unwatched", "laid for others"])
    assert of(table_queries.tables_of_player(None)) == []
    assert of(table_queries.tables_of_player(ana))[0] == "playing", "it is her turn"
    (first, *others) = table_queries.tables_of_player(ana)
    assert (first.mine, [one.mine for one in others]) == (True, [False] * 3)
    assert first.names == ("Ana", "Beto")
    bots = next(one for one in table_queries.tables_to_join(NOW) if names[one.table.pk] == "bots")
    assert (bots.names, bots.free_seats, bots.rules) == (("Beto", "Quick", ""), 1, "Usual")
    known = {names[table.pk] for table in table_queries.tables_known_to(carla, NOW)}
    assert known == {*sitting, "playing", "full", "unwatched"}
    assert {names[table.pk] for table in table_queries.tables_known_to(None, NOW)} == {
        *sitting,
        "playing",
    }
    Player.objects.filter(pk=carla.pk).update(merged_into=ana)
    assert "unwatched" in of(table_queries.tables_of_player(ana))


@pytest.mark.django_db
def test_open_tables_are_sorted_by_creation_and_running_ones_by_activity() -> None:
    old, new = open_table(person()), open_table(person())
    still, lively = begun_table([person(), person()]), begun_table([person(), person()])
    Table.objects.filter(pk=new.pk).update(created_at=NOW + SECOND)
    Table.objects.filter(pk=lively.pk).update(changed_at=NOW + SECOND)
    assert [one.table for one in table_queries.tables_to_join(NOW)] == [new, old]
    assert [one.table for one in table_queries.tables_to_watch()] == [lively, still]


# Rematch


@pytest.mark.django_db
def test_rematch_has_the_settings_of_the_finished_table() -> None:
    ana, beto = person(), person()
    house = {"pace": Pace.DAYS, "allowance": 3, "watch": Watch.NOBODY, "delay": 7, "rated": False}
    table = begun_table([ana, beto], "short", **house)
    with pytest.raises(OperationError, match="not over yet"):
        rematch(table_id=table.pk, player=ana, at=NOW)
    play_round(table, [ana, beto])
    for stranger in (None, person()):
        with pytest.raises(NotAllowed):
            rematch(table_id=table.pk, player=stranger, at=NOW)
    again = row(rematch(table_id=table.pk, player=beto, at=NOW + SECOND))
    assert (again.pace, again.allowance, again.delay) == ("days", 3 * 86_400, 7)
    assert (again.watch, again.seating, again.rated) == ("nobody", "link", False)
    assert (again.profile, again.rules, again.host) == ("short", table.rules, beto)
    assert again.state == "open"


@pytest.mark.django_db
def test_rematch_has_the_custom_rules_and_bots_of_the_finished_table() -> None:
    ana = person()
    table = open_table(ana, "own", options={"target": 1}, seats=3, bots={1: "quick", 2: "quick"})
    Table.objects.filter(pk=table.pk).update(state=State.OVER)
    again = rematch(table_id=table.pk, player=ana, at=NOW)
    assert (again.profile, again.rules) == ("own", {"target": 1, "threes": False})
    assert row(again).state == "playing", "nobody else is awaited"
    bots = TableSeat.objects.filter(table=again).order_by("number").values_list("bot", flat=True)
    assert list(bots) == ["", "quick", "quick"]


@pytest.mark.slow
@pytest.mark.django_db
def test_number_of_rematches_of_a_table_is_limited() -> None:
    table, ana, _beto = pair("short")
    Table.objects.filter(pk=table.pk).update(state=State.OVER)
    for _ in range(20):
        again = rematch(table_id=table.pk, player=ana, at=NOW)
        Table.objects.filter(pk=again.pk).update(state=State.CLOSED)
    with pytest.raises(OperationError, match="too many rematches"):
        rematch(table_id=table.pk, player=ana, at=NOW)


# Tables of leagues


@pytest.mark.django_db
@pytest.mark.parametrize("state", list(Fixture.State))
def test_table_can_be_created_only_for_open_or_postponed_fixtures(state: str) -> None:
    people = [world.account(name) for name in ("ana", "beto")]
    league = world.found_league(
        people[0], game=sticks.KEY, profile="short", format=League.Format.ROUND_ROBIN
    )
    world.enter_league(league, people[1])
    draw_round_robin(league=league, by=people[0], at=NOW)
    Fixture.objects.update(state=state)
    fixture = Fixture.objects.select_related("round__league").get()
    if state not in ("open", "postponed"):
        with pytest.raises(OperationError, match="This fixture can no longer be played"):
            lobby.create_table(host=people[0], at=NOW, fixture=fixture)
        return
    table = lobby.create_table(host=people[0], at=NOW, fixture=fixture)
    assert (table.league, table.fixture) == (league, fixture)
    with pytest.raises(OperationError, match="This fixture already has a table"):
        lobby.create_table(host=people[1], at=NOW, fixture=fixture)
    Table.objects.update(state=State.CLOSED)
    again = lobby.create_table(host=people[1], at=NOW, fixture=fixture)
    assert again.state == "open"


@pytest.mark.django_db
def test_move_is_rejected_while_a_bot_plays_next() -> None:
    ana = person()
    table = open_table(ana, "long", bots={0: "quick"})
    with pytest.raises(OperationError, match="It is not your turn: a bot plays next"):
        take_sticks(table, ana)
