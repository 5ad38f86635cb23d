"""Recognition of results in a file that the league has already.

A match is recognised by its key only if its players fit too. Two sites may have a league with the
same slug, and two files may each have a match with the number 1.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from core.names.text import comparison_key
from leagues.exchange.formats import (
    Code,
    ImportVerdict,
    ResultFinding,
    ResultRecord,
    play_uuid,
    player_uuid,
    with_code,
)
from leagues.exchange.origins import LeagueOrigin
from leagues.exchange.people import names_of, shortened
from leagues.models import League, Match, MatchSeat, Player

_MAX_SLUG_LENGTH: Final = 60
_BATCH_SIZE: Final = 500
# Matches the key of a match in an export of this software: the slug of the league and the number.
_OWN_KEY: Final = re.compile(r"(?P<address>.*)/(?P<number>[1-9][0-9]{0,18})")
_NUMBERED: Final = re.compile(r" \([1-9][0-9]*\)$")
_FINGERPRINT: Final = "sha256:"
_UUID_OF_A_NAME, _RANDOM_UUID = 5, 4


def match_key(league: League, match: int) -> str:
    """Return the key that identifies a match of a league in files, here and on other sites."""
    return f"{league.slug[-_MAX_SLUG_LENGTH:]}/{match}"


class KnownMatches:
    """The matches of a league by their keys.

    Void matches are included, so that an import does not add them again.
    """

    def __init__(
        self, league: League, records: Iterable[ResultRecord], origin: LeagueOrigin
    ) -> None:
        self.league, self.origin = league, origin
        self.zone = ZoneInfo(league.zone)
        self.played_at: dict[int, dt.datetime] = {}
        self.numbers: dict[str, set[int]] = {}
        self.external: dict[str, int] = {}
        self.folded: dict[str, int] = {}
        # Matches by the minute in which they were played. Matches imported from elsewhere are left
        # out, because exports keep their foreign key.
        self.of_minute: dict[dt.datetime, set[int]] = {}
        self.void: set[int] = set()
        rows = Match.objects.filter(league=league)
        for number, external, played_at, state in rows.values_list(
            "pk", "external_id", "played_at", "state"
        ):
            if state == Match.State.VOID:
                self.void.add(number)
            self.played_at[number] = played_at
            self._note(match_key(league, number), number)
            if external:
                self.external[external] = self.folded[external.casefold()] = number
                self._note(external, number)
            else:
                self.of_minute.setdefault(_minute(played_at), set()).add(number)
        wanted = {
            number
            for record in records
            for number in (*self._by_key(record), *self._by_time(record))
        }
        self.seated = _players_by_seat(wanted)
        people = {player.pk for players in self.seated.values() for player in players}
        self.names = {number: _without_number(names) for number, names in names_of(people).items()}
        self.used: set[str] = set()
        # Players by their name and identity in the file. They were recognised from results in the
        # file that the league has already.
        self.identified: dict[tuple[str, str], Player] = {}

    def mark(self, findings: Iterable[ResultFinding]) -> tuple[ResultFinding, ...]:
        """Return the findings. Results that the league already has are marked as `known`.

        First, results are recognised by their key. Then the remaining results are recognised by
        their time, among the matches that are not yet recognised.
        """
        marked = list(findings)
        recognised: set[int] = set()
        for match_of in (self._match_by_key, self._match_by_time):
            for place, finding in enumerate(marked):
                if finding.verdict is not ImportVerdict.ADD or finding.record is None:
                    continue
                if finding.record.is_bye:
                    continue
                number = match_of(finding.record, recognised)
                if number is not None:
                    recognised.add(number)
                    self._identify(finding.record, number)
                    code = Code.VOID if number in self.void else Code.KNOWN
                    marked[place] = with_code(finding, code)
        return tuple(marked)

    def _identify(self, record: ResultRecord, number: int) -> None:
        players = self._in_seats(record, number) or ()
        for seat, player in zip(record.seats, players, strict=False):
            if seat.identity and player.left_at is None:
                self.identified.setdefault((comparison_key(seat.player), seat.identity), player)

    def _match_by_key(self, record: ResultRecord, _recognised: Collection[int]) -> int | None:
        """Return the number of the league's match with the key of this result, or None."""
        if _is_unmistakable(record):
            return (
                self.external.get(record.key)
                or self.folded.get(record.key.casefold())
                or self.external.get(record.former_key)
            )
        if self.origin.is_league_of(record):
            number = next(iter(self.numbers.get(record.key, ())), self._number(record))
            if number in self.played_at:
                return number
        return self.external.get(self._other_key(record)) or self._fitting(
            record, self._by_key(record)
        )

    def _match_by_time(self, record: ResultRecord, recognised: Collection[int]) -> int | None:
        numbers = (number for number in self._by_time(record) if number not in recognised)
        return self._fitting(record, numbers)

    def _fitting(self, record: ResultRecord, numbers: Iterable[int]) -> int | None:
        """Return the first of these matches whose players are those of the result."""
        return next(
            (number for number in numbers if self._in_seats(record, number) is not None), None
        )

    def free_key(self, record: ResultRecord) -> str:
        """Return the key to store: the key in the file or, if another match has it, a different
        one.
        """
        taken = record.key in self.external or record.key in self.used
        if taken or self._is_addressed(record):
            return self._other_key(record)
        self.used.add(record.key)
        return record.key

    def _note(self, key: str, number: int) -> None:
        for written in {key, play_uuid(key)}:
            self.numbers.setdefault(written, set()).add(number)

    def _number(self, record: ResultRecord) -> int | None:
        """Return the match number in a key that an export of this software wrote, whatever
        slug the league had then.
        """
        found = _OWN_KEY.fullmatch(record.key)
        return int(found["number"]) if found else None

    def _is_addressed(self, record: ResultRecord) -> bool:
        """Return whether the key of a match begins with the present slug of the league."""
        found = _OWN_KEY.fullmatch(record.key)
        return found is not None and f"{found['address']}/0" == match_key(self.league, 0)

    def _by_key(self, record: ResultRecord) -> list[int]:
        """Return the matches to which the key of this result may belong, most likely first.

        The players decide which of them it is. If only the number in the key is the same, or the
        key differs in upper and lower case, the time must be the same too. Otherwise a key such as
        `J2/1` in a file from another program could be mistaken for a key of this league.
        """
        found = sorted(self.numbers.get(record.key, ()))
        others = (self._other_key(record), record.former_key)
        found += [self.external[key] for key in others if key in self.external]
        folded = self.folded.get(record.key.casefold())
        if folded is not None and self._is_at(record, folded):
            found.append(folded)
        number = self._number(record)
        if number is None or number not in self.played_at or self._is_of_another_site(record):
            return found
        ours = self.origin.is_site_of(record) or self._is_addressed(record)
        return [*found, number] if ours or self._is_at(record, number) else found

    def _by_time(self, record: ResultRecord) -> list[int]:
        """Return the matches that were played in the minute of a play which this software exported.

        The UUID of such a play is a hash of the key. If the slug of the league has changed since,
        the match cannot be found by its key.
        """
        elsewhere = record.league_id and not self.origin.is_league_of(record)
        if _version(record.key) != _UUID_OF_A_NAME or elsewhere:
            return []
        if self._is_of_another_site(record):
            return []
        minutes = {_minute(moment) for moment in self._moments(record)}
        return sorted(number for minute in minutes for number in self.of_minute.get(minute, ()))

    def _is_of_another_site(self, record: ResultRecord) -> bool:
        return bool(record.site) and not self.origin.is_site_of(record)

    def _is_at(self, record: ResultRecord, number: int) -> bool:
        """Return whether a match of the league was played in the same minute as the result in the
        file.
        """
        return _minute(self.played_at[number]) in {
            _minute(moment) for moment in self._moments(record)
        }

    def _moments(self, record: ResultRecord) -> Iterator[dt.datetime]:
        """Yield the possible times of a result in UTC.

        Exports for BG Stats by earlier versions contain times in UTC, which are now read as local
        times.
        """
        yield record.played_at
        yield record.played_at.astimezone(self.zone).replace(tzinfo=dt.UTC)

    def _in_seats(self, record: ResultRecord, number: int) -> list[Player] | None:
        """Return the players of a match in the order of the result's seats, or None if they do not
        fit.
        """
        players = list(self.seated.get(number, ()))
        if len(players) != len(record.seats):
            return None
        at_that_minute = self._is_at(record, number)
        choices = []
        for written in record.seats:
            names = _names_here(written.player)
            # The identity identifies a player even if the file was exported before the player was
            # renamed, or in an encoding without some letters of the name.
            identified = [
                seat
                for seat, player in enumerate(players)
                if at_that_minute and _is_identity_of(player, written.identity)
            ]
            named = [
                seat
                for seat, player in enumerate(players)
                if not names.isdisjoint(self.names.get(player.pk, ()))
            ]
            gone = [
                seat
                for seat, player in enumerate(players)
                if at_that_minute and player.left_at is not None
            ]
            choices.append([*dict.fromkeys([*identified, *named, *gone])])
        seats = _one_each(choices)
        return None if seats is None else [players[seat] for seat in seats]

    def _other_key(self, record: ResultRecord) -> str:
        """Return a different key for a result whose own key belongs to another match."""
        names = sorted(comparison_key(seat.player) for seat in record.seats)
        content = json.dumps([record.site, record.league_id, record.key, names])
        return f"{_FINGERPRINT}{sha256(content.encode()).hexdigest()}"


def _players_by_seat(numbers: Iterable[int]) -> dict[int, list[Player]]:
    """Return the players of these matches in seating order, after merges."""
    wanted = sorted(numbers)
    people: dict[int, list[Player]] = {}
    for start in range(0, len(wanted), _BATCH_SIZE):
        seats = MatchSeat.objects.filter(match__in=wanted[start : start + _BATCH_SIZE])
        for seat in seats.select_related("player__merged_into").order_by("match", "number"):
            people.setdefault(seat.match_id, []).append(seat.player.merged_into or seat.player)
    return people


def _one_each(choices: Sequence[Sequence[int]]) -> list[int] | None:
    """Choose one item from each list of choices, so that no item is chosen twice. Return None if
    that is impossible.

    Earlier choices are preferred. The first choice may be wrong, because a player's former name may
    be the present name of another player.
    """
    if not choices:
        return []
    for seat in choices[0]:
        rest = _one_each([[other for other in some if other != seat] for some in choices[1:]])
        if rest is not None:
            return [seat, *rest]
    return None


def _is_identity_of(player: Player, identity: str) -> bool:
    return identity in {player.slug, player_uuid(player.slug, player.name)}


def _without_number(names: set[str]) -> set[str]:
    """Return the names, and the same names without the number that an import may have added.

    An import adds a number to a name if several different people have it.
    """
    return names | {_NUMBERED.sub("", name) for name in names}


def _names_here(name: str) -> set[str]:
    """Return the forms in which an import may have stored a name: unchanged, or shortened to make
    room for a number.
    """
    cut = {shortened(name, number) for number in (2, 10, 100)} - {name}
    return {comparison_key(name), *map(comparison_key, cut)}


def _minute(moment: dt.datetime) -> dt.datetime:
    return moment.astimezone(dt.UTC).replace(second=0, microsecond=0)


def _version(key: str) -> int | None:
    try:
        return UUID(key).version if len(key) == 36 else None
    except ValueError:
        return None


def _is_unmistakable(record: ResultRecord) -> bool:
    """Return whether a result's key is a random UUID or a hash of the whole result."""
    return record.key.startswith(_FINGERPRINT) or _version(record.key) == _RANDOM_UUID
