"""Plays as the BG Stats app exports them, read: from its one JSON object to results.

References are numbers inside the file; what identifies a play or a player across exports is the
`uuid`. Fields nobody here knows are passed over. No play can make the reader fail: what is wrong
with one becomes a finding about that one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from itertools import chain

from leagues.exchange.findings import Code, Finding, Reading, Refused, quoted, sorted_out
from leagues.exchange.json_results import Fields, object_of
from leagues.exchange.play_identity import play_uuid
from leagues.exchange.records import (
    FEWEST_SEATS,
    KEY_LENGTH,
    MOST_SEATS,
    NAME_LENGTH,
    NOTE_LENGTH,
    TITLE_LENGTH,
    ResultRecord,
    places_in_order,
)
from leagues.exchange.seats import Written, result_record
from leagues.exchange.values import moment_of, number_of, parsed, sum_of, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One line of a play. `rank` and `seat` count from 1, None where not noted."""

    player: str
    identity: str
    points: int | None = None
    winner: bool = False
    rank: int | None = None
    team: str | None = None
    seat: int | None = None
    starts: bool = False

    def alone(self) -> Scored:
        """The same, in nobody's team."""
        return replace(self, team=None)


Side = list[Scored]


def scored_sides(scored: Sequence[Scored], *, highest_wins: bool, no_points: bool) -> list[Written]:
    """The seats with the rank of their side; sides of one size sit by turns. Raises `Refused`."""
    sides = _sides(scored)
    points = [None if no_points else _points(side) for side in sides]
    ranks = places_in_order(_ranks(sides, points, highest_wins=highest_wins))
    written = [
        [
            Written(player=one.player, identity=one.identity, side=number, rank=rank, points=score)
            for one in side
        ]
        for number, (side, rank, score) in enumerate(zip(sides, ranks, points, strict=True))
    ]
    return _by_turns(written)


def _sides(scored: Iterable[Scored]) -> list[Side]:
    """Teams in the order in which they appear; who has none is a side alone."""
    sides: dict[object, Side] = {}
    for index, one in enumerate(scored):
        sides.setdefault(one.team or index, []).append(one)
    return list(sides.values())


def _points(side: Side) -> int | None:
    """What a side scored: noted once, alike for all, or for each one apart and added up."""
    noted = [one.points for one in side if one.points is not None]
    if not noted:
        return None
    return noted[0] if len(set(noted)) == 1 else sum(noted)


def _ranks(sides: Sequence[Side], points: Sequence[int | None], *, highest_wins: bool) -> list[int]:
    """A rank for each side, lower is better: as noted, else winners before others, then score."""
    noted = [min((one.rank for one in side if one.rank), default=None) for side in sides]
    if None not in noted:
        return [rank or 0 for rank in noted]
    won = [any(one.winner for one in side) for side in sides]
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
    return [levels.index(one) for one in order]


def _by_turns(sides: Sequence[Sequence[Written]]) -> list[Written]:
    """Sides of one size sit by turns; sides of several sizes one after the other."""
    if len({len(side) for side in sides}) == 1:
        return list(chain.from_iterable(zip(*sides, strict=True)))
    return list(chain.from_iterable(sides))


MOST_PLAYS = 20_000
ROOMS = ("games", "players", "plays")
LONG_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Export:
    """The parts of an export that matter, things by their number in the file."""

    games: Mapping[int, Fields]
    players: Mapping[int, Fields]
    locations: Mapping[int, Fields]
    plays: Sequence[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which plays to take: those of a game with one of these names, or numbers of the catalogue.

    `slug`: what the game is called here. Names are compared without regard to capitals. Neither
    names nor numbers: every game, by its own name.
    """

    slug: str = ""
    names: Collection[str] = ()
    catalogue: Collection[int] = ()

    def slug_of(self, game: Fields) -> str:
        """What the game of a play is called here; `Refused` where it is not wanted."""
        name = text_of(game.get("name"), "name", TITLE_LENGTH)
        named = name.casefold() in {wanted.casefold() for wanted in self.names}
        if not (self.names or self.catalogue):
            return self.slug or name
        if named or game.get("bggId") in list(self.catalogue):
            return self.slug or name
        raise Refused(Code.OTHER_GAME, game=name)


EVERYTHING = Wanted()


def read_bgstats(
    data: bytes | str,
    *,
    wanted: Wanted = EVERYTHING,
    known: Collection[str] = (),
    zone: tzinfo = UTC,
) -> Reading:
    """What is in an export, play by play; never raises, whatever the file holds.

    `known`: keys of results already there, also such as went out to the app from here. `zone`:
    that of the app's times, which name none.
    """
    try:
        export = _export(parsed(data))
    except Refused as refused:
        return Reading((refused.finding(),))
    found = [_finding(play, export, wanted, zone) for play in export.plays[:MOST_PLAYS]]
    if len(export.plays) > MOST_PLAYS:
        found.append(Refused(Code.ROWS, most=MOST_PLAYS).finding())
    went_out = {play_uuid(key) for key in known}
    return Reading(sorted_out(found, {key.casefold() for key in known} | went_out))


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
    found = {}
    for thing in things:
        if isinstance(thing, dict) and isinstance(thing.get("id"), int):
            found[thing["id"]] = thing
    return found


def _finding(play: object, export: Export, wanted: Wanted, zone: tzinfo) -> Finding:
    key = ""
    try:
        fields = object_of(play, "plays")
        key = str(quoted(fields.get("uuid") or ""))
        record = _record(fields, export, wanted, zone)
    except Refused as refused:
        return refused.finding(key=key)
    return Finding(Code.NEW, key=record.key, record=record)


def _record(play: Fields, export: Export, wanted: Wanted, zone: tzinfo) -> ResultRecord:
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
        key=text_of(play.get("uuid"), "uuid", KEY_LENGTH).casefold(),
        played_at=moment_of(play.get("playDate"), zone),
        game=slug,
        seats=_seats(play, game, export),
        location=_shortened(location.get("name"), "location", TITLE_LENGTH),
        note=_shortened(play.get("comments"), "comments", NOTE_LENGTH),
    )


def _referred(things: Mapping[int, Fields], number: object) -> Fields | None:
    return things.get(number) if isinstance(number, int) else None


def _shortened(value: object, field: str, most: int) -> str:
    """Words beside the result: too many of them are no reason to refuse it."""
    text = text_of(value, field, LONG_TEXT, lines=field == "comments")
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _seats(play: Fields, game: Fields, export: Export) -> list[Written]:
    scores = play.get("playerScores")
    if not isinstance(scores, list):
        raise Refused(Code.SHAPE, field="playerScores")
    if not FEWEST_SEATS <= len(scores) <= MOST_SEATS:
        raise Refused(Code.SEATS, seats=len(scores))
    seated = _seated([_scored(object_of(score, "playerScores"), export) for score in scores])
    if play.get("usesTeams") is False:
        seated = [one.alone() for one in seated]
    return scored_sides(
        seated,
        highest_wins=game.get("highestWins") is not False,
        no_points=game.get("noPoints") is True,
    )


def _scored(score: Fields, export: Export) -> Scored:
    player = _referred(export.players, score.get("playerRefId"))
    if player is None:
        raise Refused(Code.WHO)
    name = text_of(player.get("name"), "name", NAME_LENGTH)
    identity = text_of(player.get("uuid"), "uuid", KEY_LENGTH).casefold()
    if player.get("isAnonymous") is True:
        name, identity = text_of(score.get("anonymousName"), "anonymousName", NAME_LENGTH), ""
    return Scored(
        player=name,
        identity=identity,
        points=sum_of(score.get("score"), "score"),
        winner=score.get("winner") is True,
        rank=number_of(score.get("rank"), "rank", least=0) or None,
        team=text_of(score.get("team"), "team", TITLE_LENGTH) or None,
        seat=number_of(score.get("seatOrder"), "seatOrder") or None,
        starts=score.get("startPlayer") is True,
    )


def _seated(scored: list[Scored]) -> list[Scored]:
    """In the order of the table where it was noted, else as listed, who started first."""
    orders = [one.seat for one in scored if one.seat]
    if len(set(orders)) == len(scored):
        return sorted(scored, key=lambda one: one.seat or 0)
    starts = next((index for index, one in enumerate(scored) if one.starts), 0)
    return scored[starts:] + scored[:starts]
