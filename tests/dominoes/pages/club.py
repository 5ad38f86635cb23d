"""A club with a league of dominoes: who is in it, and browsers that are theirs."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from dominoes.engine import PROFILES, Rules
from leagues.models import League, Match, Member, Player
from leagues.operations import matches
from leagues.operations.players import player_of_user

NAMES = ("north", "ana", "south", "iker")


def user(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.com", "a long password")


def player(name: str) -> Player:
    return player_of_user(user(name), at=timezone.now())


def guest(name: str) -> Player:
    return Player.objects.create(name=name, slug=name.replace(" ", "-"), created_at=timezone.now())


def browser(of: Player) -> Client:
    client = Client()
    assert of.user is not None
    client.force_login(of.user)
    return client


def league(organiser: Player, *players: Player, **fields: Any) -> League:
    rules: Rules = fields.pop("dominoes", PROFILES["rulebook"])
    found = League.objects.create(
        name="Thursday league",
        slug=fields.pop("slug", "thursday-league"),
        game="dominoes",
        profile="own",
        rules=rules.options(),
        rules_hash=rules.digest,
        invitation=fields.pop("invitation", "an-invitation"),
        seed=bytes(32),
        seats=fields.pop("seats", max(2, len(players))),
        created_at=timezone.now(),
        **fields,
    )
    for one in {organiser, *players}:
        role = Member.Role.ORGANISER if one == organiser else Member.Role.PLAYER
        Member.objects.create(
            league=found,
            player=one,
            role=role,
            plays=one in players,
            joined_at=timezone.now() - dt.timedelta(days=30),
        )
    return found


def match(at: League, *players: Player, by: Player | None = None) -> Match:
    return matches.open_match(
        by=by or players[0], at=timezone.now(), players=list(players), league=at
    )


def fields(**sent: Any) -> dict[str, Any]:
    """A form's fields; `held_1="5|3 2|1"` ticks tiles, `pips_1` types them."""
    found: dict[str, Any] = {}
    for name, value in sent.items():
        key = name.replace("_", "-")
        if key.startswith("held-"):
            found[key] = value.split()
            found.setdefault(f"pips-{key[5:]}", "")
        else:
            found[key] = value
    return found
