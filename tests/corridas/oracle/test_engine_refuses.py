"""The engine and the second implementation reject impossible corridas at the same card."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.engine import CardError, CartelError, DeckError, play_corrida, replay_corrida
from fairness import Seed
from tests.corridas.oracle.cases import decks, matador_cards, range_text, rule_sets, seeds
from tests.corridas.oracle.legality import deck_faults, matador_faults
from tests.corridas.oracle.paper import (
    CROWD,
    TROPHIES,
    CardText,
    Contradiction,
    MatadorText,
    numbers_in,
)
from tests.corridas.oracle.translation import engine_deck, engine_matador
from tests.corridas.oracle.worlds import (
    World,
    check_both,
    engine_answer,
    few,
    oracle_answer,
    slow,
    worlds,
)


class Tampering(NamedTuple):
    """One change to a record.

    `lidia`, `place` and `other` are taken modulo the available numbers.
    """

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
    """Apply one change to the cards of a corrida, in place."""
    at = how.lidia % len(draws)
    cards, following = draws[at], draws[(at + 1) % len(draws)]
    if how.kind.endswith(("lidia", "lidias")):
        tamper_lidias(draws, at, how.kind)
    elif cards and following:
        tamper_cards(cards, following, how)


def tamper_lidias(draws: list[list[int]], at: int, kind: str) -> None:
    """Remove, repeat, add or swap whole lidias."""
    if kind == "drop lidia" and len(draws) > 1:
        del draws[at]
    elif kind == "repeat lidia":
        draws.insert(at, list(draws[at]))
    elif kind == "empty lidia":
        draws.append([])
    else:
        draws[0], draws[at] = draws[at], draws[0]


def tamper_cards(cards: list[int], following: list[int], how: Tampering) -> None:
    """Swap, replace, remove or add single cards."""
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


@pytest.mark.slow
@slow
@given(worlds, seeds, rule_sets, st.lists(tamperings, min_size=1, max_size=3))
def test_engine_and_oracle_accept_the_same_changed_records(
    world: World, seed: Seed, options: dict[str, str], how: list[Tampering]
) -> None:
    record = play_corrida(world.setup(options), seed)
    draws = [list(lidia.draws) for lidia in record.lidias]
    for one in how:
        tamper(draws, one)
    check_both(world, options, record.sorteo, draws)


@pytest.mark.slow
@slow
@given(worlds, seeds, rule_sets, st.integers(0, 5), st.integers(0, 200), st.integers(0, 200))
def test_engine_and_oracle_agree_after_two_cards_are_swapped(
    world: World, seed: Seed, options: dict[str, str], lidia: int, here: int, there: int
) -> None:
    record = play_corrida(world.setup(options), seed)
    draws = [list(played.draws) for played in record.lidias]
    tamper(draws, Tampering("swap", lidia, here, there))
    check_both(world, options, record.sorteo, draws)


@pytest.mark.slow
@slow
@given(worlds, seeds, rule_sets, st.integers(0, 5), st.integers(0, 200), st.integers(70, 255))
def test_card_numbers_outside_the_deck_are_rejected_at_their_position(
    world: World, seed: Seed, options: dict[str, str], lidia: int, place: int, card: int
) -> None:
    record = play_corrida(world.setup(options), seed)
    draws = [list(played.draws) for played in record.lidias]
    lidia %= len(draws)
    place %= len(draws[lidia])
    for impossible in (70, card):
        draws[lidia][place] = impossible
        assert engine_answer(world.setup(options), record.sorteo, draws) == (lidia, place)
        assert oracle_answer(world, options, record.sorteo, draws) == (lidia, place)


@pytest.mark.slow
@slow
@given(worlds, seeds, rule_sets, st.lists(st.integers(0, 69), max_size=3))
def test_corridas_with_missing_or_extra_lidias_are_rejected(
    world: World, seed: Seed, options: dict[str, str], further: list[int]
) -> None:
    setup = world.setup(options)
    record = play_corrida(setup, seed)
    draws = [list(lidia.draws) for lidia in record.lidias]
    for count in range(len(draws)):
        assert engine_answer(setup, record.sorteo, draws[:count]) == (count, 0)
        assert oracle_answer(world, options, record.sorteo, draws[:count]) == (count, 0)
    longer = [*draws, further]
    assert engine_answer(setup, record.sorteo, longer) == (len(draws), 0)
    assert oracle_answer(world, options, record.sorteo, longer) == (len(draws), 0)


@pytest.mark.parametrize("sorteo", [(0, 1, 2, 3, 4, 4), (0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6), ()])
@few
@given(world=worlds)
def test_engine_and_oracle_reject_a_lot_without_each_bull_once(
    world: World, sorteo: tuple[int, ...]
) -> None:
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


@pytest.mark.slow
@slow
@given(decks(), st.integers(0, 69), st.sampled_from(ENTRIES), st.integers(0, 12))
def test_i_1_engine_rejects_the_decks_that_have_faults(
    pack: list[CardText], place: int, entry: str, choice: int
) -> None:
    choices = FORGERIES.get(entry, FORGERIES["reading"])
    forged: dict[str, Any] = {**pack[place], entry: choices[choice % len(choices)]}
    pack[place] = CardText(**forged)  # type: ignore[typeddict-item]
    assert deck_is_refused(pack) == bool(deck_faults(pack))


@few
@given(decks())
def test_i_1_decks_need_seventy_cards_and_two_clavars(pack: list[CardText]) -> None:
    assert deck_is_refused(pack[1:])
    assert deck_is_refused([*pack, pack[0]])
    clavars = [card for card in pack if card["second"].startswith("CLAVAR")]
    for card in clavars[1:]:
        card["second"] = "QUIEBRO"
    assert deck_is_refused(pack)


def deck_is_refused(pack: list[CardText]) -> bool:
    """Return whether the engine rejects a deck."""
    try:
        engine_deck(pack)
    except DeckError:
        return True
    return False


@slow
@given(
    matador_cards(),
    st.sampled_from(TROPHIES + CROWD),
    st.sampled_from([(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1)]),
)
def test_i_13_engine_rejects_cards_with_overlaps_or_gaps(
    card: MatadorText, name: str, moved: tuple[int, int]
) -> None:
    printed: dict[str, Any] = dict(card)
    numbers = numbers_in(printed[name]) or [50]
    low, high = max(1, numbers[0] + moved[0]), min(100, numbers[-1] + moved[1])
    forged = MatadorText(**{**printed, name: range_text(low, high)})  # type: ignore[typeddict-item]
    assert card_is_refused(forged) == bool(matador_faults(forged))


def card_is_refused(card: MatadorText) -> bool:
    """Return whether the engine rejects a matador's card."""
    try:
        engine_matador(card)
    except CardError:
        return True
    return False
