"""Registers Matador dominoes as a game of `leagues`: profiles, options, referee, table and bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from django.utils.translation import gettext, gettext_lazy, ngettext

from api.types import JSON
from dominoes.acta import ACTA
from dominoes.bots import Ladder
from dominoes.engine import PROFILES, RANGES, SWITCHES, Rules, RulesError
from dominoes.table import DominoTable
from dominoes.tabletop.sheets import below_target, referee
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

KEY: Final = "dominoes"

PROFILE_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "rulebook": (
        _("The rulebook"),
        _(
            "Double-six set, seven tiles each, draw until you can play, matadors in line, "
            "first to 100 points."
        ),
    ),
    "draw": (
        _("Draw"),
        _(
            "Five tiles each; the winner of a hand leads the next one, and the player who "
            "goes out wins the hand."
        ),
    ),
    "block": (
        _("Block"),
        _(
            "No tiles are drawn: a player who can’t play passes. The player with the highest "
            "double leads."
        ),
    ),
    "crosswise_open": (
        _("Crosswise, both halves open"),
        _("A matador may be laid crosswise; the next player may use either half."),
    ),
    "crosswise_on_blank": (
        _("Crosswise next to a blank"),
        _(
            "A matador next to a blank is laid crosswise, and the next tile there must have "
            "a blank."
        ),
    ),
    "crosswise_stub": (
        _("Crosswise, one half in line"),
        _("Matadors are shown crosswise but count as if they were in line."),
    ),
    "partners": (
        _("Partners"),
        _(
            "Two against two, with partners sitting opposite each other; the side that won "
            "the last hand leads."
        ),
    ),
}
LEAD_CHOICES: Final = (
    ("draw", _("drawn by lot for each hand")),
    ("winner", _("the winner of the last hand")),
    ("highest_double", _("the player with the highest double")),
)
BONEYARD_CHOICES: Final = (
    ("draw", _("draw until you can play, leaving two tiles in the boneyard")),
    ("pass", _("no drawing: a player who can’t play passes")),
)
MATADOR_CHOICES: Final = (
    ("inline", _("in line, like any other tile")),
    ("crosswise_open", _("crosswise if the player chooses, both halves open")),
    ("crosswise_on_blank", _("crosswise next to a blank")),
    ("crosswise_stub", _("crosswise, with one half in line")),
)
BOTS: Final = (
    ("random", _("Random")),
    ("greedy", _("Greedy")),
    ("keeper", _("Keeper")),
    ("maestro", _("Maestro")),
)


def _whole_number_option(key: str, label: str, text: str) -> RuleOption:
    low, high = RANGES[key]
    return RuleOption(
        key=key, label=label, help=text, low=low, high=high, default=getattr(Rules(), key)
    )


def _choice_option(
    key: str, label: str, choices: Sequence[tuple[str, str]], text: str = ""
) -> RuleOption:
    return RuleOption(
        key=key, label=label, help=text, choices=choices, default=getattr(Rules(), key)
    )


def _switch_option(key: str, label: str, text: str) -> RuleOption:
    return RuleOption(key=key, label=label, help=text, default=False)


OPTIONS: Final = (
    _whole_number_option(
        "highest", _("Highest double"), _("Enter 6 for a double-six set (Ruling D-1).")
    ),
    _whole_number_option(
        "hand_size",
        _("Tiles dealt to each player"),
        _("The set must have enough tiles for all players (Ruling D-2)."),
    ),
    _switch_option(
        "partners",
        _("Partners"),
        _(
            "For four players only, in two teams, with partners sitting opposite each other "
            "(Ruling D-2)."
        ),
    ),
    _choice_option(
        "lead", _("Who leads"), LEAD_CHOICES, _("The player who lays the first tile (Ruling D-3).")
    ),
    _switch_option(
        "set_highest_double",
        _("The player who leads must lay the highest double"),
        _("This rule applies only if the player has a double in hand (Ruling D-3)."),
    ),
    _choice_option(
        "boneyard",
        _("The boneyard"),
        BONEYARD_CHOICES,
        _("What happens to the tiles left after the deal (Ruling D-5)."),
    ),
    _switch_option(
        "free_pass",
        _("Passing is always allowed"),
        _("Players may pass or draw on any turn (Ruling D-5)."),
    ),
    _switch_option(
        "out_wins",
        _("Going out wins the hand"),
        _("This rule applies whatever tiles the other players hold (Ruling D-7)."),
    ),
    _whole_number_option(
        "target",
        _("Points needed to win the match"),
        _("The rulebook sets 100 points (Ruling D-8)."),
    ),
    _choice_option(
        "matadors",
        _("How matadors are laid"),
        MATADOR_CHOICES,
        _("Choose one of four interpretations of the rules (Ruling D-9)."),
    ),
)


def normalise(options: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return all options of the rules, with defaults filled in.

    Raises `RulesRefused` for an unknown option or an invalid value.
    """
    try:
        return dict(Rules.from_options(options).options())
    except RulesError as error:
        raise RulesRefused(_refusal(error), error.field) from error


def _refusal(error: RulesError) -> str:
    whole = gettext(
        "%(option)s: enter a whole number from %(low)s to %(high)s. The set must have enough "
        "tiles for every hand (Ruling %(ruling)s)."
    )
    return refusal_reason(OPTIONS, error.field, ruling=error.ruling, whole=whole)


def digest(rules: JSON) -> str:
    return Rules.from_options(rules).digest


def seat_counts(rules: JSON) -> Sequence[int]:
    return [seats for seats in Rules.from_options(rules).seats if seats <= MAX_SEATS]


MAX_SEATS: Final = 6


def sides(rules: JSON, seats: int) -> tuple[int, ...]:
    """Return, for each seat, the number of its side (Ruling D-2)."""
    read = Rules.from_options(rules)
    return read.by_seat(seats, range(len(read.sides(seats))))


def describe(rules: JSON) -> list[str]:
    """Return a brief description of the rules.

    It names the set, the number of tiles in a hand and the target. Other options are left out if
    they have their default.
    """
    read, usual = Rules.from_options(rules), Rules()
    parts = [
        gettext("double-%(highest)s") % {"highest": read.highest},
        ngettext("%(count)s tile each", "%(count)s tiles each", read.hand_size)
        % {"count": read.hand_size},
        gettext("to %(target)s") % {"target": read.target},
    ]
    for option in OPTIONS:
        value = getattr(read, option.key)
        if option.key in SWITCHES and value:
            parts.append(str(option.label).lower())
        elif option.choices and value != getattr(usual, option.key):
            parts.append(f"{option.label}: {dict(option.choices)[value]}".lower())
    return parts


def judge_points(rules: JSON, points: Sequence[int], names: Sequence[str] = ()) -> Judgement:
    """Check the totals of a match.

    If no side has reached the target, the totals are checked again as a match that was stopped.
    """
    sheet, seats = {"totals": list(points)}, len(points)
    judgement = referee.judge(rules=rules, seats=seats, sheet=sheet, names=names)
    if judgement.over or judgement.objections:
        return judgement
    stopped = sheet | {"stopped": True}
    return referee.judge(rules=rules, seats=seats, sheet=stopped, names=names)


def stopped_sentence(rules: JSON, sheet: JSON, points: Sequence[int]) -> str:
    """Return a sentence that nobody reached the target, or "" if a side did."""
    target, most = Rules.from_options(rules).target, max(points, default=0)
    if not isinstance(sheet, dict) or not sheet.get("stopped") or most >= target:
        return ""
    return below_target(most, target)


GAME: Final = Game(
    key=KEY,
    name=_("Matador dominoes"),
    also_called=("Matador", "Dominoes: Matador", "Matador Dominoes", "Dominó matador"),
    referee=referee,
    table=DominoTable(),
    profiles=named_profiles(PROFILE_NAMES, PROFILES),
    options=OPTIONS,
    bots=BOTS,
    stand_in="keeper",
    normalise=normalise,
    digest=digest,
    seat_counts=seat_counts,
    sides=sides,
    describe=describe,
    hand_in="dominoes_hand",
    front_page="dominoes",
    rules_page="dominoes_rules",
    scoresheets="dominoes_scoresheets",
    round_name=_("hand"),
    emblem="dominoes/_tiles.html#emblem",
    ladder=Ladder,
    acta=ACTA,
    judge_points=judge_points,
    stopped=stopped_sentence,
)


def register_game() -> None:
    games.register(GAME)
    register_actas(GAME)
