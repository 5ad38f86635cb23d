"""The page and the command that verify a record."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

import actas
from actas.envelope import SITE_VERSION
from actas.parsing import MAX_BYTES
from core.spreadsheets.workbooks import write_workbook
from tests.actas import documents
from tests.actas.documents import with_value


def sent(client: Client, **fields: object) -> str:
    answer = client.post("/actas/", fields)
    assert answer.status_code in (200, 422)
    assert "no-store" in answer["Cache-Control"]
    return str(answer.text)


@pytest.mark.django_db
def test_pasted_or_uploaded_record_is_verified(client: Client) -> None:
    assert "Verify record" in client.get("/actas/").text
    text = actas.to_bytes(documents.hand())
    page = sent(client, text=text.decode())
    assert "Everything is correct" in page
    assert "Record of a hand." in page
    assert "Everything is correct" in sent(client, file=SimpleUploadedFile("acta.json", text))


@pytest.mark.django_db
def test_differences_of_a_record_are_listed_and_escaped(client: Client) -> None:
    changed = with_value(documents.hand(), "moves/0/seat", "<script>alert(1)</script>")
    page = sent(client, text=json.dumps(changed))
    assert "Does not match" in page
    assert "moves/0/seat should be" in page
    assert "<script>alert" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["{", "[" * 5000, '{"format": "x"}', "\x00", '{"a": 1e400}'])
def test_text_that_is_no_record_is_rejected_with_a_message(client: Client, text: str) -> None:
    page = sent(client, text=text)
    assert "Cannot be verified" in page or "Null characters" in page


@pytest.mark.django_db
def test_excel_workbook_is_named_when_rejected_as_a_record(client: Client) -> None:
    workbook = SimpleUploadedFile("a.xlsx", write_workbook([("plazas", ["slug"], [["a"]])]))
    page = sent(client, file=workbook)
    assert "This file is an Excel workbook (.xlsx). Records are JSON files (.json)." in page
    assert "This is a season file, and" not in page


@pytest.mark.django_db
def test_empty_form_or_too_long_file_is_rejected_at_its_field(client: Client) -> None:
    assert "Choose a file, or paste a record." in sent(client)
    long = SimpleUploadedFile("acta.json", b" " * (MAX_BYTES + 1))
    assert "too long for a record" in sent(client, file=long)
    assert "Cannot be verified" in sent(client, file=SimpleUploadedFile("acta.json", b""))


def test_verify_command_prints_a_line_for_each_file_and_exits_with_1_on_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(actas.to_bytes(documents.lidia()))
    bad.write_bytes(actas.to_bytes(with_value(documents.lidia(), "sorteo/0", 9)))
    call_command("verify", str(good))
    assert capsys.readouterr().out.startswith(
        f"{good}: record of a lidia: Everything was calculated again"
    )
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(good), str(bad), str(tmp_path / "none.json"), str(tmp_path))
    assert ended.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith(f"{bad}: digest should be")
    assert lines[2].startswith(f"{bad}: sorteo/0 should be ")
    assert "No such file" in lines[3]
    assert len(lines) == 5
    stdin = type("In", (), {"buffer": io.BytesIO(good.read_bytes())})
    monkeypatch.setattr("sys.stdin", stdin)
    call_command("verify", "-")
    assert capsys.readouterr().out.startswith("-: record of a lidia")


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("pyproject.toml", r'^version = "(.+)"$'),
        ("compose.yaml", r"TEMPORADA_TAG:-(.+)}"),
        ("CHANGELOG.md", r"\A[^#]*# Changelog\n[^#]*## (\S+)"),
        ("docs/rosters.md", r'"made_by": "Temporada (.+)"'),
    ],
)
def test_all_files_that_state_the_version_agree(file: str, names: str) -> None:
    text = (Path(__file__).parents[2] / file).read_text("utf-8")
    assert re.findall(names, text, re.MULTILINE) == [SITE_VERSION]
