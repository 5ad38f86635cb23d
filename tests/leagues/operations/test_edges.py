"""Edge cases of league operations: defaults, limits, states and exact deadlines."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core import signing

from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures import queries as fixture_queries
from leagues.fixtures.operations import (
    draw_next_swiss,
    draw_round_robin,
    forfeit_fixture,
    pairing_sentence,
    postpone_fixture,
    preview_swiss,
    preview_undraw,
    restore_fixture,
    undraw,
    void_fixture,
)
from leagues.league.operations import (
    LeagueSettings,
    change_settings,
    close_league,
    create_league,
    locked_settings,
    preview_closing,
    renew_invitation,
    reopen_league,
    settings_of,
    validated_columns,
)
from leagues.matches.operations.corrections import (
    DisputeVerdict,
    dispute_match,
    settle_dispute,
    void_match,
)
from leagues.matches.operations.matches import (
    confirm,
    friends_of,
    hand_in,
    may_rematch,
    open_match,
    open_rematch,
    players_by_name,
)
from leagues.members.operations.membership import (
    FixtureHandling,
    add_guest,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.members.operations.merging import (
    claim_by_link,
    guest_link,
    guest_of_link,
    merge_players,
    merges_of,
    preview_merge,
    propose_claim,
)
from leagues.models import (
    Claim,
    Fixture,
    FixtureSeat,
    League,
    Match,
    Member,
    Player,
    Result,
    Round,
)
from leagues.pairing import PairingError
from leagues.results import detach_draft
from leagues.standings.queries import standings_basis
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW, first_fixture, play, seated

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def robin(office: Player) -> League:
    """Create a drawn round robin of four players, and a second one that must stay unchanged."""
    league = world.round_robin(office, ["ana", "beto", "carla", "dora"])
    world.round_robin(office, ["ana", "beto"])
    return league


def player_named(name: str) -> Player:
    return Player.objects.get(name=name)


# Settings


def test_league_created_with_only_a_name_and_rules_has_defaults(office: Player) -> None:
    bare = LeagueSettings(name="Bare", game=game.KEY, profile="plain")
    league = create_league(settings=bare, by=office, at=NOW)
    kept = {each.name: getattr(league, each.name) for each in fields(LeagueSettings)}
    assert kept == {
        "name": "Bare",
        "game": game.KEY,
        "profile": "plain",
        "rules": {"highest": 13, "target": 10, "partners": False},
        "about": "",
        "visibility": "link",
        "format": "ladder",
        "seats": 2,
        "rounds_planned": None,
        "days_a_round": 7,
        "scoring": {"kind": "places", "by_place": ["1"], "draw": None},
        "tie_breaks": [],
        "cut": None,
        "cut_matches": 1,
        "absences_allowed": 1,
        "hours_to_object": 72,
        "zone": "UTC",
    }
    assert (league.created_at, league.closed_at, league.edition) == (NOW, None, 0)
    assert (len(league.seed), len(league.invitation)) == (32, 43)
    member = Member.objects.get(league=league)
    assert (member.role, member.plays, member.joined_at) == ("organiser", True, NOW)
    assert settings_of(league).name == "Bare"


@pytest.mark.parametrize(
    ("field", "low", "high"),
    [
        ("seats", 2, 6),
        ("days_a_round", 1, 365),
        ("hours_to_object", 0, 1440),
        ("rounds_planned", 1, 99),
        ("cut", 1, 1000),
        ("cut_matches", 0, 99),
    ],
)
def test_number_settings_of_a_league_have_limits(field: str, low: int, high: int) -> None:
    def with_figure(value: int) -> dict[str, Any]:
        given: dict[str, Any] = {"name": "x", "game": game.KEY, "profile": "plain", field: value}
        return validated_columns(LeagueSettings(**given))

    assert [with_figure(value)[field] for value in (low, high)] == [low, high]
    for value in (low - 1, high + 1):
        with pytest.raises(OperationError, match=f"from {low} to {high}") as refused:
            with_figure(value)
        assert refused.value.field == field


@pytest.mark.parametrize(
    ("profile", "seats", "possible"),
    [("pairs", 4, True), ("pairs", 2, False), ("plain", 6, True), ("long", 3, True)],
)
def test_number_of_seats_must_suit_the_rules(profile: str, seats: int, possible: bool) -> None:
    settings = LeagueSettings(name="x", game=game.KEY, profile=profile, seats=seats)
    if possible:
        assert validated_columns(settings)["seats"] == seats
        return
    with pytest.raises(OperationError, match="can have 4 players") as refused:
        validated_columns(settings)
    assert refused.value.field == "seats"


def test_text_settings_of_a_league_are_cleaned() -> None:
    found = validated_columns(
        LeagueSettings(name="  A   b ", game=game.KEY, profile="plain", about=" " + "x" * 999)
    )
    assert (found["name"], len(found["about"])) == ("A b", 999)


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        ("", {"game"}),
        ("match", {"game", "profile", "rules", "seats", "format"}),
        ("elsewhere", {"game"}),
        ("result", {"game", "profile", "rules", "seats", "format", "scoring"}),
    ],
)
def test_matches_and_results_lock_settings_of_their_league(
    office: Player, begun: str, expected: set[str]
) -> None:
    league, other = world.found_league(office), world.found_league(office)
    ana = world.account("ana")
    for one in (league, other):
        world.enter_league(one, ana)
    if begun == "match":
        world.draft_match(league, [office, ana])
    if begun == "result":
        world.played(league, [office, ana], [10, 2])
    if begun == "elsewhere":
        world.played(other, [office, ana], [10, 2])
    assert locked_settings(league) == expected


def test_drawn_round_locks_the_rules_but_not_the_scoring(robin: League) -> None:
    assert locked_settings(robin) == {"game", "profile", "rules", "seats", "format"}


@pytest.mark.parametrize("field", ["about", "days_a_round", "hours_to_object", "tie_breaks", "cut"])
def test_some_settings_can_always_change(office: Player, field: str) -> None:
    league = world.found_league(office)
    ana = world.account("ana")
    world.enter_league(league, ana)
    world.played(league, [office, ana], [10, 2])
    value: Any = {"about": "New.", "tie_breaks": ["wins"]}.get(field, 2)
    settings = world.changed_settings(settings_of(league), **{field: value})
    before = League.objects.get(pk=league.pk).edition
    row = change_settings(league=league, settings=settings, by=office, at=NOW)
    row.refresh_from_db()
    assert (getattr(row, field), row.edition) == (value, before + 1)


# Closing a league


def test_closing_a_league_voids_only_its_own_unplayed_fixtures_and_drafts(
    robin: League, office: Player
) -> None:
    other = League.objects.filter(name="Robin").exclude(pk=robin.pk).get()
    played, begun, later = Fixture.objects.filter(round__league=robin).order_by("pk")[:3]
    play(played, 10, 4)
    postpone_fixture(fixture=later, by=office, at=NOW, deadline=NOW + 90 * DAY)
    draft = open_match(fixture=begun, by=seated(begun)[0], at=NOW)
    beside = open_match(fixture=first_fixture(other), by=player_named("ana"), at=NOW)
    Round.objects.filter(league=robin, number=1).update(closed_at=NOW)
    rows = standings_basis(robin).rows()
    closed = close_league(league=robin, by=office, at=NOW + DAY)
    assert closed.closed_at == NOW + DAY
    states = dict(Fixture.objects.filter(round__league=robin).values_list("pk", "state"))
    assert states.pop(played.pk) == "played"
    assert set(states.values()) == {"void"}
    draft.refresh_from_db()
    assert (draft.state, draft.version, draft.note) == ("void", 1, "The league was closed.")
    ends = Round.objects.filter(league=robin).order_by("number")
    assert list(ends.values_list("closed_at", flat=True)) == [NOW, NOW + DAY, NOW + DAY]
    assert [row.score for row in standings_basis(closed).rows()] == [row.score for row in rows]
    beside.refresh_from_db()
    assert (beside.state, first_fixture(other).state) == ("draft", "open")
    assert Round.objects.get(league=other).closed_at is None
    with pytest.raises(OperationError, match="The league is already closed"):
        close_league(league=robin, by=office, at=NOW + 2 * DAY)
    opened = reopen_league(league=robin, by=office, at=NOW + 3 * DAY)
    assert opened.closed_at is None
    with pytest.raises(OperationError, match="already open"):
        reopen_league(league=robin, by=office, at=NOW + 3 * DAY)


@pytest.mark.slow
def test_reopening_a_league_restores_only_fixtures_voided_by_closing(
    robin: League, office: Player
) -> None:
    played, struck, later, begun, *_others = Fixture.objects.filter(round__league=robin)
    play(played, 10, 4)
    void_fixture(fixture=struck, by=office, at=NOW, reason="The league was closed.")
    postpone_fixture(fixture=later, by=office, at=NOW, deadline=NOW + 90 * DAY, note="Snow")
    draft = open_match(fixture=begun, by=seated(begun)[0], at=NOW)
    Round.objects.filter(league=robin, number=1).update(closed_at=NOW)

    def standing() -> list[object]:
        fixtures = Fixture.objects.filter(round__league=robin).order_by("pk")
        rounds = Round.objects.filter(league=robin).order_by("number")
        return [
            *fixtures.values_list("pk", "state", "note", "deadline", "match__state", "match__note"),
            *rounds.values_list("number", "closed_at"),
        ]

    before = standing()
    going = preview_closing(league=robin)
    assert (going.fixtures, going.drafts) == (4, 1)
    for days in (1, 3):  # twice, to check that no data of the first closing remains
        close_league(league=robin, by=office, at=NOW + days * DAY)
        remarks = {fixture.pk: fixture.remark for fixture in Fixture.objects.all()}
        assert remarks[later.pk] == remarks[begun.pk] == "The league was closed."
        assert standing() != before
        reopen_league(league=robin, by=office, at=NOW + (days + 1) * DAY)
        assert standing() == before
    draft.refresh_from_db()
    assert (
        hand_in(
            match=draft,
            version=draft.version,
            by=seated(begun)[0],
            at=NOW,
            content=world.score(10, 2),
        ).state
        == "handed_in"
    )
    assert world.faults() == []


def test_reopening_restores_fixtures_voided_by_an_earlier_version(
    robin: League, office: Player
) -> None:
    """That version stored only a note when it closed a league, and not the former state."""
    first, later, struck, *_others = Fixture.objects.filter(round__league=robin)
    open_match(fixture=first, by=seated(first)[0], at=NOW)
    postpone_fixture(fixture=later, by=office, at=NOW, deadline=NOW + 90 * DAY)
    void_fixture(fixture=struck, by=office, at=NOW, reason="Snow")
    close_league(league=robin, by=office, at=NOW)
    note = "La liga se cerró."
    Fixture.objects.exclude(before_close="").update(before_close="", note=note)
    Match.objects.update(closed_away=False, note=note)
    import_module("leagues.migrations.0003_what_closing_voided").mark_what_closing_voided(
        apps, None
    )
    reopen_league(league=robin, by=office, at=NOW)
    states = dict(Fixture.objects.filter(round__league=robin).values_list("pk", "state"))
    assert (states.pop(struck.pk), states.pop(later.pk)) == ("void", "postponed")
    assert set(states.values()) == {"open"}
    assert set(Match.objects.values_list("state", "note")) == {("draft", "")}


def test_player_who_leaves_a_closed_league_has_no_fixtures_after_reopening(
    robin: League, office: Player
) -> None:
    first = first_fixture(robin)
    open_match(fixture=first, by=seated(first)[0], at=NOW)
    gone = seated(first)[0]
    close_league(league=robin, by=office, at=NOW)
    withdraw(league=robin, player=gone, by=office, at=NOW, handling=FixtureHandling.VOID)
    reopen_league(league=robin, by=office, at=NOW)
    theirs = Fixture.objects.filter(round__league=robin, seats__player=gone)
    assert {(one.state, one.remark) for one in theirs} == {
        ("void", f"{gone} has withdrawn from the league.")
    }
    others = Fixture.objects.filter(round__league=robin).exclude(pk__in=theirs)
    assert {one.state for one in others} == {"open"}
    assert [match.state for match in Match.objects.filter(fixture=first)] == ["void"]


def test_league_changed_since_the_preview_is_not_closed_or_undrawn(
    robin: League, office: Player
) -> None:
    looked = preview_closing(league=robin)
    drawn = preview_undraw(league=robin)
    assert (drawn.rounds, drawn.fixtures, drawn.drafts) == (3, 6, 0)
    postpone_fixture(fixture=first_fixture(robin), by=office, at=NOW, deadline=NOW + 90 * DAY)
    acts: list[Callable[[], object]] = [
        lambda: close_league(league=robin, by=office, at=NOW, edition=looked.edition),
        lambda: undraw(league=robin, by=office, at=NOW, edition=looked.edition),
    ]
    for act in acts:
        with pytest.raises(OperationError, match="Check the draw again"):
            act()
    now = preview_closing(league=robin).edition
    assert close_league(league=robin, by=office, at=NOW, edition=now).closed_at == NOW
    with pytest.raises(OperationError, match="The league is already closed"):
        preview_closing(league=robin)


@pytest.mark.parametrize("state", ["handed_in", "disputed"])
def test_league_with_an_unsettled_match_cannot_be_closed(office: Player, state: str) -> None:
    league, other = world.found_league(office), world.found_league(office)
    ana = world.account("ana")
    for one in (league, other):
        world.enter_league(one, ana)
    match = world.draft_match(league, [office, ana])
    Match.objects.filter(pk=match.pk).update(state=state)
    with pytest.raises(OperationError, match="1 match is awaiting"):
        close_league(league=league, by=office, at=NOW)
    close_league(league=other, by=office, at=NOW)


CLOSED: list[Callable[[League, Player], object]] = [
    lambda league, by: world.enter_league(league, world.account("late")),
    lambda league, by: add_guest(league=league, name="Gus", by=by, at=NOW),
    lambda league, by: return_to_league(league=league, player=player_named("ana"), by=by),
    lambda league, by: draw_round_robin(league=league, by=by, at=NOW),
    lambda league, by: postpone_fixture(
        fixture=first_fixture(league), by=by, at=NOW, deadline=NOW + 9 * DAY
    ),
    lambda league, by: forfeit_fixture(fixture=first_fixture(league), seats=[0], by=by, at=NOW),
    lambda league, by: void_fixture(fixture=first_fixture(league), by=by, at=NOW, reason="x"),
    lambda league, by: restore_fixture(fixture=first_fixture(league), by=by, at=NOW),
]


def test_closed_league_rejects_all_changes(robin: League, office: Player) -> None:
    League.objects.filter(pk=robin.pk).update(closed_at=NOW)
    robin.refresh_from_db()
    for deed in CLOSED:
        with pytest.raises(OperationError, match="The league is closed"):
            deed(robin, office)
    with pytest.raises(OperationError, match="The league is closed"):
        open_match(fixture=first_fixture(robin), by=seated(first_fixture(robin))[0], at=NOW)


# Fixtures

AFTER: dict[str, Callable[[Fixture, Player], object]] = {
    "played": lambda fixture, by: play(fixture, 10, 3),
    "forfeited": lambda fixture, by: forfeit_fixture(fixture=fixture, seats=[0], by=by, at=NOW),
    "void": lambda fixture, by: void_fixture(fixture=fixture, by=by, at=NOW, reason="Rain."),
}


@pytest.mark.parametrize("state", list(AFTER))
def test_finished_or_void_fixture_rejects_further_changes(
    robin: League, office: Player, state: str
) -> None:
    fixture = first_fixture(robin)
    AFTER[state](fixture, office)
    fixture.refresh_from_db()
    assert fixture.state == state
    refused: list[Callable[[], object]] = [
        lambda: postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=NOW + DAY),
        lambda: forfeit_fixture(fixture=fixture, seats=[0], by=office, at=NOW),
        lambda: void_fixture(fixture=fixture, by=office, at=NOW, reason="x"),
    ]
    for deed in refused:
        with pytest.raises(OperationError, match=r"This fixture can’t be played\. Its state is “"):
            deed()
    if state != "void":
        with pytest.raises(OperationError, match="Only a void fixture"):
            restore_fixture(fixture=fixture, by=office, at=NOW)
    fixture.refresh_from_db()
    assert fixture.state == state


@pytest.mark.parametrize("state", ["handed_in", "disputed"])
def test_fixture_with_a_submitted_result_cannot_be_forfeited_or_voided(
    robin: League, office: Player, state: str
) -> None:
    fixture = first_fixture(robin)
    match = open_match(fixture=fixture, by=seated(fixture)[0], at=NOW)
    Match.objects.filter(pk=match.pk).update(state=state)
    with pytest.raises(
        OperationError,
        match=r"A result has already been entered for this fixture\. Confirm or void that",
    ):
        forfeit_fixture(fixture=fixture, seats=[0], by=office, at=NOW)
    with pytest.raises(
        OperationError,
        match=r"A result has already been entered for this fixture\. Confirm or void that",
    ):
        void_fixture(fixture=fixture, by=office, at=NOW, reason="x")
    postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=NOW + DAY)


@pytest.mark.parametrize(
    ("late", "possible"), [(-SECOND, False), (dt.timedelta(0), False), (SECOND, True)]
)
def test_new_deadline_of_a_fixture_must_be_later_than_now(
    robin: League, office: Player, late: dt.timedelta, possible: bool
) -> None:
    fixture = first_fixture(robin)
    if not possible:
        with pytest.raises(OperationError) as refused:
            postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=NOW + late)
        assert refused.value.field == "deadline"
        return
    row = postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=NOW + late, note="x" * 300)
    assert (row.state, row.deadline, len(row.note)) == ("postponed", NOW + late, 200)
    assert row.round.deadline == NOW + 7 * DAY, "of this fixture alone"


@pytest.mark.parametrize(
    ("at", "deadline"),
    [
        (NOW, NOW + 7 * DAY),
        (NOW + 7 * DAY - SECOND, NOW + 7 * DAY),
        (NOW + 7 * DAY, NOW + 14 * DAY),
        (NOW + 9 * DAY, NOW + 16 * DAY),
    ],
)
def test_restored_fixture_gets_a_new_deadline_if_its_own_has_passed(
    robin: League, office: Player, at: dt.datetime, deadline: dt.datetime
) -> None:
    fixture = void_fixture(fixture=first_fixture(robin), by=office, at=NOW, reason="No hall.")
    assert (fixture.state, fixture.note) == ("void", "No hall.")
    row = restore_fixture(fixture=fixture, by=office, at=at)
    row.refresh_from_db()
    assert (row.state, row.note, row.deadline) == ("open", "", deadline)


@pytest.mark.parametrize(
    ("state", "late", "overdue"),
    [
        ("open", dt.timedelta(0), False),
        ("open", SECOND, True),
        ("postponed", SECOND, True),
        ("played", SECOND, False),
        ("forfeited", SECOND, False),
        ("void", SECOND, False),
    ],
)
def test_only_open_and_postponed_fixtures_become_overdue(
    robin: League, state: str, late: dt.timedelta, overdue: bool
) -> None:
    fixture = first_fixture(robin)
    Fixture.objects.filter(pk=fixture.pk).update(state=state)
    line = fixture_queries.fixture_line(fixture)
    assert line.overdue(fixture.deadline + late) is overdue
    assert line.is_waiting is (state in ("open", "postponed"))


@pytest.mark.parametrize(
    ("gone", "places"),
    [([0], [3, 1, 1]), ([1], [1, 3, 1]), ([0, 2], [2, 1, 2])],
)
def test_forfeiting_players_share_the_places_after_all_others(
    office: Player, gone: list[int], places: list[int]
) -> None:
    league = world.round_robin(office, ["ana", "beto", "carla"], seats=3)
    fixture = first_fixture(league)
    match = forfeit_fixture(fixture=fixture, seats=gone, by=office, at=NOW, note=" did  not come ")
    result = Result.objects.get(match=match)
    assert list(result.placings.order_by("seat").values_list("place", flat=True)) == places
    assert {place.points for place in result.placings.all()} == {0}
    assert (match.state, match.origin, match.note) == (
        "confirmed",
        "forfeit",
        "did not come",
    )
    assert (match.confirmed_at, match.handed_in_at, match.entered_by) == (NOW, NOW, office)
    assert not result.rated
    marked = FixtureSeat.objects.filter(fixture=fixture, forfeits=True)
    assert sorted(marked.values_list("number", flat=True)) == gone


def test_absent_partner_makes_the_whole_side_forfeit(office: Player) -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    names = ["ana", "beto", "carla", "dora"]
    league = world.round_robin(office, names, profile="pairs", seats=4)
    fixture = first_fixture(league)
    with pytest.raises(OperationError, match="nobody wins"):
        forfeit_fixture(fixture=fixture, seats=[0, 1], by=office, at=NOW)
    match = forfeit_fixture(fixture=fixture, seats=[0], by=office, at=NOW)
    places = match.result.placings.order_by("seat")
    assert list(places.values_list("place", flat=True)) == [3, 1, 3, 1]
    assert sum(row.score for row in standings_basis(league).rows()) == 2


@pytest.mark.parametrize(("postponed", "state"), [(False, "open"), (True, "postponed")])
def test_fixture_of_a_void_match_is_open_or_postponed_again(
    robin: League, office: Player, postponed: bool, state: str
) -> None:
    fixture = first_fixture(robin)
    if postponed:
        postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=NOW + 30 * DAY)
    match = play(fixture, 10, 3)
    void_match(match=match, version=match.version, by=office, at=NOW, reason="Never played.")
    fixture.refresh_from_db()
    assert fixture.state == state
    others = Fixture.objects.exclude(pk=fixture.pk)
    assert set(others.values_list("state", flat=True)) == {"open"}


# Lists of fixtures


def test_current_round_is_the_first_with_fixtures_to_play(robin: League, office: Player) -> None:
    def number() -> int:
        found = fixture_queries.current_round(robin)
        assert found is not None
        return found.round.number

    assert number() == 1
    assert [line.open for line in fixture_queries.rounds_of(robin)] == [2, 2, 2]
    Fixture.objects.filter(round__league=robin, round__number=1).update(state="played")
    assert number() == 2
    Fixture.objects.filter(round__league=robin, round__number=2).update(state="void")
    Fixture.objects.filter(round__league=robin, round__number=3).update(state="postponed")
    assert number() == 3
    Fixture.objects.filter(round__league=robin).update(state="forfeited")
    assert number() == 3, "the last where all is played"
    assert [line.open for line in fixture_queries.rounds_of(robin)] == [0, 0, 0]
    assert fixture_queries.current_round(world.found_league(office)) is None


def test_fixtures_of_a_player_are_sorted_by_urgency(robin: League, office: Player) -> None:
    ana = player_named("ana")
    mine = Fixture.objects.filter(seats__player=ana, round__league=robin).order_by("deadline")
    first, second, third = mine
    (elsewhere,) = Fixture.objects.exclude(round__league=robin)
    Fixture.objects.filter(pk=first.pk).update(deadline=NOW + 90 * DAY, state="postponed")
    Fixture.objects.filter(pk=second.pk).update(state="played")
    assert [line.fixture for line in fixture_queries.fixtures_of_player(ana)] == [
        elsewhere,
        third,
        first,
    ]
    League.objects.filter(pk=elsewhere.round.league_id).update(closed_at=NOW)
    assert [line.fixture for line in fixture_queries.fixtures_of_player(ana)] == [third, first]
    root = world.account("root")
    assert fixture_queries.fixtures_of_player(root) == []
    Player.objects.filter(pk=ana.pk).update(merged_into=root)
    assert [line.fixture for line in fixture_queries.fixtures_of_player(root)] == [third, first]
    line = fixture_queries.fixture_line(third)
    assert line.involves(root.pk)
    assert not line.involves(ana.pk)


# Rounds


def test_deadlines_of_a_round_robin_follow_one_another(office: Player) -> None:
    league = world.found_league(office, format="round_robin", plays=False, days_a_round=3)
    for name in ("ana", "beto", "carla"):
        world.enter_league(league, world.account(name))
    rounds = draw_round_robin(league=league, by=office, at=NOW, begins_at=NOW + 10 * DAY)
    assert [one.deadline for one in rounds] == [NOW + (10 + 3 * n) * DAY for n in (1, 2, 3)]
    assert {one.drawn_at for one in rounds} == {NOW}
    for fixture in Fixture.objects.select_related("round"):
        assert (fixture.deadline, fixture.number) == (fixture.round.deadline, 1)
    assert sorted(bye["player"] for one in rounds for bye in one.byes) == sorted(
        player_named(name).pk for name in ("ana", "beto", "carla")
    )
    with pytest.raises(OperationError, match="already been drawn"):
        draw_round_robin(league=league, by=office, at=NOW)


def test_swiss_round_ends_its_days_after_the_draw_and_closes_the_previous(office: Player) -> None:
    league = world.found_league(
        office, format="swiss", plays=False, days_a_round=4, rounds_planned=2
    )
    for name in ("ana", "beto"):
        world.enter_league(league, world.account(name))
    one = draw_next_swiss(league=league, by=office, at=NOW)
    assert (one.number, one.deadline) == (1, NOW + 4 * DAY)
    play(one.fixtures.get(), 10, 3)
    two = draw_next_swiss(league=league, by=office, at=NOW + DAY)
    one.refresh_from_db()
    assert (two.number, two.deadline) == (2, NOW + 5 * DAY)
    assert (one.closed_at, two.closed_at) == (NOW + DAY, None)
    play(two.fixtures.get(), 10, 3)
    with pytest.raises(OperationError, match="All 2 rounds have already been drawn"):
        preview_swiss(league=league)
    with pytest.raises(
        OperationError,
        match="A match in this draw already has a result, so the draw can’t be undone",
    ):
        undraw(league=league, by=office, at=NOW)


@pytest.mark.parametrize(
    ("state", "waits"),
    [("open", True), ("postponed", True), ("played", False), ("forfeited", False), ("void", False)],
)
def test_next_swiss_round_requires_that_all_fixtures_are_finished(
    office: Player, state: str, waits: bool
) -> None:
    league = world.found_league(office, format="swiss", plays=False)
    for name in ("ana", "beto", "carla", "dora"):
        world.enter_league(league, world.account(name))
    draw_next_swiss(league=league, by=office, at=NOW)
    Fixture.objects.update(state="played")
    Fixture.objects.filter(number=1).update(state=state)
    if waits:
        with pytest.raises(OperationError, match="1 fixture in the last round"):
            draw_next_swiss(league=league, by=office, at=NOW)
        return
    assert draw_next_swiss(league=league, by=office, at=NOW).number == 2


def test_only_the_last_round_of_a_swiss_league_can_be_undone(office: Player) -> None:
    league = world.found_league(office, format="swiss", plays=False)
    for name in ("ana", "beto"):
        world.enter_league(league, world.account(name))
    with pytest.raises(OperationError, match="No round has been drawn"):
        undraw(league=league, by=office, at=NOW)
    one = draw_next_swiss(league=league, by=office, at=NOW)
    play(one.fixtures.get(), 10, 3)
    draw_next_swiss(league=league, by=office, at=NOW)
    assert undraw(league=league, by=office, at=NOW) == 1
    assert list(league.rounds.values_list("number", flat=True)) == [1]


@pytest.mark.parametrize("form", ["ladder", "round_robin", "swiss"])
def test_each_league_format_accepts_only_its_own_kind_of_draw(office: Player, form: str) -> None:
    league = world.found_league(office, format=form)
    if form != "round_robin":
        with pytest.raises(OperationError, match="which arranges its matches differently: “"):
            draw_round_robin(league=league, by=office, at=NOW)
    if form != "swiss":
        with pytest.raises(OperationError, match="which arranges its matches differently: “"):
            preview_swiss(league=league)
    if form != "ladder":
        draw = draw_round_robin if form == "round_robin" else draw_next_swiss
        with pytest.raises(OperationError, match=r"2 players\. Players in this league: 1"):
            draw(league=league, by=office, at=NOW)


def test_pairing_errors_are_explained_in_sentences() -> None:
    said = [
        pairing_sentence(PairingError(code, "", players=1, seats=4))
        for code in ("players", "sides", "seats")
    ]
    assert said == [
        "A match needs 4 players. Players in this league: 1.",
        "Playing in pairs requires four players at each table.",
        "No rounds can be drawn with these settings.",
    ]


# The following tests are about joining, leaving and merging.


def test_returning_player_is_the_same_member(office: Player) -> None:
    league = world.found_league(office, plays=False)
    ana = world.account("ana")
    member = world.enter_league(league, ana)
    world.give_role(league, ana, Member.Role.SCORER)
    withdraw(league=league, player=ana, by=ana, at=NOW + DAY, handling=FixtureHandling.FORFEIT)
    member.refresh_from_db()
    assert (member.withdrawn_at, member.role) == (NOW + DAY, "scorer")
    again = world.enter_league(league, ana)
    assert (again.pk, again.withdrawn_at, again.role) == (member.pk, None, "scorer")
    mine = world.enter_league(league, office)
    assert (mine.plays, mine.role) == (True, "organiser"), "who only organised plays now"
    assert Member.objects.count() == 2
    assert world.enter_league(league, ana).joined_at == member.joined_at


@pytest.mark.parametrize(
    ("form", "drawn", "open_"),
    [("swiss", True, True), ("round_robin", False, True), ("round_robin", True, False)],
)
def test_only_a_drawn_round_robin_rejects_new_players(
    office: Player, form: str, drawn: bool, open_: bool
) -> None:
    league = world.found_league(office, format=form, plays=False)
    for name in ("ana", "beto"):
        world.enter_league(league, world.account(name))
    if drawn and form == "swiss":
        draw_next_swiss(league=league, by=office, at=NOW)
    elif drawn:
        draw_round_robin(league=league, by=office, at=NOW)
    if open_:
        assert world.enter_league(league, world.account("late")).plays
        return
    with pytest.raises(OperationError, match="have been drawn, so nobody else can join"):
        world.enter_league(league, world.account("late"))
    with pytest.raises(OperationError, match="have been drawn, so nobody else can join"):
        add_guest(league=league, name="Gus", by=office, at=NOW)


def test_leaving_a_league_does_not_change_other_leagues(robin: League, office: Player) -> None:
    ana = player_named("ana")
    going = preview_withdrawal(league=robin, player=ana)
    assert {fixture.round.league_id for fixture in going.fixtures} == {robin.pk}
    assert len(going.fixtures) == 3
    withdraw(league=robin, player=ana, by=office, at=NOW, handling=FixtureHandling.VOID)
    (elsewhere,) = Fixture.objects.exclude(round__league=robin)
    assert elsewhere.state == "open"
    assert Member.objects.filter(player=ana, withdrawn_at=None).count() == 1
    notes = Fixture.objects.filter(round__league=robin, state="void")
    assert set(notes.values_list("note", flat=True)) == {"ana has withdrawn from the league."}
    assert Fixture.objects.filter(round__league=robin, state="open").count() == 3
    with pytest.raises(OperationError, match="is not in this league"):
        set_role(league=robin, player=world.account("stranger"), role=Member.Role.SCORER, by=office)


def test_guest_link_can_only_be_made_for_a_guest_of_the_league(office: Player) -> None:
    league = world.found_league(office)
    ana = world.account("ana")
    gus = add_guest(league=league, name="Gus", by=office, at=NOW).player
    with pytest.raises(OperationError, match="is no longer a guest"):
        guest_link(guest=ana, by=office)
    lone = world.guest("lone")
    with pytest.raises(NotAllowed):
        guest_link(guest=lone, by=office)
    Player.objects.filter(pk=lone.pk).update(added_by=office)
    lone.refresh_from_db()
    assert guest_link(guest=lone, by=office), "who added one that is in no league"
    with pytest.raises(
        OperationError, match="is not in any league, so there is no organiser who could decide"
    ):
        propose_claim(guest=lone, by=ana, at=NOW)
    claim = propose_claim(guest=gus, by=ana, at=NOW)
    merge = merge_players(absorbed=gus, kept=office, by=office, at=NOW + HOUR)
    claim.refresh_from_db()
    assert (claim.answered_at, claim.granted) == (NOW + HOUR, False), "somebody else was"
    assert merges_of(office, to=office) == [merge]
    assert merges_of(ana, to=ana) == []
    gus.refresh_from_db()
    with pytest.raises(OperationError, match="is no longer a guest"):
        guest_link(guest=gus, by=office)
    with pytest.raises(OperationError, match="has already been merged with another player"):
        preview_merge(absorbed=gus, kept=ana)
    assert Claim.objects.filter(answered_at=None).count() == 0


@pytest.mark.parametrize(
    ("age", "opens"),
    [(0 * DAY, True), (30 * DAY, True), (30 * DAY + SECOND, False), (31 * DAY, False)],
)
def test_guest_link_is_valid_for_thirty_days(
    office: Player, monkeypatch: pytest.MonkeyPatch, age: dt.timedelta, opens: bool
) -> None:
    clock = SimpleNamespace(time=NOW.timestamp)
    monkeypatch.setattr("django.core.signing.time", clock)
    guest = add_guest(league=world.found_league(office), name="Gus", by=office, at=NOW).player
    token = guest_link(guest=guest, by=office)
    clock.time = (NOW + age).timestamp
    if opens:
        assert guest_of_link(token) == guest
        return
    with pytest.raises(OperationError, match=r"This link is no longer valid\. Ask for a new link"):
        guest_of_link(token)
    with pytest.raises(OperationError, match=r"This link is no longer valid\. Ask for a new link"):
        claim_by_link(token=token, by=world.account("ana"), at=NOW)
    assert guest_of_link(guest_link(guest=guest, by=office)) == guest, "a new one opens"


def test_guest_link_belongs_to_one_guest_until_the_guest_is_merged(office: Player) -> None:
    league, ana = world.found_league(office), world.account("ana")
    gus, eva = (
        add_guest(league=league, name=name, by=office, at=NOW).player for name in ("Gus", "Eva")
    )
    token = guest_link(guest=gus, by=office)
    for broken in ("", "x", token[:-1], token + "x", signing.dumps(gus.pk), f"{gus.pk}"):
        with pytest.raises(
            OperationError, match=r"This link is no longer valid\. Ask for a new link"
        ):
            guest_of_link(broken)
    with pytest.raises(OperationError, match="Someone has already claimed to be this guest"):
        guest_of_link(signing.dumps(ana.pk, salt="leagues.guest"))
    assert claim_by_link(token=token, by=ana, at=NOW).absorbed == gus
    for again in (ana, office):
        with pytest.raises(OperationError, match="Someone has already claimed to be this guest"):
            claim_by_link(token=token, by=again, at=NOW)
    assert guest_of_link(guest_link(guest=eva, by=office)) == eva


@pytest.mark.parametrize(
    ("form", "closed", "state", "by", "may"),
    [
        ("ladder", False, "confirmed", "ana", True),
        ("ladder", False, "void", "ana", True),
        ("ladder", False, "draft", "ana", False),
        ("ladder", False, "confirmed", "office", False),
        ("ladder", True, "confirmed", "ana", False),
        ("swiss", False, "confirmed", "ana", False),
        ("round_robin", False, "confirmed", "ana", False),
    ],
)
def test_rematch_is_allowed_to_players_of_finished_matches_in_open_ladders(
    office: Player, form: str, closed: bool, state: str, by: str, may: bool
) -> None:
    league = world.found_league(office)
    ana, beto = world.account("ana"), world.account("beto")
    for player in (ana, beto):
        world.enter_league(league, player)
    match = world.played(league, [ana, beto], [10, 2])
    League.objects.update(format=form, closed_at=NOW if closed else None)
    Match.objects.update(state=state)
    match = Match.objects.get()
    assert may_rematch(match, player_named(by)) is may
    assert not may_rematch(match, None)
    if not may:
        with pytest.raises(NotAllowed):
            open_rematch(match=match, by=player_named(by), at=NOW)
        return
    again = open_rematch(match=match, by=player_named(by), at=NOW + DAY)
    assert [seat.player for seat in again.seats.order_by("number")] == [ana, beto]
    assert (again.league, again.state, again.rules_hash) == (league, "draft", match.rules_hash)


def test_rematch_of_a_match_without_league_has_the_same_rules(office: Player) -> None:
    ana = world.account("ana")
    match = open_match(
        by=ana, at=NOW, players=[office, ana], game=game.KEY, profile="own",
        rules={"target": 33}, rated=False,
    )  # fmt: skip
    Match.objects.update(state="void")
    match.refresh_from_db()
    again = open_rematch(match=match, by=ana, at=NOW)
    assert (again.league, again.rules["target"], again.rated) == (None, 33, False)
    assert [seat.player for seat in again.seats.order_by("number")] == [office, ana]


def test_friends_are_former_opponents_with_the_latest_first(office: Player) -> None:
    ana, beto, carla = (world.account(name) for name in ("ana", "beto", "carla"))
    world.played(None, [office, ana], [10, 3])
    world.played(None, [beto, office], [10, 3])
    world.played(None, [ana, carla], [10, 3])
    gus = players_by_name(by=office, at=NOW, names=["", " gus  grande "])[1]
    assert (gus.name, gus.added_by, gus.is_guest) == ("gus grande", office, True)
    assert friends_of(office) == [beto, ana, gus]
    assert players_by_name(by=office, at=NOW, names=["BETO", "Office", "gus grande"]) == [
        beto, office, gus,
    ]  # fmt: skip
    with pytest.raises(OperationError, match="each seat"):
        players_by_name(by=office, at=NOW, names=["", " "])
    assert players_by_name(by=office, at=NOW, names=["carla"])[0] != carla, "no friend of theirs"


def test_renewed_invitation_changes_only_one_league(office: Player) -> None:
    league, other = world.found_league(office), world.found_league(office)
    assert renew_invitation(league=league, by=office) != league.invitation
    other.refresh_from_db()
    assert world.enter_league(other, world.account("ana")).league == other


# The following tests are about fixtures and their drafts.


@pytest.mark.parametrize("state", ["forfeited", "void"])
def test_match_of_a_forfeited_or_void_fixture_cannot_be_opened(
    robin: League, office: Player, state: str
) -> None:
    fixture = first_fixture(robin)
    Fixture.objects.filter(pk=fixture.pk).update(state=state)
    with pytest.raises(OperationError, match=r"This fixture can’t be played\. Its state is “"):
        open_match(fixture=fixture, by=seated(fixture)[0], at=NOW)
    assert not Match.objects.filter(fixture=fixture).exists()
    Fixture.objects.filter(pk=fixture.pk).update(state="postponed")
    assert open_match(fixture=fixture, by=seated(fixture)[0], at=NOW).fixture == fixture


def test_second_of_two_players_gets_the_match_opened_by_the_first(
    robin: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other player opens the match between this player's check and insert."""
    fixture = first_fixture(robin)
    one, two = seated(fixture)
    first = []

    def meanwhile(league: int) -> None:
        monkeypatch.undo()
        first.append(open_match(fixture=fixture, by=two, at=NOW))

    monkeypatch.setattr("leagues.matches.operations.matches.lock_league", meanwhile)
    second = open_match(fixture=fixture, by=one, at=NOW)
    assert [second] == first
    assert (second.fixture, second.entered_by) == (fixture, two)
    assert Match.objects.filter(league=robin).count() == 1


def test_discarding_a_draft_leaves_submitted_and_counting_matches(robin: League) -> None:
    fixture, other = Fixture.objects.filter(round__league=robin).order_by("pk")[:2]
    match = open_match(fixture=fixture, by=seated(fixture)[0], at=NOW)
    beside = open_match(fixture=other, by=seated(other)[0], at=NOW)
    for state, stays in (
        ("handed_in", True),
        ("confirmed", True),
        ("disputed", True),
        ("final", True),
        ("draft", False),
        ("void", False),
    ):
        Match.objects.filter(pk=match.pk).update(state=state, fixture=fixture, version=5)
        detach_draft(fixture)
        match.refresh_from_db()
        assert (match.fixture == fixture) == stays, state
        assert (match.state, match.version) == ((state, 5) if stays else ("void", 6))
    beside.refresh_from_db()
    assert (beside.state, beside.fixture) == ("draft", other)


@pytest.mark.slow
def test_every_step_of_a_match_increases_the_edition_of_its_league(
    robin: League, office: Player
) -> None:
    """Cached pages of a league are stored under its edition.

    If a step did not increase the edition, cached pages would not show it.
    """
    other = League.objects.exclude(pk=robin.pk).get()
    beside = other.edition
    fixture = first_fixture(robin)
    one, two = seated(fixture)

    def step(act: Callable[[Match], object]) -> None:
        match = open_match(fixture=fixture, by=one, at=NOW)
        before = League.objects.get(pk=robin.pk).edition
        act(match)
        assert League.objects.get(pk=robin.pk).edition > before, act

    def waits(match: Match) -> Match:
        return hand_in(
            match=match, version=match.version, by=one, at=NOW, content=world.score(10, 3)
        )

    step(waits)
    step(lambda match: confirm(match=match, version=match.version, by=two, at=NOW))
    step(
        lambda match: dispute_match(
            match=match, version=match.version, by=two, at=NOW, reason="No."
        )
    )
    step(
        lambda match: settle_dispute(
            match=match, version=match.version, by=two, at=NOW, verdict=DisputeVerdict.STANDS
        )
    )
    step(
        lambda match: void_match(match=match, version=match.version, by=office, at=NOW, reason="x")
    )
    step(lambda _: postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=NOW + 90 * DAY))
    step(lambda _: void_fixture(fixture=fixture, by=office, at=NOW, reason="Rain."))
    before = League.objects.get(pk=robin.pk).edition
    restore_fixture(fixture=fixture, by=office, at=NOW)
    assert League.objects.get(pk=robin.pk).edition > before
    assert League.objects.get(pk=other.pk).edition == beside
