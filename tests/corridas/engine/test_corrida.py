"""Tests of a whole corrida: shuffles, drawing lots, injuries, substitutes, suspension (I-3, I-15,
I-16).
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import pytest

from corridas.engine import (
    CartelError,
    Crowd,
    Ending,
    InjuryRead,
    Range,
    Rules,
    Substituted,
    draw_sorteo,
    play_corrida,
    replay_corrida,
)
from fairness import Seed
from tests.corridas.engine.ring import (
    FINAL,
    LOT,
    ONES,
    OTHER,
    QUIET,
    STROKES,
    THREES,
    TWOS,
    cards,
    check,
    corrida,
    setup,
    three,
)

SEED = Seed(bytes(range(32)))
# The four cards of a deck that are left after two lidias. They are uneventful.
CARRIED = "1b 1c 8a 9c"
HURT = ("0a 1s=BULL bull=HERIDA", "0b 1s=BULL bull=HERIDA", "0c 1s=BULL bull=HERIDA")
ONE_OUT = f"0a 0g 0b 7a 0c 7b 0d 0e 0f 1a 1b 1c 5b {TWOS} {THREES} {STROKES} {FINAL}"
TWO_OUT = f"0a 0g 0b 0f 0c 7b 0d 0e 1a 1b 1c 5b 5c {TWOS} {THREES} {STROKES} {FINAL}"
ALL_OUT = "0a 0g 0b 0f 0c 0d"


@pytest.mark.slow
def test_i_3_each_bull_has_its_own_deck() -> None:
    record = corrida(setup(), *[QUIET] * 6)
    assert [lidia.draws for lidia in record.lidias] == [cards(QUIET)] * 6


def test_i_3_one_deck_runs_through_the_corrida() -> None:
    # Two lidias take 34 cards each, so two cards of the deck are left. The third lidia draws these
    # two and continues with a new deck, and so on.
    third = f"8a 9c {ONES[:23]} {TWOS} {THREES} {STROKES} {FINAL}"
    fifth = f"{CARRIED} {ONES[:17]} {TWOS} {THREES} {STROKES} {FINAL}"
    texts = [QUIET, OTHER, third, OTHER, fifth, OTHER]
    record = corrida(setup(shuffle="when_exhausted"), *texts)
    assert [len(lidia.draws) for lidia in record.lidias] == [34] * 6
    assert {lidia.result.number for lidia in record.lidias} == {56, 99}


@pytest.mark.parametrize("shuffle", ["each_bull", "when_exhausted"])
def test_i_3_decks_are_shuffled_with_the_published_labels(shuffle: str) -> None:
    record = play_corrida(setup(*HURT, shuffle=shuffle), SEED)
    running = SEED.chance("deck")
    drawn = b"".join(lidia.draws for lidia in record.lidias)
    if shuffle == "when_exhausted":
        decks = b"".join(bytes(running.shuffled(range(70))) for _ in range(9))
        assert decks.startswith(drawn)
    for lidia in record.lidias if shuffle == "each_bull" else ():
        chance = SEED.chance(f"lidia/{lidia.turn + 1}")
        decks = b"".join(bytes(chance.shuffled(range(70))) for _ in range(4))
        assert decks.startswith(lidia.draws)


def test_i_15_lot_of_the_bulls_is_a_separate_shuffle() -> None:
    lot = tuple(SEED.chance("sorteo").shuffled(range(6)))
    assert draw_sorteo(SEED) == lot
    readings: list[dict[str, Any]] = [
        {},
        {"shuffle": "when_exhausted"},
        {"bull_reading": "next_card"},
    ]
    for options in readings:
        assert play_corrida(setup(*HURT, **options), SEED).sorteo == lot


def test_i_15_all_orders_of_the_bulls_are_equally_likely() -> None:
    lots = Counter(draw_sorteo(Seed(number.to_bytes(32, "big"))) for number in range(14_400))
    square = sum((count - 20) ** 2 / 20 for count in lots.values()) + 20 * (720 - len(lots))
    assert square < 871  # one in ten thousand, 719 degrees of freedom


@pytest.mark.parametrize("lot", [(), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 4), (1, 2, 3, 4, 5, 6)])
def test_i_15_lot_without_each_bull_once_is_rejected(lot: tuple[int, ...]) -> None:
    with pytest.raises(CartelError, match=r"each of the six bulls once \(Ruling I-15\)"):
        replay_corrida(setup(), lot, [cards(QUIET)] * 6)


class Afternoon(NamedTuple):
    """The cards of a corrida, with the matadors who should begin and finish each lidia."""

    name: str
    texts: list[str]
    starters: list[int]
    finishers: list[int | None]


AFTERNOONS = [
    Afternoon("I-14 1+4, 2+5, 3+6", [OTHER] * 6, [0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2]),
    Afternoon(
        "I-16 A out in his first bull", [ONE_OUT, *[OTHER] * 5],
        [0, 1, 2, 1, 1, 2], [1, 1, 2, 1, 1, 2],
    ),
    Afternoon(
        "I-16 A out in his second bull", [*[OTHER] * 3, ONE_OUT, OTHER, OTHER],
        [0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 1, 2],
    ),
    Afternoon(
        "I-16 B out: A takes over, and B's next", [OTHER, ONE_OUT, *[OTHER] * 4],
        [0, 1, 2, 0, 0, 2], [0, 0, 2, 0, 0, 2],
    ),
    Afternoon(
        "I-16 C out: A takes over, and C's next", [OTHER, OTHER, ONE_OUT, *[OTHER] * 3],
        [0, 1, 2, 0, 1, 0], [0, 1, 0, 0, 1, 0],
    ),
    Afternoon(
        "I-16 A, then B out in two bulls", [ONE_OUT, ONE_OUT, *[OTHER] * 4],
        [0, 1, 2, 2, 2, 2], [1, 2, 2, 2, 2, 2],
    ),
    Afternoon(
        "I-16 A and his substitute out in one bull", [TWO_OUT, *[OTHER] * 5],
        [0, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2],
    ),
    Afternoon(
        "I-16 A's second bull hurts his substitute", [ONE_OUT, OTHER, OTHER, ONE_OUT, OTHER, OTHER],
        [0, 1, 2, 1, 2, 2], [1, 1, 2, 2, 2, 2],
    ),
    Afternoon(
        "I-16 nobody able in the first bull", [ALL_OUT], [0], [None],
    ),
    Afternoon(
        "I-16 nobody able in the third", [ONE_OUT, ONE_OUT, "0a 0g"], [0, 1, 2], [1, 2, None],
    ),
    Afternoon(
        "I-16 nobody able in the sixth", [OTHER, ONE_OUT, OTHER, ONE_OUT, OTHER, "0a 0g"],
        [0, 1, 2, 0, 2, 2], [0, 0, 2, 2, 2, None],
    ),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", AFTERNOONS, ids=[case.name for case in AFTERNOONS])
def test_injured_matadors_are_replaced_in_the_lidias_that_follow(case: Afternoon) -> None:
    record = corrida(setup(*HURT), *case.texts)
    assert [lidia.result.starter for lidia in record.lidias] == case.starters
    assert [lidia.result.finisher for lidia in record.lidias] == case.finishers
    assert [lidia.turn for lidia in record.lidias] == list(range(len(case.texts)))
    assert record.suspended == (None in case.finishers)
    assert record.sorteo == LOT


def test_i_16_substitute_takes_over_at_the_card_that_injures() -> None:
    events = corrida(setup(*HURT), TWO_OUT, *[OTHER] * 5).lidias[0].events
    hurt = [e for e in events if isinstance(e, InjuryRead | Substituted)]
    first, second, third = cards("0g 0f 7b")
    assert hurt == [
        InjuryRead(first, 0, True), Substituted(0, 1),
        InjuryRead(second, 1, True), Substituted(1, 2),
        InjuryRead(third, 2, False),
    ]  # fmt: skip


def test_i_16_marks_clavars_and_totals_remain_after_a_substitution() -> None:
    # When A is injured, he has +5 points, and the bull has -6 points and one CLAVAR. B continues
    # with these figures.
    prints = ("1a 1s=LANCE+", "1b 1s=BULL bull=BRAVO-", "7a 2s=BULL bull=HERIDA")
    firsts = ONES.replace("1a 1b", "1a 5b 1b 6b").replace("0g", "8a")
    text = f"{firsts} 9f 7a 0g 7b 9g {THREES} {STROKES} {FINAL}"
    lidia = corrida(setup(*prints), text, *[OTHER] * 5).lidias[0]
    check(lidia, injured=(0,), finisher=1, marks=[10, 4, 10], matador=[[5], [], []])
    check(lidia, bull=[[-6], [], []], final=5, score=5, number=61, crowd=Crowd.APLAUSOS)


NOTHING: dict[str, Any] = dict.fromkeys(
    ["finisher", "score", "number", "trophy", "vuelta", "crowd"]
)


def test_i_16_lidia_broken_off_keeps_points_and_injuries_and_has_no_result() -> None:
    given = setup(*HURT, "1a 1s=LANCE+", "1b 1s=BULL bull=BRAVO+")
    lidia = corrida(given, f"1a 5b 1b 6b {ALL_OUT}").lidias[0]
    check(lidia, ending=Ending.BROKEN_OFF, starter=0, injured=(0, 1, 2), cards=10, **NOTHING)
    check(lidia, matador_points=5, bull_points=6, kill_points=0, avisos=0, marks=[5, 0, 0])


def test_i_16_corrida_ends_at_the_card_that_injures_the_last_matador() -> None:
    record = corrida(setup(*HURT), ONE_OUT, ONE_OUT, "0a 0g")
    assert record.suspended
    assert [lidia.result.ending for lidia in record.lidias] == [
        Ending.KILLED, Ending.KILLED, Ending.BROKEN_OFF,
    ]  # fmt: skip
    assert len(record.lidias[2].draws) == 2


def test_i_16_finisher_gets_the_result_by_his_own_ranges() -> None:
    vuelta = {"vuelta": "56"}
    given = setup(*HURT, matadors=three({}, vuelta))
    one, four = corrida(given, ONE_OUT, *[OTHER] * 2, QUIET.replace("0a 0b 0c", "7a 7b 7c"),
                        OTHER, OTHER).lidias[::3][:2]  # fmt: skip
    check(one, starter=0, finisher=1, number=56, vuelta=True)
    check(four, starter=1, finisher=1, number=56, vuelta=True)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"shuffle": "when_exhausted"}])
def test_corridas_that_injure_all_matadors_can_be_played_and_replayed(
    options: dict[str, Any],
) -> None:
    fierce = [f"{n}{c} 1s=BULL bull=HERIDA" for n in range(10) for c in "abcdefg"]
    given = setup(*fierce, **options)
    suspended = 0
    for number in range(60):
        record = play_corrida(given, Seed(number.to_bytes(32, "big")))
        draws = [lidia.draws for lidia in record.lidias]
        assert replay_corrida(given, record.sorteo, draws) == record
        suspended += record.suspended
        assert record.suspended == (record.lidias[-1].result.finisher is None)
    assert suspended > 50


def test_corrida_setup_keeps_its_matadors_and_rules_unchanged() -> None:
    given = setup(matadors=three({"aviso": "3"})[::-1], bull_points="for")
    assert [card.name for card in given.matadors] == ["C", "B", "A"]
    assert given.order[0].aviso == Range.parse("3")
    assert given.rules == Rules(bull_points="for")
