"""What tiles the ends of a train accept, case by case (Rulings D-4 and D-9)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from dominoes.engine import IllegalMove, NotationError, Rules, bit_set, bits
from tests.dominoes.engine.table import tiles
from tests.dominoes.notation import read_train

NINE, TWELVE = {"highest": 9}, {"highest": 12}


class Case(NamedTuple):
    """A test case: the tiles of a train under one rule for matadors (wild tiles), and the expected
    train with its open ends.
    """

    name: str
    reading: str
    tiles: str
    train: str
    options: dict[str, Any] = {}


FOUR = ("inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub")
CASES = [
    Case("D-4 both halves of the first tile are ends", "inline", "[6|3]", "(1*) [6|3] (4*)"),
    Case("D-4 a double has two equal ends", "inline", "[5|5]", "(2*) [5|5] (2*)"),
    Case("D-4 the half left outward is the end", "inline", "[6|3] 4|1", "(1*) [6|3] 4|1 (6*)"),
    Case("D-4 at the left too", "inline", "3|1 [6|3]", "(4*) 3|1 [6|3] (4*)"),
    Case("D-4 a double lies in line", "inline", "[6|3] 4|4", "(1*) [6|3] 4|4 (3*)"),
    Case("D-4 a matador fits one way", "inline", "[6|3] 2|5", "(1*) [6|3] 2|5 (2*)"),
    Case("D-4 a matador fits the other way", "inline", "[6|3] 5|2", "(1*) [6|3] 5|2 (5*)"),
    Case("D-4 after 4-0, 2-5", "inline", "[4|0] 2|5", "(3*) [4|0] 2|5 (2*)"),
    Case("D-4 after 4-0, 5-2", "inline", "[4|0] 5|2", "(3*) [4|0] 5|2 (5*)"),
    Case("D-4 at a blank only matadors", "inline", "[6|0]", "(1*) [6|0] (*)"),
    Case("D-4 the 0-0 fits and shuts", "inline", "[6|3] 0|0", "(1*) [6|3] 0|0 (*)"),
    Case("D-4 matador upon matador", "inline", "[4|0] 2|5 6|1", "(3*) [4|0] 2|5 6|1 (6*)"),
    *(
        Case(f"D-4 a matador set first, {reading}", reading, "[6|1]", "(1*) [6|1] (6*)")
        for reading in FOUR
    ),
    *(
        Case(f"D-4 the 0-0 set first, {reading}", reading, "[0|0]", "(*) [0|0] (*)")
        for reading in FOUR
    ),
    Case("D-1 double-nine", "inline", "[9|4] 6|2", "(1*) [9|4] 6|2 (8*)", NINE),
    Case("D-1 a double that is a matador", "inline", "[9|0] 5|5", "(1*) [9|0] 5|5 (5*)", NINE),
    Case("D-1 double-twelve", "inline", "[12|0] 7|6", "(1*) [12|0] 7|6 (7*)", TWELVE),
    Case("D-9 open", "crosswise_open", "[6|3] 2+5", "(1*) [6|3] 2+5 (2,5*)"),
    Case("D-9 open, one half", "crosswise_open", "[6|3] 2+5 5|4", "(1*) [6|3] 2+5 5|4 (3*)"),
    Case("D-9 open, the other", "crosswise_open", "[6|3] 2+5 2|4", "(1*) [6|3] 2+5 2|4 (3*)"),
    Case("D-9 open, inline by choice", "crosswise_open", "[6|3] 2|5", "(1*) [6|3] 2|5 (2*)"),
    Case("D-9 open, a matador next", "crosswise_open", "[6|3] 2+5 1|6", "(1*) [6|3] 2+5 1|6 (1*)"),
    Case("D-9 open, the 0-0 across", "crosswise_open", "[6|3] 0+0", "(1*) [6|3] 0+0 (*)"),
    Case("D-9 open, on a blank", "crosswise_open", "[6|0] 2+5", "(1*) [6|0] 2+5 (2,5*)"),
    Case("D-9 open, at the left", "crosswise_open", "3|5 2+5 [6|3]", "(4*) 3|5 2+5 [6|3] (4*)"),
    Case(
        "D-9 open, across again after one in line", "crosswise_open",
        "[6|3] 2+5 1|6 3+4", "(1*) [6|3] 2+5 1|6 3+4 (3,4*)",
    ),
    Case("D-9 open, a double", "crosswise_open", "[9|4] 5+5", "(1*) [9|4] 5+5 (5*)", NINE),
    Case("D-9 on a blank", "crosswise_on_blank", "[6|0] 2+5", "(1*) [6|0] 2+5 (0)"),
    Case("D-9 then a blank", "crosswise_on_blank", "[6|0] 2+5 0|3", "(1*) [6|0] 2+5 0|3 (4*)"),
    Case("D-9 or the 0-0", "crosswise_on_blank", "[6|0] 2+5 0|0", "(1*) [6|0] 2+5 0|0 (*)"),
    Case("D-9 the 0-0 across", "crosswise_on_blank", "[6|0] 0+0", "(1*) [6|0] 0+0 (0)"),
    Case("D-9 elsewhere inline", "crosswise_on_blank", "[6|3] 2|5", "(1*) [6|3] 2|5 (2*)"),
    Case("D-9 0-0 inline", "crosswise_on_blank", "[6|3] 0|0 2+5", "(1*) [6|3] 0|0 2+5 (0)"),
    Case("D-9 a stub", "crosswise_stub", "[6|3] 2|5", "(1*) [6|3] 2|5 (2*)"),
    Case("D-9 a stub on a blank", "crosswise_stub", "[6|0] 5|2", "(1*) [6|0] 5|2 (5*)"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_train_has_the_expected_tiles_and_open_ends(case: Case) -> None:
    rules = Rules.from_options({"matadors": case.reading, **case.options})
    train = read_train(rules, case.tiles)
    assert str(train) == case.train
    assert read_train(rules, case.train) == train


@pytest.mark.parametrize(
    ("reading", "train", "code"),
    [
        ("inline", "[6|3] 3|4", None), ("inline", "[6|3] 3|1", "no_sum"),
        ("inline", "[6|0] 6|2", "blank"), ("inline", "[6|0] 0|3", "blank"),
        ("inline", "[6|3] 2+5", "never_across"), ("crosswise_stub", "[6|3] 2+5", "never_across"),
        ("crosswise_open", "[6|3] 4+1", "only_matadors_across"),
        ("crosswise_open", "[6|3] 2+5 1+6", "inline_after_across"),
        ("crosswise_open", "[6|3] 2+5 3|1", "no_sum_across"),
        ("crosswise_open", "[6|3] 2+5 4|2", "no_sum_across"),
        ("crosswise_open", "[6|3] 0+0 1|1", "matador_only"),
        ("crosswise_open", "[6|3] 0+0 5|2", None),
        ("crosswise_on_blank", "[6|0] 2|5", "must_lie_across"),
        ("crosswise_on_blank", "[6|3] 2+5", "never_across"),
        ("crosswise_on_blank", "[6|0] 2+5 1|6", "blank_inward"),
        ("crosswise_on_blank", "[6|0] 2+5 1+6", "blank_inward"),
        ("crosswise_on_blank", "[6|0] 2+5 3|0", "blank_inward"),
        ("crosswise_on_blank", "[6|0] 2+5 5|5", "blank_inward"),
        ("crosswise_on_blank", "[6|0] 2+5 0+0", "inline_after_across"),
    ],
)  # fmt: skip
def test_tile_is_accepted_or_rejected_at_an_end_of_the_train(
    reading: str, train: str, code: str | None
) -> None:
    rules = Rules.from_options({"matadors": reading})
    if code is None:
        assert read_train(rules, train).laid
        return
    with pytest.raises(IllegalMove) as refused:
        read_train(rules, train)
    assert refused.value.code == code


def test_ruling_d_9_decides_whether_a_matador_lies_inline_or_across() -> None:
    lies = {
        (reading, train): read_train(Rules.from_options({"matadors": reading}), train).laid[-1].lie
        for reading, train in [
            ("inline", "[6|3] 2|5"), ("crosswise_open", "[6|3] 2|5"),
            ("crosswise_open", "[6|3] 2+5"), ("crosswise_on_blank", "[6|0] 2+5"),
            ("crosswise_stub", "[6|3] 2|5"), ("crosswise_stub", "[6|3] 4|2"),
            ("crosswise_stub", "[6|1]"),
        ]
    }  # fmt: skip
    assert list(lies.values()) == [
        "inline",
        "inline",
        "across",
        "across",
        "stub",
        "inline",
        "inline",
    ]


def test_end_of_a_train_lists_the_tiles_that_fit() -> None:
    train = read_train(Rules(), "[6|0]")
    assert train.ends is not None
    left, right = train.ends
    assert bits(left.fits) == sorted(tiles("1|0 1|1 2|1 3|1 4|1 5|1 6|1 0|0 5|2 4|3"))
    assert right.fits == bit_set(tiles("0|0 6|1 5|2 4|3"))
    assert (left.halves, left.needs, right.needs, right.matadors) == ((6,), (1,), (), True)


def test_empty_train_can_be_written_and_read() -> None:
    assert str(read_train(Rules(), "")) == "(any)"
    assert read_train(Rules(), "(any)").ends is None


@pytest.mark.parametrize(
    "text",
    [
        "6|3", "[6|3] [5|5]", "[3|6]", "[6|3] 4|4 4|4", "[7|1]", "[draw]", "[>2|5]",
        "(1*) [6|3] (3*)", "[6|3] (4*)", "[6|3] nonsense", "[6|3] draw",
    ],
)  # fmt: skip
def test_invalid_text_is_rejected_as_a_train(text: str) -> None:
    with pytest.raises(NotationError):
        read_train(Rules(), text)
