"""Swiss pairing: players with equal scores meet, and repeated meetings are avoided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, islice

from fairness import Chance
from leagues.pairing.groups import (
    Tables,
    TableSearch,
    meeting_cost,
    sides_of,
    split_into_tables,
)
from leagues.pairing.rounds import (
    Bye,
    Entrant,
    PairedRound,
    Pairing,
    PairingReason,
    Past,
    ReasonCode,
    check_pairable,
    pair_key,
    table_sizes,
)
from leagues.pairing.seating import (
    cheapest_pairs,
    lead_reason,
    met_reasons,
    seat_order,
    standing_reason,
)

DUEL = 2
MAX_SWAPS = 60_000
# Limits of the search that chooses players for the bye so that meetings are not repeated, at tables
# of more than two players.
MAX_BYE_CHOICES = 500
MAX_SWAPS_PER_CHOICE = 6_000


def swiss_round(
    entrants: Iterable[Entrant],
    *,
    number: int,
    chance: Chance,
    seats: int = DUEL,
    fewest: int | None = None,
    sides: bool = False,
    past: Past | None = None,
) -> PairedRound:
    """Pair a round of the active players by their standings and past meetings.

    Byes go to players with the fewest byes. Among these, the bye goes to the lowest-placed player
    for whom the round repeats as few meetings as possible. `fewest` is the smallest allowed number
    of players at a table. `sides` means four players per table, with seats 0 and 2 against 1 and 3.
    Players who share a place are ordered at random. Raises `PairingError`.
    """
    drawn = chance.shuffled(sorted(entrants, key=lambda entrant: entrant.player))
    order = sorted(drawn, key=lambda entrant: (entrant.place, -entrant.score))
    check_pairable(len(order), seats, fewest or seats, sides=sides)
    so_far = past.copy() if past else Past()
    so_far.sides = sides
    sizes = table_sizes(len(order), seats, fewest or seats)
    players = [entrant.player for entrant in order]
    byes = _Byes(players, len(order) - sum(sizes), so_far)
    if seats == DUEL:
        out = byes.for_duels()
        field = _Field([entrant for entrant in order if entrant.player not in out], so_far)
        tables = field.duels()
    else:
        start = byes.for_tables(sizes, chance)
        seated = {player for table in start for player in table}
        field = _Field([entrant for entrant in order if entrant.player in seated], so_far)
        tables = field.tables(sizes, start, chance)
    pairings = tuple(field.pairing(table) for table in tables)
    return PairedRound(number, pairings, byes.with_reasons(pairings))


class _Byes:
    """Chooses the `count` players who get a bye in a Swiss round."""

    def __init__(self, players: Sequence[int], count: int, past: Past) -> None:
        self.players, self.count, self.past = players, count, past
        # Candidates for the bye. Players with the fewest byes come first, and among these the
        # players at the bottom of the standings.
        self.upwards = list(reversed(players))
        self.upwards.sort(key=past.sat_out)
        most = past.sat_out(self.upwards[count - 1]) if count else 0
        # `certain` are players who get a bye in any case. The remaining byes go to some of
        # `possible`.
        self.certain = [player for player in self.upwards[:count] if past.sat_out(player) < most]
        self.possible = [player for player in self.upwards if past.sat_out(player) == most]

    def for_duels(self) -> list[int]:
        """Return the players who get a bye in a round of matches between two players.

        An exact matching chooses them, in which an imaginary opponent stands for the bye.
        """
        if not self.count:
            return []
        nobody = min(self.players) - 1
        rank = {player: index for index, player in enumerate(self.possible)}

        def cost(one: int, other: int) -> tuple[int, ...]:
            if one == nobody:
                return (0, 0, rank[other]) if other in rank else (1, 0, 0)
            return (0, self.past.met[pair_key(one, other)] ** 2, 0)

        pairs = cheapest_pairs([nobody, *self.players], cost)
        return [other for one, other in pairs if one == nobody]

    def for_tables(self, sizes: Sequence[int], chance: Chance) -> Tables:
        """Return the tables of the other players, with the fewest repeated meetings that a search
        finds.

        Choices of players for the bye are tried from the bottom of the standings until no players
        meet again or the search has taken too long.
        """
        if not self.count:
            return split_into_tables(self.players, sizes)
        cost, left = meeting_cost(self.past), MAX_SWAPS
        best: tuple[int, Tables] | None = None
        choices = combinations(self.possible, self.count - len(self.certain))
        for choice in islice(choices, MAX_BYE_CHOICES):
            out = {*self.certain, *choice}
            start = split_into_tables([p for p in self.players if p not in out], sizes)
            granted = min(left, MAX_SWAPS_PER_CHOICE)
            search = TableSearch(cost, granted)
            tables = search.best(start, chance)
            left -= granted - search.tries
            repeats = sum(map(cost, tables))
            if best is None or repeats < best[0]:
                best = repeats, tables
            if not repeats or left <= 0:
                break
        assert best is not None  # there is at least one choice
        return best[1]

    def with_reasons(self, pairings: Sequence[Pairing]) -> tuple[Bye, ...]:
        seated = {player for pairing in pairings for player in pairing.seats}
        return tuple(
            Bye(player, (self._reason(player, pairings),))
            for player in self.upwards
            if player not in seated
        )

    def _reason(self, player: int, pairings: Sequence[Pairing]) -> PairingReason:
        had = self.past.sat_out(player)
        if player not in self.upwards[: self.count]:
            # For matches between two players, the matching proves that no pairing is better. The
            # search for larger tables proves nothing.
            proven = all(len(each.seats) == DUEL for each in pairings)
            again = any(self.past.met[pair_key(*each.seats[:DUEL])] for each in pairings)
            code = ReasonCode.BYE_FEWER_REMATCHES
            if proven and not again:
                code = ReasonCode.BYE_NO_REMATCH
        elif any(self.past.sat_out(each) != self.past.byes[each] for each in self.players):
            code = ReasonCode.BYE_FEWEST_FREE if had else ReasonCode.BYE_LOWEST_FREE
        else:
            code = ReasonCode.BYE_FEWEST if had else ReasonCode.BYE_LOWEST
        return PairingReason(code, {"byes": had})


class _Field:
    def __init__(self, order: Sequence[Entrant], past: Past) -> None:
        self.past = past
        self.players = [entrant.player for entrant in order]
        self.score = {entrant.player: Fraction(entrant.score) for entrant in order}
        scores = sorted(set(self.score.values()))
        self.level = {player: scores.index(score) for player, score in self.score.items()}
        self.ideal = self._ideal_distance()

    def _ideal_distance(self) -> dict[int, int]:
        """Return, for each player, half the number of players with the same score.

        The upper half of each score group meets its lower half, so this is the ideal distance of
        opponents.
        """
        sizes: dict[int, int] = {}
        for level in self.level.values():
            sizes[level] = sizes.get(level, 0) + 1
        return {player: sizes[level] // 2 for player, level in self.level.items()}

    def duels(self) -> list[tuple[int, ...]]:
        position = {player: index for index, player in enumerate(self.players)}
        led = {player: self._led(player) for player in self.players}
        tired = {player: self.past.tired_seat(player) for player in self.players}

        def seats_cost(leader: int, other: int) -> tuple[int, int]:
            third_running = (tired[leader] == 0) + (tired[other] == 1)
            return third_running, (led[leader] + 1) ** 2 + (led[other] - 1) ** 2

        def cost(one: int, other: int) -> tuple[int, ...]:
            again, gap = self.past.met[pair_key(one, other)], self.level[one] - self.level[other]
            apart = abs(position[one] - position[other])
            ideal = 0 if gap else abs(apart - self.ideal[one])
            third_running, imbalance = min(seats_cost(one, other), seats_cost(other, one))
            return again**2, gap**2, third_running, imbalance, ideal

        pairs = cheapest_pairs(self.players, cost)
        pairs.sort(key=lambda two: sorted(position[player] for player in two))
        in_order = [sorted(two, key=position.__getitem__) for two in pairs]
        return [seat_order(two, self.past) for two in in_order]

    def _led(self, player: int) -> int:
        """Return how many more times a player had the first seat than the second seat in
        earlier matches.
        """
        return self.past.sat[player, 0] - self.past.sat[player, 1]

    def tables(self, sizes: Sequence[int], start: Tables, chance: Chance) -> list[tuple[int, ...]]:
        """Return tables of players who are close in the standings.

        They repeat no more meetings than the tables of `start`, where the search begins.
        """

        def gap(one: int, other: int) -> int:
            return (self.level[one] - self.level[other]) ** 2

        repeats, cost = meeting_cost(self.past), meeting_cost(self.past, gap)
        by_standing = split_into_tables(self.players, sizes)
        tables = TableSearch(cost, MAX_SWAPS).best(by_standing, chance)
        if sum(map(repeats, tables)) > sum(map(repeats, start)):
            tables = TableSearch(cost, MAX_SWAPS).best(start, chance)
        position = {player: index for index, player in enumerate(self.players)}
        in_order = sorted(sorted(table, key=position.__getitem__) for table in tables)
        in_order.sort(key=lambda table: [position[player] for player in table])
        if self.past.sides:
            in_order = [list(sides_of(table, self.past)) for table in in_order]
        return [seat_order(table, self.past) for table in in_order]

    def pairing(self, seats: tuple[int, ...]) -> Pairing:
        met = met_reasons(seats, self.past)
        if len(seats) == DUEL and met[0].code is ReasonCode.MET_FEWEST:
            met = (PairingReason(ReasonCode.MET_NOBODY_LEFT, {"times": met[0].params["times"]}),)
        return Pairing(seats, (self._standing(seats), *met, lead_reason(seats, self.past)))

    def _standing(self, seats: Sequence[int]) -> PairingReason:
        return standing_reason([self.score[player] for player in seats])
