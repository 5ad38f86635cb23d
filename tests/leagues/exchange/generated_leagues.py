"""Generated leagues with members and matches, into which the generated files are imported."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from accounts.account_deletion.operations import delete_due_accounts, request_deletion
from accounts.models import User
from fairness import Chance
from leagues.exceptions import OperationError
from leagues.exchange.formats import ResultRecord, SeatRecord, places_in_order, write_json
from leagues.exchange.operations import FileFormat, import_results, read_results
from leagues.fixtures.operations import draw_next_swiss, draw_round_robin
from leagues.games import games
from leagues.matches.operations.corrections import void_match
from leagues.matches.operations.matches import open_match
from leagues.members.operations.merging import claim_by_link, guest_link, merge_players
from leagues.models import Fixture, League, Match, MatchSeat, Member, Player, Sheet
from leagues.players import new_player
from leagues.results import publish_results
from tests.leagues import world

Item = TypeVar("Item")

ZONES: Final = ("Europe/Madrid", "Pacific/Auckland", "America/New_York", "UTC", "Asia/Kolkata")
# Each entry: the game, the profile of its rules, and the numbers of seats that its leagues may
# have.
RULES: Final = (
    ("dominoes", "rulebook", (2, 4)),
    ("dominoes", "partners", (4,)),
    ("eltoro", "el-toro", (2, 4)),
    ("indulto", "rulebook", (2, 3)),
)
FORMATS: Final = (League.Format.LADDER, League.Format.ROUND_ROBIN, League.Format.SWISS)
MEMBERS: Final = (
    *("Ana", "Bruno", "Íñigo Núñez", "María José", "Straße", "O’Neill", "Łódź Č", "山田 太郎"),
    *("Pepe-Hillo", "ANA B.", "Zoë", "😀 Rosa", "Peña", "Pena", "=SUM(A1)", "de la Cruz, Eva"),
)
TODAY: Final = dt.datetime(2026, 11, 28, tzinfo=dt.UTC)


class Dice:
    """Random choices that depend only on a label, so that they are the same in every run."""

    def __init__(self, label: str) -> None:
        self.chance = Chance(bytes(32), label)

    def below(self, bound: int) -> int:
        return self.chance.below(bound)

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def percent(self, share: int) -> bool:
        return self.below(100) < share

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        return self.chance.shuffled(items)[:count]


@dataclass(kw_only=True)
class Ground:
    """A generated league at some point in time.

    `earlier` are the results of files that were already imported.
    """

    league: League
    office: Player
    at: dt.datetime
    members: list[Player] = field(default_factory=list)
    earlier: list[ResultRecord] = field(default_factory=list)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.league.zone)

    @property
    def format(self) -> League.Format:
        return League.Format(self.league.format)

    @property
    def drawn(self) -> bool:
        return self.format != League.Format.LADDER

    def sides(self, seats: int) -> tuple[int, ...]:
        return tuple(games[self.league.game].sides(self.league.rules, seats))

    def seat_counts(self) -> list[int]:
        possible = games[self.league.game].seat_counts(self.league.rules)
        return [seats for seats in possible if 2 <= seats <= self.league.seats]

    def open_fixtures(self) -> list[list[Player]]:
        """Return the players of each fixture to play, those of earlier rounds first."""
        rows = Fixture.objects.filter(round__league=self.league, state__in=Fixture.TO_PLAY)
        rows = rows.order_by("round__number", "number").prefetch_related("seats__player")
        return [[seat.player for seat in fixture.seats.all()] for fixture in rows]


def generated_league(number: int) -> Ground:
    """Create a league with members, fixtures and matches."""
    dice = Dice(f"league {number}")
    game, profile, sizes = RULES[number % len(RULES)]
    kind = FORMATS[number // len(RULES) % len(FORMATS)]
    seats = dice.pick(sizes)
    office = _account("office", "office")
    fields: dict[str, Any] = {"rounds_planned": 2} if dice.percent(30) else {}
    league = world.found_league(
        office,
        plays=dice.percent(20),
        visibility=League.Visibility.PUBLIC,
        name=f"League {number}",
        game=game,
        profile=profile,
        seats=seats,
        format=kind,
        zone=ZONES[number % len(ZONES)],
        **fields,
    )
    at = TODAY + dt.timedelta(hours=dice.below(24), minutes=dice.below(60))
    ground = Ground(league=league, office=office, at=at)
    # Drawing many fixtures of four players would take most of a second.
    members = dice.between(seats + 1, seats + (2 if kind != League.Format.LADDER else 4))
    for name in dice.some(MEMBERS, members):
        ground.members.append(_member(ground, name, account=dice.percent(50)))
    if ground.drawn:
        _draw(ground, dice)
    _people_with_a_past(ground, dice)
    for player in ground.members:
        player.refresh_from_db()
    _matches(ground, dice)
    if dice.percent(50):
        _earlier_import(ground, dice)
    return ground


def _account(username: str, name: str) -> Player:
    user = User.objects.create(username=username, email=f"{username}@example.org")
    return new_player(name=name, at=world.NOW, user=user)


def _member(ground: Ground, name: str, *, account: bool) -> Player:
    user = f"user-{ground.league.pk}-{Player.objects.count()}"
    player = (
        _account(user, name)
        if account
        else new_player(name=name, at=world.NOW, added_by=ground.office)
    )
    Member.objects.create(league=ground.league, player=player, joined_at=world.NOW)
    return player


def _draw(ground: Ground, dice: Dice) -> None:
    at = ground.at - dt.timedelta(days=dice.between(20, 60))
    draw = (
        draw_round_robin if ground.league.format == League.Format.ROUND_ROBIN else draw_next_swiss
    )
    draw(league=ground.league, by=ground.office, at=at)
    ground.league.refresh_from_db()


def _people_with_a_past(ground: Ground, dice: Dice) -> None:
    """Add members of the same name, merged guests, and a player whose account is deleted."""
    twin = dice.pick(ground.members)
    if dice.percent(20):
        ground.members.append(_member(ground, twin.name.upper(), account=True))
    if dice.percent(50):
        guest = _member(ground, "Anita", account=False)
        accounts = [player for player in ground.members if player.user_id is not None]
        if accounts and dice.percent(50):
            token = guest_link(guest=guest, by=ground.office)
            claim_by_link(token=token, by=dice.pick(accounts), at=ground.at)
        else:
            kept = _member(ground, "Anita de Triana", account=False)
            merge_players(absorbed=guest, kept=kept, by=ground.office, at=ground.at)
            ground.members.append(kept)
        ground.members.append(guest)
    if dice.percent(25):
        gone = _member(ground, "Quien se va", account=True)
        if gone.user is not None:
            request_deletion(gone.user, at=ground.at - dt.timedelta(days=90))
            delete_due_accounts(at=ground.at)
        ground.members.append(gone)


def _matches(ground: Ground, dice: Dice) -> None:
    """Create matches in the league: confirmed matches, void matches and drafts."""
    league, office = ground.league, ground.office
    fixtures = list(Fixture.objects.filter(round__league=league).order_by("round__number", "pk"))
    for number in range(dice.below(5)):
        fixture = fixtures.pop(0) if ground.drawn and len(fixtures) > 1 else None
        if fixture is not None:
            people = [seat.player for seat in fixture.seats.select_related("player")]
        elif ground.drawn:
            return
        else:
            present = [player for player in ground.members if player.merged_into_id is None]
            people = dice.some(present, dice.pick(ground.seat_counts()))
        state = dice.pick(("confirmed", "confirmed", "void", "handed_in", "begun", "empty"))
        if fixture is not None and state in {"begun", "empty"}:
            match = open_match(fixture=fixture, by=office, at=ground.at)
            draft = {"totals": [number]} if state == "begun" else None
            Match.objects.filter(pk=match.pk).update(draft=draft)
            continue
        # Organisers cannot void a confirmed match alone if they entered it.
        handed_in = state in {"handed_in", "void"}
        match = played(ground, people, fixture, number=number, confirmed=not handed_in)
        if state == "void":
            void_match(match=match, version=match.version, by=office, at=ground.at, reason="no")
    if fixtures and dice.percent(20):
        Fixture.objects.filter(pk=fixtures[0].pk).update(state=Fixture.State.POSTPONED)


def played(
    ground: Ground,
    people: Sequence[Player],
    fixture: Fixture | None = None,
    *,
    number: int = 0,
    confirmed: bool = True,
) -> Match:
    """Create a match whose result was entered at a real table."""
    league, at = ground.league, ground.at - dt.timedelta(days=1, minutes=number)
    match = Match.objects.create(
        league=league,
        fixture=fixture,
        game=league.game,
        rules=league.rules,
        rules_hash=league.rules_hash,
        state=Match.State.CONFIRMED if confirmed else Match.State.HANDED_IN,
        played_at=at,
        created_at=at,
        entered_by=ground.office,
        handed_in_at=at,
        confirmed_at=at if confirmed else None,
        key=f"match {league.pk} {number} {Match.objects.count()}",
    )
    sides = ground.sides(len(people))
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, number=seat, player=player, side=sides[seat])
        for seat, player in enumerate(people)
    )
    points = [100 if side == sides[0] else 10 * side for side in sides]
    match.sheet = Sheet.objects.create(
        match=match,
        number=1,
        content={},
        points=points,
        places=places_in_order([-own for own in points]),
        evidence=Sheet.Evidence.SCORE,
        by=ground.office,
        at=at,
    )
    match.save(update_fields=["sheet"])
    if confirmed:
        publish_results(league, [match], at=ground.at)
    return match


def _earlier_import(ground: Ground, dice: Dice) -> None:
    """Import a file, so that the league already knows some later results."""
    ladder = not ground.drawn
    present = [player for player in ground.members if player.merged_into_id is None]
    seated = [dice.some(present, ground.seat_counts()[0]) for _file in range(2)]
    for number, people in enumerate(seated if ladder else ground.open_fixtures()[:1]):
        sides = ground.sides(len(people))
        seats = tuple(
            SeatRecord(
                player=player.name,
                identity=player.slug,
                side=side,
                place=1 if side == sides[0] else 2,
            )
            for player, side in zip(people, sides, strict=True)
        )
        played_at = ground.at - dt.timedelta(days=2 + number)
        key = f"earlier/{number}"
        ground.earlier.append(
            ResultRecord(key=key, played_at=played_at, game=ground.league.game, seats=seats)
        )
    reading = read_results(
        league=ground.league,
        data=write_json(ground.earlier).encode(),
        file_format=FileFormat.JSON,
        by=ground.office,
    )
    try:
        import_results(league=ground.league, reading=reading, by=ground.office, at=ground.at)
    except OperationError:
        # The import fails if the fixture already has a match or two members have the same name.
        ground.earlier.clear()
