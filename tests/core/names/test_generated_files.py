"""Hundreds of generated names in files with league results and with circuit rosters.

Each row is rejected with its line number, or its name is stored cleaned. An exported file can be
imported elsewhere with the same names.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from core.names.text import clean, comparison_key
from corridas.models import Circuit, Matador
from corridas.roster.exchange import export
from corridas.roster.exchange.export import Form
from leagues.exchange.formats import ImportVerdict
from leagues.exchange.formats.csv_results import escaped
from leagues.exchange.operations import FileFormat
from leagues.models import League, Place, Player
from tests.corridas.roster.conftest import bring, look
from tests.factories import browser, browser_of, small_circuit
from tests.generated_names import as_sent
from tests.leagues import world

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def csv_file(rows: Sequence[Sequence[object]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def has_controls(text: str) -> bool:
    """Return whether control characters in this text damage a file."""
    return any(unicodedata.category(sign) == "Cc" for sign in text)


def fits(name: str) -> bool:
    return 0 < len(clean(name)) <= 60


# Results


def is_player(name: str) -> bool:
    """Return whether result files may contain this name. Any white space counts as a space."""
    return fits(name) and not has_controls("".join(name.split()))


def results_of(names: Sequence[str]) -> tuple[bytes, set[str]]:
    """Return a file in which each name plays the next one, and the keys of its valid matches."""
    rows: list[list[object]] = [["match", "key", "played_at", "player", "place", "points"]]
    good = set()
    for number, (one, other) in enumerate(pairwise(names), start=1):
        day = f"2026-02-{number % 28 + 1:02}T12:00:00Z"
        rows.append([number, f"k{number}", day, escaped(one), 1, 10])
        rows.append([number, f"k{number}", day, escaped(other), 2, 4])
        if is_player(one) and is_player(other) and comparison_key(one) != comparison_key(other):
            good.add(f"k{number}")
    return csv_file(rows), good


def preview(client: Client, league: League, data: bytes, kind: FileFormat) -> Any:
    file = SimpleUploadedFile("results", data)
    form = {"file": file, "file_format": kind.value}
    return client.post(f"/leagues/{league.slug}/import/", form)


def outcome(league: League) -> list[tuple[str, ...]]:
    """Return the player and place of every result of the league, sorted."""
    rows = Place.objects.filter(result__league=league).select_related("player")
    return sorted(
        (str(row.result.played_at), row.player.name, str(row.place), str(row.points))
        for row in rows.select_related("result")
    )


@pytest.mark.parametrize("kind", list(FileFormat))
def test_generated_names_survive_import_and_export_of_results(
    names: list[str], kind: FileFormat, db: None
) -> None:
    office = world.account("office")
    client = browser(office)
    league = world.found_league(office, plays=False, name="First")
    typed = [as_sent(name) for name in names]
    data, good = results_of(typed)
    plan = preview(client, league, data, FileFormat.CSV).context
    lines = plan["plan"].lines
    adding = {line.record.key for line in lines if line.verdict is ImportVerdict.ADD}
    assert adding == good, "refused or taken without reason"
    assert all(str(line.sentence) for line in lines)
    client.post(
        f"/leagues/{league.slug}/import/", {"token": plan["token"], "plan": plan["plan"].digest}
    )
    stored = {*Player.objects.filter(user=None).values_list("name", flat=True)}
    assert stored <= {clean(name) for name in typed}
    assert len({comparison_key(name) for name in stored}) == len(stored)
    assert len(outcome(league)) == 2 * len(good)

    answer = client.get(f"/leagues/{league.slug}/export/", {"form": kind.value})
    other = world.found_league(office, plays=False, name="Second")
    again = preview(client, other, answer.getvalue(), kind).context
    client.post(
        f"/leagues/{other.slug}/import/", {"token": again["token"], "plan": again["plan"].digest}
    )
    assert outcome(other) == outcome(league)
    assert {*Player.objects.filter(user=None).values_list("name", flat=True)} == stored


# Rosters


def is_matador(name: str) -> bool:
    """Return whether roster files may contain this name: on one line and without tabs."""
    return fits(name) and not has_controls(name.strip())


def matadors_of(names: Sequence[str]) -> bytes:
    """Return a file of matadors with these names and different slugs."""
    rows = [["slug", "name"], *([f"m-{number}", name] for number, name in enumerate(names))]
    return csv_file(rows)


def named_in(circuit: Circuit) -> dict[str, str]:
    rows = Matador.objects.filter(circuit=circuit, slug__startswith="m-")
    return dict(rows.values_list("slug", "name"))


def page_of(circuit: Circuit) -> str:
    return f"/circuitos/{circuit.slug}/direccion/elenco/"


@pytest.mark.parametrize("form", [Form.CSV, Form.XLSX])
def test_generated_names_survive_import_and_export_of_matadors(
    names: list[str], form: Form, db: None
) -> None:
    director = User.objects.create_user("empresario")
    client = browser_of("empresario")
    first = small_circuit("primero", "Primero", owner=director).circuit
    second = small_circuit("segundo", "Segundo", owner=director).circuit
    # A null character would make the whole file invalid, so it is replaced here.
    typed = [as_sent(name).replace("\0", "\x01") for name in names]
    seen = look(first, director, matadors_of(typed), "matadors.csv")
    bad = {number for number, name in enumerate(typed, start=2) if not is_matador(name)}
    assert {fault.line for fault in seen.faults} == bad
    assert all(str(fault) for fault in seen.faults)
    assert {fault.column for fault in seen.faults} <= {"name"}
    file = SimpleUploadedFile("matadors.csv", matadors_of(typed))
    assert client.post(page_of(first), {"file": file}).status_code in {200, 422}

    good = [name for name in typed if is_matador(name)]
    bring(first, director, matadors_of(good), "matadors.csv")
    assert named_in(first) == {f"m-{number}": clean(name) for number, name in enumerate(good)}
    assert look(first, director, matadors_of(good), "matadors.csv").plan.empty

    table = "matadors" if form is Form.CSV else ""
    data = export.export_roster(circuit=first, by=director, form=form, table=table)
    bring(second, director, data, f"matadors.{form.value}")
    assert named_in(second) == named_in(first)


@pytest.mark.slow
def test_roster_file_with_a_null_character_is_rejected_with_a_message(db: None) -> None:
    director = User.objects.create_user("empresario")
    circuit = small_circuit("primero", "Primero", owner=director).circuit
    seen = look(circuit, director, matadors_of(["Ana\0"]), "matadors.csv")
    assert [str(fault) for fault in seen.faults] != []
