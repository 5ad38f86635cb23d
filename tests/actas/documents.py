"""Valid records (actas) of every kind, made without database rows, and helpers that change them."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any

import actas
from corridas.archive.acta.writer import Inputs, content
from corridas.engine import CorridaSetup, Rules, play_corrida
from corridas.simulation.new_circuit import shipped
from fairness import Seed, commitment
from leagues.games import RoundLog, games
from leagues.tables.actas import MATCH, SHEET

Document = dict[str, Any]
SEED = bytes(range(32))
BULLS = ("Islero 21", "Perdigón 5", "Bailador 7", "Pocapena 12", "Avispado 9", "Burlero 3")


@cache
def _inputs(options: tuple[tuple[str, str], ...], seed: bytes) -> Inputs:
    roster = shipped()
    setup = CorridaSetup(
        rules=Rules.from_options(dict(options)),
        deck=roster.deck,
        plaza_rating=1,
        matadors=tuple(list(roster.cards.values())[:3]),
    )
    text = str(roster.deck)
    stake = {
        "game": "indulto",
        "rules": setup.rules.options(),
        "deck": sha256(text.encode()).hexdigest(),
        "plaza": {"name": "Las Ventas", "rating": 1},
        "date": "2026-05-15",
        "cartel": [
            {
                "name": card.name,
                "rating": card.rating,
                "alternativa": card.alternativa.isoformat() if card.alternativa else None,
                "ranges": card.ranges(),
            }
            for card in setup.order
        ],
        "bulls": list(BULLS),
    }
    return Inputs(
        of={"circuit": "leyendas", "season": 2026, "corrida": 12},
        stake=stake,
        seed=seed,
        commitment=commitment(seed, stake),
        lines=text.split("\n"),
        setup=setup,
    )


def corrida(turn: int | None = None, seed: bytes = SEED, **options: str) -> Document:
    """Return the record of a corrida with the bundled deck, or of its lidia number `turn` (1-6)."""
    inputs = _inputs(tuple(sorted(options.items())), seed)
    record = play_corrida(inputs.setup, Seed(seed))
    place = None if turn is None else turn - 1
    return copy_of(
        actas.make_document(
            game="indulto",
            kind="corrida" if turn is None else "lidia",
            engine="1",
            of=dict(inputs.of) if turn is None else {**inputs.of, "turn": turn},
            content=content(inputs, record, place),
        )
    )


def lidia(turn: int = 3, seed: bytes = SEED, **options: str) -> Document:
    """Return the record of a single lidia."""
    return corrida(turn, seed, **options)


@cache
def _played(game: str, rules: str, seats: int, seed: bytes) -> tuple[RoundLog, ...]:
    """Return all rounds of a match that random bots played."""
    table, read = games[game].table, json.loads(rules)
    rounds: tuple[RoundLog, ...] = ()
    while not rounds or not table.restore(rules=read, seats=seats, rounds=rounds).match_over:
        stake = table.stake(rules=read, seats=seats, rounds=rounds)
        number = len(rounds) + 1
        own = sha256(seed + bytes([number])).digest()
        rounds = (*rounds, RoundLog(number=number, seed=own, stake=stake, moves=()))
        while not table.restore(rules=read, seats=seats, rounds=rounds).round_over:
            made = len(rounds[-1].moves).to_bytes(2, "big")
            move = table.bot_move(
                rules=read,
                seats=seats,
                rounds=rounds,
                bot="random",
                seed=sha256(own + made).digest(),
            )
            last = RoundLog(number=number, seed=own, stake=stake, moves=(*rounds[-1].moves, move))
            rounds = (*rounds[:-1], last)
    return rounds


def played(
    game: str, seats: int = 3, seed: bytes = SEED, **options: Any
) -> tuple[Any, tuple[RoundLog, ...]]:
    """Return rules and rounds of a match that bots played."""
    rules = games[game].normalise(options)
    return rules, _played(game, json.dumps(rules), seats, seed)


def one_round(game: str, number: int = 1, seats: int = 3, **options: Any) -> Document:
    """Return the record of a round, with the seat that made each move."""
    rules, rounds = played(game, seats, **options)
    table, acta = games[game].table, games[game].acta
    assert acta is not None
    kept, before = rounds[number - 1], rounds[: number - 1]
    moves, had = [], (0,) * seats
    if before:
        had = table.restore(rules=rules, seats=seats, rounds=before).points
    for made, move in enumerate(kept.moves):
        so_far = RoundLog(number=number, seed=kept.seed, stake=kept.stake, moves=kept.moves[:made])
        at = table.restore(rules=rules, seats=seats, rounds=(*before, so_far))
        moves.append({"seat": at.turn, "move": move})
    end = table.restore(rules=rules, seats=seats, rounds=(*before, kept))
    brought = dict(acta.write_round(rules=rules, seats=seats, played=kept))
    told = {
        "rules": rules,
        "stake": kept.stake,
        "commitment": commitment(kept.seed, kept.stake).hex(),
        "seed": kept.seed.hex(),
        "seats": _seats(seats),
        **brought,
        "moves": moves,
        "points": [now - then for now, then in zip(end.points, had, strict=True)],
    }
    of = {"table": 4, "round": number}
    return copy_of(actas.make_document(game=game, kind=acta.kind, engine="1", of=of, content=told))


def hand(number: int = 1, **options: Any) -> Document:
    """Return the record of a hand of the domino game Matador."""
    return one_round("dominoes", number, **options)


def town(**options: Any) -> Document:
    """Return the record of a game of El Toro."""
    return one_round("eltoro", **options)


def match(game: str = "dominoes", seats: int = 3, **options: Any) -> Document:
    """Return the record of a match that was played on the site, with all its rounds."""
    rules, rounds = played(game, seats, **options)
    end = games[game].table.restore(rules=rules, seats=seats, rounds=rounds)
    told = {
        "rules": rules,
        "seats": _seats(seats),
        "rounds": [
            one_round(game, number, seats, **options) for number in range(1, len(rounds) + 1)
        ],
        "result": {"points": list(end.points), "places": list(end.places)},
    }
    of = {"match": 9, "table": 4}
    return copy_of(actas.make_document(game=game, kind=MATCH, engine="1", of=of, content=told))


def sheet(game: str, written: Any, seats: int = 3, **options: Any) -> Document:
    """Return the record of a scoresheet from a real table, with the referee's result."""
    found = games[game]
    assert found.acta is not None
    rules = found.normalise(options)
    judged = found.referee.judge(rules=rules, seats=seats, sheet=written)
    told = {
        "rules": rules,
        "seats": _seats(seats),
        "sheet": written,
        **found.acta.beside_sheet(rules=rules, sheet=written),
        "result": {
            "points": list(judged.points),
            "places": list(judged.places),
            "evidence": judged.evidence,
        },
    }
    of = {"match": 9, "sheet": 1}
    return copy_of(actas.make_document(game=game, kind=SHEET, engine="1", of=of, content=told))


def _seats(count: int) -> list[dict[str, str]]:
    return [{"name": name, "bot": ""} for name in ("Ana", "Blas", "Cora", "Dina")[:count]]


def copy_of(document: Document) -> Document:
    """Return a copy of a record as if it was read from a file."""
    found: Document = actas.load(actas.to_bytes(document))
    return found


def sealed_anew(document: Document) -> Document:
    """Return a record with its digest calculated again, as a forger would do."""
    return document | {"digest": actas.digest(document)}


def leaves(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path and the value of every leaf."""
    pairs = part.items() if isinstance(part, Mapping) else enumerate(part)
    for key, one in pairs:
        way = f"{path}/{key}" if path else str(key)
        if isinstance(one, dict | list):
            yield from leaves(one, way)
        else:
            yield way, one


def with_value(document: Document, path: str, value: Any) -> Document:
    """Return a copy in which the value at this path is replaced."""
    copy = json.loads(json.dumps(document))
    *way, last = path.split("/")
    part = copy
    for key in way:
        part = part[int(key) if isinstance(part, list) else key]
    part[int(last) if isinstance(part, list) else last] = value
    found: Document = copy
    return found


def other_value(value: Any) -> Any:
    """Return a slightly different value of the same type."""
    if value is None or isinstance(value, bool):
        return value is not True
    if isinstance(value, int):
        return value + 1
    if value and all(sign in "0123456789abcdef" for sign in value):
        return ("0" if value[0] != "0" else "1") + value[1:]
    return value + "x"
