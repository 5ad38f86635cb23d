"""Replaying an impossible record fails at the first impossible card, with position and reason."""

from __future__ import annotations

from typing import Any

import pytest

from corridas.engine import EngineError, ImpossibleDraw, replay_corrida, write_lidia
from tests.corridas.engine.notation import read_draws
from tests.corridas.engine.ring import LOT, ONES, OTHER, QUIET, cards, corrida, lidia, setup, three

HURT = tuple(f"0{copy} 1s=BULL bull=HERIDA" for copy in "abc")
SHARED: dict[str, Any] = {"shuffle": "when_exhausted"}
SIX = [cards(QUIET)] * 6
TAKEN = "lies drawn already (Ruling I-3)."
OVER, MISSING = "the lidia is over, and the record goes on.", "the lidia is not over, and no card"


def changed(turn: int, draws: bytes) -> list[bytes]:
    """Return the cards of six uneventful lidias, one of them replaced."""
    return [*SIX[:turn], draws, *SIX[turn + 1 :]]


Q = cards(QUIET)
CASES: list[tuple[str, list[bytes], int, int, str]] = [
    ("twice at once", changed(0, Q[:1] + Q), 0, 1, f"card 0 {TAKEN}"),
    ("twice far apart", changed(2, Q[:33] + Q[4:5]), 2, 33, f"card 4 {TAKEN}"),
    ("twice in the tercio", changed(5, Q[:9] + Q[3:4] + Q[10:]), 5, 9, f"card 3 {TAKEN}"),
    ("no card 70", changed(1, Q[:7] + b"\x46" + Q[8:]), 1, 7, "there is no card 70, a deck has"),
    ("no card 255", changed(4, b"\xff" + Q[1:]), 4, 0, "there is no card 255"),
    ("last card missing", changed(3, Q[:-1]), 3, 33, MISSING),
    ("nothing drawn", changed(3, b""), 3, 0, MISSING),
    ("card left over", changed(0, Q + cards("8a")), 0, 34, OVER),
    ("a card left over that lies drawn", changed(0, Q + Q[:1]), 0, 34, OVER),
    ("lidia missing", SIX[:5], 5, 0, MISSING),
    ("no lidia at all", [], 0, 0, MISSING),
    ("a seventh lidia", [*SIX, Q], 6, 0, "the corrida is over, and the record goes on."),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draws", "turn", "position", "reason"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_error_names_the_first_impossible_card_and_the_reason(
    draws: list[bytes], turn: int, position: int, reason: str
) -> None:
    with pytest.raises(ImpossibleDraw) as refusal:
        replay_corrida(setup(), LOT, draws)
    found = refusal.value
    assert (found.lidia, found.position) == (turn, position)
    assert found.reason.startswith(reason)
    assert str(found) == f"Lidia {turn + 1}, card {position + 1}: {found.reason}"
    assert isinstance(found, EngineError)


def test_i_16_cards_after_a_suspended_corrida_are_rejected() -> None:
    out = "0a 0g 0b 0f 0c 0d"
    for following in ([OTHER], [""], [OTHER, OTHER]):
        with pytest.raises(ImpossibleDraw, match="Lidia 2, card 1: the corrida is over"):
            corrida(setup(*HURT), out, *following)
    with pytest.raises(ImpossibleDraw, match="Lidia 1, card 7: the lidia is over"):
        corrida(setup(*HURT), f"{out} 0e")


def test_i_10_cards_after_a_third_warning_are_rejected() -> None:
    stopped = QUIET[: QUIET.index(" 3d")]
    given = setup(matadors=three({"aviso": "34"}))
    assert len(lidia(given, stopped).draws) == 28
    with pytest.raises(ImpossibleDraw, match="Lidia 1, card 29: the lidia is over"):
        lidia(given, QUIET)


def test_i_3_shared_deck_rejects_a_card_drawn_for_an_earlier_bull() -> None:
    with pytest.raises(ImpossibleDraw, match="Lidia 2, card 1: card 0 lies drawn already"):
        corrida(setup(**SHARED), *[QUIET] * 6)
    with pytest.raises(ImpossibleDraw, match="Lidia 3, card 1: card 0 lies drawn already"):
        corrida(setup(**SHARED), QUIET, OTHER, QUIET, OTHER, QUIET, OTHER)


def test_i_3_shared_deck_allows_any_card_after_a_reshuffle() -> None:
    # Two lidias take 68 of the 70 cards, and the last two are 8a and 9c. After these, a new deck
    # begins, in which 9c may come again.
    given, rest = setup(**SHARED), QUIET[18:]
    with pytest.raises(ImpossibleDraw, match="Lidia 3, card 2: card 56 lies drawn already"):
        corrida(given, QUIET, OTHER, f"8a 8a 9c 9c 0a 0b {rest}")
    with pytest.raises(ImpossibleDraw, match="Lidia 3, card 4: card 65 lies drawn already"):
        corrida(given, QUIET, OTHER, f"8a 9c 9c 9c 0a 0b {rest}")
    with pytest.raises(ImpossibleDraw, match="Lidia 4, card 1: the lidia is not over"):
        corrida(given, QUIET, OTHER, f"8a 9c 9c 8a 0a 0b {rest}")


@pytest.mark.parametrize(
    ("prints", "text", "written"),
    [
        (("0a 1s=LANCE+",), ONES.replace("0a", "0a 7a"), "I 00+49 01 02"),
        (("0a 1s=LANCE-",), ONES.replace("0a", "0a 7a"), "I 00-49 01 02"),
        (("0a 1s=BULL bull=BRAVO-",), ONES.replace("0a", "0a 7a"), "I 00b-49 01 02"),
        (("0a 1s=BULL bull=HERIDA",), ONES.replace("0a", "0a 7a"), "I 00bh49 01 02"),
        (("0a 1s=BULL",), ONES, "I 00b 01 02"),
    ],
)
def test_events_of_a_lidia_are_written_in_short_notation(
    prints: tuple[str, ...], text: str, written: str
) -> None:
    line = write_lidia(lidia(setup(*prints), QUIET.replace(ONES, text)).events)
    assert line.startswith(written)


def test_whole_lidia_is_written_in_short_notation() -> None:
    given = setup(matadors=three({"aviso": "34"}))
    record = lidia(given, QUIET.replace("4c", "5b").replace("4d", "5c").replace("4e", "5d"))
    line = write_lidia(record.events)
    assert line == (
        "I 00 01 02 03 04 05 06 07 08 09 | II 68 69 | III 10 11 12 13 14 15 16 17 18 19 "
        "| K 21.28a 22.29a 23.36 24.37 25.38 | = 35 42"
    )
    assert read_draws(line) == record.draws


@pytest.mark.parametrize("text", ["I 7 12", "I 123", "I 00+1", "K 08.6"])
def test_written_cards_without_exactly_two_digits_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="two digits, 00 to 69"):
        read_draws(text)
