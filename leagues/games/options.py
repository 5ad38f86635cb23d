"""The rule sets of a game: those with a name, the settings a club makes its own of, refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues.games.content import JSON


class RulesRefused(ValueError):  # noqa: N818  a refusal that a person can mend
    """Options that make no rule set; `field` names the one to blame, where there is one."""

    def __init__(self, sentence: str, field: str = "") -> None:
        self.field = field
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A named rule set: `key` is its address, `options` what differs from the default."""

    key: str
    name: str
    summary: str
    options: Mapping[str, JSON]


@dataclass(frozen=True, kw_only=True)
class Option:
    """One setting of a club's own rule set, as a form shows it.

    `choices` are value and label; without them it is a whole number from `low` to `high`, or,
    where both are None, a yes or no.
    """

    key: str
    label: str
    help: str = ""
    choices: Sequence[tuple[str, str]] = ()
    low: int | None = None
    high: int | None = None
    default: JSON = None


def refusal(options: Sequence[Option], key: str, *, ruling: str, whole: str = "") -> str:
    """Why options make no rule set, in the language of who asks.

    `key` names the one to blame; `whole`: the game's own sentence of a whole number, to be filled
    with `option`, `low`, `high` and `ruling`.
    """
    option = next((option for option in options if option.key == key), None)
    if option is None:
        return _("“%(name)s” is not an option.") % {"name": key}
    words = {"option": option.label, "ruling": ruling, "low": option.low, "high": option.high}
    if option.low is None:
        return _("%(option)s: choose one of the options offered (Ruling %(ruling)s).") % words
    return whole % words
