"""A promoter takes one of the plazas that are offered to him."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.exceptions import PermissionDenied

from accounts.models import User
from corridas.errors import OperationError
from corridas.models import Circuit, Deck, Plaza, Puesto, Reservation, Season
from corridas.season.operations import Goal
from corridas.simulation import new_circuit
from corridas.simulation.draw import announce
from corridas.simulation.new_circuit import shipped
from corridas.simulation.schedule import plan
from corridas.world.box_office import VERSION, Ring, Step, step_reached
from corridas.world.calendar import CalendarEntry
from corridas.world.gates import Stage
from empresas.concessions import promoter_of, take, why_no_offers
from empresas.models import Concession, Promoter
from empresas.offers import Offer, offers, today
from fairness import Seed
from tests.corridas.simulation import world
from tests.databases import opened
from tests.scratch import at_once, seeds

pytestmark = pytest.mark.django_db
# Five plazas of the third category, of which one has two corridas only, one of the second and one
# of the first.
CALENDAR = (
    CalendarEntry("San Blas", "valdemorillo", "02-10", 3, "daily"),
    CalendarEntry("Milagro", "illescas", "03-06", 3, "daily"),
    CalendarEntry("Primavera", "antequera", "04-11", 2, "daily"),
    CalendarEntry("Fiestas", "arnedo", "07-11", 3, "daily"),
    CalendarEntry("Verano", "utrera", "09-05", 4, "daily"),
    CalendarEntry("Feria del Caballo", "jerez", "05-10", 3, "daily"),
    CalendarEntry("San Isidro", "las-ventas", "05-10", 3, "daily"),
)
OF_THE_THIRD = {"valdemorillo", "illescas", "arnedo", "utrera"}


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def season(ana: User) -> Season:
    circuit = new_circuit.found(shipped(), slug="mio", name="Mío", owner=ana, rules={})
    return plan(circuit, 2026, CALENDAR, seed=Seed(bytes(32)))


def found(season: Season, by: User) -> list[Offer]:
    return offers(season, promoter_of(by, season.circuit))


def slugs(found: list[Offer]) -> list[str]:
    return [offer.plaza.slug for offer in found]


def play_until(season: Season, day: dt.date) -> None:
    run = world.begin(season, Goal(until=day))
    assert world.run_on(run).state == "done"


def test_a_beginner_is_offered_three_plazas_of_the_third_category(
    season: Season, ana: User
) -> None:
    drawn = found(season, ana)
    assert len(drawn) == 3
    assert set(slugs(drawn)) < OF_THE_THIRD
    assert slugs(found(season, ana)) == slugs(drawn), "they are drawn from the season's seed"
    by_others = {
        tuple(slugs(found(season, User.objects.create_user(f"other{number}"))))
        for number in range(12)
    }
    assert {slug for each in by_others for slug in each} == OF_THE_THIRD


def test_reputation_opens_better_plazas(season: Season, ana: User) -> None:
    promoter = promoter_of(ana, season.circuit)
    promoter.reputation = 299
    assert step_reached(299) is Step.THIRD
    assert "jerez" not in slugs(offers(season, promoter))
    promoter.reputation = 300
    assert slugs(offers(season, promoter))[0] == "jerez"
    promoter.reputation = 800
    assert slugs(offers(season, promoter))[0] == "las-ventas"


def test_promoter_gets_the_corridas_of_his_plaza_and_cash(season: Season, ana: User) -> None:
    offer = found(season, ana)[0]
    concession = take(plaza=offer.plaza, by=ana)
    ring = Ring.of(3, offer.plaza.seats)
    assert (concession.first_year, concession.last_year, concession.version) == (
        2026,
        None,
        VERSION,
    )
    # Twelve per cent of the season's full houses.
    assert concession.cash == round(0.12 * ring.full_house * offer.afternoons)
    assert concession.canon == offer.canon
    assert (concession.promoter.user, concession.promoter.reputation) == (ana, 200)
    reserved = Reservation.objects.order_by("corrida__date")
    days = [row.corrida.date for row in reserved]
    assert len(days) == offer.afternoons
    assert {row.corrida.plaza for row in reserved} == {offer.plaza}
    assert {row.closes_on for row in reserved} == {days[0] - dt.timedelta(days=30)}
    assert {row.stage for row in reserved} == {Stage.WINTER.value}


def test_in_the_middle_of_a_season_only_open_ferias_of_the_third_category_are_left(
    season: Season, ana: User
) -> None:
    # On 11 March, Arnedo and Utrera have not closed. Carteles are known until May.
    play_until(season, dt.date(2026, 3, 11))
    assert today(season) == dt.date(2026, 3, 8)
    drawn = found(season, ana)
    assert set(slugs(drawn)) == {"arnedo", "utrera"}
    play_until(season, dt.date(2026, 5, 12))
    # Arnedo closes on 11 June; its carteles may be known by then.
    announce(season, until=dt.date(2026, 7, 31), fresh=seeds("ahead"))
    arnedo = next(offer.plaza for offer in found(season, ana) if offer.plaza.slug == "arnedo")
    hung = Puesto.objects.filter(cartel__corrida__plaza=arnedo)
    assert hung.count() == 9
    take(plaza=arnedo, by=ana)
    assert not hung.exists()
    rows = Reservation.objects.all()
    assert {row.stage for row in rows} == {Stage.SEASON.value}
    assert [len(row.trio or ()) for row in rows] == [3, 3, 3]


def test_after_the_last_closing_offers_come_in_winter(season: Season, ana: User) -> None:
    play_until(season, dt.date(2026, 9, 5))
    assert found(season, ana) == []
    assert why_no_offers(season, []).endswith("New offers come in winter.")
    plaza = Plaza.objects.get(circuit=season.circuit, slug="utrera")
    with pytest.raises(OperationError, match="New offers come in winter"):
        take(plaza=plaza, by=ana)


def test_without_pars_nothing_is_offered(season: Season, ana: User) -> None:
    Season.objects.update(pars=None)
    Circuit.objects.filter(pk=season.circuit_id).update(
        deck=Deck.objects.create(name="Fierce", cards=world.fiercest(), digest="f" * 64)
    )
    again = Season.objects.select_related("circuit__deck").get(pk=season.pk)
    assert found(again, ana) == []
    plaza = Plaza.objects.get(circuit=season.circuit, slug="utrera")
    with pytest.raises(OperationError, match="chances"):
        take(plaza=plaza, by=ana)
    assert not Promoter.objects.exists()


def test_a_plaza_is_refused_in_a_sentence(season: Season, ana: User) -> None:
    first, second, _third = found(season, ana)
    elsewhere = Plaza.objects.get(circuit=season.circuit, slug="las-ventas")
    with pytest.raises(OperationError, match="isn’t offered to you"):
        take(plaza=elsewhere, by=ana)
    with pytest.raises(PermissionDenied):
        take(plaza=first.plaza, by=User.objects.create_user("beto"))
    take(plaza=first.plaza, by=ana)
    with pytest.raises(OperationError, match="You already run"):
        take(plaza=second.plaza, by=ana)
    carla = User.objects.create_user("carla")
    Circuit.objects.filter(pk=season.circuit_id).update(owner=carla)
    with pytest.raises(OperationError, match="Somebody else runs"):
        take(plaza=Plaza.objects.get(pk=second.plaza.pk), by=carla)
    assert Concession.objects.count() == 1
    # A concession that has ended is in nobody's way.
    Concession.objects.update(last_year=2026, end=Concession.End.LEFT)
    [hers, *_] = found(season, carla)
    taken = take(plaza=Plaza.objects.get(pk=hers.plaza.pk), by=carla)
    assert taken.promoter.user == carla


def test_two_requests_at_once_take_one_plaza(shared: str) -> None:
    with opened(shared):
        ana = User.objects.create_user("ana")
        circuit = new_circuit.found(shipped(), slug="mio", name="Mío", owner=ana, rules={})
        season = plan(circuit, 2026, CALENDAR, seed=Seed(bytes(32)))
        plazas = [offer.plaza.pk for offer in found(season, ana)]

    def ask(pk: int) -> Concession:
        return take(plaza=Plaza.objects.get(pk=pk), by=User.objects.get(username="ana"))

    came = at_once(shared, *(lambda pk=pk: ask(pk) for pk in plazas))
    names = sorted(type(answer).__name__ for answer in came)
    assert names == ["Concession", "OperationError", "OperationError"]
    with opened(shared):
        assert Promoter.objects.count() == 1
        plaza = Concession.objects.get().plaza
        assert {row.corrida.plaza for row in Reservation.objects.all()} == {plaza}
