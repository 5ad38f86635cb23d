"""Every permission function for leagues, matches and players, tested with every kind of person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product

import pytest
from django.test import RequestFactory

from leagues import matches_read as match_queries
from leagues.api.resources import knows_match
from leagues.games import games
from leagues.league.queries import leagues_known_to, leagues_of_player, public_leagues
from leagues.matches.operations.matches import friends_of, may_rematch
from leagues.members.operations.merging import answers_for, may_undo
from leagues.members_read.queries import has_played_publicly, role_in, visible_leagues
from leagues.models import Dispute, League, Match, MatchSeat, Member, Merge, Player, Result, Sheet
from leagues.pages.matches.matches import (
    LINKS_SESSION_KEY,
    MAX_KEYS,
    knows_key,
    knows_link,
    remember_key,
)
from leagues.permissions import (
    ALLOWED_STATES,
    Action,
    LeagueRole,
    MatchRelation,
    allowed_actions,
    is_site_admin,
    league_role_of,
    match_relation,
    may_organise,
    may_play,
    may_score,
    may_view,
    may_view_match,
    may_view_player,
    permits,
)
from tests.leagues import game, world
from tests.leagues.queries import roles_world
from tests.leagues.queries.roles_world import (
    EVERYBODY,
    MEMBERS,
    OFFICE,
    ORGANISERS,
    PLAYERS,
    SCORERS,
    WHO,
    People,
    player_named,
)
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db

VISIBILITIES = tuple(League.Visibility)
Seen = Callable[[Player | None], bool]


@pytest.fixture
def people() -> People:
    return roles_world.gather()


def names_allowed(people: People, may: Seen) -> set[str]:
    """Return the names of the people for whom `may` returns True."""
    return {name for name in WHO if may(people[name])}


# Leagues


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_each_person_has_exactly_the_permissions_of_their_role_in_a_league(
    people: People, closed: bool
) -> None:
    league = roles_world.league_of(people, visibility=League.Visibility.PRIVATE)
    if closed:
        League.objects.filter(pk=league.pk).update(closed_at=NOW)
        league.refresh_from_db()
    assert names_allowed(people, is_site_admin) == OFFICE
    assert names_allowed(people, lambda one: may_organise(one, league)) == ORGANISERS | OFFICE
    assert names_allowed(people, lambda one: may_score(one, league)) == SCORERS | OFFICE
    playing = set() if closed else set(PLAYERS)
    assert names_allowed(people, lambda one: may_play(one, league)) == playing
    assert names_allowed(people, lambda one: role_in(one, league) is not None) == MEMBERS
    for name in WHO:
        role = role_in(people[name], league)
        expected = (
            Member.Role.ORGANISER
            if name in ORGANISERS
            else Member.Role.SCORER
            if name == "scorer"
            else Member.Role.PLAYER
            if name in MEMBERS
            else None
        )
        assert role == expected, name
        assert league_role_of(people[name], league) == LeagueRole(
            role=expected,
            organises=name in ORGANISERS | OFFICE,
            scores=name in SCORERS | OFFICE,
            plays=name in playing,
        ), name


@pytest.mark.parametrize("may", [may_organise, may_score, may_play, may_view])
def test_permissions_without_a_league_are_always_denied(
    people: People, may: Callable[[Player | None, None], bool]
) -> None:
    roles_world.league_of(people)
    assert names_allowed(people, lambda one: may(one, None)) == set()
    assert not may_view(people["office"], None, knows_link=True)


@pytest.mark.parametrize(("visibility", "knows_link"), list(product(VISIBILITIES, (False, True))))
def test_visibility_and_link_decide_who_can_see_a_league(
    people: People, visibility: str, knows_link: bool
) -> None:
    league = roles_world.league_of(people, visibility=visibility)
    everybody = visibility == League.Visibility.PUBLIC or (
        visibility == League.Visibility.LINK and knows_link
    )
    seeing = names_allowed(people, lambda one: may_view(one, league, knows_link=knows_link))
    assert seeing == (EVERYBODY if everybody else MEMBERS | OFFICE)


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_visibility_decides_in_which_lists_a_league_appears(
    people: People, visibility: str
) -> None:
    league = roles_world.league_of(people, visibility=visibility)
    public = visibility == League.Visibility.PUBLIC
    assert (league in public_leagues()) == public
    assert (league in public_leagues(game.KEY)) == public
    assert league not in public_leagues("dominoes")
    assert names_allowed(people, lambda one: league in leagues_known_to(one)) == (
        EVERYBODY if public else MEMBERS
    )
    assert (
        names_allowed(people, lambda one: one is not None and league in leagues_of_player(one))
        == MEMBERS
    ), "members see their own leagues, public or not"
    member = player_named(people, "player")
    assert names_allowed(people, lambda one: league in visible_leagues(of=member, to=one)) == (
        EVERYBODY if public else MEMBERS | OFFICE
    )
    assert league not in visible_leagues(of=player_named(people, "stranger"), to=member)


def test_highest_role_of_all_merged_names_counts(people: People) -> None:
    league = roles_world.league_of(people)
    player, guest = player_named(people, "player"), player_named(people, "guest")
    guest.merged_into = player
    guest.save()
    for role in (Member.Role.SCORER, Member.Role.ORGANISER):
        world.give_role(league, guest, role)
        assert role_in(player, league) == role
        assert league_role_of(player, league).scores
    world.give_role(league, player, Member.Role.SCORER)
    assert role_in(guest, league) == Member.Role.ORGANISER


def test_number_of_players_excludes_withdrawn_and_non_playing_members(people: People) -> None:
    league = roles_world.league_of(people, visibility=League.Visibility.PUBLIC)
    (found,) = [one for one in public_leagues() if one == league]
    assert found.playing == 5  # type: ignore[attr-defined]  # organiser, scorer, player, two guests


def test_closed_leagues_are_last_in_the_list(people: People) -> None:
    closed, played, quiet = (
        world.found_league(
            player_named(people, "organiser"), name=name, visibility=League.Visibility.PUBLIC
        )
        for name in ("closed", "played", "quiet")
    )
    _publish(player_named(people, "player"), league=played)
    League.objects.filter(pk=closed.pk).update(closed_at=NOW)
    League.objects.filter(name="Other").delete()
    assert public_leagues() == [played, quiet, closed]
    assert public_leagues(limit=1) == [played]


# Matches


def match_of(league: League | None, *players: Player | None, **columns: object) -> Match:
    columns = {"league": league, "game": game.KEY, "rules": {}, "played_at": NOW} | columns
    match = Match.objects.create(
        rules_hash="", created_at=NOW, key=f"k{Match.objects.count()}", **columns
    )
    for number, player in enumerate(players):
        assert player is not None
        MatchSeat.objects.create(match=match, number=number, player=player, side=number)
    return match


@pytest.mark.parametrize(("visibility", "knows_link"), list(product(VISIBILITIES, (False, True))))
def test_league_match_is_visible_to_its_players_and_those_who_see_the_league(
    people: People, visibility: str, knows_link: bool
) -> None:
    league = roles_world.league_of(people, visibility=visibility)
    match = match_of(league, people["stranger"], people["player"])
    seeing = names_allowed(people, lambda one: may_view_match(one, match, knows_link=knows_link))
    everybody = visibility == League.Visibility.PUBLIC or (
        visibility == League.Visibility.LINK and knows_link
    )
    assert seeing == (EVERYBODY if everybody else MEMBERS | OFFICE | {"stranger"})


@pytest.mark.parametrize("knows_link", [False, True])
def test_match_without_league_is_visible_to_its_players(people: People, knows_link: bool) -> None:
    roles_world.league_of(people)
    guest = Player.objects.get(name="absorbed")
    match = match_of(None, people["stranger"], people["alias"], guest)
    seeing = names_allowed(people, lambda one: may_view_match(one, match, knows_link=knows_link))
    seated = {"stranger", "player", "alias", "absorber", "office"}
    assert seeing == (EVERYBODY if knows_link else seated)
    other = match_of(None, people["staff"])
    assert names_allowed(people, lambda one: may_view_match(one, other)) == {"staff", "office"}


@pytest.mark.parametrize(
    ("league", "visibility", "asked", "known_by"),
    [
        (True, League.Visibility.LINK, {}, False),
        (True, League.Visibility.LINK, {"league": "other"}, False),
        (True, League.Visibility.LINK, {"league": "slug"}, True),
        (True, League.Visibility.PRIVATE, {"league": "slug"}, False),
        (True, League.Visibility.PUBLIC, {"league": "slug"}, False),
        (False, "", {"league": "slug"}, False),
        (False, "", {"league": None}, False),
        (False, "", {"key": ""}, False),
        (False, "", {"key": "the ke"}, False),
        (False, "", {"key": "the key"}, True),
        (True, League.Visibility.PRIVATE, {"key": "the key"}, True),
    ],
)
def test_program_proves_knowledge_of_a_match_by_its_key_or_league(
    league: bool, visibility: str, asked: dict[str, str], known_by: bool
) -> None:
    found = League(slug="slug", visibility=visibility) if league else None
    assert knows_match(Match(league=found, key="the key"), asked) == known_by


# Expected relations to a match that the player entered and disputed, and the stranger played. All
# other people have no relation.
BEARING = {
    "stranger": MatchRelation(seated=True, party=True),
    "player": MatchRelation(entered=True, seated=True, raised=True, party=True),
    "alias": MatchRelation(entered=True, seated=True, raised=True, party=True),
    "office": MatchRelation(organises=True, scores=True),
    "scorer": MatchRelation(scores=True),
    **{name: MatchRelation(organises=True, scores=True) for name in ORGANISERS},
}


def test_each_person_has_the_expected_relation_to_a_match(people: People) -> None:
    league, player = roles_world.league_of(people), people["player"]
    match = match_of(league, people["stranger"], player, entered_by=people["alias"])
    raised = Dispute.objects.create(
        match=match, by=player_named(people, "alias"), at=NOW, reason="x"
    )
    for name in WHO:
        assert match_relation(people[name], match) == BEARING.get(name, MatchRelation()), name
    Dispute.objects.filter(pk=raised.pk).update(settled_at=NOW)
    assert match_relation(player, match) == MatchRelation(entered=True, seated=True, party=True), (
        "settled, it is nobody's"
    )
    other = match_of(league, people["guest"])
    assert match_relation(people["guest"], other) == MatchRelation(seated=True, party=True)
    assert match_relation(player, other) == MatchRelation()
    alone = match_of(None, people["guest"], entered_by=people["stranger"])
    assert match_relation(people["organiser"], alone) == MatchRelation()
    assert match_relation(people["office"], alone) == MatchRelation(organises=True, scores=True)
    assert match_relation(people["stranger"], alone) == MatchRelation(entered=True)


def test_director_of_an_evening_organises_its_match(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles_world.league_of(people)
    match = match_of(None, people["guest"])
    other = match_of(None, people["guest"])
    person = player_named(people, "player").pk

    class Book:
        def runs(self, match_key: int, person_key: int) -> bool:
            return (match_key, person_key) == (match.pk, person)

    monkeypatch.setitem(games._games, game.KEY, replace(game.HIGHEST, book=Book()))  # type: ignore[arg-type]
    running = names_allowed(people, lambda one: match_relation(one, match).organises)
    assert running == {"player", "alias", "office"}
    assert names_allowed(people, lambda one: match_relation(one, other).organises) == OFFICE
    Match.objects.filter(pk=match.pk).update(game="of yore")
    match.refresh_from_db()
    assert names_allowed(people, lambda one: match_relation(one, match).organises) == OFFICE


S = Match.State
# For each action: the relations to a match that allow it. Any one of these relations is enough. A
# relation with a minus sign forbids the action in any case.
LETS: dict[tuple[str, Action], str] = {
    (S.DRAFT, Action.WRITE): "seated scores",
    (S.DRAFT, Action.HAND_IN): "seated scores",
    (S.HANDED_IN, Action.HAND_IN): "entered",
    (S.DISPUTED, Action.HAND_IN): "seated scores",
    (S.HANDED_IN, Action.CONFIRM): "seated organises -entered -partner",
    (S.HANDED_IN, Action.PROPOSE): "proposes -first_entry",
    (S.CONFIRMED, Action.PROPOSE): "proposes",
    (S.FINAL, Action.PROPOSE): "proposes",
    (S.DISPUTED, Action.PROPOSE): "proposes",
    (S.HANDED_IN, Action.ANSWER): "answers",
    (S.CONFIRMED, Action.ANSWER): "answers",
    (S.FINAL, Action.ANSWER): "answers",
    (S.DISPUTED, Action.ANSWER): "answers",
    (S.HANDED_IN, Action.DISPUTE): "seated organises",
    (S.CONFIRMED, Action.DISPUTE): "seated organises",
    (S.DISPUTED, Action.SETTLE): "raised impartial",
    (S.CONFIRMED, Action.CORRECT): "organises",
    (S.FINAL, Action.CORRECT): "organises",
    (S.DISPUTED, Action.CORRECT): "organises",
    (S.DRAFT, Action.VOID): "organises entered",
    (S.HANDED_IN, Action.VOID): "impartial first_entry last_of_own",
    (S.CONFIRMED, Action.VOID): "impartial last",
    (S.FINAL, Action.VOID): "impartial last",
    (S.DISPUTED, Action.VOID): "impartial last",
    (S.CONFIRMED, Action.RESTORE): "organises",
    (S.FINAL, Action.RESTORE): "organises",
    (S.DISPUTED, Action.RESTORE): "organises",
    (S.VOID, Action.RESTORE): "organises",
}


@pytest.mark.parametrize(("state", "action"), list(product(Match.State, Action)), ids=str)
def test_actions_allowed_by_every_combination_of_relations(state: str, action: Action) -> None:
    names = [field.name for field in fields(MatchRelation)]
    lets = LETS.get((state, action), "").split()
    assert (state in ALLOWED_STATES[action]) == bool(lets)
    for held in product((False, True), repeat=len(names)):
        facts = {name for name, there in zip(names, held, strict=True) if there}
        if "organises" in facts and "party" not in facts:
            facts.add("impartial")
        confirms = {"seated", "organises"} & facts and not {"entered", "partner"} & facts
        if "last" in facts and not confirms:
            facts.add("last_of_own")
        may = bool(facts & set(lets)) and not any(f"-{fact}" in lets for fact in facts)
        who = MatchRelation(**dict.fromkeys(facts & set(names), True))
        assert permits(who, action, state) == may, facts


def test_match_page_offers_exactly_the_allowed_actions(people: People) -> None:
    league = roles_world.league_of(people)
    match = match_of(league, people["player"], state=S.CONFIRMED)
    assert allowed_actions(people["nobody"], match) == frozenset()
    assert allowed_actions(people["stranger"], match) == frozenset()
    assert allowed_actions(people["player"], match) == {Action.DISPUTE}
    assert allowed_actions(people["organiser"], match) == {
        Action.DISPUTE, Action.CORRECT, Action.VOID, Action.RESTORE,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("league", "state", "may"),
    [
        ("none", S.CONFIRMED, True),
        ("none", S.VOID, True),
        ("none", S.DRAFT, False),
        (League.Format.LADDER, S.HANDED_IN, True),
        ("closed", S.CONFIRMED, False),
        (League.Format.SWISS, S.CONFIRMED, False),
        (League.Format.ROUND_ROBIN, S.CONFIRMED, False),
    ],
)
def test_rematch_is_allowed_for_finished_matches_without_draw(
    people: People, league: str, state: str, may: bool
) -> None:
    form = League.Format.LADDER if league in {"none", "closed"} else league
    played_in = roles_world.league_of(people, format=form)
    if league == "closed":
        played_in.closed_at = NOW
    found = None if league == "none" else played_in
    match = match_of(found, people["player"], people["guest"], state=state)
    again = names_allowed(people, lambda one: may_rematch(match, one))
    assert again == ({"player", "alias", "guest"} if may else set())


# Players


@pytest.mark.parametrize("public", [False, True], ids=["hidden", "public"])
@pytest.mark.parametrize("guest", [False, True], ids=["account", "guest"])
@pytest.mark.parametrize("played", [False, True], ids=["unknown", "known"])
def test_visibility_of_a_players_page(
    people: People, public: bool, guest: bool, played: bool
) -> None:
    roles_world.league_of(people)
    found = player_named(people, "guest" if guest else "player")
    found.public = public
    if played:
        _publish(found)
    own = {"guest"} if guest else {"player", "alias"}
    everybody = public and (played or not guest)
    seeing = names_allowed(people, lambda one: may_view_player(found, one, in_common=False))
    assert seeing == (EVERYBODY if everybody else own | OFFICE)
    assert (
        names_allowed(people, lambda one: may_view_player(found, one, in_common=True)) == EVERYBODY
    )


def _publish(player: Player, league: League | None = None, **columns: object) -> Result:
    """Create a result of a player in a match played on the site."""
    match = match_of(league, player, **{"origin": Match.Origin.HERE} | columns)
    sheet = Sheet.objects.create(
        match=match, number=1, content={}, points=[1], places=[1], evidence="score", at=NOW
    )
    result = Result.objects.create(
        match=match, sheet=sheet, game=game.KEY, played_at=NOW, league=league
    )
    result.placings.create(player=player, seat=0, side=0, place=1, points=1, against=0)
    return result


@pytest.mark.parametrize(
    ("result", "match", "public"),
    [
        (set(), {"origin": Match.Origin.HERE}, True),
        (set(), {"origin": Match.Origin.TABLE}, False),
        ({"site"}, {"origin": Match.Origin.TABLE}, True),
        ({"league"}, {"origin": Match.Origin.HERE}, False),
        ({"league", "site"}, {"origin": Match.Origin.IMPORTED}, True),
    ],
)
def test_only_certain_matches_make_a_guest_publicly_known(
    people: People, result: set[str], match: dict[str, object], public: bool
) -> None:
    league = roles_world.league_of(people)
    guest = player_named(people, "guest")
    row = _publish(guest, league if "league" in result else None, **match)
    Result.objects.filter(pk=row.pk).update(site="site" in result)
    assert has_played_publicly(guest) == public
    assert not has_played_publicly(player_named(people, "player"))


def test_organisers_of_a_guests_league_are_responsible_for_the_guest(people: People) -> None:
    roles_world.league_of(people)
    guest = player_named(people, "guest")
    answering = names_allowed(people, lambda one: answers_for(one, guest))
    assert answering == ORGANISERS | OFFICE, "a scorer, or who organises elsewhere, does not"
    absorbed = Player.objects.get(name="absorbed")
    merge = Merge.objects.create(
        absorbed=absorbed, kept=player_named(people, "absorber"), by=None, at=NOW
    )
    parting = {name for name in WHO if (one := people[name]) and may_undo(one, merge)}
    assert parting == ORGANISERS | OFFICE | {"absorber"}


def test_creator_is_responsible_for_a_guest_until_the_guest_joins_a_league(people: People) -> None:
    league = roles_world.league_of(people)
    loose = world.guest("loose")
    assert names_allowed(people, lambda one: answers_for(one, loose)) == OFFICE, (
        "nobody added the guest"
    )
    Player.objects.filter(pk=loose.pk).update(added_by=people["alias"])
    loose = Player.objects.get(pk=loose.pk)
    assert names_allowed(people, lambda one: answers_for(one, loose)) == OFFICE | {
        "player",
        "alias",
    }
    world.enter_league(league, loose)
    assert names_allowed(people, lambda one: answers_for(one, loose)) == OFFICE | ORGANISERS


def test_organisers_of_a_merged_name_are_responsible_for_the_guest(people: People) -> None:
    roles_world.league_of(people)
    guest, other = player_named(people, "guest"), world.guest("other")
    merge = Merge.objects.create(absorbed=guest, kept=other, by=None, at=NOW)
    assert names_allowed(people, lambda one: answers_for(one, other)) == OFFICE | ORGANISERS
    Merge.objects.filter(pk=merge.pk).update(undone_at=NOW)
    assert names_allowed(people, lambda one: answers_for(one, other)) == OFFICE


def test_friends_are_former_opponents_and_own_guests(people: People) -> None:
    roles_world.league_of(people)
    player, stranger = player_named(people, "player"), player_named(people, "stranger")
    old, new = world.guest("old"), world.guest("new")
    Player.objects.filter(pk__in=[old.pk, new.pk]).update(added_by=player)
    match_of(None, people["alias"], Player.objects.get(name="absorbed"))
    match_of(None, player, stranger)
    match_of(None, people["scorer"], stranger)
    expected = [stranger, player_named(people, "absorber"), new, old]
    assert friends_of(player) == expected
    Player.objects.filter(pk=old.pk).update(left_at=NOW)
    assert friends_of(player) == expected[:-1], "whose account is gone is nobody's guest"


def test_session_stores_known_keys_and_links_separately() -> None:
    request = RequestFactory().get("/")
    request.session = {}  # type: ignore[assignment]
    by_key, by_link = Match(pk=7), Match(pk=8)
    remember_key(request, by_key)
    remember_key(request, by_link, LINKS_SESSION_KEY)
    assert [knows_key(request, one) for one in (by_key, by_link, Match(pk=9))] == [
        True, False, False,
    ]  # fmt: skip
    assert [knows_link(request, one) for one in (by_key, by_link, Match(pk=9))] == [
        True, True, False,
    ]  # fmt: skip
    for number in range(100, 100 + MAX_KEYS):
        remember_key(request, Match(pk=number))
    assert knows_key(request, by_key), "the twenty before the one that was remembered last"
    remember_key(request, Match(pk=200))
    assert not knows_key(request, by_key)
    assert knows_link(request, by_link)


# Lists of matches


@pytest.mark.slow
@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_each_person_sees_the_matches_that_the_visibility_of_the_league_allows(
    people: People, visibility: str
) -> None:
    league = roles_world.league_of(people, visibility=visibility)
    public = visibility == League.Visibility.PUBLIC
    for state in Match.State:
        match = match_of(league, people["stranger"], people["alias"], state=state)
        sat = {"stranger", "player", "alias"}
        shown = state in match_queries.LISTED_STATES
        inside = sat | (MEMBERS if shown else set())
        found = {name for name in WHO if match in match_queries.matches_visible_to(people[name])}
        assert found == (EVERYBODY if public and shown else inside), state
    friends = match_of(None, people["stranger"], people["guest"], state=S.CONFIRMED)
    assert names_allowed(people, lambda one: friends in match_queries.matches_visible_to(one)) == {
        "stranger",
        "guest",
    }


@pytest.mark.slow
def test_matches_submitted_by_others_wait_for_a_player(people: People) -> None:
    league = roles_world.league_of(people)
    seats = (people["stranger"], people["alias"], people["guest"])
    waiting = match_of(league, *seats, state=S.HANDED_IN, entered_by=people["player"])
    draft = match_of(league, *seats, entered_by=people["scorer"])
    match_of(league, *seats, state=S.DISPUTED, entered_by=people["stranger"])

    def lists(read: Callable[[Player], list[match_queries.ResultLine]], match: Match) -> set[str]:
        return names_allowed(
            people, lambda one: one is not None and match in [line.match for line in read(one)]
        )

    assert lists(match_queries.matches_to_confirm, waiting) == {"stranger", "guest"}, (
        "not who entered it"
    )
    assert lists(match_queries.matches_to_confirm, draft) == set()
    assert lists(match_queries.drafts_of_player, draft) == {
        "stranger",
        "player",
        "alias",
        "guest",
        "scorer",
    }
    assert lists(match_queries.drafts_of_player, waiting) == set()


@pytest.mark.parametrize(
    ("columns", "listed_for"),
    [
        ({"state": S.CONFIRMED}, {"known"}),
        ({"state": S.FINAL}, {"known"}),
        ({"state": S.HANDED_IN}, set()),
        ({"state": S.VOID}, set()),
        ({"state": S.CONFIRMED, "league": None}, set()),
        ({"state": S.CONFIRMED, "league": None, "origin": "here"}, {"known", "unknown"}),
    ],
)
def test_page_of_a_player_lists_counting_visible_matches(
    people: People, columns: dict[str, object], listed_for: set[str]
) -> None:
    league = roles_world.league_of(people)
    given: dict[str, object] = {"league": league} | columns
    found = given.pop("league")
    assert found is None or isinstance(found, League)
    match = match_of(found, people["alias"], **given)
    player = player_named(people, "player")
    for name, leagues in (("known", [league.pk]), ("unknown", [])):
        lines = match_queries.results_of_player(player, 10, leagues)
        assert [line.match for line in lines] == ([match] if name in listed_for else [])
    counted = given["state"] in Match.COUNTED
    assert [line.match for line in match_queries.results_of_player(player, 10)] == (
        [match] if counted else []
    )
    assert match_queries.results_of_player(player_named(people, "guest"), 10) == []
