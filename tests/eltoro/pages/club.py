"""A club with a league of Running with the Bulls, and browsers that are its players'."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from eltoro.engine import Rules
from leagues.models import League, Match, Member, Player
from leagues.operations import matches
from leagues.operations.players import player_of_user
from tests.eltoro.sheets.paper import town


def player(name: str) -> Player:
    """Somebody with an account."""
    user = User.objects.create_user(name, f"{name}@example.com", "a long password")
    return player_of_user(user, at=timezone.now())


def browser(of: Player) -> Client:
    """A browser in which they are signed in."""
    client = Client()
    assert of.user is not None
    client.force_login(of.user)
    return client


def league(organiser: Player, *players: Player, rules: Rules | None = None) -> League:
    """A ladder in which all of them play."""
    pinned = rules or town()
    found = League.objects.create(
        name="Beach league",
        slug="beach-league",
        game="eltoro",
        profile="own",
        rules=pinned.options(),
        rules_hash=pinned.digest,
        invitation="an-invitation",
        seed=bytes(32),
        seats=max(2, len(players)),
        created_at=timezone.now(),
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
    """A match of the league about to be written down."""
    return matches.open_match(
        by=by or players[0], at=timezone.now(), players=list(players), league=at
    )


def grid(*days: str) -> dict[str, Any]:
    """The fields of points by day: `grid("14 9", "8 17", "- 3")`; a dash leaves one empty."""
    return {
        f"points-{day}-{seat}": "" if text == "-" else text
        for day, row in enumerate(days)
        for seat, text in enumerate(row.split())
    }


def day(gained: str = "0 0", dice: str = "", **arrived: str) -> dict[str, Any]:
    """The fields of a day: `day(bank="1 0", restaurant_1="0 2")`, one card each; who arrived."""
    laid: list[str] = []
    sent: dict[str, Any] = {"laid": laid}
    for name, counts in arrived.items():
        key, _underscore, number = name.partition("_")
        card = f"{key.replace('china', 'china-shop')}.{number or 0}"
        laid.append(card)
        sent |= {f"n-{card}-{seat}": text for seat, text in enumerate(counts.split())}
    sent |= {f"gained-{seat}": text for seat, text in enumerate(gained.split())}
    rolled = [one.split(":") for one in dice.split()]
    return sent | {f"die-{seat}-0": face for seat, face in rolled}
