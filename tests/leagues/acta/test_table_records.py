"""Records (actas) of rounds and matches: who can download them, and from when."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

import actas
from leagues.matches.operations import matches
from leagues.models import Match, Player, Table
from leagues.tables import actas as table_actas
from leagues.tables import log as table_log
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.leagues.pages.tables.seats import begun_table, play_hand

pytestmark = pytest.mark.django_db
Person = tuple[Client, Player]


def short(ana: Person, blas: Person, game: str = "dominoes", **house: object) -> Table:
    """Create a game table at which one hand of dominoes (or a day of El Toro) is a whole match."""
    options = {"target": 1} if game == "dominoes" else {"days": 1}
    table = lobby.create_table(
        host=ana[1],
        at=timezone.now(),
        game=game,
        profile="own",
        options=options,
        house=TableSettings(**house),  # type: ignore[arg-type]
    )
    lobby.sit_down(table_id=table.pk, player=blas[1], at=timezone.now())
    lobby.begin_table(table_id=table.pk, player=ana[1], at=timezone.now())
    return Table.objects.get(pk=table.pk)


@pytest.mark.slow
def test_record_of_a_hand_can_be_downloaded_once_the_hand_is_over(
    ana: Person, blas: Person
) -> None:
    table = begun_table(ana[1], blas[1], delay=0)
    way = f"/tables/{table.pk}/rounds/1/record/"
    assert ana[0].get(way).status_code == 404
    play_hand(table, (ana[0], blas[0]))
    answer = Client().get(way)
    document = answer.json()
    assert document["kind"] == "hand"
    assert [seat["name"] for seat in document["seats"]] == ["Ana", "Blas"]
    assert actas.check_file(answer.content).is_confirmed
    assert answer["Cache-Control"] == "private, no-cache"
    again = Client().get(way, headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    assert "Everything is correct" in Client().get(f"{way}verdict/").text
    assert f'href="{way}"' in Client().get(f"/tables/{table.pk}/").text
    for number in (0, 2, 99):
        assert Client().get(f"/tables/{table.pk}/rounds/{number}/record/").status_code == 404


def test_record_of_a_round_is_withheld_until_delayed_spectators_have_seen_its_end(
    ana: Person, blas: Person
) -> None:
    table = begun_table(ana[1], blas[1], delay=60)
    play_hand(table, (ana[0], blas[0]))
    assert Client().get(f"/tables/{table.pk}/rounds/1/record/").status_code == 404
    log = table_log.find_log(table.pk)
    assert log is not None
    now = timezone.now()
    with pytest.raises(actas.NotYet):
        table_actas.acta_of_round(log, 1, at=now)
    document = table_actas.acta_of_round(log, 1, at=now + dt.timedelta(seconds=61))
    assert actas.check(document).is_confirmed


def test_records_of_a_private_table_are_only_for_its_players(ana: Person, blas: Person) -> None:
    table = begun_table(ana[1], blas[1], delay=0, watch=Table.Watch.NOBODY)
    play_hand(table, (ana[0], blas[0]))
    way = f"/tables/{table.pk}/rounds/1/record/"
    assert Client().get(way).status_code == Client().get(f"{way}verdict/").status_code == 404
    assert blas[0].get(way).status_code == 200


@pytest.mark.slow
def test_record_of_a_match_played_on_the_site_contains_all_rounds(
    ana: Person, blas: Person
) -> None:
    table = short(ana, blas, delay=0)
    while Table.objects.get(pk=table.pk).state == Table.State.PLAYING:
        play_hand(table, (ana[0], blas[0]))
        for person in (ana, blas):
            person[0].post(f"/tables/{table.pk}/ready/")
    match = Table.objects.get(pk=table.pk).match
    assert match is not None
    way = f"/matches/{match.pk}/record/"
    document = ana[0].get(way).json()
    assert document["kind"] == "match"
    assert len(document["rounds"]) == Table.objects.get(pk=table.pk).round
    assert actas.check(document).is_confirmed
    assert Client().get(way).status_code == 404
    page = ana[0].get(f"/matches/{match.pk}/", follow=True).text
    assert f'href="{way}"' in page
    assert "Everything is correct" in ana[0].get(f"{way}verdict/").text


def test_record_shows_differences_if_stored_rows_were_changed(ana: Person, blas: Person) -> None:
    table = begun_table(ana[1], blas[1], delay=0)
    play_hand(table, (ana[0], blas[0]))
    kept = table.rounds.get(number=1)
    kept.points = [points + 5 for points in kept.points]
    kept.save()
    Table.objects.filter(pk=table.pk).update(changes=table.changes)
    log = table_log.find_log(table.pk)
    assert log is not None
    fresh = table_log.read_log(table.pk)
    document = table_actas.acta_of_round(fresh, 1, at=timezone.now() + dt.timedelta(days=1))
    assert [one.name for one in actas.check(document).differences] == ["points/0", "points/1"]


def handed_in(ana: Person, blas: Person) -> Match:
    """Submit the total points of a match at a real table. Blas must still confirm them."""
    match = matches.open_match(
        by=ana[1],
        at=timezone.now(),
        players=[ana[1], blas[1]],
        game="dominoes",
        profile="rulebook",
    )
    return matches.hand_in(
        match=match,
        version=match.version,
        by=ana[1],
        at=timezone.now(),
        content={"totals": [104, 60]},
    )


def test_record_of_a_scoresheet_can_be_downloaded_once_it_is_confirmed(
    ana: Person, blas: Person
) -> None:
    match = handed_in(ana, blas)
    way = f"/matches/{match.pk}/record/"
    assert ana[0].get(way).status_code == 404
    matches.confirm(match=match, version=match.version, by=blas[1], at=timezone.now())
    answer = ana[0].get(way)
    document = answer.json()
    assert document["kind"] == "sheet"
    assert document["result"] == {"points": [104, 60], "places": [1, 2], "evidence": "score"}
    assert not {"seed", "stake", "commitment"} & set(document)
    assert actas.check_file(answer.content).is_confirmed
    assert Client().get(way).status_code == Client().get(f"{way}verdict/").status_code == 404
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOID)
    with pytest.raises(actas.NotYet, match="once the match counts"):
        table_actas.acta_of_match(Match.objects.get(pk=match.pk), at=timezone.now())


def test_forfeited_match_has_no_record(ana: Person, blas: Person) -> None:
    match = handed_in(ana, blas)
    Match.objects.filter(pk=match.pk).update(state="final", origin="forfeit")
    with pytest.raises(actas.NotYet, match="not played has no record"):
        table_actas.acta_of_match(Match.objects.get(pk=match.pk), at=timezone.now())
    assert ana[0].get(f"/matches/{match.pk}/record/").status_code == 404
