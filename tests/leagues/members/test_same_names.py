"""Names are equal if they differ only in case, Unicode form or invisible characters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from leagues.exceptions import OperationError, is_accepted
from leagues.matches.operations.matches import players_by_name
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import check_mergeable, merge_players, same_names
from leagues.members_read.queries import members_of
from leagues.models import (
    Fixture,
    FixtureSeat,
    League,
    Member,
    Player,
    Round,
    Table,
    TableSeat,
)
from leagues.players import clean_name, player_of_user, rename_player
from tests.databases import opened
from tests.factories import browser
from tests.leagues import game, world
from tests.leagues.world import NOW

# The name in decomposed form, in which the accent is a separate character, as some files write it.
DECOMPOSED = "A\u0301lvaro"


@pytest.fixture(scope="module", autouse=True)
def _game() -> None:
    game.register()


@pytest.mark.parametrize(
    ("there", "typed"),
    [
        ("Ana", "ANA"),
        ("Ólga", "ólga"),
        ("ÓLGA", "o\u0301lga"),
        ("Álvaro", DECOMPOSED),
        (DECOMPOSED, "Álvaro"),
        ("Ana\u200b", "Ana"),
        ("Ana", "\u202eAna\u202c"),
        ("Straße", "STRASSE"),
    ],
)
def test_second_guest_of_an_equal_name_is_rejected(shared: str, there: str, typed: str) -> None:
    with opened(shared):
        office = world.account("office")
        league = world.found_league(office)
        other = world.guest(there)
        Member.objects.create(league=league, player=other, joined_at=NOW)
        with pytest.raises(OperationError, match="already has a player called") as refused:
            add_guest(league=league, name=typed, by=office, at=NOW)
        assert refused.value.field == "name"
        assert Player.objects.guests().count() == 1


@pytest.mark.parametrize(("there", "typed"), [("Peña", "Pena"), ("Ana", "Ana B"), ("José", "Jose")])
def test_name_with_another_accent_is_another_guest(shared: str, there: str, typed: str) -> None:
    with opened(shared):
        office = world.account("office")
        league = world.found_league(office)
        add_guest(league=league, name=there, by=office, at=NOW)
        assert add_guest(league=league, name=typed, by=office, at=NOW).player.name == typed


@pytest.mark.django_db
def test_names_of_guests_and_players_are_stored_clean() -> None:
    office = world.account("office")
    league = world.found_league(office)
    assert add_guest(
        league=league, name=f" {DECOMPOSED}\u200b ", by=office, at=NOW
    ).player.name == ("Álvaro")
    assert rename_player(player=office, name="\u202eJos\u0065\u0301").name == "José"
    family = "👨‍👩‍👧"
    assert clean_name(f"Ana {family}") == f"Ana {family}"


@pytest.mark.django_db
def test_length_of_a_name_counts_composed_characters() -> None:
    assert clean_name("a\u0301" * 60) == "á" * 60
    with pytest.raises(OperationError, match="60"):
        clean_name("á" * 61)


@pytest.mark.parametrize(
    ("full_name", "username", "name"),
    [
        ("x" * 58 + "👨‍👩‍👧", "u", "x" * 58),
        ("\u200b", "ana", "ana"),
        ("", "\u3164", None),
    ],
)
@pytest.mark.django_db
def test_user_with_an_unsuitable_name_still_gets_a_player(
    full_name: str, username: str, name: str | None
) -> None:
    user = User.objects.create(username=username, first_name=full_name)
    assert player_of_user(user, at=NOW).name == (name or str(user.pk))


@pytest.mark.django_db
def test_player_of_a_former_match_is_found_by_every_spelling_of_the_name() -> None:
    office = world.account("office")
    (alvaro,) = players_by_name(by=office, at=NOW, names=["Álvaro"])
    assert players_by_name(by=office, at=NOW, names=["ÁLVARO"]) == [alvaro]
    assert players_by_name(by=office, at=NOW, names=[f"{DECOMPOSED}\u200b"]) == [alvaro]
    ana, again = players_by_name(by=office, at=NOW, names=["Ana", "ana\u200b"])
    assert ana == again, "one player, whom no match seats twice"


# The following tests are about guests of earlier versions.


@pytest.fixture
def office(db: None) -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    return world.found_league(office, plays=False)


def joined(league: League, name: str) -> Player:
    """Add a guest whose name equals another, as earlier versions allowed."""
    player = world.guest(name)
    Member.objects.create(league=league, player=player, joined_at=NOW)
    return player


def offered_merges(league: League, by: Player) -> list[tuple[Player, Player]]:
    with CaptureQueriesContext(connection) as queries:
        members = members_of(league)
        offers = same_names(members, by)
    assert len(queries) <= 2
    return [(same.member.player, same.kept) for same in offers]


def test_merge_of_guests_with_equal_names_is_offered(league: League, office: Player) -> None:
    first, other = joined(league, "Álvaro"), joined(league, DECOMPOSED)
    third = joined(league, "ÁLVARO")
    joined(league, "Alvaro")
    assert offered_merges(league, office) == [(other, first), (third, first)]


def test_merge_into_their_own_account_is_offered_but_not_into_others(
    league: League, office: Player
) -> None:
    world.enter_league(league, office)
    own, ana = joined(league, "Office"), world.account("ana")
    world.enter_league(league, ana)
    joined(league, "Ana")
    assert offered_merges(league, office) == [(own, office)]


def test_merge_into_an_organiser_who_joined_later_is_offered(
    league: League, office: Player
) -> None:
    """For other organisers, the offer is to merge the same guests into the first guest."""
    before = joined(league, "Beto")
    beto = world.account("beto")
    after = joined(league, "BETO")
    world.enter_league(league, beto)
    world.give_role(league, beto, Member.Role.ORGANISER)
    assert offered_merges(league, beto) == [(before, beto), (after, beto)]
    assert offered_merges(league, office) == [(after, before)]
    for guest, kept in offered_merges(league, beto):
        check_mergeable(guest, kept)


def test_merge_of_players_who_met_is_not_offered(shared: str) -> None:
    with opened(shared):
        office = world.account("office")
        league = world.found_league(office, plays=False)
        first, other = joined(league, "Ana"), joined(league, "ana")
        third = joined(league, "ANA")
        world.played(league, [first, other], [10, 3])
        assert offered_merges(league, office) == [(third, first)]


def at_a_fixture(league: League, *players: Player) -> None:
    drawn = Round.objects.create(league=league, number=1, drawn_at=NOW, deadline=NOW)
    fixture = Fixture.objects.create(round=drawn, number=1, deadline=NOW, state="void")
    for number, player in enumerate(players, start=1):
        FixtureSeat.objects.create(fixture=fixture, number=number, player=player)


def at_a_table(state: str) -> Callable[..., None]:
    def sit(league: League, *players: Player) -> None:
        table = Table.objects.create(
            **{name: getattr(league, name) for name in ("game", "profile", "rules", "rules_hash")},
            host=players[0],
            state=state,
            created_at=NOW,
            changed_at=NOW,
        )
        for number, player in enumerate(players, start=1):
            TableSeat.objects.create(table=table, number=number, player=player)

    return sit


def in_a_match(league: League, *players: Player) -> None:
    world.played(league, players, [10, 3])


# Ways in which two players may have met, and whether they are therefore two people.
MEETINGS: dict[str, tuple[Callable[..., None], bool]] = {
    "a match": (in_a_match, True),
    "a fixture": (at_a_fixture, True),
    **{f"a table: {one}": (at_a_table(one), one in Table.ACTIVE) for one in Table.State},
}


@pytest.mark.parametrize("meeting", MEETINGS)
@pytest.mark.parametrize("through", [False, True], ids=["themselves", "a guest merged into one"])
def test_merge_of_players_who_met_is_neither_offered_nor_accepted(
    league: League, office: Player, meeting: str, through: bool
) -> None:
    meet, are_two = MEETINGS[meeting]
    first, other = joined(league, "Ana"), joined(league, "ana")
    assert offered_merges(league, office) == [(other, first)]
    check_mergeable(other, first)
    met = joined(league, "Anita") if through else first
    meet(league, met, other)
    if through:
        merge_players(absorbed=met, kept=first, by=office, at=NOW)
    assert offered_merges(league, office) == ([] if are_two else [(other, first)])
    for pair in ((other, first), (first, other)):
        assert is_accepted(partial(check_mergeable, *pair)) is not are_two


def test_check_for_equal_names_takes_no_query_if_all_names_differ(
    league: League, office: Player
) -> None:
    joined(league, "Ana")
    with CaptureQueriesContext(connection) as queries:
        members = members_of(league)
        assert same_names(members, office) == []
    assert len(queries) == 1


def test_organiser_sees_the_offered_merge(league: League, office: Player) -> None:
    first, other = joined(league, "Álvaro"), joined(league, DECOMPOSED)
    member = Member.objects.get(player=other)
    path = reverse("member_merge", args=[league.slug, member.pk]) + f"?into={first.slug}"
    client = Client()
    page = reverse("league_members", args=[league.slug])
    assert office.user is not None
    client.force_login(office.user)
    text = client.get(page).content.decode()
    assert "Players with the same name" in text
    assert path in text
    assert client.get(path).status_code == 200
    client.post(path.partition("?")[0], {"into": first.slug})
    assert "Players with the same name" not in client.get(page).content.decode()


def test_other_members_see_no_offered_merge(league: League, office: Player) -> None:
    joined(league, "Álvaro"), joined(league, DECOMPOSED)
    ana = world.account("ana")
    world.enter_league(league, ana)
    for who, sees in ((office, True), (ana, False)):
        page = browser(who).get(reverse("league_members", args=[league.slug]))
        assert page.status_code == 200
        assert ("Players with the same name" in page.text) is sees
