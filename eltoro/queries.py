"""Queries for boards that rules can use, and for tracked boards of games with real cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, overload

from django.db.models import Q

from eltoro.engine import BOARDS, RealBoard, Rules
from eltoro.models import BoardDesign, Keeping
from fairness import Seed
from leagues.matches_read import ResultLine, drafts_of_player
from leagues.models import League, Match, Player, Table

# Key by which `leagues` identifies this game.
GAME: Final = "eltoro"


Names = Mapping[str, str]


def board_choices(names: Names = MappingProxyType({})) -> list[tuple[str, str]]:
    """Return key and name of every board, beginning with the supplied boards. One query.

    `names` contains names for the keys of supplied boards.
    """
    shipped = [(key, names.get(key, board.name)) for key, board in BOARDS.items()]
    return shipped + list(BoardDesign.objects.values_list("key", "name"))


class BoardChoices(Sequence[tuple[str, str]]):
    """Lazy sequence of `board_choices`, so that forms also offer boards added later."""

    def __init__(self, names: Names = MappingProxyType({})) -> None:
        self._names = names

    @overload
    def __getitem__(self, index: int) -> tuple[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, str]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, str] | list[tuple[str, str]]:
        return board_choices(self._names)[index]

    def __len__(self) -> int:
        return len(board_choices(self._names))

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(board_choices(self._names))


def board_text(key: str) -> str | None:
    """Return the CSV text of an administrator's board, or None if there is no board with
    this key.
    """
    if not key.isprintable():  # a database may reject such characters
        return None
    return BoardDesign.objects.filter(key=key).values_list("text", flat=True).first()


def is_played(design: BoardDesign) -> bool:
    """Return True if the rules of a league, match or game table contain this board."""
    ours = Q(game=GAME, rules__board=design.text)
    return any(model._default_manager.filter(ours).exists() for model in (League, Match, Table))


def real_board_of(keeping: Keeping) -> RealBoard:
    """Return the current state of a tracked board, calculated from its log.

    One query, for the number of seats.
    """
    match = keeping.match
    return RealBoard.replay(
        Rules.from_options(match.rules),
        match.seats.count(),
        Seed(bytes(keeping.seed)),
        rolls=keeping.mode == Keeping.Mode.ALL,
        entries=keeping.lines,
    )


@dataclass(frozen=True, kw_only=True)
class BegunMatch:
    """A match that is being entered, with its tracked board if there is one."""

    line: ResultLine
    keeping: Keeping | None


def begun_matches(player: Player) -> list[BegunMatch]:
    """Return a player's unfinished matches that have or can have a tracked board. Three queries."""
    lines = [line for line in drafts_of_player(player) if line.match.game == GAME]
    boards = Keeping.objects.in_bulk([line.match.pk for line in lines], field_name="match_id")
    return [BegunMatch(line=line, keeping=boards.get(line.match.pk)) for line in lines]
