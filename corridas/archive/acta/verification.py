"""Verifies a record of Indulto: the engine replays the corrida from the document alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext as _

import actas
from actas import Part
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
from corridas.season.simulation.rows import written_stake
from fairness import Difference, Seed, commitment

MAX_CARD_LENGTH: Final = 300
MAX_RATING: Final = 9999


def check(document: Part) -> Iterable[Difference]:
    """Yield all differences from what follows from rules, deck, stake and seed.

    Raises ValueError.
    """
    turn = _turn(document)
    inputs = read(document)
    record = play_corrida(inputs.setup, Seed(inputs.seed))
    found = actas.make_document(
        game=GAME,
        kind=CORRIDA if turn is None else LIDIA,
        engine=ENGINE_VERSION,
        of=_of(document),
        content=content(inputs, record, turn),
    )
    found["site"] = _site(document)
    return actas.differences(actas.without_digest(document.value), actas.without_digest(found))


def register_records() -> None:
    for kind in (CORRIDA, LIDIA):
        actas.register(KINDS[kind])


KINDS: Final = {
    kind: actas.RecordKind(game=GAME, kind=kind, check=check) for kind in (CORRIDA, LIDIA)
}


def read(document: Part) -> Inputs:
    """Read the data that the corrida was played from.

    The stake is rebuilt from the parts that the engine reads, so that it holds nothing else. Raises
    `Malformed`, or an `EngineError` for impossible rules, deck or cards.
    """
    text, deck = read_deck(document["deck"])
    stake = document["stake"]
    setup = CorridaSetup(
        rules=read_options(document["rules"]),
        deck=deck,
        plaza_rating=stake["plaza"]["rating"].whole(1, 3),
        matadors=tuple(_card(card) for card in stake["cartel"].items(MATADORS, MATADORS)),
    )
    seed, told = document["seed"].digits(32), _stake(stake, setup, text)
    # The commitment covers the stake as the document has it: differences are those of the stake.
    return Inputs(
        of=_of(document),
        stake=told,
        seed=seed,
        commitment=commitment(seed, stake.value),
        lines=text.split("\n"),
        setup=setup,
    )


def read_deck(deck: Part) -> tuple[str, Deck]:
    """Return a deck, one card per line, as text and as the engine's deck. Raises `DeckError`."""
    lines = [line.text(MAX_CARD_LENGTH) for line in deck.items(DECK_SIZE + 1, DECK_SIZE)]
    text = "\n".join(lines)
    return text, _parsed(text)


@lru_cache(maxsize=8)
def _parsed(text: str) -> Deck:
    """Parse a deck, cached because a season has one deck and parsing is slower than a corrida."""
    return Deck.parse(text)


def read_options(rules: Part) -> Rules:
    return Rules.from_options({name: rules[name].text() for name in rules.mapping()})


def _card(card: Part) -> MatadorCard:
    ranges = {name: card["ranges"][name].text() for name in RANGES}
    alternativa = None if card["alternativa"].value is None else _date(card["alternativa"])
    name, rating = card["name"].text(), card["rating"].whole(0, MAX_RATING)
    return MatadorCard.parse(name, rating, alternativa, ranges)


def _date(part: Part) -> dt.date:
    try:
        return dt.date.fromisoformat(part.text())
    except ValueError:
        raise part.wrong(_("Write dates as 2026-05-15.")) from None


def _stake(stake: Part, setup: CorridaSetup, text: str) -> dict[str, object]:
    return written_stake(
        setup.rules,
        sha256(text.encode()).hexdigest(),
        (stake["plaza"]["name"].text(), setup.plaza_rating),
        _date(stake["date"]),
        setup.order,
        [bull.text() for bull in stake["bulls"].items(BULLS, BULLS)],
    )


def _of(document: Part) -> dict[str, object]:
    of = document["of"]
    found: dict[str, object] = {
        "circuit": of["circuit"].text(),
        "season": of["season"].whole(0, 9999),
        "corrida": of["corrida"].whole(1, 2**53),
    }
    if document["kind"].value == LIDIA:
        found["turn"] = of["turn"].whole(1, BULLS)
    return found


def _turn(document: Part) -> int | None:
    return None if document["kind"].value == CORRIDA else document["of"]["turn"].whole(1, BULLS) - 1


def _site(document: Part) -> dict[str, str]:
    site = document["site"]
    told = {"name": site["name"].text(), "version": site["version"].text()}
    return told | {"engine": ENGINE_VERSION}
