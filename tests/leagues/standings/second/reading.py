"""Reads the facts about a league from the database without `leagues.standings`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Match, MatchSeat, Member, Place, Player
from tests.leagues.standings.second import facts

# Tie-breaks of a league whose founder has not chosen any.
USUAL_TIE_BREAKS = ("head_to_head", "margin", "wins")


def settings_of(league: League) -> facts.Settings:
    scoring: Mapping[str, Any] = league.scoring
    sides = games[league.game].sides(league.rules, league.seats)
    return facts.Settings(
        format=league.format,
        seats=league.seats,
        partners=len(set(sides)) < len(sides),
        kind=scoring.get("kind", "places"),
        by_place=tuple(Fraction(value) for value in scoring.get("by_place", ["1"])),
        draw=_number(scoring.get("draw")),
        bye=_number(scoring.get("bye")),
        tie_breaks=tuple(league.tie_breaks) or USUAL_TIE_BREAKS,
        cut=league.cut,
        cut_matches=league.cut_matches,
        absences_allowed=league.absences_allowed,
    )


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def facts_of(league: League, left_after_end: Collection[int]) -> facts.Facts:
    """Return the present facts.

    `left_after_end` are keys of members who left when the standings were final.
    """
    person = {key: merged or key for key, merged in Player.objects.values_list("pk", "merged_into")}
    return facts.Facts(
        settings=settings_of(league),
        members=tuple(
            facts.Member(
                player=person[member.player_id],
                joined_at=member.joined_at,
                withdrawn_at=member.withdrawn_at,
                left_after_end=member.pk in left_after_end,
            )
            for member in Member.objects.filter(league=league, plays=True)
        ),
        rounds=tuple(
            facts.Round(
                number=drawn.number,
                drawn_at=drawn.drawn_at,
                byes=tuple(person[bye["player"]] for bye in drawn.byes),
            )
            for drawn in league.rounds.order_by("number")
        ),
        fixtures=_fixtures(league, person),
        matches=_matches(league, person),
    )


def _fixtures(league: League, person: Mapping[int, int]) -> tuple[facts.Fixture, ...]:
    players: dict[int, list[int]] = {}
    seats = FixtureSeat.objects.filter(fixture__round__league=league)
    for fixture, player in seats.values_list("fixture", "player"):
        players.setdefault(fixture, []).append(person[player])
    rows = Fixture.objects.filter(round__league=league).values_list("pk", "round__number", "state")
    return tuple(
        facts.Fixture(
            key=key, round=number, players=tuple(players[key]), void=state == Fixture.State.VOID
        )
        for key, number, state in rows
    )


def _matches(league: League, person: Mapping[int, int]) -> tuple[facts.Match, ...]:
    judged: dict[int, dict[int, Place]] = {}
    for place in Place.objects.filter(result__league=league).select_related("result"):
        judged.setdefault(place.result.match_id, {})[place.seat] = place
    seats: dict[int, list[facts.Seat]] = {}
    for seat in MatchSeat.objects.filter(match__in=judged):
        place = judged[seat.match_id][seat.number]
        seats.setdefault(seat.match_id, []).append(
            facts.Seat(
                player=person[seat.player_id],
                side=seat.side,
                place=place.place,
                points=place.points,
            )
        )
    rows = Match.objects.filter(pk__in=judged).select_related("fixture__round", "sheet")
    return tuple(_match(match, seats[match.pk]) for match in rows)


def _match(match: Match, seats: list[facts.Seat]) -> facts.Match:
    assert match.sheet is not None
    fixture = match.fixture
    return facts.Match(
        number=match.pk,
        played_at=match.played_at,
        round=None if fixture is None else fixture.round.number,
        fixture=None if fixture is None else fixture.pk,
        seats=tuple(seats),
        forfeited=bool(match.sheet.forfeits),
        absent=frozenset(seats[number].player for number in match.sheet.forfeits),
    )
