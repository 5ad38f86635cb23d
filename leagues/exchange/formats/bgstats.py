"""Reader, writer and identifiers for plays of the BG Stats app.

References are numbers inside the file. The `uuid` identifies a play or a player across exports.
Unknown fields are ignored. Errors in a play become findings.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from itertools import chain
from uuid import UUID, uuid5

from leagues.exchange.formats.json_results import Fields, parse_object
from leagues.exchange.formats.parsing import (
    WrittenSeat,
    parse_json,
    parse_moment,
    parse_number,
    parse_sum,
    parse_text,
    result_record,
)
from leagues.exchange.formats.results import (
    MAX_KEY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_SEATS,
    MAX_TITLE_LENGTH,
    MIN_SEATS,
    Code,
    Finding,
    Reading,
    Refused,
    ResultRecord,
    SeatRecord,
    mark_known,
    places_in_order,
    quoted,
)

# Random namespace of our identifiers. It must never change.
NAMESPACE = UUID("6f1c2b6e-6d4b-5c39-9f6c-0d6a7b1f5e21")


def play_uuid(key: str) -> str:
    return _own_uuid(key) or str(uuid5(NAMESPACE, f"play/{key}"))


def player_uuid(identity: str, name: str) -> str:
    return _own_uuid(identity) or str(
        uuid5(NAMESPACE, f"player/{identity}" if identity else f"name/{name}")
    )


def thing_uuid(kind: str, name: str) -> str:
    return str(uuid5(NAMESPACE, f"{kind}/{name}"))


def _own_uuid(identity: str) -> str:
    try:
        return str(UUID(identity)) if len(identity) == 36 else ""
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One line of a play. `rank` and `seat` count from 1 and are None if not noted."""

    player: str
    identity: str
    points: int | None = None
    winner: bool = False
    rank: int | None = None
    team: str | None = None
    seat: int | None = None
    starts: bool = False

    def alone(self) -> Scored:
        return replace(self, team=None)


Side = list[Scored]


def scored_sides(
    scored: Sequence[Scored], *, highest_wins: bool, no_points: bool
) -> list[WrittenSeat]:
    """Return the seats with the rank of their side. Equal sides alternate. Raises `Refused`."""
    sides = _sides(scored)
    points = [None if no_points else _points(side) for side in sides]
    ranks = places_in_order(_ranks(sides, points, highest_wins=highest_wins))
    written = [
        [
            WrittenSeat(
                player=scored_seat.player,
                identity=scored_seat.identity,
                side=number,
                rank=rank,
                points=score,
            )
            for scored_seat in side
        ]
        for number, (side, rank, score) in enumerate(zip(sides, ranks, points, strict=True))
    ]
    return _by_turns(written)


def _sides(scored: Iterable[Scored]) -> list[Side]:
    sides: dict[object, Side] = {}
    for index, scored_seat in enumerate(scored):
        sides.setdefault(scored_seat.team or index, []).append(scored_seat)
    return list(sides.values())


def _points(side: Side) -> int | None:
    """Points of a side: noted once, the same for all its players, or the sum of theirs."""
    noted = [scored_seat.points for scored_seat in side if scored_seat.points is not None]
    if not noted:
        return None
    return noted[0] if len(set(noted)) == 1 else sum(noted)


def _ranks(sides: Sequence[Side], points: Sequence[int | None], *, highest_wins: bool) -> list[int]:
    """Rank each side, lower is better: as noted, else winners first, then by score."""
    noted = [
        min((scored_seat.rank for scored_seat in side if scored_seat.rank), default=None)
        for side in sides
    ]
    if None not in noted:
        return [rank or 0 for rank in noted]
    won = [any(scored_seat.winner for scored_seat in side) for side in sides]
    scores = [score for score in points if score is not None]
    if len(scores) < len(points):
        if not any(won):
            raise Refused(Code.OUTCOME)
        return [0 if winner else 1 for winner in won]
    order = [
        (not winner, -score if highest_wins else score)
        for winner, score in zip(won, scores, strict=True)
    ]
    levels = sorted(set(order))
    return [levels.index(scored_seat) for scored_seat in order]


def _by_turns(sides: Sequence[Sequence[WrittenSeat]]) -> list[WrittenSeat]:
    if len({len(side) for side in sides}) == 1:
        return list(chain.from_iterable(zip(*sides, strict=True)))
    return list(chain.from_iterable(sides))


MAX_PLAYS = 20_000
ROOMS = ("games", "players", "plays")
MAX_TEXT_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Export:
    """Relevant parts of an export. Games, players and places are keyed by number in the file."""

    games: Mapping[int, Fields]
    players: Mapping[int, Fields]
    locations: Mapping[int, Fields]
    plays: Sequence[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayFilter:
    """Select plays by the names or catalogue numbers of their game.

    `slug` is our name of the game. Names are compared case-insensitively. Without names and numbers
    every game is selected under its own name.
    """

    slug: str = ""
    names: Collection[str] = ()
    catalogue: Collection[int] = ()

    def slug_of(self, game: Fields) -> str:
        name = parse_text(game.get("name"), "name", MAX_TITLE_LENGTH)
        named = name.casefold() in {wanted.casefold() for wanted in self.names}
        if not (self.names or self.catalogue):
            return self.slug or name
        if named or game.get("bggId") in list(self.catalogue):
            return self.slug or name
        raise Refused(Code.OTHER_GAME, game=name)


ALL_PLAYS = PlayFilter()


def read_bgstats(
    data: bytes | str,
    *,
    wanted: PlayFilter = ALL_PLAYS,
    known: Collection[str] = (),
    zone: tzinfo = UTC,
) -> Reading:
    """Read an export play by play. Never raises.

    `known` holds keys of existing results, including those exported from here. `zone` is the time
    zone of the app, whose times have none.
    """
    try:
        export = _export(parse_json(data))
    except Refused as refused:
        return Reading((refused.finding(),))
    findings = [_finding(play, export, wanted, zone) for play in export.plays[:MAX_PLAYS]]
    if len(export.plays) > MAX_PLAYS:
        findings.append(Refused(Code.ROWS, most=MAX_PLAYS).finding())
    went_out = {play_uuid(key) for key in known}
    return Reading(mark_known(findings, {key.casefold() for key in known} | went_out))


def _export(content: object) -> Export:
    if not isinstance(content, dict) or not all(
        isinstance(content.get(room), list) for room in ROOMS
    ):
        raise Refused(Code.FORMAT)
    locations = content.get("locations")
    return Export(
        games=_by_number(content["games"]),
        players=_by_number(content["players"]),
        locations=_by_number(locations if isinstance(locations, list) else []),
        plays=content["plays"],
    )


def _by_number(things: Iterable[object]) -> dict[int, Fields]:
    by_id = {}
    for thing in things:
        if isinstance(thing, dict) and isinstance(thing.get("id"), int):
            by_id[thing["id"]] = thing
    return by_id


def _finding(play: object, export: Export, wanted: PlayFilter, zone: tzinfo) -> Finding:
    key = ""
    try:
        fields = parse_object(play, "plays")
        key = str(quoted(fields.get("uuid") or ""))
        record = _record(fields, export, wanted, zone)
    except Refused as refused:
        return refused.finding(key=key)
    return Finding(Code.NEW, key=record.key, record=record)


def _record(play: Fields, export: Export, wanted: PlayFilter, zone: tzinfo) -> ResultRecord:
    game = _referred(export.games, play.get("gameRefId"))
    if game is None:
        raise Refused(Code.WHAT)
    slug = wanted.slug_of(game)
    if play.get("ignored") is True:
        raise Refused(Code.IGNORED)
    if game.get("cooperative") is True:
        raise Refused(Code.COOPERATIVE)
    location = _referred(export.locations, play.get("locationRefId")) or {}
    return result_record(
        key=parse_text(play.get("uuid"), "uuid", MAX_KEY_LENGTH).casefold(),
        played_at=parse_moment(play.get("playDate"), zone),
        game=slug,
        seats=_seats(play, game, export),
        location=_short_text(location.get("name"), "location", MAX_TITLE_LENGTH),
        note=_short_text(play.get("comments"), "comments", MAX_NOTE_LENGTH),
    )


def _referred(things: Mapping[int, Fields], number: object) -> Fields | None:
    return things.get(number) if isinstance(number, int) else None


def _short_text(value: object, field: str, most: int) -> str:
    """Shorten a text that accompanies the result. Long texts are no reason to reject it."""
    text = parse_text(value, field, MAX_TEXT_LENGTH, lines=field == "comments")
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _seats(play: Fields, game: Fields, export: Export) -> list[WrittenSeat]:
    scores = play.get("playerScores")
    if not isinstance(scores, list):
        raise Refused(Code.SHAPE, field="playerScores")
    if not MIN_SEATS <= len(scores) <= MAX_SEATS:
        raise Refused(Code.SEATS, seats=len(scores))
    seated = _seated([_scored(parse_object(score, "playerScores"), export) for score in scores])
    if play.get("usesTeams") is False:
        seated = [scored_seat.alone() for scored_seat in seated]
    return scored_sides(
        seated,
        highest_wins=game.get("highestWins") is not False,
        no_points=game.get("noPoints") is True,
    )


def _scored(score: Fields, export: Export) -> Scored:
    player = _referred(export.players, score.get("playerRefId"))
    if player is None:
        raise Refused(Code.WHO)
    name = parse_text(player.get("name"), "name", MAX_NAME_LENGTH)
    identity = parse_text(player.get("uuid"), "uuid", MAX_KEY_LENGTH).casefold()
    if player.get("isAnonymous") is True:
        name, identity = (
            parse_text(score.get("anonymousName"), "anonymousName", MAX_NAME_LENGTH),
            "",
        )
    return Scored(
        player=name,
        identity=identity,
        points=parse_sum(score.get("score"), "score"),
        winner=score.get("winner") is True,
        rank=parse_number(score.get("rank"), "rank", least=0) or None,
        team=parse_text(score.get("team"), "team", MAX_TITLE_LENGTH) or None,
        seat=parse_number(score.get("seatOrder"), "seatOrder") or None,
        starts=score.get("startPlayer") is True,
    )


def _seated(scored: list[Scored]) -> list[Scored]:
    orders = [scored_seat.seat for scored_seat in scored if scored_seat.seat]
    if len(set(orders)) == len(scored):
        return sorted(scored, key=lambda scored_seat: scored_seat.seat or 0)
    starts = next((index for index, scored_seat in enumerate(scored) if scored_seat.starts), 0)
    return scored[starts:] + scored[:starts]


TIME_FORMAT = "%Y-%m-%d %H:%M:%S"
NO_TITLES: Mapping[str, str] = {}


def write_bgstats(
    records: Iterable[ResultRecord], *, titles: Mapping[str, str] = NO_TITLES, zone: tzinfo = UTC
) -> str:
    """Write results as plays, which `read_bgstats` recognises.

    `titles` maps slugs to names of games in the app; the slug is the default. `zone` is the time
    zone of the app, whose times have none and are in whole seconds.
    """
    writer = _Writer(titles, zone)
    plays = [writer.play(record) for record in records]
    content = {
        "games": list(writer.games.values()),
        "players": list(writer.players.values()),
        "locations": list(writer.locations.values()),
        "plays": plays,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


class _Writer:
    def __init__(self, titles: Mapping[str, str], zone: tzinfo) -> None:
        self.titles, self.zone = titles, zone
        self.games: dict[str, Fields] = {}
        self.players: dict[str, Fields] = {}
        self.locations: dict[str, Fields] = {}

    def play(self, record: ResultRecord) -> Fields:
        played_at = record.played_at.astimezone(self.zone).strftime(TIME_FORMAT)
        partners = len({seat.side for seat in record.seats}) < len(record.seats)
        return {
            "uuid": play_uuid(record.key),
            "gameRefId": self._game(record.game),
            "locationRefId": self._location(record.location),
            "playDate": played_at,
            "modificationDate": record.played_at.astimezone(UTC).strftime(TIME_FORMAT),
            "durationMin": 0,
            "usesTeams": partners,
            "ignored": False,
            "manualWinner": True,
            "rounds": 0,
            "rating": 0,
            "comments": record.note,
            "playerScores": [
                self._score(seat, number, partners=partners)
                for number, seat in enumerate(record.seats, start=1)
            ],
        }

    def _score(self, seat: SeatRecord, number: int, *, partners: bool) -> Fields:
        score: Fields = {
            "playerRefId": self._player(seat),
            "score": "" if seat.points is None else str(seat.points),
            "winner": seat.place == 1,
            "rank": seat.place,
            "seatOrder": number,
            "startPlayer": number == 1,
            "newPlayer": False,
        }
        if not (seat.player or seat.identity):
            score["anonymousName"] = ""
        return score | ({"team": f"{seat.side + 1}"} if partners else {})

    def _game(self, slug: str) -> object:
        title = self.titles.get(slug, slug)
        entry = {
            "uuid": thing_uuid("game", slug),
            "name": title,
            "highestWins": True,
            "noPoints": False,
            "usesTeams": False,
            "cooperative": False,
        }
        return _entry_number(self.games, slug, entry)

    def _player(self, seat: SeatRecord) -> object:
        unknown = not (seat.player or seat.identity)
        uuid = player_uuid(seat.identity, seat.player)
        entry: Fields = {"uuid": uuid, "name": seat.player or "?", "isAnonymous": unknown}
        return _entry_number(self.players, uuid, entry)

    def _location(self, name: str) -> object:
        if not name:
            return 0
        return _entry_number(
            self.locations, name, {"uuid": thing_uuid("place", name), "name": name}
        )


def _entry_number(room: dict[str, Fields], key: str, entry: Fields) -> object:
    return room.setdefault(key, {"id": len(room) + 1, **entry})["id"]
