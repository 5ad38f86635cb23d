"""Pages for import and export: nothing is saved before confirmation, invalid files get a
message.
"""

from __future__ import annotations

import codecs
import csv
import io
import json

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from core import isolation
from leagues.exchange.formats.csv_results import COLUMNS
from leagues.league.operations import close_league
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import merge_players
from leagues.models import League, Match, Player
from leagues.pages.exchange.views import CSV_COLUMNS, _earlier_upload_key, _upload_key
from tests.leagues.world import NOW, account, enter_league, found_league, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(client: Client) -> Player:
    player = account("ana")
    assert player.user is not None
    client.force_login(player.user)
    return player


@pytest.fixture
def league(ana: Player) -> League:
    league = found_league(ana, visibility=League.Visibility.PUBLIC)
    enter_league(league, account("berta"))
    return league


def upload(client: Client, league: League, data: bytes, kind: str = "csv") -> str:
    answer = client.post(
        reverse("league_import", args=[league.slug]),
        {"file": SimpleUploadedFile("results", data), "file_format": kind},
    )
    assert answer.status_code in {200, 422}
    return answer.content.decode()


def token_of(page: str) -> str:
    return page.partition('name="token" value="')[2].partition('"')[0]


def answered(page: str, **more: object) -> dict[str, object]:
    """Return the fields that the form of a preview sends, with these answers."""
    plan = page.partition('name="plan" value="')[2].partition('"')[0]
    return {"token": token_of(page), "plan": plan, **more}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "json", "bgstats"])
def test_exported_results_can_be_imported_into_another_league(
    client: Client, league: League, ana: Player, kind: str
) -> None:
    berta = Player.objects.get(name="berta")
    played(league, [ana, berta], [10, 3])
    out = client.get(reverse("league_export", args=[league.slug]), {"form": kind})
    assert "attachment" in out["Content-Disposition"]
    file = out.getvalue()
    assert file.startswith(codecs.BOM_UTF8) == (kind == "csv")
    other = found_league(account("olga"), name="Other", visibility=League.Visibility.PUBLIC)
    organiser = Player.objects.get(name="olga")
    assert organiser.user is not None
    client.force_login(organiser.user)
    page = upload(client, other, file, kind)
    assert "Add 1 match" in page
    assert not Match.objects.filter(league=other).exists()
    client.post(reverse("league_import", args=[other.slug]), answered(page))
    assert Match.objects.get(league=other).state == Match.State.CONFIRMED
    again = upload(client, other, file, kind)
    assert "This match is already in the league." in again
    assert 'name="token"' not in again


@pytest.mark.slow
def test_file_previewed_before_an_upgrade_is_previewed_again(
    client: Client, league: League, ana: Player
) -> None:
    played(league, [ana, Player.objects.get(name="berta")], [10, 3])
    file = client.get(reverse("league_export", args=[league.slug]), {"form": "csv"}).getvalue()
    other = found_league(ana, name="Other", visibility=League.Visibility.PUBLIC)
    token = token_of(upload(client, other, file))
    key = _upload_key(other, ana, token)
    cache.set(_earlier_upload_key(other, ana, token), cache.get(key))
    cache.delete(key)
    at = reverse("league_import", args=[other.slug])
    page = client.post(at, {"token": token})
    assert page.status_code == 409
    assert not Match.objects.filter(league=other).exists()
    client.post(at, answered(page.text))
    assert Match.objects.filter(league=other).count() == 1


GARBAGE = [b"", b"\x00\xff\xfe", b"[]", b"{", b'{"plays": 3}', b"a;b;c\n1;2;3\n", b"x" * 10_000]


@pytest.mark.parametrize("kind", ["csv", "json", "bgstats"])
@pytest.mark.parametrize("data", GARBAGE)
def test_invalid_file_adds_nothing_and_gets_a_message(
    client: Client, league: League, data: bytes, kind: str
) -> None:
    page = upload(client, league, data, kind)
    assert 'name="token"' not in page
    assert not Match.objects.exists()


def test_unknown_upload_token_redirects_to_the_import_page(client: Client, league: League) -> None:
    for token in ("nonsense", "x" * 5000, "\u0000"):
        answer = client.post(reverse("league_import", args=[league.slug]), {"token": token})
        assert answer["Location"] == reverse("league_import", args=[league.slug])
    assert not Match.objects.exists()


def test_only_an_organiser_can_import_results_on_the_page(client: Client, league: League) -> None:
    berta = Player.objects.get(name="berta")
    assert berta.user is not None
    client.force_login(berta.user)
    assert client.get(reverse("league_import", args=[league.slug])).status_code == 404
    client.logout()
    assert client.get(reverse("league_import", args=[league.slug])).status_code == 404


def test_export_page_offers_three_formats_and_rejects_others(
    client: Client, league: League
) -> None:
    address = reverse("league_export", args=[league.slug])
    assert client.get(address).content.decode().count("?form=") == 3
    assert client.get(address, {"form": "xls"}).status_code == 404
    assert json.loads(client.get(address, {"form": "json"}).content)


def bgstats(*games: str) -> bytes:
    """Return an export of the app with a play of each game, by Ana and Berta."""
    return json.dumps(
        {
            "games": [{"id": n, "name": name, "uuid": f"g{n}"} for n, name in enumerate(games)],
            "players": [{"id": 1, "name": "ana"}, {"id": 2, "name": "berta"}],
            "plays": [
                {
                    "uuid": f"play-{n}",
                    "gameRefId": n,
                    "playDate": f"2026-03-0{n + 1} 20:00:00",
                    "playerScores": [
                        {"playerRefId": 1, "score": "5", "winner": True},
                        {"playerRefId": 2, "score": "3"},
                    ],
                }
                for n, _name in enumerate(games)
            ],
        }
    ).encode()


def test_organiser_can_choose_which_game_of_a_file_is_that_of_the_league(
    client: Client, league: League
) -> None:
    page = upload(client, league, bgstats("Palos", "Chess"), "bgstats")
    assert "Add " not in page
    assert 'name="same" value="Palos"' in page
    assert 'name="same" value="Chess"' in page
    at = reverse("league_import", args=[league.slug])
    page = client.post(at, answered(page, same="Palos")).text
    assert "Add 1 match" in page
    assert 'value="Palos"' not in page
    assert 'value="Chess"' in page
    assert "You played in 1 of these matches" in page
    assert not Match.objects.exists()
    client.post(at, answered(page))
    assert Match.objects.get().state == Match.State.HANDED_IN


def test_import_template_can_be_filled_in_and_imported(client: Client, league: League) -> None:
    asked = client.get(reverse("league_import", args=[league.slug])).content.decode()
    link = reverse("league_import_template", args=[league.slug])
    assert f'href="{link}"' in asked
    for column in COLUMNS:
        assert f"<code>{column}</code>" in asked
    file = client.get(link).getvalue()
    assert file.startswith(codecs.BOM_UTF8)
    page = upload(client, league, file)
    assert "Add 1 match" in page
    assert "New guests:" in page


def test_exported_columns_are_those_that_the_import_page_explains(
    client: Client, league: League, ana: Player
) -> None:
    """Site and league ids are never entered by hand, so the template omits them."""
    played(league, [ana, Player.objects.get(name="berta")], [10, 3])
    columns = {"league_import_template": COLUMNS[:-2], "league_export": COLUMNS}
    assert set(COLUMNS) == set(CSV_COLUMNS)
    for address, wanted in columns.items():
        file = client.get(reverse(address, args=[league.slug]), {"form": "csv"}).getvalue()
        head, *_lines = csv.reader(io.StringIO(file.decode("utf-8-sig"), newline=""))
        assert head == list(wanted)


@pytest.mark.slow
def test_note_of_two_lines_survives_export_and_import(
    client: Client, league: League, ana: Player
) -> None:
    note = 'First line, with "quotes"\nand a second; José’s'
    match = played(league, [ana, Player.objects.get(name="berta")], [10, 3])
    Match.objects.filter(pk=match.pk).update(note=note)
    file = client.get(reverse("league_export", args=[league.slug]), {"form": "csv"}).getvalue()
    rows = list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"), newline="")))
    assert [row["note"] for row in rows] == [note, note]
    other = found_league(ana, name="Other", visibility=League.Visibility.PUBLIC)
    page = upload(client, other, file)
    client.post(reverse("league_import", args=[other.slug]), answered(page))
    assert Match.objects.get(league=other).note == note


@pytest.mark.slow
def test_preview_summarises_lines_that_add_no_match(client: Client, league: League) -> None:
    lines = [f"{n},never,ana,3" for n in range(1600)]
    lines += [f"f{n // 2},2096-01-01,{('ana', 'berta')[n % 2]},3" for n in range(40)]
    data = "\n".join(["match,played_at,player,points", *lines]).encode()
    page = upload(client, league, data)
    assert page.count("is not a valid date or time.") == 500
    assert "and 1120 more lines" in page
    assert "0 matches to add" in page


@pytest.mark.parametrize("error", [isolation.BusyError, isolation.TooExpensiveError])
def test_import_page_reports_that_a_file_cannot_be_read_now(
    client: Client, league: League, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(isolation, "run", refuse)
    page = upload(client, league, b"match")
    assert "Try again in a minute." in page or "takes too much time or memory" in page


SKIPPED_UNTIL_ANSWERED = (
    "match,played_at,player,identity,points\n"
    "1,2026-03-05,Ana,a,10\n1,,Berta,,4\n2,2026-03-06,Ana,a,10\n2,,Berta,,4\n"
    "3,2026-03-07,Anita,,10\n3,,Ana,b,4\n"
)


def test_changed_answers_are_previewed_before_they_are_imported(
    client: Client, league: League, ana: Player
) -> None:
    anita = add_guest(league=league, name="Anita", by=ana, at=NOW).player
    merge_players(absorbed=anita, kept=ana, by=ana, at=NOW)
    at = reverse("league_import", args=[league.slug])
    answer: dict[str, object] = {"decision:person:ana": "several"}
    page = upload(client, league, SKIPPED_UNTIL_ANSWERED.encode())
    shown = client.post(at, answered(page, **answer))
    assert shown.status_code == 409
    assert "Your answers lead to more changes than the preview showed." in shown.text
    assert not Match.objects.exists()
    client.post(at, answered(shown.text, **answer))
    assert Match.objects.count() == 3


def test_api_imports_only_with_the_answers_of_its_preview(
    client: Client, league: League, ana: Player
) -> None:
    anita = add_guest(league=league, name="Anita", by=ana, at=NOW).player
    merge_players(absorbed=anita, kept=ana, by=ana, at=NOW)
    at = f"/api/v1/leagues/{league.slug}/import/"
    file: dict[str, object] = {"form": "csv", "content": SKIPPED_UNTIL_ANSWERED}
    answers = file | {"decisions": {"person:ana": "several"}}
    for previewed, status in ((file, 409), (answers, 201)):
        plan = client.post(f"{at}preview/", previewed, content_type="application/json").json()
        body = answers | {"plan": plan["plan"]}
        assert client.post(at, body, content_type="application/json").status_code == status


def test_closed_league_rejects_an_import(client: Client, league: League, ana: Player) -> None:
    file = b"match,played_at,player,points\n1,2026-03-05,Ana,10\n1,,Berta,4\n"
    page = upload(client, league, file)
    close_league(league=league, by=ana, at=NOW)
    late = client.post(reverse("league_import", args=[league.slug]), answered(page)).text
    for closed in (upload(client, league, file), late):
        assert closed.count("The league is closed.") == 1
        assert 'name="token"' not in closed
    shown = client.post(
        f"/api/v1/leagues/{league.slug}/import/preview/",
        {"form": "csv", "content": file.decode()},
        content_type="application/json",
    )
    assert shown.status_code == 409


def test_api_lists_results_that_could_not_be_read(
    client: Client, league: League, ana: Player
) -> None:
    seats = [{"player": "Ana", "place": 1, "points": 12.5}, {"player": "Berta", "place": 2}]
    results = [{"played_at": "2026-03-05", "seats": seats}]
    content = json.dumps({"format": "temporada-results", "version": 1, "results": results})
    shown = client.post(
        f"/api/v1/leagues/{league.slug}/import/preview/",
        {"form": "json", "content": content},
        content_type="application/json",
    ).json()
    (line,) = shown["lines"]
    assert line["about"] == "2026-03-05, Ana, Berta"
    assert line["sentence"] == "“12.5” is not a whole number. “points” must be a whole number."
