"""The description of a chosen cartel in words: its strength, its rivalries and the offered
swaps.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.models import Matador
from corridas.season.cartel_effect import effect
from corridas.season.cartel_queries import CartelCandidate, Journey, Meetings, Refusal

DAY = dt.date(2027, 5, 1)


def candidate(number: int, rating: int, **known: Any) -> CartelCandidate:
    matador = Matador(pk=number, name=f"M{number}", style=known.pop("style", ""))
    return CartelCandidate(
        matador=matador,
        rating=rating,
        style=matador.style,
        form=known.pop("form", []),
        form_value=known.pop("form_value", None),
        **known,
    )


def field(*ratings: int) -> list[CartelCandidate]:
    return [candidate(number, rating) for number, rating in enumerate(ratings, start=1)]


# Ten more matadors of the circuit, who are not chosen.
OTHERS = [candidate(number, 40 + 2 * number) for number in range(10, 20)]


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
def test_a_cartel_is_described_by_strength_and_balance_of_its_ratings(
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
def test_a_cartel_without_three_matadors_says_how_many_to_add_or_remove(
    number: int, title: str
) -> None:
    chosen = field(*range(90, 90 - number, -1))
    told = effect(chosen, [*chosen, *OTHERS])
    assert (told.title, told.sentences, told.swaps) == (title, [], [])
    assert len(told.marks) == number


def effect_text(*trio: CartelCandidate) -> str:
    return " ".join(effect(trio, [*trio, *OTHERS]).sentences)


def test_a_cartel_is_described_by_form_rest_style_and_past_meetings() -> None:
    first = candidate(1, 90, form=["rabo"], form_value=60, style="cold")
    second = candidate(2, 89, form=["bronca"], form_value=-40, style="cold")
    third = candidate(3, 88, style="artist", journey=Journey("Arles", DAY, 0, 512))
    first.meetings = [(second, Meetings(2, 5, 1))]
    told = effect_text(first, second, third)
    assert "M1 is in good form, M2 in bad form." in told
    assert "M3 travels 512 km from Arles overnight." in told
    assert "Two of the three have the same style: cold." in told
    assert "M2 leads M1 5–2 in the afternoons that they have shared." in told


def test_without_coordinates_a_journey_is_described_by_days_of_rest_only() -> None:
    third = candidate(3, 88, journey=Journey("Arles", DAY, 0, None))
    assert "M3 has no day of rest after Arles." in effect_text(
        candidate(1, 90), candidate(2, 89), third
    )


def test_a_changed_cartel_is_compared_with_the_announced_cartel() -> None:
    announced = [
        candidate(number, rating, announced=True) for number, rating in ((1, 90), (2, 80), (3, 70))
    ]
    better = candidate(4, 86)
    every = [*announced, better, *OTHERS]
    told = effect([*announced[:2], better], every)
    assert (
        "5 points higher than in the announced cartel, and the three are closer together."
        in told.sentences[-1]
    )
    assert not any("announced" in line for line in effect(announced, every).sentences)


def test_swaps_offer_only_matadors_who_can_be_chosen() -> None:
    trio = field(60, 58, 56)
    hurt = candidate(8, 99, refusal=Refusal("", "Injured"))
    every = [*trio, hurt, *OTHERS]
    swaps = effect(trio, every).swaps
    assert 1 <= len(swaps) <= 3
    assert hurt not in {swap.incoming for swap in swaps}
    assert (swaps[0].incoming.pk, swaps[0].outgoing.pk) == (19, 3)
    assert swaps[0].words.startswith("stronger by 22 points")


def test_three_swaps_offer_three_different_matadors() -> None:
    trio = [candidate(1, 90, style="cold", form=["oreja"], form_value=5), *field(0, 80, 70)[1:]]
    others = [
        candidate(21, 95),
        candidate(22, 82, form=["rabo"], form_value=80),
        candidate(23, 78, style="showman"),
        candidate(24, 60, ears=9, bulls=9),
    ]
    swaps = effect(trio, [*trio, *others]).swaps
    assert [swap.incoming.pk for swap in swaps] == [21, 22, 23]
    assert "showman" in swaps[2].words


def test_the_description_of_a_cartel_contains_no_probabilities() -> None:
    trio = field(95, 94, 93)
    told = effect(trio, [*trio, *OTHERS])
    text = " ".join([told.title, *told.sentences, *(swap.words for swap in told.swaps)])
    assert "%" not in text
    assert "chance" not in text


@pytest.mark.parametrize("ratings", [(100, 100, 100), (1, 1, 1), (99, 98, 97), (50, 90, 91)])
def test_names_on_the_rating_line_stay_inside_and_do_not_overlap(ratings: tuple[int, ...]) -> None:
    trio = field(*ratings)
    marks = effect(trio, [*trio, *OTHERS]).marks
    assert all(0 <= mark.x <= 270 and 50 <= mark.label_x <= 220 for mark in marks)
    above = sorted(mark.label_x for mark in marks if mark.row == 0)
    assert above[1] - above[0] >= 100


# Limits at which the description changes


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (0, "M3 travels 512 km from Arles overnight."),
        (1, "M3 comes from Arles with one day’s rest."),
        (2, ""),
    ],
)
def test_two_days_of_rest_are_not_mentioned(rest: int, words: str) -> None:
    third = candidate(3, 88, journey=Journey("Arles", DAY, rest, 512))
    told = effect_text(candidate(1, 90), candidate(2, 89), third)
    assert ("Arles" in told) is bool(words)
    assert words in told


def test_only_the_matador_with_the_least_rest_is_mentioned() -> None:
    second = candidate(2, 89, journey=Journey("Ronda", DAY, 1, 30))
    third = candidate(3, 88, journey=Journey("Arles", DAY, 0, 0))
    assert "M3 has no day of rest after Arles." in effect_text(candidate(1, 90), second, third)


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        ((90, 88, 86), "Any of the three could win the afternoon."),
        ((91, 89, 86), "M1 is the slight favourite, and M3 is the outsider."),
        ((90, 86, 84), "M1 is the slight favourite, and M3 is the outsider."),
        ((91, 86, 85), "M1 has a clearly higher rating than the other two."),
        ((90, 86, 82), "M1 is the slight favourite, and M3 is the outsider."),
        ((90, 86, 81), "M1 and M2 are closely matched. M3 is the outsider."),
    ],
)
def test_ratings_up_to_four_points_apart_count_as_equal(
    ratings: tuple[int, int, int], words: str
) -> None:
    assert words in effect_text(*field(*ratings))


@pytest.mark.parametrize(
    ("rating", "others", "title"),
    [
        # A rating at the upper quartile of all ratings and one below it, then at the median and one
        # below it.
        (86, (), "Strong and even cartel"),
        (85, (99, 86, 60), "Good and even cartel"),
        (80, (99, 99, 60), "Good and even cartel"),
        (79, (99, 99, 80, 80), "Modest and even cartel"),
    ],
)
def test_a_cartel_is_strong_from_the_upper_quartile_and_good_from_the_median(
    rating: int, others: tuple[int, ...], title: str
) -> None:
    trio = field(rating, rating, rating)
    assert effect(trio, [*trio, *field(*others)]).title == title


@pytest.mark.parametrize(("lowest", "even"), [(82, True), (81, False)])
def test_a_cartel_is_even_if_its_ratings_differ_by_at_most_eight_points(
    lowest: int, even: bool
) -> None:
    trio = field(90, 86, lowest)
    title = effect(trio, [*trio, *OTHERS]).title
    assert title == ("Strong and even cartel" if even else "Strong cartel with a favourite")


@pytest.mark.parametrize(
    ("best", "worst", "words"),
    [
        (25, -25, "M1 is in good form, M3 in bad form."),
        (25, -24, "M1 is in the best form of the three."),
        (24, -25, "M3 is in bad form."),
        (24, -24, ""),
        (None, None, ""),
    ],
)
def test_form_is_called_good_from_25_and_bad_from_minus_25(
    best: int | None, worst: int | None, words: str
) -> None:
    trio = (
        candidate(1, 90, form=["oreja"], form_value=best),
        candidate(2, 89, form=["ovacion"], form_value=0 if best else None),
        candidate(3, 88, form=["pitos"], form_value=worst),
    )
    assert ("form" in effect_text(*trio)) is bool(words)
    assert words in effect_text(*trio)


@pytest.mark.parametrize(("bulls", "offered"), [(5, False), (6, True), (7, True)])
def test_ears_per_bull_are_compared_only_from_six_bulls(bulls: int, offered: bool) -> None:
    trio = [candidate(number, 90 - number, ears=3, bulls=6) for number in (1, 2, 3)]
    other = candidate(4, 50, ears=bulls, bulls=bulls)
    swaps = effect(trio, [*trio, other]).swaps
    assert any(swap.words.startswith("more ears per bull") for swap in swaps) is offered


@pytest.mark.parametrize(("rest", "offered"), [(2, False), (3, True), (None, True)])
def test_a_swap_for_more_rest_needs_more_than_two_days_of_rest(
    rest: int | None, offered: bool
) -> None:
    journey = None if rest is None else Journey("Ronda", DAY, rest, 0)
    trio = [
        candidate(1, 90),
        candidate(2, 89),
        candidate(3, 88, journey=Journey("Arles", DAY, 1, 9)),
    ]
    swaps = effect(trio, [*trio, candidate(4, 50, journey=journey)]).swaps
    assert any(swap.words.startswith("more days of rest") for swap in swaps) is offered


def test_a_tied_record_between_two_matadors_is_not_mentioned() -> None:
    first, second, third = field(90, 89, 88)
    first.meetings = [(second, Meetings(3, 3, 1)), (third, Meetings(2, 1, 0))]
    assert "M1 leads M3 2–1" in effect_text(first, second, third)
    first.meetings = [(second, Meetings(3, 3, 1))]
    assert "shared" not in effect_text(first, second, third)


def test_a_cartel_of_matadors_without_cards_is_no_error() -> None:
    trio = [candidate(number, 0, refusal=Refusal("", "Has no card yet")) for number in (1, 2, 3)]
    assert effect(trio, trio).title == "Modest and even cartel"
    assert effect(trio, [*trio, *OTHERS]).title == "Modest and even cartel"


@pytest.mark.parametrize(
    ("rating", "said"),
    [
        (76, "2 points higher than in the announced cartel, and the three are closer together."),
        (73, "1 point higher than in the announced cartel, and the three are closer together."),
        (72, "1 point higher than in the announced cartel, and the three are closer together."),
        (71, "the same as in the announced cartel, and the three are closer together."),
        (70, "the same as in the announced cartel, and the three are as close as before."),
        (69, "the same as in the announced cartel, and the three are further apart."),
        (68, "1 point lower than in the announced cartel, and the three are further apart."),
        (67, "1 point lower than in the announced cartel, and the three are further apart."),
        (64, "2 points lower than in the announced cartel, and the three are further apart."),
    ],
)
def test_average_and_range_of_a_changed_cartel_are_compared_with_the_announced_ones(
    rating: int, said: str
) -> None:
    announced = [
        candidate(number, value, announced=True) for number, value in ((1, 90), (2, 80), (3, 70))
    ]
    told = effect([*announced[:2], candidate(4, rating)], [*announced, *OTHERS])
    assert f"The average rating is {said}" in told.sentences


@pytest.mark.parametrize(
    ("styles", "said"),
    [
        (("cold", "cold", "cold"), "All three have the same style: cold."),
        (("cold", "artist", "artist"), "Two of the three have the same style: artist."),
        (("cold", "artist", "brave"), "Three different styles: cold, artist and brave."),
        (("cold", "cold", ""), ""),
    ],
)
def test_styles_are_compared_if_all_three_are_known(
    styles: tuple[str, str, str], said: str
) -> None:
    trio = [candidate(number, 90, style=style) for number, style in enumerate(styles, start=1)]
    assert ("style" in effect_text(*trio)) is bool(said)
    assert said in effect_text(*trio)


def swap_words(trio: list[CartelCandidate], *others: CartelCandidate) -> list[str]:
    return [swap.words for swap in effect(trio, [*trio, *others]).swaps]


@pytest.mark.parametrize(
    ("rating", "words"),
    [
        (87, []),
        (88, []),
        (89, ["stronger by 1 point, the most that one change can add."]),
        (90, ["stronger by 2 points, the most that one change can add."]),
    ],
)
def test_a_stronger_matador_is_offered_only_if_his_rating_is_higher(
    rating: int, words: list[str]
) -> None:
    assert swap_words(field(90, 89, 88), candidate(4, rating)) == words


@pytest.mark.parametrize(
    ("rating", "words"),
    [
        (91, "stronger by 3 points"),
        (90, "about as strong"),
        (86, "about as strong"),
        (85, "weaker by 3 points"),
    ],
)
def test_ratings_up_to_two_points_apart_are_about_as_strong(rating: int, words: str) -> None:
    trio = [candidate(number, rating, style="cold") for number, rating in ((1, 99), (2, 99))]
    trio.append(candidate(3, 88, style="cold"))
    offered = swap_words(trio, candidate(4, rating, style="artist"), candidate(5, 95))
    assert f"another style (artist), and {words}." in offered


@pytest.mark.parametrize(("value", "offered"), [(4, False), (5, False), (6, True)])
def test_a_swap_for_better_form_needs_better_form(value: int, offered: bool) -> None:
    """The matador in the worst form is replaced. Without any known form nothing is offered."""
    trio = [
        candidate(1, 90, form=["oreja"], form_value=5),
        candidate(2, 89, form=["oreja"], form_value=9),
        candidate(3, 88),
    ]
    other = candidate(4, 50, form=["rabo"], form_value=value)
    swaps = effect(trio, [*trio, other]).swaps
    assert [(swap.incoming.pk, swap.outgoing.pk) for swap in swaps] == [(4, 1)] * offered
    unknown = field(90, 89, 88)
    assert effect(unknown, [*unknown, other]).swaps == []


def test_a_swap_for_more_ears_needs_more_ears_per_bull() -> None:
    """The matador with the fewest ears per bull is replaced."""
    ears = {1: 6, 2: 3, 3: 4}
    trio = [candidate(number, 90 - number, ears=ears[number], bulls=6) for number in ears]
    offered = {
        cut: [
            (swap.incoming.pk, swap.outgoing.pk)
            for swap in effect(trio, [*trio, candidate(4, 50, ears=cut, bulls=6)]).swaps
        ]
        for cut in (2, 3, 4)
    }
    assert offered == {2: [], 3: [], 4: [(4, 2)]}


def test_swaps_never_offer_a_chosen_matador_or_one_without_a_card() -> None:
    trio = [candidate(1, 95, form=["rabo"], form_value=80), *field(0, 94, 60)[1:]]
    trio[2].form, trio[2].form_value = ["pitos"], -30
    uncarded = candidate(4, 0, form=["rabo"], form_value=90, style="artist")
    carded = candidate(5, 50, form=["rabo"], form_value=90, style="artist")
    found = {
        other.pk: {swap.incoming.pk for swap in effect(trio, [*trio, other]).swaps}
        for other in (uncarded, carded)
    }
    assert found == {4: set(), 5: {5}}


@pytest.mark.parametrize(
    ("bound", "value"), [((), "3-19"), ((3,), "2-19"), ((2, 3), "1-19"), ((1, 2, 3), None)]
)
def test_swaps_never_replace_a_matador_who_must_appear(
    bound: tuple[int, ...], value: str | None
) -> None:
    """A swap replaces the matador whose number comes first in its value."""
    trio = [candidate(number, 60 - number, bound=number in bound) for number in (1, 2, 3)]
    swaps = effect(trio, [*trio, *OTHERS]).swaps
    assert [swap.value for swap in swaps] == ([value] if value else [])


def test_form_without_known_bulls_is_not_mentioned() -> None:
    first = candidate(1, 90, form_value=60)
    assert "form" not in effect_text(first, candidate(2, 89), candidate(3, 88))
    first.form = ["rabo"]
    assert "M1 is in the best form" in effect_text(first, candidate(2, 89), candidate(3, 88))


def test_the_rivalry_of_the_matadors_with_the_highest_ratings_is_mentioned() -> None:
    first, second, third = field(90, 89, 88)
    first.meetings = [(third, Meetings(2, 1, 0))]
    second.meetings = [(third, Meetings(3, 0, 0))]
    assert "M1 leads M3 2–1" in effect_text(first, second, third)
    assert "M2 leads" not in effect_text(first, second, third)
    first.meetings = []
    assert "M2 leads M3 3–0" in effect_text(first, second, third)


def test_a_matador_is_offered_once_for_the_first_of_several_reasons() -> None:
    trio = [candidate(1, 90, form=["pitos"], form_value=-30), *field(0, 89, 88)[1:]]
    words = swap_words(trio, candidate(4, 91, form=["rabo"], form_value=90, style="artist"))
    assert words == ["stronger by 3 points, the most that one change can add."]


@pytest.mark.parametrize(
    ("bound", "value"), [((), "2-5"), ((2,), "1-5"), ((1, 2), "3-5"), ((1,), "2-5")]
)
def test_the_best_matador_of_another_style_replaces_one_of_two_equal_styles(
    bound: tuple[int, ...], value: str
) -> None:
    """If neither of these may be replaced, it is the third."""
    styles = {1: "cold", 2: "cold", 3: "brave"}
    trio = [
        candidate(number, 90 - number, style=style, bound=number in bound)
        for number, style in styles.items()
    ]
    others = [candidate(4, 50, style="artist"), candidate(5, 60, style="artist")]
    others.append(candidate(6, 55, style="artist"))
    swaps = effect(trio, [*trio, *others]).swaps
    assert [swap.value for swap in swaps] == [value]


def test_few_bulls_with_many_ears_do_not_hide_another_matador() -> None:
    trio = [candidate(number, 90 - number, ears=3, bulls=6) for number in (1, 2, 3)]
    others = [candidate(4, 50, ears=5, bulls=5), candidate(5, 50, ears=4, bulls=6)]
    swaps = effect(trio, [*trio, *others]).swaps
    assert [swap.incoming.pk for swap in swaps] == [5]


def test_the_matador_with_the_least_rest_is_replaced_by_one_of_similar_rating() -> None:
    trio = [
        candidate(1, 90),
        candidate(2, 80, journey=Journey("Ronda", DAY, 0, 9)),
        candidate(3, 79, journey=Journey("Arles", DAY, 1, 9)),
    ]
    others = [candidate(4, 60), candidate(5, 77), candidate(6, 70)]
    swaps = effect(trio, [*trio, *others]).swaps
    assert [swap.value for swap in swaps] == ["2-5"]


@pytest.mark.parametrize(
    ("ratings", "marks"),
    [
        # The line begins at 80, or at a multiple of ten below the lowest rating.
        ((90, 100, 80), [(3, 6.0, 0), (1, 135.0, 1), (2, 264.0, 0)]),
        ((79, 100, 85), [(1, 83.4, 0), (3, 135.0, 1), (2, 264.0, 0)]),
    ],
)
def test_matadors_stand_on_the_rating_line_in_the_order_of_their_ratings(
    ratings: tuple[int, ...], marks: list[tuple[int, float, int]]
) -> None:
    found = effect(trio := field(*ratings), trio).marks
    assert [(mark.candidate.pk, mark.x, mark.row) for mark in found] == marks
