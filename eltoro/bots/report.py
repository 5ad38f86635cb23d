"""The ladder as it is printed and kept: every bot alone against tables of the weaker ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eltoro.bots.strength import Played, Share, margin, share

HEAD = ("alone", "against", "games", "victories", "95 %", "points ahead", "95 %")


def table(pairs: Iterable[tuple[str, str]], deals: Sequence[Sequence[Played]]) -> str:
    """A table in Markdown: a line a pair, with how often the one wins and by how many points."""
    lines = [HEAD, ("---",) * len(HEAD), *(_line(*pair, deals) for pair in pairs)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(bot: str, others: str, deals: Sequence[Sequence[Played]]) -> tuple[str, ...]:
    won, ahead = share(deals, bot, others), margin(deals, bot, others)
    victories = (f"{100 * won.value:.1f} %", _interval(won, 100))
    return bot, others, str(won.games), *victories, f"{ahead.value:+.1f}", _interval(ahead, 1)


def _interval(found: Share, scale: int) -> str:
    return f"{scale * found.low:.1f} to {scale * found.high:.1f}"
