"""The map of the town ready to be drawn, with its controls and the route of one runner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _

from eltoro.engine import Board, Die, Rules, Town
from eltoro.stage.descriptions import (
    PlayerLine,
    SpaceLine,
    describe_lines,
    list_players,
    map_title,
    space_lines,
    town_name,
)
from eltoro.stage.dice import DrawnDie, draw_dice, place_dice
from eltoro.stage.layout import (
    LAYOUT_CACHE_SIZE,
    NAME_OVERHANG,
    SEA_HEIGHT,
    TAP_SIZE,
    MapLayout,
    Plaza,
)
from eltoro.stage.map_context import (
    SEAT_LETTERS,
    MapContext,
    MapMarks,
    MapPicks,
    control_id,
    sign_id,
    space_ids,
)
from eltoro.stage.places import (
    Box,
    DrawnCard,
    DrawnPlaza,
    DrawnSign,
    box_around,
    box_from_corner,
    draw_cards,
    draw_plazas,
    draw_signs,
    fork_box,
    percent_text,
    sign_words,
)
from eltoro.stage.streets import House, draw_streets, place_houses

# Kinds of areas that can be tapped: a form control, a button for the script, a link to the controls
# below the map, and a label that opens details of a space.
CHOOSE, PRESS, GO, LOOK = "choose", "press", "go", "look"


@dataclass(frozen=True, slots=True, kw_only=True)
class TapArea:
    """An area of the map that can be tapped.

    `kind`: one of the constants above this class. `id`: the piece or space. `control`: HTML id of
    the control, or of the element that is opened. `round`: True for a die. `fork`: True if the area
    stands for the path signs of a fork.
    """

    kind: str
    id: str
    box: Box
    control: str
    text: str
    round: bool = False
    fork: bool = False
    picks: MapPicks | None = None
    checked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayOption:
    """A choice below the map: a die or a word.

    `of`: name of the die's player, or the space to which a path sign leads.
    """

    id: str
    control: str
    text: str
    checked: bool
    die: DrawnDie | None = None
    word: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayGroup:
    """Choices below the map that belong to the same space."""

    anchor: str
    name: str
    options: tuple[TrayOption, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """The choices of one form field that have no room on the map. They are shown below it."""

    picks: MapPicks
    groups: tuple[TrayGroup, ...]

    @property
    def has_dice(self) -> bool:
        return any(option.die for group in self.groups for option in group.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceDetails:
    """Details of a space, which open when it is tapped: large dice and a description."""

    control: str
    line: SpaceLine
    bulls: tuple[DrawnDie, ...]
    runners: tuple[DrawnDie, ...]


def place_hits(sight: MapContext, plan: MapLayout, dice: Sequence[DrawnDie]) -> tuple[TapArea, ...]:
    """Return all areas of the map that the user can tap.

    Areas do not overlap, and each area is at least as large as a fingertip.
    """
    return tuple(_Hits(sight, plan, dice).place_areas())


class _Hits:
    """Finds the areas that can be tapped: first dice, then spaces without such dice, then path
    signs.
    """

    def __init__(self, sight: MapContext, plan: MapLayout, dice: Sequence[DrawnDie]) -> None:
        self.sight, self.plan, self.dice = sight, plan, dice
        self.taken: set[int] = set()
        self.small = _undersized_dice(sight, dice)

    def place_areas(self) -> Iterator[TapArea]:
        yield from self._dice()
        for index, plaza in enumerate(self.plan.plazas):
            if index not in self.taken:
                yield from self._space(index, plaza)
            if self.sight.board.spaces[index].is_fork:
                yield from self._fork(index, plaza)

    def _dice(self) -> Iterator[TapArea]:
        for die in self.dice:
            if die.tap:
                where = box_around(die.x, die.cell_y, TAP_SIZE, TAP_SIZE)
                hit = self._choice((die.id,), where, die_label(self.sight, die), is_round=True)
                if hit is not None:
                    self.taken |= {die.space} if hit.kind == CHOOSE else set()
                    yield hit

    def _space(self, index: int, plaza: Plaza) -> Iterator[TapArea]:
        key, where = self.sight.key(index), tap_area(plaza)
        name = self.sight.space(index)
        hit = self._choice(space_ids(key), where, name)
        if hit is None or hit.kind == PRESS:
            yield (
                self._link(index, where, self.small[index])
                if index in self.small
                else TapArea(kind=LOOK, id=key, box=where, control=f"peek-{key}", text=name)
            )
        if hit is not None:
            yield hit

    def _fork(self, index: int, plaza: Plaza) -> Iterator[TapArea]:
        """Yield the area of a fork. Its two path signs are too close to be tapped separately.

        If only one sign can be chosen, the area chooses it. Otherwise it links to the choices below
        the map.
        """
        signs = [sign for at, _parity, sign in _signs(self.sight) if at == index]
        marks, where = self.sight.marks, fork_box(plaza)
        choices = [(picks, sign) for picks in marks.picks for sign in signs if sign in picks.ids]
        taps = [sign for sign in signs if sign in marks.taps]
        if len(choices) > 1:
            yield replace(self._link(index, where, choices[0][0]), fork=True)
        elif choices or len(taps) == 1:
            sign = choices[0][1] if choices else taps[0]
            hit = self._choice((sign,), where, sign_label(self.sight, sign))
            if hit is not None:
                yield replace(hit, fork=True)

    def _link(self, index: int, where: Box, picks: MapPicks) -> TapArea:
        text = _("%(space)s: choose below the map") % {"space": self.sight.space(index)}
        anchor = _anchor_id(self.sight, picks, index)
        return TapArea(kind=GO, id=self.sight.key(index), box=where, control=anchor, text=text)

    def _choice(
        self, ids: tuple[str, ...], where: Box, text: str, *, is_round: bool = False
    ) -> TapArea | None:
        """Return the control of the first form field that contains one of these ids.

        If no field contains them, return a button for the page's script, or None if there is
        nothing to tap.
        """
        marks = self.sight.marks
        for picks, identity in ((picks, each) for picks in marks.picks for each in ids):
            if identity in picks.ids:
                return TapArea(
                    kind=CHOOSE,
                    id=identity,
                    box=where,
                    control=control_id(identity, picks.field),
                    text=text,
                    round=is_round,
                    picks=picks,
                    checked=identity in picks.chosen,
                )
        tapped = next((each for each in ids if each in marks.taps), "")
        if not tapped:
            return None
        return TapArea(kind=PRESS, id=tapped, box=where, control="", text=text, round=is_round)


def tap_area(plaza: Plaza) -> Box:
    """Return the tap area of a space.

    It includes its name and is at least as large as a fingertip.
    """
    width, top = max(plaza.width, TAP_SIZE), plaza.top - NAME_OVERHANG - 1
    return box_from_corner(plaza.x - width / 2, top, width, max(plaza.bottom - top, TAP_SIZE))


def _undersized_dice(sight: MapContext, dice: Sequence[DrawnDie]) -> dict[int, MapPicks]:
    """Return the spaces that have dice too small to be tapped, with the form field of
    these dice.
    """
    picks_by_space: dict[int, MapPicks] = {}
    for picks in reversed(sight.marks.picks):
        picks_by_space |= {die.space: picks for die in dice if die.id in picks.ids and not die.tap}
    return picks_by_space


def _anchor_id(sight: MapContext, picks: MapPicks, space: int) -> str:
    return f"at-{picks.field}-{sight.key(space)}"


def _signs(sight: MapContext) -> Iterator[tuple[int, int, str]]:
    for space, parity in sight.board.signs:
        yield space, parity, sign_id(sight.key(space), parity)


def die_label(sight: MapContext, die: DrawnDie) -> str:
    whose = _("bull") if die.seat is None else sight.player_name(die.seat)
    words = {"whose": whose, "face": die.face, "space": sight.space(die.space)}
    return _("%(whose)s %(face)s, %(space)s") % words


def sign_label(sight: MapContext, sign: str) -> str:
    at, parity = sight.board.by_sign[sign]
    words = {
        "space": sight.space(at),
        "word": sign_words()[parity],
        "to": sight.space(sight.board.spaces[at].ways[parity]),
    }
    return _("%(space)s, %(word)s, to %(to)s") % words


def build_trays(
    sight: MapContext, dice: Sequence[DrawnDie], on_map: Sequence[TapArea]
) -> tuple[Tray, ...]:
    laid = {hit.control for hit in on_map if hit.kind == CHOOSE}
    trays = []
    for picks in sight.marks.picks:
        groups = tuple(_groups(sight, picks, dice, laid))
        if groups:
            trays.append(Tray(picks=picks, groups=groups))
    return tuple(trays)


def _groups(
    sight: MapContext, picks: MapPicks, dice: Sequence[DrawnDie], laid: set[str]
) -> Iterator[TrayGroup]:
    for space in range(-1, len(sight.board.spaces)):
        options = [*_options_at(sight, picks, space, dice)]
        options = [option for option in options if option.control not in laid]
        if options:
            anchor = _anchor_id(sight, picks, space)
            yield TrayGroup(anchor=anchor, name=sight.space(space), options=tuple(options))


def _options_at(
    sight: MapContext, picks: MapPicks, space: int, dice: Sequence[DrawnDie]
) -> Iterator[TrayOption]:
    for die in dice:
        if die.space == space and die.id in picks.ids:
            of = _("bull") if die.seat is None else sight.player_name(die.seat)
            yield _option(picks, die.id, die_label(sight, die), die=die, of=of)
    ways = sight.board.spaces[space].ways if space >= 0 else ()
    for at, parity, sign in _signs(sight):
        if at == space and sign in picks.ids:
            word, to = sign_words()[parity], sight.space(ways[parity])
            yield _option(picks, sign, sign_label(sight, sign), word=word, of=to)
    for identity in space_ids(sight.key(space)) if space >= 0 else ():
        if identity in picks.ids:
            yield _option(picks, identity, sight.space(space), word=sight.space(space))


def _option(
    picks: MapPicks,
    identity: str,
    text: str,
    *,
    die: DrawnDie | None = None,
    word: str = "",
    of: str = "",
) -> TrayOption:
    return TrayOption(
        id=identity,
        control=control_id(identity, picks.field),
        text=text,
        checked=identity in picks.chosen,
        die=die,
        word=word,
        of=of,
    )


def build_peeks(dice: Sequence[DrawnDie], lines: Sequence[SpaceLine]) -> tuple[SpaceDetails, ...]:
    return tuple(
        SpaceDetails(
            control=f"peek-{line.key}",
            line=line,
            bulls=tuple(die for die in dice if die.space == line.space and die.seat is None),
            runners=tuple(die for die in dice if die.space == line.space and die.seat is not None),
        )
        for line in lines
        if line.space >= 0
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRoute:
    """The streets of a runner: the next street, and all streets that are possible later.

    `trampled`: the chance of being trampled on the way, as text.
    """

    runner: str
    next: str
    later: str
    trampled: str


def draw_route(sight: MapContext, plan: MapLayout) -> DrawnRoute | None:
    """Return the route to highlight, or None if there is none or its runner is not on the board."""
    way = sight.marks.way
    if way is None:
        return None
    seat, number = SEAT_LETTERS.index(way.runner[0]), int(way.runner[1:]) - 1
    die = sight.town.runners[seat][number]
    if die is None or die.space < 0 or not sight.board.spaces[die.space].ways:
        return None
    first = next_space(sight, seat, die)
    reached = _spaces_below(sight, first)
    paths = draw_streets(sight.board, plan)
    return DrawnRoute(
        runner=way.runner,
        next="".join(path.d for path in paths if (path.start, path.end) == (die.space, first)),
        later="".join(path.d for path in paths if path.start in reached),
        trampled=percent_text(way.trampled),
    )


def next_space(sight: MapContext, seat: int, die: Die) -> int:
    """Return a runner's next space: by face, or by its player's token (Ruling E-5)."""
    ways = sight.board.spaces[die.space].ways
    if len(ways) == 1:
        return ways[0]
    signed = [parity for parity in (0, 1) if sight.town.tokens.get((die.space, parity)) == seat]
    return ways[signed[0] if len(signed) == 1 else die.face % 2]


def _spaces_below(sight: MapContext, space: int) -> set[int]:
    reached = {space}
    for index in (index for row in sight.board.rows for index in row):
        if index in reached:
            reached.update(sight.board.spaces[index].ways)
    return reached


NO_MARKS: Final = MapMarks()
# Height of the beach above the destinations, in drawing units.
BEACH_HEIGHT: Final = 40
# Drawing units by which the sea overlaps the destinations.
SEA_OVERLAP: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Backdrop:
    """The background of the map: country, streets, houses. Numbers are values of SVG attributes."""

    name: str
    width: str
    height: str
    shore: str
    shore_height: str
    sea: str
    streets: str
    houses: tuple[House, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TownPicture:
    """The map, ready to be drawn.

    `title` and `desc` describe it, and `box` is the viewBox of the SVG. Pages include
    `eltoro/_map.html` with this object as `map`. The template draws the map with the controls of
    `marks.picks` that have room, the other controls below it (`trays`), the players, details of
    spaces (`peeks`), and a table of all spaces (`lines`).
    """

    title: str
    desc: str
    backdrop: Backdrop
    plan: MapLayout
    plazas: tuple[DrawnPlaza, ...]
    cards: tuple[DrawnCard, ...]
    signs: tuple[DrawnSign, ...]
    dice: tuple[DrawnDie, ...]
    way: DrawnRoute | None
    hits: tuple[TapArea, ...]
    trays: tuple[Tray, ...]
    people: tuple[PlayerLine, ...]
    peeks: tuple[SpaceDetails, ...]
    lines: tuple[SpaceLine, ...]
    marks: MapMarks

    @property
    def box(self) -> str:
        return f"0 0 {self.plan.width:g} {self.plan.height:.5g}"

    @property
    def runners(self) -> tuple[DrawnDie, ...]:
        return tuple(die for die in self.dice if die.seat is not None)


def draw_town(
    town: Town,
    rules: Rules,
    *,
    names: Sequence[str],
    seat: int | None = None,
    marks: MapMarks = NO_MARKS,
) -> TownPicture:
    """Draw the town as seen by a seat, or by a spectator if `seat` is None. `names` are by seat."""
    sight = MapContext(town=town, rules=rules, names=names, seat=seat, marks=marks)
    companies, plan = place_dice(town, sight.board, marks, seat)
    dice = draw_dice(companies, plan, marks)
    lines = space_lines(sight, companies)
    on_map = place_hits(sight, plan, dice)
    return TownPicture(
        title=map_title(sight),
        desc=describe_lines(lines),
        backdrop=_draw_backdrop(town_name(sight), sight.board, plan),
        plan=plan,
        plazas=draw_plazas(sight, plan),
        cards=draw_cards(sight, plan),
        signs=draw_signs(sight, plan),
        dice=dice,
        way=draw_route(sight, plan),
        hits=on_map,
        trays=build_trays(sight, dice, on_map),
        people=list_players(sight),
        peeks=build_peeks(dice, lines),
        lines=lines,
        marks=marks,
    )


@lru_cache(LAYOUT_CACHE_SIZE)
def _draw_backdrop(name: str, board: Board, plan: MapLayout) -> Backdrop:
    return Backdrop(
        name=name,
        width=f"{plan.width:g}",
        height=f"{plan.height:.5g}",
        shore=f"{plan.shore - BEACH_HEIGHT:.5g}",
        shore_height=f"{plan.height - plan.shore + BEACH_HEIGHT:.5g}",
        sea=f"{plan.height - SEA_HEIGHT - SEA_OVERLAP:.5g}",
        streets="".join(street.d for street in draw_streets(board, plan)),
        houses=place_houses(board, plan),
    )
