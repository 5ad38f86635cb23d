"""What an organiser sets for a league, and what of it may still change once it has begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from django.utils.translation import gettext as _

from accounts.time_zones import is_zone
from leagues.games import JSON, Game
from leagues.models import League, Match, Result, Round
from leagues.operations.errors import OperationError
from leagues.operations.matches import game_of, pinned
from leagues.operations.players import clean_name
from leagues.standings import Scoring, TieBreak

SEATS = (2, 6)
DAYS = (1, 365)
HOURS = (0, 24 * 60)
ROUNDS = (1, 99)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that can be set. `rules` are read where `profile` is "own".

    `rounds_planned`: of a Swiss league, or how often everybody meets in a round robin (once
    where None). `cut`: places above the line, None for no line.
    """

    name: str
    game: str
    profile: str
    rules: JSON = None
    about: str = ""
    visibility: str = League.Visibility.LINK
    format: str = League.Format.LADDER
    seats: int = 2
    rounds_planned: int | None = None
    days_a_round: int = 7
    scoring: Mapping[str, JSON] = field(default_factory=dict)
    tie_breaks: Sequence[str] = ()
    cut: int | None = None
    hours_to_object: int = 72
    zone: str = "UTC"


LOCKED_BY_MATCHES = ("game", "profile", "rules", "seats", "format")
"""What a first match or round pins for good: everybody plays by what they joined for."""
LOCKED_BY_RESULTS = ("scoring",)


def settings_of(league: League) -> Settings:
    """The settings as they are, for a form to begin with."""
    return Settings(**{each.name: getattr(league, each.name) for each in fields(Settings)})


def has_begun(league: League) -> bool:
    """Whether a round is drawn or a match opened: the rules are pinned."""
    rounds = Round.objects.filter(league=league).exists()
    return rounds or Match.objects.filter(league=league).exists()


def locked(league: League) -> frozenset[str]:
    """The settings that cannot change any more."""
    names: list[str] = [*LOCKED_BY_MATCHES] if has_begun(league) else ["game"]
    if Result.objects.filter(league=league).exists():
        names += LOCKED_BY_RESULTS
    return frozenset(names)


def checked(settings: Settings) -> dict[str, JSON]:
    """The columns of a league with these settings, rules normalised and hashed.

    Raises `OperationError` beside the field that is wrong.
    """
    game = game_of(settings.game)
    rules = pinned(game, settings.profile, settings.rules)
    _check_figures(settings)
    _check_seats(settings, game, rules)
    return {
        "name": clean_name(settings.name),
        "about": _about(settings.about),
        "game": settings.game,
        "profile": settings.profile,
        "rules": rules,
        "rules_hash": game.digest(rules),
        "visibility": _choice(settings.visibility, League.Visibility.values, "visibility"),
        "format": _choice(settings.format, League.Format.values, "format"),
        "seats": settings.seats,
        "rounds_planned": settings.rounds_planned,
        "days_a_round": settings.days_a_round,
        "scoring": _scoring(settings.scoring),
        "tie_breaks": _tie_breaks(settings.tie_breaks),
        "cut": settings.cut,
        "hours_to_object": settings.hours_to_object,
        "zone": _zone(settings.zone),
    }


def _check_figures(settings: Settings) -> None:
    _between(settings.seats, SEATS, "seats")
    _between(settings.days_a_round, DAYS, "days_a_round")
    _between(settings.hours_to_object, HOURS, "hours_to_object")
    if settings.rounds_planned is not None:
        _between(settings.rounds_planned, ROUNDS, "rounds_planned")
    if settings.cut is not None:
        _between(settings.cut, (1, 1000), "cut")


def _between(value: int, bounds: tuple[int, int], name: str) -> None:
    low, high = bounds
    if not low <= value <= high:
        raise OperationError(
            _("Enter a number from %(low)s to %(high)s.") % {"low": low, "high": high}, name
        )


def _check_seats(settings: Settings, game: Game, rules: JSON) -> None:
    possible = game.seat_counts(rules)
    if settings.seats not in possible:
        raise OperationError(
            _("With these rules, a match can have %(possible)s players.")
            % {"possible": ", ".join(map(str, possible))},
            "seats",
        )


def _about(text: str) -> str:
    if len(text) > 1000:
        raise OperationError(_("Use %d characters at most.") % 1000, "about")
    return text.strip()


def _zone(name: str) -> str:
    if not is_zone(name):
        raise OperationError(_("“%s” is not a time zone.") % name, "zone")
    return name


def _choice(value: str, among: Sequence[str], name: str) -> str:
    if value not in among:
        raise OperationError(_("Choose one of the options shown."), name)
    return value


def _scoring(options: Mapping[str, JSON]) -> dict[str, object]:
    try:
        return Scoring.from_options(options).options()
    except (ValueError, ZeroDivisionError) as error:
        raise OperationError(
            _("This scoring is not valid. Check how it is written."), "scoring"
        ) from error


def _tie_breaks(names: Sequence[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise OperationError(
            _("The same tie-break is listed twice. Remove one of them."), "tie_breaks"
        )
    return [_choice(name, list(TieBreak), "tie_breaks") for name in names]


def check_unlocked(league: League, columns: Mapping[str, JSON]) -> None:
    """Raise `OperationError` where something pinned would change."""
    for name in sorted(locked(league)):
        if columns[name] != getattr(league, name):
            raise OperationError(
                _("The league has started, so this setting can’t be changed."), name
            )
