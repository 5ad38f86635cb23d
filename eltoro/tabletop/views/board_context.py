"""The real board of a match as a page shows it: map, log, and what is asked for next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from eltoro.engine import Bonus, Due, Entry, EntryNote, RealBoard, RolledDie, ScoredDay, Verb
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from eltoro.stage.map_context import FallenRunner, Marks, Picks
from eltoro.stage.picture import draw_town
from eltoro.stage.scene import unique_names
from eltoro.stage.sentences import destination_effect, destination_name, space_name
from eltoro.stage.sentences.cards import signed_number
from eltoro.tabletop.operations import arrivals, piece_name
from eltoro.tabletop.sheets import referee
from eltoro.tabletop.views.match_sheet import MatchSheet
from leagues.exceptions import OperationError
from leagues.models import Match, MatchSeat
from leagues.permissions import Action

SEAT_LETTERS: Final = "abcdef"
DESTINATION_PLACES: Final = ("d1", "d2", "d3", "d4", "d5")


@dataclass(slots=True)
class MatchBoard:
    """The page of a real board.

    `keeping` and `kept` are None before it is begun. `given` holds the fields of a form
    refused with `refused`, so that no input is lost.
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
        """Return unique names by seat."""
        return unique_names(self.at.names)

    @property
    def may_write(self) -> bool:
        """Return True if the visitor may change this board now."""
        return self.match.state == Match.State.DRAFT and Action.WRITE in self.at.may

    @property
    def due(self) -> Due | None:
        """Return what must be entered next, if the visitor may do so."""
        return self.kept.due if self.kept and self.may_write else None


def get_match_board(request: HttpRequest, pk: int) -> MatchBoard:
    """Return the board of a match. Raises Http404 if the visitor may not see the match."""
    at = MatchSheet.find(request, pk)
    keeping = Keeping.objects.filter(match=at.match).first()
    if keeping is not None:
        keeping.match = at.match  # the one read already, with its league
    return MatchBoard(at=at, keeping=keeping, kept=real_board_of(keeping) if keeping else None)


def dice_fields(kept: RealBoard) -> list[tuple[str, str]]:
    """Return field name (`b`, `b-2`) and player of each die of the morning."""
    fields: list[tuple[str, str]] = []
    for letter in kept.state.due_dice():
        number = 1 + sum(owner == letter for _field, owner in fields)
        fields.append((letter if number == 1 else f"{letter}-{number}", letter))
    return fields


class EntrySentences:
    """Sentences about one board. `names` are by seat."""

    def __init__(self, kept: RealBoard, names: Sequence[str]) -> None:
        self.kept, self.names = kept, names

    def told(self, note: EntryNote) -> list[str]:
        """Return the results of an entry, a sentence each."""
        sentences = [_SENTENCES[entry.verb](self, entry) for entry in note.entries]
        rolled = [self.rolled(die) for die in note.rolled]
        return [sentence for sentence in (*sentences, *rolled) if sentence]

    def rolled(self, die: RolledDie) -> str:
        """Describe a die that was rolled again or turned."""
        words = {"die": self.die(die.what), "before": die.before, "after": die.after}
        if die.trampled:
            return _("%(die)s: %(before)s, then %(after)s again: trampled.") % words
        return _("%(die)s: %(before)s → %(after)s.") % words

    def die(self, name: str) -> str:
        return piece_name(name, self.names)

    def space(self, key: str) -> str:
        board = self.kept.rules.board
        return space_name(self.kept.rules, board.find(key))

    def sign(self, name: str) -> str:
        key, _slash, parity = name.partition("/")
        word = _("even") if parity == "even" else _("odd")
        return f"{self.space(key)}, {word}"

    def who(self, letter: str) -> str:
        return self.names[SEAT_LETTERS.index(letter)]


def _lay_sentence(teller: EntrySentences, entry: Entry) -> str:
    kinds = {kind.key: destination_name(kind) for kind in teller.kept.rules.destinations}
    laid = ", ".join(kinds[key] for key in entry.names)
    return _("Destinations laid out: %(destinations)s.") % {"destinations": laid}


def _dice_sentence(teller: EntrySentences, entry: Entry) -> str:
    rolled = ", ".join(f"{teller.who(letter)} {' '.join(faces)}" for letter, faces in entry.targets)
    return _("Morning dice: %(dice)s.") % {"dice": rolled}


def _bulls_sentence(_teller: EntrySentences, entry: Entry) -> str:
    return _("Bulls rolled: %(faces)s.") % {"faces": " ".join(entry.names[0])}


def _runners_sentence(teller: EntrySentences, entry: Entry) -> str:
    rolled = "; ".join(f"{teller.who(letter)} {' '.join(faces)}" for letter, faces in entry.targets)
    return _("Runners rolled: %(faces)s.") % {"faces": rolled}


def _spaces_sentence(teller: EntrySentences, entry: Entry) -> str:
    return ", ".join(f"{teller.die(name)}: {teller.space(key)}" for name, key in entry.targets)


def _places_sentence(teller: EntrySentences, entry: Entry) -> str:
    return _("Dice placed: %(dice)s.") % {"dice": _spaces_sentence(teller, entry)}


def _led_sentence(teller: EntrySentences, entry: Entry) -> str:
    return _("Moved sideways by a card: %(dice)s.") % {"dice": _spaces_sentence(teller, entry)}


def _add_bull_sentence(teller: EntrySentences, entry: Entry) -> str:
    key, face = entry.targets[0]
    return _("Another bull at %(space)s: %(face)s.") % {"space": teller.space(key), "face": face}


def _token_sentence(teller: EntrySentences, entry: Entry) -> str:
    letter, signs = entry.names
    words = {"name": teller.who(letter), "sign": teller.sign(signs.rpartition(">")[2])}
    return _("%(name)s’s token is at %(sign)s.") % words


def _untoken_sentence(teller: EntrySentences, entry: Entry) -> str:
    return _("The token at %(sign)s has been removed.") % {"sign": teller.sign(entry.names[0])}


def _points_sentence(teller: EntrySentences, entry: Entry) -> str:
    letter, points = entry.names
    return f"{teller.who(letter)}: {signed_number(int(points))}."


def _first_sentence(teller: EntrySentences, entry: Entry) -> str:
    return _("%(name)s has the first-player token.") % {"name": teller.who(entry.names[0])}


def _no_sentence(_teller: EntrySentences, _entry: Entry) -> str:
    """Return "", since the dice are described separately."""
    return ""


_SENTENCES: Final[Mapping[Verb, Callable[[EntrySentences, Entry], str]]] = {
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
    Verb.ADVANCE: lambda _teller, _entry: _("Runners and bulls moved down."),
    Verb.CHARGE: lambda _teller, _entry: _("The bulls charged."),
    Verb.EVENING: lambda _teller, _entry: _("The next day began."),
}

FORM_ID: Final = "keep-form"
FACES: Final = (1, 2, 3, 4, 5, 6)
CARD_POINTS: Final = (-1, 1, 2, 3)
# Cards in a full hand, before effects of destinations (Ruling E-8).
HAND_SIZE: Final = 5


def panel_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    """Return the context of the board: state, map and next entry."""
    asked = _CONTEXTS.get(kept.due)
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
            seat=board.at.here,
            marks=_marks_of(board),
        ),
        "latest": _latest_lines(board, kept),
        "log": _log_lines(board, kept),
        "faces": FACES,
        **(asked(board, kept) if asked and board.may_write else {}),
    }


def _seat_context(board: MatchBoard, kept: RealBoard, seat: int) -> dict[str, Any]:
    match_seat: MatchSeat = board.at.seats[seat]
    return {
        "seat": match_seat,
        "letter": SEAT_LETTERS[seat],
        "name": board.names[seat],
        "points": kept.totals[seat],
        "first": seat == kept.state.first and kept.due not in {Due.EVENING, Due.OVER},
        "tokens": kept.state.tokens_left(seat),
    }


def _marks_of(board: MatchBoard) -> Marks:
    """Mark dice that can be tapped, must roll, or have just fallen."""
    kept = board.kept
    if kept is None:
        return Marks()
    dice = frozenset(kept.faces) if board.due is Due.CARDS else frozenset()
    chosen = frozenset(board.given.getlist("pick"))
    legend = _("Dice affected by a card")
    picks = (
        (Picks(ids=dice, legend=legend, many=True, chosen=chosen, form=FORM_ID),) if dice else ()
    )
    return Marks(
        picks=picks,
        again=frozenset(kept.charging),
        fallen=tuple(_last_fallen(kept)),
        moved=frozenset(die.what for die in _last_rolled(kept) if not die.trampled),
    )


def _last_rolled(kept: RealBoard) -> Sequence[RolledDie]:
    return kept.state.notes[-1].rolled if kept.state.notes else ()


def _last_fallen(kept: RealBoard) -> Iterator[FallenRunner]:
    for die in _last_rolled(kept):
        if die.trampled:
            key = kept.rules.board.spaces[die.space].key
            yield FallenRunner(runner=die.what, space=key, face=die.after)


def _latest_lines(board: MatchBoard, kept: RealBoard) -> list[str]:
    notes = kept.state.notes
    return EntrySentences(kept, board.names).told(notes[-1]) if notes else []


def _log_lines(board: MatchBoard, kept: RealBoard) -> list[dict[str, Any]]:
    """Return all entries, latest first."""
    teller = EntrySentences(kept, board.names)
    return [
        {"day": note.day, "step": note.step + 1, "told": teller.told(note)}
        for note in reversed(kept.state.notes)
    ]


def _lay_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    kinds = [(kind.key, destination_name(kind)) for kind in kept.rules.destinations]
    return {
        "kinds": kinds,
        "places": [(key, board.given.get(key, "")) for key in DESTINATION_PLACES],
    }


def _dice_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    """Return fields for dice of destinations: one per destination reached."""
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


def _die_field(board: MatchBoard, name: str, text: str, where: str) -> dict[str, Any]:
    given = board.given.get(f"die-{name}", "")
    return {"name": name, "text": text, "where": where, "given": given}


def _bulls_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    wanted = len(kept.rules.board.rows[0])
    if kept.due is Due.HERD:
        wanted = kept.state.herd - len(kept.state.bulls)
    return {"wanted": wanted, "typed": board.given.get("bulls", "")}


def _runners_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    typing = [
        {
            **_seat_context(board, kept, seat),
            "wanted": kept.state.allowed(seat),
            "typed": board.given.get(f"runners-{SEAT_LETTERS[seat]}", ""),
        }
        for seat in kept.state.turn_order
    ]
    return {"typing": typing}


def _starts_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    teller = EntrySentences(kept, board.names)
    ones = [
        {
            "name": name,
            "text": teller.who(name[0]),
            "seat": SEAT_LETTERS.index(name[0]),
            "given": board.given.get(f"at-{name}", ""),
        }
        for name in kept.ones
    ]
    return {"ones": ones, "starts": _row_spaces(kept)}


def _row_spaces(kept: RealBoard) -> list[tuple[str, str]]:
    """Return key and name of the spaces in the current row."""
    spaces = kept.rules.board.spaces
    return [
        (spaces[index].key, space_name(kept.rules, index, kept.state.destinations))
        for index in kept.state.row
    ]


def _cards_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    teller = EntrySentences(kept, board.names)
    write = kept.rules.board.write_sign
    signs = [(write(sign), teller.sign(write(sign))) for sign in kept.rules.board.signs]
    laid = [
        {"key": write(sign), "text": teller.sign(write(sign)), **_seat_context(board, kept, seat)}
        for sign, seat in sorted(kept.state.tokens.items())
    ]
    return {
        "row": _row_spaces(kept),
        "signs": signs,
        "laid": laid,
        "movable": [card for card in laid if not card["tokens"]],
        "by_card": board.given.get("by-card", ""),
        "given": board.given,
        "token_seat": board.given.get("token-seat", ""),
        "card_points": CARD_POINTS,
        "players": [_seat_context(board, kept, seat) for seat in range(kept.players)],
        "last_step": kept.state.step + 1 == kept.rules.board.steps,
    }


def _charge_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    teller, spaces = EntrySentences(kept, board.names), kept.rules.board.spaces
    rolling = []
    for name in kept.charging:
        where = kept.state.die(name).space
        dangers = sorted({bull.face for bull in kept.state.bulls if bull.space == where})
        place = space_name(kept.rules, where, kept.state.destinations)
        rolling.append(
            {
                **_die_field(board, name, teller.who(name[0]), place),
                "seat": SEAT_LETTERS.index(name[0]),
                "shows": kept.state.die(name).face,
                "dangers": dangers,
                "key": spaces[where].key,
            }
        )
    return {"rolling": rolling}


def _evening_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    today, tomorrow = kept.days[-1], kept.tomorrow
    context = {
        "scored": [_scored_context(board, kept, today, seat) for seat in range(kept.players)]
    }
    if tomorrow is None:
        return context
    state = tomorrow.state
    for line, seat in zip(context["scored"], range(kept.players), strict=True):
        kinds = [kept.rules.destinations[index] for index in state.effects[seat]]
        line["runners"] = state.allowed(seat)
        line["cards"] = max(0, HAND_SIZE + state.effect(seat, Bonus.CARD))
        line["brings"] = [destination_effect(kind) for kind in kinds if kind.effect is not None]
    return context | {"herd": state.herd, "first_tomorrow": board.names[state.first]}


def _scored_context(
    board: MatchBoard, kept: RealBoard, day: ScoredDay, seat: int
) -> dict[str, Any]:
    kinds = [kept.rules.destinations[index] for index in day.destinations]
    there = [(kind, n) for kind, n in zip(kinds, day.arrived[seat], strict=True) if n]
    return {
        **_seat_context(board, kept, seat),
        "today": day.points[seat],
        "at": [(n, destination_name(kind), kind.points) for kind, n in there],
        "other": day.points[seat] - sum(n * kind.points for kind, n in there),
    }


def _over_context(board: MatchBoard, kept: RealBoard) -> dict[str, Any]:
    judged = referee.judge(rules=kept.rules.options(), seats=kept.players, sheet=arrivals(kept))
    context = _evening_context(board, kept)
    for line, place in zip(context["scored"], judged.places, strict=False):
        line["place"] = place
    return context


_CONTEXTS: Final = {
    Due.DICE: _dice_context,
    Due.LAY: _lay_context,
    Due.BULLS: _bulls_context,
    Due.RUNNERS: _runners_context,
    Due.START: _starts_context,
    Due.HERD: _bulls_context,
    Due.CARDS: _cards_context,
    Due.CHARGE: _charge_context,
    Due.EVENING: _evening_context,
    Due.OVER: _over_context,
}
