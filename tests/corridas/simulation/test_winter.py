"""The winter between two seasons: committed to in advance, played once, and written in full or
not at all.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corridas import errors, notifications
from corridas.models import (
    Bull,
    Corrida,
    Ganaderia,
    Matador,
    MatadorCard,
    Run,
    Season,
    Winter,
)
from corridas.season import operations as season_operations
from corridas.season.operations import open_next_season, what_is_in_the_way
from corridas.simulation import verify
from corridas.simulation.draw import announce
from corridas.simulation.packed_year import pack, unpack, year_of
from corridas.simulation.schedule import winter_stake
from corridas.simulation.sweep import next_for_the_sand
from corridas.simulation.winter import NotOverError, gather_year, winter_over
from corridas.simulation.winter_queries import left_in_season
from corridas.world.winter import STEP
from fairness import Seed, commitment
from tests.corridas.simulation import world
from tests.corridas.simulation.test_killed import Copies, DatabaseCopies, kills
from tests.corridas.simulation.world import NOW
from tests.databases import opened
from tests.scratch import at_once, seeds

SPRING = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)


def turn(season: Season, **options: Any) -> Season:
    return winter_over(
        season, at=SPRING, fresh=seeds("winter"), **options, on_winter=notifications.winter_over
    )


def brief_over() -> Season:
    """End the season of the `brief` circuit, which continues with the same calendar."""
    season = world.brief()
    season.circuit.calendar = [list(entry) for entry in world.BRIEF]
    season.circuit.save(update_fields=["calendar"])
    world.play_season(season)
    return world.brief()


@pytest.fixture
def over_now(rows: str) -> Season:
    return brief_over()


def test_winter_commitment_is_published_with_its_season(rows: str) -> None:
    for season in Season.objects.select_related("circuit"):
        winter = Winter.objects.get(season=season)
        assert winter.done_at is None
        assert winter.news == []
        bound = commitment(bytes(winter.seed), winter_stake(winter))
        assert bytes(winter.commitment) == bound
        assert bytes(winter.seed) != bytes(season.seed)


def test_next_season_is_planned_by_the_circuits_calendar(over_now: Season) -> None:
    following = turn(over_now)
    assert (following.year, following.corridas.count()) == (world.YEAR + 1, 2)
    assert following.winter.done_at is None
    winter = Winter.objects.get(season=over_now)
    assert winter.done_at == SPRING
    assert winter.news


def test_winter_is_played_once(over_now: Season) -> None:
    following = turn(over_now)
    printed, posted = MatadorCard.objects.count(), Season.objects.get(pk=over_now.pk).posted_version
    assert turn(over_now) == following
    assert MatadorCard.objects.count() == printed
    assert Season.objects.get(pk=over_now.pk).posted_version == posted


def test_first_winter_sets_ages_and_potentials_of_matadors(over_now: Season) -> None:
    mine = Matador.objects.filter(circuit=over_now.circuit_id)
    assert not mine.exclude(promise=None, counted_from=None).exists()
    turn(over_now)
    for matador in mine.all():
        assert matador.promise is not None
        assert matador.counted_from is not None
        assert 16 <= over_now.year - matador.counted_from <= 45


def test_winter_creates_new_cards_for_the_coming_season(over_now: Season) -> None:
    turn(over_now)
    printed = MatadorCard.objects.filter(
        matador__circuit=over_now.circuit_id, since=world.YEAR + 1, printing__gt=1
    )
    assert printed.count() > 20
    for card in printed.select_related("matador"):
        before = card.matador.cards.get(printing=card.printing - 1)
        assert abs(card.rating - before.rating) <= STEP
        card.engine_card()


def test_winter_counts_a_season_for_matadors_who_appeared(over_now: Season) -> None:
    turn(over_now)
    here = Matador.objects.filter(circuit=over_now.circuit_id)
    fought = set(here.filter(escalafon__season=over_now).values_list("pk", flat=True))
    counted = here.exclude(seasons=0).exclude(state="novillero")
    assert set(counted.values_list("pk", flat=True)) == fought
    assert len(fought) >= 3


def test_winter_news_name_existing_matadors_and_herds(over_now: Season) -> None:
    turn(over_now)
    news = Winter.objects.get(season=over_now).news
    here = set(Matador.objects.filter(circuit=over_now.circuit_id).values_list("slug", flat=True))
    herds = dict(
        Ganaderia.objects.filter(circuit=over_now.circuit_id).values_list("slug", "renown")
    )
    assert {one["kind"] for one in news} >= {"card", "debut"}
    for one in news:
        if one["kind"] == "herd":
            assert herds[one["slug"]] == one["after"]
        elif one["kind"] != "sire":
            assert one["slug"] in here
    assert sorted(herds.values()) == list(range(len(herds)))


@pytest.mark.slow
def test_winter_can_be_verified_from_its_stored_data(over_now: Season) -> None:
    turn(over_now)
    winter = Winter.objects.select_related("season__circuit").get(season=over_now)
    assert verify.check_winter(winter) == ()
    card = MatadorCard.objects.filter(matador__circuit=over_now.circuit_id, printing=2)[0]
    MatadorCard.objects.filter(pk=card.pk).update(rating=card.rating + 1)
    (found,) = verify.check_winter(winter)
    assert found.name == f"card/{card.matador.slug}"
    winter.seed = bytes(32)
    assert "commitment" in {one.name for one in verify.check_winter(winter)}


def test_data_of_a_year_are_packed_without_loss(over_now: Season) -> None:
    gathered = gather_year(over_now, Seed(bytes(32)))
    assert year_of(unpack(pack(gathered.year))) == gathered.year


def test_collecting_a_year_takes_a_fixed_number_of_queries(over_now: Season) -> None:
    with CaptureQueriesContext(connection) as one:
        gather_year(over_now, Seed(bytes(32)))
    following = turn(over_now)
    with CaptureQueriesContext(connection) as two:
        gather_year(following, Seed(bytes(32)))
    assert len(one) == len(two) <= 8


def in_the_way(season: Season) -> str:
    with pytest.raises(errors.OperationError) as refused:
        open_next_season(circuit=season.circuit, at=SPRING)
    assert Winter.objects.get(season=season).done_at is None
    return str(refused.value)


WAYS = [
    (Corrida.State.ANNOUNCED, "still to be played"),
    (Corrida.State.ON_AIR, "on air"),
    (Corrida.State.QUEUED, "on air"),
    (
        Corrida.State.AT_TABLE,
        (
            "corrida is being played at a real table. It returns to the season when its result is "
            "entered or its deadline passes."
        ),
    ),
    (Corrida.State.FAILED, "could not be played"),
]


@pytest.mark.parametrize(("state", "sentence"), WAYS)
def test_unfinished_corridas_prevent_the_winter_with_a_message(
    over_now: Season, state: str, sentence: str
) -> None:
    last = Corrida.objects.of_season(over_now).last()
    assert last is not None
    Corrida.objects.filter(pk=last.pk).update(state=state)
    assert sentence in in_the_way(over_now)


def test_failed_corridas_may_be_left_out_of_the_season(over_now: Season) -> None:
    last = Corrida.objects.of_season(over_now).last()
    assert last is not None
    Corrida.objects.filter(pk=last.pk).update(state=Corrida.State.FAILED)
    following = open_next_season(circuit=over_now.circuit, at=SPRING, leave_failed=True)
    assert following.year == world.YEAR + 1
    with pytest.raises(
        errors.OperationError,
        match="The winter after this season has ended, so the corrida can no longer be changed",
    ):
        season_operations.retry_corrida(corrida=last, at=SPRING)


def test_corrida_without_available_matadors_does_not_prevent_the_winter(over_now: Season) -> None:
    last = Corrida.objects.of_season(over_now).last()
    assert last is not None
    Corrida.objects.create(
        season=over_now,
        plaza=last.plaza,
        date=dt.date(world.YEAR, 9, 9),
        state=Corrida.State.FAILED,
    )
    assert what_is_in_the_way(left_in_season(over_now)) == ""
    assert turn(over_now).year == world.YEAR + 1


def test_season_with_an_active_run_is_not_over(over_now: Season) -> None:
    Run.objects.create(season=over_now, until=dt.date(2026, 12, 31), asked_at=NOW)
    assert "The season is being played" in in_the_way(over_now)


@pytest.mark.parametrize("resting", ["frozen_at", "archived_at"])
def test_frozen_or_archived_circuit_has_no_winter(over_now: Season, resting: str) -> None:
    setattr(over_now.circuit, resting, NOW)
    over_now.circuit.save(update_fields=[resting])
    assert "so no corridas can be played in it" in in_the_way(over_now)
    with pytest.raises(NotOverError):
        turn(over_now, leave_failed=True)


def test_three_requests_at_once_play_one_winter(copies: Callable[[], str]) -> None:
    url = copies()
    with opened(url):
        season = brief_over()
    came = at_once(url, *[lambda: turn(season).year] * 3)
    assert came == [world.YEAR + 1] * 3
    with opened(url):
        check_turned()
        assert Season.objects.filter(circuit=season.circuit_id).count() == 2


@pytest.mark.slow
def test_worker_killed_during_the_winter_can_be_replaced(copies: Copies) -> None:
    """A killed worker leaves the season over and the winter unplayed, and the next worker plays the
    whole winter.

    Only the last kills come after the commit, while events are published.
    """
    found = [
        check(url)
        for url in kills(DatabaseCopies(copies, brief_over), lambda: turn(world_brief()), 9)
    ]
    assert found == sorted(found)
    assert found.count("spring") <= 2


def world_brief() -> Season:
    return Season.objects.select_related("circuit").get(circuit__slug="brief", year=world.YEAR)


def check(url: str) -> str:
    with opened(url):
        season = world_brief()
        winter = Winter.objects.get(season=season)
        state = "spring" if winter.done_at else "autumn"
        printed = MatadorCard.objects.filter(matador__circuit=season.circuit_id, printing=2)
        planned = Season.objects.filter(circuit=season.circuit_id).count()
        named = Matador.objects.filter(circuit=season.circuit_id, state="novillero")
        whole = state == "spring"
        assert (printed.exists(), planned == 2, named.exists()) == (whole, whole, whole)
        turn(season)
        check_turned()
    return state


def check_turned() -> None:
    season = world_brief()
    winter = Winter.objects.select_related("season__circuit").get(season=season)
    assert winter.done_at is not None
    assert verify.check_winter(winter) == ()
    assert Winter.objects.filter(season__circuit=season.circuit_id).count() == 2


def test_only_active_matadors_get_contracts(over_now: Season) -> None:
    following = turn(over_now)
    here = Matador.objects.filter(circuit=over_now.circuit_id)
    active = here.filter(state="active", cards__isnull=False).distinct()
    gone = active.first()
    assert gone is not None
    here.filter(pk=gone.pk).update(state="retired", retired_in=world.YEAR)
    world.play_season(following)
    appeared = set(
        Corrida.objects.filter(season=following).values_list("cartel__puestos__matador", flat=True)
    )
    assert appeared <= set(here.filter(state="active").values_list("pk", flat=True))
    with pytest.raises(errors.OperationError):  # everything is played
        season_operations.run_season(season=following, goal=season_operations.Goal(), at=NOW)


def test_matador_who_retires_in_midseason_is_replaced(rows: str) -> None:
    season = world.wild()
    announce(season, until=dt.date(world.YEAR, 12, 31), fresh=seeds("mid"))
    last = Corrida.objects.of_season(season).last()
    assert last is not None
    leaving = last.cartel.puestos.get(order=0).matador
    Matador.objects.filter(pk=leaving.pk).update(state="retired", retired_in=world.YEAR)
    world.play_season(season)
    assert not last.cartel.puestos.filter(matador=leaving).exists()
    assert not Corrida.objects.filter(season=season, cartel__puestos__matador=leaving).exists()


def test_half_of_a_herds_bulls_are_sons_of_its_sire(over_now: Season) -> None:
    """The sire was spared five years ago. The other bulls have no known sire."""
    herds = Ganaderia.objects.filter(circuit=over_now.circuit_id)
    for number, herd in enumerate(herds, start=1):
        Bull.objects.create(
            ganaderia=herd,
            year=world.YEAR - 4,
            number=number,
            name="Indultado",
            coat="negro",
            weight=520,
            state=Bull.State.SEMENTAL,
        )
    following = turn(over_now)
    world.play_season(following)
    bulls = Bull.objects.filter(cartel__corrida__season=following).select_related("sire")
    sons = [bull for bull in bulls if bull.sire]
    assert 0 < len(sons) < len(bulls) == 12
    for bull in sons:
        assert bull.sire is not None
        assert (bull.sire.ganaderia_id, bull.sire.name) == (bull.ganaderia_id, "Indultado")


@pytest.mark.slow
def test_periodic_task_opens_the_next_season(over_now: Season) -> None:
    circuit = over_now.circuit
    circuit.always_on_air = True
    circuit.save(update_fields=["always_on_air"])
    assert (
        next_for_the_sand(at=SPRING, fresh=seeds("sweep"), on_winter=notifications.winter_over)
        == []
    )
    assert Winter.objects.get(season=over_now).done_at == SPRING
    # No director has seen the new calendar, so nobody is hired for its first carteles during the
    # first hour.
    for minutes, number in ((0, 0), (59, 0), (60, 1)):
        queued = next_for_the_sand(
            at=SPRING + dt.timedelta(minutes=minutes),
            fresh=seeds("sweep"),
            on_winter=notifications.winter_over,
        )
        assert len(queued) == number
    assert Corrida.objects.get(pk=queued[0]).season.year == world.YEAR + 1


def test_periodic_task_waits_for_a_corrida_at_a_table(over_now: Season) -> None:
    circuit = over_now.circuit
    circuit.always_on_air = True
    circuit.save(update_fields=["always_on_air"])
    last = Corrida.objects.of_season(over_now).last()
    assert last is not None
    Corrida.objects.filter(pk=last.pk).update(state=Corrida.State.AT_TABLE)
    assert (
        next_for_the_sand(at=SPRING, fresh=seeds("sweep"), on_winter=notifications.winter_over)
        == []
    )
    assert Winter.objects.get(season=over_now).done_at is None
