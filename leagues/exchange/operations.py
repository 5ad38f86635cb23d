"""Operations for import (with a preview, in one transaction) and export of results."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from core import isolation
from core.names.text import comparison_key
from leagues.exceptions import NotAllowed, OperationError
from leagues.exchange.formats import (
    COLUMNS,
    ORIGIN_COLUMNS,
    RESULT_TYPES,
    FileReading,
    PlayFilter,
    ResultRecord,
    SeatRecord,
    csv_rows,
    read_untrusted,
    write_bgstats,
    write_csv,
    write_json,
)
from leagues.exchange.import_plan import ImportLine, ImportPlan, is_own
from leagues.exchange.known_matches import match_key
from leagues.exchange.new_rounds import save_rounds
from leagues.exchange.open_fixtures import free_fixtures
from leagues.exchange.origins import LeagueOrigin, origin_of
from leagues.exchange.planner import plan_import
from leagues.games import Game, games
from leagues.matches.operations.matches import check_open
from leagues.models import League, Match, MatchSeat, Member, Place, Player, Result, Round, Sheet
from leagues.permissions import may_organise
from leagues.players import clean_name, new_player
from leagues.ratings.recounts import send_recounts
from leagues.results import publish_results

_BATCH_SIZE = 500


class FileFormat(StrEnum):
    """File formats of results."""

    CSV = "csv"
    JSON = "json"
    BGSTATS = "bgstats"


@dataclass(frozen=True, kw_only=True)
class ImportResult:
    """Outcome of an import.

    `waiting` is the number of `matches` that await confirmation by a second player. `doubts` is the
    number of results that were left out because the organiser did not answer a question about them.
    `rounds` were created.
    """

    matches: tuple[Match, ...]
    waiting: int
    guests: tuple[Player, ...]
    doubts: int = 0
    rounds: tuple[Round, ...] = ()
    byes: int = 0


@dataclass(frozen=True, kw_only=True)
class ShownPlan:
    """The plan that a preview showed to the organiser: its digest, and the organiser's answers at
    that time.
    """

    digest: str
    decisions: Mapping[str, str]


class PreviewOutdated(OperationError):
    """The import would do something else than its preview showed.

    The league or the answers have changed since.
    """

    def __init__(self, sentence: str = "") -> None:
        changed = _("The league has changed since the preview. Check the new preview.")
        super().__init__(sentence or changed, "file")


def read_results(
    *,
    league: League,
    data: bytes,
    file_format: FileFormat,
    by: Player,
    names: Sequence[str] = (),
) -> FileReading:
    """Read results from a file in a separate process. Call it outside a transaction.

    Times without a time zone are in the zone of the league. `names` are additional names of the
    league's game in the file. Raises `NotAllowed` if the player is not an organiser, and
    `OperationError` if reading takes too much time or memory.
    """
    check_may_import(league, by)
    options: dict[str, object] = {"zone": ZoneInfo(league.zone)}
    called = (*_names_of(games[league.game]), *names)
    if file_format is FileFormat.BGSTATS:
        options["wanted"] = PlayFilter(slug=league.game, names=called)
    else:
        rounds = league.format != League.Format.LADDER
        options |= {"game": league.game, "names": called, "rounds": rounds}
    try:
        return isolation.run(
            read_untrusted, data, file_format.value, made_of=RESULT_TYPES, **options
        )
    except isolation.TooExpensiveError as error:
        raise OperationError(
            _("The file takes too much time or memory to read."), "file"
        ) from error
    except isolation.BusyError as error:
        sentence = _("Other files are being read. Try again in a minute.")
        raise OperationError(sentence, "file") from error


def _names_of(game: Game) -> Iterator[str]:
    """Yield the names that a game may have in files, in all languages of the site."""
    yield from (game.key, *game.also_called)
    for language, _label in settings.LANGUAGES:
        with translation.override(language):
            yield str(game.name)


def check_may_import(league: League, by: Player) -> None:
    """Raise `NotAllowed` unless the player organises the league."""
    if not may_organise(by, league):
        raise NotAllowed(_("Only an organiser of the league can do this."))


def preview_import(
    *,
    league: League,
    reading: FileReading,
    by: Player,
    at: dt.datetime,
    decisions: Mapping[str, str] | None = None,
) -> ImportPlan:
    """Preview the import of a file, line by line. Nothing is saved.

    `decisions` maps keys of questions to the organiser's answers. Raises `NotAllowed` unless the
    player organises the league, and `OperationError` for an invalid answer or a closed league.
    """
    check_may_import(league, by)
    check_open(league)
    return plan_import(league, reading, at=at, decisions=decisions)


def import_results(
    *,
    league: League,
    reading: FileReading,
    by: Player,
    at: dt.datetime,
    decisions: Mapping[str, str] | None = None,
    shown: ShownPlan | None = None,
) -> ImportResult:
    """Import results as `preview_import` shows them, completely or not at all.

    `decisions` are the organiser's answers to the questions of the preview. Results with an
    unanswered question are left out. Raises `PreviewOutdated` if the plan differs from the one that
    was `shown`, or if the answers add a result that the preview neither added nor had a question
    about.

    The organiser's import confirms the matches. Matches that the organiser played await
    confirmation by a second player, like any result entered by a player. Imported matches count in
    the league but not for ratings of the site. Raises `OperationError` if there is nothing to add.
    """
    with transaction.atomic():
        row = League.objects.select_for_update(no_key=True).get(pk=league.pk)
        before = None
        if shown is not None:
            before = preview_import(
                league=row, reading=reading, by=by, at=at, decisions=shown.decisions
            )
            if before.digest != shown.digest:
                raise PreviewOutdated
        plan = preview_import(league=row, reading=reading, by=by, at=at, decisions=decisions)
        if before is not None and not before.shows_all_of(plan):
            raise PreviewOutdated(
                _(
                    "Your answers lead to more changes than the preview showed. Check the new "
                    "preview."
                )
            )
        if not plan.adding and not plan.byes:
            raise OperationError(_("This file has no matches to add."), "file")
        if not free_fixtures([line.fixture for line in plan.adding if line.fixture is not None]):
            raise PreviewOutdated
        guests = _add_guests(row, plan.guests, by=by, at=at)
        saved = save_rounds(row, plan.rounds, lambda line: _players(line, guests), at=at)
        lines = [
            replace(line, fixture=saved.fixtures.get(line.number, line.fixture))
            for line in plan.adding
        ]
        matches = _create_matches(row, lines, guests, by=by, at=at)
        counting = [match for match in matches if match.state == Match.State.CONFIRMED]
        publish_results(row, counting, at=at)
        transaction.on_commit(send_recounts)
    return ImportResult(
        matches=tuple(matches),
        waiting=len(matches) - len(counting),
        guests=tuple(guests.values()),
        doubts=plan.doubts,
        rounds=saved.created,
        byes=len(plan.byes),
    )


def _add_guests(
    league: League, names: Sequence[str], *, by: Player, at: dt.datetime
) -> dict[str, Player]:
    made = {
        comparison_key(name): new_player(name=clean_name(name), at=at, added_by=by)
        for name in names
    }
    Member.objects.bulk_create(
        Member(league=league, player=player, joined_at=at) for player in made.values()
    )
    return made


def _create_matches(
    league: League,
    lines: Sequence[ImportLine],
    guests: dict[str, Player],
    *,
    by: Player,
    at: dt.datetime,
) -> list[Match]:
    seated = [_players(line, guests) for line in lines]
    matches = Match.objects.bulk_create(
        [
            _match(league, line, players, by=by, at=at)
            for line, players in zip(lines, seated, strict=True)
        ],
        batch_size=_BATCH_SIZE,
    )
    MatchSeat.objects.bulk_create(
        [
            MatchSeat(match=match, number=number, player=player, side=seat.side)
            for match, line, players in zip(matches, lines, seated, strict=True)
            for number, (player, seat) in enumerate(
                zip(players, line.record_to_add.seats, strict=True)
            )
        ],
        batch_size=_BATCH_SIZE,
    )
    _add_sheets(matches, lines, by=by, at=at)
    return matches


def _players(line: ImportLine, guests: dict[str, Player]) -> list[Player]:
    return [person.player or guests[comparison_key(person.name)] for person in line.people]


def _match(
    league: League, line: ImportLine, players: Sequence[Player], *, by: Player, at: dt.datetime
) -> Match:
    own = is_own(players, by)
    record = line.record_to_add
    return Match(
        league=league,
        fixture=line.fixture,
        game=league.game,
        rules=league.rules,
        rules_hash=league.rules_hash,
        origin=Match.Origin.IMPORTED,
        state=Match.State.HANDED_IN if own else Match.State.CONFIRMED,
        # A match of today without an hour is assumed to be at noon, which may be in the future.
        played_at=min(record.played_at, at),
        created_at=at,
        entered_by=by,
        handed_in_at=at,
        confirmed_at=None if own else at,
        confirmed_by=None if own else by,
        external_id=record.key,
        note=record.note,
        key=secrets.token_urlsafe(32),
    )


def _add_sheets(
    matches: Sequence[Match], lines: Sequence[ImportLine], *, by: Player, at: dt.datetime
) -> None:
    sheets = Sheet.objects.bulk_create(
        [_sheet(match, line, by=by, at=at) for match, line in zip(matches, lines, strict=True)],
        batch_size=_BATCH_SIZE,
    )
    for match, sheet in zip(matches, sheets, strict=True):
        match.sheet = sheet
    Match.objects.bulk_update(matches, ["sheet"], batch_size=_BATCH_SIZE)


def _sheet(match: Match, line: ImportLine, *, by: Player, at: dt.datetime) -> Sheet:
    record = line.record_to_add
    points = [seat.points for seat in record.seats if seat.points is not None]
    content: dict[str, object] = {
        "imported": record.key,
        "location": record.location,
        "scored": bool(points),
    }
    return Sheet(
        match=match,
        number=1,
        content=content | ({"stopped": True} if line.early else {}),
        points=points or [0] * len(record.seats),
        places=[seat.place for seat in record.seats],
        evidence=Sheet.Evidence.SCORE,
        by=by,
        at=at,
    )


def template_rows(league: League) -> Iterator[Sequence[object]]:
    """Yield the rows of an example CSV file, whose match has as many players as the league's
    matches.
    """
    game = games[league.game]
    count = max(n for n in game.seat_counts(league.rules) if n <= league.seats)
    sides = game.sides(league.rules, count)
    seats = tuple(
        SeatRecord(
            player=_("Player %d") % (number + 1),
            side=side,
            place=1 if side == sides[0] else 2,
            points=10 if side == sides[0] else 0,
        )
        for number, side in enumerate(sides)
    )
    played_at = dt.datetime(2026, 1, 31, 20, tzinfo=dt.UTC)
    record = ResultRecord(key="", played_at=played_at, game=league.game, seats=seats)
    rounds = league.format != League.Format.LADDER
    rows = csv_rows([record._replace(round=1)], rounds=rounds)
    # The columns for the ids of site and league are left out, because nobody who writes a file by
    # hand knows these ids.
    first = COLUMNS.index(ORIGIN_COLUMNS[0])
    return ([*row[:first], *row[first + len(ORIGIN_COLUMNS) :]] for row in rows)


def export_results(*, league: League, file_format: FileFormat) -> str:
    """Export all results that count in a league, oldest first. A later import recognises them."""
    records = list(records_of(league))
    if file_format is FileFormat.CSV:
        return write_csv(records, rounds=league.format != League.Format.LADDER)
    if file_format is FileFormat.BGSTATS:
        titles = {league.game: str(games[league.game].name)}
        return write_bgstats(records, titles=titles, zone=ZoneInfo(league.zone))
    return write_json(records)


def export_rows(league: League) -> Iterator[Sequence[object]]:
    """Yield the rows of the CSV file that `export_results` returns, reading results while writing
    them.
    """
    return csv_rows(records_of(league), rounds=league.format != League.Format.LADDER)


def records_of(league: League) -> Iterator[ResultRecord]:
    """Yield the results of a league as records, oldest first, with two queries for each batch."""
    origin = origin_of(league)
    results = Result.objects.filter(league=league)
    results = results.select_related("match__fixture__round", "sheet")
    results = results.order_by("played_at", "match_id")
    batch = list(results[:_BATCH_SIZE])
    while batch:
        places: dict[int, list[Place]] = {}
        rows = Place.objects.filter(result__in=batch).select_related("player")
        for place in rows.order_by("result", "seat"):
            places.setdefault(place.result_id, []).append(place)
        for result in batch:
            if result.pk in places:  # otherwise the result was withdrawn
                yield _exported(league, origin, result, places[result.pk])
        last = batch[-1]
        later = Q(played_at__gt=last.played_at)
        later |= Q(played_at=last.played_at, match_id__gt=last.match_id)
        batch = list(results.filter(later)[:_BATCH_SIZE]) if len(batch) == _BATCH_SIZE else []


def _exported(
    league: League, origin: LeagueOrigin, result: Result, places: Sequence[Place]
) -> ResultRecord:
    sides = list(dict.fromkeys(place.side for place in places))
    scored, fixture = _is_scored(result.sheet), result.match.fixture
    return ResultRecord(
        key=result.match.external_id or match_key(league, result.match_id),
        played_at=result.played_at.astimezone(dt.UTC),
        game=result.game,
        seats=tuple(
            SeatRecord(
                player=place.player.name,
                identity=place.player.slug,
                side=sides.index(place.side),
                place=place.place,
                points=place.points if scored else None,
            )
            for place in places
        ),
        league=league.name,
        location=_location(result.sheet),
        note=result.match.note,
        site=origin.site,
        league_id=origin.league_id,
        round=fixture.round.number if fixture is not None else None,
    )


def _is_scored(sheet: Sheet) -> bool:
    """Return whether the points of a scoresheet are known. Unknown points are stored as 0.

    Earlier versions did not store this for imported results. For these, the points are known if one
    of them is not 0.
    """
    if sheet.forfeits:
        return False
    content = sheet.content if isinstance(sheet.content, dict) else {}
    return "imported" not in content or bool(content.get("scored", any(sheet.points)))


def _location(sheet: Sheet) -> str:
    """Return the place where an imported match was played. It is empty for other matches."""
    content = sheet.content if isinstance(sheet.content, dict) else {}
    return str(content.get("location", "")) if "imported" in content else ""
