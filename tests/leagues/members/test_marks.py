"""Colour marks of players: each has the same mark everywhere, and players at one board never share
a mark.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse

from leagues.games import games
from leagues.members.marks import (
    MARK_COUNT,
    mark_of_player,
    mark_of_seat,
    marks_of_seats,
    seat_marks,
)
from leagues.models import League, Player
from leagues.tables.operations.lobby import create_table, sit_down
from tests.factories import browser
from tests.leagues import game, world
from tests.leagues.world import NOW


@pytest.mark.parametrize(
    ("players", "marks"),
    [
        ([], []),
        ([4], [4]),
        ([4, 3], [4, 3]),
        ([10, 3], [4, 3]),
        ([4, 10], [4, 0]),  # the later player gets another mark
        ([4, 10, 0], [4, 1, 0]),  # but not the own mark of a third player
        ([None, 0], [1, 0]),  # bots give way as well
        ([None, None], [0, 1]),
        ([6, 12, 18, 24, 30, 36], [0, 1, 2, 3, 4, 5]),
        ([5, None, 4, None, 11, 3], [5, 0, 4, 1, 2, 3]),
        # From the seventh player on, marks repeat and the initial differs.
        ([0, 1, 2, 3, 4, 5, 6, None], [0, 1, 2, 3, 4, 5, 0, 1]),
    ],
)
def test_players_at_a_board_have_different_marks(
    players: list[int | None], marks: list[int]
) -> None:
    assert list(marks_of_seats(players)) == marks


def test_seats_have_the_marks_of_the_board_being_rendered() -> None:
    assert [mark_of_seat(seat) for seat in range(8)] == [0, 1, 2, 3, 4, 5, 0, 1]
    with seat_marks([4, 3]):
        assert [mark_of_seat(seat) for seat in range(3)] == [4, 3, 2]
        with seat_marks([2]):
            assert mark_of_seat(0) == 2
        assert mark_of_seat(0) == 4
    with pytest.raises(ZeroDivisionError), seat_marks([4]):
        1 / 0  # noqa: B018
    assert mark_of_seat(0) == 0


@pytest.fixture
def league(db: None) -> League:
    """Create a public ladder of eight players, in which each has beaten the next."""
    game.register()
    office = world.account("office")
    made = world.found_league(office, visibility="public")
    people = [world.account(f"{letter}na") for letter in "abcdefgh"]
    for one in people:
        world.enter_league(made, one)
    for one, other in pairwise(people):
        world.played(made, [one, other], [10, 3])
    return made


def marks_in(text: str, player: Player) -> set[int]:
    """Return the marks beside a player's name on a page."""
    drawn = rf'class="mk mk-(\d)"(?:(?!</svg>).)*</svg>(?:\s*<[^>]*>)*\s*{player.name}\b'
    return {int(found) - 1 for found in re.findall(drawn, text, re.DOTALL)}


@pytest.mark.slow
def test_lists_show_every_player_with_its_own_mark(league: League) -> None:
    pages = [reverse(name, args=[league.slug]) for name in ("league", "league_results")]
    pages += [reverse("league_matrix", args=[league.slug]), "/leagues/"]
    for path in pages:
        text = Client().get(path).text
        shown = {one: marks_in(text, one) for one in league.players.all()}
        assert all(marks <= {mark_of_player(one.pk)} for one, marks in shown.items()), path
    first = Client().get(pages[0]).text
    assert all(marks_in(first, one) for one in league.players.exclude(name="office"))


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["dominoes", "eltoro"])
def test_game_table_shows_players_with_its_own_mark_if_it_is_free(key: str) -> None:
    profile = games[key].profiles[0].key
    ana = world.account("ana")
    between = [world.account(f"x{number}") for number in range(MARK_COUNT - 1)]
    beto = world.account("beto")
    mine, free = mark_of_player(ana.pk), min(set(range(MARK_COUNT)) - {mark_of_player(ana.pk)})
    assert mark_of_player(beto.pk) == mine
    for other, mark in ((beto, free), (between[0], mark_of_player(between[0].pk))):
        table = create_table(host=ana, at=NOW, game=key, profile=profile)
        sit_down(table_id=table.pk, player=other, at=NOW)
        for path in (reverse("table", args=[table.pk]), "/tables/"):
            text = browser(ana).get(path).text
            assert marks_in(text, ana) == {mine}
            assert mark in marks_in(text, other)
