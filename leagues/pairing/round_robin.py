"""Round robin draws: all players meet, as evenly as the sizes of the tables allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import ceil

from fairness import Chance
from leagues.pairing.groups import DrawnTables, covering_legs, drawn_tables, times_met
from leagues.pairing.rounds import (
    Bye,
    PairedRound,
    Pairing,
    PairingError,
    PairingReason,
    Past,
    ReasonCode,
    check_pairable,
    pair_key,
    table_sizes,
)
from leagues.pairing.seating import lead_reason, met_reasons, rebalance, remaining_rounds

DUEL = 2


def rounds_needed(players: int, *, seats: int, fewest: int | None = None) -> int:
    """Return the number of rounds that offer enough seats for all players to meet once.

    With two seats per match this number is exact. For larger tables it is a lower bound: some
    players may meet twice and others not at all, so `round_robin` draws more rounds if necessary.
    Raises `PairingError`.
    """
    fewest = fewest or seats
    check_pairable(players, seats, fewest, sides=False)
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
) -> tuple[PairedRound, ...]:
    """Return the rounds of a league in which all players meet.

    `seats` is the number of players per match, 2 to 6. With two players, each pair meets once per
    leg, and the numbers of times that players have the first seat differ by at most one. With more
    players, each leg has as many rounds as a search needs until all players have met.

    - `fewest` is the smallest allowed number of players at a table. Without it, all tables are full
      and the remaining players have a bye in turn.
    - `sides` means four players per table with changing partners.
    - `rounds` replaces `legs`. With fewer rounds than a leg needs, some players do not meet (see
      `missing_pairs`). With more rounds, players have more different partners.
    - `past` contains played and pending matches. Players who have met do not meet again before the
      leg is complete.

    The order of the players is random. Raises `PairingError`.
    """
    entered, fewest = sorted(set(players)), fewest or seats
    check_pairable(len(entered), seats, fewest, sides=sides)
    if legs < 1 or (rounds is not None and rounds < 1):
        raise PairingError("legs", "A league has at least one leg and one round.")
    order, so_far = chance.shuffled(entered), past.copy() if past else Past(sides=sides)
    so_far.sides = sides
    if seats == DUEL:
        leg = rounds_needed(len(order), seats=seats)
        return _duels(order, ceil(rounds / leg) if rounds else legs, so_far)[:rounds]
    sizes = table_sizes(len(order), seats, fewest)
    if rounds:
        drawn = drawn_tables(order, sizes, rounds, so_far, chance)
        lengths = _leg_lengths(drawn, order, so_far)
    else:
        drawn_legs = covering_legs(order, sizes, legs, so_far, chance)
        drawn = [tables for each in drawn_legs for tables in each]
        lengths = [len(each) for each in drawn_legs]
    rebalance(drawn, so_far)
    return _explained_rounds(drawn, order, so_far, lengths)


def _leg_lengths(drawn: DrawnTables, order: Sequence[int], past: Past) -> list[int]:
    """Return the number of rounds of each leg. A leg ends when all players have met again."""
    so_far, pairs, lengths = past.copy(), list(combinations(order, 2)), Counter[int]()
    for tables in drawn:
        lengths[min(times_met(so_far, *two) for two in pairs)] += 1
        for seats in tables:
            so_far.add_table(seats)
    return [lengths[leg] for leg in range(max(lengths) + 1)]


def rare_pairs(
    tables: Iterable[Sequence[int]], players: Iterable[int], *, legs: int = 1
) -> dict[tuple[int, int], int]:
    """Return the pairs of players who meet less often than once per leg, with their number of
    meetings.

    If no pair of players meets once per leg, the pairs that meet less often than others are
    returned. Pairs are in ascending order.
    """
    met = Counter(pair_key(*two) for seats in tables for two in combinations(seats, 2))
    wanted = max(1, min(legs, max(met.values(), default=0)))
    pairs = combinations(sorted(set(players)), 2)
    return {two: met[two] for two in pairs if met[two] < wanted}


def missing_pairs(rounds: Iterable[PairedRound], players: Iterable[int]) -> list[tuple[int, int]]:
    """Return the pairs of players who never sit at the same table, in ascending order."""
    tables = (pairing.seats for each in rounds for pairing in each.pairings)
    return list(rare_pairs(tables, players))


def rests_evenly(byes: Iterable[Iterable[int]], players: Iterable[int]) -> bool:
    """Return whether all players sit out equally often.

    `byes` has the players of each round's byes.
    """
    rests = Counter(player for some in byes for player in some)
    return len({rests[player] for player in {*players, *rests}}) <= 1


def _duels(order: Sequence[int], legs: int, past: Past) -> tuple[PairedRound, ...]:
    entered = set(order)
    if any(count and entered.issuperset(key) for key, count in past.met.items()):
        drawn = remaining_rounds(order, past, legs)
        length = max(1, ceil(len(drawn) / legs))
        return _explained_rounds(drawn, order, past, [length] * legs)
    first = circle_rounds(order)
    if legs > 1 and len(first) > 3 and len(order) % 2 == 0:
        # Without this exchange, two players would have the same seat three times running: in the
        # last two rounds of a leg and the first round of the next.
        first[-2], first[-1] = first[-1], first[-2]
    turned: DrawnTables = [[seats[::-1] for seats in tables] for tables in first]
    drawn = [tables for leg in range(legs) for tables in (turned if leg % 2 else first)]
    return _explained_rounds(drawn, order, past, [len(first)] * legs)


def circle_rounds(order: Sequence[int]) -> DrawnTables:
    """Return a leg by the circle method: players meet in the round given by the sum of their
    numbers.

    The distance on the circle decides who has the first seat, so that the first seats are balanced
    and alternate. If the number of players is even, the last player meets the player who would
    otherwise meet themselves.
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


def _explained_rounds(
    drawn: DrawnTables, order: Sequence[int], past: Past, lengths: Sequence[int]
) -> tuple[PairedRound, ...]:
    """Return the rounds with the reasons for each pairing.

    `lengths` are the numbers of rounds per leg.
    """
    rounds, so_far = [], past.copy()
    legs = [leg for leg, length in enumerate(lengths, start=1) for _ in range(length)]
    for number, tables in enumerate(drawn, start=1):
        everybody = PairingReason(ReasonCode.ROUND_ROBIN, {"round": number, "rounds": len(drawn)})
        pairings = tuple(
            Pairing(seats, (everybody, *met_reasons(seats, so_far), lead_reason(seats, so_far)))
            for seats in tables
        )
        present = {player for seats in tables for player in seats}
        byes = tuple(
            Bye(player, (PairingReason(ReasonCode.BYE_TURN, {"byes": so_far.byes[player]}),))
            for player in order
            if player not in present
        )
        rounds.append(PairedRound(number, pairings, byes, leg=legs[number - 1]))
        for seats in tables:
            so_far.add(seats)
        so_far.byes.update(bye.player for bye in byes)
    return tuple(rounds)
