"""Compute the golden file of a corrida from its head.

The module only imports the standard library and the engine.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corridas.engine import (
    RANGES,
    CorridaRecord,
    CorridaSetup,
    Deck,
    FinalVerdict,
    LidiaRecord,
    MatadorCard,
    Range,
    Rules,
    Settled,
    Trophy,
    fill,
    play_corrida,
    write_lidia,
)
from fairness import Seed

FOLDER = Path(__file__).parent
CORRIDAS = FOLDER / "corridas"
HEAD = ("rules", "seed", "plaza", "deck", "matadors")


def deck_named(name: str) -> Deck:
    """Return the deck of a file in this folder, which has one card a line."""
    return Deck.parse((FOLDER / name).read_text(encoding="utf-8").rstrip("\n"))


def matadors_kept() -> dict[str, MatadorCard]:
    """Return the matador cards of this folder, by name."""
    with (FOLDER / "cards.csv").open(encoding="utf-8", newline="") as table:
        return {row["name"]: matador(row) for row in csv.DictReader(table)}


def matador(row: Mapping[str, str]) -> MatadorCard:
    """Return a matador card from a row of the CSV file."""
    ranges: dict[str, Any] = {name: Range.parse(row[name]) for name in RANGES}
    return MatadorCard(name=row["name"], rating=int(row["rating"]), **ranges)


def read_head(text: str) -> dict[str, str]:
    """Return the head of a golden file. `KeyError` names a missing entry."""
    lines = (line.partition(":") for line in text.splitlines())
    found = {name: value.strip() for name, _, value in lines}
    return {name: found[name] for name in HEAD}


def setup_of(head: Mapping[str, str]) -> CorridaSetup:
    """Return the engine's setup of a corrida from the head of a golden file."""
    kept = matadors_kept()
    return CorridaSetup(
        rules=Rules.from_options(dict(option.split("=") for option in head["rules"].split())),
        deck=deck_named(head["deck"]),
        plaza_rating=int(head["plaza"]),
        matadors=tuple(kept[name] for name in head["matadors"].split(", ")),
    )


def derive(text: str) -> str:
    """Return the whole golden file that begins with this head."""
    head = read_head(text)
    setup = setup_of(head)
    record = play_corrida(setup, Seed(bytes.fromhex(head["seed"])))
    lines = [f"{name + ':':<10}{head[name]}" for name in HEAD]
    lines += ["", *afternoon(setup, record)]
    for lidia in record.lidias:
        lines += ["", *lidia_lines(setup, record, lidia)]
    return "\n".join(lines) + "\n"


def afternoon(setup: CorridaSetup, record: CorridaRecord) -> Iterator[str]:
    """Yield the order of the matadors and the lot of the bulls."""
    names = [f"{card.name} ({card.rating})" for card in setup.order]
    yield f"order:    {', '.join(names)}"
    yield f"sorteo:   {' '.join(str(bull + 1) for bull in record.sorteo)}"
    if record.suspended:
        yield f"suspended in lidia {len(record.lidias)}"


def lidia_lines(setup: CorridaSetup, record: CorridaRecord, lidia: LidiaRecord) -> Iterator[str]:
    """Yield the lines of one lidia: matador, cards, score sheet and verdict."""
    names, result = [card.name for card in setup.order], lidia.result
    yield f"lidia {lidia.turn + 1}: bull {record.sorteo[lidia.turn] + 1}, {names[result.starter]}"
    yield f"  {write_lidia(lidia.events)}"
    for number, tercio in enumerate(fill(lidia.events, result.starter).tercios, start=1):
        entries = [f"{points:+}" for points in tercio.matador]
        entries += [f"B{points:+}" for points in tercio.bull]
        yield f"  tercio {number}: {tercio.marks} marks {' '.join(entries)}".rstrip()
    for injured in result.injured:
        yield f"  hurt: {names[injured]}"
    points = f"{result.matador_points:+}, bull {result.bull_points:+}, kill {result.kill_points}"
    yield f"  points {points}, avisos {result.avisos}"
    yield f"  {verdict(lidia, names)}"


def verdict(lidia: LidiaRecord, names: list[str]) -> str:
    """Return one line that says how the lidia ended."""
    result = lidia.result
    words = [result.ending.value.replace("_", " ")]
    words += [names[result.finisher]] if result.finisher is not None else []
    for event in lidia.events:
        if isinstance(event, Settled):
            words.append(f"final {event.final:+}, score {event.score:+}")
        elif isinstance(event, FinalVerdict):
            words.append(f"drawn {event.drawn}, number {event.number}")
    words += [reward(result.trophy)] if result.trophy else []
    words += ["vuelta"] if result.vuelta else []
    words += [result.crowd.name] if result.crowd else []
    return " · ".join(words)


def reward(trophy: Trophy) -> str:
    """Return the name of a trophy."""
    return trophy.name.replace("_", " ")
