"""What an import changes in a roster: new rows, changed rows, card printings, the archive and
the history.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache

from accounts.models import User
from corridas.errors import OperationError
from corridas.models import (
    Bull,
    Change,
    Circuit,
    Deck,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Run,
)
from corridas.roster.exchange import commit, export
from corridas.roster.exchange.export import Form
from corridas.roster.exchange.preview import Moved, cache_key, earlier_cache_key
from corridas.roster.files import RowVerdict
from corridas.roster.files.columns import BOUND
from corridas.roster.queries import PROMISED
from corridas.simulation import draw
from corridas.simulation.schedule import plan
from corridas.world.calendar import CalendarEntry
from fairness import Seed
from tests.corridas.roster.conftest import NOW, bring, fault_places, look

pytestmark = pytest.mark.django_db
DAYS = (CalendarEntry("Dos tardes", "las-ventas", "03-01", 2, "daily"),)
CARDS = (
    "matador,rating,oreja,dos_orejas,rabo,bronca,pitos,silencio,division,aplausos,ovacion,"
    "vuelta,aviso,indulto\n"
)
FACE = "42-81,82-96,97-100,-,1-8,9-19,20-23,24-36,37-41,32-46,97-100,-\n"
PLAZAS = "slug,name,city,country,continent,category,seats\n"


def announce(circuit: Circuit) -> None:
    """Announce two corridas. Their matadors and bulls are then committed."""
    season = plan(circuit, 2026, DAYS, seed=Seed(b"s" * 32))
    draw.announce(season, until=dt.date(2026, 12, 31), fresh=lambda: Seed(b"f" * 32))


def test_importing_a_printed_card_creates_a_printing_and_an_editable_card_is_changed(
    legends: Circuit, director: User
) -> None:
    announce(legends)
    printed = Puesto.objects.select_related("matador").first()
    assert printed
    others = Matador.objects.filter(circuit=legends).exclude(puestos__isnull=False)
    idle = others.first()
    assert idle
    rows = "".join(f"{m.slug},77,{FACE}" for m in (printed.matador, idle))
    seen = look(legends, director, CARDS + rows)
    assert [step.verdict for step in seen.plan.steps] == [RowVerdict.PRINTING, RowVerdict.CHANGED]
    bring(legends, director, CARDS + rows)
    assert sorted(printed.matador.cards.values_list("printing", "rating")) == [
        (1, MatadorCard.objects.get(pk=printed.card_id).rating),
        (2, 77),
    ]
    assert list(idle.cards.values_list("printing", "rating")) == [(1, 77)]


def test_rows_on_an_announced_cartel_cannot_be_changed_by_an_import(
    legends: Circuit, director: User
) -> None:
    announce(legends)
    bull = Bull.objects.filter(ganaderia__circuit=legends).select_related("ganaderia").first()
    assert bull
    plaza = PLAZAS + "las-ventas,Las Ventas,Madrid,ES,EU,2,23798\n"
    assert fault_places(look(legends, director, plaza)) == [(2, "category", "2")]
    assert not look(legends, director, plaza.replace("EU,2,23798", "EU,1,23000")).wrong
    row = f"{bull.ganaderia.slug},{bull.year},{bull.number},Otro,{bull.coat},{bull.weight}\n"
    seen = look(legends, director, "herd,year,number,name,coat,weight\n" + row)
    assert fault_places(seen) == [(2, "name", "Otro")]
    Bull.objects.filter(pk=bull.pk).update(state=Bull.State.MUERTO)
    seen = look(legends, director, "herd,year,number,name,coat,weight\n" + row)
    assert "”, because this bull has already been fought." in seen.faults[0].said
    same = row.replace("Otro", bull.name)
    assert look(legends, director, "herd,year,number,name,coat,weight\n" + same).plan.empty


def test_an_announced_name_stored_before_names_were_cleaned_is_not_changed(
    legends: Circuit, director: User
) -> None:
    announce(legends)
    plaza = Plaza.objects.get(circuit=legends, slug="las-ventas")
    plaza.name = "Las \u200bVentas"
    plaza.save()
    for written in ("Las Ventas", "Las \u200bVentas", "\u202eLas  Ventas"):
        row = PLAZAS + f"las-ventas,{written},Madrid,ES,EU,1,23798\n"
        seen = look(legends, director, row)
        assert (bool(seen.wrong), seen.plan.empty) == (False, True), ascii(written)
    other = PLAZAS + "las-ventas,Ventas,Madrid,ES,EU,1,23798\n"
    assert fault_places(look(legends, director, other)) == [(2, "name", "Ventas")]


def test_a_feria_stored_before_names_were_cleaned_is_found(
    legends: Circuit, director: User
) -> None:
    legends.calendar = [
        CalendarEntry("San\u200b Isidro", "las-ventas", "05-10", 2, "daily")._asdict()
    ]
    legends.save()
    row = "plaza,feria,starts,corridas,days\nlas-ventas,San Isidro,05-10,2,daily\n"
    assert look(legends, director, row).plan.empty


def test_an_import_and_the_admin_lock_the_same_columns() -> None:
    names = {"matadors": "matador", "plazas": "plaza", "bulls": "bull"}
    for table, model in names.items():
        keys = {"circuit", "slug", "ganaderia", "number", "year"}
        assert set(PROMISED[model]) - keys == set(BOUND[table]) - {"state"}


def test_rows_missing_from_a_file_stay_or_are_archived_on_request(
    legends: Circuit, director: User
) -> None:
    row = PLAZAS + "las-ventas,Las Ventas,Madrid,ES,EU,1,23798\n"
    assert look(legends, director, row).plan.empty
    bring(legends, director, row, archive=True)
    assert Plaza.objects.filter(circuit=legends, archived_at=NOW).count() == 62
    assert look(legends, director, row, archive=True).plan.empty
    men = "slug,name\npaquiro,Francisco Montes\n"
    bring(legends, director, men, archive=True)
    assert [m.slug for m in Matador.objects.filter(circuit=legends, state="active")] == ["paquiro"]


def test_all_changes_of_an_import_are_recorded_as_one_batch(
    legends: Circuit, director: User
) -> None:
    row = PLAZAS + "las-ventas,Las Ventas,Madrid,ES,EU,1,23000\nnueva,Nueva,Nueva,ES,EU,3,\n"
    done = bring(legends, director, row)
    changes = Change.objects.filter(batch=done.batch, by=director).order_by("pk")
    assert [(c.title, c.before, c.after and c.after.get("seats")) for c in changes] == [
        ("Las Ventas, Madrid", {"seats": 23798}, 23000),
        ("Nueva, Nueva", None, None),
    ]


def test_an_import_into_a_roster_that_changed_since_the_preview_is_rejected(
    legends: Circuit, director: User
) -> None:
    row = PLAZAS + "las-ventas,Las Ventas,Madrid,ES,EU,1,23000\n"
    seen = look(legends, director, row)
    Plaza.objects.filter(circuit=legends, slug="las-ventas").update(seats=22000)
    with pytest.raises(Moved) as moved:
        commit.commit_import(circuit=legends, token=seen.token, by=director, at=NOW)
    again = moved.value.look
    assert again.plan.steps[0].differences[0].before == "22000"
    assert cache.get(earlier_cache_key(legends, director, seen.token)) is None
    commit.commit_import(circuit=legends, token=again.token, by=director, at=NOW)
    assert Plaza.objects.get(circuit=legends, slug="las-ventas").seats == 23000


def test_a_change_of_another_row_does_not_stop_an_import(legends: Circuit, director: User) -> None:
    seen = look(legends, director, PLAZAS + "las-ventas,Las Ventas,Madrid,ES,EU,1,23000\n")
    Plaza.objects.filter(circuit=legends, slug="valencia").update(seats=1)
    commit.commit_import(circuit=legends, token=seen.token, by=director, at=NOW)
    assert Plaza.objects.get(circuit=legends, slug="las-ventas").seats == 23000


def test_a_file_previewed_before_an_upgrade_can_be_imported_once(
    legends: Circuit, director: User
) -> None:
    token = look(legends, director, PLAZAS + "nueva,Nueva,Nueva,ES,EU,3,\n").token
    key = cache_key(legends, director, token)
    cache.set(earlier_cache_key(legends, director, token), cache.get(key))
    cache.delete(key)
    commit.commit_import(circuit=legends, token=token, by=director, at=NOW)
    assert Plaza.objects.filter(circuit=legends, slug="nueva").exists()
    with pytest.raises(OperationError, match="Choose it again"):
        commit.commit_import(circuit=legends, token=token, by=director, at=NOW)


def test_a_previewed_file_can_be_imported_only_once(legends: Circuit, director: User) -> None:
    seen = look(legends, director, PLAZAS + "nueva,Nueva,Nueva,ES,EU,3,\n")
    commit.commit_import(circuit=legends, token=seen.token, by=director, at=NOW)
    with pytest.raises(OperationError, match="Choose it again"):
        commit.commit_import(circuit=legends, token=seen.token, by=director, at=NOW)


def test_nothing_can_be_imported_while_the_season_is_being_played(
    legends: Circuit, director: User
) -> None:
    announce(legends)
    seen = look(legends, director, PLAZAS + "nueva,Nueva,Nueva,ES,EU,3,\n")
    season = legends.seasons.get()
    Run.objects.create(season=season, until=dt.date(2026, 12, 31), asked_at=NOW)
    with pytest.raises(OperationError, match="The season is being played"):
        commit.commit_import(circuit=legends, token=seen.token, by=director, at=NOW)


def test_new_herds_are_appended_and_bulls_are_linked_to_their_sires(
    legends: Circuit, director: User
) -> None:
    last = Ganaderia.objects.filter(circuit=legends).count() - 1
    herds = "slug,name,country,continent\nuna,Una,ES,EU\notra,Otra,ES,EU\n"
    bring(legends, director, herds)
    new = Ganaderia.objects.filter(circuit=legends, renown__gt=last).order_by("renown")
    assert [(herd.slug, herd.renown - last) for herd in new] == [("una", 1), ("otra", 2)]
    bulls = (
        "herd,year,number,name,coat,weight,state,sire_year,sire_number\n"
        "una,2024,7,Hijo,negro,500,,2019,3\n"
        "una,2019,3,Padre,negro,560,semental,,\n"
    )
    bring(legends, director, bulls)
    son = Bull.objects.get(name="Hijo")
    assert son.sire
    assert (son.sire.name, son.state, son.sire.state) == ("Padre", "campo", "semental")


def test_a_padrino_may_be_in_the_same_file_as_his_matador(legends: Circuit, director: User) -> None:
    men = "slug,name,fictional,padrino,testigo\nuno,Uno,yes,dos,paquiro\ndos,Dos,,,\n"
    bring(legends, director, men)
    uno = Matador.objects.get(circuit=legends, slug="uno")
    assert uno.padrino
    assert (uno.padrino.slug, uno.fictional, uno.promise) == ("dos", True, None)
    again = "slug,name,padrino\nuno,Uno,\n"
    bring(legends, director, again)
    uno = Matador.objects.get(circuit=legends, slug="uno")
    assert uno.padrino is None
    assert uno.testigo


def test_only_an_administrator_can_import_the_potential_of_a_matador(
    legends: Circuit, director: User, keeper: User
) -> None:
    men = "slug,name,promise\npaquiro,Francisco Montes,95\n"
    seen = look(legends, director, men)
    assert (seen.plan.empty, seen.plan.aside) == (True, ("promise",))
    bring(legends, keeper, men)
    assert Matador.objects.get(circuit=legends, slug="paquiro").promise == 95


@pytest.mark.slow
def test_imported_ferias_keep_the_order_of_the_calendar(legends: Circuit, director: User) -> None:
    ferias = export.export_roster(circuit=legends, by=director, form=Form.CSV, table="ferias")
    header, *rows = ferias.decode("utf-8-sig").splitlines()
    part = "\n".join((header, rows[3].replace(",5,", ",4,"), "Nueva,valencia,05-05,1,daily"))
    bring(legends, director, part)
    legends.refresh_from_db()
    assert legends.calendar is not None
    names = [entry["feria"] for entry in legends.calendar]
    assert (len(names), names[-1]) == (len(rows) + 1, "Nueva")
    assert legends.calendar[3]["feria"] == rows[3].split(",")[0]
    turned = "\n".join((header, *reversed(rows)))
    bring(legends, director, turned, archive=True)
    legends.refresh_from_db()
    assert legends.calendar is not None
    assert [entry["feria"] for entry in legends.calendar] == names[:-1][::-1]


def test_importing_a_changed_deck_creates_a_new_deck(legends: Circuit, director: User) -> None:
    file = export.export_roster(circuit=legends, by=director, form=Form.CSV, table="deck")
    lines = file.decode("utf-8-sig").splitlines()
    lines[1] = lines[1].replace("QUITE", "CHICUELINA")
    before = Deck.objects.get()
    bring(legends, director, "\n".join(lines), "deck.csv")
    legends.refresh_from_db()
    assert legends.deck != before
    assert legends.deck.engine_deck().cards[0].first.name == "CHICUELINA"
    assert Deck.objects.count() == 2
