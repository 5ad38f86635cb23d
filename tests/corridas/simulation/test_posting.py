"""Posting a corrida updates the rows of its own circuit and season once, and no other rows."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corridas.models import (
    Bull,
    Corrida,
    Escalafon,
    Injury,
    Lidia,
    Matador,
    Palmares,
    Puesto,
    Record,
    Season,
)
from corridas.models.escalafon import COUNTERS
from corridas.simulation.post import post_due, post_now, rebuild
from corridas.simulation.rows import played_corridas
from events.models import Event
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, OUTCOMES, day_of, fight, in_year, post

S = Corrida.State
TICK = dt.timedelta(microseconds=1)


def rows(world: World) -> dict[tuple[int, int], dict[str, int]]:
    """Return the counters of a season that are not 0, by place of the matador and category."""
    places = {matador.pk: place for place, matador in enumerate(world.matadors)}
    return {
        (places[row.matador_id], row.category): {
            name: getattr(row, name) for name in COUNTERS if getattr(row, name)
        }
        for row in Escalafon.objects.filter(season=world.season)
    }


def on_air(world: World, day: int, *brought: dict[str, Any], **parts: Any) -> Corrida:
    return fight(world, world.announce(day_of(world, day), **parts), *brought)


def test_counters_grow_in_their_own_season_and_category(mine: World, other: World) -> None:
    later = in_year(mine, 2028)
    for world, plaza in ((mine, 0), (mine, 0), (mine, 1), (other, 0), (later, 0)):
        day = 2 + Corrida.objects.filter(season=world.season).count()
        post(world, day_of(world, day), {"trophy": 1}, plaza=plaza)
    once, twice = {"corridas": 1, "bulls": 2}, {"corridas": 2, "bulls": 4}
    assert rows(mine) == {
        (0, 1): {**twice, "ears": 2},
        (1, 1): twice,
        (2, 1): twice,
        (0, 2): {**once, "ears": 1},
        (1, 2): once,
        (2, 2): once,
    }
    assert rows(other) == rows(later) == {(0, 1): {**once, "ears": 1}, (1, 1): once, (2, 1): once}
    versions = [Season.objects.get(pk=one.season.pk).posted_version for one in (mine, other, later)]
    assert versions == [3, 1, 1]


def test_every_counter_is_added_to_its_earlier_value(mine: World) -> None:
    brought = [columns | {"finisher": 0} for columns, _counted in OUTCOMES[1:]]
    for day in (2, 3):
        post(mine, day_of(mine, day), *brought[:6])
        post(mine, day_of(mine, day + 10), {"injured": 1, "finisher": 1}, *brought[6:])
    assert rows(mine)[0, 1] == {
        "corridas": 4,
        "bulls": 2 * (6 + 2 + 1),
        "ears": 2 * (5 + 2),
        "tails": 2 * (1 + 1),
        "two_ears": 2 * (2 + 1),
        "vueltas": 2,
        "indultos": 2 * (1 + 1),
        "avisos": 2 * (2 + 3),
        "three_avisos": 2,
        "injuries": 2,
    }


def test_corrida_is_posted_once(mine: World) -> None:
    corrida = on_air(mine, 2, {"trophy": 1})
    assert post_now(corrida.pk, at=NOW)
    before = rows(mine)
    assert not post_now(corrida.pk, at=NOW + TICK)
    assert post_due(at=NOW + TICK) == []
    corrida.refresh_from_db()
    assert (corrida.state, corrida.posted_at) == (S.POSTED, NOW)
    assert rows(mine) == before
    assert Season.objects.get(pk=mine.season.pk).posted_version == 1


@pytest.mark.parametrize("state", [one for one in S.values if one != S.ON_AIR])
def test_only_corridas_on_air_are_posted(mine: World, state: str) -> None:
    corrida = on_air(mine, 2)
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    assert not post_now(corrida.pk, at=NOW)
    assert post_due(at=NOW) == []
    assert Corrida.objects.get(pk=corrida.pk).state == state
    assert not Escalafon.objects.exists()


def test_corrida_is_due_from_the_end_of_its_broadcast(mine: World) -> None:
    corrida = on_air(mine, 2)
    assert post_due(at=NOW - TICK) == []
    assert post_due(at=NOW) == [corrida.pk]


def test_due_corridas_are_posted_by_season_and_date(mine: World, other: World) -> None:
    late, early, elsewhere = on_air(mine, 9), on_air(mine, 2), on_air(other, 5)
    waits = on_air(mine, 3)
    Corrida.objects.filter(pk=waits.pk).update(ends_at=NOW + TICK)
    assert post_due(at=NOW) == [early.pk, late.pk, elsewhere.pk]
    over = Corrida.objects.filter(state=S.POSTED)
    assert set(over.values_list("posted_at", flat=True)) == {NOW}
    assert Corrida.objects.get(pk=waits.pk).state == S.ON_AIR
    assert [Season.objects.get(pk=one.season.pk).posted_version for one in (mine, other)] == [1, 1]


def test_posting_is_split_into_batches(mine: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corridas.simulation.post.BATCH_SIZE", 2)
    keys = [on_air(mine, day).pk for day in (2, 3, 4)]
    assert post_due(at=NOW) == keys
    assert Season.objects.get(pk=mine.season.pk).posted_version == 2


def test_corrida_that_was_broken_off_counts_and_is_suspended(mine: World) -> None:
    whole = on_air(mine, 2)
    broken = fight(
        mine,
        mine.announce(day_of(mine, 3)),
        {"trophy": 1},
        {"ending": "broken_off", "finisher": None, "trophy": None, "crowd": None},
        bulls=2,
    )
    post_due(at=NOW)
    states = [Corrida.objects.get(pk=one.pk).state for one in (whole, broken)]
    assert states == [S.POSTED, S.SUSPENDED]
    assert rows(mine)[0, 1] == {"corridas": 2, "bulls": 3, "ears": 1}
    assert rows(mine)[1, 1] == {"corridas": 2, "bulls": 2}
    kinds = dict(Event.objects.values_list("subject", "kind"))
    assert kinds[f"corrida/{whole.pk}"] == "corrida.posted"
    assert kinds[f"corrida/{broken.pk}"] == "corrida.suspended"


def test_bulls_get_the_state_of_their_lidia(mine: World) -> None:
    corrida = post(
        mine,
        day_of(mine, 2),
        {"ending": "spared"},
        {"ending": "three_avisos"},
        {"ending": "killed"},
        {"ending": "broken_off", "finisher": None, "trophy": None, "crowd": None},
        bulls=4,
    )
    waiting = mine.announce(day_of(mine, 3))
    field = Bull.objects.create(
        ganaderia=mine.herd, year=2027, number=99, name="X", coat="negro", weight=500,
        cartel=waiting.cartel, place=0,
    )  # fmt: skip
    fates = Bull.objects.filter(cartel=corrida.pk).order_by("place").values_list("state", flat=True)
    assert list(fates) == ["semental", "corrales", "muerto", "corrales"]
    field.refresh_from_db()
    assert field.state == "campo"


def test_injured_matador_gets_an_injury_and_a_note_on_the_cartel(mine: World, other: World) -> None:
    quiet = post(other, day_of(other, 2))
    corrida = post(mine, day_of(mine, 2), {}, {"injured": 2, "finisher": 2})
    injury = Injury.objects.get()
    assert (injury.matador, injury.corrida, injury.turn) == (mine.matadors[1], corrida, 2)
    assert injury.since == corrida.date < injury.until
    named = Puesto.objects.filter(cartel=corrida.pk).values_list("injured_in", flat=True)
    assert list(named) == [None, 2, None]
    assert not Puesto.objects.filter(cartel=quiet.pk).exclude(injured_in=None).exists()
    assert rows(mine)[1, 1]["injuries"] == 1


def test_form_gets_the_letters_of_a_corrida_and_holds_ten(mine: World) -> None:
    Matador.objects.filter(pk=mine.matadors[0].pk).update(form="SSSSSSSSSX")
    post(mine, day_of(mine, 2), {"trophy": 1}, {}, {}, {"trophy": 3})
    forms = [Matador.objects.get(pk=one.pk).form for one in mine.matadors]
    assert forms == ["SSSSSSSX1R", "SS", "SS", ""]


# Read from the database


def test_played_corridas_are_read_by_date_with_their_lidias(mine: World, other: World) -> None:
    late = on_air(mine, 5, {"trophy": 1})
    early = on_air(mine, 4, {"trophy": 2}, plaza=1)
    on_air(other, 4)
    read = played_corridas(Corrida.objects.filter(season=mine.season))
    assert [one.pk for one in read] == [early.pk, late.pk]
    assert [one.category for one in read] == [2, 1]
    for one, trophy in zip(read, (2, 1), strict=True):
        assert [lidia.turn for lidia in one.lidias] == [1, 2, 3, 4, 5, 6]
        bulls = Lidia.objects.filter(corrida=one.pk).order_by("turn")
        assert [lidia.bull_id for lidia in one.lidias] == [lidia.bull_id for lidia in bulls]
        assert one.lidias[0].trophy == trophy
        men = Puesto.objects.filter(cartel=one.pk).order_by("order")
        assert list(one.matadors) == list(men.values_list("matador", flat=True))
        assert one.suspended is False


# Rebuilt from the lidias


def test_escalafon_is_rebuilt_from_posted_corridas_of_its_season(mine: World, other: World) -> None:
    post(mine, day_of(mine, 2), {"trophy": 1})
    post(other, day_of(other, 2))
    post(in_year(mine, 2028), dt.date(2028, 3, 2), {"trophy": 1})
    on_air(mine, 3, {"trophy": 3})
    for world in (mine, other):
        assert rebuild(world.season, write_rows=False) == []
    Escalafon.objects.filter(season=other.season).update(ears=9)
    assert rebuild(mine.season, write_rows=True) == []
    told = rebuild(other.season, write_rows=False)
    assert told == [
        f"matador {one.pk}, category 1, ears: stored 9, calculated 0" for one in other.matadors[:3]
    ]
    versions = Season.objects.filter(pk=other.season.pk).values_list("posted_version", flat=True)
    assert list(versions) == [1]
    before = rows(mine)
    assert rebuild(other.season, write_rows=True) == told
    assert list(versions.all()) == [2]
    assert rows(mine) == before
    assert rows(other)[0, 1] == {"corridas": 1, "bulls": 2}


def test_rebuilding_one_season_leaves_the_others_unchanged(mine: World) -> None:
    later = in_year(mine, 2028)
    post(mine, day_of(mine, 2), {"trophy": 1})
    post(later, day_of(later, 2), {"trophy": 2})
    before = rows(mine), rows(later)
    Escalafon.objects.filter(season=mine.season).update(ears=9)
    assert rebuild(mine.season, write_rows=True)
    assert (rows(mine), rows(later)) == before


@pytest.mark.parametrize("name", COUNTERS)
def test_rebuild_reports_a_wrong_counter(mine: World, name: str) -> None:
    post(mine, day_of(mine, 2))
    row = Escalafon.objects.get(season=mine.season, matador=mine.matadors[0])
    value = getattr(row, name)
    Escalafon.objects.filter(pk=row.pk).update(**{name: value + 1})
    assert rebuild(mine.season, write_rows=False) == [
        f"matador {row.matador_id}, category 1, {name}: stored {value + 1}, calculated {value}"
    ]


def test_rebuild_counts_suspended_corridas_but_not_broadcasts(mine: World) -> None:
    broken = fight(mine, mine.announce(day_of(mine, 2)), {"trophy": 1}, bulls=3)
    post_now(broken.pk, at=NOW)
    assert Corrida.objects.get(pk=broken.pk).state == S.SUSPENDED
    before = rows(mine)
    Escalafon.objects.all().delete()
    on_air(mine, 3)
    assert rebuild(mine.season, write_rows=True)
    assert rows(mine) == before


def test_record_books_of_two_circuits_are_separate(mine: World, other: World) -> None:
    post(other, day_of(other, 1), {"trophy": 3, "score": 99}, {"trophy": 3})
    post(mine, day_of(mine, 2), {"trophy": 1})
    ears = Record.objects.filter(book__scope="plaza", book__of="ronda", key="corrida_ears")
    assert dict(ears.values_list("book__circuit", "value")) == {
        mine.circuit.pk: 1,
        other.circuit.pk: 4,
    }
    career = Palmares.objects.filter(book__scope="circuit", ears__gt=0)
    assert set(career.values_list("book__circuit", "matador", "ears")) == {
        (mine.circuit.pk, mine.matadors[0].pk, 1),
        (other.circuit.pk, other.matadors[0].pk, 2),
        (other.circuit.pk, other.matadors[1].pk, 2),
    }
