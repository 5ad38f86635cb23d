"""How a match of a game is written down by its form: what the tests of all games press."""

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
    """A button of the form with the fields sent along, and what the page says then."""

    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    says: tuple[str, ...] = ()


def open_free(league: League, players: Sequence[Player]) -> Match:
    """A match of the league about to be written down by the first of them."""
    return factories.match(league, *players)


@dataclass(frozen=True, kw_only=True)
class Form:
    """The form of one game.

    `names` are those of who sits there, all with accounts. `whole` writes the match down and hands
    it in; what is kept then is `sheet`, with these `points`, `places` and `evidence`. `begun`
    writes one of its `parts`, `more` would write another. `live` is what a browser with a script
    asks, `kept` what the form then still holds. Each of `refused` ends in a press that says why
    nothing was written. `correction` writes a sheet anew that was handed in; the last press hands
    that in, by the first button of `anew` before the match counts, by the second after, and brings
    the points `corrected`.
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
    anew: tuple[str, str]
    corrected: list[int]
    any_press: Callable[[Chance], Mapping[str, Any]]
    any_fault: Callable[[str], bool]
    open: Callable[[League, Sequence[Player]], Match] = open_free

    def league(self, organiser: Player, *players: Player, **row: Any) -> League:
        """A ladder of the game in which these play."""
        return factories.league(self.game, organiser, *players, **{"rules": self.rules, **row})

    def url(self, match: Match) -> str:
        """Where the match is written down, and its ticket stands."""
        return reverse(games[self.game].hand_in, args=[match.pk])

    def page(self, client: Client, match: Match) -> str:
        """What stands there."""
        return client.get(self.url(match)).content.decode()

    def press(self, client: Client, match: Match, *presses: Press) -> str:
        """The page after these presses, each of which says what it should; the match is as new."""
        page = ""
        for one in presses:
            match.refresh_from_db()
            sent = {"do": one.do, "version": str(match.version), **one.fields}
            looked_at = bool(one.says) or one is presses[-1]  # a page is dear to draw
            page = client.post(self.url(match), sent, follow=looked_at).content.decode()
            assert [text for text in one.says if text not in page] == [], one.do
        match.refresh_from_db()
        return page
