"""Checks one corrida of a season file: its record is replayed and compared with its entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import actas
from actas import Part, differences
from actas.fields import many, of
from api.types import JSONObject
from corridas.archive import schema
from corridas.archive.bundle import Finding
from corridas.archive.reader import Row, Told
from corridas.engine import (
    BULLS,
    CorridaSetup,
    EngineError,
    LidiaRecord,
    play_corrida,
    replay_corrida,
)
from corridas.models import Corrida
from corridas.season.simulation.insertion import LidiaRow
from corridas.season.simulation.rows import was_suspended, written_stake
from corridas.world.deeds import PlayedCorrida
from fairness import Seed

Differences = list[tuple[str, Any, Any]]


class Afternoons:
    def __init__(self, findings: list[Finding]) -> None:
        self._findings = findings

    def play(self, told: Told, part: Part, row: Row) -> PlayedCorrida:
        """Play a corrida from its record. One at a real table is taken as it was entered."""
        if row["origin"] == Corrida.Origin.TABLE:
            return self._at_table(told, part, row)
        document = whole(part["acta"], row, told)
        verdict = actas.check(document)
        where = _where(row)
        if verdict.refused:
            raise part["acta"].wrong(verdict.refused)
        self._note(where, [(one.name, one.claimed, one.found) for one in verdict.differences])
        self._note(where, list(_strange(told, row, document)))
        seed = part["acta"]["seed"].digits(32)
        fought = play_corrida(setup_of(told, row), Seed(seed))
        played = _played(told, row, seed)
        rows = [_of_record(played, one, fought.sorteo[one.turn]) for one in fought.lidias]
        found = Corrida.State.SUSPENDED if fought.suspended else Corrida.State.POSTED
        if row["state"] != found:
            self._note(where, [("state", row["state"], found.value)])
        return played._replace(lidias=tuple(rows), suspended=fought.suspended)

    def _at_table(self, told: Told, part: Part, row: Row) -> PlayedCorrida:
        given = many(of(schema.LIDIA), BULLS, 1)(part["lidias"])
        turns, bulls = [one["turn"] for one in given], [one["bull"] for one in given]
        if turns != list(range(1, len(given) + 1)) or len(set(bulls)) < len(bulls):
            raise part["lidias"].wrong("1, 2, 3, …")
        played = _played(told, row, b"")
        rows = [_of_sheet(played, one) for one in given]
        if all(one["draws"] for one in given):
            self._note(_where(row), _replayed(told, row, bulls, rows, played))
        return played._replace(lidias=tuple(rows), suspended=was_suspended(rows))

    def _note(self, where: str, differences: Differences) -> None:
        self._findings += [finding(where, *one) for one in differences]


def finding(where: str, name: str, claimed: object, found: object) -> Finding:
    return Finding(where, name, _short(claimed), _short(found))


def _short(value: object) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"


MAX_VALUE_LENGTH = 120


def _where(row: Row) -> str:
    return f"{row['date']} {row['plaza']}"


def whole(part: Part, row: Row, told: Told) -> JSONObject:
    content = {name: value for name, value in part.mapping().items() if name not in _OWN}
    of = {"circuit": told.opening["circuit"], "season": told.year, "corrida": 1}
    game, kind = content.pop("game", ""), content.pop("kind", "")
    content.pop("format", None)
    content.pop("version", None)
    return actas.make_document(game=game, kind=kind, engine=row["engine"], of=of, content=content)


_OWN = frozenset({"site", "of", "digest"})


def setup_of(told: Told, row: Row) -> CorridaSetup:
    places = [(one["slug"], one["printing"]) for one in row["matadors"]]
    return CorridaSetup(
        rules=told.rules,
        deck=told.decks[row["deck"]],
        plaza_rating=told.plazas[row["plaza"]]["category"],
        matadors=tuple(told.cards[place] for place in places),
    )


def _strange(told: Told, row: Row, document: JSONObject) -> Iterator[tuple[str, Any, Any]]:
    setup = setup_of(told, row)
    due = {
        "commitment": row["commitment"].hex(),
        "stake": written_stake(
            told.rules,
            row["deck"],
            (told.plazas[row["plaza"]]["name"], setup.plaza_rating),
            row["date"],
            setup.order,
            [f"{bull['name']} {bull['number']}" for bull in row["bulls"]],
        ),
    }
    said = {name: document[name] for name in due}
    return ((f"acta/{name}", claimed, found) for name, claimed, found in differences(said, due))


def bull_numbers(corrida: int) -> range:
    """Return the numbers that stand for the keys of a corrida's six bulls, by place."""
    return range(BULLS * corrida, BULLS * (corrida + 1))


def _played(told: Told, row: Row, seed: bytes) -> PlayedCorrida:
    men = [one["slug"] for one in row["matadors"]]
    return PlayedCorrida(
        pk=len(told.entries),
        date=row["date"],
        plaza=row["plaza"],
        category=told.plazas[row["plaza"]]["category"],
        feria=row["feria"] or "",
        herd=row["herd"],
        herd_key=told.herd_keys[row["herd"]],
        matadors=tuple(told.man_keys[slug] for slug in men),
        names=tuple(told.men[slug]["name"] for slug in men),
        lidias=(),
        suspended=False,
        seed=seed,
    )


def _of_record(played: PlayedCorrida, lidia: LidiaRecord, bull: int) -> LidiaRow:
    turn, draws, _events, result = lidia
    key = bull_numbers(played.pk)[bull]
    return LidiaRow.of(played.pk, turn, draws, result, men=played.matadors, bull=key)


def _of_sheet(played: PlayedCorrida, one: Row) -> LidiaRow:
    men = played.matadors
    own = {name: one[name] for name in LidiaRow._fields if name in one}
    return LidiaRow(
        corrida_id=played.pk,
        bull_id=bull_numbers(played.pk)[one["bull"]],
        starter_id=men[one["starter"]],
        finisher_id=None if one["finisher"] is None else men[one["finisher"]],
        **own,
    )


def _replayed(
    told: Told, row: Row, bulls: Sequence[int], rows: Sequence[LidiaRow], played: PlayedCorrida
) -> Differences:
    lot = [*bulls, *(place for place in range(BULLS) if place not in bulls)]
    try:
        again = replay_corrida(setup_of(told, row), lot, [one.draws for one in rows])
    except (EngineError, IndexError) as error:
        return [("lidias", "-", str(error))]
    found = [_of_record(played, one, lot[one.turn]) for one in again.lidias]
    return [
        (f"lidia {one.turn}", tuple(one), tuple(other))
        for one, other in zip(rows, found, strict=False)
        if one != other
    ]
