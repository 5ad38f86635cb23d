"""Checks one corrida of a season file: its record is replayed and compared with its entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import actas
from actas import Part, differences
from actas.fields import many, of
from corridas.archive import schema
from corridas.archive.acta.writer import GAME
from corridas.archive.bundle import Finding
from corridas.archive.reader import Row, Told
from corridas.engine import (
    BULLS,
    CorridaSetup,
    Ending,
    EngineError,
    LidiaRecord,
    MatadorCard,
    play_corrida,
    replay_corrida,
)
from corridas.models import Corrida
from corridas.season.simulation.insertion import Fought
from corridas.season.simulation.rows import Afternoon, Place, Played
from fairness import Seed

Differences = list[tuple[str, Any, Any]]


class Afternoons:
    def __init__(self, findings: list[Finding]) -> None:
        self._findings = findings

    def play(self, told: Told, part: Part, row: Row) -> Played:
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
        lidias = [(one, fought.sorteo[one.turn]) for one in fought.lidias]
        played = _played(told, row, seed)
        rows = [_of_record(played, lidia, bull) for lidia, bull in lidias]
        found = Corrida.State.SUSPENDED if fought.suspended else Corrida.State.POSTED
        if row["state"] != found:
            self._note(where, [("state", row["state"], found.value)])
        return played._replace(lidias=rows, suspended=fought.suspended)

    def _at_table(self, told: Told, part: Part, row: Row) -> Played:
        given = many(of(schema.LIDIA), BULLS, 1)(part["lidias"])
        turns, bulls = [one["turn"] for one in given], [one["bull"] for one in given]
        if turns != list(range(1, len(given) + 1)) or len(set(bulls)) < len(bulls):
            raise part["lidias"].wrong("1, 2, 3, …")
        played = _played(told, row, b"")
        rows = [_of_sheet(played, one) for one in given]
        if all(one["draws"] for one in given):
            self._note(_where(row), _replayed(told, row, bulls, rows, played))
        broken_off = rows[-1].ending == Ending.BROKEN_OFF.value
        return played._replace(lidias=rows, suspended=len(rows) < BULLS or broken_off)

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


def whole(part: Part, row: Row, told: Told) -> dict[str, Any]:
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


def _strange(told: Told, row: Row, document: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    setup = setup_of(told, row)
    due = {
        "commitment": row["commitment"].hex(),
        "stake": {
            "game": GAME,
            "rules": told.rules.options(),
            "deck": row["deck"],
            "plaza": {"name": told.plazas[row["plaza"]]["name"], "rating": setup.plaza_rating},
            "date": row["date"].isoformat(),
            "cartel": [_card(card) for card in setup.order],
            "bulls": [f"{bull['name']} {bull['number']}" for bull in row["bulls"]],
        },
    }
    said = {name: document[name] for name in due}
    return ((f"acta/{name}", claimed, found) for name, claimed, found in differences(said, due))


def _card(card: MatadorCard) -> Row:
    day = card.alternativa.isoformat() if card.alternativa else None
    ranges = card.ranges()
    return {"name": card.name, "rating": card.rating, "alternativa": day, "ranges": ranges}


def _played(told: Told, row: Row, seed: bytes) -> Played:
    number = len(told.entries)
    category = told.plazas[row["plaza"]]["category"]
    places = [
        Place(3 * number + order, order, told.man_keys[one["slug"]], card)
        for order, one in enumerate(row["matadors"])
        for card in [told.cards[one["slug"], one["printing"]]]
    ]
    afternoon = Afternoon(number, row["date"], row["plaza"], category, seed, row["deck"])
    bulls = [BULLS * number + place for place in range(BULLS)]
    return Played(afternoon, places, bulls, [], suspended=False)


def _of_record(played: Played, lidia: LidiaRecord, bull: int) -> Fought:
    turn, draws, _events, result = lidia
    men = [place.matador_id for place in played.places]
    return Fought.of(played.afternoon.pk, turn, draws, result, men=men, bull=played.bulls[bull])


def _of_sheet(played: Played, one: Row) -> Fought:
    men = [place.matador_id for place in played.places]
    own = {name: one[name] for name in Fought._fields if name in one}
    return Fought(
        corrida_id=played.afternoon.pk,
        bull_id=played.bulls[one["bull"]],
        starter_id=men[one["starter"]],
        finisher_id=None if one["finisher"] is None else men[one["finisher"]],
        **own,
    )


def _replayed(
    told: Told, row: Row, bulls: Sequence[int], rows: Sequence[Fought], played: Played
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
