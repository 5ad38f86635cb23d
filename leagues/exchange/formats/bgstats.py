"""Reader and writer of files of the BG Stats app, and the UUIDs used in them.

In these files, games, players and plays refer to each other by numbers that are valid only inside
the file. A `uuid` identifies a play or a player in all files. Unknown fields are ignored. An error
in a play is reported as a finding.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from uuid import UUID, uuid5

from core.names.text import comparison_key
from leagues.exchange.formats.json_results import Fields, parse_object
from leagues.exchange.formats.parsing import (
    parse_json,
    parse_number,
    parse_score,
    parse_text,
    result_record,
)
from leagues.exchange.formats.play_scores import PlayerScore, Scores, scored_sides
from leagues.exchange.formats.results import (
    MAX_KEY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_SEATS,
    MAX_TITLE_LENGTH,
    MIN_SEATS,
    Code,
    FileReading,
    InvalidValue,
    ResultFinding,
    ResultRecord,
    SeatRecord,
    description,
    mark_repeated,
    quoted,
)
from leagues.exchange.formats.times import parse_moment

# Random namespace of the UUIDs that this site generates for exports. It must never change, because
# an import recognises exported plays and players by their UUIDs.
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


MAX_PLAYS = 20_000
# Key under which an export of this site stores the ids of the site and the league. The app ignores
# it.
OURS = "temporada"
ROOMS = ("games", "players", "plays")
MAX_TEXT_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Export:
    """The parts of a BG Stats file that are read. Games, players and places are keyed by their
    number.

    `origin` are the ids of the site and league that exported the file. They are empty if the file
    is not an export of such a site.
    """

    games: Mapping[int, Fields]
    players: Mapping[int, Fields]
    locations: Mapping[int, Fields]
    plays: Sequence[object]
    origin: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayFilter:
    """Filter that selects plays by the names or catalogue numbers of their game.

    Selected plays belong to the game with the key `slug` on this site. Names are compared
    case-insensitively. Without names and numbers all plays are selected, and each keeps the name of
    its own game.
    """

    slug: str = ""
    names: Collection[str] = ()
    catalogue: Collection[int] = ()

    def slug_of(self, game: Fields) -> str:
        name = parse_text(game.get("name"), "name", MAX_TITLE_LENGTH)
        named = comparison_key(name) in set(map(comparison_key, self.names))
        if not (self.names or self.catalogue):
            return self.slug or name
        if named or game.get("bggId") in list(self.catalogue):
            return self.slug or name
        raise InvalidValue(Code.OTHER_GAME, game=name)


ALL_PLAYS = PlayFilter()


def read_bgstats(
    data: bytes | str,
    *,
    wanted: PlayFilter = ALL_PLAYS,
    zone: tzinfo = UTC,
) -> FileReading:
    """Read a BG Stats file play by play. Never raises.

    `zone` is the time zone in which times are interpreted, because the file contains local times
    without a zone.
    """
    try:
        export = _export(parse_json(data))
    except InvalidValue as refused:
        return FileReading((refused.finding(),))
    findings = [_finding(play, export, wanted, zone) for play in export.plays[:MAX_PLAYS]]
    if len(export.plays) > MAX_PLAYS:
        findings.append(InvalidValue(Code.ROWS, most=MAX_PLAYS).finding())
    return FileReading(mark_repeated(findings))


def _export(content: object) -> Export:
    if not isinstance(content, dict) or not all(
        isinstance(content.get(room), list) for room in ROOMS
    ):
        raise InvalidValue(Code.FORMAT)
    locations = content.get("locations")
    return Export(
        games=_by_number(content["games"]),
        players=_by_number(content["players"]),
        locations=_by_number(locations if isinstance(locations, list) else []),
        plays=content["plays"],
        origin=_origin(content.get(OURS)),
    )


def _origin(ours: object) -> tuple[str, str]:
    if not isinstance(ours, dict):
        return "", ""
    site = parse_text(ours.get("site"), "site", MAX_KEY_LENGTH)
    return site, parse_text(ours.get("league_id"), "league_id", MAX_KEY_LENGTH)


def _by_number(things: Iterable[object]) -> dict[int, Fields]:
    by_id = {}
    for thing in things:
        if isinstance(thing, dict) and isinstance(thing.get("id"), int):
            by_id[thing["id"]] = thing
    return by_id


def _finding(play: object, export: Export, wanted: PlayFilter, zone: tzinfo) -> ResultFinding:
    key = about = ""
    try:
        fields = parse_object(play, "plays")
        key = str(quoted(fields.get("uuid") or ""))
        about = description(fields.get("playDate"), _names(fields, export))
        record = _record(fields, export, wanted, zone)
    except InvalidValue as refused:
        return refused.finding(key=key, about=about)
    return ResultFinding(Code.NEW, key=record.key, record=record)


def _names(play: Fields, export: Export) -> Iterator[object]:
    scores = play.get("playerScores")
    for score in scores[:MAX_SEATS] if isinstance(scores, list) else ():
        if isinstance(score, dict):
            yield (_referred(export.players, score.get("playerRefId")) or {}).get("name")


def _record(play: Fields, export: Export, wanted: PlayFilter, zone: tzinfo) -> ResultRecord:
    game = _referred(export.games, play.get("gameRefId"))
    if game is None:
        raise InvalidValue(Code.WHAT)
    slug = wanted.slug_of(game)
    if play.get("ignored") is True:
        raise InvalidValue(Code.IGNORED)
    scoring = _scoring(play, game)
    if scoring.cooperative:
        raise InvalidValue(Code.COOPERATIVE)
    location = _referred(export.locations, play.get("locationRefId")) or {}
    scores = _scores(play, scoring, export)
    return result_record(
        key=_identifier(play),
        played=parse_moment(play.get("playDate"), zone),
        game=slug,
        seats=scores.seats,
        alternatives=scores.alternatives,
        remarks=scores.remarks,
        origin=export.origin,
        location=_short_text(location.get("name"), "location", MAX_TITLE_LENGTH),
        note=_short_text(play.get("comments"), "comments", MAX_NOTE_LENGTH),
    )


def _referred(things: Mapping[int, Fields], number: object) -> Fields | None:
    return things.get(number) if isinstance(number, int) else None


def _identifier(thing: Fields) -> str:
    folded = parse_text(thing.get("uuid"), "uuid", MAX_KEY_LENGTH).casefold()
    if len(folded) > MAX_KEY_LENGTH:  # some letters become two or three
        raise InvalidValue(Code.TEXT, field="uuid")
    return folded


def _short_text(value: object, field: str, most: int) -> str:
    """Return a text such as a comment, shortened if necessary.

    A long text is not a reason to reject the result.
    """
    text = parse_text(value, field, MAX_TEXT_LENGTH, lines=field == "comments")
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The setting of the BG Stats app that decides how the winner of a play is determined."""

    highest_wins: bool = True
    no_points: bool = False
    cooperative: bool = False


# Maps the field `scoringSetting` of a play to the rule by which its winner is found. The app does
# not document these numbers. They were found in exports of its version 5. Plays entered with older
# versions have 0.
PLAY_SCORING: Mapping[int, Scoring] = {
    1: Scoring(),
    2: Scoring(highest_wins=False),
    3: Scoring(no_points=True),
    4: Scoring(cooperative=True),
}


def _scoring(play: Fields, game: Fields) -> Scoring:
    """Return the scoring setting of the play, or that of its game if the play has no known
    setting.
    """
    setting = play.get("scoringSetting")
    own = PLAY_SCORING.get(setting) if type(setting) is int else None
    return own or Scoring(
        highest_wins=game.get("highestWins") is not False,
        no_points=game.get("noPoints") is True,
        cooperative=game.get("cooperative") is True,
    )


def _scores(play: Fields, scoring: Scoring, export: Export) -> Scores:
    scores = play.get("playerScores")
    if not isinstance(scores, list):
        raise InvalidValue(Code.SHAPE, field="playerScores")
    if not MIN_SEATS <= len(scores) <= MAX_SEATS:
        raise InvalidValue(Code.SEATS, seats=len(scores))
    seated = _in_seating_order(
        [_scored(parse_object(score, "playerScores"), export) for score in scores]
    )
    if play.get("usesTeams") is False:
        seated = [scored_seat.without_team() for scored_seat in seated]
    return scored_sides(seated, highest_wins=scoring.highest_wins, no_points=scoring.no_points)


def _scored(score: Fields, export: Export) -> PlayerScore:
    player = _referred(export.players, score.get("playerRefId"))
    if player is None:
        raise InvalidValue(Code.WHO)
    name = parse_text(player.get("name"), "name", MAX_NAME_LENGTH)
    identity = _identifier(player)
    if player.get("isAnonymous") is True:
        name, identity = (
            parse_text(score.get("anonymousName"), "anonymousName", MAX_NAME_LENGTH),
            "",
        )
    return PlayerScore(
        player=name,
        identity=identity,
        points=parse_score(score.get("score"), "score"),
        winner=score.get("winner") is True,
        rank=parse_number(score.get("rank"), "rank", least=0) or None,
        team=parse_text(score.get("team"), "team", MAX_TITLE_LENGTH) or None,
        seat=parse_number(score.get("seatOrder"), "seatOrder") or None,
        starts=score.get("startPlayer") is True,
    )


def _in_seating_order(scored: list[PlayerScore]) -> list[PlayerScore]:
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
    """Write results as plays of the BG Stats app, which `read_bgstats` recognises.

    `titles` maps keys of games to their names in the app. By default the key is the name. Times are
    written in the time zone `zone` and in whole seconds, because the app stores local times without
    a zone.
    """
    writer = _Writer(titles, zone)
    written = list(records)
    plays = [writer.play(record) for record in written]
    content: Fields = {
        "games": list(writer.games.values()),
        "players": list(writer.players.values()),
        "locations": list(writer.locations.values()),
        "plays": plays,
    }
    origins = {(record.site, record.league_id) for record in written if record.site}
    if len(origins) == 1:
        ((site, league_id),) = origins
        content[OURS] = {"site": site, "league_id": league_id}
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
