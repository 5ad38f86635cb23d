"""Roster files in the API: export, preview, import and undo, with every fault at its line."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any

import pytest
from pytest_django import Settings

from corridas.models import Change, Matador
from tests.corridas.api.conftest import Program
from tests.factories import World

pytestmark = pytest.mark.django_db
ROSTER = "circuits/leyendas/roster/"


def sent(text: str | bytes, name: str = "plazas.csv", **more: Any) -> dict[str, Any]:
    data = text.encode() if isinstance(text, str) else text
    return {"name": name, "content": base64.b64encode(data).decode(), **more}


def table(director: Program, name: str = "plazas") -> list[str]:
    """Return the lines of a roster table as exported."""
    told = director.get_json(f"{ROSTER}file/?form=csv&table={name}")
    assert told["name"] == f"leyendas-{name}.csv"
    return base64.b64decode(told["content"]).decode("utf-8-sig").splitlines()


def changed(director: Program) -> dict[str, Any]:
    """Return an upload of the plazas in which the first has another name."""
    lines = table(director)
    lines[1] = lines[1].replace(_first_name(director), "Otra")
    return sent("\n".join(lines))


def _first_name(director: Program) -> str:
    names = [one["name"] for one in director.get_json("circuits/leyendas/plazas/")["results"]]
    return next(str(name) for name in names if name in table(director)[1])


def test_a_roster_can_be_exported_in_every_format(director: Program) -> None:
    told = director.get_json(ROSTER)
    assert (told["forms"], told["last"]) == (["csv", "xlsx", "zip"], None)
    assert table(director)[0].startswith("plaza") or "name" in table(director)[0]
    for way in ("", "?form=zip", "?form=xlsx", "?form=xlsx&table=herds"):
        file = director.get_json(f"{ROSTER}file/{way}")
        assert zipfile.is_zipfile(io.BytesIO(base64.b64decode(file["content"])))
    for way, status in (("?form=csv", 422), ("?form=zip&table=herds", 422), ("?table=x", 400)):
        assert director.get(f"{ROSTER}file/{way}").status_code == status
    again = director.get_json(f"{ROSTER}file/?form=zip")
    body = {"name": again["name"], "content": again["content"]}
    look = director.ask("POST", f"{ROSTER}preview/", body).json()
    assert (look["token"], look["rows"], look["calendar"]) == (None, [], False)


def test_a_file_is_previewed_imported_once_and_undone(director: Program) -> None:
    was = _first_name(director)
    look = director.ask("POST", f"{ROSTER}preview/", changed(director))
    assert look.status_code == 200, look.content
    told = look.json()
    assert (told["counts"]["plazas"]["changed"], told["more"]) == (1, 0)
    assert [one["line"] for one in told["rows"]] == [2]
    assert told["rows"][0]["differences"] == [{"column": "name", "before": was, "after": "Otra"}]
    assert _first_name(director) == was  # a preview changes nothing
    body = {"token": told["token"]}
    answers = [director.ask("POST", ROSTER, body, **{"Idempotency-Key": "k"}) for _time in "12"]
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["counts"]["changed"] == 1
    assert _first_name(director) == "Otra"
    used = director.ask("POST", ROSTER, body)
    assert (used.status_code, used.json()["errors"][0]["pointer"]) == (409, "/token")
    last = director.get_json(ROSTER)["last"]
    assert (last["batch"], last["rows"], last["by"]) == (answers[0].json()["batch"], 1, "ana")
    back = director.ask("POST", f"{ROSTER}back/", {"batch": last["batch"]})
    assert (back.status_code, back.json()) == (200, {"rows": 1})
    assert _first_name(director) == was
    assert director.ask("POST", f"{ROSTER}back/", {"batch": "x"}).status_code == 409


def test_the_preview_of_a_new_row_shows_all_its_columns(director: Program) -> None:
    header = table(director)[0]
    values = {"slug": "nueva", "name": "La Nueva", "city": "Nueva", "country": "ES"}
    values |= {"continent": "EU", "category": "3", "archived": "yes"}
    row = ",".join(values.get(column, "") for column in header.split(","))
    look = director.ask("POST", f"{ROSTER}preview/", sent(f"{header}\n{row}\n")).json()
    assert look["rows"][0]["verdict"] == "new"
    assert look["rows"][0]["differences"] == [
        {"column": column, "before": "", "after": value} for column, value in values.items()
    ]


def test_an_import_whose_result_has_changed_since_the_preview_is_previewed_again(
    director: Program, world: World
) -> None:
    token = director.ask("POST", f"{ROSTER}preview/", changed(director)).json()["token"]
    plaza = next(one for one in world.plazas if table(director)[1].startswith(one.slug))
    plaza.name = "Nueva"
    plaza.save()
    told = director.ask("POST", ROSTER, {"token": token})
    assert told.status_code == 409
    assert told.json()["look"]["rows"][0]["differences"][0]["before"] == "Nueva"
    again = told.json()["look"]["token"]
    assert director.ask("POST", ROSTER, {"token": again}).status_code == 200


def test_every_fault_of_a_file_is_reported_with_line_and_column(director: Program) -> None:
    lines = table(director)
    cells = lines[1].split(",")
    place = lines[0].split(",").index("category")
    cells[place] = "9"
    told = director.ask("POST", f"{ROSTER}preview/", sent("\n".join([lines[0], ",".join(cells)])))
    assert (told.status_code, told["Content-Type"]) == (422, "application/problem+json")
    fault = told.json()["errors"][0]
    where = {"pointer": "/content", "sheet": "plazas.csv", "line": "2", "column": "category"}
    assert fault.items() >= (where | {"value": "9"}).items()
    assert fault["detail"]
    assert told.json()["untold"] == 0


@pytest.mark.parametrize("name", ["x.csv", "x.xlsx", "x.zip", "../../etc/passwd", "\u202e.csv"])
@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b"\x00\xff", b"PK\x03\x04broken", b"a,b\n1,2\n"])
def test_a_file_that_is_not_a_roster_is_rejected(director: Program, name: str, data: bytes) -> None:
    told = director.ask("POST", f"{ROSTER}preview/", sent(data, name))
    assert told.status_code == 422, told.content
    assert not Change.objects.exists()


def test_a_file_above_the_size_limits_is_rejected(director: Program, settings: Settings) -> None:
    body = sent("x")
    assert director.ask("POST", f"{ROSTER}preview/", body | {"content": "?"}).status_code == 422
    settings.ROSTER_LIMITS = {"file_bytes": 10}
    assert director.ask("POST", f"{ROSTER}preview/", sent("x" * 11)).status_code == 413
    settings.ROSTER_LIMITS = {"rows": 1}
    lines = "\n".join(table(director))
    assert director.ask("POST", f"{ROSTER}preview/", sent(lines)).status_code == 422
    settings.ROSTER_LIMITS = {}
    large = sent("x" * 300_000)  # larger than other request bodies may be
    assert director.ask("POST", f"{ROSTER}preview/", large).status_code == 422
    settings.API_FILE_BYTES = 1000
    assert director.ask("POST", f"{ROSTER}preview/", large).status_code == 413


def test_uploads_have_their_own_rate_limit(director: Program, settings: Settings) -> None:
    settings.FILES_A_MINUTE = 2
    answers = [director.ask("POST", f"{ROSTER}preview/", sent("x")) for _time in range(3)]
    assert [one.status_code for one in answers] == [422, 422, 429]
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert answers[2]["Content-Type"] == "application/problem+json"
    assert director.get(ROSTER).status_code == 200


def test_only_users_who_may_edit_a_roster_can_read_or_import_it(
    director: Program, stranger: Program, nobody: Program, world: World
) -> None:
    world.circuit.public = False
    world.circuit.save()
    ways = (("GET", ""), ("GET", "file/"), ("POST", ""), ("POST", "preview/"), ("POST", "back/"))
    for method, way in ways:
        assert stranger.ask(method, ROSTER + way).status_code == 404
    world.circuit.public = True
    world.circuit.save()
    for method, way in ways:
        assert stranger.ask(method, ROSTER + way).status_code == 403
        assert nobody.ask(method, ROSTER + way).status_code == 401
    token = director.ask("POST", f"{ROSTER}preview/", changed(director)).json()["token"]
    assert stranger.ask("POST", ROSTER, {"token": token}).status_code == 403
    assert Matador.objects.exists()
    assert not Change.objects.exists()
