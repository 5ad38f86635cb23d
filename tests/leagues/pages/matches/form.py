"""Describes how the match form of a game is filled in, for tests that run with all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.urls import reverse

from fairness import Chance
from leagues.games import games
from leagues.models import League, Match, Player
from tests import factories


@dataclass(frozen=True)
class Press:
    """A button of the form with the submitted fields, and texts that the next page must contain."""

    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    says: tuple[str, ...] = ()


def open_free(league: League, players: Sequence[Player]) -> Match:
    """Open a match of the league as its first player."""
    return factories.match(league, *players)


@dataclass(frozen=True, kw_only=True)
class Form:
    """The match form of a game.

    `names` are the players, who all have accounts. `whole` fills in and submits the match. The
    stored result is then `sheet`, with `points`, `places` and `evidence`. `begun` enters one of the
    `parts` of the result, and `more` enters another part. `live` is an htmx request, after which
    the form still contains `kept`. Each of `refused` ends with a rejected press. `correction`
    enters a submitted scoresheet again. Its last press submits it. `submit_labels` are the labels
    of the last button, before and after the match counts. The points are then `corrected`.
    """

    game: str
    names: tuple[str, ...]
    rules: Mapping[str, Any]
    paper: str
    heading: str
    whole: tuple[Press, ...]
    sheet: Callable[[Match], Any]
    points: list[int]
    places: list[int]
    evidence: str
    begun: tuple[Press, ...]
    parts: Callable[[Any], int]
    more: Press
    live: Press
    kept: str
    refused: tuple[tuple[Press, ...], ...]
    correction: tuple[Press, ...]
    submit_labels: tuple[str, str]
    corrected: list[int]
    any_press: Callable[[Chance], Mapping[str, Any]]
    any_fault: Callable[[str], bool]
    open: Callable[[League, Sequence[Player]], Match] = open_free

    def league(self, organiser: Player, *players: Player, **row: Any) -> League:
        """Create a ladder of the game with these players."""
        return factories.league(self.game, organiser, *players, **{"rules": self.rules, **row})

    def url(self, match: Match) -> str:
        """Return the URL of the match form, which is also the page of the match."""
        return reverse(games[self.game].hand_in, args=[match.pk])

    def page(self, client: Client, match: Match) -> str:
        """Return the content of that page."""
        return client.get(self.url(match)).content.decode()

    def press(self, client: Client, match: Match, *presses: Press) -> str:
        """Press buttons, check the texts after each, and return the last page.

        The match is reloaded.
        """
        page = ""
        for one in presses:
            match.refresh_from_db()
            sent = {"do": one.do, "version": str(match.version), **one.fields}
            looked_at = bool(one.says) or one is presses[-1]  # rendering a page is slow
            page = client.post(self.url(match), sent, follow=looked_at).content.decode()
            assert [text for text in one.says if text not in page] == [], one.do
        match.refresh_from_db()
        return page
