"""Two active matadors of the same name can be distinguished everywhere (Ruling I-14)."""

import io
from hashlib import sha256
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from accounts.models import User
from corridas import archive
from corridas.archive import Home
from corridas.archive.acta.writer import of_corrida
from corridas.models import Cartel, Circuit, Corrida, Matador, Puesto, Season
from corridas.simulation import new_circuit, verify
from corridas.simulation.new_circuit import shipped
from corridas.simulation.rows import stake_of
from corridas.simulation.schedule import plan
from corridas.world.calendar import CalendarEntry
from events.models import Event
from fairness import Seed, commitment
from tests.corridas.archive.conftest import end
from tests.corridas.roster.conftest import bring
from tests.corridas.simulation import world
from tests.factories import CARD

pytestmark = pytest.mark.django_db

MATADORS = """\
slug,name,apodo,birthplace,born,alternativa,country,style,fictional
sancho-rueda,Sancho Rueda,,Ronda,1950,1970-05-01,ES,classic,yes
sancho-rueda-2,Sancho Rueda,,Ronda,1980,2003-06-24,ES,artist,yes
sancho-rueda-hijo,Sancho Rueda (hijo),,Ronda,1982,2005-06-24,ES,artist,yes
"""
CARDS = "\n".join(
    [
        f"matador,rating,{','.join(CARD)}",
        *(f"{slug},98,{','.join(CARD.values())}" for slug in ("sancho-rueda", "sancho-rueda-2")),
        "",
    ]
)
DAYS = (CalendarEntry("Feria de los Sanchos", "las-ventas", "03-01", 4, "alternate"),)
OLD, YOUNG = "Sancho Rueda (Ronda, 1950)", "Sancho Rueda (Ronda, 1980)"


@pytest.fixture
def season() -> Season:
    """Return a season with only three active matadors, two of them of the same name.

    So both of them appear in every corrida.
    """
    director = User.objects.create_user("empresario")
    circuit = new_circuit.found(shipped(), slug="two", name="Dos", owner=director, rules={})
    bring(circuit, director, MATADORS, "matadors.csv")
    bring(circuit, director, CARDS, "cards.csv")
    met = ("sancho-rueda", "sancho-rueda-2", "juan-belmonte")
    circuit.matadors.exclude(slug__in=met).update(state=Matador.State.RETIRED)
    return plan(circuit, world.YEAR, DAYS, seed=Seed(sha256(b"two").digest()))


def cartel_with_both(circuit: Circuit) -> Corrida:
    puestos = Puesto.objects.filter(matador__circuit=circuit, matador__name="Sancho Rueda")
    met = [row for row in Cartel.objects.filter(puestos__in=puestos).distinct()
           if row.puestos.filter(matador__name="Sancho Rueda").count() == 2]  # fmt: skip
    assert met, "three matadors are active, so they meet"
    return Corrida.objects.select_related("season__circuit", "plaza").get(pk=met[0].pk)


@pytest.mark.slow
def test_season_with_matadors_of_one_name_is_played_and_verifies(season: Season) -> None:
    run = world.play_season(season)
    assert (run.state, run.done) == ("done", 4)
    both = cartel_with_both(season.circuit)
    stake = stake_of(both)
    keys = {card["name"]: card.get("key") for card in stake["cartel"]}
    assert keys.pop("Juan Belmonte") is None
    assert [card["key"] for card in stake["cartel"] if card["name"] == "Sancho Rueda"] == [
        "sancho-rueda",
        "sancho-rueda-2",
    ], "the elder took the alternativa first"
    seed = bytes(both.cartel.seed)
    assert bytes(both.cartel.commitment) == commitment(seed, stake)
    assert [verify.check(corrida) for corrida in Corrida.objects.of_season(season)] == [()] * 4


@pytest.mark.slow
def test_season_file_with_matadors_of_one_name_verifies_and_imports(season: Season) -> None:
    end(season)
    document = of_corrida(cartel_with_both(season.circuit))
    out = io.BytesIO()
    season = Season.objects.select_related("circuit").get(pk=season.pk)
    archive.export(season, out, promises=True)
    report = archive.verify(io.BytesIO(out.getvalue()))
    assert (report.refused, report.findings) == ("", [])
    home = Home(slug="elsewhere", name="Elsewhere", circuit=None)
    taken = archive.take_in(report, home, at=world.NOW)
    again = of_corrida(cartel_with_both(taken.circuit))
    assert again["stake"] == document["stake"]
    assert again["lidias"] == document["lidias"]
    billings = {man.slug: man.billing for man in taken.circuit.matadors.all()}
    assert (billings["sancho-rueda"], billings["sancho-rueda-2"]) == (OLD, YOUNG)


def test_events_distinguish_matadors_of_one_name(season: Season) -> None:
    world.play_season(season)
    posted = Event.objects.filter(kind="corrida.posted").first()
    assert posted
    assert set(posted.data["matadors"]) == {"Juan Belmonte", OLD, YOUNG}


def test_admin_list_distinguishes_matadors_of_one_name(
    season: Season, admin_client: Client
) -> None:
    query = {"circuit": "all", "q": "sancho rueda"}
    page = admin_client.get("/admin/corridas/matador/", query).text
    for name in (OLD, YOUNG, "Sancho Rueda (hijo)"):
        assert f">{name}</a>" in page


def test_new_matador_of_the_same_name_changes_the_displayed_names(season: Season) -> None:
    circuit, director = season.circuit, User.objects.get(username="empresario")
    assert circuit.matadors.get(slug="sancho-rueda").billing == OLD
    assert circuit.matadors.get(slug="sancho-rueda-hijo").billing == "Sancho Rueda (hijo)"
    header = MATADORS.partition("\n")[0]
    renamed = f"{header}\nsancho-rueda-2,Sancho Rueda Vega,,Ronda,1980,2003-06-24,ES,artist,yes\n"
    bring(circuit, director, renamed, "matadors.csv")
    assert circuit.matadors.get(slug="sancho-rueda").billing == "Sancho Rueda"
    assert circuit.matadors.get(slug="sancho-rueda-2").billing == "Sancho Rueda Vega"


def test_migration_distinguishes_matadors_of_one_name(season: Season) -> None:
    men = season.circuit.matadors
    before = dict(men.values_list("slug", "distinction"))
    men.update(distinction="")
    migration = import_module("corridas.migrations.0014_matador_distinction")
    migration.tell_namesakes_apart(apps, None)
    assert dict(men.values_list("slug", "distinction")) == before
    assert before["sancho-rueda"] == "Ronda, 1950"
