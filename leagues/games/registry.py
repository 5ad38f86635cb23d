"""A game with all its parts, and the registry of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leagues.bots import BotLadder
from leagues.games.parts import REAL_TABLE, each_for_themselves
from leagues.games.protocols import (
    JSON,
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
    """A game: name, profiles, referee and table.

    `bots` are key and label of each, weakest first. `stand_in` is the bot that replaces absent
    players. `normalise` fills in defaults and raises `RulesRefused`, `digest` hashes its result,
    and `describe` returns short descriptions. `seat_counts` are the possible numbers of players by
    these rules, `sides` the side of each seat. `round_name` is the term for a round of a table.
    `hand_in`, `front_page`, `rules_page` and `scoresheets` are URL names; the first takes the
    number of a match, the last a parameter `match` for each of several. A game without a front page
    is not on the home page. `also_called` are other names in lists and apps. `emblem` is the
    template fragment for posters. `ladder` is run by `manage.py bot_ladder`, and `calibration` by
    `manage.py calibrate`. `ended` describes how a match ended, from rules, sheet, names and points
    by seat, or is empty if winner and score say it all. `book` is called for matches that count.
    `acta` writes and checks records. A game with `REAL_TABLE` as its table is only entered.
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
    describe: Callable[[JSON], Sequence[str]]
    hand_in: str
    rules_page: str
    scoresheets: str = ""
    round_name: str
    sides: Callable[[JSON, int], tuple[int, ...]] = each_for_themselves
    also_called: Sequence[str] = ()
    front_page: str = ""
    emblem: str = ""
    ladder: Callable[..., BotLadder[Any]] | None = None
    calibration: Callable[..., Calibration] | None = None
    ended: Callable[[JSON, JSON, Sequence[str], Sequence[int]], str] | None = None
    book: Book | None = None
    acta: RoundActa | None = None

    @property
    def played_here(self) -> bool:
        return self.table is not REAL_TABLE

    def profile(self, key: str) -> Profile | None:
        return next((profile for profile in self.profiles if profile.key == key), None)


class Games:
    def __init__(self) -> None:
        self._games: dict[str, Game] = {}

    def register(self, game: Game) -> None:
        """Add a game. Raises ValueError if the key is taken."""
        if self._games.setdefault(game.key, game) is not game:
            raise ValueError(f"The game {game.key!r} is registered already.")

    def find(self, key: str) -> Game | None:
        return self._games.get(key)

    def all(self) -> tuple[Game, ...]:
        return tuple(self._games.values())

    def played_here(self) -> tuple[Game, ...]:
        return tuple(game for game in self.all() if game.played_here)

    def __getitem__(self, key: str) -> Game:
        return self._games[key]


games = Games()
register = games.register
