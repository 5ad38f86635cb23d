"""Players of visitors and accounts, claims of guests by users, and merges of players."""

import datetime as dt
import re
from itertools import pairwise

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client, RequestFactory

from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import (
    SALT,
    answer_claim,
    claim_by_link,
    claim_held_guest,
    guest_link,
    merge_players,
    merges_of,
    play_as_guest,
    preview_merge,
    propose_claim,
    undo_merge,
)
from leagues.members_read.queries import role_in
from leagues.models import Claim, FixtureSeat, League, Member, Merge, Place, Player, Rating
from leagues.permissions import may_play
from leagues.players import GUEST_SESSION_KEY, become_guest, clean_name, player_of
from leagues.standings.queries import standings_basis
from tests.leagues import world
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db


def visit(player: Player | None = None, session: SessionBase | None = None) -> WSGIRequest:
    """Return a request of a signed-in player, or of a browser with this session."""
    request = RequestFactory().get("/")
    request.user = player.user if player and player.user else AnonymousUser()
    request.session = session if session is not None else SessionStore()
    return request


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    return world.found_league(office, plays=False)


@pytest.fixture
def gus(league: League, office: Player) -> Player:
    return add_guest(league=league, name="Gus", by=office, at=NOW).player


# The following tests are about the player of a request.


def test_visitor_has_no_player_until_entering_a_name() -> None:
    browser = visit()
    assert player_of(browser) is None
    guest = become_guest(browser, "  Ana   Belén ")
    assert (guest.name, guest.is_guest) == ("Ana Belén", True)
    assert player_of(browser) == guest
    assert become_guest(browser, "Another") == guest, "one guest a browser"
    assert Player.objects.count() == 1


def test_user_gets_a_player_at_the_first_request() -> None:
    from accounts.models import User

    user = User.objects.create(username="x" * 150)
    request = visit()
    request.user = user
    player = player_of(request)
    assert player is not None
    assert (player.user, len(player.name)) == (user, 60)
    assert player_of(request) == player
    with pytest.raises(OperationError, match="signed in"):
        become_guest(request, "Ana")


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200b", "\x00", "x" * 61])
def test_invisible_or_too_long_name_is_rejected(name: str) -> None:
    with pytest.raises(OperationError) as refused:
        clean_name(name)
    assert refused.value.field == "name"


@pytest.mark.parametrize("kept", [None, "7", -1, 10**30, [1]])
def test_session_with_an_invalid_guest_has_no_player(kept: object) -> None:
    session = SessionStore()
    session[GUEST_SESSION_KEY] = kept
    assert player_of(visit(session=session)) is None


def test_players_of_the_same_name_have_different_slugs() -> None:
    slugs = {world.guest(name).slug for name in ("Ana", "ana", "ANA", "¿?", "¡!")}
    assert slugs == {"ana", "ana-2", "ana-3", "player", "player-2"}


def test_signed_out_browser_does_not_act_for_the_account_that_took_its_guest() -> None:
    browser, ana = visit(), world.account("ana")
    guest = become_guest(browser, "Anita")
    signed_in = visit(ana, browser.session)
    assert player_of(signed_in) == ana
    merge = claim_held_guest(signed_in, by=ana, at=NOW)
    assert merge is not None
    assert player_of(visit(session=browser.session)) is None
    guest.refresh_from_db()
    assert guest.merged_into == ana
    assert claim_held_guest(signed_in, by=ana, at=NOW) is None


# Claims of guests


def test_link_merges_a_guest_into_the_account(league: League, gus: Player, office: Player) -> None:
    token = guest_link(guest=gus, by=office)
    ana = world.account("ana")
    merge = claim_by_link(token=token, by=ana, at=NOW)
    assert (merge.absorbed, merge.kept) == (gus, ana)
    assert role_in(ana, league) == Member.Role.PLAYER, "what the guest was in, the account is in"
    assert may_play(ana, league)
    with pytest.raises(OperationError, match="Someone has already claimed to be this guest"):
        claim_by_link(token=token, by=world.account("thief"), at=NOW)


def test_link_lets_another_browser_play_as_the_guest(gus: Player, office: Player) -> None:
    browser = visit()
    assert play_as_guest(browser, token=guest_link(guest=gus, by=office)) == gus
    assert player_of(browser) == gus


@pytest.mark.parametrize(
    "token",
    ["", "x", signing.dumps(1, salt="another"), signing.dumps(10**9, salt=SALT)],
    # Tokens contain the time and differ in each run, so they cannot be the ids of the test cases.
    ids=["empty", "short", "of another kind", "of nobody"],
)
def test_invalid_guest_link_is_rejected(token: str) -> None:
    with pytest.raises(OperationError):
        claim_by_link(token=token, by=world.account("ana"), at=NOW)
    assert Merge.objects.count() == 0


def test_only_organisers_can_create_the_link_of_a_guest(gus: Player) -> None:
    with pytest.raises(NotAllowed):
        guest_link(guest=gus, by=world.account("stranger"))


def test_organiser_accepts_or_rejects_a_claim(gus: Player, office: Player) -> None:
    ana, beto = world.account("ana"), world.account("beto")
    no = propose_claim(guest=gus, by=beto, at=NOW)
    yes = propose_claim(guest=gus, by=ana, at=NOW)
    with pytest.raises(
        OperationError,
        match=r"You have already claimed to be this guest\. An organiser will decide",
    ):
        propose_claim(guest=gus, by=ana, at=NOW)
    with pytest.raises(NotAllowed):
        answer_claim(claim=yes, granted=True, by=beto, at=NOW)
    assert answer_claim(claim=no, granted=False, by=office, at=NOW) is None
    merge = answer_claim(claim=yes, granted=True, by=office, at=NOW)
    assert merge is not None
    assert merge.kept == ana
    with pytest.raises(OperationError, match="The claim to this guest has already been decided"):
        answer_claim(claim=yes, granted=True, by=office, at=NOW)
    assert Claim.objects.filter(answered_at=None).count() == 0


def test_rejected_user_may_claim_a_guest_again(gus: Player, office: Player) -> None:
    """Claims of other users, and earlier decisions about the same guest, do not prevent a new
    claim.
    """
    ana, beto = world.account("ana"), world.account("beto")
    propose_claim(guest=gus, by=beto, at=NOW)
    for hour in range(3):
        claim = propose_claim(guest=gus, by=ana, at=NOW + hour * HOUR)
        with pytest.raises(OperationError, match="You have already claimed to be this guest"):
            propose_claim(guest=gus, by=ana, at=NOW + hour * HOUR)
        answer_claim(claim=claim, granted=False, by=office, at=NOW + hour * HOUR)
    claims = Claim.objects.order_by("pk").values_list("by__name", "answered_at")
    assert list(claims) == [("beto", None), *[("ana", NOW + hour * HOUR) for hour in range(3)]]


def test_organiser_cannot_decide_their_own_claim(gus: Player, office: Player) -> None:
    claim = propose_claim(guest=gus, by=office, at=NOW)
    with pytest.raises(NotAllowed, match="Another organiser"):
        answer_claim(claim=claim, granted=True, by=office, at=NOW)


def test_merge_answers_all_claims_of_its_guest_and_no_others(
    gus: Player, league: League, office: Player
) -> None:
    eva = add_guest(league=league, name="Eva", by=office, at=NOW).player
    ana, beto = world.account("ana"), world.account("beto")
    granted = propose_claim(guest=gus, by=ana, at=NOW)
    too_late = propose_claim(guest=gus, by=beto, at=NOW)
    other = propose_claim(guest=eva, by=ana, at=NOW)
    answer_claim(claim=granted, granted=True, by=office, at=NOW)
    claims = Claim.objects.in_bulk()
    assert [claims[one.pk].granted for one in (granted, too_late)] == [True, False]
    assert claims[too_late.pk].answered_by == office
    assert claims[other.pk].answered_at is None


# Merges


def test_players_who_met_in_a_match_cannot_be_merged(
    league: League, gus: Player, office: Player
) -> None:
    ana = world.account("ana")
    world.enter_league(league, ana)
    world.played(league, [ana, gus], [10, 3])
    with pytest.raises(
        OperationError, match="have played in the same match, so they must be two different people"
    ):
        preview_merge(absorbed=gus, kept=ana)
    with pytest.raises(
        OperationError, match="have played in the same match, so they must be two different people"
    ):
        merge_players(absorbed=gus, kept=ana, by=office, at=NOW)


def test_merge_preview_always_includes_the_ratings_of_the_site(office: Player) -> None:
    """Ratings of a league are included only if the user may know of the league."""
    league = world.found_league(office, plays=False, visibility="public", seats=3)
    ana, berta = world.account("ana"), world.account("berta")
    gus, eva = (
        add_guest(league=league, name=name, by=office, at=NOW).player for name in ("Gus", "Eva")
    )
    for player in (ana, berta):
        world.enter_league(league, player)
    world.played(league, [ana, berta, gus], [10, 5, 3])

    def where(among: set[int] | None) -> set[League | None]:
        ratings = preview_merge(absorbed=gus, kept=eva, among=among).ratings
        return {change.league for change in ratings}

    assert where(None) == where({league.pk}) == {None, league}
    assert where(set()) == {None}


def test_only_guests_can_be_merged_into_others(league: League, office: Player) -> None:
    ana, beto = world.account("ana"), world.account("beto")
    for player in (ana, beto):
        world.enter_league(league, player)
    with pytest.raises(OperationError, match="has an account"):
        merge_players(absorbed=ana, kept=beto, by=office, at=NOW)
    with pytest.raises(OperationError, match="same person"):
        merge_players(absorbed=ana, kept=ana, by=office, at=NOW)


@pytest.mark.slow
def test_several_merges_can_be_undone_in_any_order(league: League, office: Player) -> None:
    names = ("gus", "gustavo", "g.")
    one, two, three = (
        add_guest(league=league, name=name, by=office, at=NOW).player for name in names
    )
    ana = world.account("ana")
    world.enter_league(league, ana)
    for minute, guest in enumerate((one, two, three)):
        world.played(league, [ana, guest], [10, minute], at=NOW + dt.timedelta(minutes=minute))
    first = merge_players(absorbed=one, kept=two, by=office, at=NOW)
    second = merge_players(absorbed=two, kept=three, by=office, at=NOW)

    def owners() -> list[str]:
        rows = Place.objects.exclude(player=ana).order_by("result__played_at")
        return list(rows.values_list("player__name", flat=True))

    assert owners() == ["g."] * 3
    assert Rating.objects.get(league=league, player=three).matches == 3
    undo_merge(merge=first, by=office, at=NOW)
    assert owners() == ["gus", "g.", "g."]
    undo_merge(merge=second, by=office, at=NOW)
    assert owners() == ["gus", "gustavo", "g."]
    with pytest.raises(OperationError, match="already been undone"):
        undo_merge(merge=second, by=office, at=NOW)
    again = merge_players(absorbed=one, kept=three, by=office, at=NOW)
    assert again.kept == three
    assert owners() == ["g.", "gustavo", "g."]
    assert world.faults() == []


@pytest.mark.parametrize("undone", [0, 1, 2])
def test_guest_follows_the_player_into_whom_it_was_merged(
    league: League, office: Player, undone: int
) -> None:
    """Each of four guests is merged into the next one, and then one of the merges is undone."""
    guests = [
        add_guest(league=league, name=name, by=office, at=NOW).player
        for name in ("gus", "gustavo", "g.", "gg")
    ]

    def people() -> list[str]:
        """Return the name of the player to whom each guest belongs."""
        rows = Player.objects.select_related("merged_into").in_bulk([one.pk for one in guests])
        return [(rows[one.pk].merged_into or rows[one.pk]).name for one in guests]

    assert people() == ["gus", "gustavo", "g.", "gg"]
    merges = [
        merge_players(absorbed=one, kept=other, by=office, at=NOW)
        for one, other in pairwise(guests)
    ]
    assert people() == ["gg"] * 4
    undo_merge(merge=merges[undone], by=office, at=NOW)
    below = undone + 1
    assert people() == [guests[undone].name] * below + ["gg"] * (4 - below)


def test_player_may_also_undo_the_earlier_merges_of_a_guest_merged_into_the_account(
    league: League, office: Player
) -> None:
    """The latest merge comes first."""
    one, two = (
        add_guest(league=league, name=name, by=office, at=NOW).player for name in ("gus", "g.")
    )
    earlier = merge_players(absorbed=one, kept=two, by=office, at=NOW)
    gustavo = world.account("gustavo")
    later = claim_by_link(token=guest_link(guest=two, by=office), by=gustavo, at=NOW + HOUR)
    for player in (gustavo, office):
        assert merges_of(gustavo, to=player) == [later, earlier]
    assert merges_of(gustavo, to=world.account("stranger")) == []


def test_undone_merge_leaves_a_player_seated_under_their_own_name_in_the_league(
    gus: Player, league: League, office: Player
) -> None:
    """A match after the merge has the account's name, although the account is not a member yet."""
    ana, gustavo = world.account("ana"), world.account("gustavo")
    world.enter_league(league, ana)
    merge = claim_by_link(token=guest_link(guest=gus, by=office), by=gustavo, at=NOW)
    world.played(league, [ana, gustavo], [10, 4])
    assert not Member.objects.filter(league=league, player=gustavo).exists()
    undo_merge(merge=merge, by=office, at=NOW)
    rows = {row.player: row for row in standings_basis(league).rows()}
    assert (rows[gustavo.pk].lost, rows[gus.pk].lost) == (1, 0)
    assert Member.objects.filter(league=league, player=gustavo, role=Member.Role.PLAYER).exists()


def test_undone_merge_leaves_a_player_drawn_under_their_own_name_in_the_league(
    office: Player,
) -> None:
    """The round was drawn after the merge, and its matches have not been opened yet."""
    league = world.found_league(office, format=League.Format.ROUND_ROBIN, plays=False)
    gus = add_guest(league=league, name="Gus", by=office, at=NOW).player
    gustavo = world.account("gustavo")
    world.enter_league(league, world.account("ana"))
    merge = claim_by_link(token=guest_link(guest=gus, by=office), by=gustavo, at=NOW)
    draw_round_robin(league=league, by=office, at=NOW)
    assert FixtureSeat.objects.filter(player=gustavo).exists()
    assert not Member.objects.filter(league=league, player=gustavo).exists()
    undo_merge(merge=merge, by=office, at=NOW)
    assert Member.objects.filter(league=league, player=gustavo, role=Member.Role.PLAYER).exists()
    assert gustavo.pk in {row.player for row in standings_basis(league).rows()}


def test_undone_merge_adds_no_member_who_was_not_seated(
    gus: Player, league: League, office: Player
) -> None:
    gustavo = world.account("gustavo")
    merge = claim_by_link(token=guest_link(guest=gus, by=office), by=gustavo, at=NOW)
    undo_merge(merge=merge, by=office, at=NOW)
    assert not Member.objects.filter(player=gustavo).exists()


def test_stranger_can_neither_merge_nor_separate_players(
    gus: Player, league: League, office: Player
) -> None:
    other = add_guest(league=league, name="Otto", by=office, at=NOW).player
    stranger = world.account("stranger")
    with pytest.raises(NotAllowed):
        merge_players(absorbed=gus, kept=other, by=stranger, at=NOW)
    merge = merge_players(absorbed=gus, kept=other, by=office, at=NOW)
    with pytest.raises(NotAllowed):
        undo_merge(merge=merge, by=stranger, at=NOW)


def test_members_page_lists_names_in_spanish_order(client: Client) -> None:
    league = world.found_league(world.account("Zulema"), visibility=League.Visibility.PUBLIC)
    for name in ("Zoe", "Álvaro", "Nuria", "Ñaco", "Oscar", "Óscar B"):
        add_guest(league=league, name=name, by=world.called("Zulema"), at=world.NOW)
    text = client.get(f"/leagues/{league.slug}/players/").text
    expected = ["Álvaro", "Nuria", "Ñaco", "Oscar", "Óscar B", "Zoe"]
    one_of = "|".join(sorted(expected, key=len, reverse=True))
    assert re.findall(rf">\s*({one_of})\s*<", text) == expected
