"""Verifies the record of a corrida: the engine replays it from the document alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from django.utils.translation import gettext as _

import actas
from actas import DocumentPart
from actas.fields import (
    digits,
    many,
    mapping_reader,
    maybe,
    members,
    text,
    whole_number_reader,
    with_members,
)
from corridas.archive.acta.writer import CORRIDA, GAME, LIDIA, Inputs, content
from corridas.engine import (
    BULLS,
    DECK_SIZE,
    ENGINE_VERSION,
    MATADORS,
    RANGES,
    CorridaSetup,
    Deck,
    MatadorCard,
    Rules,
    play_corrida,
)
from corridas.simulation.rows import Stake, written_stake
from fairness import CommitmentDifference, Seed, commitment

MAX_CARD_LENGTH: Final = 300
MAX_RATING: Final = 9999
TURN: Final = whole_number_reader(1, BULLS)
OF: Final = {
    "circuit": text(),
    "season": whole_number_reader(0, 9999),
    "corrida": whole_number_reader(1, 2**53),
}


def check(document: DocumentPart) -> Iterable[CommitmentDifference]:
    """Yield all differences between a record and what its rules, deck, stake and seed lead to.

    Raise `ValueError` if the record cannot be read.
    """
    kind = document["kind"].value
    turn = None if kind == CORRIDA else TURN(document["of"]["turn"]) - 1
    inputs = read(document)
    record = play_corrida(inputs.setup, Seed(inputs.seed))
    derived = actas.make_document(
        game=GAME,
        kind=CORRIDA if turn is None else LIDIA,
        engine=ENGINE_VERSION,
        of=_of(document),
        content=content(inputs, record, turn),
    )
    site = members(document["site"], {"name": text(), "version": text()})
    derived["site"] = site | {"engine": ENGINE_VERSION}
    return actas.differences(actas.without_digest(document.value), actas.without_digest(derived))


def register_records() -> None:
    for kind in (CORRIDA, LIDIA):
        actas.register(KINDS[kind])


KINDS: Final = {
    kind: actas.RecordKind(game=GAME, kind=kind, check=check) for kind in (CORRIDA, LIDIA)
}


def read(document: DocumentPart) -> Inputs:
    """Read the inputs of a corrida from its record.

    The stake (the data that the commitment covers) is rebuilt from the parts that the engine reads,
    so it cannot contain anything else. Raise `Malformed`, or an `EngineError` for impossible rules,
    deck or cards.
    """
    stake_read = members(document, DOCUMENT)
    stake, seed, text_of_deck = (
        stake_read["stake"],
        stake_read["seed"],
        "\n".join(stake_read["deck"]),
    )
    setup = CorridaSetup(
        rules=Rules.from_options(stake_read["rules"]),
        deck=_parsed(text_of_deck),
        plaza_rating=stake["plaza"]["rating"],
        matadors=tuple(MatadorCard.parse(**card) for card in stake["cartel"]),
    )
    # The commitment is checked with the stake of the document. So if it does not match, the stake
    # was changed.
    return Inputs(
        of=_of(document),
        stake=_stake(stake, setup, text_of_deck),
        seed=seed,
        commitment=commitment(seed, document["stake"].value),
        lines=text_of_deck.split("\n"),
        setup=setup,
    )


def read_deck(deck: DocumentPart) -> tuple[str, Deck]:
    """Return a deck as text, one card per line, and as an object of the engine.

    Raise `DeckError` for an invalid deck.
    """
    text = "\n".join(DECK(deck))
    return text, _parsed(text)


@lru_cache(maxsize=8)
def _parsed(text: str) -> Deck:
    """Parse a deck.

    The result is cached, because a season has one deck and parsing it takes longer than playing a
    corrida.
    """
    return Deck.parse(text)


def read_options(rules: DocumentPart) -> Rules:
    return Rules.from_options(RULES(rules))


def _date(part: DocumentPart) -> dt.date:
    try:
        return dt.date.fromisoformat(part.text())
    except ValueError:
        raise part.malformed(_("Write dates as 2026-05-15.")) from None


DECK: Final = many(text(MAX_CARD_LENGTH), DECK_SIZE + 1, DECK_SIZE)
RULES: Final = mapping_reader(text())
CARD: Final = {
    "name": text(),
    "rating": whole_number_reader(0, MAX_RATING),
    "alternativa": maybe(_date),
    "ranges": with_members(dict.fromkeys(RANGES, text())),
}


def _card(part: DocumentPart) -> dict[str, object]:
    """Parse a matador's card from a record.

    A card only has a key if two matadors have the same name (Ruling I-14).
    """
    return members(part, CARD | ({"key": text()} if "key" in part.mapping() else {}))


STAKE: Final = {
    "plaza": with_members({"name": text(), "rating": whole_number_reader(1, 3)}),
    "date": _date,
    "cartel": many(_card, MATADORS, MATADORS),
    "bulls": many(text(), BULLS, BULLS),
}
BAR: Final = {"bar": many(text(), MATADORS, MATADORS)}


def _read_stake(part: DocumentPart) -> dict[str, object]:
    """Parse a stake. Only corridas that were reserved have a bar, the market's trio."""
    return members(part, STAKE | (BAR if "bar" in part.mapping() else {}))


DOCUMENT: Final = {
    "deck": DECK,
    "rules": RULES,
    "stake": _read_stake,
    "seed": digits(32),
}


def _stake(stake: Mapping[str, Any], setup: CorridaSetup, deck: str) -> Stake:
    return written_stake(
        setup.rules,
        sha256(deck.encode()).hexdigest(),
        (stake["plaza"]["name"], setup.plaza_rating),
        stake["date"],
        setup.order,
        stake["bulls"],
        stake.get("bar", ()),
    )


def _of(document: DocumentPart) -> dict[str, object]:
    of_lidia = document["kind"].value == LIDIA
    return members(document["of"], OF | ({"turn": TURN} if of_lidia else {}))
