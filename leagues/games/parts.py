"""The class `Game`, the registry of games, and base classes that games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from django.utils.translation import gettext as _

from api.types import JSON
from fairness import Seed
from leagues.bots import Bot, BotLadder
from leagues.games.protocols import (
    Calibration,
    Judgement,
    MatchRecords,
    MoveRefused,
    Objection,
    Position,
    Profile,
    Referee,
    RoundActa,
    RoundLog,
    RuleOption,
    TableGame,
)


class Rules(Protocol):
    """Interface of a rules object of a game."""

    def options(self) -> Mapping[str, JSON]:
        """Return all rule options by name."""


R = TypeVar("R")
M = TypeVar("M")
P = TypeVar("P", bound=Position)


def named_profiles(
    names: Mapping[str, tuple[str, str]], rules: Mapping[str, Rules]
) -> list[Profile]:
    """Return the profiles (named rule sets) that exist in `rules`.

    `names` maps keys of profiles to name and summary.
    """
    return [
        Profile(key=key, name=name, summary=summary, options=rules[key].options())
        for key, (name, summary) in names.items()
        if key in rules
    ]


def each_for_themselves(rules: JSON, seats: int) -> tuple[int, ...]:
    return tuple(range(seats))


def refusal_reason(options: Sequence[RuleOption], key: str, *, ruling: str, whole: str = "") -> str:
    """Return a sentence in the active language that says why a rule option is invalid.

    `key` is the key of the option. `whole` is the game's own message about integers, with the
    placeholders `option`, `low`, `high` and `ruling`.
    """
    option = next((option for option in options if option.key == key), None)
    if option is None:
        return _("“%(name)s” is not an option.") % {"name": key}
    words = {"option": option.label, "ruling": ruling, "low": option.low, "high": option.high}
    if option.low is None:
        return _("%(option)s: choose one of the options offered (Ruling %(ruling)s).") % words
    return whole % words


def seat_names(seats: int, names: Sequence[str] = ()) -> list[str]:
    """Return the names of all seats.

    Players without a name get a translated name such as “seat 1”.
    """
    return [
        (names[seat] if seat < len(names) else "") or _("seat %(number)s") % {"number": seat + 1}
        for seat in range(seats)
    ]


def name_of_seat(names: Sequence[str], seat: int) -> str:
    """Return the name of the player at a seat.

    The seat number comes from a scoresheet, so it may be invalid.
    """
    return names[seat] if 0 <= seat < len(names) else "?"


class SheetReferee(ABC, Generic[R]):
    """Base class of referees that read the rules from the options before judging a scoresheet."""

    @abstractmethod
    def read_rules(self, rules: JSON) -> R:
        """Return the rules with these options. Raises `ValueError` for invalid options."""

    @abstractmethod
    def judge_sheet(self, rules: R, names: Sequence[str], sheet: JSON) -> Judgement:
        """Check a scoresheet. Never raises for invalid content.

        `names` are the names of the players by seat.
        """

    def judge(
        self, *, rules: JSON, seats: int, sheet: JSON, names: Sequence[str] = ()
    ) -> Judgement:
        try:
            read = self.read_rules(rules)
        except (ValueError, TypeError, AttributeError) as error:
            return Judgement.unreadable_sheet(seats, Objection(path="rules", sentence=str(error)))
        return self.judge_sheet(read, seat_names(seats, names), sheet)


def read_move(read: Callable[[str], M], text: str) -> M:
    try:
        return read(text)
    except ValueError as error:
        raise MoveRefused(_("This move is not valid.")) from error


class ReplayedTable(ABC, Generic[P]):
    """Base class of live tables that are restored by replaying all their moves.

    A table is valid if and only if its rounds can be replayed. `bots` maps keys to bots.
    `budget_ms` is the time limit for a bot's move in milliseconds.
    """

    bots: Mapping[str, Bot[Any, Any]]
    budget_ms: int

    @abstractmethod
    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> P:
        """Return the position after these rounds. Raises `MoveRefused` for an illegal move."""

    @abstractmethod
    def view_to_move(self, position: P) -> Any:
        """Return the information visible from the seat whose turn it is.

        Raises `MoveRefused` if it is nobody's turn.
        """

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        view = self.view_to_move(self.restore(rules=rules, seats=seats, rounds=rounds))
        return str(self.bots[bot].choose(view, Seed(seed).chance("bot"), self.budget_ms))

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        try:
            self.restore(rules=rules, seats=seats, rounds=rounds)
        except MoveRefused as refused:
            return [str(refused)]
        return []


class RealTable:
    """Placeholder for the live table of games that are played only with real cards."""

    template = ""

    def refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise self.refusal()

    stake = restore = play = read_moves = bot_move = sheet = refuse

    def scene(
        self, position: Position, *, seat: int | None, **extra: object
    ) -> Mapping[str, object]:
        return {}

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        return []

    def refusal(self) -> MoveRefused:
        return MoveRefused(
            _("This game can only be played at a real table. Enter the result here afterwards.")
        )


REAL_TABLE = RealTable()


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game with its names, rules, referee, live table, bots and pages.

    - `bots`: keys and labels, ordered from weakest to strongest. `stand_in` is the bot that
      replaces absent players.
    - `normalise` fills in default rule options and raises `RulesRefused` for invalid ones. `digest`
      hashes these rule options, and `describe` returns short descriptions of them.
    - `seat_counts` returns the possible numbers of players by given rules, `sides` the side of each
      seat.
    - `round_name` is the term for a round at a live table, such as hand.
    - `hand_in`, `front_page`, `rules_page` and `scoresheets` are URL names. `hand_in` takes the
      number of a match, and `scoresheets` a query parameter `match` for each match. A game without
      a front page is not on the home page.
    - `also_called` are other names of the game in lists and apps.
    - `emblem` is the template fragment for posters.
    - `ladder` is run by `manage.py bots`, `calibration` by `manage.py calibrate`.
    - `ended` returns a text about how a match ended, from rules, scoresheet, names and points by
      seat. The text is empty if winner and score say everything.
    - `stopped` returns a text about a match that ended before its goal was reached, from rules,
      scoresheet and points.
    - `book` is notified of matches that count.
    - `acta` writes and checks verifiable records.
    - `judge_points` judges a result of which only the points by seat are known, if need be as a
      match that ended early.

    Games with `REAL_TABLE` as their table cannot be played on the site. Only their results are
    entered.
    """

    key: str
    name: str
    referee: Referee
    table: TableGame
    profiles: Sequence[Profile]
    options: Sequence[RuleOption]
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
    stopped: Callable[[JSON, JSON, Sequence[int]], str] | None = None
    book: MatchRecords | None = None
    acta: RoundActa | None = None
    judge_points: Callable[[JSON, Sequence[int], Sequence[str]], Judgement] | None = None

    @property
    def played_here(self) -> bool:
        return self.table is not REAL_TABLE

    def profile(self, key: str) -> Profile | None:
        return next((profile for profile in self.profiles if profile.key == key), None)


class Games:
    def __init__(self) -> None:
        self._games: dict[str, Game] = {}

    def register(self, game: Game) -> None:
        """Add a game to the registry. Raises `ValueError` if its key is taken."""
        if self._games.setdefault(game.key, game) is not game:
            raise ValueError(f"The game {game.key!r} is registered already.")

    def find_game(self, key: str) -> Game | None:
        return self._games.get(key)

    def all_games(self) -> tuple[Game, ...]:
        return tuple(self._games.values())

    def played_here(self) -> tuple[Game, ...]:
        return tuple(game for game in self.all_games() if game.played_here)

    def __getitem__(self, key: str) -> Game:
        return self._games[key]


games = Games()
register = games.register
