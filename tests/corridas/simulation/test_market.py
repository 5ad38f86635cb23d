"""Which matadors are available on a day: injuries, engagements and substitutes."""

from __future__ import annotations

import datetime as dt

import pytest

from corridas.models import Bull, Corrida, Escalafon, Ganaderia, Injury, Matador, Puesto
from corridas.simulation.draw import (
    HerdBook,
    announce,
    engagement_in,
    market_of,
    sires_at_work,
    without_cartel,
)
from corridas.simulation.rows import latest_cards
from corridas.simulation.substitutes import replace_injured
from corridas.world.contracts import Engagement
from corridas.world.market import YOUNG_BELOW
from tests.corridas.simulation.arena import day_of, fight, in_year, post
from tests.factories import CARD, World
from tests.scratch import seeds

S = Corrida.State
FRESH = seeds("market")


def hurt(world: World, matador: int, since: int, until: int) -> Injury:
    """Injure a matador in a long past corrida of another plaza."""
    corrida = Corrida.objects.create(
        season=world.season,
        plaza=world.plazas[1],
        date=dt.date(world.season.year, 1, 1 + Injury.objects.count()),
        state=S.POSTED,
    )
    return Injury.objects.create(
        matador=world.matadors[matador],
        corrida=corrida,
        turn=1,
        grade="leve",
        since=day_of(world, since),
        until=day_of(world, until),
    )


def newcomer(world: World, number: int, rating: int = 60) -> Matador:
    matador = Matador.objects.create(circuit=world.circuit, slug=f"new-{number}", name=f"N{number}")
    matador.cards.create(rating=rating, **CARD)
    return matador


# Matador cards


def test_candidates_are_active_matadors_with_their_newest_card(mine: World, other: World) -> None:
    one, two, three, four = mine.matadors
    one.cards.create(printing=2, rating=50, **CARD)
    one.cards.create(printing=3, rating=70, **CARD)
    Matador.objects.filter(pk=two.pk).update(state="novillero")
    Matador.objects.filter(pk=three.pk).update(state="retired")
    cards = latest_cards(mine.circuit.pk)
    assert {key: printed.card.rating for key, printed in cards.items()} == {one.pk: 70, four.pk: 87}
    assert cards[one.pk].pk == one.cards.get(printing=3).pk
    assert set(latest_cards(other.circuit.pk)) == {one.pk for one in other.matadors}


# Injured matadors


@pytest.mark.parametrize(
    ("day", "rests"), [(4, False), (5, True), (7, True), (9, True), (10, False)]
)
def test_injured_matador_rests_from_the_first_to_the_last_day(
    mine: World, day: int, rests: bool
) -> None:
    hurt(mine, 0, 5, 9)
    market = market_of(mine.season, day_of(mine, 1))
    assert market.is_resting(mine.matadors[0].pk, day_of(mine, day)) is rests
    assert not market.is_resting(mine.matadors[1].pk, day_of(mine, day))
    candidate = market.candidates(day_of(mine, day))[0]
    assert candidate.injured_until == (day_of(mine, 9) if rests else None)


@pytest.mark.parametrize(("since", "known"), [(9, True), (10, False)])
def test_injury_is_known_if_it_lasts_to_the_first_day_or_longer(
    mine: World, other: World, since: int, known: bool
) -> None:
    hurt(mine, 0, 5, 9)
    hurt(other, 1, 5, 28)
    market = market_of(mine.season, day_of(mine, since))
    assert market.is_resting(mine.matadors[0].pk, day_of(mine, 9)) is known
    assert not market.is_resting(mine.matadors[1].pk, day_of(mine, 9))


def test_longer_of_two_injuries_decides(mine: World) -> None:
    hurt(mine, 0, 5, 20)
    hurt(mine, 0, 7, 9)
    market = market_of(mine.season, day_of(mine, 1))
    assert market.candidates(day_of(mine, 8))[0].injured_until == day_of(mine, 20)


def test_matador_without_a_card_is_never_available(mine: World) -> None:
    market = market_of(mine.season, day_of(mine, 1))
    assert market.is_resting(0, day_of(mine, 5))
    assert not market.is_resting(mine.matadors[0].pk, day_of(mine, 5))


# Engagements


def test_candidate_has_his_engagements_before_and_after_the_day(mine: World, other: World) -> None:
    mine.announce(day_of(mine, 4))
    mine.announce(day_of(mine, 8), plaza=1)
    for day in (5, 6):
        other.announce(day_of(other, day))
    young = newcomer(mine, 1, YOUNG_BELOW - 1)
    grown = newcomer(mine, 2, YOUNG_BELOW)
    market = market_of(mine.season, day_of(mine, 4))
    told = {one.key: one for one in market.candidates(day_of(mine, 6))}
    assert set(told) == {*(one.pk for one in mine.matadors), young.pk, grown.pk}
    first = told[mine.matadors[0].pk]
    assert first.last == Engagement(day_of(mine, 4), "EU", mine.feria.pk)
    assert first.next == Engagement(day_of(mine, 8), "EU", None)
    assert (first.rating, first.youth, first.appearances) == (90, False, 2)
    assert (told[young.pk].youth, told[grown.pk].youth) == (True, False)
    assert (told[young.pk].last, told[young.pk].next, told[young.pk].appearances) == (None, None, 0)
    on_the_day = {one.key: one for one in market.candidates(day_of(mine, 8))}[mine.matadors[0].pk]
    assert (on_the_day.last, on_the_day.next) == (Engagement(day_of(mine, 8), "EU", None), None)


@pytest.mark.parametrize(("day", "known"), [(16, True), (17, False)])
def test_engagements_are_known_from_twelve_days_before(mine: World, day: int, known: bool) -> None:
    mine.announce(day_of(mine, 4))
    market = market_of(mine.season, day_of(mine, day))
    last = market.candidates(day_of(mine, day))[0].last
    assert last == (Engagement(day_of(mine, 4), "EU", mine.feria.pk) if known else None)


def test_appearances_are_posted_and_agreed_ones_of_the_season(mine: World, other: World) -> None:
    post(mine, day_of(mine, 2))
    post(mine, day_of(mine, 3), plaza=1)
    mine.announce(day_of(mine, 5))
    Escalafon.objects.create(
        season=in_year(mine, 2026).season, matador=mine.matadors[0], category=1, corridas=50
    )
    post(other, day_of(other, 2))
    told = market_of(mine.season, day_of(mine, 2)).candidates(day_of(mine, 6))
    assert [one.appearances for one in told] == [3, 3, 3, 0]


def test_booking_and_release_change_a_candidate_at_once(mine: World) -> None:
    corridas = [mine.announce(day_of(mine, day)) for day in (4, 6)]
    market = market_of(mine.season, day_of(mine, 1))
    key = mine.matadors[3].pk

    def bookings() -> tuple[int, int | None, int | None]:
        one = {one.key: one for one in market.candidates(day_of(mine, 5))}[key]
        last, following = (at.date.day if at else None for at in (one.last, one.next))
        return one.appearances, last, following

    assert bookings() == (0, None, None)
    market.book([key], engagement_in(corridas[1]), corrida=corridas[1].pk)
    assert bookings() == (1, None, 6)
    market.book([key], engagement_in(corridas[0]), corrida=corridas[0].pk)
    assert bookings() == (2, 4, 6)
    market.release([key], corridas[1].date)
    assert bookings() == (1, 4, None)


def test_injury_and_result_of_a_corrida_change_candidates_at_once(mine: World) -> None:
    corrida = mine.announce(day_of(mine, 4))
    later = mine.announce(day_of(mine, 8))
    market = market_of(mine.season, day_of(mine, 1))
    first = mine.matadors[0].pk
    injury = Injury(matador_id=first, corrida=corrida, since=day_of(mine, 4), until=day_of(mine, 8))
    market.apply_injuries([injury], {first: "R"})
    assert market.is_resting(first, day_of(mine, 8))
    assert market.struck_off(day_of(mine, 1)) == [later.pk], "the one he was hurt in is fought"
    assert market.candidates(day_of(mine, 9))[0].form > 0


@pytest.mark.parametrize(
    ("since", "until", "struck"),
    [(5, 9, [0, 1]), (6, 9, [1]), (5, 8, [0]), (1, 4, []), (10, 20, [])],
)
def test_carteles_of_injured_matadors_are_found_by_day(
    mine: World, other: World, since: int, until: int, struck: list[int]
) -> None:
    corridas = [mine.announce(day_of(mine, day)) for day in (5, 9)]
    other.announce(day_of(other, 6))
    hurt(mine, 0, since, until)
    hurt(other, 0, 1, 28)
    market = market_of(mine.season, day_of(mine, 1))
    assert market.struck_off(day_of(mine, 1)) == [corridas[one].pk for one in struck]
    assert market.struck_off(day_of(mine, 6)) == [corridas[one].pk for one in struck if one]


# Substitutes


def names(corrida: Corrida) -> list[int]:
    rows = Puesto.objects.filter(cartel=corrida.pk).order_by("order")
    return list(rows.values_list("matador", flat=True))


def test_injured_matador_is_replaced_on_the_days_of_his_injury(mine: World, other: World) -> None:
    before, first, last, after = (mine.announce(day_of(mine, day)) for day in (4, 5, 9, 10))
    foreign = other.announce(day_of(other, 6))
    hurt(mine, 0, 5, 9)
    commitments = {one.pk: bytes(one.cartel.commitment) for one in (before, first, last, after)}
    assert replace_injured(mine.season, since=day_of(mine, 1), fresh=FRESH) == 2
    one, two, three, four = (matador.pk for matador in mine.matadors)
    for corrida in (before, after):
        assert names(corrida) == [one, two, three]
        corrida.cartel.refresh_from_db()
        assert bytes(corrida.cartel.commitment) == commitments[corrida.pk]
    for corrida in (first, last):
        assert names(corrida) == [two, three, four]
        instead = Puesto.objects.filter(cartel=corrida.pk).values_list("matador", "instead_of")
        assert dict(instead) == {two: None, three: None, four: one}
        corrida.cartel.refresh_from_db()
        assert bytes(corrida.cartel.commitment) != commitments[corrida.pk]
    assert names(foreign) == [matador.pk for matador in other.matadors[:3]]


def test_replaced_matador_stays_replaced_when_another_is_injured(mine: World) -> None:
    """The first matador is injured, then the second, then the substitute of the second."""
    corrida = mine.announce(day_of(mine, 5))
    one, two, three, four = (matador.pk for matador in mine.matadors)
    five, six = (newcomer(mine, number).pk for number in (5, 6))

    def instead() -> dict[int, int | None]:
        places = Puesto.objects.filter(cartel=corrida.pk)
        return dict(places.values_list("matador", "instead_of"))

    def replace(number: int) -> set[int]:
        hurt(mine, number, 4, 9)
        assert replace_injured(mine.season, since=day_of(mine, 1), fresh=FRESH) == 1
        return set(instead())

    (stand_in,) = replace(0) - {one, two, three}
    assert instead() == {two: None, three: None, stand_in: one}
    (second,) = replace(1) - {stand_in, three}
    assert instead() == {three: None, stand_in: one, second: two}
    mine.matadors = list(Matador.objects.filter(pk__in=(second,)))
    (third,) = replace(0) - {stand_in, three}
    assert instead() == {three: None, stand_in: one, third: second}
    assert {stand_in, second, third} == {four, five, six}


@pytest.mark.parametrize("state", [one for one in S.values if one != S.ANNOUNCED])
def test_cartel_of_a_corrida_on_air_or_over_is_not_changed(mine: World, state: str) -> None:
    corrida = mine.announce(day_of(mine, 5))
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    hurt(mine, 0, 5, 9)
    assert replace_injured(mine.season, since=day_of(mine, 1), fresh=FRESH) == 0
    assert names(corrida) == [matador.pk for matador in mine.matadors[:3]]


@pytest.mark.parametrize(("since", "replaced"), [(5, 1), (6, 0)])
def test_carteles_before_the_given_day_are_not_changed(
    mine: World, since: int, replaced: int
) -> None:
    mine.announce(day_of(mine, 5))
    hurt(mine, 0, 5, 9)
    told = replace_injured(mine.season, since=day_of(mine, since), fresh=FRESH)
    assert told == replaced


def test_cartel_without_substitutes_is_withdrawn_with_its_bulls(mine: World) -> None:
    corrida, stays = mine.announce(day_of(mine, 5)), mine.announce(day_of(mine, 20))
    for place, one in enumerate((corrida, stays)):
        Bull.objects.create(
            ganaderia=mine.herd, year=2027, number=place + 1, name="X", coat="negro", weight=500,
            cartel=one.cartel, place=0,
        )  # fmt: skip
    for matador in (0, 3):
        hurt(mine, matador, 5, 9)
    assert replace_injured(mine.season, since=day_of(mine, 1), fresh=FRESH) == 1
    assert list(without_cartel(mine.season, day_of(mine, 31))) == [corrida]
    assert list(Bull.objects.values_list("cartel", flat=True)) == [stays.pk]


def test_retired_matador_is_replaced(mine: World) -> None:
    corrida = mine.announce(day_of(mine, 5))
    Matador.objects.filter(pk=mine.matadors[1].pk).update(state="retired")
    assert replace_injured(mine.season, since=day_of(mine, 1), fresh=FRESH) == 1
    assert set(names(corrida)) == {mine.matadors[one].pk for one in (0, 2, 3)}


# Announcing corridas


def undated(world: World, day: int, state: str = S.ANNOUNCED, plaza: int = 0) -> Corrida:
    return Corrida.objects.create(
        season=world.season, plaza=world.plazas[plaza], date=day_of(world, day), state=state
    )


def test_corridas_to_announce_have_no_cartel_and_a_date_in_time(mine: World, other: World) -> None:
    wanted = [undated(mine, 4), undated(mine, 5)]
    undated(mine, 6)
    mine.announce(day_of(mine, 3))
    undated(other, 4)
    Corrida.objects.create(
        season=in_year(mine, 2026).season, plaza=mine.plazas[0], date=dt.date(2026, 3, 4)
    )
    for day, state in enumerate((one for one in S.values if one != S.ANNOUNCED), start=1):
        undated(mine, day, state, plaza=1)
    assert list(without_cartel(mine.season, day_of(mine, 5))) == wanted


def test_announcing_uses_matadors_and_bulls_of_its_own_circuit(mine: World, other: World) -> None:
    corrida, late = undated(mine, 4), undated(mine, 6)
    assert announce(mine.season, until=day_of(mine, 5), fresh=FRESH) == 1
    assert set(names(corrida)) <= {matador.pk for matador in mine.matadors}
    assert len(names(corrida)) == 3
    corrida.refresh_from_db()
    assert (corrida.cartel.ganaderia, corrida.cartel.set_by_hand) == (mine.herd, False)
    bulls = Bull.objects.filter(cartel=corrida.pk).order_by("place")
    assert list(bulls.values_list("place", flat=True)) == [0, 1, 2, 3, 4, 5]
    assert set(bulls.values_list("year", "state")) == {(2027, "campo")}
    assert list(without_cartel(mine.season, day_of(mine, 31))) == [late]


def test_corrida_is_not_announced_with_fewer_than_three_free_matadors(mine: World) -> None:
    undated(mine, 5)
    mine.announce(day_of(mine, 5), plaza=1)
    assert announce(mine.season, until=day_of(mine, 9), fresh=FRESH) == 0


# Herds of bulls


def test_herds_of_a_year_exclude_archived_and_foreign_ones(mine: World, other: World) -> None:
    Ganaderia.objects.create(
        circuit=mine.circuit, slug="old", name="Old", country="ES", continent="EU",
        archived_at=dt.datetime(2027, 1, 1, tzinfo=dt.UTC),
    )  # fmt: skip
    fight(mine, mine.announce(day_of(mine, 2)))
    fight(other, other.announce(day_of(other, 2)))
    fight(other, other.announce(day_of(other, 3)))
    Bull.objects.create(
        ganaderia=mine.herd, year=2026, number=77, name="X", coat="negro", weight=500, place=0
    )
    told = HerdBook(mine.season)
    assert told.herds == [mine.herd]
    assert told._offers[mine.herd.pk].encierros == 1
    assert told._numbers[mine.herd.pk] == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize(
    ("year", "state", "works"),
    [
        (2022, "semental", True),
        (2023, "semental", False),
        (2013, "semental", True),
        (2012, "semental", False),
        (2020, "muerto", False),
        (2020, "corrales", False),
    ],
)
def test_spared_bulls_have_sons_in_their_fifth_to_fourteenth_year(
    mine: World, other: World, year: int, state: str, works: bool
) -> None:
    for world in (mine, other):
        bull = Bull.objects.create(
            ganaderia=world.herd, year=year, number=1, name="X", coat="negro", weight=500,
            state=state,
        )  # fmt: skip
        assert sires_at_work(world.season) == ({world.herd.pk: [bull.pk]} if works else {})
