"""Links on the page of a game table at which nothing more is played."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from leagues.games import games
from leagues.matches.operations.matches import pinned_rules
from leagues.models import League, Player, Table
from leagues.tables import changes
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings, create_table
from tests.factories import account, browser, league
from tests.leagues.evening import NOW, people, play_out, started_table, step
from tests.leagues.pages.tables.seats import begun_table as sit_down_and_begin
from tests.leagues.pages.tables.seats import play_hand

pytestmark = pytest.mark.django_db

# Options with which a single round is a match.
SHORT = {"dominoes": {"target": 1}, "eltoro": {"days": 1}}


def links(client: Client, address: str) -> set[str]:
    """Return the URLs of the site that a page links to."""
    answer = client.get(address, follow=True)
    assert answer.status_code == 200
    found = re.findall(r'<a\b[^>]*?\shref="(/[^"#]*)', answer.content.decode())
    return {one.replace("&amp;", "&") for one in found}


def dead(client: Client, address: str) -> dict[str, int]:
    """Return the links that fail on a page and on the pages of the same table that it links to."""
    pages, met = [address], {address: 200}
    while pages:
        for link in links(client, pages.pop()) - met.keys():
            met[link] = client.get(link, follow=True).status_code
            if met[link] == 200 and re.match(r"/tables/\d+/(replay/1/0/)?$", link):
                pages.append(link)
    return {link: status for link, status in met.items() if status != 200}


def finished_table(game: str, players: list[Player]) -> Table:
    """Play a match to its end."""
    table = started_table(game, players, "own", **SHORT[game])
    play_out(table, players)
    return table


def closed(game: str, players: list[Player], steps: int = 3) -> Table:
    """Close a table in the first round of its match."""
    table = started_table(game, players, "own", **SHORT[game])
    for _ in range(steps):
        step(table, players)
    with changes.change_table(table.pk, at=NOW) as change:
        changes.abandon_table(change)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("ended", [pytest.param(finished_table, marks=pytest.mark.slow), closed])
def test_all_links_of_a_finished_table_work(
    game: str, ended: Callable[[str, list[Player]], Table]
) -> None:
    players = people("Ana", "Beto")
    table = ended(game, players)
    for who in (None, *players):
        client = browser(who)
        assert dead(client, f"/tables/{table.pk}/") == {}, who


@pytest.mark.slow
@pytest.mark.parametrize(("visibility", "shown"), [("public", True), ("link", False)])
def test_result_is_linked_only_for_people_who_can_open_it(visibility: str, shown: bool) -> None:
    olga, ana, beto = account("olga"), account("ana"), account("beto")
    rules = pinned_rules(games["dominoes"], "own", SHORT["dominoes"])
    home = league("dominoes", olga, ana, beto, rules=rules, visibility=visibility)
    house = TableSettings(watch=Table.Watch.LINK, delay=0)
    table = create_table(host=ana, at=NOW, league=home, house=house)
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    play_out(table, [ana, beto])
    address, by_link = f"/tables/{table.pk}/", f"/tables/{table.pk}/join/{table.invitation}/"
    for who, sees in ((None, shown), (ana, True), (olga, True)):
        client = browser(who)
        client.get(by_link)
        assert any("/matches/" in link for link in links(client, address)) == sees, who
        assert dead(client, address) == {}, who


@pytest.mark.slow
def test_record_is_not_linked_before_delayed_spectators_have_seen_the_end(
    ana: tuple[Client, Player], blas: tuple[Client, Player]
) -> None:
    table = sit_down_and_begin(ana[1], blas[1], delay=60)
    play_hand(table, (ana[0], blas[0]))
    address = f"/tables/{table.pk}/"
    assert dead(ana[0], address) == {}
    assert "once everyone has seen the end" in ana[0].get(address).text


def test_tables_of_a_league_made_private_are_hidden_at_once() -> None:
    """The cached table must not continue to say that its league is public."""
    olga, ana, beto = account("olga"), account("ana"), account("beto")
    rules = pinned_rules(games["dominoes"], "own", SHORT["dominoes"])
    home = league("dominoes", olga, ana, beto, rules=rules, visibility="public")
    table = create_table(host=ana, at=NOW, league=home, house=TableSettings(delay=0))
    lobby.sit_down(table_id=table.pk, player=beto, at=NOW)
    lobby.begin_table(table_id=table.pk, player=ana, at=NOW)
    for visibility, status in (("public", 200), ("private", 404), ("public", 200)):
        League.objects.filter(pk=home.pk).update(visibility=visibility)
        assert Client().get(f"/tables/{table.pk}/").status_code == status
        assert browser(olga).get(f"/tables/{table.pk}/").status_code == 200
