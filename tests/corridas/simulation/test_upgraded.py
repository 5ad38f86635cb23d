"""Upgrading and rebuilding seasons that release 0.1.0 played changes none of their rows.

`tests/deployment/data/README.md` describes these seasons and how they were made.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import F, Sum

from corridas.models import Award, Escalafon, Palmares, Record, RecordBook, Season
from corridas.models.escalafon import COUNTERS
from corridas.world.awards import BY_KEY as AWARDS
from corridas.world.awards import NEW_FOR, REVELATION, VERSION
from corridas.world.records import BY_KEY as RECORDS
from tests.corridas.simulation import world
from tests.databases import Postgres, address, opened

SEASONS = Path(__file__).parents[2] / "deployment/data/seasons-0.1.0.sqlite3.xz"
# The commands `migrate` and `roles` write the rows of these tables.
OF_DJANGO = ("auth", "contenttypes")
DERIVED = (Award, Escalafon, Palmares, Record, RecordBook)

Tables = list[type[models.Model]]
Rows = dict[str, list[dict[str, Any]]]

pytestmark = pytest.mark.slow


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.nightly]),
    ]
)
def tables(request: pytest.FixtureRequest, tmp_path: Path, unblocked: None) -> Iterator[Tables]:
    """Create the tables of release 0.1.0 in the default database, and return the models of that
    release.
    """
    file = tmp_path / "temporada.sqlite3"
    file.write_bytes(lzma.decompress(SEASONS.read_bytes()))
    url = address(file)
    with opened(url) as connection:
        loader = MigrationLoader(connection)
        applied = [key for key in loader.applied_migrations if key in loader.graph.nodes]
        state = loader.project_state(applied)
        tables = list(state.apps.get_models(include_auto_created=True))
        rows = {model: list(model._base_manager.all()) for model in tables}
    if request.param == "sqlite":
        with opened(url):
            yield tables
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = server.create("played_by_0_1_0")
    with opened(url) as connection:
        MigrationExecutor(connection).migrate(applied)
        write(rows)
        yield tables
    server.drop(url)


def write(rows: dict[type[models.Model], list[models.Model]]) -> None:
    """Replace all rows of the default database, which is PostgreSQL."""
    connection = connections["default"]
    names = ", ".join(f'"{model._meta.db_table}"' for model in rows)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {names}")
        for model, of_model in rows.items():
            model._base_manager.bulk_create(of_model)
        for statement in connection.ops.sequence_reset_sql(no_style(), list(rows)):
            cursor.execute(statement)


def read(tables: Tables) -> Rows:
    """Return all rows of these models, without tables of Django and other packages."""
    return {
        model._meta.db_table: [
            {name: _plain(value) for name, value in row.items()}
            for row in model._base_manager.order_by("pk").values()
        ]
        for model in tables
        if model._meta.app_label not in OF_DJANGO
    }


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def command_output(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def derived() -> dict[str, list[str]]:
    """Return all rows that a rebuild computes, without their primary keys."""
    return {
        model.__name__: sorted(
            str({name: value for name, value in row.items() if name not in ("id", "book_id")})
            for row in model._default_manager.values(*_columns(model))
        )
        for model in DERIVED
    }


def _columns(model: type[models.Model]) -> list[str]:
    names = [field.attname for field in model._meta.concrete_fields]
    return [*names, "book__scope", "book__of"] if "book_id" in names else names


# This is one test because the migrations since that release take twenty seconds.
def test_upgrade_and_rebuild_preserve_rows_of_release_0_1_0(tables: Tables) -> None:
    before = read(tables)
    call_command("prepare", verbosity=0)
    assert read(tables) == before
    assert "differ" not in command_output("rebuild", "escalafon", "--check")
    assert "differ" not in command_output("rebuild", "escalafon")
    assert read(tables) == before
    everything_is_in_them()
    a_rebuild_that_writes_gives_the_same()
    the_season_goes_on_by_new_rules()


def everything_is_in_them() -> None:
    """Check that the data have each counter, kind of record and award.

    They include revelation awards that today's rules would not give.
    """
    counted = Escalafon.objects.aggregate(**{name: Sum(name) for name in COUNTERS})
    assert all(counted.values()), counted
    assert set(Record.objects.values_list("key", flat=True)) == set(RECORDS)
    given = Award.objects.exclude(matador=None, ganaderia=None)
    assert set(given.values_list("key", flat=True)) == set(AWARDS)
    revelations = Award.objects.filter(key=REVELATION)
    assert not revelations.filter(matador=None).exclude(version=VERSION).exists()
    by_then = revelations.filter(
        version=1, matador__alternativa__year__lte=F("season__year") - NEW_FOR
    )
    assert by_then.filter(feria=None).count() == 4
    assert by_then.exclude(feria=None).count() == 9


def a_rebuild_that_writes_gives_the_same() -> None:
    as_upgraded = derived()
    for model, column in ((Escalafon, "two_ears"), (Palmares, "ears"), (Award, "score")):
        row = model._default_manager.latest("pk")
        model._default_manager.filter(pk=row.pk).update(**{column: F(column) + 1})
    Record.objects.latest("pk").delete()
    assert derived() != as_upgraded
    assert "differ" in command_output("rebuild", "escalafon")
    assert derived() == as_upgraded


def the_season_goes_on_by_new_rules() -> None:
    """Play the rest of the season, and check that today's rules give its awards.

    Its first feria had begun in the old release, and none of its awards were given.
    """
    season = Season.objects.select_related("circuit").get(circuit__slug="leyendas", year=2029)
    given = set(Award.objects.values_list("pk", "version", "matador"))
    world.play_season(season)
    after = set(Award.objects.values_list("pk", "version", "matador"))
    assert given < after
    assert {version for _pk, version, _matador in after - given} == {VERSION}
    assert "differ" not in command_output("rebuild", "escalafon", "--check")
