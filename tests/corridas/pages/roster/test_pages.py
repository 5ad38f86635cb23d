"""The pages of roster files: permissions, downloads, preview, import and undo."""

from __future__ import annotations

import codecs
import csv
import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas.models import Circuit, Plaza
from corridas.roster.files import TABLES
from tests.corridas.roster.conftest import look

pytestmark = pytest.mark.django_db
PAGE = "/circuitos/campo/direccion/elenco/"
HEADER = "slug,name,city,country,continent,category,seats\n"


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send(client: Client, text: str, name: str = "plazas.csv", **more: str) -> str:
    file = SimpleUploadedFile(name, text.encode())
    response = client.post(PAGE, {"file": file, **more})
    return response.content.decode()


def token(page: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_director_imports_a_file_after_a_preview(legends: Circuit, director: User) -> None:
    client = client_of(director)
    seen = send(client, HEADER + "olivenza,Plaza de Olivenza,Olivenza,ES,EU,3,6000\n")
    assert "Preview of the changes" in seen
    assert not Plaza.objects.filter(slug="olivenza", name="Plaza de Olivenza").exists()
    done = client.post(PAGE, {"token": token(seen)}, follow=True)
    assert "1 row was imported" in done.content.decode()
    assert Plaza.objects.get(circuit=legends, slug="olivenza").seats == 6000


def test_the_preview_of_a_new_row_shows_all_its_columns(legends: Circuit, director: User) -> None:
    seen = send(client_of(director), HEADER + "nueva,La Nueva,Nowhere at all,ES,EU,3,4321\n")
    for column, value in (("city", "Nowhere at all"), ("seats", "4321"), ("category", "3")):
        assert re.search(rf"<b>{column}</b>\s*<ins>{value}</ins>", seen)


def test_faults_of_a_roster_file_are_shown_with_row_column_value_and_rule(
    legends: Circuit, director: User
) -> None:
    seen = send(client_of(director), HEADER + "nueva,La Nueva,Ronda,ES,EU,4,many\n")
    assert "2 errors. Nothing has been saved." in seen
    assert "category “4” is not a whole number from 1 to 3" in seen
    assert "seats “many”" in seen
    assert 'name="token"' not in seen


def test_only_users_who_may_edit_a_roster_can_open_its_pages(
    legends: Circuit, bare: Circuit, director: User
) -> None:
    stranger = client_of(User.objects.create_user("mirón"))
    assert stranger.get(PAGE).status_code == 403
    assert stranger.get(PAGE + "plazas.csv").status_code == 403
    assert stranger.get(PAGE + "roster.zip").status_code == 403
    assert stranger.get("/circuitos/vacio/direccion/elenco/").status_code == 404
    assert stranger.get("/direccion/elenco/").status_code == 404
    assert Client().get(PAGE).status_code == 302
    assert client_of(director).get(PAGE).status_code == 200


def test_a_preview_can_be_imported_only_by_its_user_into_its_circuit(
    legends: Circuit, bare: Circuit, director: User, keeper: User
) -> None:
    line = "olivenza,Plaza de Olivenza,Olivenza,ES,EU,3,6000\n"
    waiting = token(send(client_of(director), HEADER + line))
    for client, page in (
        (client_of(keeper), PAGE),
        (client_of(director), "/circuitos/vacio/direccion/elenco/"),
    ):
        said = client.post(page, {"token": waiting}, follow=True).content.decode()
        assert "Choose it again" in said
    assert not Plaza.objects.filter(name="Plaza de Olivenza").exists()


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("plazas.csv", "text/csv; charset=utf-8"),
        ("deck.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("roster.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("roster.zip", "application/zip"),
    ],
)
def test_roster_files_can_be_downloaded(
    legends: Circuit, director: User, file: str, kind: str
) -> None:
    response = client_of(director).get(PAGE + file)
    assert response["Content-Type"] == kind
    assert f'filename="campo-{file}"' in response["Content-Disposition"]


@pytest.mark.parametrize("table", TABLES)
def test_a_downloaded_table_has_all_columns_and_can_be_imported_again(
    legends: Circuit, director: User, table: str
) -> None:
    file = client_of(director).get(f"{PAGE}{table}.csv").getvalue()
    assert file.startswith(codecs.BOM_UTF8)
    head = next(csv.reader(io.StringIO(file.decode("utf-8-sig"), newline="")))
    assert head == list(TABLES[table].names(office=False))
    seen = look(legends, director, file, f"{table}.csv")
    assert not seen.wrong
    assert seen.plan.empty


def test_an_unknown_table_cannot_be_downloaded(legends: Circuit, director: User) -> None:
    assert client_of(director).get(PAGE + "tickets.csv").status_code == 404


@pytest.mark.slow
def test_undoing_a_roster_import_restores_all_its_rows(
    legends: Circuit, bare: Circuit, director: User
) -> None:
    client = client_of(director)
    page = "/circuitos/vacio/direccion/elenco/"
    before = client.get(page + "roster.zip").content
    bundle = SimpleUploadedFile("b.zip", client.get(PAGE + "roster.zip").content)
    seen = client.post(page, {"file": bundle}).content.decode()
    client.post(page, {"token": token(seen)})
    assert bare.matadors.count() == 50
    batch = re.search(r'name="batch" value="(\w+)"', client.get(page).content.decode())
    assert batch
    other = client.post(PAGE + "atras/", {"batch": batch[1]}, follow=True)
    assert "You can only undo the latest group of changes here." in other.content.decode()
    asked = client.post(page + "atras/", {"batch": batch[1]}).content.decode()
    assert "Undo the last change?" in asked
    assert re.search(r"Last change: [\d,]+ rows", asked)
    assert bare.matadors.count() == 50
    sure = {"batch": batch[1], "sure": "yes"}
    done = client.post(page + "atras/", sure, follow=True).content.decode()
    assert "rows have been undone." in done
    assert 'name="batch"' not in done
    assert client.get(page + "roster.zip").content == before


def test_the_roster_pages_need_as_many_queries_for_three_rows_as_for_one(
    legends: Circuit, director: User
) -> None:
    client = client_of(director)
    rows = [f"nueva-{n},La Nueva,Nueva,ES,EU,3,\n" for n in range(3)]
    asked = []
    for some in (rows[:1], rows):
        with CaptureQueriesContext(connection) as queries:
            send(client, HEADER + "".join(some))
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 20
    with CaptureQueriesContext(connection) as queries:
        assert client.get(PAGE).status_code == 200
    assert len(queries) <= 25
