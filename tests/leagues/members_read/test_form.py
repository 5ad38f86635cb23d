"""Statistics of players: form, opponents, partners, records and head to head, on small examples."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from leagues.members_read.statistics import Duel, Partnership, head_to_head, player_statistics
from leagues.standings.scoring import Placing
from tests.leagues.standings.test_table import FIRST, duels, match


def day(number: int) -> datetime:
    return FIRST + timedelta(days=number)


def test_form_shows_the_last_ten_results_oldest_first() -> None:
    played = duels(*[(2, 1, "W")] * 3, *[(1, 2, "W")] * 8, (1, 2, "D"))
    form = player_statistics(1, played[::-1])
    assert form.last == ("L", *"WWWWWWWW", "D")
    assert (form.played, form.won, form.drawn, form.lost) == (12, 8, 1, 3)
    assert form.current_run == 0
    assert form.longest_run is not None
    assert form.longest_run.length == 8
    assert (form.longest_run.since, form.longest_run.until) == (day(3), day(10))


def test_current_winning_run_ends_at_the_last_match_not_won() -> None:
    assert player_statistics(1, duels((2, 1, "W"), (1, 2, "W"), (1, 3, "W"))).current_run == 2
    assert player_statistics(1, duels((1, 2, "W"), (1, 3, "W"))).current_run == 2


def test_nemesis_and_favourite_are_the_opponents_most_lost_to_and_most_beaten() -> None:
    played = duels((2, 1, "W"), (2, 1, "W"), (3, 1, "W"), (1, 3, "W"), (1, 3, "W"), (1, 2, "W"))
    form = player_statistics(1, played)
    assert form.nemesis == Duel(1, 2, played=3, won=1, lost=2, margin=-40)
    assert form.favourite == Duel(1, 3, played=3, won=2, lost=1, margin=40)
    assert [duel.rival for duel in form.opponents] == [2, 3]


def test_unbeaten_player_has_no_nemesis() -> None:
    assert player_statistics(1, duels((1, 2, "W"))).nemesis is None
    assert player_statistics(2, duels((1, 2, "W"))).favourite is None


def test_places_at_larger_tables_count_against_each_opponent() -> None:
    played = match(1, (1, 2, 60), (2, 1, 100), (3, 3, 20))
    duel = {found.rival: found for found in player_statistics(1, played).opponents}
    assert duel[2] == Duel(1, 2, played=1, lost=1, margin=-40)
    assert duel[3] == Duel(1, 3, played=1, won=1, margin=40)
    assert player_statistics(1, played).lost == 1


def test_statistics_contain_partners_and_their_results() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    played = match(1, (1, 1, 104), (2, 2, 57), (3, 1, 104), (4, 2, 57), sides=True)
    played += match(2, (1, 2, 80), (2, 1, 110), (3, 2, 80), (4, 1, 110), sides=True)
    played += match(3, (1, 1, 101), (3, 2, 9), (4, 1, 101), (2, 2, 9), sides=True)
    form = player_statistics(1, played)
    assert form.partners == (
        Partnership(1, 3, played=2, won=1),
        Partnership(1, 4, played=1, won=1),
    )
    assert {duel.rival: duel.played for duel in form.opponents} == {2: 3, 4: 2, 3: 1}


def test_records_name_the_match_in_which_they_were_first_reached() -> None:
    played = match(1, (1, 1, 100), (2, 2, 90)) + match(2, (1, 2, 20), (2, 1, 130))
    played += match(3, (1, 1, 100), (2, 2, 30))
    form = player_statistics(1, played)
    assert form.highest_points is not None
    assert form.biggest_margin is not None
    assert (form.highest_points.value, form.highest_points.match) == (100, 1)
    assert (form.biggest_margin.value, form.biggest_margin.match) == (70, 3)


def test_statistics_cover_all_games() -> None:
    played = [
        Placing(
            match=number,
            player=player,
            seat=player,
            side=player,
            place=player,
            when=FIRST,
            game=game,
        )
        for number, game in enumerate(["dominoes", "eltoro", "dominoes"])
        for player in (1, 2)
    ]
    form = player_statistics(1, played)
    assert form.games == {"dominoes": 2, "eltoro": 1}
    assert form.highest_points is not None
    assert form.highest_points.game == "dominoes"


def test_player_without_matches_has_empty_statistics() -> None:
    form = player_statistics(9, duels((1, 2, "W")))
    assert (form.played, form.last, form.opponents, form.partners) == (0, (), (), ())
    assert form.longest_run is None
    assert form.highest_points is None
    assert form.biggest_margin is None
    assert form.current_run == 0


tables = st.lists(st.permutations([1, 2, 3, 4]), max_size=12)


@given(tables, st.booleans())
def test_head_to_head_matrix_is_symmetric(orders: list[list[int]], sides: bool) -> None:
    played = [
        placing
        for number, order in enumerate(orders)
        for placing in match(
            number,
            *[(player, 1 + seat % 2, 100 - 10 * (seat % 2)) for seat, player in enumerate(order)],
            sides=sides,
        )
    ]
    cells = head_to_head([1, 2, 3], played)
    assert all(4 not in key for key in cells)
    for (one, other), cell in cells.items():
        mirror = cells[other, one]
        assert (cell.player, cell.rival) == (one, other)
        assert cell.played == cell.won + cell.drawn + cell.lost == mirror.played
        assert (cell.won, cell.drawn, cell.margin) == (mirror.lost, mirror.drawn, -mirror.margin)
    for player in (1, 2, 3):
        duels_found = {duel.rival: duel for duel in player_statistics(player, played).opponents}
        for rival in {1, 2, 3} - {player}:
            assert cells.get((player, rival)) == duels_found.get(rival)
