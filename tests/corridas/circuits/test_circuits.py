"""Creating and changing circuits: permissions, states and limits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from pytest_django import Settings

from accounts.models import User
from corridas import circuit_queries
from corridas.circuits import operations as asked
from corridas.circuits.operations import found_leyendas
from corridas.errors import OperationError
from corridas.models import Circuit, Corrida, Season, TableCorrida
from corridas.simulation.new_circuit import shipped
from corridas.world.calendar import CalendarEntry
from leagues.models import Match
from tests.corridas.circuits.barrio import NOW, Roster, founded
from tests.corridas.simulation.world import BRIEF
from tests.factories import small_circuit

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def stranger() -> User:
    return User.objects.create_user("stranger")


def test_a_user_can_create_a_circuit_with_the_shipped_roster(ana: User) -> None:
    circuit = founded(ana, public=False, rules={"shuffle": "when_exhausted"})
    assert (circuit.slug, circuit.owner, circuit.public) == ("circuito-del-barrio", ana, False)
    assert circuit.founded_at == NOW
    assert circuit.matadors.count() == len(shipped().matadors)
    season = circuit.seasons.get()
    assert season.engine_rules().shuffle == "when_exhausted"
    assert season.corridas.count() == 2
    assert not circuit.matadors.filter(fictional=True).exists()


def test_a_second_circuit_of_the_same_name_gets_another_slug(ana: User) -> None:
    names = ["Nuevo", "Nuevo", "Leyendas", "¡!", "x" * 60]
    slugs = [founded(ana, name, roster=Roster.IMPORTED).slug for name in names]
    assert slugs == ["nuevo-2", "nuevo-3", "leyendas-2", "circuito", "x" * 40]


def test_circuits_are_sorted_by_name_and_archived_ones_by_date_of_archiving(ana: User) -> None:
    """Names are sorted without regard to capitals, and circuits of equal names by age."""
    deck = founded(ana, "Zeta", roster=Roster.IMPORTED).deck
    day = dt.timedelta(days=1)
    for slug, name, archived in (
        ("second", "Álamo", None),
        ("third", "alamo", None),
        ("fourth", "Alamo", None),
        ("late", "Aaa", NOW + day),
        ("early", "Bbb", NOW),
        ("late-too", "Ccc", NOW + day),
        ("late-as-well", "Ccc", NOW + day),
    ):
        Circuit.objects.create(slug=slug, name=name, owner=ana, deck=deck, archived_at=archived)
    level = ["third", "fourth", "second"]
    mine = [one.slug for one in circuit_queries.circuits_of(ana)]
    assert mine == [*level, "zeta", "early", "late", "late-too", "late-as-well"]
    Circuit.objects.filter(owner=ana).update(public=True, owner=None, offered_to=ana)
    assert [one.slug for one in circuit_queries.public_circuits()] == [*level, "zeta"]
    assert [one.slug for one in circuit_queries.offered_to(ana)] == [*level, "zeta"]
    assert circuit_queries.circuits_of(ana) == []
    zeta = Circuit.objects.get(slug="zeta")
    for year in (2027, 2028):
        season = Season.objects.create(circuit=zeta, year=year, seed=bytes(32))
        Corrida.objects.create(
            season=season, plaza=zeta.plazas.all()[0], date=dt.date(year, 3, 1), state="on_air"
        )
    for listed in (circuit_queries.public_circuits(), circuit_queries.offered_to(ana)):
        assert [one.slug for one in listed] == ["zeta", *level], "what is on air comes first"
        on_air: Any = listed[0]
        assert (on_air.count, on_air.year) == (2, 2028)


@pytest.mark.slow
def test_the_same_seed_text_generates_the_same_roster(ana: User) -> None:
    one = founded(ana, roster=Roster.GENERATED, seed="  albero ")
    two = founded(ana, roster=Roster.GENERATED, seed="albero")
    other = founded(ana, roster=Roster.GENERATED, seed="barrera")
    names = [[*map(str, circuit.matadors.all())] for circuit in (one, two, other)]
    assert one.roster_seed == "albero"
    assert names[0] == names[1] != names[2]
    assert all(man.fictional and man.promise for man in one.matadors.all())
    assert {man.counted_from for man in one.matadors.all()} <= set(range(1980, 2010))


def test_a_circuit_that_waits_for_an_imported_roster_cannot_plan_a_season(ana: User) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    assert (circuit.seasons.count(), circuit.matadors.count(), circuit.herds.count()) == (0, 0, 0)
    assert circuit.plazas.count() == len(shipped().plazas)
    with pytest.raises(OperationError, match="Complete its roster first"):
        asked.plan_season(circuit=circuit, year=2027)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"name": "   "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"rules": {"bull_points": "sideways"}}, "rules"),
        ({"rules": {"wind": "strong"}}, "rules"),
        ({"year": 99}, "year"),
        ({"calendar": []}, "calendar"),
        ({"calendar": [CalendarEntry("Feria", "las-ventas", "12-31", 4, "daily")]}, "calendar"),
        ({"roster": Roster.GENERATED, "seed": " "}, "seed"),
        ({"roster": Roster.GENERATED, "seed": "x" * 65}, "seed"),
    ],
)
def test_an_invalid_circuit_is_rejected_with_an_error_at_its_field(
    ana: User, parts: dict[str, Any], field: str
) -> None:
    with pytest.raises(OperationError) as refused:
        founded(ana, **parts)
    assert refused.value.field == field
    assert not Circuit.objects.exists()


# Permissions


def settings_of(circuit: Circuit, **changes: Any) -> asked.Settings:
    names = ("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
    return asked.Settings(**{name: getattr(circuit, name) for name in names} | changes)


DEEDS: dict[str, Callable[[Circuit, User], object]] = {
    "change": lambda one, by: asked.change_circuit(circuit=one, settings=settings_of(one), by=by),
    "calendar": lambda one, by: asked.change_calendar(circuit=one, entries=BRIEF, by=by),
    "offer": lambda one, by: asked.offer_circuit(circuit=one, name="stranger", by=by),
    "withdraw": lambda one, by: asked.withdraw_offer(circuit=one, by=by),
    "accept": lambda one, by: asked.accept_circuit(circuit=one, by=by),
    "decline": lambda one, by: asked.decline_circuit(circuit=one, by=by),
    "freeze": lambda one, by: asked.freeze_circuit(circuit=one, by=by, at=NOW),
    "thaw": lambda one, by: asked.thaw_circuit(circuit=one, by=by),
    "delete": lambda one, by: asked.delete_circuit(circuit=one, by=by, at=NOW),
    "restore": lambda one, by: asked.restore_circuit(circuit=one, by=by, at=NOW),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_another_user_cannot_change_or_delete_a_circuit(
    ana: User, stranger: User, deed: str
) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    before = Circuit.objects.values().get(pk=circuit.pk)
    with pytest.raises(PermissionDenied):
        DEEDS[deed](circuit, stranger)
    assert Circuit.objects.values().get(pk=circuit.pk) == before


@pytest.mark.parametrize("deed", ["offer", "freeze", "thaw", "delete", "restore"])
def test_the_site_s_own_circuit_cannot_be_deleted_frozen_or_offered(deed: str) -> None:
    root = User.objects.create_superuser("root")
    User.objects.create_user("stranger")
    circuit = found_leyendas(year=2027)
    with pytest.raises(OperationError, match="This is the site’s own circuit and can’t be deleted"):
        DEEDS[deed](circuit, root)
    with pytest.raises(OperationError, match="The site’s own circuit is always public"):
        asked.change_circuit(circuit=circuit, settings=settings_of(circuit, public=False), by=root)


def test_a_superuser_can_change_and_delete_every_circuit(ana: User) -> None:
    root = User.objects.create_superuser("root")
    circuit = founded(ana, roster=Roster.IMPORTED)
    for deed in ("change", "calendar", "freeze", "thaw", "delete"):
        DEEDS[deed](circuit, root)
    assert not Circuit.objects.exists()


# Settings


def test_the_settings_of_a_circuit_can_be_changed(ana: User) -> None:
    circuit = founded(ana)
    evening = dt.time(19)
    given = settings_of(
        circuit, name=" Otro  nombre ", public=False, pace_ms=250, evening=evening, zone="UTC"
    )
    asked.change_circuit(circuit=circuit, settings=given, by=ana)
    circuit.refresh_from_db()
    assert (circuit.name, circuit.public, circuit.pace_ms) == ("Otro nombre", False, 250)
    assert (circuit.evening, circuit.zone, circuit.slug) == (evening, "UTC", "circuito-del-barrio")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"name": ""}, "name"), ({"pace_ms": 1}, "pace_ms"), ({"zone": "Mars/Olympus"}, "zone")],
)
def test_invalid_settings_are_rejected_with_an_error_at_their_field(
    ana: User, changes: dict[str, Any], field: str
) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError) as refused:
        asked.change_circuit(circuit=circuit, settings=settings_of(circuit, **changes), by=ana)
    assert refused.value.field == field


def test_a_new_calendar_applies_from_the_next_season(ana: User) -> None:
    circuit = founded(ana)
    one = [CalendarEntry("Corrida única", "valencia", "05-01", 1, "daily")]
    asked.change_calendar(circuit=circuit, entries=one, by=ana)
    circuit.refresh_from_db()
    assert asked.plan_season(circuit=circuit, year=2028).corridas.count() == 1
    assert circuit.seasons.get(year=2027).corridas.count() == 2
    strange = [CalendarEntry("Corrida única", "atlantis", "05-01", 1, "daily")]
    with pytest.raises(OperationError, match="no plaza atlantis"):
        asked.change_calendar(circuit=circuit, entries=strange, by=ana)
    asked.change_calendar(circuit=circuit, entries=None, by=ana)
    circuit.refresh_from_db()
    assert circuit.calendar is None


def test_settings_that_are_no_longer_allowed_may_stay_as_they_are(ana: User) -> None:
    """An earlier version or an administrator has stored them."""
    circuit = founded(ana, roster=Roster.IMPORTED)
    Circuit.objects.filter(pk=circuit.pk).update(pace_ms=10, zone="Mars/Olympus")
    circuit.refresh_from_db()
    given = settings_of(circuit, name="Otro")
    asked.change_circuit(circuit=circuit, settings=given, by=ana)
    circuit.refresh_from_db()
    assert (circuit.name, circuit.pace_ms, circuit.zone) == ("Otro", 10, "Mars/Olympus")


def test_a_circuit_needs_three_different_matadors_with_cards(ana: User) -> None:
    """Two matadors with two cards each are not enough."""
    world = small_circuit("plain", "Plain", owner=ana)
    entry = {"feria": "", "plaza": "ronda", "starts": "03-01", "corridas": 1, "days": "daily"}
    Circuit.objects.filter(pk=world.circuit.pk).update(calendar=[entry])
    for matador in world.matadors[2:]:
        matador.cards.all().delete()
    for matador in world.matadors[:2]:
        card = matador.cards.get()
        card.pk, card.printing = None, card.printing + 1
        card.save()
    with pytest.raises(OperationError, match="Complete its roster first"):
        asked.plan_season(circuit=world.circuit, year=2031)
    card = world.matadors[0].cards.earliest("printing")
    card.pk, card.matador = None, world.matadors[2]
    card.save()
    assert asked.plan_season(circuit=world.circuit, year=2031).corridas.count() == 1


def test_the_longest_seed_text_generates_a_roster_and_a_season(ana: User) -> None:
    circuit = founded(ana, roster=Roster.GENERATED, seed="x" * asked.MAX_SEED_LENGTH)
    assert circuit.roster_seed == "x" * 64
    assert circuit.seasons.count() == 1


def test_seasons_are_listed_with_the_latest_first_and_found_up_to_the_last_year(
    ana: User,
) -> None:
    """The ranked season is the one before until the present one has a ranking."""
    world = small_circuit("plain", "Plain", owner=ana)
    assert circuit_queries.find_ranked("nowhere") is None
    first = circuit_queries.find_ranked("plain")
    assert first is not None
    assert (first.year, first.ended) == (2027, True)
    world.announce(dt.date(2027, 3, 1))
    present = circuit_queries.find_season_mark(None, "plain")
    assert present is not None
    assert (present.year, present.ended) == (2027, False)
    before = world.another_season(2026)
    Season.objects.filter(pk=before.pk).update(posted_version=3)
    last = world.another_season(circuit_queries.LAST_YEAR)
    assert circuit_queries.years("plain") == [last.year, 2027, 2026]
    assert circuit_queries.find_season(last.year, "plain") == last
    for year, found in ((last.year, True), (last.year + 1, False), (2028, False)):
        assert (circuit_queries.find_season_mark(year, "plain") is not None) is found
    assert circuit_queries.find_season(last.year + 1, "plain") is None
    ranked = circuit_queries.find_ranked("plain")
    assert ranked is not None
    assert (ranked.year, ranked.posted_version) == (2026, 3)
    Season.objects.filter(pk=world.season.pk).update(posted_version=1)
    ranked = circuit_queries.find_ranked("plain")
    assert ranked is not None
    assert ranked.year == 2027


def test_a_corrida_at_a_real_table_is_history_and_retired_matadors_leave_room(
    ana: User, settings: Settings
) -> None:
    world = small_circuit("plain", "Plain", owner=ana)
    settings.MATADORS_A_CIRCUIT = 4
    assert circuit_queries.matadors_left(world.circuit) == 0
    world.circuit.matadors.filter(pk=world.matadors[0].pk).update(state="retired")
    world.circuit.matadors.filter(pk=world.matadors[1].pk).update(state="novillero")
    assert circuit_queries.matadors_left(world.circuit) == 1
    assert not circuit_queries.has_history(world.circuit)
    match = Match.objects.create(
        game="indulto", rules={}, rules_hash="", played_at=NOW, created_at=NOW, key="key"
    )
    TableCorrida.objects.create(match=match, circuit=world.circuit, date=dt.date(2027, 3, 1))
    assert circuit_queries.has_history(world.circuit)
