"""The engine held against the oracle: every figure, every rule set, every card that cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from corridas.engine import (
    CardError,
    CartelError,
    CorridaRecord,
    CorridaSetup,
    DeckError,
    ImpossibleDraw,
    play_corrida,
    replay_corrida,
)
from fairness import Seed

from .account import stand_alone
from .cases import ALL_RULES, cuadrillas, decks, matador_cards, plaza_ratings, rule_sets, sorteos
from .legality import deck_faults, matador_faults
from .paper import CardText, Contradiction, MatadorText
from .sheet import Sheet, work_out_corrida
from .translation import engine_deck, engine_matador, engine_setup, engine_sheets

# Shrinking seventy cards takes minutes and makes the example hardly smaller.
UNSHRUNK = [Phase.explicit, Phase.reuse, Phase.generate]
slow = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=UNSHRUNK)
few = settings(slow, max_examples=5)


class World(NamedTuple):
    """What a corrida is played from, on paper."""

    pack: list[CardText]
    matadors: list[MatadorText]
    plaza_rating: int

    def setup(self, options: dict[str, str]) -> CorridaSetup:
        """The same for the engine."""
        return engine_setup(self.pack, self.matadors, self.plaza_rating, options)

    def oracle(
        self, options: dict[str, str], sorteo: Sequence[int], draws: Sequence[Sequence[int]]
    ) -> Sheet:
        """What the oracle says of the cards; raises `Contradiction`."""
        return work_out_corrida(
            deck=self.pack, matadors=self.matadors, plaza_rating=self.plaza_rating,
            options=options, sorteo=sorteo, draws=draws,
        )  # fmt: skip


worlds = st.builds(World, decks(), cuadrillas(), plaza_ratings)
seeds = st.binary(min_size=32, max_size=32).map(Seed)


def worded(sheet: Sheet) -> Sheet:
    """An oracle's sheet without what the engine's events do not repeat (the sign of an entry)."""
    purposes = [p.replace("+ ", "").replace("- ", "") for p in sheet["purposes"]]
    return {**sheet, "purposes": purposes}


def assert_agree(record: CorridaRecord, sheets: Sheet) -> None:
    """Every figure of every lidia is the same."""
    assert engine_sheets(record) == [worded(sheet) for sheet in sheets["lidias"]]
    assert record.suspended == sheets["suspended"]
    assert [stand_alone(lidia) for lidia in record.lidias] == [[]] * len(record.lidias)


def agree_under(world: World, options: dict[str, str], seed: Seed) -> None:
    """Play by the seed under one rule set; every figure and the order of appearance agree."""
    setup = world.setup(options)
    record = play_corrida(setup, seed)
    sheets = world.oracle(options, record.sorteo, [list(li.draws) for li in record.lidias])
    assert_agree(record, sheets)
    assert [c.name for c in setup.order] == [c["name"] for c in sheets["order"]]


@slow
@given(worlds, seeds)
def test_every_figure_of_a_corrida_under_every_rule_set(world: World, seed: Seed) -> None:
    for options in ALL_RULES:
        agree_under(world, options, seed)


@slow
@given(worlds, seeds, rule_sets)
def test_a_replay_is_what_was_played(world: World, seed: Seed, options: dict[str, str]) -> None:
    setup = world.setup(options)
    record = play_corrida(setup, seed)
    again = replay_corrida(setup, record.sorteo, [lidia.draws for lidia in record.lidias])
    assert again == record


def engine_answer(
    setup: CorridaSetup, sorteo: Sequence[int], draws: list[list[int]]
) -> tuple[int, int] | CorridaRecord:
    """The record of a replay, or the lidia and card at which it is refused."""
    try:
        return replay_corrida(setup, sorteo, [bytes(cards) for cards in draws])
    except ImpossibleDraw as refusal:
        return refusal.lidia, refusal.position


def oracle_answer(
    world: World, options: dict[str, str], sorteo: Sequence[int], draws: list[list[int]]
) -> tuple[int, int] | Sheet:
    """The sheets, or the lidia and card at which the oracle finds a contradiction."""
    try:
        return world.oracle(options, sorteo, draws)
    except Contradiction as refusal:
        return refusal.lidia, refusal.position


def check_both(
    world: World, options: dict[str, str], sorteo: Sequence[int], draws: list[list[int]]
) -> bool:
    """Both refuse at the same card, or both accept with the same figures; says if accepted."""
    engine = engine_answer(world.setup(options), sorteo, draws)
    oracle = oracle_answer(world, options, sorteo, draws)
    if isinstance(engine, CorridaRecord) and isinstance(oracle, dict):
        assert_agree(engine, oracle)
        return True
    assert engine == oracle
    return False


class Tampering(NamedTuple):
    """One change to the record; `lidia`, `place` and `other` are taken modulo what there is."""

    kind: str
    lidia: int
    place: int
    other: int


KINDS = (
    "swap", "swap across", "replace", "remove", "add", "duplicate", "move over", "cut",
    "drop lidia", "repeat lidia", "empty lidia", "swap lidias",
)  # fmt: skip
tamperings = st.builds(
    Tampering,
    st.sampled_from(KINDS),
    st.integers(0, 5),
    st.integers(0, 200),
    st.integers(0, 255),
)


def tamper(draws: list[list[int]], how: Tampering) -> None:
    """Change the record in place."""
    at = how.lidia % len(draws)
    cards, following = draws[at], draws[(at + 1) % len(draws)]
    if how.kind.endswith(("lidia", "lidias")):
        tamper_lidias(draws, at, how.kind)
    elif cards and following:
        tamper_cards(cards, following, how)


def tamper_lidias(draws: list[list[int]], at: int, kind: str) -> None:
    """Change whole lidias."""
    if kind == "drop lidia" and len(draws) > 1:
        del draws[at]
    elif kind == "repeat lidia":
        draws.insert(at, list(draws[at]))
    elif kind == "empty lidia":
        draws.append([])
    else:
        draws[0], draws[at] = draws[at], draws[0]


def tamper_cards(cards: list[int], following: list[int], how: Tampering) -> None:
    """Change single cards."""
    here, there = how.place % len(cards), how.other % len(cards)
    afar = how.other % len(following)
    match how.kind:
        case "swap":
            cards[here], cards[there] = cards[there], cards[here]
        case "swap across":
            cards[here], following[afar] = following[afar], cards[here]
        case "replace":
            cards[here] = how.other % 80
        case "remove":
            del cards[here]
        case "add":
            cards.insert(here, how.other)
        case "duplicate":
            cards.insert(here, cards[there])
        case "move over":
            following.insert(0, cards.pop())
        case _:
            del cards[here:]


@slow
@given(worlds, seeds, rule_sets, st.lists(tamperings, min_size=1, max_size=3))
def test_a_tampered_record_is_refused_by_both_or_by_none(
    world: World, seed: Seed, options: dict[str, str], how: list[Tampering]
) -> None:
    record = play_corrida(world.setup(options), seed)
    draws = [list(lidia.draws) for lidia in record.lidias]
    for one in how:
        tamper(draws, one)
    check_both(world, options, record.sorteo, draws)


@slow
@given(worlds, seeds, rule_sets, st.integers(0, 5), st.integers(0, 200), st.integers(0, 200))
def test_two_cards_changing_places(
    world: World, seed: Seed, options: dict[str, str], lidia: int, here: int, there: int
) -> None:
    record = play_corrida(world.setup(options), seed)
    draws = [list(played.draws) for played in record.lidias]
    tamper(draws, Tampering("swap", lidia, here, there))
    check_both(world, options, record.sorteo, draws)


@slow
@given(worlds, seeds, rule_sets, sorteos)
def test_another_lot_changes_no_lidia(
    world: World, seed: Seed, options: dict[str, str], sorteo: tuple[int, ...]
) -> None:
    record = play_corrida(world.setup(options), seed)
    assert check_both(world, options, sorteo, [list(lidia.draws) for lidia in record.lidias])


@pytest.mark.parametrize("sorteo", [(0, 1, 2, 3, 4, 4), (0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6), ()])
@few
@given(world=worlds)
def test_a_false_lot_is_refused_by_both(world: World, sorteo: tuple[int, ...]) -> None:
    with pytest.raises(CartelError, match="I-15"):
        replay_corrida(world.setup({}), sorteo, [])
    with pytest.raises(Contradiction):
        world.oracle({}, sorteo, [])


ENTRIES = ("number", "first", "second", "third", "bull", "kill")
FORGERIES: dict[str, tuple[Any, ...]] = {
    "number": tuple(range(-1, 12)),
    "reading": ("BULL", "BULL+", "CLAVAR", "CLAVAR-", "HERIDA", "HERIDA-", "LANCE", "LANCE+"),
    "kill": ("ESTOCADA 0", "ESTOCADA -3", "ESTOCADA 1", "MEDIA 12"),
}


@slow
@given(decks(), st.integers(0, 69), st.sampled_from(ENTRIES), st.integers(0, 12))
def test_i_1_a_forged_card_is_refused_by_both(
    pack: list[CardText], place: int, entry: str, choice: int
) -> None:
    choices = FORGERIES.get(entry, FORGERIES["reading"])
    forged: dict[str, Any] = {**pack[place], entry: choices[choice % len(choices)]}
    pack[place] = CardText(**forged)  # type: ignore[typeddict-item]
    assert deck_is_refused(pack) == bool(deck_faults(pack))


@few
@given(decks())
def test_i_1_seventy_cards_and_two_clavars(pack: list[CardText]) -> None:
    assert deck_is_refused(pack[1:])
    assert deck_is_refused([*pack, pack[0]])
    clavars = [card for card in pack if card["second"].startswith("CLAVAR")]
    for card in clavars[1:]:
        card["second"] = "QUIEBRO"
    assert deck_is_refused(pack)


def deck_is_refused(pack: list[CardText]) -> bool:
    """Whether the engine refuses a deck."""
    try:
        engine_deck(pack)
    except DeckError:
        return True
    return False


@slow
@given(matador_cards(), st.sampled_from(["oreja", "bronca", "silencio", "rabo"]), st.data())
def test_i_13_ranges_that_overlap_or_leave_a_gap(
    card: MatadorText, name: str, data: st.DataObject
) -> None:
    low = data.draw(st.integers(1, 100))
    forged: dict[str, Any] = {**card, name: data.draw(st.sampled_from([f"{low}-100", "-", "7"]))}
    printed = MatadorText(**forged)  # type: ignore[typeddict-item]
    try:
        engine_matador(printed)
    except CardError:
        assert matador_faults(printed)
    else:
        assert not matador_faults(printed)
