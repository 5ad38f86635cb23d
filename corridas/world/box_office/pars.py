"""What is usual in the plazas of a category, measured in a rehearsal of the season."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pars:
    """Usual figures of the market's carteles in one category of plaza.

    `draw`: mean draw of a cartel. `fee`: mean of its three fees together at the normal fee, in
    thousandths of a full house. `seen`: what a bull is expected to show, `sd`: the standard
    deviation of an afternoon, and `unit`: three quarters of `sd`. These three are in hundredths
    of a point per bull. `draw`, `sd` and `unit` are 1 or more.
    """

    draw: int
    fee: int
    seen: int
    sd: int
    unit: int
