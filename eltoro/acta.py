"""Record of a game of El Toro: board, cards, all dice and decisions, and the points.

With this record, anybody can check the game after it has been played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, TypedDict

from django.utils.translation import gettext as _

from actas import DocumentPart
from actas.fields import digits, many, members, read_all, text, whole_number_reader, with_members
from api.types import JSON
from eltoro.engine import (
    ENGINE_VERSION,
    RULINGS,
    DestinationsLaid,
    EffectPaid,
    Event,
    Game,
    GameState,
    IllegalMove,
    Move,
    NotationError,
    Rules,
    Shuffled,
)
from eltoro.stage import sentences
from eltoro.table import stake_of_game
from eltoro.tabletop.sheets import referee
from fairness import Seed
from leagues.games import Judgement, MoveRefused, RoundLog

MAX_DAYS: Final = 3
MAX_MOVES: Final = 1000
MAX_DATA_TEXT: Final = 20_000
DATA_TEXTS: Final = ("board", "cards", "destinations")


class RecordedDay(TypedDict):
    """All random results of one day of El Toro.

    `paid`: the faces of dice that were rolled because of yesterday's destinations. `destinations`:
    keys of the destination cards laid out in the morning. `dice`: the faces of all other dice.
    """

    label: str
    paid: list[int]
    destinations: list[str]
    dice: list[int]


class RecordedGame(Game):
    """A game that records all random results and all moves in their order.

    `recorded_shuffles`: for each shuffle its label, and the cards before and after it.
    """

    __slots__ = ("recorded_days", "recorded_moves", "recorded_shuffles")

    def __init__(self, rules: Rules, players: int, seed: Seed) -> None:
        self.recorded_shuffles: list[dict[str, JSON]] = []
        self.recorded_days: list[RecordedDay] = []
        self.recorded_moves: list[dict[str, JSON]] = []
        super().__init__(rules, players, seed)

    def throw(self, count: int) -> bytes:
        """Return the faces of the next `count` dice rolls and add them to the record of the game.

        Dice that the engine rolled in advance are recorded only once.
        """
        faces_thrown = self._day()["dice"]
        before = len(faces_thrown)
        faces = super().throw(count)
        faces_thrown[before:] = faces
        return faces

    def report_event(self, event: Event) -> None:
        if isinstance(event, Shuffled):
            self._record_shuffle()
        elif isinstance(event, EffectPaid) and event.die is not None:
            self._day()["paid"].append(event.die)
        elif isinstance(event, DestinationsLaid):
            kinds = self.rules.destinations
            self._day()["destinations"] = [kinds[index].key for index in event.destinations]

    def _day(self) -> RecordedDay:
        if len(self.recorded_days) < self.day:
            label = f"day/{self.day}"
            self.recorded_days.append({"label": label, "paid": [], "destinations": [], "dice": []})
        return self.recorded_days[-1]

    def _record_shuffle(self) -> None:
        """Record the order of the cards before and after a shuffle.

        The engine only has the order after the shuffle. The order before it is calculated by
        repeating the shuffle with the same random numbers.
        """
        label = f"deck/{self.shuffles}"
        after = [self.rules.cards[index].key for index in self.deck]
        before = [""] * len(after)
        for at, came_from in enumerate(self.seed.chance(label).shuffled(range(len(after)))):
            before[came_from] = after[at]
        self.recorded_shuffles.append({"label": label, "before": before, "after": after})

    def play_moves(self, moves: Iterable[Move]) -> None:
        """Play these moves and record each move with its seat. Raises `IllegalMove`."""
        for move in moves:
            self.recorded_moves.append({"seat": self.turn, "move": str(move)})
            self.play(move, witness=_ignore_event)


def _ignore_event(event: Event, game: GameState) -> None:
    """Ignore an event of the engine, as the observer (`witness`) of a game.

    `RecordedGame` records all events itself, so nothing must be done here.
    """


def record_game(rules: Rules, players: int, seed: Seed, moves: Iterable[Move]) -> RecordedGame:
    """Play a game from this seed with these moves, record it and return it.

    Raises `IllegalMove`, and `ValueError` for a wrong number of players.
    """
    game = RecordedGame.new(rules, players, seed, _ignore_event)
    assert isinstance(game, RecordedGame)
    game.play_moves(moves)
    return game


class GameActa:
    """Writer and checker of the records of games, the El Toro implementation of `RoundActa`."""

    kind = "game"
    engine = ENGINE_VERSION
    beside: Sequence[str] = ("texts",)

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """Return board, cards, dice and result of a stored game for its record.

        Raises `MoveRefused` if a stored move is illegal.
        """
        read = Rules.from_options(rules)
        try:
            moves = [Move.read(text) for text in played.moves]
            return _draws_and_result(record_game(read, seats, Seed(played.seed), moves))
        except IllegalMove as error:
            raise MoveRefused(sentences.refusal_sentence(error), error.ruling) from error
        except NotationError as error:
            raise MoveRefused(str(error)) from error

    def read_round(self, document: DocumentPart, *, number: int, seats: int) -> Mapping[str, JSON]:
        """Play a game again from the board, cards, seed and moves in its record.

        Return the recalculated record.
        """
        if number != 1:
            raise document["of"]["round"].malformed(_("This match consists of a single evening."))
        options = self.read_rules(document["rules"])
        rules = _rules_from(document, options)
        fields = members(
            document,
            {"moves": many(with_members({"move": text()}), MAX_MOVES), "seed": digits(32)},
        )
        moves = [Move.read(entry["move"]) for entry in fields["moves"]]
        game = record_game(rules, seats, Seed(fields["seed"]), moves)
        if not game.is_over:
            raise document["moves"].malformed(_("The game is not over yet."))
        return {
            "rules": options,
            "stake": stake_of_game(options, rules.digest, seats),
            "moves": game.recorded_moves,
            "points": list(game.points),
            **_draws_and_result(game),
        }

    def read_rules(self, rules: DocumentPart) -> JSON:
        """Return the options of the rules in a record: the key or text of the board, the number of
        days, and the texts of cards that replace the supplied cards.
        """
        fields = {"board": text(MAX_DATA_TEXT), "days": whole_number_reader(1, MAX_DAYS)}
        others = [name for name in rules.mapping() if name in RULINGS and name not in fields]
        fields |= dict.fromkeys(others, text(MAX_DATA_TEXT))
        return read_all((partial(members, rules, fields), partial(_reject_others, rules)))[0]

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        return {"texts": Rules.from_options(rules).texts}

    def judge_sheet(self, document: DocumentPart, *, names: Sequence[str]) -> Judgement:
        options = self.read_rules(document["rules"])
        written = _rules_from(document, options).options()
        sheet = document["sheet"].value
        return referee.judge(rules=written, seats=len(names), sheet=sheet, names=names)


ACTA: Final = GameActa()


def _reject_others(rules: DocumentPart) -> None:
    for name in rules.mapping():
        if name not in RULINGS:
            raise rules.malformed(_("“%(name)s” is not an option.") % {"name": name})


def _rules_from(document: DocumentPart, options: Mapping[str, JSON]) -> Rules:
    """Return the rules from the texts in a record.

    Boards and cards stored on this site are not used.
    """
    texts = members(document["texts"], dict.fromkeys(DATA_TEXTS, text(MAX_DATA_TEXT)))
    written = {
        name: content
        for name, content in options.items()
        if name in DATA_TEXTS and "\n" in str(content)
    }
    for name, content in written.items():
        if content != texts[name]:
            raise document["texts"][name].malformed(
                _("This text differs from the text named in the rules.")
            )
    return Rules(days=options["days"], **texts)


def _draws_and_result(game: RecordedGame) -> dict[str, JSON]:
    return {
        "texts": game.rules.texts,
        "shuffles": game.recorded_shuffles,
        "days": game.recorded_days,
        "result": {
            "days": [list(points) for points in game.day_points],
            "points": list(game.points),
            "places": list(game.places),
        },
    }
