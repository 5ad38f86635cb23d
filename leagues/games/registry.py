"""A game with all it brings, and which games there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leagues.games.protocols import (
    JSON,
    REAL_TABLE,
    Book,
    Calibration,
    Option,
    Profile,
    Referee,
    RoundActa,
    TableGame,
)


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game: its name and profiles, and how it is refereed and played.

    `bots`: key and label of each, weakest first; `stand_in`: the bot that plays for who is away.
    `normalise` fills defaults in (`RulesRefused` where options make no rule set), `digest` hashes
    what it gives, `describe` says it in a few words each. `seat_counts`: how many can play by
    these rules; `sides`: the side of each of so many seats. `round_name`: what a round of a table
    is called. `hand_in`, `front_page`, `rules_page` and `scoresheets` are names of addresses; the
    first takes the number of a match, the last a parameter `match` for each of several. A game
    without a front page is not on the site's first page. `also_called`:
    other names that lists and apps have for it. `emblem`: the
    fragment that draws the game on a poster. `ladder`: what `manage.py bot_ladder` plays out.
    `calibration`: what `manage.py calibrate` measures, made from how many games and what words.
    `ended`: in a sentence how a match ended, from rules, sheet, names and points by seat, where
    winner and score do not tell it; else empty. `book`: what follows the matches that count.
    `acta`: how its records are written and checked.
    A game whose table is the `REAL_TABLE` is only handed in.
    """

    key: str
    name: str
    referee: Referee
    table: TableGame
    profiles: Sequence[Profile]
    options: Sequence[Option]
    bots: Sequence[tuple[str, str]]
    stand_in: str
    normalise: Callable[[Mapping[str, JSON]], dict[str, JSON]]
    digest: Callable[[JSON], str]
    seat_counts: Callable[[JSON], Sequence[int]]
    sides: Callable[[JSON, int], tuple[int, ...]]
    describe: Callable[[JSON], Sequence[str]]
    hand_in: str
    rules_page: str
    scoresheets: str = ""
    round_name: str
    also_called: Sequence[str] = ()
    front_page: str = ""
    emblem: str = ""
    ladder: Callable[..., Any] | None = None
    calibration: Callable[..., Calibration] | None = None
    ended: Callable[[JSON, JSON, Sequence[str], Sequence[int]], str] | None = None
    book: Book | None = None
    acta: RoundActa | None = None

    @property
    def played_here(self) -> bool:
        """Whether a table of the site can be laid for it."""
        return self.table is not REAL_TABLE

    def profile(self, key: str) -> Profile | None:
        """The profile with this key."""
        return next((profile for profile in self.profiles if profile.key == key), None)


class Games:
    """Which games there are."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}

    def register(self, game: Game) -> None:
        """Offer a game; ValueError for a key registered twice."""
        if self._games.setdefault(game.key, game) is not game:
            raise ValueError(f"The game {game.key!r} is registered already.")

    def find(self, key: str) -> Game | None:
        """The game with this key."""
        return self._games.get(key)

    def all(self) -> tuple[Game, ...]:
        """All games, in the order of their registration."""
        return tuple(self._games.values())

    def played_here(self) -> tuple[Game, ...]:
        """Those for which a table of the site can be laid."""
        return tuple(game for game in self.all() if game.played_here)

    def __getitem__(self, key: str) -> Game:
        return self._games[key]


games = Games()
register = games.register
