"""API resources of standings and of the matrix of results."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from api.problems import Problem
from api.types import JSONObject
from api.views import DetailView
from leagues.api.people import Figure, Person, person
from leagues.api.resources import LeagueResource, op
from leagues.matches.consequences import StandingChange
from leagues.members_read.queries import players_by_id
from leagues.members_read.statistics import Duel, head_to_head
from leagues.models import League, Player
from leagues.ratings.calculation import DisplayedRating
from leagues.ratings.queries import league_ratings
from leagues.standings.cut import CutState
from leagues.standings.queries import StandingsBasis, standings_basis
from leagues.standings.ranking import StandingsRow

TAG: Final = "leagues"
FIRST_DAY, LAST_DAY = dt.date(1900, 1, 1), dt.date(9000, 12, 31)


class Exact(serializers.Serializer[JSONObject]):
    """A number that may be a fraction, as a decimal number and as an exact text."""

    value = serializers.FloatField()
    exact = serializers.CharField(help_text="A whole number or a fraction, `7/3`.")


class StandingLine(serializers.Serializer[JSONObject]):
    """A player's line in the standings.

    `shared` means tied. `parted_by` is the tie-break that separates the line from the line above.
    """

    place = serializers.IntegerField(
        allow_null=True, help_text="Null for a player with neither matches nor points."
    )
    shared = serializers.BooleanField()
    player = Person()
    score = Exact()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    points = serializers.IntegerField()
    against = serializers.IntegerField()
    byes = serializers.IntegerField()
    withdrawn = serializers.BooleanField()
    form = serializers.ListField(
        child=serializers.ChoiceField(choices=["W", "D", "L"]), help_text="The last, oldest first."
    )
    breaks = serializers.DictField(child=Exact(), help_text="Tie-breaks by name.")
    parted_by = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(
        choices=list(CutState), allow_null=True, help_text="Of the cut: safe, alive or out."
    )
    rating = Figure(allow_null=True)


class Standings(serializers.Serializer[JSONObject]):
    """The standings, best players first, at the end of `day`, or now if it is null."""

    league = serializers.SlugField()
    day = serializers.DateField(allow_null=True)
    matches = serializers.IntegerField(help_text="How many they are reckoned from.")
    tie_breaks = serializers.ListField(child=serializers.CharField())
    cut = serializers.IntegerField(allow_null=True)
    lines = StandingLine(many=True)


class StandingPlace(serializers.Serializer[JSONObject]):
    """A place in the standings."""

    place = serializers.IntegerField(allow_null=True)
    score = serializers.CharField()


class StandingMoves(serializers.Serializer[JSONObject]):
    """A change of a player's line in the standings."""

    player = Person()
    before = StandingPlace(allow_null=True)
    after = StandingPlace(allow_null=True)


def standing_move(change: StandingChange) -> JSONObject:
    return {
        "player": person(change.player),
        "before": _place_and_score(change.before),
        "after": _place_and_score(change.after),
    }


def _place_and_score(row: StandingsRow | None) -> JSONObject | None:
    if row is None:
        return None
    return {"place": row.place if row.placed else None, "score": str(row.score)}


class Day(serializers.Serializer[JSONObject]):
    """Query parameter with the day of the standings."""

    day = serializers.DateField(required=False, help_text="As they stood at its end, in UTC.")

    def validate_day(self, day: dt.date) -> dt.date:
        """Reject days outside of the supported range."""
        if not FIRST_DAY <= day <= LAST_DAY:
            raise Problem(422, _("Enter a year from 1900 to 9000."), field="day")
        return day


@extend_schema_view(get=op("leagues_standings", TAG, Standings))
class LeagueStandings(LeagueResource, DetailView):
    """The standings of a league, with their tie-breaks."""

    serializer_class = Standings
    query_serializer_class = Day

    def get_object(self) -> League:
        return self.league

    def represent(self, row: League) -> JSONObject:
        day = self.read_query(self.request).get("day")
        until = None if day is None else row.end_of(day)
        basis = standings_basis(row) if until is None else standings_basis(row).until_time(until)
        rows = basis.rows()
        people = players_by_id(item.player for item in rows)
        ratings = league_ratings(row, until)
        return {
            "league": row.slug,
            "day": day.isoformat() if day else None,
            "matches": len({placing.match for placing in basis.placings}),
            "tie_breaks": [str(item) for item in basis.tie_breaks],
            "cut": row.cut,
            "lines": [
                standings_line(item, people[item.player], ratings.get(item.player)) for item in rows
            ],
        }


FIGURES: Final = ("played", "won", "drawn", "lost", "points", "against", "byes", "withdrawn")


def standings_line(row: StandingsRow, player: Player, rating: DisplayedRating | None) -> JSONObject:
    return {
        "place": row.place if row.placed else None,
        "shared": row.shared,
        "player": {"name": player.name, "slug": player.slug},
        "score": _exact(row.score),
        **{name: getattr(row, name) for name in FIGURES},
        "form": list(row.form),
        "breaks": {str(name): _exact(value) for name, value in row.breaks.items()},
        "parted_by": None if row.parted_by is None else str(row.parted_by),
        "state": None if row.state is None else str(row.state),
        "rating": rating_figure(rating),
    }


def rating_figure(rating: DisplayedRating | None) -> dict[str, int] | None:
    if rating is None:
        return None
    return {"rating": rating.rating, "half_width": rating.half_width}


def _exact(value: Fraction) -> JSONObject:
    return {"value": float(value), "exact": str(value)}


class Cell(serializers.Serializer[JSONObject]):
    """Results of one player against another, from the view of the first."""

    player = serializers.SlugField()
    rival = serializers.SlugField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    margin = serializers.IntegerField()


class Matrix(serializers.Serializer[JSONObject]):
    """Players in the order of the standings, and a cell for each two players who have met."""

    players = Person(many=True)
    cells = Cell(many=True)


@extend_schema_view(get=op("leagues_matrix", TAG, Matrix))
class LeagueMatrix(LeagueResource, DetailView):
    """Matrix with the results of all players against each other."""

    serializer_class = Matrix

    def get_object(self) -> StandingsBasis:
        return standings_basis(self.league)

    def represent(self, row: StandingsBasis) -> JSONObject:
        order = [line.player for line in row.rows()]
        people = players_by_id(order)
        met = head_to_head(order, row.placings)
        cells = [
            _cell(people, met[player, rival])
            for player in order
            for rival in order
            if (player, rival) in met
        ]
        players = [{"name": people[key].name, "slug": people[key].slug} for key in order]
        return {"players": players, "cells": cells}


def _cell(people: dict[int, Player], duel: Duel) -> JSONObject:
    return {
        "player": people[duel.player].slug,
        "rival": people[duel.rival].slug,
        "played": duel.played,
        "won": duel.won,
        "drawn": duel.drawn,
        "lost": duel.lost,
        "margin": duel.margin,
    }
