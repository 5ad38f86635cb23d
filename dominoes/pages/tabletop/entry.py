"""Entry form for a hand played with real dominoes. Its tile pickers offer only possible tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from api.idempotency import attempt_once
from api.types import JSONObject
from dominoes.engine import (
    MAX_MOVES,
    Course,
    HandReading,
    MatchReading,
    NotationError,
    PublicMove,
    Rules,
    View,
    bit_set,
    bits,
    domino_set,
    read_tile,
    write_tile,
)
from dominoes.pages.tabletop.forms import (
    BLOCKED,
    INPUT_MODES,
    LEFT,
    MOVES,
    SCORE,
    HandForm,
    form_of_hand,
)
from dominoes.pages.tabletop.match_sheet import (
    HANDS_KEY,
    MatchSheet,
    RefereeAnswer,
    answer_hand,
    answer_score,
    asked_seats,
    course_of,
)
from dominoes.stage import (
    DrawnTile,
    TrainPicture,
    build_rack,
    draw_tile,
    draw_train,
    sentences,
)
from dominoes.stage.rack import RackTile
from dominoes.tabletop.sheets import objection_sentence, read_match, write_hand
from leagues.exceptions import OperationError
from leagues.pages.forms import parse_number
from leagues.pages.matches.sheets import SheetTemplates, put_part
from leagues.text import count_points

# Largest n for which all tiles of a suit of the double-n set fit into one row of the tile picker.
MAX_SINGLE_ROW: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class PickerTile:
    """A tile in a tile picker.

    `others`: other seats for which the tile is ticked too. `laid`: True if the tile is in the
    train.
    """

    number: int
    drawn: DrawnTile
    value: str
    name: str
    checked: bool
    others: tuple[int, ...]
    turned: bool
    laid: bool

    @property
    def classes(self) -> str:
        names = ["is-turned"] if self.turned else []
        if self.others:
            names.append("is-twice" if self.checked else "is-taken")
        return " ".join([*names, "is-laid"] if self.laid else names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picker:
    """A tile picker: the tiles left to one seat, with their number and pips."""

    seat: int
    tiles: tuple[PickerTile, ...]
    count: int
    sum: int
    pips: str
    small: bool

    @property
    def disputed(self) -> bool:
        return any(tick.checked and tick.others for tick in self.tiles)


def tile_order(highest: int) -> list[tuple[int, bool]]:
    """Return the tiles of a set in the order of the tile picker.

    A suit contains the tiles with the same half. The suit of r is followed by the suit of n + 1 -
    r, because r and n + 1 - r add up to the matching number. The boolean is True if a tile belongs
    to the second of these two suits.
    """
    tiles, order = domino_set(highest), []
    for low in range((highest + 2) // 2):
        order += [(tiles.index(low, high), False) for high in range(low, highest + 1)]
        other = highest + 1 - low
        if low < other <= highest:
            order += [(tiles.index(other, high), True) for high in range(other, highest + 1)]
    if highest % 2:
        middle = (highest + 1) // 2
        order += [(tiles.index(middle, high), False) for high in range(middle, highest + 1)]
    return order


def build_picker(
    rules: Rules, seat: int, held: Mapping[int, Sequence[str]], pips: str, played: int = 0
) -> Picker:
    """Build the tile picker of one seat.

    `held`: the ticked tiles of all seats. `played`: the tiles of the train, as a bit set.
    """
    owners = tile_owners(held)
    tiles = domino_set(rules.highest)
    ticked = [
        PickerTile(
            number=tile,
            drawn=draw_tile(rules, tile),
            value=write_tile(tile),
            name=sentences.tile_name(rules, tile),
            checked=seat in owners.get(tile, ()),
            others=tuple(other for other in owners.get(tile, ()) if other != seat),
            turned=turned and rules.highest <= MAX_SINGLE_ROW,
            laid=bool(played >> tile & 1),
        )
        for tile, turned in tile_order(rules.highest)
    ]
    chosen = [tick.number for tick in ticked if tick.checked]
    return Picker(
        seat=seat,
        tiles=tuple(ticked),
        count=len(chosen),
        sum=sum(sum(tiles.tiles[tile]) for tile in chosen),
        pips=pips,
        small=rules.highest <= MAX_SINGLE_ROW,
    )


def tile_owners(held: Mapping[int, Sequence[str]]) -> dict[int, tuple[int, ...]]:
    owners: dict[int, tuple[int, ...]] = {}
    for seat, texts in held.items():
        for text in dict.fromkeys(texts):
            try:
                tile = read_tile(text)
            except NotationError:
                continue
            owners[tile] = (*owners.get(tile, ()), seat)
    return owners


class TrainContext(TypedDict):
    """Template context of the train while a hand is entered move by move.

    `turn` and `turn_seat`: name and number of the player whose turn it is. `choices`: tiles that
    fit. `waits`: possible moves without a tile (draw, pass). `tapped`: the chosen tile, if it can
    lie in several ways. `log`: sentences about the moves, the latest first. `counts`: number of
    tiles by player name.
    """

    course: Course
    scene: dict[str, TrainPicture | str]
    turn: str | None
    turn_seat: int | None
    choices: list[RackTile]
    waits: list[str]
    tapped: RackTile | None
    log: list[str]
    counts: list[tuple[str, int]]


def train_context(at: MatchSheet, draft: HandForm) -> TrainContext | None:
    """Return the context of the train, or None until the form says who laid the first tile."""
    course = course_of(at, draft)
    if course is None:
        return None
    view = public_view(course)
    choices = _playable_tiles(view, tiles_held_elsewhere(at, draft, course))
    return {
        "course": course,
        "scene": {
            "train": draw_train(view),
            "ends": sentences.ends_sentence(view.ends) if view.ends else "",
        },
        "turn": None if course.turn is None else at.names[course.turn],
        "turn_seat": course.turn,
        "choices": choices,
        "waits": [str(move) for move in course.waits()],
        "tapped": next((held for held in choices if held.name == tile_label(draft.tile)), None),
        "log": _log_lines(at, course),
        "counts": list(zip(at.names, course.counts, strict=True)),
    }


def public_view(course: Course) -> View:
    """Return a view in which the seat whose turn it is may hold any tile not in the train."""
    free = bits(course.held_tiles(0))
    return View(
        rules=course.rules,
        players=course.players,
        seat=course.turn,
        leader=course.leader,
        turn=course.turn,
        held=bit_set(free),
        counts=tuple(course.counts),
        boneyard=course.boneyard,
        can_draw=course.can_draw,
        ends=course.ends,
        legal=(*course.possible_plays(), *course.waits()),
        codes=tuple(event.move.code for event in course.events),
        totals=(0,) * len(course.rules.sides(course.players)),
        outcome=None,
        revealed=None,
    )


def tiles_held_elsewhere(at: MatchSheet, draft: HandForm, course: Course) -> int:
    """Return the tiles ticked as left in a hand, as a bit set.

    Such tiles cannot also be in the train.
    """
    mask = 0
    for seat in asked_seats(at, draft):
        for text in draft.tiles.get(str(seat), ()):
            try:
                mask |= 1 << read_tile(text)
            except NotationError:
                continue
    return mask & course.tiles.all


def _playable_tiles(view: View, kept: int) -> list[RackTile]:
    fitting = [
        held for held in build_rack(view, {}).tiles if held.fits and not kept >> held.tile & 1
    ]
    return sorted(fitting, key=lambda held: held.tile, reverse=True)


def tile_label(text: str) -> str:
    """Return a tile with a hyphen, such as `6-3`. Empty if the text is not a tile."""
    try:
        return sentences.with_hyphen(write_tile(read_tile(text)))
    except NotationError:
        return ""


def only_move(course: Course, text: str) -> str:
    """Return the only move that plays this tile, or "" if there are several or none."""
    try:
        tile = read_tile(text)
    except NotationError:
        return ""
    moves = course.possible_plays(1 << tile)
    return str(moves[0]) if len(moves) == 1 else ""


def _drop_laid_tiles(draft: HandForm, course: Course) -> None:
    """Untick all tiles in the tile pickers that are now in the train.

    A tile can be both ticked and in the train after a move was undone and another move was entered.
    """
    laid = {write_tile(tile) for tile in bits(course.played)}
    draft.tiles = {
        seat: [tile for tile in tiles if tile not in laid] for seat, tiles in draft.tiles.items()
    }


def _log_lines(at: MatchSheet, course: Course) -> list[str]:
    lines = []
    ends = None
    again = Course(course.rules, course.players, course.leader)
    for event in course.events:
        if event.dead:
            break
        move = PublicMove(event.seat, event.move, ends)
        lines.append(sentences.move_sentence(course.rules, move, at.names[event.seat]))
        again.add(str(event.move))
        ends = again.ends
    return lines[::-1]


class EntryContext(TypedDict):
    """Template context of the form with the referee's answer.

    `pickers`: tile pickers of all seats that are shown. `selected`: the seat whose picker is open.
    `out`: the seat that has no tiles left. `hands`: the hands so far, with the totals before each
    hand. `train`: None unless the hand is entered move by move. `totals`: as typed.
    """

    at: MatchSheet
    draft: HandForm
    answer: RefereeAnswer
    pickers: list[Picker]
    selected: int | None
    out: int | None
    sheet: MatchReading
    hands: list[tuple[HandReading, tuple[int, ...]]]
    number: int
    train: TrainContext | None
    totals: list[str]
    may_stop: bool


class HandEntry(MatchSheet):
    """Entry form for a hand. Each `do_…` method handles one of its buttons."""

    templates: ClassVar[SheetTemplates] = SheetTemplates(
        form="dominoes/hand_in.html",
        answer="dominoes/hand_in.html#answer",
        handed_in="dominoes/handed_in.html",
    )

    def fill_draft(self, draft: HandForm) -> None:
        draft.apply_fields(self.request.POST, self.players)

    def do_assign_tile(self, draft: HandForm, argument: str) -> HttpResponse:
        """Assign a tile that was ticked for two seats to one of these seats."""
        tile, _colon, seat = argument.partition(":")
        owner = parse_number(seat)
        if owner is not None:
            draft.assign_tile(tile, owner)
        return self.store_and_redirect(draft, "#answer")

    def do_input_mode(self, draft: HandForm, argument: str) -> HttpResponse:
        if argument in INPUT_MODES:
            draft.switch(argument)
        return self.store_and_redirect(draft)

    def do_tile(self, draft: HandForm, argument: str) -> HttpResponse:
        """Play the tapped tile. If it can be played in several ways, show these ways."""
        course = course_of(self, draft)
        move = only_move(course, argument) if course is not None else ""
        if move:
            return self.do_move(draft, move)
        draft.tile = argument if tile_label(argument) else ""
        return self.store_and_redirect(draft, "#train")

    def do_move(self, draft: HandForm, argument: str) -> HttpResponse:
        course = course_of(self, draft)
        if course is None:
            raise OperationError(_("First say who laid the first tile."))
        fault = course.add(argument)
        if fault is not None:
            raise OperationError(objection_sentence(fault, self.names))
        draft.moves = [*draft.moves, argument][:MAX_MOVES]
        draft.tile = ""
        _drop_laid_tiles(draft, course)
        return self.store_and_redirect(draft, "#train")

    def do_back(self, draft: HandForm, _argument: str) -> HttpResponse:
        draft.moves, draft.tile, draft.out = draft.moves[:-1], "", ""
        return self.store_and_redirect(draft, "#train")

    def do_stuck(self, draft: HandForm, _argument: str) -> HttpResponse:
        """Mark the hand as blocked, because no player can ever play a tile again."""
        draft.out = BLOCKED
        return self.store_and_redirect(draft, "#left")

    def do_send(self, draft: HandForm, _argument: str) -> HttpResponse:
        answer = answer_hand(self, draft)
        if not answer.ready:
            return self.store_and_redirect(draft, "#answer")
        written = draft.to_hand_sheet(self.players, asked_seats(self, draft))
        hands = put_part(self.hands, write_hand(written), draft.place)
        content = {**self.content, HANDS_KEY: hands}
        content.pop("totals", None)
        if answer.wins and draft.place < 0:
            return self._hand_in_known(content)
        self.save(content)
        self.store_draft(None)
        messages.success(self.request, _("The hand has been saved."))
        return self.redirect()

    def _hand_in_known(self, content: JSONObject) -> HttpResponse:
        known = {name: value for name, value in content.items() if value not in (None, False)}
        return self.hand_in(known)

    def do_finish(self, draft: HandForm, argument: str) -> HttpResponse:
        """Submit the match, including the hand in the form, because it is won or was stopped."""
        hands = self._hands_with(draft)
        if self.correcting and hands != self.hands:
            self.save({**self.content, HANDS_KEY: hands})
            self.store_draft(None)
        return self._hand_in_known({HANDS_KEY: hands, "stopped": argument == "stopped"})

    def _hands_with(self, draft: HandForm) -> list[object]:
        """Return the hands of the match, including the hand in the form if it was changed.

        Raises `OperationError` if the hand in the form cannot be saved.
        """
        seats, stored = range(self.players), HandForm(way=draft.way)
        if 0 <= draft.place < len(self.hands):
            stored = form_of_hand(self.hands[draft.place], draft.place)
        same = draft.to_hand_sheet(self.players, seats) == stored.to_hand_sheet(self.players, seats)
        if draft.way == SCORE or (same and not draft.misread(seats)):
            return self.hands
        if not answer_hand(self, draft).ready:
            raise OperationError(
                _(
                    "The hand in the form is not saved yet, and it is incomplete or contains "
                    "errors. Correct it or discard it before you submit the match."
                )
            )
        written = draft.to_hand_sheet(self.players, asked_seats(self, draft))
        return put_part(self.hands, write_hand(written), draft.place)

    def do_score(self, draft: HandForm, _argument: str) -> HttpResponse:
        answer = answer_score(self, draft)
        if not answer.ready:
            return self.store_and_redirect(draft, "#answer")
        totals, _why = draft.read_totals()
        stopped = bool(self.request.POST.get("stopped"))
        content = {"totals": totals, "stopped": stopped}
        reading = read_match(self.rules, self.players, content)
        if not reading.over:
            raise OperationError(
                _(
                    "No player has %(target)s yet. Tick the box to say that you stopped "
                    "there, or play on."
                )
                % {"target": count_points(self.rules.target)}
            )
        return self._hand_in_known(content)

    def do_undo(self, _writing: HandForm, _argument: str) -> HttpResponse:
        if not self.hands:
            raise OperationError(_("There is no hand to undo."))
        last = self.hands[-1]
        self.save({**self.content, HANDS_KEY: self.hands[:-1]})
        self.store_draft(form_of_hand(last, -1))
        return self.redirect()

    def do_edit(self, _writing: HandForm, argument: str) -> HttpResponse:
        place = parse_number(argument)
        if place is None or not 0 <= place < len(self.hands):
            raise OperationError(_("The scoresheet does not contain this hand."))
        self.store_draft(form_of_hand(self.hands[place], place))
        return self.redirect()

    def do_rewrite(self, _writing: HandForm, _argument: str) -> HttpResponse:
        content = self.sheet_to_rewrite().content
        sheet = content if isinstance(content, dict) else {}
        hands = sheet.get(HANDS_KEY) or []
        totals = [str(total) for total in sheet.get("totals") or []]
        way = SCORE if totals and not hands else LEFT
        self.store_draft(HandForm(way=way, totals=totals), sheet={HANDS_KEY: hands})
        return self.redirect()

    def context(self, draft: HandForm) -> EntryContext:
        course = course_of(self, draft) if draft.way == MOVES else None
        sheet, seats = self.sheet, asked_seats(self, draft)
        held = {seat: draft.tiles.get(str(seat), []) for seat in seats}
        played = course.played if course is not None else 0
        # Visitors may change which seat went out. Therefore the seat that is marked as out gets a
        # tile picker too.
        shown_seats = range(self.players) if draft.way == LEFT else seats
        open_seat = parse_number(draft.who)
        return {
            "at": self,
            "draft": draft,
            "answer": answer_score(self, draft) if draft.way == SCORE else answer_hand(self, draft),
            "pickers": [
                build_picker(self.rules, seat, held, draft.pips.get(str(seat), ""), played)
                for seat in shown_seats
            ],
            "selected": open_seat if open_seat in seats else next(iter(seats), None),
            "out": draft.out_seat,
            "sheet": sheet,
            "hands": list(zip(sheet.hands, sheet.before, strict=True)),
            "number": (draft.place if draft.place >= 0 else len(self.hands)) + 1,
            "train": train_context(self, draft) if draft.way == MOVES else None,
            "totals": draft.totals or [""] * self.players,
            "may_stop": any(sheet.totals) and not sheet.objections and sheet.winner is None,
        }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@attempt_once
def entry_page(request: HttpRequest, pk: int) -> HttpResponse:
    return HandEntry.find_view(request, pk).respond()
