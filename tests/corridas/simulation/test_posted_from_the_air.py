"""A run that ends broadcasts of its season posts these corridas as its own."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from accounts.models import Notice, User
from corridas.models import Corrida, Run
from corridas.season import digest
from corridas.season.operations import Goal, prepare_run, run_season
from corridas.world.stops import StopOn
from tests.corridas.simulation.arena import NOW, day_of, fight, post
from tests.factories import World, small_circuit

pytestmark = pytest.mark.django_db
TAIL = {"trophy": 3}
AT = NOW + dt.timedelta(hours=1)


@pytest.fixture
def world() -> World:
    """Return a circuit whose first matador leads by a tail, with one corrida still to be played."""
    made = small_circuit()
    post(made, day_of(made, 2), TAIL)
    made.announce(day_of(made, 20))
    return made


def air(world: World, day: int, *brought: dict[str, Any], first: int = 0) -> Corrida:
    return fight(world, world.announce(day_of(world, day), first=first), *brought)


def begin(world: World, *stop_on: StopOn, by: User | None = None) -> Run:
    return prepare_run(season=world.season, goal=Goal(), at=AT, stop_on=stop_on, by=by)


def digest_of(run: Run) -> digest.Digest:
    row = digest.find_run("leyendas", run.season.year, run.pk)
    assert row is not None
    return digest.digest_of(row)


def test_broadcasts_ended_by_a_run_are_in_the_summary_of_the_run(world: World) -> None:
    aired = air(world, 5, TAIL, TAIL)
    run = begin(world)
    aired.refresh_from_db()
    assert (aired.state, aired.run_id) == (Corrida.State.POSTED, run.pk)
    assert (run.state, run.done, run.total, run.last_id) == ("queued", 0, 1, aired.pk)
    shown = digest_of(run)
    assert [corrida.pk for corrida in shown.held] == [aired.pk]
    assert (shown.totals["ears"], shown.totals["tails"]) == (4, 2)
    # Before the run, only the corrida of 2 March was counted.
    moves = {move.line.pk: (move.was, move.line.place, move.line.ears) for move in shown.moves}
    assert moves == {}, "no place changed"
    air(world, 8, {}, TAIL | {"ending": "spared"})
    Run.objects.filter(pk=run.pk).update(state="done", ended_at=AT)
    first, second = digest_of(begin(world)).moves
    assert (first.line.pk, first.was, first.line.place) == (world.matadors[1].pk, 2, 1)
    assert (second.line.pk, second.was, second.line.place) == (world.matadors[0].pk, 1, 2)


def test_corrida_posted_before_the_run_is_not_in_its_summary(world: World) -> None:
    earlier = air(world, 4, TAIL)
    first = begin(world)
    Run.objects.filter(pk=first.pk).update(state="done", ended_at=AT)
    aired = air(world, 6, TAIL)
    second = begin(world)
    assert [row.pk for row in digest_of(first).held] == [earlier.pk]
    assert [row.pk for row in digest_of(second).held] == [aired.pk]


def test_run_that_stops_at_a_new_leader_stops_at_a_posted_broadcast(world: World) -> None:
    """The second matador takes the lead with the second bull of the broadcast, before the run
    plays anything.
    """
    ana = User.objects.create_user("ana")
    aired = air(world, 5, {}, TAIL | {"ending": "spared"}, first=0)
    run, _notified = run_season(
        season=world.season, goal=Goal(), at=AT, stop_on=[StopOn.LEADER], by=ana
    )
    assert (run.state, run.reason, run.done, run.last_id) == ("stopped", "leader", 0, aired.pk)
    assert Corrida.objects.filter(state=Corrida.State.ANNOUNCED).count() == 1
    (stop,) = digest_of(run).stops
    assert (stop.kind, stop.corrida.pk, stop.turn) == ("leader", aired.pk, 2)
    assert stop.person is not None
    assert stop.person.slug == world.matadors[1].slug
    notice = Notice.objects.get(user=ana, kind="run_stopped")
    assert notice.data["corridas"] == 1
    assert notice.data["leader"] == world.matadors[1].name
    assert str(run.pk) in notice.link


@pytest.mark.parametrize(
    ("brought", "stop_on"),
    [
        # The second matador wins as many trophies as the first, but not more, so the leader stays
        # the same.
        ([{}, {"trophy": 2}], (StopOn.LEADER,)),
        # The first matador extends his lead.
        ([TAIL], (StopOn.LEADER,)),
        # The leader changes, but the run does not stop at a new leader.
        ([{}, TAIL | {"ending": "spared"}], ()),
        ([{}, TAIL | {"ending": "spared"}], (StopOn.INDULTO, StopOn.INJURY, StopOn.RECORD)),
    ],
)
def test_run_continues_if_a_posted_broadcast_changes_no_lead(
    world: World, brought: list[dict[str, Any]], stop_on: tuple[StopOn, ...]
) -> None:
    air(world, 5, *brought)
    assert begin(world, *stop_on).state == "queued"


def test_run_summary_names_the_corrida_that_changed_the_leader(world: World) -> None:
    """Two corridas are on air and posted at the same instant.

    The first changes the leader, the second does not.
    """
    changing = air(world, 5, {}, TAIL | {"ending": "spared"})
    air(world, 7, {})
    run = begin(world, StopOn.LEADER)
    assert (run.state, run.last_id) == ("stopped", changing.pk)
    (stop,) = digest_of(run).stops
    assert (stop.corrida.pk, stop.turn) == (changing.pk, 2)
    assert len(digest_of(run).held) == 2


def test_first_leader_of_a_season_does_not_stop_a_run() -> None:
    made = small_circuit()
    air(made, 5, TAIL)
    made.announce(dt.date(2027, 3, 20))
    assert begin(made, StopOn.LEADER).state == "queued"


def test_records_broken_by_posted_broadcasts_belong_to_the_run(world: World) -> None:
    air(world, 5, {"score": 99})
    run = begin(world)
    run.refresh_from_db()
    lines = {line["key"]: (line["before"], line["value"]) for line in run.fallen or []}
    assert lines["lidia_score"] == (3, 99)
