"""Matador as `leagues` know it: profiles and options in words, referee, table, bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from django.utils.translation import gettext, gettext_lazy, ngettext

from dominoes.acta import ACTA
from dominoes.bots import Ladder
from dominoes.engine import PROFILES, RANGES, SWITCHES, Rules, RulesError
from dominoes.sheets import referee
from dominoes.table import DominoTable
from leagues.games import JSON, Game, Option, Profile, RulesRefused, games, refusal
from leagues.playing import offer_actas

# Lazy words serve templates and forms as strings do, in the language of whoever reads.
_ = cast("Callable[[str], str]", gettext_lazy)

KEY: Final = "dominoes"

NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "rulebook": (
        _("The rulebook"),
        _("Double-six, seven tiles, draw until able, matadors in line, to 100."),
    ),
    "draw": (
        _("Draw"),
        _("Five tiles each, the winner leads, and who goes out wins the hand."),
    ),
    "block": (
        _("Block"),
        _("Nobody draws: who cannot play passes. The highest double leads."),
    ),
    "crosswise_open": (
        _("Crosswise, both halves open"),
        _("A matador may lie across; the next player takes either half."),
    ),
    "crosswise_on_blank": (
        _("Crosswise on a blank"),
        _("On a blank a matador lies across, and the next tile there needs a blank."),
    ),
    "crosswise_stub": (
        _("Crosswise, one half in line"),
        _("Matadors are drawn across, and count as if they lay in line."),
    ),
    "partners": (
        _("Partners"),
        _("Two against two, who sit opposite; the winning side leads."),
    ),
}
"""Name and summary of each profile."""

LEADS: Final = (
    ("draw", _("drawn for each hand")),
    ("winner", _("the winner of the last hand")),
    ("highest_double", _("whoever holds the highest double")),
)
BONEYARDS: Final = (
    ("draw", _("drawn from until able, down to two tiles")),
    ("pass", _("left alone: who cannot play passes")),
)
MATADORS: Final = (
    ("inline", _("in line, like every tile")),
    ("crosswise_open", _("across if the player likes, both halves open")),
    ("crosswise_on_blank", _("across on a blank")),
    ("crosswise_stub", _("across, with one half in line")),
)
BOTS: Final = (
    ("random", _("Random")),
    ("greedy", _("Greedy")),
    ("keeper", _("Keeper")),
    ("maestro", _("Maestro")),
)
"""The bots, weakest first."""


def _whole(key: str, label: str, text: str) -> Option:
    low, high = RANGES[key]
    return Option(
        key=key, label=label, help=text, low=low, high=high, default=getattr(Rules(), key)
    )


def _choice(key: str, label: str, choices: Sequence[tuple[str, str]], text: str = "") -> Option:
    return Option(key=key, label=label, help=text, choices=choices, default=getattr(Rules(), key))


def _switch(key: str, label: str, text: str) -> Option:
    return Option(key=key, label=label, help=text, default=False)


OPTIONS: Final = (
    _whole("highest", _("Highest double"), _("6 for a double-six set (Ruling D-1).")),
    _whole("hand_size", _("Tiles dealt to each"), _("As many as the set has for all (D-2).")),
    _switch("partners", _("Partners"), _("Four only, two against two, sitting opposite (D-2).")),
    _choice("lead", _("Who leads"), LEADS, _("Who sets the first tile (D-3).")),
    _switch(
        "set_highest_double",
        _("The leader sets the highest double"),
        _("If there is one in the hand (D-3)."),
    ),
    _choice("boneyard", _("The boneyard"), BONEYARDS, _("What is left after the deal (D-5).")),
    _switch("free_pass", _("Passing is free"), _("Anyone may pass or draw at any turn (D-5).")),
    _switch("out_wins", _("Going out wins"), _("Whatever the others hold (D-7).")),
    _whole("target", _("Points that win the match"), _("100 in the rulebook (D-8).")),
    _choice("matadors", _("How matadors lie"), MATADORS, _("Four readings of the rules (D-9).")),
)


def normalise(options: Mapping[str, JSON]) -> dict[str, JSON]:
    """All options, defaults filled in. Raises RulesRefused."""
    try:
        return dict(Rules.from_options(options).options())
    except RulesError as error:
        raise RulesRefused(_refusal(error), error.field) from error


def _refusal(error: RulesError) -> str:
    whole = gettext(
        "%(option)s: a whole number from %(low)s to %(high)s, and the set must fill "
        "the hands (Ruling %(ruling)s)."
    )
    return refusal(OPTIONS, error.field, ruling=error.ruling, whole=whole)


def digest(rules: JSON) -> str:
    """The rule set's hash, 64 hexadecimal digits."""
    return Rules.from_options(rules).digest


def seat_counts(rules: JSON) -> Sequence[int]:
    """How many can sit at a table of these rules: two to six of those whom the set serves."""
    return [seats for seats in Rules.from_options(rules).seats if seats <= MOST_SEATS]


MOST_SEATS: Final = 6


def sides(rules: JSON, seats: int) -> tuple[int, ...]:
    """The side of each seat (Ruling D-2)."""
    read = Rules.from_options(rules)
    return read.by_seat(seats, range(len(read.sides(seats))))


def describe(rules: JSON) -> list[str]:
    """The rule set in a few words each, the usual left out but for set, hand and target."""
    read, usual = Rules.from_options(rules), Rules()
    said = [
        gettext("double-%(highest)s") % {"highest": read.highest},
        ngettext("%(count)s tile each", "%(count)s tiles each", read.hand_size)
        % {"count": read.hand_size},
        gettext("to %(target)s") % {"target": read.target},
    ]
    for option in OPTIONS:
        value = getattr(read, option.key)
        if option.key in SWITCHES and value:
            said.append(str(option.label).lower())
        elif option.choices and value != getattr(usual, option.key):
            said.append(f"{option.label}: {dict(option.choices)[value]}".lower())
    return said


def _profiles() -> list[Profile]:
    return [
        Profile(key=key, name=name, summary=summary, options=PROFILES[key].options())
        for key, (name, summary) in NAMES.items()
    ]


GAME: Final = Game(
    key=KEY,
    name=_("Matador dominoes"),
    also_called=("Matador", "Dominoes: Matador", "Matador Dominoes", "Dominó matador"),
    referee=referee,
    table=DominoTable(),
    profiles=_profiles(),
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
    emblem="dominoes/_emblem.html",
    ladder=Ladder,
    acta=ACTA,
)


def offer() -> None:
    """Register the game with the leagues, and its records with who checks them."""
    games.register(GAME)
    offer_actas(GAME)
