"""Round robin: everybody meets everybody, as evenly as the tables allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from fairness import Chance
from leagues.pairing.matching import remaining_rounds
from leagues.pairing.past import Past
from leagues.pairing.rounds import (
    Because,
    Bye,
    Pairing,
    PairingError,
    Reason,
    Round,
    check,
    table_sizes,
)
from leagues.pairing.seating import lead_reason, met_reasons, rebalance
from leagues.pairing.tables import Drawn, drawn_tables

DUEL = 2


def rounds_needed(players: int, *, seats: int, fewest: int | None = None) -> int:
    """The rounds of one leg: the fewest in which there are seats enough for all to meet.

    For two seats that is exact; at larger tables it is the bound from below, and somebody may
    meet twice and miss another. Raises `PairingError`.
    """
    fewest = fewest or seats
    check(players, seats, fewest, sides=False)
    if seats == DUEL:
        return players - 1 + players % 2
    meetings = sum(size * (size - 1) for size in table_sizes(players, seats, fewest))
    return ceil(players * (players - 1) / meetings)


def round_robin(
    players: Iterable[int],
    *,
    chance: Chance,
    seats: int = DUEL,
    legs: int = 1,
    fewest: int | None = None,
    sides: bool = False,
    rounds: int | None = None,
    past: Past | None = None,
) -> tuple[Round, ...]:
    """The rounds of a league in which everybody meets everybody.

    `seats`: 2 to 6 a match; with two, each leg holds every pair once and leads are balanced
    to within one. `fewest`: the smallest table, where more can play so; without it all tables
    are full and the rest have byes in turn. `sides`: four at a table, partners change from match
    to match. `rounds`: how many in place of `legs`; with partners one has usually rather
    more. `past`: what was already played or is pending: two who met do not meet again before
    the leg is full. Chance decides who is who. Raises `PairingError`.
    """
    entered, fewest = sorted(set(players)), fewest or seats
    check(len(entered), seats, fewest, sides=sides)
    if legs < 1 or (rounds is not None and rounds < 1):
        raise PairingError("legs", "A league has at least one leg and one round.")
    order, so_far = chance.shuffled(entered), past.copy() if past else Past(sides=sides)
    so_far.sides = sides
    leg = rounds_needed(len(order), seats=seats, fewest=fewest)
    if seats == DUEL:
        return _duels(order, ceil(rounds / leg) if rounds else legs, so_far)[:rounds]
    sizes = table_sizes(len(order), seats, fewest)
    drawn = drawn_tables(order, sizes, rounds or legs * leg, so_far, chance)
    rebalance(drawn, so_far)
    return _told(drawn, order, so_far, leg)


def _duels(order: Sequence[int], legs: int, past: Past) -> tuple[Round, ...]:
    """Every pair once a leg; where some have met already, what is left to play."""
    entered = set(order)
    if any(count and entered.issuperset(key) for key, count in past.met.items()):
        drawn = remaining_rounds(order, past, legs)
        return _told(drawn, order, past, max(1, ceil(len(drawn) / legs)))
    first = circle(order)
    turned: Drawn = [[seats[::-1] for seats in tables] for tables in first]
    drawn = [tables for leg in range(legs) for tables in (turned if leg % 2 else first)]
    return _told(drawn, order, past, len(first))


def circle(order: Sequence[int]) -> Drawn:
    """One leg by the circle method: in each round players whose numbers add up alike meet.

    Who leads goes by the distance round the circle, so that all lead as often, and in turn. Of
    an even number the last stands outside and meets the one who would meet themselves.
    """
    size = len(order) - 1 + len(order) % 2
    return [_circle_round(order, size, number) for number in range(size)]


def _circle_round(order: Sequence[int], size: int, number: int) -> list[tuple[int, ...]]:
    tables: list[tuple[int, ...]] = []
    for one in range(size):
        other = (number - one) % size
        if one == other and len(order) > size:
            last = order[size]
            tables.append((last, order[one]) if number % 2 else (order[one], last))
        elif one != other and (other - one) % size % 2:
            tables.append((order[one], order[other]))
    return tables


def _told(drawn: Drawn, order: Sequence[int], past: Past, leg: int) -> tuple[Round, ...]:
    """The rounds with their byes and the reasons for everything, past going along."""
    rounds, so_far = [], past.copy()
    for number, tables in enumerate(drawn, start=1):
        everybody = Reason(Because.ROUND_ROBIN, {"round": number, "rounds": len(drawn)})
        pairings = tuple(
            Pairing(seats, (everybody, *met_reasons(seats, so_far), lead_reason(seats, so_far)))
            for seats in tables
        )
        byes = tuple(_bye(player, so_far) for player in _absent(order, tables))
        rounds.append(Round(number, pairings, byes, leg=1 + (number - 1) // leg))
        for seats in tables:
            so_far.add(seats)
        so_far.byes.update(bye.player for bye in byes)
    return tuple(rounds)


def _absent(order: Sequence[int], tables: Sequence[tuple[int, ...]]) -> list[int]:
    present = {player for seats in tables for player in seats}
    return [player for player in order if player not in present]


def _bye(player: int, past: Past) -> Bye:
    return Bye(player, (Reason(Because.BYE_TURN, {"byes": past.byes[player]}),))
