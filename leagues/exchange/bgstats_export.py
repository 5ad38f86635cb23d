"""Results written as the BG Stats app imports them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, tzinfo

from leagues.exchange.json_results import Fields
from leagues.exchange.play_identity import play_uuid, player_uuid, thing_uuid
from leagues.exchange.records import ResultRecord, SeatRecord

TIME = "%Y-%m-%d %H:%M:%S"
NO_TITLES: Mapping[str, str] = {}


def write_bgstats(
    records: Iterable[ResultRecord], *, titles: Mapping[str, str] = NO_TITLES, zone: tzinfo = UTC
) -> str:
    """The file that holds these results as plays; `read_bgstats` recognises them.

    `titles`: what the games are called in the app, by slug; the slug where none is given.
    `zone`: that of the app, whose times name none and are whole seconds.
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
    """Numbers games, players and places as they come, and refers to them."""

    def __init__(self, titles: Mapping[str, str], zone: tzinfo) -> None:
        self.titles, self.zone = titles, zone
        self.games: dict[str, Fields] = {}
        self.players: dict[str, Fields] = {}
        self.locations: dict[str, Fields] = {}

    def play(self, record: ResultRecord) -> Fields:
        """One play."""
        played_at = record.played_at.astimezone(self.zone).strftime(TIME)
        partners = len({seat.side for seat in record.seats}) < len(record.seats)
        return {
            "uuid": play_uuid(record.key),
            "gameRefId": self._game(record.game),
            "locationRefId": self._location(record.location),
            "playDate": played_at,
            "modificationDate": record.played_at.astimezone(UTC).strftime(TIME),
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
        return _numbered(self.games, slug, entry)

    def _player(self, seat: SeatRecord) -> object:
        unknown = not (seat.player or seat.identity)
        uuid = player_uuid(seat.identity, seat.player)
        entry: Fields = {"uuid": uuid, "name": seat.player or "?", "isAnonymous": unknown}
        return _numbered(self.players, uuid, entry)

    def _location(self, name: str) -> object:
        if not name:
            return 0
        return _numbered(self.locations, name, {"uuid": thing_uuid("place", name), "name": name})


def _numbered(room: dict[str, Fields], key: str, entry: Fields) -> object:
    """The number of a thing in its room, from 1; new ones move in."""
    return room.setdefault(key, {"id": len(room) + 1, **entry})["id"]
