"""Queries of ratings and leaderboards."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q

from leagues.models import League, Player, Rating, RatingStep
from leagues.ratings.calculation import DisplayedRating, displayed_rating

# Minimum number of rated matches for a player to appear on the leaderboard of the site.
MIN_MATCHES: int = 3


@dataclass(frozen=True, kw_only=True)
class LeaderboardLine:
    place: int
    player: Player
    rating: DisplayedRating
    matches: int


def site_leaderboard(
    game: str, limit: int = 100, *, fewest: int = MIN_MATCHES
) -> list[LeaderboardLine]:
    """Return the leaderboard of a game, best players first, with one query.

    It contains public players who have or had an account and at least `fewest` rated matches.
    """
    rows = Rating.objects.filter(game=game, league=None, matches__gte=fewest)
    known = Q(player__user__isnull=False) | Q(player__left_at__isnull=False)
    rows = rows.filter(known, player__public=True)
    leaders = rows.select_related("player").order_by("-ordinal", "player__name_key", "pk")[:limit]
    return [
        LeaderboardLine(
            place=place, player=row.player, rating=rating_of_row(row), matches=row.matches
        )
        for place, row in enumerate(leaders, start=1)
    ]


def league_ratings(league: League, until: dt.datetime | None = None) -> dict[int, DisplayedRating]:
    """Return the ratings of a league by player, now or before the time `until`, with one query."""
    if until is None:
        return {row.player_id: rating_of_row(row) for row in Rating.objects.filter(league=league)}
    steps = RatingStep.objects.filter(league=league, result__played_at__lt=until)
    rows = steps.order_by("result__played_at", "result__match_id").values_list(
        "player", "mu", "sigma"
    )
    last = {player: (mu, sigma) for player, mu, sigma in rows}
    return {player: displayed_rating(mu, sigma) for player, (mu, sigma) in last.items()}


def site_ratings(player: Player) -> dict[str, LeaderboardLine]:
    """Return a player's ratings on the site by game, with one query.

    `place` is always 0, because it is not calculated here.
    """
    rows = Rating.objects.filter(league=None, player=player).select_related("player")
    return {
        row.game: LeaderboardLine(
            place=0, player=row.player, rating=rating_of_row(row), matches=row.matches
        )
        for row in rows
    }


def rating_of_row(row: Rating) -> DisplayedRating:
    return displayed_rating(row.mu, row.sigma)
