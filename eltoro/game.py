"""Registers Running with the Bulls as a game of `leagues`: profiles, options, referee and table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from api.types import JSON
from eltoro.acta import ACTA
from eltoro.bots import Ladder
from eltoro.calibration import Calibration
from eltoro.engine import BOARDS, PROFILES, SEATS, DataError, Rules, RulesError
from eltoro.queries import BoardChoices, board_text
from eltoro.table import KEY, ElToroTable
from eltoro.tabletop.sheets import ending_sentence as how_it_ended
from eltoro.tabletop.sheets import read_evening, referee
from leagues.games import (
    Game,
    Judgement,
    RuleOption,
    RulesRefused,
    games,
    named_profiles,
    refusal_reason,
)
from leagues.tables.actas import register_actas

# These texts are translated lazily, in the language of the visitor.
_ = cast("Callable[[str], str]", gettext_lazy)

MAX_DAYS: Final = 3
FIRST_BOARD: Final = "el-toro"

PROFILE_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "el-toro": (
        _("El Toro"),
        _("Three days in the town by the sea, with four steps from the top to the beach."),
    ),
    "la-cuesta": (
        _("La Cuesta"),
        _("Three days in a steeper town, with five steps and as many forks."),
    ),
    "one-day": (
        _("One day"),
        _(
            "The town by the sea for a single day: a game of about a quarter of an hour, "
            "ideal for learning the rules."
        ),
    ),
}
# Names of the boards that come with the site. These names are not translated.
BOARD_NAMES: Final[Mapping[str, str]] = {"el-toro": "El Toro", "la-cuesta": "La Cuesta"}

BOTS: Final = (
    ("random", _("Random")),
    ("greedy", _("Greedy")),
    ("lookout", _("Lookout")),
)
OPTIONS: Final = (
    RuleOption(
        key="board",
        label=_("The town"),
        help=_("The streets that the runners take (Ruling E-2)."),
        choices=BoardChoices(BOARD_NAMES),
        default=FIRST_BOARD,
    ),
    RuleOption(
        key="days",
        label=_("Days"),
        help=_("The rulebook sets three days."),
        low=1,
        high=MAX_DAYS,
        default=MAX_DAYS,
    ),
)


def normalise(options: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return all options of the rules, with defaults filled in.

    Raises `RulesRefused` for an unknown option or an invalid value.
    """
    try:
        return dict(Rules.from_options(_with_board_text(options)).options())
    except RulesError as error:
        raise RulesRefused(_refusal(error), error.field) from error
    except DataError as error:
        raise RulesRefused(str(error), "board") from error


def _with_board_text(options: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Replace the key of an administrator's board by its text.

    The rules store the text, because the board may be changed later.
    """
    board = str(options.get("board", FIRST_BOARD))
    text = None if board in BOARDS or "\n" in board else board_text(board)
    return options if text is None else {**options, "board": text}


def _refusal(error: RulesError) -> str:
    whole = gettext(
        "%(option)s: enter a whole number from %(low)s to %(high)s (Ruling %(ruling)s)."
    )
    return refusal_reason(OPTIONS, error.field, ruling=error.ruling, whole=whole)


def digest(rules: JSON) -> str:
    return Rules.from_options(rules).digest


def seat_counts(rules: JSON) -> Sequence[int]:
    return SEATS


def describe(rules: JSON) -> list[str]:
    read = Rules.from_options(rules)
    board = BOARD_NAMES.get(str(rules.get("board", FIRST_BOARD)), gettext("a custom town"))
    steps = ngettext("%(n)s step per day", "%(n)s steps per day", read.board.steps)
    days = ngettext("%(n)s day", "%(n)s days", read.days)
    return [board, days % {"n": read.days}, steps % {"n": read.board.steps}]


def judge_points(rules: JSON, points: Sequence[int], names: Sequence[str] = ()) -> Judgement:
    return referee.judge_totals(rules=rules, totals=points, names=names)


def tie_explanation(rules: JSON, sheet: JSON, names: Sequence[str], points: Sequence[int]) -> str:
    """Return a sentence about what settled a tie (Ruling E-9). Empty if there was no tie."""
    if sum(own == max(points) for own in points) < 2:
        return ""
    end = read_evening(Rules.from_options(rules), len(names), sheet).ending
    return "" if end is None else how_it_ended(end, names)


GAME: Final = Game(
    key=KEY,
    name=_("Running with the Bulls"),
    referee=referee,
    table=ElToroTable(),
    profiles=named_profiles(PROFILE_NAMES, PROFILES),
    options=OPTIONS,
    bots=BOTS,
    stand_in="greedy",
    normalise=normalise,
    digest=digest,
    seat_counts=seat_counts,
    describe=describe,
    ended=tie_explanation,
    hand_in="eltoro_hand",
    front_page="eltoro",
    rules_page="eltoro_rules",
    scoresheets="eltoro_scoresheets",
    round_name=cast("str", pgettext_lazy("a round at a table", "game")),
    emblem="eltoro/_town.html#emblem",
    ladder=Ladder,
    calibration=Calibration,
    acta=ACTA,
    judge_points=judge_points,
)


def register_game() -> None:
    games.register(GAME)
    register_actas(GAME)
