"""The effect of a choice in words: what is said of which three, and which swaps are offered."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.models import Matador
from corridas.season.cartel_effect import effect
from corridas.season.cartel_queries import Candidate, Journey, Meetings, Refusal

DAY = dt.date(2027, 5, 1)


def one(number: int, rating: int, **known: Any) -> Candidate:
    matador = Matador(pk=number, name=f"M{number}", style=known.pop("style", ""))
    return Candidate(
        matador=matador,
        rating=rating,
        style=matador.style,
        form=known.pop("form", []),
        form_value=known.pop("form_value", None),
        **known,
    )


def field(*ratings: int) -> list[Candidate]:
    return [one(number, rating) for number, rating in enumerate(ratings, start=1)]


# A circuit of ten besides those who are chosen
OTHERS = [one(number, 40 + 2 * number) for number in range(10, 20)]


@pytest.mark.parametrize(
    ("ratings", "title", "sentence"),
    [
        ((95, 94, 93), "Strong and even cartel", "Any of the three could win the afternoon."),
        ((99, 85, 84), "Strong cartel with a favourite", "M1 has a clearly higher rating"),
        ((76, 74, 70), "Good and even cartel", "M3 is the outsider"),
        (
            (76, 74, 60),
            "Good cartel with a favourite",
            ("M1 and M2 are closely matched. M3 is the outsider."),
        ),
        ((42, 41, 40), "Modest and even cartel", "Any of the three"),
        ((60, 41, 40), "Modest cartel with a favourite", "M1 has a clearly higher rating"),
    ],
)
def test_the_balance_follows_from_the_ratings(
    ratings: tuple[int, ...], title: str, sentence: str
) -> None:
    trio = field(*ratings)
    told = effect(trio, [*trio, *OTHERS])
    assert told.title == title
    assert sentence in " ".join(told.sentences)


@pytest.mark.parametrize(
    ("number", "title"),
    [
        (0, "Choose 3 more matadors"),
        (1, "Choose 2 more matadors"),
        (2, "Choose 1 more matador"),
        (4, "Take 1 matador off the cartel"),
        (5, "Take 2 matadors off the cartel"),
    ],
)
def test_a_cartel_that_is_not_three_says_what_is_missing(number: int, title: str) -> None:
    chosen = field(*range(90, 90 - number, -1))
    told = effect(chosen, [*chosen, *OTHERS])
    assert (told.title, told.sentences, told.swaps) == (title, [], [])
    assert len(told.marks) == number


def said(*trio: Candidate) -> str:
    return " ".join(effect(trio, [*trio, *OTHERS]).sentences)


def test_form_rest_style_and_past_are_told() -> None:
    first = one(1, 90, form=["rabo"], form_value=60, style="cold")
    second = one(2, 89, form=["bronca"], form_value=-40, style="cold")
    third = one(3, 88, style="artist", journey=Journey("Arles", DAY, 0, 512))
    first.meetings = [(second, Meetings(2, 5, 1))]
    told = said(first, second, third)
    assert "M1 is in good form, M2 in bad form." in told
    assert "M3 travels 512 km from Arles overnight." in told
    assert "Two of the three have the same style: cold." in told
    assert "M2 leads M1 5–2 in the afternoons that they have shared." in told


def test_without_coordinates_only_the_rest_is_told() -> None:
    third = one(3, 88, journey=Journey("Arles", DAY, 0, None))
    assert "M3 has no day of rest after Arles." in said(one(1, 90), one(2, 89), third)


def test_a_change_is_compared_with_what_was_announced() -> None:
    announced = [
        one(number, rating, announced=True) for number, rating in ((1, 90), (2, 80), (3, 70))
    ]
    better = one(4, 86)
    every = [*announced, better, *OTHERS]
    told = effect([*announced[:2], better], every)
    assert (
        "5 points higher than in the announced cartel, and the three are closer together."
        in told.sentences[-1]
    )
    assert not any("announced" in line for line in effect(announced, every).sentences)


def test_swaps_name_only_those_who_can_be_chosen() -> None:
    trio = field(60, 58, 56)
    hurt = one(8, 99, refusal=Refusal("", "Injured"))
    every = [*trio, hurt, *OTHERS]
    swaps = effect(trio, every).swaps
    assert 1 <= len(swaps) <= 3
    assert hurt not in {swap.incoming for swap in swaps}
    assert (swaps[0].incoming.pk, swaps[0].outgoing.pk) == (19, 3)
    assert swaps[0].words.startswith("stronger by 22 points")


def test_three_swaps_bring_three_different_matadors() -> None:
    trio = [one(1, 90, style="cold", form=["oreja"], form_value=5), *field(0, 80, 70)[1:]]
    others = [
        one(21, 95),
        one(22, 82, form=["rabo"], form_value=80),
        one(23, 78, style="showman"),
        one(24, 60, ears=9, bulls=9),
    ]
    swaps = effect(trio, [*trio, *others]).swaps
    assert [swap.incoming.pk for swap in swaps] == [21, 22, 23]
    assert "showman" in swaps[2].words


def test_nobody_is_given_a_probability() -> None:
    trio = field(95, 94, 93)
    told = effect(trio, [*trio, *OTHERS])
    text = " ".join([told.title, *told.sentences, *(swap.words for swap in told.swaps)])
    assert "%" not in text
    assert "chance" not in text


@pytest.mark.parametrize("ratings", [(100, 100, 100), (1, 1, 1), (99, 98, 97), (50, 90, 91)])
def test_names_on_the_line_stay_inside_and_apart(ratings: tuple[int, ...]) -> None:
    trio = field(*ratings)
    marks = effect(trio, [*trio, *OTHERS]).marks
    assert all(0 <= mark.x <= 270 and 50 <= mark.label_x <= 220 for mark in marks)
    above = sorted(mark.label_x for mark in marks if mark.row == 0)
    assert above[1] - above[0] >= 100
