"""The home page of El Toro, the rules page, and the map with the route of a runner."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from eltoro.engine import BOARDS, PROFILES, Game, Rules, random_move
from eltoro.game import BOARD_NAMES, GAME
from eltoro.stage import sentences
from eltoro.stage.map_context import SEAT_LETTERS, MapMarks, RunnerRoute
from eltoro.stage.picture import TownPicture, draw_town
from eltoro.stage.scene import unique_names
from eltoro.table import ElToroPosition
from fairness import Seed
from leagues.members.marks import seat_marks
from leagues.pages.games.views import described_profiles, game_home_context
from leagues.pages.tables.table import never_stored, visit_table
from leagues.tables import broadcast


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContext:
    key: str
    name: str
    sentence: str
    effect: str
    whose: str
    bull: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationContext:
    """A destination on the home page: points per runner, effect on the next day, number
    of cards.
    """

    key: str
    name: str
    sentence: str
    points: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSummary:
    """A board on the home page, with its numbers of steps per day, roundabouts and forks."""

    name: str
    steps: int
    roundabouts: int
    forks: int


def list_cards(rules: Rules) -> list[CardContext]:
    return [
        CardContext(
            key=card.key,
            name=sentences.card_name(card),
            sentence=sentences.card_sentence(card),
            effect=str(card.effect),
            whose=str(card.whose or ""),
            bull=card.bull,
            count=card.count,
        )
        for card in rules.cards
    ]


def list_destinations(rules: Rules) -> list[DestinationContext]:
    return [
        DestinationContext(
            key=destination.key,
            name=sentences.destination_name(destination),
            sentence=sentences.destination_sentence(destination),
            points=destination.points,
            count=destination.count,
        )
        for destination in rules.destinations
    ]


def list_boards() -> list[BoardSummary]:
    return [
        BoardSummary(
            name=BOARD_NAMES.get(key, key),
            steps=board.steps,
            roundabouts=len(board.spaces) - len(board.rows[-1]),
            forks=sum(space.is_fork for space in board.spaces),
        )
        for key, board in BOARDS.items()
    ]


EXAMPLE_SEED: Final = Seed(bytes(range(32)))
EXAMPLE_PLAYERS: Final = 3
# Number of random moves in the example game whose town the home page shows.
EXAMPLE_MOVES: Final = 9


@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    context = {
        **game_home_context(request, GAME),
        "stand_in": GAME.stand_in,
        "map": _example_town(request.LANGUAGE_CODE),
        "cards": list_cards(PROFILES["el-toro"]),
        "destinations": list_destinations(PROFILES["el-toro"]),
        "boards": list_boards(),
    }
    return render(request, "eltoro/front.html", context)


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    usual = PROFILES["el-toro"]
    context = {
        "game": GAME,
        "profiles": described_profiles(GAME),
        "map": _example_town(request.LANGUAGE_CODE),
        "cards": list_cards(usual),
        "destinations": list_destinations(usual),
    }
    return render(request, "eltoro/rules.html", context)


@lru_cache(maxsize=8)
def _example_town(_language: str) -> TownPicture:
    """Return the town of an example game, drawn with texts in the active language. Cached."""
    rules = Rules()
    game = Game.new(rules, EXAMPLE_PLAYERS, EXAMPLE_SEED)
    chance = EXAMPLE_SEED.chance("front page")
    for _move in range(EXAMPLE_MOVES):
        game.play(random_move(game.view(game.turn), chance))
    names = [_("player %(number)s") % {"number": seat + 1} for seat in range(EXAMPLE_PLAYERS)]
    return draw_town(game.town(), rules, names=names)


RUNNER_PATTERN: Final = re.compile("[a-f][1-9][0-9]?")


@require_safe
def route_page(request: HttpRequest, pk: int, runner: str) -> HttpResponse:
    """Show the map of a game table as the visitor may see it, with the route of a runner.

    Raises `Http404` without permission, for a table of another game, and for an unknown runner.
    """
    visit = visit_table(request, pk)
    table = broadcast.current_view(visit.log, visit.seat)
    position = table.position
    if not isinstance(position, ElToroPosition) or position.game is None:
        raise Http404("no town here")
    if not RUNNER_PATTERN.fullmatch(runner):
        raise Http404("no runner")
    town = position.game.town()
    drawn = draw_town(
        town,
        position.rules,
        names=unique_names([sitter.name for sitter in table.sitters]),
        seat=visit.seat,
        marks=MapMarks(way=_route_of(position, runner), highlighted=runner),
    )
    with seat_marks(table.players):
        return never_stored(render(request, "eltoro/way.html", {"map": drawn, "table": table}))


def _route_of(position: ElToroPosition, runner: str) -> RunnerRoute | None:
    """Return a runner's chances to reach each destination.

    Returns None if the runner is not on the board, or until all bulls have been rolled.
    """
    number = (SEAT_LETTERS.index(runner[0]), int(runner[1:]) - 1)
    odds = position.odds().get(number)
    if odds is None:
        return None
    ends = position.rules.board.rows[-1]
    keys = [position.rules.board.spaces[end].key for end in ends]
    arrives = {key: share for key, share in zip(keys, odds.arrives, strict=True) if share}
    return RunnerRoute(runner=runner, arrives=arrives, trampled=odds.trampled)
