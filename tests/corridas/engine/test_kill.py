"""Tests of the kill: its five strokes and the warnings (ruling I-10)."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import AvisoRead, Crowd, Ending, FinalVerdict, Settled, Stroke, Trophy
from tests.corridas.engine.ring import (
    FINAL,
    ONES,
    QUIET,
    STROKES,
    THREES,
    TWOS,
    check,
    lidia,
    setup,
    three,
)

BEFORE = f"{ONES} {TWOS} {THREES}"


@pytest.mark.parametrize(
    ("prints", "modifiers"),
    [
        ((), [0, 0, 0, 0, 0]),
        (("3a kill=MEDIA_-6",), [-6, 0, 0, 0, 0]),
        (("3a kill=PINCHAZO_-3", "3e kill=BAJONAZO_-12"), [-3, 0, 0, 0, -12]),
        (tuple(f"3{copy} kill=PINCHAZO_-9" for copy in "abcde"), [-9] * 5),
        (("4a kill=MEDIA_-6",), [0, 0, 0, 0, 0]),
    ],
    ids=["I-10 clean", "I-10 first", "I-10 two", "I-10 all", "I-10 not the warning card's"],
)
def test_i_10_five_strokes_with_their_modifiers(
    prints: tuple[str, ...], modifiers: list[int]
) -> None:
    record = lidia(setup(*prints), QUIET)
    check(record, strokes=modifiers, kill_points=sum(modifiers), score=sum(modifiers), avisos=0)


@pytest.mark.parametrize(
    ("aviso", "avisos"),
    [("-", 0), ("33", 0), ("35-40", 0), ("30-33", 0), ("30-34", None), ("34-40", None)],
    ids=lambda value: f"I-10 {value}",
)
def test_i_10_a_warning_is_a_number_inside_the_range(aviso: str, avisos: int | None) -> None:
    # The number of every stroke is 34. If the AVISO range contains 34, the third warning stops the
    # bullfight.
    text = QUIET if avisos == 0 else f"{BEFORE} {STROKES[:17]}"
    check(lidia(setup(matadors=three({"aviso": aviso})), text), avisos=3 if avisos is None else 0)


@pytest.mark.parametrize(
    ("strokes", "aviso", "avisos", "score"),
    [
        ("3a 5b 3b 4b 3c 5c 3d 5d 3e 5e", "34", 1, -9),
        ("3a 4a 3b 4b 3c 5c 3d 5d 3e 5e", "34", 2, -18),
        ("3a 5b 3b 5c 3c 5d 3d 4a 3e 4b", "34", 2, -18),
        ("0f 0g 3b 4b 3c 4c 3d 4d 3e 4e", "100", 1, -9),
        ("0f 7a 3b 4b 3c 4c 3d 4d 3e 4e", "7", 1, -9),
        ("4a 3a 3b 4b 3c 5c 3d 5d 3e 5e", "43", 1, -9),
    ],
    ids=[
        "I-10 one is -9", "I-10 two are -18", "I-10 the last two", "I-10 00 is 100",
        "I-10 07 is 7", "I-10 the kill card is the tens",
    ],
)  # fmt: skip
def test_i_10_each_warning_costs_nine_points(
    strokes: str, aviso: str, avisos: int, score: int
) -> None:
    before = BEFORE.replace("0f 0g", "6b 6c") if "0" in strokes else BEFORE
    record = lidia(setup(matadors=three({"aviso": aviso})), f"{before} {strokes} {FINAL}")
    check(record, avisos=avisos, kill_points=0, final=score, score=score, number=56 + score)


STOPS = [
    ("I-10 third warning at stroke 3", "3a 4a 3b 4b 3c 4c", 3, -6),
    ("I-10 third warning at stroke 4", "3a 4a 3b 5b 3c 4c 3d 4d", 4, -10),
    ("I-10 third warning at stroke 5", "3a 5c 3b 5b 3c 4c 3d 4d 3e 4e", 5, -15),
]


@pytest.mark.parametrize("closed", ["against", "for", "separate"])
@pytest.mark.parametrize(
    ("strokes", "number", "kill"), [stop[1:] for stop in STOPS], ids=[stop[0] for stop in STOPS]
)
def test_i_10_three_warnings_stop_the_bullfight(
    strokes: str, number: int, kill: int, closed: str
) -> None:
    # The modifiers of the strokes from the third on differ. The stroke with the third warning still
    # counts.
    prints = ("3c kill=MEDIA_-6", "3d kill=MEDIA_-4", "3e kill=MEDIA_-5")
    given = setup(*prints, matadors=three({"aviso": "34"}), bull_points=closed)
    record = lidia(given, f"{BEFORE} {strokes}")
    nothing: dict[str, Any] = {"final": None, "score": None, "number": None, "drawn": None}
    check(
        record, ending=Ending.THREE_AVISOS, avisos=3, kill_points=kill, finisher=0,
        trophy=Trophy.NONE, vuelta=False, crowd=Crowd.BRONCA, **nothing,
    )  # fmt: skip
    assert sum(isinstance(event, Stroke) for event in record.events) == number
    assert not [event for event in record.events if isinstance(event, Settled | FinalVerdict)]


@pytest.mark.slow
def test_i_10_warning_card_is_drawn_even_if_the_aviso_range_is_empty() -> None:
    record = lidia(setup(), QUIET)
    read = [event for event in record.events if isinstance(event, AvisoRead)]
    assert [(event.number, event.warned) for event in read] == [(34, False)] * 5


def test_i_10_warnings_use_the_range_of_the_substitute() -> None:
    # The range of A contains 34, but A is injured in the first tercio. The range of B is empty, so
    # B gets no warning.
    given = setup("0a 1s=BULL bull=HERIDA", matadors=three({"aviso": "34"}))
    text = f"0a 0g {QUIET[3:].replace('0g', '5b')}"
    check(lidia(given, text), finisher=1, avisos=0, ending=Ending.KILLED)
