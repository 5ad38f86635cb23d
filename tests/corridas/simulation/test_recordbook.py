"""The record book after whole seasons: equal to a rebuilt one, and independent of the posting
order.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Max, Sum

from corridas.models import (
    Award,
    Circuit,
    Corrida,
    Escalafon,
    Lidia,
    Palmares,
    Record,
    RecordBook,
    Season,
)
from corridas.simulation.derived_book import book_until, rebuild_book
from corridas.simulation.play import Batch, play_on_air
from corridas.simulation.post import post_now
from corridas.simulation.record_book import rebuild_record_book
from corridas.simulation.rows import played_corridas
from corridas.world.deeds import PlayedLidia
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.databases import rolled_back

Line = tuple[str, str, str]


def book(circuit: Circuit) -> dict[Line, tuple[object, ...]]:
    return read(Record.objects.filter(book__circuit=circuit))


def book_of(circuit: Circuit, until: dt.date) -> dict[Line, tuple[object, ...]]:
    """Return the record book as it was at the end of a day."""
    then = book_until(circuit.pk, until)
    places = {line[:2] for line in then.lines}
    return read(row for place in places for row in then.records(*place))


def read(rows: Iterable[Record]) -> dict[Line, tuple[object, ...]]:
    return {
        (row.book.scope, row.book.of, row.key): (
            row.value,
            row.before,
            row.corrida_id,
            row.turn,
            row.matador_id,
            row.ganaderia_id,
            row.bull_id,
            row.season_id,
            row.set_on,
        )
        for row in rows
    }


def value(circuit: Circuit, key: str, scope: str = "circuit", of: str = "") -> int:
    book = RecordBook.objects.get(circuit=circuit, scope=scope, of=of)
    return book.records.get(key=key).value


@pytest.mark.slow
@pytest.mark.usefixtures("over")
@pytest.mark.parametrize("slug", ["leyendas", "wild"])
def test_rebuilt_record_book_equals_the_stored_one(slug: str) -> None:
    circuit = Circuit.objects.get(slug=slug)
    assert Record.objects.filter(book__circuit=circuit).count() > 50
    assert rebuild_book(circuit, write_rows=False) == []


@pytest.mark.slow
@pytest.mark.usefixtures("over")
@pytest.mark.parametrize("slug", ["leyendas", "wild"])
def test_record_book_of_a_past_day_equals_the_one_stored_then(slug: str) -> None:
    circuit = Circuit.objects.get(slug=slug)
    corridas = Corrida.objects.filter(season__circuit=circuit)
    days = sorted(set(corridas.over().values_list("date", flat=True)))
    assert book_of(circuit, days[-1]) == book(circuit)
    for until in (days[0] - dt.timedelta(days=1), days[0], days[len(days) // 2]):
        then = book_of(circuit, until)
        with rolled_back():
            corridas.filter(date__gt=until).update(state=Corrida.State.ANNOUNCED)
            rebuild_record_book(circuit.pk)
            assert then == book(circuit)
            assert bool(then) is (until >= days[0])


@pytest.mark.usefixtures("over")
def test_season_records_are_the_best_figures_of_its_lidias() -> None:
    circuit = Circuit.objects.get(slug="leyendas")
    lidias = Lidia.objects.posted().filter(corrida__season__circuit=circuit)
    told = lidias.filter(finisher__isnull=False).aggregate(
        score=Max("score"), bull=Max("bull_points")
    )
    assert value(circuit, "lidia_score") == told["score"]
    assert value(circuit, "lidia_bull") == told["bull"]
    counted = Escalafon.objects.filter(season__circuit=circuit).values("matador")
    for name in ("corridas", "ears", "tails"):
        most = counted.annotate(most=Sum(name)).aggregate(best=Max("most"))["best"]
        assert value(circuit, f"season_{name}") == value(circuit, f"career_{name}") == most
    ears = Escalafon.objects.filter(season__circuit=circuit).aggregate(all=Sum("ears"))["all"]
    assert value(circuit, "year_ears") == ears


@pytest.mark.usefixtures("over")
def test_record_of_a_lidia_has_the_figure_of_that_lidia() -> None:
    held = Record.objects.filter(key__in=("lidia_score", "lidia_bull")).exclude(corrida=None)
    for row in held.select_related("corrida__plaza")[:40]:
        assert row.turn is not None
        lidia = Lidia.objects.get(corrida=row.corrida_id, turn=row.turn)
        assert row.value == (lidia.score if row.key == "lidia_score" else lidia.bull_points)
        assert row.matador_id == lidia.finisher_id
        assert row.bull_id == lidia.bull_id
        assert row.corrida is not None
        assert row.set_on == row.corrida.date


@pytest.mark.usefixtures("over")
def test_sums_of_all_plazas_add_up_to_the_career() -> None:
    circuit = Circuit.objects.get(slug="leyendas")
    rows = Palmares.objects.filter(book__circuit=circuit)
    career = dict(rows.filter(book__scope="circuit").values_list("matador", "ears"))
    for scope in ("plaza", "herd"):
        places = rows.filter(book__scope=scope).values_list("matador").annotate(Sum("ears"))
        assert dict(places) == career
    assert rows.filter(book__scope="circuit", leads=1).count() == 1


@pytest.mark.usefixtures("over")
def test_every_feria_and_the_season_have_their_awards() -> None:
    season = Season.objects.get(circuit__slug="leyendas")
    assert Counter(Award.objects.filter(season=season).values_list("key", flat=True)) == {
        key: season.ferias.count() + 1 for key in ("triumph", "lidia", "bull", "herd", "revelation")
    }
    for award in Award.objects.filter(season=season).exclude(key="herd"):
        assert award.score == sum(count * weight for _of, count, weight in award.detail["terms"])


@pytest.mark.usefixtures("over")
def test_corridas_read_from_the_database_equal_the_played_ones() -> None:
    season = world.wild()
    corridas = Corrida.objects.over().filter(season=season)
    table = Batch(corridas.values_list("pk", flat=True))
    read = played_corridas(corridas)
    assert len(read) == len(corridas)
    for corrida in read:
        played = table.play(season.engine_rules(), corrida.pk)
        rows = [[getattr(row, name) for name in PlayedLidia._fields] for row in played.lidias]
        lidias = tuple(PlayedLidia(*row) for row in rows)
        assert played._replace(lidias=lidias, seed=b"") == corrida


@pytest.mark.slow
@pytest.mark.usefixtures("rows")
def test_record_book_does_not_depend_on_the_order_of_posting() -> None:
    season = world.wild()
    keys = world.queue_all(season)
    for key in keys:
        play_on_air(key, at=NOW)
    for key in reversed(keys):
        post_now(key, at=NOW)
    posted = book(season.circuit)
    assert len(posted) > 50
    assert rebuild_book(season.circuit, write_rows=False) == []
    assert book(season.circuit) == posted


@pytest.mark.usefixtures("rows")
def test_corrida_on_air_is_not_in_the_record_book() -> None:
    season = world.wild()
    key = world.queue_all(season)[0]
    play_on_air(key, at=NOW)
    assert not Record.objects.exists()
    assert not Palmares.objects.exists()
    post_now(key, at=NOW)
    assert set(Record.objects.values_list("corrida", flat=True)) == {key, None}


@pytest.mark.usefixtures("rows")
def test_season_awards_wait_for_the_last_corrida() -> None:
    season = world.brief()
    first, last = world.queue_all(season)
    for key in (first, last):
        play_on_air(key, at=NOW)
    post_now(first, at=NOW)
    assert not Award.objects.exists()
    post_now(last, at=NOW)
    assert Award.objects.filter(feria=None).count() == 5
    assert Award.objects.exclude(feria=None).count() == 5


@pytest.mark.usefixtures("rows")
def test_corrida_posted_after_the_season_ended_counts_as_if_in_time() -> None:
    season = world.brief()
    first, last = world.queue_all(season)
    for key in (first, last):
        play_on_air(key, at=NOW)
    Corrida.objects.filter(pk=first).update(state="failed")
    post_now(last, at=NOW)
    assert Award.objects.filter(feria=None).exists()
    Corrida.objects.filter(pk=first).update(state="on_air")
    post_now(first, at=NOW + dt.timedelta(days=1))
    assert rebuild_book(season.circuit, write_rows=False) == []
    assert Palmares.objects.filter(book__scope="circuit").aggregate(all=Sum("leads"))["all"] == 1


@pytest.mark.slow
@pytest.mark.usefixtures("damageable")
def test_rebuild_finds_and_repairs_a_damaged_record_book() -> None:
    circuit = Circuit.objects.get(slug="wild")
    before = book(circuit)
    spoilt, lost = Record.objects.filter(book__circuit=circuit, book__scope="circuit").order_by(
        "key"
    )[:2]
    Record.objects.filter(pk=spoilt.pk).update(value=F("value") + 1)
    Record.objects.filter(pk=lost.pk).delete()
    out = StringIO()
    with pytest.raises(CommandError, match="differ"):
        call_command("rebuild", "escalafon", check=True, circuit="wild", stdout=out)
    told = (
        f"record circuit {spoilt.key}, value: stored {spoilt.value + 1}, calculated {spoilt.value}"
    )
    assert told in out.getvalue()
    assert (
        f"record circuit {lost.key}, value: stored None, calculated {lost.value}" in out.getvalue()
    )
    assert book(circuit) != before
    call_command("rebuild", "escalafon", circuit="wild", stdout=StringIO())
    assert book(circuit) == before
    assert rebuild_book(circuit, write_rows=False) == []
