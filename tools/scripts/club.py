"""Create a league for screenshots, on the site with the folder DATA.

    python -m tools.scripts.club

The league has seven players and a guest. It is a public dominoes ladder with two months of
evenings, whose hands are dealt and played by the engine and entered as results. A round robin is
about to begin.
"""

import datetime as dt
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from dominoes.engine import Hand, Match, Move, Rules, bits, write_tile
from fairness import Chance, Seed
from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import (
    LeagueSettings,
    create_league,
)
from leagues.matches.operations.matches import (
    confirm,
    hand_in,
    open_match,
)
from leagues.members.operations.membership import (
    add_guest,
    join_league,
)
from leagues.models import League, Player
from leagues.players import new_player

NAMES = ("ana", "kiko", "north", "pilar", "maria", "tomas", "south")
PASSWORD = "a club for pictures"  # noqa: S105 - nobody else's site has these people
EVENINGS = 34
# In how many of six moves each player lays the heavier tile, so that their strengths differ.
STRENGTH = (6, 5, 4, 3, 3, 2, 2, 3)
LADDER = LeagueSettings(
    name="Thursday league",
    game="dominoes",
    profile="crosswise_open",
    visibility=League.Visibility.PUBLIC,
    cut=4,
    about="Thursdays at eight, at the back of the bar. Newcomers welcome.",
)
WINTER = LeagueSettings(
    name="Liga de invierno",
    game="dominoes",
    profile="rulebook",
    visibility=League.Visibility.PUBLIC,
    format=League.Format.ROUND_ROBIN,
    cut=2,
)


@transaction.atomic
def main() -> None:
    now, chance = timezone.now(), Seed.fresh().chance("club")
    since = now - dt.timedelta(days=2 * EVENINGS)
    people = [_person(name, since) for name in NAMES]
    ladder = create_league(settings=LADDER, by=people[0], at=since)
    for player in people[1:]:
        join_league(token=ladder.invitation, by=player, at=since)
    people.append(add_guest(league=ladder, name="guest 3", by=people[0], at=since).player)
    for evening in range(EVENINGS):
        at = since + dt.timedelta(days=2 * evening, hours=evening % 3)
        _play(ladder, people, chance, at, waits=evening == EVENINGS - 1)
    winter = create_league(settings=WINTER, by=people[0], at=now)
    for player in people[1:6]:
        join_league(token=winter.invitation, by=player, at=now)
    draw_round_robin(league=winter, by=people[0], at=now)
    print(f"/leagues/{ladder.slug}/ /leagues/{winter.slug}/ /players/{people[0].slug}/")


def _person(name: str, at: dt.datetime) -> Player:
    user = User.objects.create_user(name, password=PASSWORD)
    return new_player(name=name, at=at, user=user)


def _play(
    league: League, people: list[Player], chance: Chance, at: dt.datetime, *, waits: bool
) -> None:
    pair = sorted(chance.shuffled(range(len(people)))[:2])
    players = [people[place] for place in pair]
    match, hands = Match(Rules.from_options(league.rules), 2), []
    while match.winner is None:
        hand = match.deal(chance)
        leader = hand.turn
        while hand.turn is not None:
            hand.play(_choice(hand.legal(), STRENGTH[pair[hand.turn]], chance))
        assert hand.outcome is not None
        hands.append(_written(hand, leader))
        match.add(hand.outcome)
    opened = open_match(by=players[0], players=players, league=league, at=at, played_at=at)
    handed = hand_in(
        match=opened, version=opened.version, by=players[0], at=at, content={"hands": hands}
    )
    if not waits:
        by = people[0] if players[1].is_guest and pair[0] != 0 else players[1]
        confirm(match=handed, version=handed.version, by=by, at=at)


def _choice(legal: list[Move], strength: int, chance: Chance) -> Move:
    if chance.below(6) < strength:
        return max(legal, key=lambda move: -1 if move.tile is None else move.tile)
    return chance.pick(legal)


def _written(hand: Hand, leader: int | None) -> dict[str, object]:
    held = hand.view(None).revealed or ()
    outcome = hand.outcome
    assert outcome is not None
    return {
        "leader": leader,
        "out": outcome.out,
        "blocked": outcome.out is None,
        "held": [{"tiles": [write_tile(tile) for tile in bits(tiles)]} for tiles in held],
    }


if __name__ == "__main__":
    main()
