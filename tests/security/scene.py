"""Objects of every kind that users own, closed to everybody else, and the users who try to see
them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.models import User
from api.keys.operations import make_token
from api.models import Token
from corridas.models import Bull, Change, Corrida, Run
from corridas.roles import ROSTER_EDITOR, found_roles
from corridas.simulation.post import post_due
from eltoro.models import BoardDesign
from leagues.fixtures.operations import draw_round_robin
from leagues.games import games
from leagues.league.operations import LeagueSettings, create_league
from leagues.matches.operations.matches import open_match
from leagues.members.operations.membership import add_guest, join_league
from leagues.members.operations.merging import propose_claim
from leagues.models import Claim, Delivery, Fixture, Member, Player, Table, Webhook
from leagues.players import new_player
from leagues.tables.operations.lobby import TableSettings, begin_table, create_table, sit_down
from tests.corridas.pages.tabletop.table import begin as begin_afternoon
from tests.factories import World, account, live_through, small_circuit

# Roles of users: not signed in; signed in without further rights; player of the private league and
# its table; organiser of that league; director of the private circuit; roster editor in the admin;
# superuser.
ROLES = ("stranger", "fan", "player", "organiser", "director", "editor", "admin")

# Slug of the private circuit.
CLOSED = "cerrado"


@dataclass
class Scene:
    """The created objects, by the name under which `endpoints.py` looks for them."""

    clients: Mapping[str, Client]
    open: World
    closed: World
    keys: dict[str, Any] = field(default_factory=dict)


def people() -> dict[str, User]:
    """Create an account for every role that needs one."""
    found_roles()
    made = {role: User.objects.create_user(role, f"{role}@example.org") for role in ROLES[1:]}
    made["editor"].groups.set(Group.objects.filter(name=ROSTER_EDITOR))
    User.objects.filter(username="editor").update(is_staff=True)
    User.objects.filter(username="admin").update(is_staff=True, is_superuser=True)
    return made


def browser(user: User | None) -> Client:
    """Return a test client that gets error responses instead of exceptions."""
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    if user is not None:
        client.force_login(User.objects.get(pk=user.pk))
    return client


def set_up() -> Scene:
    """Create all objects."""
    users, now = people(), timezone.now()
    scene = Scene(
        clients={role: browser(users.get(role)) for role in ROLES},
        open=live_through(small_circuit()),
        closed=live_through(
            small_circuit(CLOSED, "Cerrado", owner=users["director"], public=False)
        ),
    )
    players = {
        name: new_player(name=name, at=now, user=users[name]) for name in ("player", "organiser")
    }
    scene.keys |= _season(scene.open) | {"closed": _season(scene.closed), "circuit": CLOSED}
    scene.keys |= _league(players, now) | _table(players, now)
    token, _text = make_token(user=users["player"], name="x", scope=Token.Scope.READ, at=now)
    scene.keys |= {"token": token.pk}
    scene.keys |= {"afternoon": begin_afternoon(scene.clients["player"], scene.open).pk}
    return scene


def _season(world: World) -> dict[str, Any]:
    """Create an announced corrida, a corrida on air, and the other objects of a circuit."""
    announced = world.announce(dt.date(2027, 5, 1))
    on_air = world.air_in_earnest(world.announce(dt.date(2027, 4, 1), 1), seconds=20)
    posted = world.air_in_earnest(world.announce(dt.date(2027, 3, 20)), seconds=100_000)
    assert posted.pk in post_due(at=timezone.now())
    played = Run.objects.create(
        season=world.season,
        until=posted.date,
        state="done",
        done=1,
        total=1,
        asked_at=timezone.now(),
    )
    Corrida.objects.filter(pk=posted.pk).update(run=played)
    bull = Bull.objects.filter(cartel__corrida=posted).earliest("pk")
    change = Change.objects.create(
        circuit=world.circuit, kind="bull", row=bull.pk, title="x", at=timezone.now()
    )
    return {
        "announced": announced.pk,
        "on_air": on_air.pk,
        "corrida": posted.pk,
        "played_run": played.pk,
        "bull": bull.pk,
        "change": change.pk,
        "lidia": posted.lidias.earliest("turn").pk,
        "matador": world.matadors[0].pk,
        "plaza": world.plazas[0].pk,
        "ganaderia": world.herd.pk,
        "season": world.season.pk,
        "feria": world.feria.pk,
        "circuit_pk": world.circuit.pk,
        "deck": world.deck.pk,
    }


def _league(players: Mapping[str, Player], now: dt.datetime) -> dict[str, Any]:
    """Create a private round-robin league of dominoes with three players, one match and a
    claimed guest.
    """
    settings = LeagueSettings(
        name="Peña",
        game="dominoes",
        profile="rulebook",
        format="round_robin",
        visibility="private",
    )
    organiser, player = players["organiser"], players["player"]
    league = create_league(settings=settings, by=organiser, at=now, plays=True)
    member = join_league(token=league.invitation, by=player, at=now)
    guest = add_guest(league=league, name="dora", by=organiser, at=now)
    draw_round_robin(league=league, by=organiser, at=now)
    fixtures = Fixture.objects.filter(round__league=league)
    both = fixtures.filter(seats__player=player).filter(seats__player=organiser).earliest("pk")
    match = open_match(fixture=both, by=player, at=now)
    town = open_match(
        by=player,
        at=now,
        players=[player, organiser],
        game="eltoro",
        profile=games["eltoro"].profiles[0].key,
    )
    claimant = account("eva")
    claim = propose_claim(guest=guest.player, by=claimant, at=now)
    assert isinstance(claim, Claim)
    hook = Webhook.objects.create(
        league=league,
        url="https://example.org/",
        secret=f"whsec_{43 * 'A'}=",
        next_at=now,
        created_at=now,
    )
    delivery = Delivery.objects.create(
        webhook=hook, identifier="test_1", kind="webhook.test", cause="test", state="failed", at=now
    )
    return {
        "webhook": hook.pk,
        "delivery": delivery.pk,
        "league": league.slug,
        "league_pk": league.pk,
        "invitation": league.invitation,
        "fixture": fixtures.exclude(seats__player=player).earliest("pk").pk,
        "member": member.pk,
        "guest_member": Member.objects.get(player=guest.player).pk,
        "match": match.pk,
        "town": town.pk,
        "claim": claim.pk,
        "player": player.slug,
        "player_pk": player.pk,
        "guest": guest.player.slug,
        "board": BoardDesign.objects.values_list("pk", flat=True).first() or 1,
    }


def _table(players: Mapping[str, Player], now: dt.datetime) -> dict[str, Any]:
    """Create a game table that nobody else may watch, with the first hand dealt."""
    table = create_table(
        host=players["organiser"],
        at=now,
        game="dominoes",
        profile="rulebook",
        seats=2,
        house=TableSettings(watch=Table.Watch.NOBODY),
    )
    sit_down(table_id=table.pk, player=players["player"], at=now)
    begin_table(table_id=table.pk, player=players["organiser"], at=now)
    return {"table": table.pk, "table_invitation": table.invitation}
