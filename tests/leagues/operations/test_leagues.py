"""A league from its founding to its close: settings, people, rounds, forfeits."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.counting import standings_of
from leagues.models import Fixture, League, Match, Member, Place, Player, Rating, Result
from leagues.operations.corrections import preview_correction
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.forfeits import forfeit, postpone, restore_fixture, void_fixture
from leagues.operations.leagues import (
    change_settings,
    close_league,
    renew_invitation,
    reopen_league,
)
from leagues.operations.matches import confirm, open_match
from leagues.operations.members import (
    Handling,
    add_guest,
    join_league,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.operations.objections import void_match
from leagues.operations.rounds import draw_next_swiss, overdue, preview_swiss, undraw
from leagues.operations.settings import settings_of
from tests.leagues.operations import world
from tests.leagues.operations.world import HOUR, NOW

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def robin(office: Player) -> League:
    """A round robin of four, drawn: three rounds of two."""
    return world.round_robin(office, ["ana", "beto", "carla", "dora"])


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def first(league: League) -> Fixture:
    return Fixture.objects.filter(round__league=league).select_related("round__league")[0]


def seated(fixture: Fixture) -> list[Player]:
    return [seat.player for seat in fixture.seats.select_related("player")]


def play(fixture: Fixture, *points: int, at: dt.datetime = NOW) -> Match:
    people = seated(fixture)
    match = open_match(fixture=fixture, by=people[0], at=at)
    match = world.handed_in(match, people[0], world.score(*points), at)
    return confirm(match=match, version=match.version, by=people[1], at=at)


# Founding and settings --------------------------------------------------------------------


def test_a_guest_founds_no_league() -> None:
    with pytest.raises(NotAllowed, match="Sign in"):
        world.found(world.guest("Gus"))


def test_who_founds_organises(office: Player) -> None:
    league = world.found(office)
    assert world.roles(league) == {"office": "organiser"}
    assert league.rules == {"highest": 13, "target": 10, "partners": False}
    assert len(league.rules_hash) == 64


def test_an_address_that_is_not_public_cannot_be_guessed(office: Player) -> None:
    assert world.found(office, visibility="public").slug == "thursday"
    slugs = {world.found(office, visibility=kind).slug for kind in ("link", "private", "link")}
    assert len(slugs) == 3
    assert all(len(slug) >= len("thursday-") + 12 for slug in slugs)
    assert world.found(office, visibility="public").slug.startswith("thursday-"), "taken already"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "  "), ("name", "x" * 61), ("game", "chess"), ("profile", "none"),
        ("seats", 7), ("seats", 1), ("visibility", "all"), ("format", "cup"), ("cut", 0),
        ("days_a_round", 0), ("hours_to_object", -1), ("rounds_planned", 100),
        ("tie_breaks", ["luck"]), ("tie_breaks", ["wins", "wins"]), ("about", "x" * 1001),
        ("scoring", {"kind": "luck"}), ("scoring", {"by_place": ["1/0"]}),
    ],
)  # fmt: skip
def test_settings_are_refused_beside_their_field(office: Player, field: str, value: object) -> None:
    with pytest.raises(OperationError) as refused:
        world.found(office, **{field: value})
    assert refused.value.field == field
    assert League.objects.count() == 0


def test_own_rules_are_normalised_by_the_game(office: Player) -> None:
    league = world.found(office, profile="own", rules={"target": 30})
    assert league.rules["target"] == 30
    with pytest.raises(OperationError) as refused:
        world.found(office, profile="own", rules={"target": 0})
    assert refused.value.field == "target"


def test_the_first_match_pins_the_rules(office: Player) -> None:
    league = world.found(office)
    world.enter(league, world.account("ana"))
    settings = world.changed(settings_of(league), profile="long", name="Friday")
    league = change_settings(league=league, settings=settings, by=office, at=NOW)
    assert (league.rules["target"], league.name) == (50, "Friday")
    world.begun(league, [office, player("ana")])
    with pytest.raises(OperationError, match="everybody joined"):
        change_settings(
            league=league, settings=world.changed(settings, profile="plain"), by=office, at=NOW
        )
    change_settings(league=league, settings=world.changed(settings, cut=1), by=office, at=NOW)


def test_the_first_result_pins_what_places_are_worth(office: Player) -> None:
    league = world.found(office)
    world.enter(league, world.account("ana"))
    world.played(league, [office, player("ana")], [10, 1])
    settings = world.changed(settings_of(league), scoring={"kind": "points"})
    with pytest.raises(OperationError) as refused:
        change_settings(league=league, settings=settings, by=office, at=NOW)
    assert refused.value.field == "scoring"


def test_a_league_that_becomes_public_counts_for_the_site_and_ceases_to(office: Player) -> None:
    league = world.found(office, visibility="link")
    world.enter(league, world.account("ana"))
    world.played(league, [office, player("ana")], [10, 1])
    assert Rating.objects.filter(league=None).count() == 0
    for visibility, count in (("public", 2), ("private", 0), ("public", 2)):
        settings = world.changed(settings_of(league), visibility=visibility)
        league = change_settings(league=league, settings=settings, by=office, at=NOW)
        assert Rating.objects.filter(league=None).count() == count
        assert world.faults() == []


def test_strangers_change_nothing(robin: League) -> None:
    stranger = world.account("stranger")
    deeds: list[Callable[[], object]] = [
        lambda: change_settings(league=robin, settings=settings_of(robin), by=stranger, at=NOW),
        lambda: renew_invitation(league=robin, by=stranger),
        lambda: close_league(league=robin, by=stranger, at=NOW),
        lambda: add_guest(league=robin, name="Gus", by=stranger, at=NOW),
        lambda: set_role(league=robin, player=player("ana"), role=Member.Role.SCORER, by=stranger),
        lambda: withdraw(
            league=robin, player=player("ana"), by=stranger, at=NOW, handling=Handling.FORFEIT
        ),
        lambda: postpone(fixture=first(robin), by=stranger, at=NOW, deadline=NOW + DAY),
        lambda: forfeit(fixture=first(robin), seats=[0], by=stranger, at=NOW),
        lambda: void_fixture(fixture=first(robin), by=stranger, reason="x"),
        lambda: undraw(league=robin, by=stranger),
        lambda: open_match(fixture=first(robin), by=stranger, at=NOW),
    ]
    for deed in deeds:
        with pytest.raises(NotAllowed):
            deed()
    robin.refresh_from_db()
    assert robin.closed_at is None


# People -----------------------------------------------------------------------------------


def test_an_invitation_opens_until_it_is_renewed(office: Player) -> None:
    league = world.found(office)
    old = league.invitation
    new = renew_invitation(league=league, by=office)
    with pytest.raises(OperationError, match="renewed"):
        join_league(token=old, by=world.account("ana"), at=NOW)
    assert join_league(token=new, by=player("ana"), at=NOW).role == "player"


def test_a_league_is_never_without_an_organiser(office: Player) -> None:
    league = world.found(office)
    ana = world.account("ana")
    world.enter(league, ana)
    with pytest.raises(OperationError, match="never without"):
        set_role(league=league, player=office, role=Member.Role.PLAYER, by=office)
    set_role(league=league, player=ana, role=Member.Role.ORGANISER, by=office)
    set_role(league=league, player=office, role=Member.Role.PLAYER, by=office)
    assert world.roles(league) == {"office": "player", "ana": "organiser"}


def test_a_guest_organises_nothing(office: Player) -> None:
    league = world.found(office)
    gus = add_guest(league=league, name=" Gus  Grande ", by=office, at=NOW).player
    assert gus.name == "Gus Grande"
    with pytest.raises(OperationError, match="account"):
        set_role(league=league, player=gus, role=Member.Role.ORGANISER, by=office)
    with pytest.raises(OperationError, match="already"):
        add_guest(league=league, name="gus grande", by=office, at=NOW)


def test_nobody_joins_a_round_robin_that_is_drawn(robin: League) -> None:
    with pytest.raises(OperationError, match="drawn"):
        world.enter(robin, world.account("late"))


@pytest.mark.parametrize(
    ("handling", "state"), [(Handling.FORFEIT, "forfeited"), (Handling.VOID, "void")]
)
def test_withdrawing_as_shown_before(
    robin: League, office: Player, handling: Handling, state: str
) -> None:
    ana = player("ana")
    mine = Fixture.objects.filter(seats__player=ana).order_by("round__number")
    play(mine[0], 10, 3)
    going = preview_withdrawal(league=robin, player=ana)
    assert {fixture.pk for fixture in going.fixtures} == {mine[1].pk, mine[2].pk}
    assert Member.objects.get(player=ana).withdrawn_at is None
    withdraw(league=robin, player=ana, by=office, at=NOW, handling=handling)
    assert [fixture.state for fixture in mine.all()] == ["played", state, state]
    rows = {row.player: row for row in standings_of(robin)}
    assert rows[ana.pk].withdrawn
    assert Result.objects.count() == (3 if handling is Handling.FORFEIT else 1)
    assert Rating.objects.filter(league=robin).count() == 2, "a forfeit rates nobody"
    with pytest.raises(OperationError, match="does not play"):
        withdraw(league=robin, player=ana, by=office, at=NOW, handling=handling)
    assert return_to_league(league=robin, player=ana, by=office).withdrawn_at is None
    assert world.faults() == []


def test_who_leaves_alone_forfeits(robin: League) -> None:
    ana = player("ana")
    with pytest.raises(NotAllowed):
        withdraw(league=robin, player=ana, by=ana, at=NOW, handling=Handling.VOID)
    withdraw(league=robin, player=ana, by=ana, at=NOW, handling=Handling.FORFEIT)
    assert Place.objects.filter(player=ana, place=2).count() == 3


def test_a_match_handed_in_goes_its_way_when_a_player_leaves(robin: League, office: Player) -> None:
    ana = player("ana")
    fixture = Fixture.objects.filter(seats__player=ana).order_by("pk")[0]
    people = seated(fixture)
    match = world.handed_in(
        open_match(fixture=fixture, by=people[0], at=NOW), people[0], world.score(10, 4)
    )
    going = withdraw(league=robin, player=ana, by=office, at=NOW, handling=Handling.VOID)
    assert going.waiting == (match,)
    confirm(match=match, version=match.version, by=people[1], at=NOW)
    fixture.refresh_from_db()
    assert fixture.state == "played"


# Rounds and fixtures ----------------------------------------------------------------------


def test_everybody_meets_everybody_once(robin: League) -> None:
    pairs = [
        tuple(sorted(one.pk for one in seated(fixture)))
        for fixture in Fixture.objects.filter(round__league=robin)
    ]
    assert len(pairs) == len(set(pairs)) == 6
    rounds = list(robin.rounds.values_list("number", "deadline"))
    assert rounds == [(n, NOW + n * 7 * DAY) for n in (1, 2, 3)]
    assert all(fixture.reasons for fixture in Fixture.objects.all())


def test_a_fixture_is_played_once(robin: League) -> None:
    fixture = first(robin)
    match = play(fixture, 10, 7)
    fixture.refresh_from_db()
    assert fixture.state == "played"
    assert open_match(fixture=fixture, by=seated(fixture)[0], at=NOW) == match
    assert Match.objects.count() == 1


def test_postponed_overdue_void_and_back(robin: League, office: Player) -> None:
    fixture = first(robin)
    later = fixture.deadline + 10 * DAY
    assert fixture in overdue(robin, at=fixture.deadline + HOUR)
    with pytest.raises(OperationError, match="past"):
        postpone(fixture=fixture, by=office, at=later, deadline=later - DAY)
    postpone(fixture=fixture, by=office, at=NOW, deadline=later, note=" ana is  ill ")
    fixture.refresh_from_db()
    assert (fixture.state, fixture.note) == ("postponed", "ana is ill")
    assert fixture not in overdue(robin, at=later - HOUR)
    void_fixture(fixture=fixture, by=office, reason="No hall.")
    with pytest.raises(OperationError, match="not to be played"):
        open_match(fixture=fixture, by=office, at=NOW)
    restored = restore_fixture(fixture=fixture, by=office, at=later + DAY)
    assert (restored.state, restored.deadline) == ("open", later + 8 * DAY)


def test_a_forfeit_counts_in_the_standings_and_rates_nobody(robin: League, office: Player) -> None:
    fixture = first(robin)
    winner, loser = seated(fixture)
    match = forfeit(fixture=fixture, seats=[1], by=office, at=NOW, note="did not come")
    rows = {row.player: row for row in standings_of(robin)}
    assert (rows[winner.pk].won, rows[loser.pk].lost) == (1, 1)
    assert Rating.objects.count() == 0
    assert fixture.seats.get(number=1).forfeits
    void_match(match=match, version=match.version, by=office, at=NOW, reason="He had come.")
    fixture.refresh_from_db()
    assert fixture.state == "open"
    assert not fixture.seats.get(number=1).forfeits
    assert play(fixture, 3, 10).state == "confirmed"
    assert world.faults() == []


def test_all_cannot_forfeit(robin: League, office: Player) -> None:
    for seats in ([0, 1], [], [2]):
        with pytest.raises(OperationError) as refused:
            forfeit(fixture=first(robin), seats=seats, by=office, at=NOW)
        assert refused.value.field == "seats"
    assert Match.objects.count() == 0


def test_a_draw_is_taken_back_until_something_was_handed_in(robin: League, office: Player) -> None:
    open_match(fixture=first(robin), by=seated(first(robin))[0], at=NOW)
    assert undraw(league=robin, by=office) == 3
    assert [(match.state, match.fixture) for match in Match.objects.all()] == [("void", None)]
    other = world.round_robin(office, ["ana", "beto", "carla"])
    play(first(other), 10, 3)
    with pytest.raises(OperationError, match="result already"):
        undraw(league=other, by=office)


def swiss_of(office: Player, names: str, **fields: object) -> League:
    league = world.found(office, plays=False, format="swiss", **fields)
    for name in names.split():
        world.enter(league, world.account(name))
    return league


def test_swiss_is_kept_as_it_was_shown(office: Player) -> None:
    league = swiss_of(office, "a b c d e", rounds_planned=2)
    shown = preview_swiss(league=league)
    assert not league.rounds.exists()
    kept = draw_next_swiss(league=league, by=office, at=NOW, edition=shown.edition)
    drawn = [[one.pk for one in seated(fixture)] for fixture in kept.fixtures.all()]
    assert drawn == [list(pairing.seats) for pairing in shown.pairings]
    assert [bye["player"] for bye in kept.byes] == [bye.player for bye in shown.byes]
    assert len(kept.byes) == 1
    with pytest.raises(OperationError, match="no confirmed result"):
        draw_next_swiss(league=league, by=office, at=NOW)
    for fixture in kept.fixtures.all():
        play(fixture, 10, 4)
    stale = preview_swiss(league=league)
    match = Match.objects.all()[0]
    void_match(match=match, version=match.version, by=office, at=NOW, reason="Oops.")
    with pytest.raises(OperationError, match="look again"):
        draw_next_swiss(league=league, by=office, at=NOW, edition=stale.edition)
    fixture = kept.fixtures.get(state="open")
    play(fixture, 4, 10)
    second = draw_next_swiss(league=league, by=office, at=NOW)
    met = {frozenset(pair) for pair in drawn}
    again = [frozenset(one.pk for one in seated(f)) for f in second.fixtures.all()]
    assert not met & set(again), "nobody meets twice while it can be helped"
    assert second.byes[0]["player"] != kept.byes[0]["player"]


def test_a_correction_tells_which_later_pairings_it_would_have_changed(office: Player) -> None:
    league = swiss_of(office, "a b c d")
    one = draw_next_swiss(league=league, by=office, at=NOW)
    matches = [play(fixture, 10, 4) for fixture in one.fixtures.all()]
    two = draw_next_swiss(league=league, by=office, at=NOW)
    play(two.fixtures.all()[0], 10, 4)
    same = preview_correction(match=matches[0], content=world.score(10, 5), by=office)
    assert same.pairings == ()
    turned = preview_correction(match=matches[0], content=world.score(4, 10), by=office)
    assert len(turned.pairings) == 2
    assert {change.round for change in turned.pairings} == {2}
    assert sorted(change.played for change in turned.pairings) == [False, True]
    for change in turned.pairings:
        assert set(change.instead) != set(change.players)
        assert change.players[0] in change.instead


def test_a_closed_league_stands_still(robin: League, office: Player) -> None:
    fixture = first(robin)
    people = seated(fixture)
    match = open_match(fixture=fixture, by=people[0], at=NOW)
    match = world.handed_in(match, people[0], world.score(10, 2))
    with pytest.raises(OperationError, match="wait for a second player"):
        close_league(league=robin, by=office, at=NOW)
    confirm(match=match, version=match.version, by=people[1], at=NOW)
    close_league(league=robin, by=office, at=NOW)
    states = Fixture.objects.values_list("state", flat=True)
    assert sorted(states) == ["played", *["void"] * 5]
    with pytest.raises(OperationError, match="closed"):
        world.enter(robin, world.account("late"))
    assert reopen_league(league=robin, by=office, at=NOW).closed_at is None


# Queries ----------------------------------------------------------------------------------


def test_standings_take_as_many_queries_for_many_as_for_few(office: Player) -> None:
    def asked(league: League) -> int:
        with CaptureQueriesContext(connection) as caught:
            standings_of(league)
        return len(caught)

    small = world.round_robin(office, ["a", "b", "c"], cut=1)
    for fixture in Fixture.objects.filter(round__league=small):
        play(fixture, 10, 4)
    large = world.round_robin(office, ["a", "b", "c", "d", "e"], cut=2)
    for fixture in Fixture.objects.filter(round__league=large)[:9]:
        play(fixture, 10, 4)
    assert asked(small) == asked(large) <= 6
