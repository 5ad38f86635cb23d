"""Runs stop at the gates of reserved corridas, and the site fills what is open there."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import transaction

from corridas import sql
from corridas.errors import OperationError
from corridas.models import (
    Commitment,
    Corrida,
    Injury,
    Matador,
    MatadorCard,
    Puesto,
    Reservation,
    Run,
    Season,
)
from corridas.season import commitments
from corridas.simulation.derived_houses import rebuild_houses
from corridas.simulation.draw import announce
from corridas.simulation.run import prepare
from corridas.world.calendar import CalendarEntry
from corridas.world.gates import closing_day
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.scratch import seeds

pytestmark = pytest.mark.django_db
CALENDAR = (
    CalendarEntry("Feria de Abril", "las-ventas", "03-10", 2, "daily"),
    CalendarEntry("Feria de Mayo", "valencia", "05-09", 4, "daily"),
    CalendarEntry("Fiestas", "valdemorillo", "05-10", 3, "daily"),
    CalendarEntry("Feria de Junio", "las-ventas", "06-05", 3, "daily"),
)
Stage, Window, Price = Reservation.Stage, Commitment.Window, Reservation.Price
WINTER = dt.date(2025, 12, 20)


@pytest.fixture
def season() -> Season:
    return world.found("reserved", CALENDAR)


def fiestas(season: Season) -> list[Corrida]:
    found = Corrida.objects.filter(season=season, plaza__slug="valdemorillo")
    return list(found.select_related("plaza", "season__circuit", "feria").order_by("date"))


def reserve(season: Season, stage: Reservation.Stage = Stage.WINTER) -> list[Corrida]:
    corridas = fiestas(season)
    closes = closing_day(corridas[0].date, dt.date.min)
    commitments.reserve(corridas, closes_on=closes, stage=stage)
    return corridas


def men(season: Season, *places: int) -> list[Matador]:
    found = Matador.objects.filter(circuit=season.circuit, state="active").order_by("slug")
    return [found[place] for place in places]


def sign(corrida: Corrida, matador: Matador, on: dt.date = WINTER) -> Commitment:
    return commitments.sign(
        corrida=corrida, matador=matador, fee=1_000, window=Window.WINTER, on=on
    )


def on_cartel(corrida: Corrida) -> set[int]:
    return set(Puesto.objects.filter(cartel=corrida.pk).values_list("matador_id", flat=True))


def trio_on(corrida: Corrida) -> list[str]:
    rows = Puesto.objects.filter(cartel=corrida.pk).order_by("order")
    return list(rows.values_list("matador__slug", flat=True))


def go_on(season: Season) -> tuple[str, str, dt.date | None]:
    """Run the season; return the state of the run, its reason, and the last day played."""
    run = world.run_on(world.begin(season))
    last = Corrida.objects.filter(season=season).over().order_by("-date").first()
    return run.state, run.reason, last.date if last else None


def test_a_run_stops_once_at_every_gate_and_says_why(season: Season) -> None:
    corridas = reserve(season)
    Reservation.objects.filter(pk=corridas[1].pk).update(keeps_open=True)
    gate = (Run.State.STOPPED, "gate")
    assert go_on(season) == (*gate, None), "the winter"
    # The feria closes on 10 April.
    assert go_on(season) == (*gate, dt.date(2026, 3, 11)), "the closing"
    before = [on_cartel(corrida) for corrida in corridas]
    assert before == [set(), set(), set()]
    # Only the second day has an open place.
    assert go_on(season) == (*gate, dt.date(2026, 5, 10)), "the eve of the second day"
    assert [len(on_cartel(corrida)) for corrida in corridas] == [3, 0, 3]
    state, reason, last = go_on(season)
    assert (state, reason, last) == (Run.State.DONE, "", dt.date(2026, 6, 7))
    assert [len(on_cartel(corrida)) for corrida in corridas] == [3, 3, 3]
    assert set(Reservation.objects.values_list("stage", flat=True)) == {Stage.OVER}
    assert not Corrida.objects.filter(season=season, state=Corrida.State.FAILED).exists()


def test_signed_matadors_appear_there_and_nowhere_else_on_that_day(season: Season) -> None:
    corridas = reserve(season)
    signed = men(season, 0, 1, 2)
    for matador in signed:
        sign(corridas[0], matador)
    sign(corridas[1], signed[0])
    while go_on(season)[0] != Run.State.DONE:
        pass
    assert on_cartel(corridas[0]) == {matador.pk for matador in signed}
    assert signed[0].pk in on_cartel(corridas[1])
    for corrida in corridas[:2]:
        elsewhere = Puesto.objects.filter(date=corrida.date).exclude(cartel=corrida.pk)
        assert elsewhere.exists()
        assert not elsewhere.filter(matador__in=[man.pk for man in signed[:1]]).exists()
    by_market = Commitment.objects.filter(by_market=True)
    # Five places were left to the site: two on the second day, three on the third.
    assert by_market.count() == 5
    assert all(each.fee > 0 for each in by_market)
    assert set(by_market.values_list("window", flat=True)) == {Window.SEASON}
    assert not by_market.filter(corrida=corridas[0].pk).exists()


def test_the_trio_is_whom_the_site_would_have_contracted(season: Season) -> None:
    with transaction.atomic():
        world.run_on(world.begin(season))
        usual = {corrida.pk: trio_on(corrida) for corrida in fiestas(season)}
        transaction.set_rollback(True)
    corridas = reserve(season)
    # The stars, whom the site would like to have elsewhere.
    stars = MatadorCard.objects.filter(matador__circuit=season.circuit).order_by("-rating")
    for card in stars[:3]:
        sign(corridas[0], card.matador)
    while go_on(season)[0] != Run.State.DONE:
        pass
    trios = {row.pk: row.trio for row in Reservation.objects.all()}
    assert trios[corridas[0].pk] == usual[corridas[0].pk]
    assert [len(trio or ()) for trio in trios.values()] == [3, 3, 3]
    assert on_cartel(corridas[0]) == {card.matador_id for card in stars[:3]}


def test_an_injured_matador_is_released_at_the_closing_and_on_the_eve(season: Season) -> None:
    corridas = reserve(season, Stage.SEASON)
    for row in Reservation.objects.all():
        commitments.change_plan([row.corrida], autopilot=True)
    early, late, fit = men(season, 0, 1, 2)
    for matador in (early, late, fit):
        commitments.sign(
            corrida=corridas[2], matador=matador, fee=9, window=Window.SEASON, on=WINTER
        )
    day = corridas[2].date
    other = Corrida.objects.filter(season=season).order_by("date")[0]

    def hurt(matador: Matador, until: dt.date) -> None:
        Injury.objects.create(
            matador=matador, corrida=other, turn=1, grade="grave", since=other.date, until=until
        )

    hurt(early, day)
    hurt(fit, day - dt.timedelta(days=1))
    prepare(season, dt.date(2026, 4, 11), seeds("closing"), at=NOW)
    released = Commitment.objects.filter(released=True).values_list("matador", flat=True)
    assert set(released) == {early.pk}
    assert on_cartel(corridas[2]) >= {late.pk, fit.pk}
    hurt(late, day)
    prepare(season, day, seeds("eve"), at=NOW)
    assert set(released.all()) == {early.pk, late.pk}
    cartel = on_cartel(corridas[2])
    assert len(cartel) == 3
    assert fit.pk in cartel
    assert late.pk not in cartel
    eve = Commitment.objects.get(window=Window.EVE)
    assert (eve.by_market, eve.corrida_id) == (True, corridas[2].pk)
    assert Puesto.objects.get(cartel=corridas[2].pk, matador=eve.matador).instead_of == late


def test_on_autopilot_a_run_stops_nowhere(season: Season) -> None:
    corridas = reserve(season)
    commitments.change_plan(corridas, autopilot=True)
    assert go_on(season)[:2] == (Run.State.DONE, "")
    assert Commitment.objects.filter(by_market=True).count() == 9


def test_the_price_counts_for_tickets_house_and_mood(season: Season) -> None:
    houses = {}
    for price in Price:
        with transaction.atomic():
            corridas = reserve(season)
            commitments.change_plan(corridas, price=price, autopilot=True)
            go_on(season)
            [first, *_] = fiestas(season)
            tickets = set(Reservation.objects.values_list("tickets", flat=True))
            assert first.turnout is not None
            assert first.house is not None
            assert tickets == {first.turnout["tickets"]}
            houses[price] = (first.turnout["tickets"], first.house)
            again = Season.objects.get(pk=season.pk)
            assert rebuild_houses(again, write_rows=False) == []
            transaction.set_rollback(True)
    popular, normal, high = (houses[price] for price in Price)
    assert popular[0] > normal[0] > high[0] > 0
    assert popular[1] > normal[1] > high[1]


def test_an_injured_matador_takes_no_place_and_can_be_signed_again(season: Season) -> None:
    corridas = reserve(season)
    first, *others = men(season, 0, 1, 2, 3)
    for matador in (first, *others[:2]):
        sign(corridas[0], matador)
    injury = Injury.objects.create(
        matador=first,
        corrida=Corrida.objects.filter(season=season).order_by("date")[0],
        turn=1,
        grade="grave",
        since=dt.date(2026, 3, 10),
        until=corridas[0].date,
    )
    sign(corridas[0], others[2])
    Commitment.objects.filter(matador=first).update(released=True)
    injury.delete()
    Commitment.objects.filter(matador=others[2]).delete()
    again = sign(corridas[0], first)
    assert (again.released, Commitment.objects.count()) == (False, 3)


def test_signing_is_refused_in_a_sentence(season: Season) -> None:
    corridas = reserve(season)
    one, two, three, four = men(season, 0, 1, 2, 3)
    with pytest.raises(OperationError, match="is reserved already"):
        commitments.reserve(corridas[:1], closes_on=WINTER, stage=Stage.SEASON)
    taken = sign(corridas[0], one)
    with pytest.raises(OperationError, match="is signed for"):
        sign(corridas[0], one)
    for matador in (two, three):
        sign(corridas[0], matador)
    with pytest.raises(OperationError, match="All places of"):
        sign(corridas[0], four)
    with pytest.raises(OperationError, match="can’t be signed for"):
        commitments.sign(corrida=corridas[1], matador=four, fee=9, window=Window.SEASON, on=WINTER)
    free = Corrida.objects.filter(season=season, plaza__slug="valencia").first()
    assert free is not None
    with pytest.raises(OperationError, match="can’t be signed for"):
        sign(free, four)
    Matador.objects.filter(pk=four.pk).update(state="retired")
    with pytest.raises(OperationError, match="is not an active matador"):
        sign(corridas[1], Matador.objects.get(pk=four.pk))
    commitments.take_back(taken, on=WINTER)
    assert Commitment.objects.count() == 2
    with pytest.raises(OperationError, match="isn’t signed"):
        commitments.take_back(taken, on=WINTER)
    [second] = Commitment.objects.filter(matador=two)
    Reservation.objects.update(stage=Stage.SEASON)
    with pytest.raises(OperationError, match="for good"):
        commitments.take_back(second, on=WINTER)
    Reservation.objects.update(stage=Stage.CLOSED)
    with pytest.raises(OperationError, match="has closed"):
        commitments.change_plan(corridas, price=Price.HIGH)
    world.begin(season)
    with pytest.raises(OperationError, match="is being played"):
        sign(corridas[1], three)


def test_a_window_opens_seven_days_before_an_afternoon(season: Season) -> None:
    [corrida, *_] = reserve(season)
    row = Reservation.objects.select_related("corrida").get(pk=corrida.pk)
    row.stage = Stage.CLOSED
    eight, seven = (corrida.date - dt.timedelta(days=days) for days in (8, 7))
    assert commitments.open_window(row, eight) is None
    assert commitments.open_window(row, seven) == Window.EVE
    row.stage = Stage.OVER
    assert commitments.open_window(row, corrida.date) is None


def test_reserved_corridas_are_not_contracted_ahead_unless_given_up(season: Season) -> None:
    reserve(season)
    until = dt.date(2026, 12, 31)
    announce(season, until=until, fresh=seeds("ahead"))
    without = Corrida.objects.filter(season=season, cartel=None)
    assert list(without) == fiestas(season)
    assert sql.to_contract(season.pk, until) == []
    commitments.give_up(season)
    assert len(sql.to_contract(season.pk, until)) == 3
    assert go_on(season)[:2] == (Run.State.DONE, "")


def test_an_announced_cartel_is_withdrawn_and_becomes_the_trio(season: Season) -> None:
    prepare(season, dt.date(2026, 3, 20), seeds("early"), at=NOW)
    [first, *_] = fiestas(season)
    cards = trio_on(first)
    assert len(cards) == 3
    reserve(season, Stage.SEASON)
    assert on_cartel(first) == set()
    assert Reservation.objects.get(pk=first.pk).trio == cards
