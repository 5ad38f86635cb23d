"""What a player's results tell, a game each, as plain data."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from leagues.api.people import Figure, Person, person
from leagues.api.standings import figure
from leagues.form import Record
from leagues.games import games
from leagues.models import Player
from leagues.queries.boards import site_ratings
from leagues.queries.careers import Career, career_of


class PlayerRival(serializers.Serializer[Any]):
    """An opponent: matches, and who stood in front of whom."""

    player = Person()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    margin = serializers.IntegerField()


class PlayerPartner(serializers.Serializer[Any]):
    """Somebody sat beside."""

    player = Person()
    played = serializers.IntegerField()
    won = serializers.IntegerField()


class BestFigure(serializers.Serializer[Any]):
    """A best figure, and when it was first reached."""

    value = serializers.IntegerField()
    match = serializers.IntegerField()
    when = serializers.DateTimeField()


class LongestRun(serializers.Serializer[Any]):
    """Matches won one after the other."""

    length = serializers.IntegerField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()


class CareerShown(serializers.Serializer[Any]):
    """A player at one game."""

    game = serializers.CharField()
    rating = Figure(allow_null=True, help_text="On the site.")
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    last = serializers.ListField(child=serializers.ChoiceField(choices=["W", "D", "L"]))
    opponents = PlayerRival(many=True)
    partners = PlayerPartner(many=True)
    nemesis = Person(allow_null=True)
    favourite = Person(allow_null=True)
    longest_run = LongestRun(allow_null=True)
    current_run = serializers.IntegerField()
    highest_points = BestFigure(allow_null=True)
    biggest_margin = BestFigure(allow_null=True)


def careers(player: Player, leagues: list[int]) -> list[dict[str, Any]]:
    """A player's careers as far as these leagues and the site's tables tell; two queries a game."""
    ratings = site_ratings(player)
    return [
        _career(game.key, career, ratings.get(game.key))
        for game in games.all()
        if (career := career_of(player, game.key, leagues)) is not None
    ]


def _career(game: str, career: Career, rated: Any) -> dict[str, Any]:
    form = career.form
    figures = {name: getattr(form, name) for name in ("played", "won", "drawn", "lost")}
    return figures | {
        "game": game,
        "rating": figure(rated.shown) if rated else None,
        "last": list(form.last),
        "opponents": [_rival(player, duel) for player, duel in career.rivals],
        "partners": [
            {"player": person(player), "played": one.played, "won": one.won}
            for player, one in career.partners
        ],
        "nemesis": career.nemesis and person(career.nemesis),
        "favourite": career.favourite and person(career.favourite),
        "longest_run": form.longest_run and _run(form.longest_run),
        "current_run": form.current_run,
        "highest_points": _best(form.highest_points),
        "biggest_margin": _best(form.biggest_margin),
    }


def _rival(player: Player, duel: Any) -> dict[str, Any]:
    figures = {name: getattr(duel, name) for name in ("played", "won", "drawn", "lost", "margin")}
    return figures | {"player": person(player)}


def _run(run: Any) -> dict[str, Any]:
    return {"length": run.length, "since": run.since, "until": run.until}


def _best(record: Record | None) -> dict[str, Any] | None:
    if record is None:
        return None
    return {"value": record.value, "match": record.match, "when": record.when}
