"""Template context of the tracked board of a match: map, log, and form for the next entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NotRequired, TypedDict

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from eltoro.engine import (
    BoardEntry,
    Bonus,
    DueEntryKind,
    EntryNote,
    RealBoard,
    RolledDie,
    ScoredDay,
    Verb,
)
from eltoro.models import Keeping
from eltoro.pages.tabletop.match_sheet import MatchSheet
from eltoro.queries import real_board_of
from eltoro.stage.map_context import FallenRunner, MapMarks, MapPicks
from eltoro.stage.picture import TownPicture, draw_town
from eltoro.stage.scene import unique_names
from eltoro.stage.sentences import destination_effect, destination_name, space_name
from eltoro.stage.sentences.cards import signed_number
from eltoro.tabletop.operations import arrivals, piece_name
from eltoro.tabletop.sheets import referee
from leagues.exceptions import OperationError
from leagues.models import Match, MatchSeat
from leagues.permissions import Action

SEAT_LETTERS: Final = "abcdef"
DESTINATION_PLACES: Final = ("d1", "d2", "d3", "d4", "d5")


@dataclass(slots=True)
class MatchBoard:
    """The tracked board of a match with its visitor.

    `keeping` and `kept` are None before the board is begun. If a form was rejected with the error
    `refused`, `given` holds its fields, so that no input is lost.
    """

    at: MatchSheet
    keeping: Keeping | None
    kept: RealBoard | None
    given: QueryDict = field(default_factory=lambda: QueryDict(""))
    refused: OperationError | None = None

    @property
    def match(self) -> Match:
        return self.at.match

    @property
    def names(self) -> list[str]:
        return unique_names(self.at.names)

    @property
    def may_write(self) -> bool:
        return self.match.state == Match.State.DRAFT and Action.WRITE in self.at.may

    @property
    def due(self) -> DueEntryKind | None:
        return self.kept.due if self.kept and self.may_write else None


def get_match_board(request: HttpRequest, pk: int) -> MatchBoard:
    """Return the board of a match with its visitor.

    Raises Http404 if the visitor may not see the match.
    """
    at = MatchSheet.find_view(request, pk)
    keeping = Keeping.objects.filter(match=at.match).first()
    if keeping is not None:
        keeping.match = at.match  # reuse the match, whose league is already loaded
    return MatchBoard(at=at, keeping=keeping, kept=real_board_of(keeping) if keeping else None)


def dice_fields(kept: RealBoard) -> list[tuple[str, str]]:
    """Return the form fields for dice that yesterday's destinations require.

    Each has a field name (`b`, or `b-2` for a second die) and the letter of the player.
    """
    fields: list[tuple[str, str]] = []
    for letter in kept.state.due_dice():
        number = 1 + sum(owner == letter for _field, owner in fields)
        fields.append((letter if number == 1 else f"{letter}-{number}", letter))
    return fields


class EntrySentences:
    """Sentences about the entries of a board. `names` are the players by seat."""

    def __init__(self, kept: RealBoard, names: Sequence[str]) -> None:
        self.kept, self.names = kept, names

    def sentences(self, note: EntryNote) -> list[str]:
        entered = [_SENTENCES[entry.verb](self, entry) for entry in note.entries]
        rolled = [self.rolled(die) for die in note.rolled]
        return [sentence for sentence in (*entered, *rolled) if sentence]

    def rolled(self, die: RolledDie) -> str:
        words = {"die": self.die(die.what), "before": die.before, "after": die.after}
        if die.trampled:
            return (
                _(
                    "%(die)s showed %(before)s, was rolled again, came up %(after)s and "
                    "was trampled."
                )
                % words
            )
        return _("%(die)s: %(before)s → %(after)s.") % words

    def die(self, name: str) -> str:
        return piece_name(name, self.names)

    def space(self, key: str) -> str:
        board = self.kept.rules.board
        return space_name(self.kept.rules, board.find_space(key))

    def sign(self, name: str) -> str:
        key, _slash, parity = name.partition("/")
        word = _("even") if parity == "even" else _("odd")
        return f"{self.space(key)}, {word}"

    def player_name(self, letter: str) -> str:
        return self.names[SEAT_LETTERS.index(letter)]


def _lay_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    kinds = {kind.key: destination_name(kind) for kind in writer.kept.rules.destinations}
    laid = ", ".join(kinds[key] for key in entry.names)
    return _("Destinations laid out: %(destinations)s.") % {"destinations": laid}


def _dice_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    rolled = ", ".join(
        f"{writer.player_name(letter)} {' '.join(faces)}" for letter, faces in entry.targets
    )
    return _("Dice rolled in the morning: %(dice)s.") % {"dice": rolled}


def _bulls_sentence(_writer: EntrySentences, entry: BoardEntry) -> str:
    return _("Dice rolled for the bulls: %(faces)s.") % {"faces": " ".join(entry.names[0])}


def _runners_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    rolled = "; ".join(
        f"{writer.player_name(letter)} {' '.join(faces)}" for letter, faces in entry.targets
    )
    return _("Runners rolled: %(faces)s.") % {"faces": rolled}


def _spaces_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    return ", ".join(f"{writer.die(name)}: {writer.space(key)}" for name, key in entry.targets)


def _places_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    return _("Dice placed: %(dice)s.") % {"dice": _spaces_sentence(writer, entry)}


def _led_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    return _("A card moved these dice sideways: %(dice)s.") % {
        "dice": _spaces_sentence(writer, entry)
    }


def _add_bull_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    key, face = entry.targets[0]
    return _("Another bull at %(space)s: %(face)s.") % {"space": writer.space(key), "face": face}


def _token_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    letter, signs = entry.names
    words = {"name": writer.player_name(letter), "sign": writer.sign(signs.rpartition(">")[2])}
    return _("%(name)s’s token is at %(sign)s.") % words


def _untoken_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    return _("The token on this sign has been removed: %(sign)s.") % {
        "sign": writer.sign(entry.names[0])
    }


def _points_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    letter, points = entry.names
    return f"{writer.player_name(letter)}: {signed_number(int(points))}."


def _first_sentence(writer: EntrySentences, entry: BoardEntry) -> str:
    return _("%(name)s has the first-player token.") % {"name": writer.player_name(entry.names[0])}


def _no_sentence(_writer: EntrySentences, _entry: BoardEntry) -> str:
    return ""  # each die has its own sentence


_SENTENCES: Final[Mapping[Verb, Callable[[EntrySentences, BoardEntry], str]]] = {
    Verb.LAY: _lay_sentence,
    Verb.DICE: _dice_sentence,
    Verb.BULLS: _bulls_sentence,
    Verb.RUNNERS: _runners_sentence,
    Verb.START: _places_sentence,
    Verb.ROLL: _no_sentence,
    Verb.FACE: _no_sentence,
    Verb.MOVE: _places_sentence,
    Verb.LEAD: _led_sentence,
    Verb.ADD_BULL: _add_bull_sentence,
    Verb.TOKEN: _token_sentence,
    Verb.UNTOKEN: _untoken_sentence,
    Verb.POINTS: _points_sentence,
    Verb.FIRST: _first_sentence,
    Verb.ADVANCE: lambda _writer, _entry: _("Runners and bulls moved down."),
    Verb.CHARGE: lambda _writer, _entry: _("The bulls charged."),
    Verb.EVENING: lambda _writer, _entry: _("The next day began."),
}

FORM_ID: Final = "keep-form"
FACES: Final = (1, 2, 3, 4, 5, 6)
CARD_POINTS: Final = (-1, 1, 2, 3)
# Number of cards in a full hand, before effects of destinations (Ruling E-8).
HAND_SIZE: Final = 5


class SeatContext(TypedDict):
    """Template context of a player.

    `first`: True for the current first player. `tokens`: number of tokens that are not on the
    board.
    """

    seat: MatchSeat
    letter: str
    name: str
    points: int
    first: bool
    tokens: int


class LogLine(TypedDict):
    day: int
    step: int
    sentences: list[str]


class PanelContext(TypedDict):
    """Template context of the state of the game, its map and its log.

    `latest` are sentences about the last entry.
    """

    day: int
    days: int
    step: int
    steps: int
    rolls: bool
    order: list[SeatContext]
    map: TownPicture
    latest: list[str]
    log: list[LogLine]
    faces: tuple[int, ...]


def panel_context(board: MatchBoard, kept: RealBoard) -> PanelContext:
    writer, notes = EntrySentences(kept, board.names), kept.state.notes
    return {
        "day": kept.state.day,
        "days": kept.rules.days,
        "step": kept.town().step + 1,
        "steps": kept.rules.board.steps,
        "rolls": kept.state.rolls,
        "order": [_seat_context(board, kept, seat) for seat in kept.state.turn_order],
        "map": draw_town(
            kept.town(),
            kept.rules,
            names=board.at.names,
            seat=board.at.own_seat,
            marks=_marks_of(board, kept),
        ),
        "latest": writer.sentences(notes[-1]) if notes else [],
        "log": [
            {"day": note.day, "step": note.step + 1, "sentences": writer.sentences(note)}
            for note in reversed(notes)
        ],
        "faces": FACES,
    }


def _seat_context(board: MatchBoard, kept: RealBoard, seat: int) -> SeatContext:
    return {
        "seat": board.at.seats[seat],
        "letter": SEAT_LETTERS[seat],
        "name": board.names[seat],
        "points": kept.totals[seat],
        "first": seat == kept.state.first
        and kept.due not in {DueEntryKind.EVENING, DueEntryKind.OVER},
        "tokens": kept.state.tokens_left(seat),
    }


def _marks_of(board: MatchBoard, kept: RealBoard) -> MapMarks:
    """Return what the map highlights: dice that can be selected, dice that must be rolled, and
    runners that have just been trampled.
    """
    dice = frozenset(kept.faces) if board.due is DueEntryKind.CARDS else frozenset()
    chosen = frozenset(board.given.getlist("pick"))
    legend = _("Dice affected by a card")
    picks = (
        (MapPicks(ids=dice, legend=legend, many=True, chosen=chosen, form=FORM_ID),) if dice else ()
    )
    rolled = kept.state.notes[-1].rolled if kept.state.notes else ()
    spaces = kept.rules.board.spaces
    return MapMarks(
        picks=picks,
        again=frozenset(kept.charging),
        fallen=tuple(
            FallenRunner(runner=die.what, space=spaces[die.space].key, face=die.after)
            for die in rolled
            if die.trampled
        ),
        moved=frozenset(die.what for die in rolled if not die.trampled),
    )


class LayContext(TypedDict):
    """Template context of the form for laying out destinations.

    `kinds`: keys and names of all destinations. `places`: the names of the fields, and the keys
    chosen in a rejected form.
    """

    kinds: list[tuple[str, str]]
    places: list[tuple[str, str]]


def _lay_context(board: MatchBoard, kept: RealBoard) -> LayContext:
    return {
        "kinds": [(kind.key, destination_name(kind)) for kind in kept.rules.destinations],
        "places": [(key, board.given.get(key, "")) for key in DESTINATION_PLACES],
    }


class DieField(TypedDict):
    """A form field for a die to roll.

    `where` is the die's space, empty if it is not on the board.
    """

    name: str
    text: str
    where: str
    given: str


class ChargedDie(DieField):
    """A form field for the new face of a runner that must be rolled because it matches a bull.

    `dangers` are the faces of the bulls on the runner's space.
    """

    seat: int
    shows: int
    dangers: list[int]


class RollingContext(TypedDict):
    rolling: Sequence[DieField]


def _dice_context(board: MatchBoard, kept: RealBoard) -> RollingContext:
    fields = dice_fields(kept)
    several = {key.partition("-")[0] for key, letter in fields if key != letter}
    rolling = []
    for key, letter in fields:
        name = board.names[SEAT_LETTERS.index(letter)]
        if letter in several:
            words = {"name": name, "number": key.partition("-")[2] or 1}
            name = _("%(name)s, die %(number)s") % words
        rolling.append(_die_field(board, key, name, ""))
    return {"rolling": rolling}


def _die_field(board: MatchBoard, name: str, text: str, where: str) -> DieField:
    given = board.given.get(f"die-{name}", "")
    return {"name": name, "text": text, "where": where, "given": given}


class BullsContext(TypedDict):
    wanted: int
    typed: str


def _bulls_context(board: MatchBoard, kept: RealBoard) -> BullsContext:
    wanted = len(kept.rules.board.rows[0])
    if kept.due is DueEntryKind.HERD:
        wanted = kept.state.herd - len(kept.state.bulls)
    return {"wanted": wanted, "typed": board.given.get("bulls", "")}


class TypedRunners(SeatContext):
    """A form field for the faces of a player's runners. `wanted` is the number of runners."""

    wanted: int
    typed: str


class RunnersContext(TypedDict):
    typing: list[TypedRunners]


def _runners_context(board: MatchBoard, kept: RealBoard) -> RunnersContext:
    return {
        "typing": [
            {
                **_seat_context(board, kept, seat),
                "wanted": kept.state.allowed(seat),
                "typed": board.given.get(f"runners-{SEAT_LETTERS[seat]}", ""),
            }
            for seat in kept.state.turn_order
        ]
    }


class UnplacedRunner(TypedDict):
    """A form field for the starting space of a runner that shows 1.

    `text` is the player's name. `given` is the space chosen in a rejected form.
    """

    name: str
    text: str
    seat: int
    given: str


class StartsContext(TypedDict):
    """Template context of the form for placing runners that show 1.

    `starts` are keys and names of the starting spaces.
    """

    ones: list[UnplacedRunner]
    starts: list[tuple[str, str]]


def _starts_context(board: MatchBoard, kept: RealBoard) -> StartsContext:
    writer = EntrySentences(kept, board.names)
    return {
        "ones": [
            {
                "name": name,
                "text": writer.player_name(name[0]),
                "seat": SEAT_LETTERS.index(name[0]),
                "given": board.given.get(f"at-{name}", ""),
            }
            for name in kept.ones
        ],
        "starts": _row_spaces(kept),
    }


def _row_spaces(kept: RealBoard) -> list[tuple[str, str]]:
    spaces = kept.rules.board.spaces
    return [
        (spaces[index].key, space_name(kept.rules, index, kept.state.destinations))
        for index in kept.state.row
    ]


class LaidToken(SeatContext):
    """A direction token on the board with its owner.

    Its path sign is given in notation and as text.
    """

    key: str
    text: str


class CardsContext(TypedDict):
    """Template context of the form for effects of cards: spaces, path signs, tokens and points.

    `movable`: tokens of players who have no token left. `given`: the fields of a rejected form.
    """

    row: list[tuple[str, str]]
    signs: list[tuple[str, str]]
    laid: list[LaidToken]
    movable: list[LaidToken]
    by_card: str
    given: QueryDict
    token_seat: str
    card_points: tuple[int, ...]
    players: list[SeatContext]
    last_step: bool


def _cards_context(board: MatchBoard, kept: RealBoard) -> CardsContext:
    writer = EntrySentences(kept, board.names)
    write = kept.rules.board.write_sign
    laid: list[LaidToken] = [
        {"key": write(sign), "text": writer.sign(write(sign)), **_seat_context(board, kept, seat)}
        for sign, seat in sorted(kept.state.tokens.items())
    ]
    return {
        "row": _row_spaces(kept),
        "signs": [(write(sign), writer.sign(write(sign))) for sign in kept.rules.board.signs],
        "laid": laid,
        "movable": [token for token in laid if not token["tokens"]],
        "by_card": board.given.get("by-card", ""),
        "given": board.given,
        "token_seat": board.given.get("token-seat", ""),
        "card_points": CARD_POINTS,
        "players": [_seat_context(board, kept, seat) for seat in range(kept.players)],
        "last_step": kept.state.step + 1 == kept.rules.board.steps,
    }


def _charge_context(board: MatchBoard, kept: RealBoard) -> RollingContext:
    writer = EntrySentences(kept, board.names)
    rolling: list[ChargedDie] = []
    for name in kept.charging:
        where = kept.state.die(name).space
        place = space_name(kept.rules, where, kept.state.destinations)
        rolling.append(
            {
                **_die_field(board, name, writer.player_name(name[0]), place),
                "seat": SEAT_LETTERS.index(name[0]),
                "shows": kept.state.die(name).face,
                "dangers": sorted({bull.face for bull in kept.state.bulls if bull.space == where}),
            }
        )
    return {"rolling": rolling}


class ScoredPlayer(SeatContext):
    """Template context of a player's points of the day.

    `at`: number of runners, name and points of each destination reached. `other`: points from cards
    and effects. `runners`, `cards` and `brings`: runners, size of the hand and effects on the next
    day. `place`: rank at the end of the game.
    """

    today: int
    at: list[tuple[int, str, int]]
    other: int
    runners: NotRequired[int]
    cards: NotRequired[int]
    brings: NotRequired[list[str]]
    place: NotRequired[int]


class EveningContext(TypedDict):
    """Template context of a day that was scored.

    After the last day it contains neither `herd` (number of bulls on the next day) nor the first
    player of the next day.
    """

    scored: list[ScoredPlayer]
    herd: NotRequired[int]
    first_tomorrow: NotRequired[str]


def _evening_context(board: MatchBoard, kept: RealBoard) -> EveningContext:
    today, tomorrow = kept.days[-1], kept.tomorrow
    scored = [_scored_context(board, kept, today, seat) for seat in range(kept.players)]
    if tomorrow is None:
        return {"scored": scored}
    state = tomorrow.state
    for seat, row in enumerate(scored):
        kinds = [kept.rules.destinations[index] for index in state.effects[seat]]
        row["runners"] = state.allowed(seat)
        row["cards"] = max(0, HAND_SIZE + state.effect(seat, Bonus.CARD))
        row["brings"] = [destination_effect(kind) for kind in kinds if kind.effect is not None]
    return {"scored": scored, "herd": state.herd, "first_tomorrow": board.names[state.first]}


def _scored_context(board: MatchBoard, kept: RealBoard, day: ScoredDay, seat: int) -> ScoredPlayer:
    kinds = [kept.rules.destinations[index] for index in day.destinations]
    there = [(kind, n) for kind, n in zip(kinds, day.arrived[seat], strict=True) if n]
    return {
        **_seat_context(board, kept, seat),  # type: ignore[typeddict-item] # other keys are added later
        "today": day.points[seat],
        "at": [(n, destination_name(kind), kind.points) for kind, n in there],
        "other": day.points[seat] - sum(n * kind.points for kind, n in there),
    }


def _over_context(board: MatchBoard, kept: RealBoard) -> EveningContext:
    judged = referee.judge(rules=kept.rules.options(), seats=kept.players, sheet=arrivals(kept))
    context = _evening_context(board, kept)
    for row, place in zip(context["scored"], judged.places, strict=False):
        row["place"] = place
    return context


_ENTRY_CONTEXTS: Final[
    Mapping[DueEntryKind, Callable[[MatchBoard, RealBoard], Mapping[str, object]]]
] = {
    DueEntryKind.DICE: _dice_context,
    DueEntryKind.LAY: _lay_context,
    DueEntryKind.BULLS: _bulls_context,
    DueEntryKind.RUNNERS: _runners_context,
    DueEntryKind.START: _starts_context,
    DueEntryKind.HERD: _bulls_context,
    DueEntryKind.CARDS: _cards_context,
    DueEntryKind.CHARGE: _charge_context,
    DueEntryKind.EVENING: _evening_context,
    DueEntryKind.OVER: _over_context,
}


def entry_context(board: MatchBoard, kept: RealBoard) -> Mapping[str, object]:
    """Return the context of the form for the next entry. Empty for users who may not enter it."""
    return _ENTRY_CONTEXTS[kept.due](board, kept) if board.may_write else {}
