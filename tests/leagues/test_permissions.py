"""Permissions in a league: who can see it and act in it, by visibility and role."""

from itertools import product

import pytest

from accounts.models import User
from leagues.league.queries import find_edition
from leagues.members_read.queries import role_in
from leagues.models import League, Match, Member, Player
from leagues.permissions import (
    league_role_of,
    may_organise,
    may_play,
    may_score,
    may_view,
    may_view_match,
)
from leagues.players import player_of_user
from tests.leagues import game, world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db

WHO = ("nobody", "stranger", "player", "scorer", "organiser", "office")
VISIBILITIES = ("public", "link", "private")
ORGANISE = {"organiser", "office"}
SCORE = ORGANISE | {"scorer"}
INSIDE = SCORE | {"player"}
EVERYBODY = set(WHO)
VIEW = {  # by visibility, and by knowledge of the URL
    ("public", False): EVERYBODY,
    ("public", True): EVERYBODY,
    ("link", False): INSIDE,
    ("link", True): EVERYBODY,
    ("private", False): INSIDE,
    ("private", True): INSIDE,
}


@pytest.fixture
def people() -> dict[str, Player | None]:
    office = player_of_user(User.objects.create_superuser("office"), at=NOW)
    accounts = {name: world.account(name) for name in WHO[1:-1]}
    return {"nobody": None, **accounts, "office": office}


def league_of(people: dict[str, Player | None], visibility: str) -> League:
    organiser = people["organiser"]
    assert organiser is not None
    league = world.found_league(organiser, visibility=visibility)
    for name in ("player", "scorer"):
        member = people[name]
        assert member is not None
        world.enter_league(league, member)
        world.give_role(league, member, Member.Role(name))
    return league


@pytest.mark.parametrize(("visibility", "knows"), list(product(VISIBILITIES, (False, True))))
def test_visibility_of_a_league_decides_who_can_see_it(
    people: dict[str, Player | None], visibility: str, knows: bool
) -> None:
    league = league_of(people, visibility)
    seeing = {who for who in WHO if may_view(people[who], league, knows_link=knows)}
    assert seeing == VIEW[visibility, knows]


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_role_in_a_league_decides_who_can_organise_score_and_play(
    people: dict[str, Player | None], visibility: str
) -> None:
    league = league_of(people, visibility)
    assert {who for who in WHO if may_organise(people[who], league)} == ORGANISE
    assert {who for who in WHO if may_score(people[who], league)} == SCORE
    assert {who for who in WHO if may_play(people[who], league)} == {
        "player", "scorer", "organiser",
    }  # fmt: skip
    for who in people.values():
        part = league_role_of(who, league)
        assert part.organises == may_organise(who, league)
        assert part.scores == may_score(who, league)
        assert part.plays == may_play(who, league)
        assert part.role == role_in(who, league)


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_match_is_visible_to_those_who_see_its_league(
    people: dict[str, Player | None], visibility: str
) -> None:
    league = league_of(people, visibility)
    match = Match.objects.create(
        league=league, game=game.KEY, rules={}, rules_hash="", played_at=NOW, created_at=NOW,
        key="k",
    )  # fmt: skip
    seeing = {who for who in WHO if may_view_match(people[who], match)}
    assert seeing == VIEW[visibility, False]


def test_match_without_league_is_visible_to_its_players_and_with_its_key(
    people: dict[str, Player | None],
) -> None:
    one, other = people["player"], people["scorer"]
    assert one is not None
    assert other is not None
    match = world.played(None, [one, other], [10, 2])
    seeing = {who for who in WHO if may_view_match(people[who], match)}
    assert seeing == {"player", "scorer", "office"}
    assert may_view_match(None, match, knows_link=True)


def test_player_is_a_member_through_a_merged_name(people: dict[str, Player | None]) -> None:
    league, stranger = league_of(people, "private"), people["stranger"]
    assert stranger is not None
    alias = world.guest("alias")
    world.enter_league(league, alias)
    assert role_in(stranger, league) is None
    Player.objects.filter(pk=alias.pk).update(merged_into=stranger)
    assert role_in(stranger, league) == Member.Role.PLAYER
    assert may_view(stranger, league)


def test_edition_of_a_league_increases_with_every_visible_change(
    people: dict[str, Player | None],
) -> None:
    league = league_of(people, "public")
    seen = [find_edition(league.slug)]
    one, other = people["player"], people["scorer"]
    assert one is not None
    assert other is not None
    world.played(league, [one, other], [10, 3])
    seen.append(find_edition(league.slug))
    world.enter_league(league, world.account("late"))
    seen.append(find_edition(league.slug))
    assert len(set(seen)) == 3
    assert find_edition("nowhere") is None
