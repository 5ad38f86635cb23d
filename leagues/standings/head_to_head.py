"""Head-to-head results within a group of tied players."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from leagues.standings.tallies import ONE, PlayerTally
from leagues.standings.tie_breaks import OpponentShare, TieBreakTerm, mean, value_of


def _term(amount: Fraction, rival: int, share: Fraction) -> TieBreakTerm:
    return TieBreakTerm(amount, None, parts=(OpponentShare(rival, ONE, share),))


def rivals_inside(tally: PlayerTally, group: Sequence[PlayerTally]) -> set[int]:
    return {other.player for other in group} - {tally.player}


# First version of the rules: head-to-head results


def first_terms(tally: PlayerTally, rivals: Collection[int]) -> list[TieBreakTerm]:
    """Return the terms of a player's share of won meetings in a group of tied players: one term for
    each meeting.
    """
    inside = [(rival, share) for rival, share in tally.met if rival in rivals]
    return [_term(share / len(inside), rival, share) for rival, share in inside]


def shares_inside(group: Sequence[PlayerTally]) -> dict[int, Fraction] | None:
    """Return each player's share of won meetings in the group. None unless all players have met."""
    shares = {}
    for tally in group:
        rivals = rivals_inside(tally, group)
        terms = first_terms(tally, rivals)
        if len({part.rival for term in terms for part in term.parts}) < len(rivals):
            return None
        shares[tally.player] = value_of(terms)
    return shares


# Current version of the rules: head-to-head results


def current_terms(tally: PlayerTally, rivals: Collection[int]) -> list[TieBreakTerm]:
    """Return the player's mean share of won meetings against each rival met so far."""
    shares: dict[int, list[Fraction]] = {}
    for rival, share in tally.met:
        if rival in rivals:
            shares.setdefault(rival, []).append(share)
    means = {rival: mean(found) for rival, found in shares.items()}
    return [_term(share, rival, share) for rival, share in means.items()]


def bounds(tally: PlayerTally, group: Sequence[PlayerTally]) -> tuple[Fraction, Fraction]:
    """Return the lowest and highest value that a player's meetings in the group can reach.

    A missing meeting counts 0 for the lowest value and 1 for the highest.
    """
    rivals = rivals_inside(tally, group)
    terms = current_terms(tally, rivals)
    least = value_of(terms)
    return least, least + len(rivals) - len(terms)


def part_by_meetings(group: Sequence[PlayerTally]) -> list[list[PlayerTally]]:
    """Separate a group of tied players by their results against each other, best first.

    Players who are still tied are compared again among themselves. If some players have not met,
    they are separated only if no result of the missing meetings could change their order.
    """
    parted = parted_once(group)
    if len(parted) == 1:
        return parted
    return [level for part in parted for level in part_by_meetings(part)]


def parted_once(group: Sequence[PlayerTally]) -> list[list[PlayerTally]]:
    """Separate a group of tied players by their meetings a single time.

    Players who are still tied are not compared again.
    """
    ranges = {tally.player: bounds(tally, group) for tally in group}
    order = sorted(group, key=lambda tally: (ranges[tally.player], -tally.player), reverse=True)
    parts: list[list[PlayerTally]] = []
    for at, tally in enumerate(order):
        worst_above = min((ranges[other.player][0] for other in order[:at]), default=None)
        best_below = max(ranges[other.player][1] for other in order[at:])
        if worst_above is None or worst_above > best_below:
            parts.append([])
        parts[-1].append(tally)
    return parts


def meeting_points(tally: PlayerTally, group: Sequence[PlayerTally]) -> Fraction:
    """Return the sum of a player's shares of won meetings against the other players of the tied
    group.
    """
    return value_of(current_terms(tally, rivals_inside(tally, group)))
