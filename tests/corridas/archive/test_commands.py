"""Commands that export, verify and import seasons, and replay everything stored."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from actas import MAX_BYTES
from actas.models import Revalidation
from corridas.models import Circuit, Lidia, Season
from tests.corridas.archive.conftest import Elsewhere
from tests.corridas.archive.damage import entries, packed, sealed

pytestmark = pytest.mark.django_db


def kept(folder: Path, data: bytes) -> Path:
    file = folder / "2026.temporada.zip"
    file.write_bytes(data)
    return file


def test_an_exported_season_can_be_verified_and_imported_again(
    elsewhere: Elsewhere, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    get_user_model().objects.create_user("ana")
    file = kept(tmp_path, elsewhere.whole[2026])
    call_command("verify", str(file))
    call_command("import_season", file, "--owner", "ana")
    circuit = Circuit.objects.get()
    assert circuit.owner
    assert circuit.owner.get_username() == "ana"
    again = tmp_path / "again.temporada.zip"
    call_command("export_season", 2026, again, "--circuit", circuit.slug, "--promises")
    said = capsys.readouterr().out
    assert said.count(elsewhere.heads[2026]) == 2
    assert "season file: Everything was calculated again" in said
    assert not list(tmp_path.glob("*.part"))
    second = tmp_path / "2027.temporada.zip"
    second.write_bytes(elsewhere.public[2027])
    call_command("import_season", second, "--circuit", circuit.slug)
    assert Season.objects.count() == 2


def test_a_season_that_differs_from_its_replay_is_reported_and_not_imported(
    elsewhere: Elsewhere, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = entries(elsewhere.whole[2026])
    next(one for one in told if one["kind"] == "escalafon")["escalafon"][0]["ears"] = 33
    file = kept(tmp_path, packed(sealed(told)))
    with pytest.raises(SystemExit):
        call_command("verify", str(file))
    assert "but is '33'" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("import_season", file)
    assert not Circuit.objects.exists()


def test_old_name_of_verify_prints_the_head_of_the_chain(
    elsewhere: Elsewhere, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_season", kept(tmp_path, elsewhere.public[2026]))
    said = capsys.readouterr()
    assert f"head of the chain: {elsewhere.heads[2026]}\n" in said.out
    assert "5 corridas and all they came to are as told" in said.out
    assert said.err.splitlines() == [
        "verify_season is now called verify. The old name works until 0.3.0."
    ]
    with pytest.raises(CommandError, match="No such file"):
        call_command("verify_season", tmp_path / "x")


def test_commands_reject_missing_files_users_and_circuits(tmp_path: Path) -> None:
    for command in (
        ("export_season", 2026, tmp_path / "x"),
        ("import_season", tmp_path / "x"),
        ("import_season", kept(tmp_path, b"?"), "--owner", "nobody"),
        ("import_season", kept(tmp_path, b"?"), "--circuit", "nowhere"),
    ):
        with pytest.raises(CommandError):
            call_command(*map(str, command))


def test_revalidate_replays_the_stored_corridas_and_winters(
    elsewhere: Elsewhere, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("import_season", kept(tmp_path, elsewhere.whole[2026]))
    call_command("verify", "site")
    row = Revalidation.latest()
    assert row
    assert row.is_clean
    assert row.looked_at == {"corridas": 5, "winters": 1, "rounds": 0}
    lidia = Lidia.objects.exclude(score=None).order_by("pk")[0]
    Lidia.objects.filter(pk=lidia.pk).update(score=(lidia.score or 0) + 1)
    with pytest.raises(CommandError, match="1 of 6"):
        call_command("verify", "site")
    assert f"lidia/{lidia.turn}" in capsys.readouterr().out
    call_command("verify", "site", "--since", "2099-01-01")
    latest = Revalidation.latest()
    assert latest
    assert latest.total == 0


def test_the_verify_command_recognizes_a_season_file_by_its_first_bytes(
    elsewhere: Elsewhere,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, bare = kept(tmp_path, elsewhere.public[2026]), tmp_path / "season.jsonl"
    bare.write_bytes(zipfile.ZipFile(file).read("season.jsonl"))
    call_command("verify", str(file), str(bare))
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [str(file)] * 2 + [str(bare)] * 2
    assert "season file: Everything was calculated again" in lines[0]
    assert (
        f"Origen 2026, 5 corridas. Digest of the last entry: {elsewhere.heads[2026]}." in lines[1]
    )
    assert "The winter was not played again" in lines[3]
    monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": io.BytesIO(file.read_bytes())}))
    call_command("verify", "-")
    assert elsewhere.heads[2026] in capsys.readouterr().out


def test_the_verify_command_reports_differences_in_a_season_file(
    elsewhere: Elsewhere, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = entries(elsewhere.whole[2026])
    next(one for one in told if one["kind"] == "escalafon")["escalafon"][0]["ears"] = 33
    file = kept(tmp_path, packed(sealed(told)))
    broken = tmp_path / "broken.temporada.zip"
    broken.write_bytes(elsewhere.whole[2026][:-40])
    with pytest.raises(SystemExit):
        call_command("verify", str(file), str(broken))
    said = capsys.readouterr().out
    assert f"{file}: " in said
    assert "but is '33'" in said
    assert "cannot be unpacked" in said


def test_the_page_of_record_files_says_how_to_verify_a_season_file(
    elsewhere: Elsewhere, client: Client
) -> None:
    file = SimpleUploadedFile("2026.temporada.zip", elsewhere.whole[2026] + bytes(MAX_BYTES))
    line = json.dumps({"circuit": "x", "format": "temporada/season"}) + "\n"
    for fields in ({"file": file}, {"text": line}):
        answer = client.post("/actas/", fields)
        assert answer.status_code == 422
        assert (
            "This is a season file, and replaying the whole season would take too long for "
            "this page. Check it with the command manage.py verify, or with “Import a "
            "season” on the circuits page, which saves nothing if the check fails."
        ) in answer.text
