"""The description of a chosen cartel in words: its expected ears, its rivalries and the offered
swaps.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.models import Matador
from corridas.season.cartel_effect import effect
from corridas.season.cartel_queries import CartelCandidate, Journey, Meetings, Refusal
from corridas.world.chances import Chances

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


def chances(ears: float, ear: float = 0.4, two_ears: float = 0.1) -> Chances:
    """`ears` are the ears per bull; a matador has two bulls."""
    return Chances(ear=ear, two_ears=two_ears, lap=0.5, ears=ears)


def expecting(*ears: float | None) -> list[CartelCandidate]:
    """Matadors whose ratings fall, with these ears per bull."""
    return [
        candidate(number, 91 - number, chances=None if value is None else chances(value))
        for number, value in enumerate(ears, start=1)
    ]


def field(*ratings: int) -> list[CartelCandidate]:
    return [candidate(number, rating) for number, rating in enumerate(ratings, start=1)]


# Ten more matadors of the circuit, who are not chosen.
OTHERS = [candidate(number, 40 + 2 * number) for number in range(10, 20)]


@pytest.mark.parametrize(
    ("ears", "title", "expected"),
    [
        ((0.9, 0.9, 0.9), "5.4 ears expected", 5.4),
        ((0.31, 0.2, 0.1), "1.2 ears expected", 1.22),
        ((0.0, 0.0, 0.0), "0.0 ears expected", 0.0),
        ((0.9, 0.9, None), "Average rating: 89", None),
        ((None, None, None), "Average rating: 89", None),
    ],
)
def test_a_cartel_is_described_by_the_ears_expected_from_six_bulls(
    ears: tuple[float | None, ...], title: str, expected: float | None
) -> None:
    """If the chances of a card are missing, by the average rating."""
    trio = expecting(*ears)
    told = effect(trio, [*trio, *OTHERS])
    assert told.title == title
    assert told.expected == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("ears", "said"),
    [
        ((0.9, 0.9, 0.9), ""),
        ((0.9, None, 0.9), "The chances of M2 have not been calculated yet, so ratings are"),
        ((None, None, None), "The chances of M1, M2 and M3 have not been calculated yet"),
    ],
)
def test_the_description_says_whose_chances_are_missing(
    ears: tuple[float | None, ...], said: str
) -> None:
    told = effect_text(*expecting(*ears))
    assert said in told
    assert ("calculated" in told) is bool(said)


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
    assert (told.title, told.expected, told.sentences, told.swaps) == (title, None, [], [])


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


@pytest.mark.parametrize(
    ("changed", "usual", "said"),
    [
        (False, None, ""),
        (True, None, "Expected ears: this cartel 4.6, the announced cartel 4.2."),
        (False, 3.96, "this cartel 4.2, a usual cartel in plazas like this one 4.0."),
        (
            True,
            3.96,
            (
                "Expected ears: this cartel 4.6, the announced cartel 4.2, a usual cartel in "
                "plazas like this one 4.0."
            ),
        ),
    ],
)
def test_expected_ears_are_compared_with_the_announced_and_a_usual_cartel(
    changed: bool, usual: float | None, said: str
) -> None:
    *announced, other = expecting(0.8, 0.7, 0.6, 0.8)
    for line in announced:
        line.announced = True
    trio = [*announced[:2], other if changed else announced[2]]
    told = " ".join(effect(trio, [*announced, other], usual).sentences)
    assert said in told
    assert ("Expected ears" in told) is bool(said)


@pytest.mark.parametrize("missing", ["chosen", "announced", "both"])
def test_a_cartel_with_missing_chances_is_not_compared_by_ears(missing: str) -> None:
    announced = expecting(0.8, 0.7, None if missing != "chosen" else 0.6)
    for line in announced:
        line.announced = True
    other = candidate(4, 60, chances=None if missing != "announced" else chances(0.5))
    told = " ".join(effect([*announced[:2], other], [*announced, other]).sentences)
    assert "Expected ears" not in told
    by_rating = "The announced cartel has an average rating of 89."
    assert (by_rating in told) is (missing != "announced")


def test_swaps_offer_only_matadors_who_can_be_chosen() -> None:
    trio = field(60, 58, 56)
    hurt = candidate(8, 99, refusal=Refusal("", "Injured"))
    every = [*trio, hurt, *OTHERS]
    swaps = effect(trio, every).swaps
    assert 1 <= len(swaps) <= 3
    assert hurt not in {swap.incoming for swap in swaps}
    assert (swaps[0].incoming.pk, swaps[0].outgoing.pk) == (19, 3)
    assert swaps[0].words == "a rating of 78 instead of 56. No other change adds more."


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
    assert any(swap.words.startswith("more ears per bull so far") for swap in swaps) is offered


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
    assert effect(trio, trio).title == "Average rating: 0"
    assert effect(trio, [*trio, *OTHERS]).title == "Average rating: 0"


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
        (89, ["a rating of 89 instead of 88. No other change adds more."]),
        (90, ["a rating of 90 instead of 88. No other change adds more."]),
    ],
)
def test_without_chances_a_matador_is_offered_only_if_his_rating_is_higher(
    rating: int, words: list[str]
) -> None:
    assert swap_words(field(90, 89, 88), candidate(4, rating)) == words


@pytest.mark.parametrize(
    ("ears", "words"),
    [
        (0.49, []),
        (0.5, []),
        (0.524, []),
        (0.526, ["1.1 instead of 1.0 ears from his two bulls. No other change adds more."]),
        (0.65, ["1.3 instead of 1.0 ears from his two bulls. No other change adds more."]),
    ],
)
def test_a_matador_with_more_expected_ears_is_offered_if_the_shown_figures_differ(
    ears: float, words: list[str]
) -> None:
    """The rating does not matter: the matador with the fewest ears has the highest rating."""
    assert swap_words(expecting(0.5, 0.6, 0.7), candidate(4, 50, chances=chances(ears))) == words


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (
            chances(0.65, 0.41, 0.12),
            (
                "1.3 instead of 1.0 ears from his two bulls; an ear 41\xa0% instead of 33\xa0%; "
                "two ears 12\xa0% instead of 8\xa0%"
            ),
        ),
        (
            chances(0.51, 0.34, 0.08),
            "1.0 ears from his two bulls, as before; an ear 34\xa0% instead of 33\xa0%",
        ),
        (chances(0.5, 0.33, 0.08), "1.0 ears from his two bulls, as before"),
        (
            chances(0.4, 0.33, 0.02),
            "0.8 instead of 1.0 ears from his two bulls; two ears 2\xa0% instead of 8\xa0%",
        ),
        (None, "a rating of 60 instead of 88"),
    ],
)
def test_the_effect_of_a_swap_is_told_in_ears_and_chances(new: Chances | None, words: str) -> None:
    """Figures that do not change are left out. If chances are missing, ratings are compared."""
    trio = [candidate(n, 91 - n, style="cold", chances=chances(0.9)) for n in (1, 2)]
    trio.append(candidate(3, 88, style="cold", chances=chances(0.5, 0.33, 0.08)))
    other = candidate(4, 60, style="artist", chances=new)
    assert f"another style (artist); {words}." in swap_words(
        trio, other, candidate(5, 50, style="cold", chances=chances(0.8))
    )


def test_matadors_without_chances_are_not_offered_for_ears() -> None:
    """Neither is a matador without chances replaced, whatever his rating."""
    trio = expecting(0.5, None, 0.6)
    words = swap_words(trio, candidate(4, 99), candidate(5, 40, chances=chances(0.7)))
    assert words == ["1.4 instead of 1.0 ears from his two bulls. No other change adds more."]


def test_of_matadors_with_equal_chances_the_one_with_the_higher_rating_is_offered() -> None:
    trio = expecting(0.5, 0.5, 0.5)
    others = [candidate(number, 40 + number, chances=chances(0.6)) for number in (4, 5)]
    swaps = effect(trio, [*trio, *others]).swaps
    assert [swap.value for swap in swaps] == ["3-5"]


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
    assert words == ["a rating of 91 instead of 88. No other change adds more."]


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
