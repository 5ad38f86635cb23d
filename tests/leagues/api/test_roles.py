"""Responses of the API to every role in a league, for each visibility of the league."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.models import Notice, User
from api.keys.operations import make_token
from api.models import Token
from events.scopes import scopes
from leagues.models import Delivery, League, Member, Merge, Player, Webhook
from leagues.players import GUEST_SESSION_KEY
from tests.leagues.api.programs import STRANGER, Program
from tests.leagues.queries import roles_world
from tests.leagues.queries.roles_world import MEMBERS, OFFICE, WHO, People, player_named
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db

# The role `reader` is an organiser with a read-only API key.
ROLES = ("nobody", "stranger", "withdrawn", "player", "scorer", "organiser", "office", "reader")
IN, NO, SIGN, NONE = "in", "no", "sign", "none"
ACTS: dict[str, tuple[str, str, object, str]] = {
    # Each case: the HTTP method, the path, the body, and the lowest role that may send this
    # request.
    "settings": ("PATCH", "", {"about": "x"}, "organiser"),
    "close": ("POST", "close/", None, "organiser"),
    "rules preview": ("GET", "standings-rules/", None, "organiser"),
    "adopt rules": ("POST", "standings-rules/", None, "organiser"),
    "draft": ("GET", "draw/round-robin/", None, "organiser"),
    "reopen": ("POST", "reopen/", None, "organiser"),
    "invitation": ("POST", "invitation/", None, "organiser"),
    "draw": ("POST", "draw/", None, "organiser"),
    "undraw": ("POST", "draw/back/", None, "organiser"),
    "guest": ("POST", "members/", {"name": "Gus"}, "scorer"),
    "role": ("POST", "members/{member}/role/", {"role": "scorer"}, "organiser"),
    "send away": ("POST", "members/{member}/leave/", {"handling": "void"}, "organiser"),
    "bring back": ("POST", "members/{member}/return/", None, "organiser"),
    "import": ("POST", "import/", {"form": "csv", "content": "x"}, "organiser"),
    "preview": ("POST", "import/preview/", {"form": "csv", "content": "x"}, "organiser"),
    "new secret": ("POST", "webhooks/{hook}/secret/", None, "organiser"),
    "test": ("POST", "webhooks/{hook}/test/", None, "organiser"),
    "switch": ("PATCH", "webhooks/{hook}/", {"on": False}, "organiser"),
    "remove": ("DELETE", "webhooks/{hook}/", None, "organiser"),
    "addresses": ("GET", "webhooks/", None, "organiser"),
    "deliveries": ("GET", "webhooks/{hook}/deliveries/", None, "organiser"),
    "again": ("POST", "webhooks/{hook}/deliveries/{delivery}/again/", None, "organiser"),
    "claims": ("GET", "claims/", None, "organiser"),
}
DOES = {"organiser": {"organiser", "office"}, "scorer": {"scorer", "organiser", "office"}}


@pytest.fixture
def people() -> People:
    return roles_world.gather()


def programs(people: People) -> dict[str, Program]:
    """Return a program with a write key for each role; "nobody" is anonymous and `reader` has a
    read key.
    """
    made = {"nobody": STRANGER}
    for name in ROLES[1:]:
        user = player_named(people, "organiser" if name == "reader" else name).user
        assert isinstance(user, User)
        scope = Token.Scope.READ if name == "reader" else Token.Scope.WRITE
        _row, text = make_token(user=user, name="x", scope=scope, at=timezone.now())
        made[name] = Program(text)
    return made


def answered(status: int) -> str:
    assert status < 500
    return {401: SIGN, 403: NO, 404: NONE}.get(status, IN)


def address(league: League, way: str) -> str:
    hook = league.webhooks.first() or Webhook.objects.create(
        league=league, url="https://example.org/", secret="x", next_at=NOW, created_at=NOW
    )
    delivery = hook.deliveries.first() or Delivery.objects.create(
        webhook=hook, identifier="a", kind="webhook.test", cause="test", state="failed", at=NOW
    )
    member = Member.objects.get(league=league, player__name="idle")
    keys = {"hook": hook.pk, "delivery": delivery.pk, "member": member.pk}
    return f"leagues/{league.slug}/{way.format(**keys)}"


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS)
def test_api_allows_each_action_in_a_public_league_from_a_certain_role_on(
    people: People, act: str
) -> None:
    method, way, body, least = ACTS[act]
    league = roles_world.league_of(people, visibility=League.Visibility.PUBLIC)
    found = {}
    for name, program in programs(people).items():
        if method != "GET" and name in DOES[least]:
            continue  # tests of the operations cover this
        found[name] = answered(program.ask(method, address(league, way), body).status_code)
    reading = method == "GET"
    for name, answer in found.items():
        if name in DOES[least] or (reading and name == "reader"):
            assert answer == IN, name
        elif name == "nobody" and not reading:
            assert answer == SIGN
        else:
            assert answer in {NO, NONE, SIGN if name == "nobody" else NO}, name


@pytest.mark.parametrize("act", ["settings", "guest", "role", "addresses"])
def test_api_hides_a_private_league_from_people_who_are_not_members(
    people: People, act: str
) -> None:
    method, way, body, least = ACTS[act]
    league = roles_world.league_of(people, visibility=League.Visibility.PRIVATE)
    program = programs(people)
    assert answered(program["stranger"].ask(method, address(league, way), body).status_code) == NONE
    stranger = STRANGER.ask(method, address(league, way), body)
    assert answered(stranger.status_code) in {SIGN, NONE}
    assert answered(program["player"].ask(method, address(league, way), body).status_code) != IN
    assert least in DOES


def test_new_role_given_over_the_api_notifies_the_member(people: People) -> None:
    league = roles_world.league_of(people)
    program = programs(people)["organiser"]
    told = program.post(address(league, ACTS["role"][1]), {"role": "scorer"})
    assert told["role"] == "scorer"
    notice = Notice.objects.get(kind="league_role")
    assert notice.user == player_named(people, "idle").user
    assert notice.data == {"league": league.name, "game": league.game, "role": "scorer"}


@pytest.mark.parametrize("visibility", League.Visibility)
def test_event_stream_of_a_league_is_available_to_those_who_can_see_it(
    people: People, visibility: str
) -> None:
    league = roles_world.league_of(people, visibility=visibility)

    private = visibility == League.Visibility.PRIVATE
    for name, held in (
        ("nobody", {}),
        ("guest", {GUEST_SESSION_KEY: player_named(people, "guest").pk}),
    ):
        visitor = AnonymousUser()
        visitor.session = held  # type: ignore[attr-defined]
        found = scopes.find_key("league", league.slug, visitor)
        assert (found == league.pk) == (not private or name == "guest"), name
        assert scopes.find_key("league", "nowhere", visitor) is None
    for name in WHO:
        player = people[name]
        if player is None or player.user is None:
            continue
        user = User.objects.get(pk=player.user.pk)
        user.session = {}  # type: ignore[attr-defined]
        may = not private or name in MEMBERS | OFFICE
        assert (scopes.find_key("league", league.slug, user) == league.pk) == may, name


def test_merge_is_not_found_over_the_api_by_users_who_may_not_undo_it(people: People) -> None:
    roles_world.league_of(people)
    merge = Merge.objects.create(
        absorbed=Player.objects.get(name="absorbed"),
        kept=player_named(people, "absorber"),
        by=None,
        at=NOW,
    )
    asking = programs(people)
    for name in ("stranger", "withdrawn", "player", "scorer"):
        told = asking[name].refused("POST", f"merges/{merge.pk}/undo/")
        assert told == asking[name].refused("POST", f"merges/{merge.pk + 1}/undo/"), name
        assert told["status"] == 404
    assert asking["reader"].refused("POST", f"merges/{merge.pk}/undo/")["status"] == 403
    assert asking["organiser"].post(f"merges/{merge.pk}/undo/")["id"] == merge.pk
