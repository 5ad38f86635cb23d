"""Actas (verifiable records) of rounds, matches and scoresheets, and their verification.

Records are written from database rows. The game verifies a record without access to the database.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

import actas
from actas import DocumentPart
from actas.fields import digits, many, members, text, whole_number_reader, with_members
from actas.revalidation import RevalidationItem, RevalidationSource, register_source
from api.types import JSON
from fairness import CommitmentDifference, verify
from leagues.games import Game, Judgement, MoveRefused, RoundActa, RoundLog, games
from leagues.models import Match, MatchSeat, Table, TableRound
from leagues.tables.log import SealedRound, TableLog, find_log, read_log
from leagues.tables.visibility import view_table

if TYPE_CHECKING:
    from django.db.models import QuerySet


def verify_round(log: TableLog, number: int) -> Sequence[CommitmentDifference]:
    """Return differences between a stored round of a live table and what follows from its seed.

    The published digest of the seed, the stake, the points, and whatever the game checks of the
    deal and the moves are compared. Raises `IndexError` if the round does not exist.
    """
    kept = log.rounds[number - 1]
    until = log.played(rounds=number, moves=sum(move.round <= number for move in log.moves))
    derived = _derived(log, until)
    claimed = {"stake": kept.stake, "points": list(kept.points)}
    if kept.ended_at is None:
        claimed.pop("points")
        derived.pop("points", None)
    differences = verify(
        promised=kept.commitment,
        seed=kept.seed,
        stake=kept.stake,
        claimed=claimed,
        derived=derived,
    )
    sentences = log.game.table.verify(rules=log.table.rules, seats=log.seats, rounds=until)
    by_the_game = [CommitmentDifference(f"round {number}", sentence, "") for sentence in sentences]
    return (*differences, *by_the_game)


def _derived(log: TableLog, until: tuple[RoundLog, ...]) -> dict[str, object]:
    """Return the stakes (data that the digests of seeds cover) and points that follow from seeds
    and moves.

    They are incomplete if a move is illegal.
    """
    derived: dict[str, object] = {}
    with suppress(MoveRefused):
        game, rules = log.game.table, log.table.rules
        derived["stake"] = game.stake(rules=rules, seats=log.seats, rounds=until[:-1])
        before = log.restore(until[:-1]).points if len(until) > 1 else (0,) * log.seats
        after = log.restore(until).points
        derived["points"] = [now - then for now, then in zip(after, before, strict=True)]
    return derived


MATCH: Final = "match"
SHEET: Final = "sheet"
MAX_SEATS: Final = 100
MAX_ROUNDS: Final = 500
MAX_MOVES: Final = 5000
MAX_MOVE_LENGTH: Final = 200
MAX_NAME_LENGTH: Final = 120


def rounds_over(log: TableLog, *, at: dt.datetime) -> int:
    return view_table(log, seat=None, at=at).rounds_over


def acta_of_round(log: TableLog, number: int, *, at: dt.datetime) -> actas.Document:
    """Return the record of a round. `number` counts from 1.

    Raises `actas.NotYet` until all spectators have seen the end of the round.
    """
    acta = _acta_of(log.game)
    if not 1 <= number <= rounds_over(log, at=at):
        raise actas.NotYet(_("The record is available once everyone has seen the end."))
    return _round_document(log, acta, log.rounds[number - 1])


def _acta_of(game: Game | None) -> RoundActa:
    if game is None or game.acta is None:
        raise actas.NotYet(_("Results of this game can’t be verified with a record."))
    return game.acta


def _round_document(log: TableLog, acta: RoundActa, kept: SealedRound) -> actas.Document:
    made = [move for move in log.moves if move.round == kept.number]
    outcome = _round_outcome(log, acta, kept, tuple(move.text for move in made))
    result = outcome.pop("result")
    content = {
        "rules": log.table.rules,
        "stake": kept.stake,
        "commitment": kept.commitment.hex(),
        "seed": kept.seed.hex(),
        "seats": _seats(log, kept.number),
        **outcome,
        "moves": [{"seat": move.seat, "move": move.text} for move in made],
        "points": list(kept.points),
        "result": result,
    }
    return actas.make_document(
        game=log.game.key,
        kind=acta.kind,
        engine=str(kept.stake["engine"]),
        of={"table": log.table.pk, "round": kept.number},
        content=content,
    )


def _round_outcome(
    log: TableLog, acta: RoundActa, kept: SealedRound, moves: tuple[str, ...]
) -> dict[str, JSON]:
    played = RoundLog(number=kept.number, seed=kept.seed, stake=kept.stake, moves=moves)
    try:
        return dict(acta.write_round(rules=log.table.rules, seats=log.seats, played=played))
    except MoveRefused as refused:
        raise actas.NotYet(
            _("The saved data is not a valid match: %(why)s") % {"why": refused}
        ) from refused


def _seats(log: TableLog, number: int) -> list[dict[str, str]]:
    last = [moment for moment in log.moments if moment.round <= number][-1]
    return [
        {
            "name": "" if chair.player_id is None else log.people[chair.player_id].name,
            "bot": chair.bot,
        }
        for chair in last.chairs
    ]


def acta_of_match(match: Match, *, at: dt.datetime) -> actas.Document:
    """Return the record of a match: its rounds if it was played on the site, else its scoresheet.

    Raises `actas.NotYet` if the match does not count, or until all spectators have seen its end.
    """
    table = Table.objects.filter(match=match).first()
    log = find_log(table.pk) if table else None
    if log is None:
        return acta_of_sheet(match)
    _refuse_uncounted(match)
    if rounds_over(log, at=at) < log.table.round:
        raise actas.NotYet(_("The record is available once everyone has seen the end."))
    acta = _acta_of(log.game)
    rounds = [_round_document(log, acta, kept) for kept in log.rounds[: log.table.round]]
    content = {
        "rules": log.table.rules,
        "seats": _seats(log, log.table.round),
        "rounds": rounds,
        "result": _result(match),
    }
    of = {"match": match.pk, "table": log.table.pk}
    return _of_match(match, MATCH, of, content)


def acta_of_sheet(match: Match, *, named: bool = True) -> actas.Document:
    """Return the record of an entered scoresheet, with its content and the referee's judgement.

    With `named`, it includes the names of the players. Raises `actas.NotYet` if the match does not
    count or was forfeited.
    """
    _refuse_uncounted(match)
    sheet, acta = match.sheet, _acta_of(games.find_game(match.game))
    if sheet is None or match.origin == Match.Origin.FORFEIT:
        raise actas.NotYet(_("A match that was not played has no record."))
    seats = MatchSeat.objects.filter(match=match).order_by("number")
    names = seats.values_list("player__name", flat=True)
    content = {
        "rules": match.rules,
        "seats": [{"name": name if named else "", "bot": ""} for name in names],
        "sheet": sheet.content,
        **acta.beside_sheet(rules=match.rules, sheet=sheet.content),
        "result": {**_result(match), "evidence": sheet.evidence},
    }
    return _of_match(match, SHEET, {"match": match.pk, "sheet": sheet.number}, content)


def _refuse_uncounted(match: Match) -> None:
    if match.state not in Match.COUNTED:
        raise actas.NotYet(_("The record is available once the match counts."))


def _result(match: Match) -> dict[str, JSON]:
    assert match.sheet is not None
    return {"points": match.sheet.points, "places": match.sheet.places}


def _of_match(
    match: Match, kind: str, of: Mapping[str, JSON], content: Mapping[str, JSON]
) -> actas.Document:
    engine = _acta_of(games.find_game(match.game)).engine
    return actas.make_document(game=match.game, kind=kind, engine=engine, of=of, content=content)


def register_actas(game: Game) -> None:
    acta = _acta_of(game)

    def check(document: DocumentPart) -> Iterable[CommitmentDifference]:
        return _check_acta(game, acta, document)

    if acta.kind:
        actas.register(actas.RecordKind(game=game.key, kind=acta.kind, check=check))
        actas.register(actas.RecordKind(game=game.key, kind=MATCH, check=check, sealed=False))
    actas.register(actas.RecordKind(game=game.key, kind=SHEET, check=check, sealed=False))


def _check_acta(
    game: Game, acta: RoundActa, document: DocumentPart
) -> Iterable[CommitmentDifference]:
    kind = document["kind"].value
    kinds = {MATCH: MATCH_KEYS, SHEET: SHEET_KEYS, acta.kind: ROUND_KEYS}
    derived = members(document, HEAD | {"of": with_members(kinds[kind])})
    derived["site"]["engine"] = acta.engine
    if kind == MATCH:
        return _check_match(game, acta, document, derived)
    if kind == SHEET:
        return _check_sheet(acta, document, derived)
    number, seats = derived["of"]["round"], len(derived["seats"])
    derived |= acta.read_round(document, number=number, seats=seats)
    derived |= {name: document[name].value for name in ("commitment", "seed")}
    return _compared(document, derived)


def _compared(
    document: DocumentPart, derived: Mapping[str, JSON]
) -> Iterable[CommitmentDifference]:
    known = {name: document[name].value for name in ("format", "version", "game", "kind")}
    return actas.differences(actas.without_digest(document.value), {**known, **derived})


KEY: Final = whole_number_reader(1, 2**53)
ROUND_KEYS: Final = {"table": KEY, "round": whole_number_reader(1, MAX_ROUNDS)}
MATCH_KEYS: Final = {"match": KEY, "table": KEY}
SHEET_KEYS: Final = {"match": KEY, "sheet": KEY}
# Names cannot be verified, so only their format is checked.
SEAT: Final = {"name": text(MAX_NAME_LENGTH), "bot": text(MAX_NAME_LENGTH)}
HEAD: Final = {
    "seats": many(with_members(SEAT), MAX_SEATS, 1),
    "site": with_members({"name": text(), "version": text()}),
}
PLAYED: Final = {
    "seed": digits(32),
    "moves": many(with_members({"move": text(MAX_MOVE_LENGTH)}), MAX_MOVES),
}


def _check_match(
    game: Game, acta: RoundActa, document: DocumentPart, derived: dict[str, JSON]
) -> Iterable[CommitmentDifference]:
    rules, seats = acta.read_rules(document["rules"]), len(derived["seats"])
    logs: list[RoundLog] = []
    for number, part in enumerate(document["rounds"].items(MAX_ROUNDS, 1), start=1):
        if (part["game"].value, part["kind"].value) != (game.key, acta.kind):
            raise part["kind"].malformed(_("This hand or evening is not part of this match."))
        yield from actas.check_part(part)
        stake = game.table.stake(rules=rules, seats=seats, rounds=tuple(logs))
        yield from actas.differences(part["stake"].value, stake, f"{part.path}/stake")
        played = members(part, PLAYED)
        moves = tuple(entry["move"] for entry in played["moves"])
        logs.append(RoundLog(number=number, seed=played["seed"], stake=stake, moves=moves))
    end = game.table.restore(rules=rules, seats=seats, rounds=tuple(logs))
    result = {"points": list(end.points), "places": list(end.places)}
    rest = {"rules": rules, "rounds": document["rounds"].value, "result": result}
    yield from _compared(document, derived | rest)


def _check_sheet(
    acta: RoundActa, document: DocumentPart, derived: dict[str, JSON]
) -> Iterable[CommitmentDifference]:
    judged = acta.judge_sheet(document, names=[seat["name"] for seat in derived["seats"]])
    for objection in judged.objections:
        yield CommitmentDifference(f"sheet/{objection.path}", _("as entered"), objection.sentence)
    given = {name: document[name].value for name in ("sheet", *acta.beside)}
    follows = {"rules": acta.read_rules(document["rules"]), "result": _judgement_data(judged)}
    yield from _compared(document, given | derived | follows)


def _judgement_data(judged: Judgement) -> dict[str, JSON]:
    return {
        "points": list(judged.points),
        "places": list(judged.places),
        "evidence": judged.evidence,
    }


BATCH_SIZE = 100


def register_revalidation() -> None:
    register_source(
        RevalidationSource(kind="rounds", engine="", count=_count_rounds, items=_revalidation_items)
    )


def _finished_rounds(since: dt.date | None) -> QuerySet[TableRound]:
    ended = TableRound.objects.filter(ended_at__isnull=False)
    return ended if since is None else ended.filter(ended_at__date__gte=since)


def _count_rounds(since: dt.date | None) -> int:
    return _finished_rounds(since).count()


def _revalidation_items(since: dt.date | None, after: int) -> Iterator[RevalidationItem]:
    while True:
        rows = _finished_rounds(since).filter(pk__gt=after).order_by("pk").select_related("table")
        chunk = list(rows[:BATCH_SIZE])
        for row in chunk:
            subject = f"{row.table.game} {row.table_id}/{row.number}"
            yield RevalidationItem(row.pk, subject, partial(_revalidate, row.table_id, row.number))
        if len(chunk) < BATCH_SIZE:
            return
        after = chunk[-1].pk


def _revalidate(table: int, number: int) -> tuple[CommitmentDifference, ...]:
    return tuple(verify_round(read_log(table), number))
