"""The director's page that chooses a cartel: its list, reasons, described effect and errors."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models import User
from corridas.models import Bull, Corrida, Ganaderia, Injury, Matador, MatadorCard, Plaza, Run
from corridas.pages.season.cartel import LISTED, SHOWS, SORTS, Listing
from corridas.season import cartel_queries
from corridas.season.cartel_queries import CartelCandidate, Journey, LastAfternoon
from corridas.simulation import draw
from corridas.simulation.draw import Ceremony
from corridas.world.chances import Chances
from tests.factories import OVACION, RABO, SILENCIO, World, name_alike, small_circuit

DAY = dt.date(2027, 5, 1)


@pytest.fixture
def director(world: World, client: Client) -> Client:
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    return client


@pytest.fixture
def corrida(world: World) -> Corrida:
    return world.announce(DAY)


def way(corrida: Corrida) -> str:
    return f"/direccion/cartel/{corrida.pk}/"


def line_of(corrida: Corrida, matador: Matador) -> cartel_queries.CartelCandidate:
    (line,) = [line for line in cartel_queries.candidates(corrida).lines if line.matador == matador]
    return line


def hurt(matador: Matador, corrida: Corrida) -> Injury:
    return Injury.objects.create(
        matador=matador, corrida=corrida, turn=1, grade="leve", since=corrida.date, until=DAY
    )


def test_the_cartel_page_starts_with_the_announced_matadors(
    world: World, director: Client, corrida: Corrida
) -> None:
    page = director.get(way(corrida))
    assert [line.matador for line in page.context["chosen"]] == world.matadors[:3]
    assert page.text.count("checked") == 3 + 1 + 1 + 6  # filter, herd and its bulls
    assert "Announce this cartel" in page.text


def test_a_choice_of_matadors_is_shown_without_being_stored(
    world: World, director: Client, corrida: Corrida
) -> None:
    keys = [world.matadors[number].pk for number in (1, 2, 3)]
    given: dict[str, Any] = {"chosen": 1, "matador": keys}
    page = director.get(way(corrida), given)
    assert [line.pk for line in page.context["chosen"]] == keys
    announced = corrida.cartel.puestos.order_by("order").values_list("matador_id", flat=True)
    assert list(announced) == [matador.pk for matador in world.matadors[:3]]


@pytest.mark.parametrize("chosen", [[], [3], [3, 2], [3, 2, 0], [3, 2, 1, 0]])
def test_empty_places_are_filled_with_the_highest_rated_available_matadors(
    world: World, director: Client, corrida: Corrida, chosen: list[int]
) -> None:
    """The matador with the highest rating is injured, so the next ones are chosen."""
    ratings = {line.pk: line.rating for line in cartel_queries.candidates(corrida).lines}
    best, *others = sorted(ratings, key=lambda pk: (-ratings[pk], pk))
    hurt(Matador.objects.get(pk=best), corrida)
    keys = [pk for number, pk in enumerate(others) if number in chosen]
    given: dict[str, Any] = {"chosen": 1, "matador": keys}
    page = director.get(way(corrida), given | {"fill": 1})
    rest = [pk for pk in others if pk not in keys][: max(0, 3 - len(keys))]
    assert {line.pk for line in page.context["chosen"]} == {*keys, *rest}
    button = director.get(way(corrida), given).text
    assert ('name="fill"' in button) is (len(keys) < 3)


def test_a_matador_can_be_taken_off_the_cartel_or_swapped(
    world: World, director: Client, corrida: Corrida
) -> None:
    first, second, third, fourth = (matador.pk for matador in world.matadors)
    given: dict[str, Any] = {"chosen": 1, "matador": [first, second, third]}
    page = director.get(way(corrida), given | {"off": second})
    assert [line.pk for line in page.context["chosen"]] == [first, third]
    assert "Choose 1 more matador" in page.text
    page = director.get(way(corrida), given | {"swap": f"{first}-{fourth}"})
    assert [line.pk for line in page.context["chosen"]] == [second, third, fourth]


def test_an_empty_choice_does_not_show_the_announced_cartel(
    director: Client, corrida: Corrida
) -> None:
    page = director.get(way(corrida), {"chosen": 1})
    assert page.context["chosen"] == []
    assert "Choose 3 more matadors" in page.text


def test_the_director_can_announce_a_cartel_with_matadors_herd_and_bulls(
    world: World, director: Client, corrida: Corrida, valkey: str
) -> None:
    keys = [world.matadors[number].pk for number in (1, 2, 3)]
    page = director.get(way(corrida))
    offered = [offer.bull.number for offer, _taken in page.context["bulls"]]
    assert len(offered) == 9
    given = {
        "matador": keys,
        "chosen": 1,
        "herd": world.herd.pk,
        "bulls_of": world.herd.pk,
        "bull": offered[3:],
    }
    answer = director.post(way(corrida), given)
    assert (answer.status_code, answer["Location"]) == (302, "/direccion/")
    cartel = Corrida.objects.get(pk=corrida.pk).cartel
    assert set(cartel.puestos.values_list("matador", flat=True)) == set(keys)
    assert list(cartel.bulls.order_by("place").values_list("number", flat=True)) == offered[3:]
    again = director.get(way(corrida)).context["bulls"]
    assert [offer.bull.number for offer, taken in again if taken] == offered[3:]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The cartel of 1 May in Ronda (La Vieja) has been announced."),
        ("es", "Se ha anunciado el cartel del 1 de mayo en Ronda (La Vieja)."),
    ],
)
def test_the_message_about_an_announced_cartel_names_its_day(
    world: World, director: Client, corrida: Corrida, valkey: str, language: str, said: str
) -> None:
    keys = [world.matadors[number].pk for number in (1, 2, 3)]
    bulls = [offer.bull.number for offer, _taken in director.get(way(corrida)).context["bulls"]]
    given = {
        "matador": keys,
        "chosen": 1,
        "herd": world.herd.pk,
        "bulls_of": world.herd.pk,
        "bull": bulls[3:],
    }
    answer = director.post(way(corrida), given, follow=True, headers={"Accept-Language": language})
    assert said in answer.text


def test_the_name_of_a_corrida_contains_its_date_in_the_reader_s_language(corrida: Corrida) -> None:
    assert str(corrida) == "La Vieja, Ronda, 1 May 2027"
    with translation.override("es"):
        assert str(corrida) == "La Vieja, Ronda, 1 de mayo de 2027"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"matador": []}, "A cartel needs three matadors."),
        ({"matador": ["1", "x", "99999999999"]}, "A cartel needs three matadors."),
        ({"bull": [1, 2, 3]}, "A cartel needs six bulls."),
    ],
)
def test_an_invalid_cartel_is_rejected_and_shown_again(
    world: World, director: Client, corrida: Corrida, change: dict[str, list[int]], said: str
) -> None:
    page = director.get(way(corrida))
    offered = [offer.bull.number for offer, _taken in page.context["bulls"]]
    given = {
        "matador": [matador.pk for matador in world.matadors[:3]],
        "chosen": 1,
        "bulls_of": world.herd.pk,
        "bull": offered[:6],
    } | change
    if "bull" in change:
        given["bull"] = offered[: len(change["bull"])]
    answer = director.post(way(corrida), given)
    assert answer.status_code == 422
    assert said in answer.text


def test_choosing_another_herd_replaces_the_chosen_bulls(
    world: World, director: Client, corrida: Corrida
) -> None:
    other = Ganaderia.objects.create(
        circuit=world.circuit, slug="otra", name="Otra", country="ES", continent="EU"
    )
    given: dict[str, Any] = {
        "chosen": 1,
        "herd": other.pk,
        "bulls_of": world.herd.pk,
        "bull": [1, 2],
    }
    page = director.get(way(corrida), given)
    assert page.context["herd"] == other
    assert [taken for _offer, taken in page.context["bulls"]] == [True] * 6 + [False] * 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"archived_at": dt.datetime(2027, 1, 1, tzinfo=dt.UTC)}, ""),
        ({"continent": "AM"}, "On another continent"),
    ],
)
def test_a_herd_that_cannot_be_chosen_gets_a_reason(
    world: World, director: Client, corrida: Corrida, change: dict[str, object], reason: str
) -> None:
    fields = {"country": "ES", "continent": "EU", **change}
    other = Ganaderia.objects.create(circuit=world.circuit, slug="otra", name="Otra", **fields)
    page = director.get(way(corrida), {"chosen": 1, "herd": other.pk})
    assert page.context["herd"] == world.herd
    assert reason in page.text
    given = {"matador": [m.pk for m in world.matadors[:3]], "chosen": 1, "herd": other.pk}
    director.post(way(corrida), given)
    assert Corrida.objects.get(pk=corrida.pk).cartel.ganaderia == world.herd


# The list of matadors


def test_a_matador_who_cannot_be_chosen_is_listed_with_the_reason(
    world: World, director: Client, corrida: Corrida
) -> None:
    other = world.announce(dt.date(2027, 6, 1), plaza=1, first=3)
    other.cartel.puestos.exclude(matador=world.matadors[3]).delete()
    other.cartel.puestos.update(date=DAY)
    Corrida.objects.filter(pk=other.pk).update(date=DAY)
    line = line_of(corrida, world.matadors[3])
    assert line.refusal
    assert line.refusal.reason == "Appears in Arles on the same day"
    hurt(world.matadors[2], corrida)
    page = director.get(way(corrida)).text
    assert "Injured until 1 May" in page
    assert "José Redondo was announced but can’t appear" in page
    assert page.count("disabled") == 2
    chosen = director.get(way(corrida)).context["chosen"]
    assert [line.matador for line in chosen] == world.matadors[:2], "who can appear is chosen"


def test_the_reason_why_a_matador_is_unavailable_equals_the_error_of_the_operation(
    world: World, director: Client, corrida: Corrida
) -> None:
    hurt(world.matadors[3], corrida)
    keys = [world.matadors[number].pk for number in (0, 1, 3)]
    answer = director.post(way(corrida), {"matador": keys, "chosen": 1})
    refusal = line_of(corrida, world.matadors[3]).refusal
    assert refusal
    assert refusal.sentence in answer.text


def test_the_cartel_page_counts_posted_results_in_plazas_of_the_same_category(
    lived: World, corrida: Corrida
) -> None:
    first = line_of(corrida, lived.matadors[0])
    # He has fought twice in Ronda and won an ear and a tail in each corrida.
    assert (first.ears, first.bulls) == (6, 4)
    assert first.last
    assert (first.last.city, first.last.verdict) == ("Ronda", "rabo")
    assert first.journey
    assert (first.journey.rest, first.journey.km) == (55, None)
    lived.play(lived.announce(dt.date(2027, 4, 1)))
    assert line_of(corrida, lived.matadors[0]).bulls == 4


def test_the_distance_from_the_last_corrida_is_shown_if_both_places_are_known(
    lived: World, director: Client, corrida: Corrida
) -> None:
    assert " km" not in director.get(way(corrida)).text
    for plaza, latitude, longitude in ((0, 36.742, -5.167), (1, 43.678, 4.631)):
        Plaza.objects.filter(pk=lived.plazas[plaza].pk).update(
            latitude=latitude, longitude=longitude
        )
    lived.announce(dt.date(2027, 4, 28), plaza=1)
    journey = line_of(Corrida.objects.get(pk=corrida.pk), lived.matadors[0]).journey
    assert journey
    assert journey.km is not None
    assert (journey.city, journey.rest, 1_050 < journey.km < 1_200) == ("Arles", 2, True)
    assert "from Arles" in director.get(way(corrida)).text


@pytest.mark.parametrize(("announced", "rest", "shown"), [(23, 7, False), (24, 6, True)])
def test_a_journey_is_shown_if_the_last_corrida_was_within_a_week(
    lived: World, director: Client, corrida: Corrida, announced: int, rest: int, shown: bool
) -> None:
    for plaza, latitude, longitude in ((0, 36.742, -5.167), (1, 43.678, 4.631)):
        Plaza.objects.filter(pk=lived.plazas[plaza].pk).update(
            latitude=latitude, longitude=longitude
        )
    lived.announce(dt.date(2027, 4, announced), plaza=1)
    journey = line_of(Corrida.objects.get(pk=corrida.pk), lived.matadors[0]).journey
    assert journey
    assert journey.rest == rest
    page = director.get(way(corrida)).text
    assert f"{rest} days’ rest" in " ".join(page.split())
    assert ("from Arles" in page) is shown
    assert (" km" in page) is shown


def test_meetings_of_two_matadors_are_won_by_ears_then_by_tails(
    world: World, director: Client, corrida: Corrida
) -> None:
    """On the last day the second and the third cut two ears each, and the third also a tail."""
    two_ears = (2, None, 0)
    brought = [
        (RABO, SILENCIO, OVACION, OVACION, SILENCIO, SILENCIO),
        (SILENCIO,) * 6,
        (RABO, RABO, SILENCIO, SILENCIO, SILENCIO, SILENCIO),
        (SILENCIO, two_ears, RABO, SILENCIO, SILENCIO, SILENCIO),
    ]
    for day, bulls in enumerate(brought, start=1):
        world.post(world.announce(dt.date(2027, 3, day)), bulls)
    every = cartel_queries.candidates(corrida).lines
    chosen = [line for line in every if line.announced]
    cartel_queries.add_meetings(corrida, every, chosen)
    by_key = {line.pk: line for line in every}
    first, second, third, fourth = (by_key[matador.pk] for matador in world.matadors)
    assert dict(first.meetings) == {second: (1, 1, 2), third: (2, 1, 1)}
    assert dict(second.meetings) == {first: (1, 1, 2), third: (1, 1, 2)}
    assert dict(third.meetings) == {first: (1, 2, 1), second: (1, 1, 2)}
    assert fourth.meetings == []
    page = director.get(way(corrida)).text
    told = [
        " ".join(re.sub(r"<[^>]+>", "", cell).split())
        for cell in re.findall(r'class="h2h">(.*?)</td>', page.split("<tbody")[2], re.DOTALL)
    ]
    assert told == [
        "Montes 1–1, Redondo 2–1",
        "Pedro Romero 1–1, Redondo 1–1",
        "Pedro Romero 1–2, Montes 1–1",
        "–",
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"q": "montes"}, ["Francisco Montes"]),
        ({"q": "JOSE"}, ["José Redondo"]),
        ({"q": "ped rom"}, ["Pedro Romero"]),
        ({"q": "omero"}, []),
        ({"q": "%' OR 1=1"}, []),
        ({"sort": "name"}, ["Francisco Montes", "José Redondo", "Pedro Romero", "Rafael Molina"]),
        (
            {"sort": "expected"},
            ["Pedro Romero", "Francisco Montes", "José Redondo", "Rafael Molina"],
        ),
        ({"sort": "rating"}, ["Pedro Romero", "Francisco Montes", "José Redondo", "Rafael Molina"]),
        ({"show": "form"}, ["José Redondo"]),
        ({"show": "free"}, ["Pedro Romero", "Francisco Montes", "José Redondo"]),
        ({"show": "free", "q": "molina"}, []),
        ({"show": "all"}, ["Pedro Romero", "Francisco Montes", "José Redondo", "Rafael Molina"]),
    ],
)
def test_the_list_of_matadors_can_be_searched_filtered_and_sorted(
    world: World, director: Client, query: dict[str, str], names: list[str]
) -> None:
    """Two matadors are in form, but one of them is injured on that day.

    The filters leave out the injured matador. Lists of all matadors show him last.
    """
    bare = Corrida.objects.create(season=world.season, plaza=world.plazas[0], date=DAY)
    for matador, form in zip(world.matadors, ("BB", "", "OO", "OO"), strict=True):
        Matador.objects.filter(pk=matador.pk).update(form=form)
    hurt(world.matadors[3], bare)
    page = director.get(way(bare), query)
    assert [line.name for line in page.context["lines"]] == names
    if not names:
        assert "No matador matches" in page.text


@pytest.mark.parametrize("sort", SORTS)
def test_announced_matadors_are_listed_first_and_unavailable_ones_last(
    world: World, director: Client, sort: str
) -> None:
    """A matador who was announced and has been injured since comes before the other injured one, in
    every order of the list.

    Each of the three groups is sorted in itself.
    """
    world.join(3)
    corrida = world.announce(DAY, first=4)
    bare = Corrida.objects.create(
        season=world.season, plaza=world.plazas[1], date=dt.date(2027, 3, 1)
    )
    for number in (1, 4):
        hurt(world.matadors[number], bare)
    page = director.get(way(corrida), {"sort": sort})
    names = [line.name for line in page.context["lines"]]
    free = ["José Redondo", "Pedro Romero", "Rafael Molina"]
    if sort in {"expected", "rating"}:
        free = ["Pedro Romero", "José Redondo", "Rafael Molina"]
    assert names == ["Manolo 5", "Manolo 6", *free, "Manolo 4", "Francisco Montes"]
    assert [line.name for line in page.context["lost"]] == ["Manolo 4"]
    assert [line.name for line in page.context["chosen"]] == names[:2]


def test_every_order_of_the_list_handles_ties_and_missing_values(
    world: World, director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ties are sorted by name, and matadors without chances come last, by rating.

    A matador with more bulls does not come before one with a better rate.
    """
    bare = Corrida.objects.create(season=world.season, plaza=world.plazas[0], date=DAY)
    world.join(2)
    names = dict(zip("ABCDEF", world.matadors, strict=True))
    for name, matador in names.items():
        Matador.objects.filter(pk=matador.pk).update(name=name, apodo="")
        matador.name = name

    def per_bull(ears: float) -> Chances:
        return Chances(ear=ears, two_ears=0.0, lap=0.0, ears=ears)

    def last(number: int) -> LastAfternoon:
        return LastAfternoon(1, None, "Ronda", dt.date(2027, 4, number))

    def journey(rest: int) -> Journey:
        return Journey("Ronda", DAY, rest, 0)

    known: dict[str, dict[str, Any]] = {
        "A": {
            "rating": 70,
            "chances": per_bull(0.4),
            "ears": 8,
            "bulls": 10,
            "last": last(9),
            "journey": journey(2),
        },
        "B": {"rating": 90, "ears": 3, "bulls": 2, "last": last(1), "journey": journey(0)},
        "C": {
            "rating": 70,
            "chances": per_bull(0.4),
            "ears": 0,
            "bulls": 4,
            "last": last(9),
            "journey": journey(2),
        },
        "D": {"rating": 0},
        "E": {"rating": 80, "ears": 4, "bulls": 5, "last": last(30), "journey": journey(9)},
        "F": {"rating": 60, "chances": per_bull(0.5), "ears": 0, "bulls": 0},
    }
    form = {"A": 5, "B": -40, "C": 5, "D": 0, "E": 60, "F": 0}
    lines = [
        CartelCandidate(
            matador=names[name], style="", form=[], form_value=form[name], **known[name]
        )
        for name in "FEDCBA"
    ]
    every = cartel_queries.Candidates(lines, None)
    monkeypatch.setattr(cartel_queries, "candidates", lambda *_args: every)
    orders = {
        "expected": "FACBED",
        "name": "ABCDEF",
        "rating": "BEACFD",
        "form": "EACDFB",
        "ears": "BAECDF",
        "last": "EACBDF",
        "rest": "DFEACB",
    }
    assert set(orders) == set(SORTS)
    found = {
        sort: "".join(
            line.name for line in director.get(way(bare), {"sort": sort}).context["lines"]
        )
        for sort in SORTS
    }
    assert found == orders


def test_chosen_matadors_stay_visible_in_a_searched_list(
    world: World, director: Client, corrida: Corrida
) -> None:
    page = director.get(way(corrida), {"q": "molina"})
    assert len(page.context["lines"]) == 4
    assert [line.name for line in page.context["chosen"]] == [
        matador.name for matador in world.matadors[:3]
    ]


@pytest.mark.parametrize(
    ("number", "places"),
    [(LISTED - 1, LISTED), (LISTED, LISTED + 1), (LISTED + 1, LISTED + 1)],
)
def test_a_chosen_matador_below_the_listed_ones_is_listed_too(
    world: World, director: Client, number: int, places: int
) -> None:
    """His box stays ticked, so that the next change of the form keeps him."""
    world.join(LISTED + 2 - len(world.matadors))
    bare = Corrida.objects.create(season=world.season, plaza=world.plazas[0], date=DAY)
    keys = [line.pk for line in cartel_queries.candidates(bare).lines]
    ordered = [matador.pk for matador in world.matadors]
    assert sorted(keys) == sorted(ordered)

    def listed(**given: Any) -> tuple[list[int], list[str]]:
        page = director.get(way(bare), given)
        ticked = re.findall(r'name="matador" value="(\d+)" checked', " ".join(page.text.split()))
        return [line.pk for line in page.context["lines"]], ticked

    assert listed() == (ordered[:LISTED], [])
    pk = ordered[number]
    shown, ticked = listed(chosen=1, matador=pk)
    assert (len(shown), shown.count(pk)) == (places, 1)
    assert ticked == [str(pk)]
    shown, ticked = listed(chosen=1, matador=pk, all=1)
    assert (shown, ticked) == (ordered, [str(pk)])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"sort": "banana"}, "The list can’t be sorted that way."),
        ({"show": "banana"}, "This filter does not exist, so all matadors are shown."),
        ({"q": "x" * 10_000}, "Enter at most 60 characters to search for."),
        ({"q": "\x00"}, ""),
        ({"off": "banana", "swap": "banana", "herd": "banana", "bull": "²"}, ""),
        ({"swap": "1-²"}, ""),
    ],
)
def test_invalid_parameters_get_an_error_message(
    director: Client, corrida: Corrida, query: dict[str, str], said: str
) -> None:
    page = director.get(way(corrida), query)
    assert page.status_code == 200
    assert said in page.text


@pytest.mark.parametrize(
    ("query", "faults"),
    [
        ({"q": "x" * 60}, 0),
        ({"q": "x" * 61}, 1),
        *(({"sort": sort}, 0) for sort in SORTS),
        *(({"show": show}, 0) for show in SHOWS),
        ({"sort": "banana", "show": "banana"}, 2),
    ],
)
def test_only_invalid_parameters_of_the_list_are_faults(query: dict[str, str], faults: int) -> None:
    data = QueryDict(mutable=True)
    data.update(query)
    listing = Listing.read(data)
    assert len(listing.faults) == faults
    assert listing.q == query.get("q", "")[:60]
    assert listing.sort == (query.get("sort", "expected") if not faults else "expected")
    assert listing.show == (query.get("show", "all") if not faults else "all")


@pytest.mark.parametrize(("value", "listed"), [(None, False), (0, False), (1, True)])
def test_a_matador_is_in_form_if_his_form_is_positive(
    world: World, value: int | None, listed: bool
) -> None:
    line = CartelCandidate(matador=world.matadors[0], rating=1, style="", form=[], form_value=value)
    assert Listing.read(QueryDict("show=free")).filtered(line)
    assert Listing.read(QueryDict("show=form")).filtered(line) is listed


@pytest.mark.slow
def test_the_list_shows_twelve_matadors_until_all_are_requested(
    world: World, director: Client
) -> None:
    bare = Corrida.objects.create(season=world.season, plaza=world.plazas[0], date=DAY)
    world.join(8)
    assert director.get(way(bare)).context["hidden"] == 0
    world.join(1)
    page = director.get(way(bare)).context
    assert (len(page["lines"]), page["hidden"], page["matched"], page["total"]) == (12, 1, 13, 13)
    for query in ({"all": "1"}, {"q": "o"}):
        page = director.get(way(bare), query).context
        assert page["hidden"] == 0
        assert len(page["lines"]) == page["matched"]


def test_six_herds_are_listed_and_the_chosen_one(world: World, director: Client) -> None:
    corrida = world.announce(DAY)
    herds = [
        Ganaderia.objects.create(
            circuit=world.circuit, slug=f"h{number}", name=f"H{number}", country="ES", continent=at
        )
        for number, at in enumerate(["EU"] * 7 + ["AM"])
    ]

    def listed(**query: int) -> tuple[list[str], list[str]]:
        page = director.get(way(corrida), {"chosen": 1, **query}).context
        first, rest = page["herds"], page["other_herds"]
        return [line.herd.slug for line in first], [line.herd.slug for line in rest]

    near, other = listed()
    assert near[0] == world.herd.slug, "the announced herd comes first"
    assert (len(near), len(other)) == (6, 3)
    assert other[-1] == "h7", "a herd that cannot be chosen comes last"
    last = next(herd for herd in herds if herd.slug == other[1])
    near, other = listed(herd=last.pk)
    assert (len(near), near[-1], len(other)) == (7, last.slug, 2)


# What is known of matadors and herds


def test_the_latest_end_of_two_injuries_is_named(world: World, corrida: Corrida) -> None:
    for days in (6, 2):
        earlier = Corrida.objects.create(
            season=world.season, plaza=world.plazas[0], date=DAY - dt.timedelta(days)
        )
        injury = hurt(world.matadors[0], earlier)
        Injury.objects.filter(pk=injury.pk).update(until=DAY + dt.timedelta(days))
    refusal = line_of(corrida, world.matadors[0]).refusal
    assert refusal
    assert refusal.reason == "Injured until 7 May"


@pytest.mark.parametrize(("day", "reason"), [(0, None), (1, "The alternativa is on 2 May")])
def test_a_matador_can_appear_from_the_day_of_his_alternativa(
    world: World, corrida: Corrida, monkeypatch: pytest.MonkeyPatch, day: int, reason: str | None
) -> None:
    held = [Ceremony(0, DAY + dt.timedelta(day), (world.matadors[3].pk,))]
    monkeypatch.setattr(cartel_queries, "ceremonies", lambda _season: held)
    line = line_of(corrida, world.matadors[3])
    assert (line.refusal and line.refusal.reason) == reason
    found = cartel_queries.refusals(corrida, [world.matadors[3]])
    assert [refusal.reason for refusal in found.values()] == ([reason] if reason else [])


def test_a_matador_must_appear_in_the_corrida_of_his_alternativa_only(
    world: World, corrida: Corrida, monkeypatch: pytest.MonkeyPatch, director: Client
) -> None:
    """He fills an empty place before matadors with higher ratings."""
    world.join(1)
    new = world.matadors[4]
    bare = Corrida.objects.create(
        season=world.season, plaza=world.plazas[0], date=DAY + dt.timedelta(9)
    )
    held = [Ceremony(bare.pk, DAY, (new.pk,))]
    monkeypatch.setattr(cartel_queries, "ceremonies", lambda _season: held)
    for here, bound in ((corrida, False), (bare, True)):
        page = director.get(way(here), {"chosen": 1, "fill": 1}).context
        assert (new in [line.matador for line in page["chosen"]]) is bound
        assert bool(page["bound"]) is bound
        assert bool(cartel_queries.left_out(here, world.matadors[:3])) is bound
        assert cartel_queries.left_out(here, [new]) == ""
    Matador.objects.filter(pk=new.pk).update(state=Matador.State.RETIRED)
    assert cartel_queries.left_out(bare, world.matadors[:3]) == ""


def test_matadors_of_another_circuit_and_retired_ones_are_no_candidates(
    world: World, corrida: Corrida
) -> None:
    small_circuit("barrio", "Barrio")
    assert {line.matador for line in cartel_queries.candidates(corrida).lines} == set(
        world.matadors
    )
    Matador.objects.filter(pk=world.matadors[3].pk).update(state=Matador.State.RETIRED)
    assert {line.matador for line in cartel_queries.candidates(corrida).lines} == set(
        world.matadors[:3]
    )


def test_the_rating_of_a_candidate_is_that_of_his_latest_card(
    world: World, corrida: Corrida
) -> None:
    card = world.matadors[0].cards.get()
    for printing, rating in ((card.printing + 2, 71), (card.printing + 1, 72)):
        card.pk, card.printing, card.rating = None, printing, rating
        card.save()
    assert line_of(corrida, world.matadors[0]).rating == 71


@pytest.mark.parametrize(("day", "shown"), [(None, True), (0, True), (-1, False)])
def test_an_injury_is_shown_from_the_day_of_its_corrida(
    lived: World, corrida: Corrida, day: int | None, shown: bool
) -> None:
    posted = Corrida.objects.get(date=dt.date(2027, 3, 4))
    hurt(lived.matadors[3], posted)
    until = None if day is None else posted.date + dt.timedelta(day)
    (line,) = [
        line
        for line in cartel_queries.candidates(corrida, until).lines
        if line.matador == lived.matadors[3]
    ]
    assert line.refusal
    assert line.refusal.reason == ("Injured until 1 May" if shown else "Not available on that day")


@pytest.mark.parametrize(("year", "bulls"), [(2024, 0), (2025, 0), (2026, 2), (2027, 2), (2028, 0)])
def test_results_of_this_season_and_the_one_before_it_count(
    world: World, corrida: Corrida, year: int, bulls: int
) -> None:
    season = world.season if year == 2027 else world.another_season(year)
    replace(world, season=season).post(replace(world, season=season).announce(dt.date(year, 3, 1)))
    assert line_of(corrida, world.matadors[0]).bulls == bulls
    (herd,) = cartel_queries.herds(corrida).lines
    assert herd.bulls == 3 * bulls


def test_results_of_a_herd_are_counted_and_its_last_corrida_in_the_plaza_is_named(
    lived: World, corrida: Corrida
) -> None:
    """A corrida in another plaza counts, but it is not the last one here."""
    lived.hurt_and_spare(Corrida.objects.get(date=dt.date(2027, 3, 2)))
    lived.post(lived.announce(dt.date(2027, 3, 8), plaza=1))
    Bull.objects.update(year=2027)
    (line,) = cartel_queries.herds(corrida).lines
    assert line[1:] == (True, 4, 24, 12, 1, dt.date(2027, 3, 6), None)
    (line,) = cartel_queries.herds(corrida, dt.date(2027, 3, 4)).lines
    assert (line.bulls, line.ears, line.here) == (12, 6, dt.date(2027, 3, 2))


@pytest.mark.parametrize(("left", "chosen"), [(6, True), (5, False)])
def test_a_herd_needs_six_bulls_unless_it_is_announced(
    world: World, corrida: Corrida, monkeypatch: pytest.MonkeyPatch, left: int, chosen: bool
) -> None:
    monkeypatch.setattr(draw, "HIGHEST_NUMBER", left)
    other = Ganaderia.objects.create(
        circuit=world.circuit, slug="otra", name="Otra", country="ES", continent="EU"
    )
    found = cartel_queries.herds(corrida)
    assert [line.herd for line in found.lines] == [world.herd, *[other] * chosen]
    assert [line.herd for line in found.refused] == [other] * (not chosen)


def test_without_a_valid_key_the_announced_herd_is_chosen(world: World, corrida: Corrida) -> None:
    other = Ganaderia.objects.create(
        circuit=world.circuit, slug="aaa", name="Aaa", country="ES", continent="EU"
    )
    found = cartel_queries.herds(corrida)
    asked = {key: found.find_herd(key) for key in (None, -1, other.pk, world.herd.pk)}
    assert asked == {None: world.herd, -1: world.herd, other.pk: other, world.herd.pk: world.herd}
    assert replace(found, lines=[]).find_herd(other.pk) is None


@pytest.mark.slow
def test_the_cartel_page_says_that_a_cartel_can_no_longer_be_changed(
    world: World, director: Client, corrida: Corrida
) -> None:
    """A form from a page that was opened earlier is rejected too."""
    said = "can no longer be changed"
    stays = {}
    for state in Corrida.State:
        Corrida.objects.filter(pk=corrida.pk).update(state=state)
        stays[state] = said in director.get(way(corrida)).text
    assert {state for state, told in stays.items() if not told} == {Corrida.State.ANNOUNCED}
    keys = [matador.pk for matador in world.matadors[1:]]
    for state, status in ((Corrida.State.QUEUED, 422), (Corrida.State.ANNOUNCED, 302)):
        Corrida.objects.filter(pk=corrida.pk).update(state=state)
        answer = director.post(way(corrida), {"chosen": 1, "matador": keys})
        assert (answer.status_code, said in answer.text) == (status, status == 422)
        announced = set(corrida.cartel.puestos.values_list("matador", flat=True))
        assert (announced == set(keys)) is (status == 302)


@pytest.mark.parametrize("field", ["frozen_at", "archived_at"])
def test_the_cartel_of_a_frozen_or_archived_circuit_cannot_be_changed(
    world: World, director: Client, corrida: Corrida, field: str
) -> None:
    assert director.get(way(corrida)).context["fixed"] == ""
    setattr(world.circuit, field, dt.datetime(2027, 1, 1, tzinfo=dt.UTC))
    world.circuit.save()
    page = director.get(way(corrida))
    assert "so no corridas can be played in it." in page.context["fixed"]
    assert page.context["fixed"] in page.text


@pytest.mark.slow
def test_the_cartel_page_says_that_no_matador_can_be_chosen(world: World, director: Client) -> None:
    """Check it without matadors' cards, then with retired matadors and an archived herd."""
    bare = Corrida.objects.create(season=world.season, plaza=world.plazas[0], date=DAY)
    keys = [matador.pk for matador in world.matadors[:3]]
    given: dict[str, Any] = {"chosen": 1, "matador": keys}
    assert director.get(way(bare), given).context["free"] == 4
    MatadorCard.objects.all().delete()
    Ganaderia.objects.update(archived_at=dt.datetime(2027, 1, 1, tzinfo=dt.UTC))
    page = director.get(way(bare), given | {"fill": 1})
    assert (page.status_code, page.context["free"]) == (200, 0)
    assert page.text.count("Has no card yet") == 4
    answer = director.post(way(bare), given)
    assert answer.status_code == 422
    assert "has no card, so he can’t appear." in answer.text
    Matador.objects.update(state=Matador.State.RETIRED)
    page = director.get(way(bare), given)
    assert "No matador matches this filter." in page.text
    assert page.context["chosen"] == []
    assert director.post(way(bare), given).status_code == 422


def test_the_cartel_page_says_that_the_season_is_being_simulated(
    world: World, director: Client, corrida: Corrida
) -> None:
    now = dt.datetime.now(dt.UTC)
    Run.objects.create(season=world.season, until=DAY, asked_at=now, state="running")
    assert "The season is being played. Stop it first." in director.get(way(corrida)).text


def test_an_htmx_request_gets_the_list_and_the_chosen_cartel(
    director: Client, corrida: Corrida
) -> None:
    answer = director.get(way(corrida), headers={"HX-Request": "true"}).text
    assert "<html" not in answer
    assert answer.count('hx-swap-oob="innerHTML"') == 3
    assert 'name="matador"' in answer


def test_the_cartel_page_needs_as_many_queries_for_many_corridas_and_herds(
    world: World, director: Client, corrida: Corrida
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert director.get(way(corrida)).status_code == 200
        return len(queries)

    before = count()
    for day in (1, 2, 3):
        world.post(world.announce(dt.date(2027, 4, day)))
    for name in ("una", "dos"):
        Ganaderia.objects.create(
            circuit=world.circuit, slug=name, name=name, country="ES", continent="EU"
        )
    assert count() <= before + 1  # one for the verdicts of the last corridas
    assert before <= 20


# Spoilers


def test_the_cartel_page_does_not_reveal_unwatched_results(
    lived: World, director: Client, corrida: Corrida
) -> None:
    injured = lived.matadors[3]
    posted = Corrida.objects.get(date=dt.date(2027, 3, 4))
    hurt(injured, posted)
    Matador.objects.update(form="OO")
    page = director.get(way(corrida))
    assert "Injured until" in page.text
    lines = {line.pk: line for line in page.context["lines"]}
    assert all(line.form for line in lines.values())
    first, second = (lines[matador.pk] for matador in lived.matadors[:2])
    assert (first.bulls, first.last.date.day, second.last.date.day) == (4, 6, 6)
    assert [tuple(met) for _other, met in first.meetings] == [(2, 0, 0), (2, 0, 0)]
    aired = dt.datetime.now(dt.UTC) - dt.timedelta(hours=1)
    User.objects.update(shielded_since=aired - dt.timedelta(hours=1))
    Corrida.objects.filter(pk=posted.pk).update(on_air_at=aired)
    page = director.get(way(corrida))
    assert page.context["limit"].until == dt.date(2027, 3, 3)
    assert "Injured until" not in page.text
    assert "Not available on that day" in page.text
    lines = {line.pk: line for line in page.context["lines"]}
    assert all(not line.form for line in lines.values())
    first, second = (lines[matador.pk] for matador in lived.matadors[:2])
    assert (first.bulls, first.last.date.day, second.last.date.day) == (2, 2, 2)
    assert [tuple(met) for _other, met in first.meetings] == [(1, 0, 0), (1, 0, 0)]


# The preview of a feria


def test_before_a_feria_its_carteles_and_rivalries_are_shown(lived: World, client: Client) -> None:
    feria = lived.feria
    Corrida.objects.filter(feria=feria).update(feria=None)
    for day, first in ((8, 0), (9, 0)):
        lived.announce(dt.date(2027, 3, day), first=first)
    page = client.get("/temporada/2027/goyesca/").text
    assert "Before the feria" in page
    assert "2 carteles are announced." in page
    assert "2 afternoons" in page
    assert "Rivalries" in page


def test_a_feria_that_has_begun_has_no_preview(lived: World, client: Client) -> None:
    assert "Before the feria" not in client.get("/temporada/2027/goyesca/").text


def test_a_feria_without_carteles_has_no_preview(world: World, client: Client) -> None:
    Corrida.objects.create(
        season=world.season, plaza=world.plazas[0], feria=world.feria, date=dt.date(2027, 3, 8)
    )
    assert "Before the feria" not in client.get("/temporada/2027/goyesca/").text


# Permissions


def test_only_the_director_can_choose_a_cartel(
    world: World, client: Client, corrida: Corrida
) -> None:
    assert client.get(way(corrida)).status_code == 302
    client.force_login(User.objects.create_user("visitor"))
    assert client.get(way(corrida)).status_code == 403
    assert client.post(way(corrida)).status_code == 403


def test_a_corrida_of_another_season_or_circuit_is_not_found(
    world: World, director: Client, corrida: Corrida
) -> None:
    assert director.get(way(corrida)).status_code == 200
    theirs = small_circuit("barrio", "Barrio").announce(DAY)
    assert director.get(way(theirs)).status_code == 404
    assert director.get("/direccion/cartel/999999/").status_code == 404
    later = replace(world, season=world.another_season(2028)).announce(DAY.replace(year=2028))
    assert director.get(way(later)).status_code == 404


def test_an_unwatched_result_is_not_counted_in_rivalries(lived: World, client: Client) -> None:
    Corrida.objects.filter(feria=lived.feria).update(feria=None)
    lived.announce(dt.date(2027, 3, 8))
    aired = dt.datetime.now(dt.UTC) - dt.timedelta(hours=1)
    Corrida.objects.filter(date=dt.date(2027, 3, 2)).update(on_air_at=aired)
    since = aired - dt.timedelta(hours=1)
    assert "Rivalries" in client.get("/temporada/2027/goyesca/").text
    client.force_login(User.objects.create_user("vera", shielded_since=since))
    page = client.get("/temporada/2027/goyesca/").text
    assert "Before the feria" in page
    assert "Rivalries" not in page
    assert "Records at stake" not in page


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        *(("ordonez", "Antonio Ordóñez"), ("ORDÓÑEZ", "Antonio Ordóñez")),
        *(("Pepe-Hillo", "Pepe-Hillo"), ("pepe hillo", "Pepe-Hillo")),
        *(("nino", "Niño de la Palma"), ("antonete", "Antoñete"), ("damaso", "Dámaso González")),
    ],
)
def test_the_page_finds_matadors_without_accents_and_in_any_case(
    world: World, director: Client, corrida: Corrida, typed: str, found: str
) -> None:
    matador = world.matadors[3]
    matador.name = found
    matador.save()
    page = director.get(way(corrida), {"q": typed})
    assert matador.pk in {line.pk for line in page.context["lines"]}
    assert found in page.text
    page = director.get(way(corrida), {"q": "somebody else"})
    assert matador.pk not in {line.pk for line in page.context["lines"]}


def test_the_page_distinguishes_matadors_of_one_name(
    world: World, director: Client, corrida: Corrida
) -> None:
    called = name_alike(world)
    page = director.get(way(corrida)).text
    assert all(name in page for name in called)


# Chances


def print_chances(matador: Matador, category: int, ears: float, **more: float) -> None:
    """Set the chances of a matador's newest card in plazas of a category."""
    figures = {"ear": ears / 2, "two_ears": ears / 4, "lap": 0.5, "ears": ears} | more
    newest = matador.cards.latest("printing")
    MatadorCard.objects.filter(pk=newest.pk).update(
        **{f"{name}_{category}": figure for name, figure in figures.items()}
    )


@pytest.mark.usefixtures("without_chances")
def test_candidates_are_sorted_by_the_ears_expected_in_this_plaza(
    world: World, director: Client
) -> None:
    """In the other category the order is reversed. A matador without chances comes last."""
    for number, ears in enumerate((0.3, 0.5, 0.4)):
        print_chances(world.matadors[number], world.plazas[0].category, ears)
        print_chances(world.matadors[number], world.plazas[1].category, 1 - ears)
    assert world.plazas[0].category != world.plazas[1].category
    orders = {}
    for place in (0, 1):
        bare = Corrida.objects.create(season=world.season, plaza=world.plazas[place], date=DAY)
        page = director.get(way(bare))
        orders[place] = [world.matadors.index(line.matador) for line in page.context["lines"]]
        assert "The chances of 1 matador have not been calculated yet." in page.text
    assert orders == {0: [1, 2, 0, 3], 1: [0, 2, 1, 3]}


def test_the_page_shows_chances_of_each_candidate_and_of_the_chosen_cartel(
    world: World, director: Client, corrida: Corrida
) -> None:
    for matador in world.matadors:
        print_chances(matador, corrida.plaza.category, 0.65, ear=0.41, two_ears=0.12)
    page = " ".join(director.get(way(corrida)).text.split())
    assert '<h2 id="effect-h">3.9 ears expected</h2>' in page
    assert "a usual cartel in plazas like this one 3.9." in page
    assert page.count("an ear 41 %, two 12 %") == 4
    assert page.count("<td>41 %</td> <td>12 %</td> <td><b>1.3</b></td>") == 3
    assert "calculated yet" not in page


@pytest.mark.usefixtures("without_chances")
def test_without_any_chances_the_page_says_that_it_sorts_by_rating(
    director: Client, corrida: Corrida
) -> None:
    page = director.get(way(corrida)).text
    assert "The chances have not been calculated yet, so matadors are sorted by rating." in page
    assert "Average rating: 89" in page


def test_empty_places_are_filled_with_the_matadors_who_can_expect_most_ears(
    world: World, director: Client, corrida: Corrida
) -> None:
    for matador, ears in zip(world.matadors, (0.2, 0.3, 0.4, 0.5), strict=True):
        print_chances(matador, corrida.plaza.category, ears)
    page = director.get(way(corrida), {"chosen": 1, "fill": 1})
    assert [line.matador for line in page.context["chosen"]] == world.matadors[1:]


@pytest.mark.usefixtures("without_chances")
def test_a_usual_cartel_is_the_mean_of_the_announced_ones_in_such_plazas(world: World) -> None:
    """In this season and the last, each matador with the card of that day."""
    here = world.announce(DAY)
    assert cartel_queries.candidates(here).usual is None
    for number, matador in enumerate(world.matadors):
        print_chances(matador, here.plaza.category, (number + 1) / 10)
    assert cartel_queries.candidates(here).usual == pytest.approx(2 * (0.1 + 0.2 + 0.3))
    world.announce(dt.date(2027, 5, 2), first=1)
    assert cartel_queries.candidates(here).usual == pytest.approx(1.5)
    world.announce(dt.date(2027, 5, 3), plaza=1, first=1)
    assert cartel_queries.candidates(here).usual == pytest.approx(1.5)


def test_the_page_needs_as_many_queries_with_chances_as_without(
    world: World, director: Client, corrida: Corrida
) -> None:
    numbers = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            director.get(way(corrida))
        numbers.append(len(queries))
        for matador in world.matadors:
            print_chances(matador, corrida.plaza.category, 0.5)
    assert numbers[0] == numbers[1]
