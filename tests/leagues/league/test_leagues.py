"""A league from its creation to its end: settings, members, rounds and forfeits."""

import datetime as dt
from collections.abc import Callable

import pytest

from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import forfeit_fixture, postpone_fixture, undraw, void_fixture
from leagues.league.operations import change_settings, close_league, renew_invitation, settings_of
from leagues.matches.operations.matches import confirm, open_match
from leagues.members.operations.membership import (
    FixtureHandling,
    add_guest,
    join_league,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.models import Fixture, League, Member, Place, Player, Rating, Result
from leagues.standings.queries import standings_basis
from tests.leagues import world
from tests.leagues.world import NOW, first_fixture, play, seated

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def robin(office: Player) -> League:
    """Create a round robin of four players with all three rounds drawn."""
    return world.round_robin(office, ["ana", "beto", "carla", "dora"])


def player(name: str) -> Player:
    return Player.objects.get(name=name)


# Creation and settings


def test_guest_cannot_create_a_league() -> None:
    with pytest.raises(NotAllowed, match="Sign in"):
        world.found_league(world.guest("Gus"))


def test_creator_of_a_league_becomes_its_organiser(office: Player) -> None:
    league = world.found_league(office)
    assert world.roles(league) == {"office": "organiser"}
    assert league.rules == {"highest": 13, "target": 10, "partners": False}
    assert len(league.rules_hash) == 64


def test_slug_of_a_league_that_is_not_public_is_hard_to_guess(office: Player) -> None:
    assert world.found_league(office, visibility="public").slug == "thursday"
    slugs = {
        world.found_league(office, visibility=kind).slug for kind in ("link", "private", "link")
    }
    assert len(slugs) == 3
    assert all(len(slug) >= len("thursday-") + 12 for slug in slugs)
    assert world.found_league(office, visibility="public").slug.startswith("thursday-"), (
        "taken already"
    )


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
def test_invalid_league_settings_are_rejected_at_their_field(
    office: Player, field: str, value: object
) -> None:
    with pytest.raises(OperationError) as refused:
        world.found_league(office, **{field: value})
    assert refused.value.field == field
    assert League.objects.count() == 0


def test_own_rules_of_a_league_are_normalised_by_the_game(office: Player) -> None:
    league = world.found_league(office, profile="own", rules={"target": 30})
    assert league.rules["target"] == 30
    with pytest.raises(OperationError) as refused:
        world.found_league(office, profile="own", rules={"target": 0})
    assert refused.value.field == "target"


def test_rules_cannot_change_after_the_first_match(office: Player) -> None:
    league = world.found_league(office)
    world.enter_league(league, world.account("ana"))
    settings = world.changed_settings(settings_of(league), profile="long", name="Friday")
    league = change_settings(league=league, settings=settings, by=office, at=NOW)
    assert (league.rules["target"], league.name) == (50, "Friday")
    world.draft_match(league, [office, player("ana")])
    with pytest.raises(
        OperationError, match="The league has started, so this setting can’t be changed"
    ):
        change_settings(
            league=league,
            settings=world.changed_settings(settings, profile="plain"),
            by=office,
            at=NOW,
        )
    change_settings(
        league=league, settings=world.changed_settings(settings, cut=1), by=office, at=NOW
    )


def test_scoring_cannot_change_after_the_first_result(office: Player) -> None:
    league = world.found_league(office)
    world.enter_league(league, world.account("ana"))
    world.played(league, [office, player("ana")], [10, 1])
    settings = world.changed_settings(settings_of(league), scoring={"kind": "points"})
    with pytest.raises(OperationError) as refused:
        change_settings(league=league, settings=settings, by=office, at=NOW)
    assert refused.value.field == "scoring"


@pytest.mark.slow
def test_results_count_for_site_ratings_only_while_the_league_is_public(office: Player) -> None:
    league = world.found_league(office, visibility="link")
    world.enter_league(league, world.account("ana"))
    world.played(league, [office, player("ana")], [10, 1])
    assert Rating.objects.filter(league=None).count() == 0
    for visibility, count in (("public", 2), ("private", 0), ("public", 2)):
        settings = world.changed_settings(settings_of(league), visibility=visibility)
        league = change_settings(league=league, settings=settings, by=office, at=NOW)
        assert Rating.objects.filter(league=None).count() == count
        assert world.faults() == []


def test_stranger_cannot_change_a_league(robin: League) -> None:
    stranger = world.account("stranger")
    deeds: list[Callable[[], object]] = [
        lambda: change_settings(league=robin, settings=settings_of(robin), by=stranger, at=NOW),
        lambda: renew_invitation(league=robin, by=stranger),
        lambda: close_league(league=robin, by=stranger, at=NOW),
        lambda: add_guest(league=robin, name="Gus", by=stranger, at=NOW),
        lambda: set_role(league=robin, player=player("ana"), role=Member.Role.SCORER, by=stranger),
        lambda: withdraw(
            league=robin,
            player=player("ana"),
            by=stranger,
            at=NOW,
            handling=FixtureHandling.FORFEIT,
        ),
        lambda: postpone_fixture(
            fixture=first_fixture(robin), by=stranger, at=NOW, deadline=NOW + DAY
        ),
        lambda: forfeit_fixture(fixture=first_fixture(robin), seats=[0], by=stranger, at=NOW),
        lambda: void_fixture(fixture=first_fixture(robin), by=stranger, at=NOW, reason="x"),
        lambda: undraw(league=robin, by=stranger, at=NOW),
        lambda: open_match(fixture=first_fixture(robin), by=stranger, at=NOW),
    ]
    for deed in deeds:
        with pytest.raises(NotAllowed):
            deed()
    robin.refresh_from_db()
    assert robin.closed_at is None


# People


def test_invitation_works_until_it_is_renewed(office: Player) -> None:
    league = world.found_league(office)
    old = league.invitation
    new = renew_invitation(league=league, by=office)
    with pytest.raises(OperationError, match="has been replaced"):
        join_league(token=old, by=world.account("ana"), at=NOW)
    assert join_league(token=new, by=player("ana"), at=NOW).role == "player"


def test_league_always_has_an_organiser(office: Player) -> None:
    league = world.found_league(office)
    ana = world.account("ana")
    world.enter_league(league, ana)
    with pytest.raises(OperationError, match="A league needs at least one organiser"):
        set_role(league=league, player=office, role=Member.Role.PLAYER, by=office)
    set_role(league=league, player=ana, role=Member.Role.ORGANISER, by=office)
    set_role(league=league, player=office, role=Member.Role.PLAYER, by=office)
    assert world.roles(league) == {"office": "player", "ana": "organiser"}


def test_guest_cannot_become_organiser(office: Player) -> None:
    league = world.found_league(office)
    gus = add_guest(league=league, name=" Gus  Grande ", by=office, at=NOW).player
    assert gus.name == "Gus Grande"
    with pytest.raises(OperationError, match="account"):
        set_role(league=league, player=gus, role=Member.Role.ORGANISER, by=office)
    with pytest.raises(OperationError, match="already"):
        add_guest(league=league, name="gus grande", by=office, at=NOW)


def test_players_cannot_join_a_round_robin_after_its_draw(robin: League) -> None:
    with pytest.raises(OperationError, match="drawn"):
        world.enter_league(robin, world.account("late"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("handling", "state"), [(FixtureHandling.FORFEIT, "forfeited"), (FixtureHandling.VOID, "void")]
)
def test_withdrawal_changes_fixtures_as_previewed(
    robin: League, office: Player, handling: FixtureHandling, state: str
) -> None:
    ana = player("ana")
    mine = Fixture.objects.filter(seats__player=ana).order_by("round__number")
    play(mine[0], 10, 3)
    going = preview_withdrawal(league=robin, player=ana)
    assert {fixture.pk for fixture in going.fixtures} == {mine[1].pk, mine[2].pk}
    assert Member.objects.get(player=ana).withdrawn_at is None
    withdraw(league=robin, player=ana, by=office, at=NOW, handling=handling)
    assert [fixture.state for fixture in mine.all()] == ["played", state, state]
    rows = {row.player: row for row in standings_basis(robin).rows()}
    assert rows[ana.pk].withdrawn
    assert Result.objects.count() == (3 if handling is FixtureHandling.FORFEIT else 1)
    assert Rating.objects.filter(league=robin).count() == 2, "a forfeit rates nobody"
    with pytest.raises(OperationError, match="does not play"):
        withdraw(league=robin, player=ana, by=office, at=NOW, handling=handling)
    assert return_to_league(league=robin, player=ana, by=office).withdrawn_at is None
    assert world.faults() == []


def test_player_who_leaves_on_their_own_forfeits_all_fixtures(robin: League) -> None:
    ana = player("ana")
    with pytest.raises(NotAllowed):
        withdraw(league=robin, player=ana, by=ana, at=NOW, handling=FixtureHandling.VOID)
    withdraw(league=robin, player=ana, by=ana, at=NOW, handling=FixtureHandling.FORFEIT)
    assert Place.objects.filter(player=ana, place=2).count() == 3


@pytest.mark.slow
def test_submitted_match_of_a_player_who_leaves_can_still_be_confirmed(
    robin: League, office: Player
) -> None:
    ana = player("ana")
    fixture = Fixture.objects.filter(seats__player=ana).order_by("pk")[0]
    people = seated(fixture)
    match = world.handed_in(
        open_match(fixture=fixture, by=people[0], at=NOW), people[0], world.score(10, 4)
    )
    going = withdraw(league=robin, player=ana, by=office, at=NOW, handling=FixtureHandling.VOID)
    assert going.waiting == (match,)
    confirm(match=match, version=match.version, by=people[1], at=NOW)
    fixture.refresh_from_db()
    assert fixture.state == "played"
