"""Indulto in leagues: a club with its own standings, one to three players, and no online tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corridas.game import INDULTO, points_by_seat
from corridas.models import MatadorCard, Plaza, TableCorrida
from corridas.tabletop import operations
from corridas.tabletop.sheets import judge
from leagues.exceptions import NotAllowed, OperationError
from leagues.games import REAL_TABLE, MoveRefused, RulesRefused, games
from leagues.league.operations import LeagueSettings, create_league
from leagues.members.operations.membership import join_league
from leagues.models import League, Match, Result
from leagues.standings.queries import standings_basis
from leagues.tables.operations.lobby import create_table
from tests.corridas.tabletop.sheets.afternoon import DECK, by_cards, played
from tests.corridas.tabletop.test_tables import NOW, Afternoon, confirmed, counts, handed_in


def club(afternoon: Afternoon) -> League:
    """Create a club of the two players, whose organiser does not play."""
    settings = LeagueSettings(name="Peña", game="indulto", profile="rulebook", seats=3)
    league = create_league(settings=settings, by=afternoon.director, at=NOW, plays=False)
    for player in (afternoon.ana, afternoon.beto):
        join_league(token=league.invitation, by=player, at=NOW)
    return league


def begin_match(afternoon: Afternoon, league: League, seats: int) -> Match:
    """Start a corrida in the club's league."""
    circuit = afternoon.season.circuit
    cards = MatadorCard.objects.filter(matador__circuit=circuit).order_by("matador", "pk")
    return operations.begin_table_corrida(
        players=(afternoon.ana, afternoon.beto)[:seats],
        by=afternoon.ana,
        plaza=Plaza.objects.filter(circuit=circuit, category=2)[0],
        date=NOW.date(),
        matadors=list(cards[:3]),
        bulls=[{"name": f"Toro {turn}", "number": turn} for turn in range(6)],
        at=NOW,
        league=league,
        leads=[place % seats for place in range(3)],
    )


def fought(match: Match) -> dict[str, Any]:
    """Return the sheet of a match with results only."""
    match.refresh_from_db()
    assert match.draft is not None
    lidias = [{"score": {"ending": "killed", "avisos": 0, "modified": 99}} for _ in range(6)]
    return {**match.draft, "lidias": lidias}


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("seats", [1, 2])
def test_club_corrida_counts_in_its_league_and_in_no_circuit(seats: int) -> None:
    afternoon = Afternoon()
    league = club(afternoon)
    match = begin_match(afternoon, league, seats)
    before = counts()
    handed_in(match, afternoon.ana, fought(match))
    if seats == 1:
        with pytest.raises(NotAllowed):
            confirmed(match, afternoon.beto)
    confirmed(match, afternoon.beto if seats == 2 else afternoon.director)
    assert counts() == before
    assert TableCorrida.objects.get(match=match).filed_at is None
    places = Result.objects.get(match=match).placings.order_by("seat")
    assert [place.points > 0 for place in places] == [True] * seats
    assert standings_basis(league).rows()


@pytest.mark.usefixtures("rows")
def test_indulto_has_no_online_tables(client: Client) -> None:
    afternoon = Afternoon()
    with pytest.raises(OperationError):
        create_table(host=afternoon.ana, at=NOW, game="indulto", profile="rulebook")
    with pytest.raises(OperationError):
        create_table(host=afternoon.ana, at=NOW, league=club(afternoon))
    hall = client.get(reverse("tables"))
    assert hall.status_code == 200
    assert client.get(reverse("new_table"), {"game": "indulto"}).status_code == 404
    assert INDULTO not in games.played_here()
    assert INDULTO in games.all_games()


def test_real_table_rejects_every_online_move() -> None:
    asked: tuple[Callable[[], object], ...] = (
        lambda: REAL_TABLE.stake(rules={}, seats=2, rounds=()),
        lambda: REAL_TABLE.restore(rules={}, seats=2, rounds=()),
        lambda: REAL_TABLE.play(rules={}, seats=2, rounds=(), seat=0, move=""),
        lambda: REAL_TABLE.read_moves({}),
        lambda: REAL_TABLE.bot_move(rules={}, seats=2, rounds=(), bot="", seed=b""),
        lambda: REAL_TABLE.sheet(rules={}, seats=2, rounds=()),
    )
    for refused in asked:
        with pytest.raises(MoveRefused):
            refused()


def test_indulto_describes_all_its_rule_profiles() -> None:
    digests = set()
    for profile in INDULTO.profiles:
        rules = INDULTO.normalise(profile.options)
        assert INDULTO.normalise(rules) == rules
        assert len(INDULTO.describe(rules)) == 3
        digests.add(INDULTO.digest(rules))
        assert [len(INDULTO.sides(rules, seats)) for seats in INDULTO.seat_counts(rules)] == [
            1,
            2,
            3,
        ]
    assert len(digests) == len(INDULTO.profiles) == 5
    refused: list[dict[str, Any]] = [{"no rule": 1}, {"shuffle": "never"}, {"shuffle": []}]
    for options in refused:
        with pytest.raises(RulesRefused):
            INDULTO.normalise(options)


def test_ears_count_for_the_leading_player_and_every_player_leads() -> None:
    setup, record = played(2)
    sheet = by_cards(setup, record)
    judged = INDULTO.referee.judge(rules={}, seats=2, sheet=sheet)
    ears = {None: 0, 0: 0, 1: 1, 2: 2, 3: 4}
    due = [0, 0]
    for lidia in record.lidias:
        finisher, trophy = lidia.result.finisher, lidia.result.trophy
        due[sheet["leads"][finisher or 0]] += ears[trophy]
    assert (judged.over, judged.evidence, judged.objections) == (True, "log", ())
    assert judged.points == tuple(due)
    assert min(judged.places) == 1
    assert points_by_seat(judge(setup.rules, DECK, sheet), 2) == judged.points
    for seats in (1, 3):
        other = INDULTO.referee.judge(rules={}, seats=seats, sheet=sheet)
        assert [found.path for found in other.objections] == ["leads"]
        assert not other.over
    for bad in ({"rules": 3}, {"rules": {"x": "y"}}):
        assert INDULTO.referee.judge(seats=2, sheet=sheet, **bad).objections


@pytest.mark.django_db
def test_scoresheet_with_an_unknown_deck_gets_an_objection() -> None:
    setup, record = played(2)
    digests: list[Any] = ["0" * 64, 5, []]
    for digest in digests:
        sheet = {**by_cards(setup, record), "deck": digest}
        judged = INDULTO.referee.judge(rules={}, seats=2, sheet=sheet)
        assert [found.path for found in judged.objections] == ["deck"]
