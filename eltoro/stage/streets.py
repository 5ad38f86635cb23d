"""The streets between the spaces, the path signs at forks, and the houses of the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eltoro.engine import Board
from eltoro.stage.layout import LAYOUT_CACHE_SIZE, SKY_HEIGHT, MapLayout, Plaza

# Drawing units by which streets extend under plazas.
DIP: Final = 7
# Distance from the edge of a plaza to the middle of its path signs, in drawing units.
SIGN_DOWN: Final = 13
SIGN_HEIGHT: Final = 14.5
# Width of a capital letter on a path sign, in drawing units.
SIGN_LETTER_WIDTH: Final = 5.3
# What an even and an odd sign are wider than their letters. The ends of an odd sign are round.
SIGN_PADDING: Final = (4, 8)
# Maximum width of a fork's two path signs together. The distance between forks can be only 54
# units.
PAIR_WIDTH: Final = 52
# Size of the tap area around the two path signs of a fork.
FORK_SIZE: Final = (50, 46)
# Cell size in drawing units of the grid on which free ground is searched.
GRAIN: Final = 2
# Distance from the middle of a street that stays free of houses, in drawing units.
KERB: Final = 9

STEPS: Final = 14

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Street:
    """A street between two spaces (indexes on the board). `d` is the path attribute of the SVG."""

    start: int
    end: int
    d: str


@dataclass(frozen=True, slots=True)
class PathSign:
    """The position of a path sign: its space, parity (0 even, 1 odd), middle and width."""

    space: int
    parity: int
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class House:
    """A house or tree on free ground of the map: its drawing and position."""

    kind: str
    x: float
    y: float

    @property
    def left(self) -> str:
        return f"{self.x:g}"

    @property
    def foot(self) -> str:
        return f"{self.y:g}"


@lru_cache(LAYOUT_CACHE_SIZE)
def draw_streets(board: Board, plan: MapLayout) -> tuple[Street, ...]:
    return tuple(
        Street(start, end, street_path(plan.plazas[start], plan.plazas[end]))
        for start, space in enumerate(board.spaces)
        for end in space.ways
    )


def street_path(above: Plaza, below: Plaza) -> str:
    points = " ".join(f"{x:.5g} {y:.5g}" for x, y in _controls(above, below)[1:])
    return f"M{above.x:.5g} {above.bottom - DIP:.5g}C{points}"


def _controls(above: Plaza, below: Plaza) -> tuple[Point, Point, Point, Point]:
    """Return the four control points of a street's curve, which is steep at both ends."""
    dx = below.x - above.x
    top, bottom = above.bottom - DIP, below.top + DIP
    dy = bottom - top
    return (
        (above.x, top),
        (above.x + 0.2 * dx, top + 0.55 * dy),
        (above.x + 0.8 * dx, top + 0.5 * dy),
        (below.x, bottom),
    )


def place_signs(board: Board, plan: MapLayout, words: tuple[str, str]) -> tuple[PathSign, ...]:
    """Return the positions of all path signs.

    `words`: the labels of an even and an odd sign. The two signs of a fork are side by side below
    it, each on the side of its street.
    """
    wanted = [
        len(word) * SIGN_LETTER_WIDTH + padding
        for word, padding in zip(words, SIGN_PADDING, strict=True)
    ]
    widths = [width * min(1, PAIR_WIDTH / sum(wanted)) for width in wanted]
    signs = []
    for index, space in enumerate(board.spaces):
        if space.is_fork:
            plaza = plan.plazas[index]
            even, odd = (plan.plazas[way].x for way in space.ways)
            order = (0, 1) if even <= odd else (1, 0)
            signs += _pair(index, plaza, order, widths)
    return tuple(signs)


def _pair(
    space: int, plaza: Plaza, order: tuple[int, int], widths: Sequence[float]
) -> list[PathSign]:
    first, second = order
    left = plaza.x - (widths[first] + widths[second] + 1) / 2
    y = plaza.bottom + SIGN_DOWN
    return [
        PathSign(space, first, left + widths[first] / 2, y, widths[first]),
        PathSign(space, second, left + widths[first] + 1 + widths[second] / 2, y, widths[second]),
    ]


# Drawings of houses and trees with width and height in units. The largest drawing that fits is
# used.
HOUSE_SIZES: Final = (
    (("house-1", "house-5"), 23, 19),
    (("house-2", "house-4"), 18, 15),
    (("house-3", "house-6"), 15, 12),
    (("tree", "tree"), 10, 14),
)
# Width in drawing units that is reserved for names and for the two signs of a fork.
PLATE_WIDTH: Final = 56
MAX_TRIES: Final = 640


@lru_cache(LAYOUT_CACHE_SIZE)
def place_houses(board: Board, plan: MapLayout) -> tuple[House, ...]:
    """Return houses and trees on free ground. They are always the same for the same map."""
    ground = _Ground(board, plan)
    houses = (ground.built(number, x, y) for number, (x, y) in enumerate(_strewn_points(plan)))
    return tuple(sorted(filter(None, houses), key=lambda house: house.y))


def _strewn_points(plan: MapLayout) -> Iterator[tuple[int, int]]:
    """Yield points that are spread evenly over the map.

    They come from a two-dimensional additive recurrence.
    """
    for number in range(MAX_TRIES):
        x = 6 + (number * 0.754877666) % 1 * (plan.width - 12)
        y = SKY_HEIGHT + 4 + (number * 0.569840290) % 1 * (plan.beach - SKY_HEIGHT - 4)
        yield round(x), round(y)


class _Ground:
    """Grid of bits that shows which ground of the map is occupied.

    Plazas, names, path signs, streets and houses occupy ground.
    """

    def __init__(self, board: Board, plan: MapLayout) -> None:
        self.columns = int(plan.width // GRAIN) + 1
        self.rows = [0] * (int(plan.height // GRAIN) + 2)
        self._occupy(0, 0, plan.width, SKY_HEIGHT - 4)
        self._occupy(0, plan.beach - 2, plan.width, SKY_HEIGHT)
        for plaza in (*plan.plazas, *([plan.gate] if plan.gate else [])):
            self._occupy(plaza.left - 4, plaza.top - 4, plaza.width + 8, plaza.height + 8)
            self._occupy(plaza.x - PLATE_WIDTH / 2, plaza.top - 9, PLATE_WIDTH, 18)
        for index, space in enumerate(board.spaces):
            self._streets(plan, index, space.ways)

    def _streets(self, plan: MapLayout, start: int, ways: Sequence[int]) -> None:
        above = plan.plazas[start]
        if len(ways) > 1:
            self._occupy(above.x - PLATE_WIDTH / 2, above.bottom, PLATE_WIDTH, 20)
        for way in ways:
            for x, y in _points_along(_controls(above, plan.plazas[way])):
                self._occupy(x - KERB, y - KERB, 2 * KERB, 2 * KERB)

    def _cells(self, x: float, y: float, width: float, height: float) -> tuple[range, int]:
        """Return the rows of the grid that a rectangle covers.

        For each row, the covered columns are given as bits.
        """
        left = max(int(x // GRAIN), 0)
        right = max(min(int((x + width) // GRAIN) + 1, self.columns), left)
        top, bottom = int(y // GRAIN), int((y + height) // GRAIN) + 1
        return range(max(top, 0), min(bottom, len(self.rows))), (1 << right) - (1 << left)

    def _occupy(self, x: float, y: float, width: float, height: float) -> None:
        rows, bits = self._cells(x, y, width, height)
        for row in rows:
            self.rows[row] |= bits

    def built(self, number: int, x: int, y: int) -> House | None:
        """Return the largest house that fits if its foot is at this point, and mark its ground as
        occupied.

        Returns None if no house fits.
        """
        core = 0b11111 << (x - 5) // GRAIN  # columns that even the smallest drawing needs
        if any(row & core for row in self.rows[(y - 12) // GRAIN : y // GRAIN + 1]):
            return None
        for kinds, width, height in HOUSE_SIZES[number % 3 :]:
            box = (x - width / 2, y - height, width, height)
            rows, bits = self._cells(*box)
            if not any(self.rows[row] & bits for row in rows):
                self._occupy(*box)
                return House(kinds[number % 2], x, y)
        return None


def _points_along(controls: tuple[Point, Point, Point, Point]) -> Iterator[Point]:
    """Yield points on the curve of a street. They are close enough to cover the whole street."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = controls
    for step in range(STEPS + 1):
        t = step / STEPS
        u = 1 - t
        a, b, c, d = u**3, 3 * u * u * t, 3 * u * t * t, t**3
        yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy
