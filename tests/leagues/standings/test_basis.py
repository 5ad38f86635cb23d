"""The input of standings and draws (`StandingsBasis`): entrants, byes, fixtures and the cut-off
line.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from fractions import Fraction

import pytest

from fairness import Seed
from leagues.draws import draw_rounds, draw_swiss, fixtures_of, min_seats, past_of, redraw_swiss
from leagues.fixtures.operations import draw_round_robin
from leagues.models import Fixture, FixtureSeat, League, Member, Player, Round
from leagues.results import points_against
from leagues.standings.cut import CutState
from leagues.standings.queries import (
    DrawnRound,
    Enrolment,
    StandingsBasis,
    has_sides,
    standings_basis,
)
from leagues.standings.scoring import Placing, Scoring, StandingsEntry, UnplayedRound
from leagues.standings.tallies import RulesVersion
from leagues.standings.tie_breaks import TieBreak
from tests.leagues import world
from tests.leagues.standings.test_table import match
from tests.leagues.world import NOW, play, seated

DAY = dt.timedelta(days=1)
BYE = (UnplayedRound(1),)
LATER = (UnplayedRound(2),)
BYES = (*BYE, *LATER)
BASIS = StandingsBasis(
    enrolments=(Enrolment(player=1), Enrolment(player=2, left_at=NOW), Enrolment(player=3)),
    placings=(*match(1, (1, 1, 10), (2, 2, 4)), *match(2, (2, 1, 9), (3, 2, 5))),
    to_play=((1, 3), (2, 3)),
    scoring=Scoring(),
    tie_breaks=(TieBreak.MARGIN,),
    cut=1,
    seed=Seed(bytes(32)),
    sides=False,
    complete=True,
    rounds=(
        DrawnRound(number=1, drawn_at=NOW, byes=frozenset({1})),
        DrawnRound(number=2, drawn_at=NOW + 3 * DAY, byes=frozenset({3})),
    ),
    format=League.Format.SWISS,
)


def played(basis: StandingsBasis) -> list[tuple[object, int]]:
    return [(placing.match, placing.player) for placing in basis.placings]


def test_standings_basis_until_a_time_has_earlier_matches_and_no_cut_off_line() -> None:
    second = BASIS.placings[2].when
    assert played(BASIS.until_time(second)) == [(1, 1), (1, 2)]
    assert len(BASIS.until_time(second + dt.timedelta(microseconds=1)).placings) == 4
    assert {row.state for row in BASIS.rows()} != {None}
    assert {row.state for row in BASIS.until_time(second).rows()} == {None}


def test_standings_basis_with_a_replaced_match_keeps_the_order_of_matches() -> None:
    assert played(BASIS.without_match(1)) == [(2, 2), (2, 3)]
    between = [
        replace(placing, when=BASIS.placings[0].when + DAY / 2)
        for placing in match(5, (3, 1, 1), (1, 2, 0))[::-1]
    ]
    assert played(BASIS.with_places(5, between)) == [
        (1, 1), (1, 2), (5, 3), (5, 1), (2, 2), (2, 3),
    ]  # fmt: skip
    again = match(1, (1, 2, 0), (2, 1, 3))
    assert played(BASIS.with_places(1, again)) == played(BASIS)
    assert BASIS.with_places(1, again).placings[0].points == 0
    assert played(BASIS.with_places(2, [])) == [(1, 1), (1, 2)]


def test_standings_basis_before_a_round_has_its_players_and_no_cut_off_line() -> None:
    drawn = replace(
        BASIS,
        placings=tuple(
            replace(placing, round=number)
            for number in (1, 2)
            for placing in BASIS.placings
            if placing.match == number
        ),
    )
    some = drawn.before_round(2, {2, 3})
    assert some.entries == (StandingsEntry(player=2), StandingsEntry(player=3))
    assert played(some) == [(1, 1), (1, 2)]
    assert some.cut is None
    later = drawn.before_round(3, {2, 3})
    assert later.entries == (StandingsEntry(player=2), StandingsEntry(player=3, unplayed=LATER))
    assert len(later.placings) == 4


def test_standings_basis_of_a_past_day_has_byes_and_members_of_that_day() -> None:
    basis = replace(BASIS, enrolments=(Enrolment(player=3, left_at=NOW + 2 * DAY),))
    drawn = NOW + 3 * DAY
    for moment, expected in (
        (NOW + 2 * DAY, StandingsEntry(player=3)),
        (drawn, StandingsEntry(player=3, withdrawn=True)),
        (
            drawn + dt.timedelta(microseconds=1),
            StandingsEntry(player=3, unplayed=LATER, withdrawn=True),
        ),
    ):
        assert basis.until_time(moment).entries == (expected,)


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (RulesVersion.CURRENT, {1, 4}),
        (RulesVersion.FIRST, {1, 4}),
        (RulesVersion.FINAL, {1, 3, 4}),
    ],
)
def test_standings_of_a_past_day_omit_players_who_joined_later(
    rules: RulesVersion, players: set[int]
) -> None:
    """A player who joined later is listed only with an earlier match.

    Final standings always list all players.
    """
    joined = (
        Enrolment(player=1, joined_at=NOW),
        Enrolment(player=3, joined_at=NOW + 2 * DAY),
        Enrolment(player=4, joined_at=NOW + 2 * DAY),
    )
    placed = tuple(match(1, (1, 1, 10), (4, 2, 4)))
    basis = replace(BASIS, enrolments=joined, placings=placed, rules=rules)
    moment = NOW + 2 * DAY
    assert basis.placings[0].when < moment
    assert {row.player for row in basis.until_time(moment).rows()} == players
    later = basis.until_time(moment + dt.timedelta(microseconds=1))
    assert {row.player for row in later.rows()} == {row.player for row in basis.rows()} == {1, 3, 4}


@pytest.mark.parametrize(
    ("old", "new", "entries", "fixtures"),
    [
        # The entry that comes first keeps its position. The merged player plays if either name
        # does.
        (
            3,
            1,
            (StandingsEntry(player=1, unplayed=BYES), StandingsEntry(player=2, withdrawn=True)),
            ((1, 1), (2, 1)),
        ),
        (
            2,
            1,
            (StandingsEntry(player=1, unplayed=BYE), StandingsEntry(player=3, unplayed=LATER)),
            ((1, 3), (1, 3)),
        ),
        (
            1,
            9,
            (
                StandingsEntry(player=9, unplayed=BYE),
                StandingsEntry(player=2, withdrawn=True),
                StandingsEntry(player=3, unplayed=LATER),
            ),
            ((9, 3), (2, 3)),
        ),
        (
            2,
            9,
            (
                StandingsEntry(player=1, unplayed=BYE),
                StandingsEntry(player=9, withdrawn=True),
                StandingsEntry(player=3, unplayed=LATER),
            ),
            ((1, 3), (9, 3)),
        ),
    ],
)
def test_merge_in_a_standings_basis_replaces_the_player_everywhere(
    old: int, new: int, entries: tuple[StandingsEntry, ...], fixtures: tuple[tuple[int, ...], ...]
) -> None:
    renamed = BASIS.renamed(old, new)
    assert (renamed.entries, renamed.to_play) == (entries, fixtures)
    assert {placing.player for placing in renamed.placings} == {
        new if player == old else player for player in (1, 2, 3)
    }


def test_merged_player_has_withdrawn_if_both_names_have() -> None:
    gone = (Enrolment(player=1, left_at=NOW), *BASIS.enrolments[1:])
    both = replace(BASIS, enrolments=gone)
    assert both.renamed(2, 1).entries[0] == StandingsEntry(player=1, unplayed=BYE, withdrawn=True)


def test_player_who_left_after_the_end_counts_until_the_end_of_the_last_membership() -> None:
    gone = (
        Enrolment(player=1, left_at=NOW),
        Enrolment(player=2, left_at=NOW + DAY, left_after_end=True),
        Enrolment(player=3),
    )
    basis = replace(BASIS, enrolments=gone)
    assert [row.is_member for row in basis.rows() if row.player == 1] == [False]
    for old, new in ((2, 1), (1, 2)):
        (row,) = (row for row in basis.renamed(old, new).rows() if row.player == new)
        assert (row.withdrawn, row.is_member) == (True, True)


@pytest.mark.parametrize(
    ("cut", "complete", "line"), [(1, True, True), (1, False, False), (None, True, False)]
)
def test_cut_off_line_is_calculated_only_if_all_fixtures_are_known(
    cut: int | None, complete: bool, line: bool
) -> None:
    rows = replace(BASIS, cut=cut, complete=complete).rows()
    assert any(row.state for row in rows) is line


@pytest.mark.parametrize(
    ("sides", "points", "against"),
    [
        ([0, 1], [9, 4], [4, 9]),
        ([0, 1, 2], [9, 4, 7], [7, 9, 9]),
        ([0, 1, 0, 1], [9, 4, 9, 4], [4, 9, 4, 9]),
        ([0, 0], [3, 3], [0, 0]),
        ([0, 1], [-3, -8], [-8, -3]),
    ],
)
def test_points_against_a_side(sides: list[int], points: list[int], against: list[int]) -> None:
    assert points_against(sides, points) == against


# The following tests read standings bases from the database.


@pytest.fixture
def office(db: None) -> Player:
    return world.account("office")


@pytest.fixture
def robin(office: Player) -> League:
    """Create a drawn round robin of five players with a cut-off line, and a second one that must
    not matter.
    """
    league = world.round_robin(office, ["ana", "beto", "carla", "dora", "eva"], cut=2)
    world.round_robin(office, ["ana", "beto", "carla"], cut=1)
    return league


def player_named(name: str) -> Player:
    return Player.objects.get(name=name)


def test_basis_contains_the_settings_of_its_league(robin: League) -> None:
    basis = standings_basis(robin)
    assert basis.tie_breaks == (TieBreak.HEAD_TO_HEAD, TieBreak.MARGIN, TieBreak.WINS)
    assert (basis.scoring, basis.cut, basis.sides) == (Scoring(sides=2), 2, False)
    assert basis.seed.value == bytes(robin.seed)
    robin.tie_breaks = ["lots", "points"]
    robin.scoring = {"by_place": ["3"], "draw": "1", "bye": "2"}
    basis = standings_basis(robin)
    assert basis.tie_breaks == (TieBreak.LOTS, TieBreak.POINTS)
    three = Scoring(by_place=(Fraction(3),), draw=Fraction(1), bye=Fraction(2), sides=2)
    assert basis.scoring == three
    assert [row.score for row in basis.rows()] == [0] * 5, "each rests once, which is no bye"


def drawn_uneven(office: Player, names: str, rounds: int | None, **fields: object) -> League:
    """Create a round robin in which some players have more rest days than others."""
    league = world.found_league(office, format="round_robin", plays=False, **fields)
    for name in names.split():
        world.enter_league(league, world.account(name))
    draw_round_robin(league=league, by=office, at=NOW, rounds=rounds)
    return league


def standings_of(
    league: League, until: dt.datetime | None = None
) -> dict[int, tuple[int | Fraction, int]]:
    """Return score and number of byes of each player."""
    basis = standings_basis(league)
    rows = (basis.until_time(until) if until else basis).rows()
    return {row.player: (row.score, row.byes) for row in rows}


def test_rest_day_in_two_rounds_of_three_players_is_a_bye_once_its_round_is_played(
    office: Player,
) -> None:
    league = drawn_uneven(office, "ana beto carla", 2, tie_breaks=["buchholz"])
    first, second = league.rounds.order_by("number")
    rested, later = (drawn.byes[0]["player"] for drawn in (first, second))
    (never,) = {player_named(name).pk for name in ("ana", "beto", "carla")} - {rested, later}
    nobody = {rested: (0, 0), later: (0, 0), never: (0, 0)}
    assert standings_of(league) == nobody
    # In this league, the player without a rest day loses both matches.
    fixture = first.fixtures.get()
    lead = seated(fixture)[0].pk == later
    play(fixture, *((10, 4) if lead else (4, 10)), at=NOW + DAY)
    assert standings_of(league) == {rested: (1, 1), later: (1, 0), never: (0, 0)}
    fixture = second.fixtures.get()
    lead = seated(fixture)[0].pk == rested
    play(fixture, *((10, 4) if lead else (4, 10)), at=NOW + 3 * DAY)
    assert standings_of(league) == {rested: (2, 1), later: (2, 1), never: (0, 0)}
    rows = {row.player: row for row in standings_basis(league).rows()}
    # A bye counts as an opponent with the player's own score of 2. The loser counts as an opponent
    # with 0.
    strength = {player: row.breaks[TieBreak.BUCHHOLZ] for player, row in rows.items()}
    assert strength == {rested: 2, later: 2, never: 4}
    assert [row.place for row in rows.values()] == [1, 1, 3]
    # Standings of past days contain the rounds whose matches had been played by then.
    assert standings_of(league, NOW + DAY) == nobody
    assert standings_of(league, NOW + 2 * DAY)[rested] == (1, 1)
    assert standings_of(league, NOW + 2 * DAY)[later] == (1, 0)


def test_match_of_a_later_round_also_counts_the_byes_of_earlier_rounds(office: Player) -> None:
    league = drawn_uneven(office, "ana beto carla", 2)
    first, second = league.rounds.order_by("number")
    play(second.fixtures.get(), 10, 4, at=NOW + DAY)
    byes = {player: byes for player, (_score, byes) in standings_of(league).items()}
    assert {player for player, count in byes.items() if count} == {
        first.byes[0]["player"],
        second.byes[0]["player"],
    }


@pytest.mark.slow
def test_full_round_robin_of_five_at_tables_of_four_has_byes(office: Player) -> None:
    # All players have met after three rounds, in which three have a bye and two have none. A bye
    # brings the mean points of all places, a quarter of the winner's point.
    league = drawn_uneven(office, "ana beto carla dora eva", None, seats=4)
    rounds = list(league.rounds.order_by("number"))
    resting = [drawn.byes[0]["player"] for drawn in rounds]
    assert len(set(resting)) == len(resting) == 3
    assert {score for score, _byes in standings_of(league).values()} == {0}
    winners: list[int] = []
    for count, drawn in enumerate(rounds, start=1):
        fixture = drawn.fixtures.get()
        winners.append(seated(fixture)[0].pk)
        play(fixture, 10, 3, 2, 1, at=NOW + count * DAY)
        assert standings_of(league) == {
            player_named(name).pk: (
                winners.count(player_named(name).pk)
                + Fraction(1, 4) * resting[:count].count(player_named(name).pk),
                resting[:count].count(player_named(name).pk),
            )
            for name in ("ana", "beto", "carla", "dora", "eva")
        }


@pytest.mark.slow
def test_full_round_robin_of_three_has_rest_days_and_no_byes(office: Player) -> None:
    league = drawn_uneven(office, "ana beto carla", None)
    for number, drawn in enumerate(league.rounds.all(), start=1):
        play(drawn.fixtures.get(), 10, 4, at=NOW + number * DAY)
        assert {byes for _score, byes in standings_of(league).values()} == {0}
        assert sum(score for score, _byes in standings_of(league).values()) == number


def test_basis_contains_open_and_postponed_fixtures_of_its_league(
    robin: League,
) -> None:
    fixtures = list(Fixture.objects.filter(round__league=robin).order_by("pk"))
    for fixture, state in zip(
        fixtures, ("open", "postponed", "played", "forfeited", "void"), strict=False
    ):
        Fixture.objects.filter(pk=fixture.pk).update(state=state)
    wanted = [fixtures[0], fixtures[1], *fixtures[5:]]
    assert list(standings_basis(robin).to_play) == [
        tuple(fixture.seats.order_by("number").values_list("player", flat=True))
        for fixture in wanted
    ]


@pytest.mark.parametrize(
    ("format_", "drawn", "closed", "complete"),
    [
        ("round_robin", True, False, True),
        ("round_robin", False, False, False),
        ("swiss", True, False, False),
        ("ladder", False, False, False),
        ("ladder", False, True, True),
        ("swiss", True, True, True),
        ("round_robin", False, True, True),
    ],
)
def test_league_is_complete_when_no_further_matches_can_come(
    robin: League, format_: str, drawn: bool, closed: bool, complete: bool
) -> None:
    robin.format, robin.closed_at = format_, NOW if closed else None
    if not drawn:
        Round.objects.filter(league=robin).delete()
    assert standings_basis(robin).complete is complete


@pytest.mark.slow
def test_closed_league_has_final_states_at_the_cut_off_line(robin: League) -> None:
    for fixture in Fixture.objects.filter(round__league=robin, round__number__lte=2):
        world.play(fixture, 10, 4)
    Fixture.objects.filter(round__league=robin, state="open").update(state="void")
    robin.closed_at = NOW
    assert CutState.ALIVE not in {
        row.state for row in standings_basis(robin).rows() if row.place == 1
    }


def test_byes_and_fixtures_of_a_merged_player_belong_to_the_account(robin: League) -> None:
    eva, root = player_named("eva"), world.account("root")
    Player.objects.filter(pk=eva.pk).update(merged_into=root)
    entries = {entry.player: entry for entry in standings_basis(robin).entries}
    assert eva.pk not in entries
    assert entries[root.pk] == StandingsEntry(player=root.pk)
    byes = [player for drawn in standings_basis(robin).rounds for player in drawn.byes]
    assert (byes.count(root.pk), byes.count(eva.pk)) == (1, 0)
    seated = [player for players in standings_basis(robin).to_play for player in players]
    assert (seated.count(root.pk), seated.count(eva.pk)) == (4, 0)
    drawn = fixtures_of(robin, numbers=range(1, 6), states=None)
    assert sum(root.pk in players for players in drawn) == 4
    assert past_of(robin, below=6).met[
        min(root.pk, player_named("ana").pk), max(root.pk, player_named("ana").pk)
    ]


@pytest.mark.parametrize(
    ("gone", "expected"), [((True, True), True), ((True, False), False), ((False, True), False)]
)
def test_player_has_withdrawn_after_leaving_under_every_name(
    office: Player, gone: tuple[bool, bool], expected: bool
) -> None:
    league = world.found_league(office, plays=False)
    ana, alias = world.account("ana"), world.guest("alias")
    for player, left in zip((ana, alias), gone, strict=True):
        Member.objects.create(
            league=league, player=player, joined_at=NOW, withdrawn_at=NOW if left else None
        )
    Player.objects.filter(pk=alias.pk).update(merged_into=ana)
    assert standings_basis(league).entries == (StandingsEntry(player=ana.pk, withdrawn=expected),)


def test_entrants_are_playing_members_in_the_order_of_joining(
    office: Player,
) -> None:
    league = world.found_league(office, plays=False)
    players = [world.account(name) for name in ("ana", "beto", "carla")]
    for days, player in zip((3, 1, 2), players, strict=True):
        Member.objects.create(league=league, player=player, joined_at=NOW + days * DAY)
    ana, beto, carla = players
    assert [entry.player for entry in standings_basis(league).entries] == [
        beto.pk,
        carla.pk,
        ana.pk,
    ]


# Draws


@pytest.mark.parametrize(
    ("seats", "options", "fewest", "sides"),
    [
        (2, {}, 2, False),
        (3, {}, 2, False),
        (4, {}, 3, False),
        (6, {}, 5, False),
        (4, {"partners": True}, 4, True),
    ],
)
def test_smallest_allowed_table_has_one_seat_less(
    office: Player, seats: int, options: dict[str, object], fewest: int, sides: bool
) -> None:
    profile = "pairs" if options else "plain"
    league = world.found_league(office, seats=seats, profile=profile)
    assert min_seats(league) == fewest
    assert has_sides(league) is sides


def test_withdrawn_deleted_and_non_playing_members_are_not_drawn(
    office: Player,
) -> None:
    for form in ("round_robin", "swiss"):
        league = world.found_league(office, format=form, plays=False, name=form)
        players = [
            Player.objects.filter(name=name).first() or world.account(name)
            for name in ("ana", "beto", "carla", "dora", "edu")
        ]
        for player in players:
            world.enter_league(league, player)
        Member.objects.filter(league=league, player=players[3]).update(withdrawn_at=NOW)
        Player.objects.filter(pk=players[4].pk).update(left_at=NOW)
        seed = Seed(bytes(league.seed))
        rounds = (
            draw_rounds(league, seed, attempt=0)
            if form == "round_robin"
            else (draw_swiss(league, 1),)
        )
        drawn = {player for each in rounds for pairing in each.pairings for player in pairing.seats}
        drawn |= {bye.player for each in rounds for bye in each.byes}
        assert drawn == {player.pk for player in players[:3]}
        Player.objects.filter(pk=players[4].pk).update(left_at=None)


def test_draw_has_the_planned_meetings_and_each_attempt_differs(
    office: Player,
) -> None:
    league = world.found_league(office, format="round_robin", rounds_planned=2, plays=False)
    for name in ("ana", "beto", "carla", "dora", "eva", "flor"):
        world.enter_league(league, world.account(name))
    seed = Seed(bytes(range(32)))
    first = draw_rounds(league, seed, attempt=0)
    assert len(first) == 10
    assert draw_rounds(league, seed, attempt=0) == first
    assert draw_rounds(league, seed, attempt=1) != first
    league.rounds_planned = None
    assert len(draw_rounds(league, seed, attempt=0)) == 5


@pytest.mark.parametrize(
    ("state", "met"),
    [("open", 1), ("postponed", 1), ("played", 1), ("forfeited", 0), ("void", 0)],
)
def test_fixture_counts_as_a_meeting_unless_forfeited_or_void(
    robin: League, state: str, met: int
) -> None:
    Fixture.objects.filter(round__league=robin).update(state=state)
    past = past_of(robin, below=3)
    assert sum(past.met.values()) == 4 * met, "two fixtures in each of two rounds"
    assert sum(past.byes.values()) == 2, "who sat out sat out"
    assert sum(past_of(robin, below=1).met.values()) == 0
    seats = past.sat
    first = Fixture.objects.filter(round__league=robin, round__number=1).first()
    leader = FixtureSeat.objects.get(fixture=first, number=0).player_id
    assert (seats[leader, 0] > 0) is bool(met)


@pytest.mark.slow
def test_repeated_draw_of_a_round_uses_its_players_and_earlier_results(
    office: Player,
) -> None:
    from leagues.fixtures.operations import draw_next_swiss

    league = world.found_league(office, format="swiss", plays=False)
    for name in ("ana", "beto", "carla", "dora", "eva"):
        world.enter_league(league, world.account(name))
    one = draw_next_swiss(league=league, by=office, at=NOW)
    for fixture in one.fixtures.all():
        world.play(fixture, 10, 4)
    two = draw_next_swiss(league=league, by=office, at=NOW)
    drawn = [
        tuple(fixture.seats.order_by("number").values_list("player", flat=True))
        for fixture in two.fixtures.order_by("number")
    ]
    for fixture in two.fixtures.all():
        world.play(fixture, 4, 10)
    world.enter_league(league, world.account("late"))
    Member.objects.filter(league=league, player=player_named("ana")).update(withdrawn_at=NOW)
    again = redraw_swiss(league, standings_basis(league), 2)
    assert [pairing.seats for pairing in again.pairings] == drawn
    assert [bye.player for bye in again.byes] == [bye["player"] for bye in two.byes]


def test_placing_contains_all_data_of_a_seat(robin: League) -> None:
    fixture = world.first_fixture(robin)
    found = world.play(fixture, 10, 4, at=NOW + DAY)
    one, other = world.seated(fixture)
    assert standings_basis(robin).placings == tuple(
        Placing(
            match=found.pk, player=player.pk, seat=seat, side=seat, place=seat + 1,
            points=points, against=against, when=NOW + DAY, game="highest", round=1,
        )
        for seat, (player, points, against) in enumerate(((one, 10, 4), (other, 4, 10)))
    )  # fmt: skip
