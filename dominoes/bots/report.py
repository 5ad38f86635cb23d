"""The ladder as it is printed and kept: standings, and who beats whom."""

from __future__ import annotations

from collections.abc import Sequence

from dominoes.bots.strength import Played, Standing, share


def table(standings: Sequence[Standing], deals: Sequence[Sequence[Played]]) -> str:
    """A table in Markdown: rating, interval, points a hand, shares against each other bot."""
    bots = [standing.bot for standing in standings]
    head = ["bot", "rating", "95 %", "points a hand", *(f"against {bot}" for bot in bots)]
    lines = [head, ["---"] * len(head)]
    lines += [_line(standing, bots, deals) for standing in standings]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(standing: Standing, bots: Sequence[str], deals: Sequence[Sequence[Played]]) -> list[str]:
    rating = f"{standing.rating:.0f}"
    interval = f"{standing.low:.0f} to {standing.high:.0f}"
    shares = [_share(deals, standing.bot, other) for other in bots]
    return [standing.bot, rating, interval, f"{standing.points:+.1f}", *shares]


def _share(deals: Sequence[Sequence[Played]], bot: str, other: str) -> str:
    """How often one beats the other, in per cent, with half the width of the interval."""
    if bot == other:
        return ""
    found = share(deals, bot, other)
    return f"{100 * found.value:.1f} ± {50 * (found.high - found.low):.1f} %"
