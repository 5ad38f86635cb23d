"""Results against each other within a group of players who are level."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from leagues.standings.tallies import ONE, Tally
from leagues.standings.tie_breaks import Part, Term, mean, value_of


def _term(amount: Fraction, rival: int, share: Fraction) -> Term:
    return Term(amount, None, parts=(Part(rival, ONE, share),))


def rivals_inside(tally: Tally, group: Sequence[Tally]) -> set[int]:
    return {other.player for other in group} - {tally.player}


# First rules ------------------------------------------------------------------------------


def first_terms(tally: Tally, rivals: Collection[int]) -> list[Term]:
    """Return what each meeting adds to the share of the meetings that was won."""
    inside = [(rival, share) for rival, share in tally.met if rival in rivals]
    return [_term(share / len(inside), rival, share) for rival, share in inside]


def shares_inside(group: Sequence[Tally]) -> dict[int, Fraction] | None:
    """Return each player's share of the meetings in the group. None unless all have met."""
    shares = {}
    for tally in group:
        rivals = rivals_inside(tally, group)
        terms = first_terms(tally, rivals)
        if len({part.rival for term in terms for part in term.parts}) < len(rivals):
            return None
        shares[tally.player] = value_of(terms)
    return shares


# Current rules ----------------------------------------------------------------------------


def current_terms(tally: Tally, rivals: Collection[int]) -> list[Term]:
    """Return the mean share against each rival whom the player has met."""
    shares: dict[int, list[Fraction]] = {}
    for rival, share in tally.met:
        if rival in rivals:
            shares.setdefault(rival, []).append(share)
    means = {rival: mean(found) for rival, found in shares.items()}
    return [_term(share, rival, share) for rival, share in means.items()]


def bounds(tally: Tally, group: Sequence[Tally]) -> tuple[Fraction, Fraction]:
    """Return the least and the most that a player's meetings in the group can come to.

    A missing meeting counts 0 or 1.
    """
    rivals = rivals_inside(tally, group)
    terms = current_terms(tally, rivals)
    least = value_of(terms)
    return least, least + len(rivals) - len(terms)


def part_by_meetings(group: Sequence[Tally]) -> list[list[Tally]]:
    """Part a tied group by the results against each other, best first.

    Those who are still level are asked again among themselves. Where some have not met, players are
    parted only if no result of the missing meetings could change their order.
    """
    parted = parted_once(group)
    if len(parted) == 1:
        return parted
    return [level for part in parted for level in part_by_meetings(part)]


def parted_once(group: Sequence[Tally]) -> list[list[Tally]]:
    """Part a tied group, without asking those again who are still level."""
    ranges = {tally.player: bounds(tally, group) for tally in group}
    order = sorted(group, key=lambda tally: (ranges[tally.player], -tally.player), reverse=True)
    parts: list[list[Tally]] = []
    for at, tally in enumerate(order):
        worst_above = min((ranges[other.player][0] for other in order[:at]), default=None)
        best_below = max(ranges[other.player][1] for other in order[at:])
        if worst_above is None or worst_above > best_below:
            parts.append([])
        parts[-1].append(tally)
    return parts


def meeting_points(tally: Tally, group: Sequence[Tally]) -> Fraction:
    """Return what a player's results against the others of the group come to."""
    return value_of(current_terms(tally, rivals_inside(tally, group)))
