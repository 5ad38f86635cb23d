"""Checks one corrida of a season file: replays its record and compares it with its entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import actas
from actas import DocumentPart, differences
from actas.fields import many, record_reader
from api.types import JSONObject
from corridas.archive import file_format
from corridas.archive.bundle import Finding
from corridas.archive.reader import Row, SeasonData
from corridas.engine import (
    BULLS,
    CorridaSetup,
    EngineError,
    LidiaRecord,
    play_corrida,
    replay_corrida,
)
from corridas.models import Corrida
from corridas.simulation.insertion import LidiaRow
from corridas.simulation.rows import was_suspended, written_stake
from corridas.world.deeds import PlayedCorrida
from fairness import Seed

Differences = list[tuple[str, Any, Any]]


class Afternoons:
    def __init__(self, findings: list[Finding]) -> None:
        self._findings = findings

    def play(self, source: SeasonData, part: DocumentPart, row: Row) -> PlayedCorrida:
        """Return a corrida of a season file, replayed from its record.

        A corrida played with real cards has no seed, so its results are accepted as they were
        entered.
        """
        if row["origin"] == Corrida.Origin.TABLE:
            return self._at_table(source, part, row)
        document = whole(part["acta"], row, source)
        verdict = actas.check(document)
        where = _where(row)
        if verdict.refused:
            raise part["acta"].malformed(verdict.refused)
        # Only corridas that were reserved have a bar. The commitment covers it.
        row["bar"] = part["acta"]["stake"].mapping().get("bar", [])
        self._note(
            where,
            [
                (difference.name, difference.claimed, difference.found)
                for difference in verdict.differences
            ],
        )
        self._note(where, list(_strange(source, row, document)))
        seed = part["acta"]["seed"].digits(32)
        fought = play_corrida(setup_of(source, row), Seed(seed))
        played = _played(source, row, seed)
        rows = [
            _of_record(played, difference, fought.sorteo[difference.turn])
            for difference in fought.lidias
        ]
        expected = Corrida.State.SUSPENDED if fought.suspended else Corrida.State.POSTED
        if row["state"] != expected:
            self._note(where, [("state", row["state"], expected.value)])
        return played._replace(lidias=tuple(rows), suspended=fought.suspended)

    def _at_table(self, source: SeasonData, part: DocumentPart, row: Row) -> PlayedCorrida:
        given = many(record_reader(file_format.LIDIA), BULLS, 1)(part["lidias"])
        turns, bulls = [entry["turn"] for entry in given], [entry["bull"] for entry in given]
        if turns != list(range(1, len(given) + 1)) or len(set(bulls)) < len(bulls):
            raise part["lidias"].malformed("1, 2, 3, …")
        played = _played(source, row, b"")
        rows = [_of_sheet(played, entry) for entry in given]
        if all(entry["draws"] for entry in given):
            self._note(_where(row), _replayed(source, row, bulls, rows, played))
        return played._replace(lidias=tuple(rows), suspended=was_suspended(rows))

    def _note(self, where: str, differences: Differences) -> None:
        self._findings += [finding(where, *difference) for difference in differences]


def finding(where: str, name: str, claimed: object, actual: object) -> Finding:
    return Finding(where, name, _short(claimed), _short(actual))


def _short(value: object) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"


MAX_VALUE_LENGTH = 120


def _where(row: Row) -> str:
    return f"{row['date']} {row['plaza']}"


def whole(part: DocumentPart, row: Row, source: SeasonData) -> JSONObject:
    content = {name: value for name, value in part.mapping().items() if name not in _OWN}
    of = {"circuit": source.opening["circuit"], "season": source.year, "corrida": 1}
    game, kind = content.pop("game", ""), content.pop("kind", "")
    content.pop("format", None)
    content.pop("version", None)
    return actas.make_document(game=game, kind=kind, engine=row["engine"], of=of, content=content)


_OWN = frozenset({"site", "of", "digest"})


def setup_of(source: SeasonData, row: Row) -> CorridaSetup:
    places = [(entry["slug"], entry["printing"]) for entry in row["matadors"]]
    return CorridaSetup(
        rules=source.rules,
        deck=source.decks[row["deck"]],
        plaza_rating=source.plazas[row["plaza"]]["category"],
        matadors=tuple(source.cards[place] for place in places),
    )


def _strange(source: SeasonData, row: Row, document: JSONObject) -> Iterator[tuple[str, Any, Any]]:
    setup = setup_of(source, row)
    due = {
        "commitment": row["commitment"].hex(),
        "stake": written_stake(
            source.rules,
            row["deck"],
            (source.plazas[row["plaza"]]["name"], setup.plaza_rating),
            row["date"],
            setup.order,
            [f"{bull['name']} {bull['number']}" for bull in row["bulls"]],
            row["bar"],
        ),
    }
    stored = {name: document[name] for name in due}
    return ((f"acta/{name}", claimed, actual) for name, claimed, actual in differences(stored, due))


def bull_numbers(corrida: int) -> range:
    """Return numbers that are used in place of primary keys of a corrida's six bulls."""
    return range(BULLS * corrida, BULLS * (corrida + 1))


def _played(source: SeasonData, row: Row, seed: bytes) -> PlayedCorrida:
    men = [entry["slug"] for entry in row["matadors"]]
    return PlayedCorrida(
        pk=len(source.entries),
        date=row["date"],
        plaza=row["plaza"],
        category=source.plazas[row["plaza"]]["category"],
        feria=row["feria"] or "",
        herd=row["herd"],
        herd_key=source.herd_keys[row["herd"]],
        matadors=tuple(source.man_keys[slug] for slug in men),
        lidias=(),
        suspended=False,
        seed=seed,
    )


def _of_record(played: PlayedCorrida, lidia: LidiaRecord, bull: int) -> LidiaRow:
    turn, draws, _events, result = lidia
    key = bull_numbers(played.pk)[bull]
    return LidiaRow.of(played.pk, turn, draws, result, men=played.matadors, bull=key)


def _of_sheet(played: PlayedCorrida, row: Row) -> LidiaRow:
    men = played.matadors
    own = {name: row[name] for name in LidiaRow._fields if name in row}
    return LidiaRow(
        corrida_id=played.pk,
        bull_id=bull_numbers(played.pk)[row["bull"]],
        starter_id=men[row["starter"]],
        finisher_id=None if row["finisher"] is None else men[row["finisher"]],
        **own,
    )


def _replayed(
    source: SeasonData,
    row: Row,
    bulls: Sequence[int],
    rows: Sequence[LidiaRow],
    played: PlayedCorrida,
) -> Differences:
    lot = [*bulls, *(place for place in range(BULLS) if place not in bulls)]
    try:
        again = replay_corrida(setup_of(source, row), lot, [lidia.draws for lidia in rows])
    except (EngineError, IndexError) as error:
        return [("lidias", "-", str(error))]
    derived = [_of_record(played, lidia, lot[lidia.turn]) for lidia in again.lidias]
    return [
        (f"lidia {lidia.turn}", tuple(lidia), tuple(other))
        for lidia, other in zip(rows, derived, strict=False)
        if lidia != other
    ]
