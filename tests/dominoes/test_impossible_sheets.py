"""Matches that cannot be, each a true one with one change that counting shows to be impossible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest

from dominoes.tabletop.sheets import referee
from fairness import Chance, Seed
from tests.dominoes.oracle.forms import hand_sheet, in_notation
from tests.dominoes.oracle.hand import Hand, possible_leaders
from tests.dominoes.oracle.paper import copied, deal_at_random, play_at_random
from tests.dominoes.oracle.reading import tile as read_tile
from tests.dominoes.oracle.rule_sets import ALL_CHOICES, some_options
from tests.dominoes.oracle.score import add_hand, match_winner, new_match, score_hand
from tests.dominoes.oracle.tiles import (
    Options,
    Tile,
    all_tiles,
    is_double,
    is_matador,
    matching_number,
    possible_players,
    sides,
)
from tests.dominoes.oracle.translation import rules_of
from tests.impossible import Count, kinds

SETS = [3, 4, 6, 6, 6, 6, 9, 12]
MOST_SEATS = 6
LEFT_IN_THE_BONEYARD = 2

Sheet = dict[str, Any]


class Played:
    """A match of a few hands; a kind changes its sheet."""

    def __init__(self, chance: Chance, target: int = 10_000, most: int = 2) -> None:
        self.chance = chance
        self.rules: Options = {
            **some_options(chance.pick(ALL_CHOICES), chance.pick(SETS), chance),
            "target": target,
        }
        seats = [n for n in possible_players(self.rules) if n <= MOST_SEATS]
        self.players = chance.pick(seats)
        self.match = new_match(self.rules, self.players)
        self.hands: list[tuple[Hand, Hand, list[str]]] = []
        while len(self.hands) < most and match_winner(self.match) is None:
            self.play()
        self.sheet: Sheet = {}

    def play(self) -> None:
        """One hand more, led by one of those who may."""
        dealt = deal_at_random(self.rules, self.players, self.chance)
        may = possible_leaders(
            self.rules, dealt.hands, self.match.last_winners, self.match.last_out
        )
        dealt.turn = self.chance.pick(may)
        log = play_at_random(over := copied(dealt), self.chance)
        self.hands.append((dealt, over, log))
        add_hand(self.match, score_hand(over), over.out)

    def write(self, form: str, *, alone: bool = True) -> None:
        """Write the hands down in a form: the first alone, or all."""
        hands = self.hands[:1] if alone else self.hands
        self.sheet = {"hands": [hand_sheet(*hand, form) for hand in hands], "stopped": True}

    def accepts(self, sheet: Sheet) -> bool:
        """Whether the referee accepts a whole sheet."""
        options = rules_of(self.rules).options()
        judged = referee.judge(rules=options, seats=self.players, sheet=sheet)
        return judged.over and not judged.objections

    @property
    def hand(self) -> Sheet:
        """The first hand as it is written down."""
        found: Sheet = self.sheet["hands"][0]
        return found

    @property
    def over(self) -> Hand:
        """The first hand as it ended."""
        return self.hands[0][1]

    @property
    def highest(self) -> int:
        """The highest half of the set."""
        return self.rules["highest"]

    @property
    def boneyard(self) -> int:
        """How many tiles are left after the deal."""
        return len(all_tiles(self.highest)) - self.players * self.rules["hand_size"]

    @property
    def others(self) -> list[int]:
        """The seats that are not out."""
        return [seat for seat in range(self.players) if seat != self.hand["out"]]

    @property
    def free(self) -> list[Tile]:
        """The tiles that nobody holds by the sheet, and that nobody played by its moves."""
        held = [read_tile(text) for what in self.hand["held"] for text in what["tiles"]]
        played = [tile for tile in self.train() if "moves" in self.hand]
        return [tile for tile in all_tiles(self.highest) if tile not in held + played]

    def train(self) -> list[Tile]:
        """The tiles that were played."""
        return [read_tile(move.strip("<>")) for move in self.hands[0][2] if move[-1].isdigit()]

    def most_held(self) -> int:
        """How many tiles all can hold at the end, by the deal and by who is out (D-3, D-5, D-6).

        One was led; who is out has played a whole hand. What is left after the deal is never drawn
        where nobody draws, and of it two tiles stay where one draws.
        """
        played = 1 if self.hand["out"] is None else self.rules["hand_size"]
        draws = self.rules["boneyard"] == "draw"
        stay = min(self.boneyard, LEFT_IN_THE_BONEYARD) if draws else self.boneyard
        return len(all_tiles(self.highest)) - played - stay

    def shown(self) -> dict[str, object]:
        """The sheet, and what it was played with."""
        return {"rules": self.rules, "seats": self.players, "sheet": self.sheet}


Kind = Callable[[Played], bool]


def weights(highest: int, without: Sequence[Tile] = ()) -> list[int]:
    """The pips of the tiles of a set, lightest first."""
    return sorted(low + high for low, high in all_tiles(highest) if (low, high) not in without)


def are_held(figures: Sequence[int], tiles: Sequence[Tile]) -> bool:
    """Whether distinct tiles, one at least for each seat, have these pips: by trying them all."""
    if not figures:
        return True
    return any(
        are_held(figures[1:], [tile for tile in tiles if tile not in hand])
        for hand in hands_of(figures[0], tiles)
    )


def hands_of(pips: int, tiles: Sequence[Tile]) -> list[list[Tile]]:
    """All sets of one tile and more that have so many pips."""
    found: list[list[Tile]] = []
    for at, tile in enumerate(tiles):
        rest = pips - sum(tile)
        if rest == 0:
            found.append([tile])
        if rest >= 0:
            found += [[tile, *more] for more in hands_of(rest, tiles[at + 1 :])]
    return found


# Pips -----------------------------------------------------------------------------------------


def more_pips_than_the_set_has(played: Played) -> bool:
    """More than the heaviest tiles that all can hold together (D-10)."""
    played.write("pips")
    most = sum(weights(played.highest)[-played.most_held() :]) if played.most_held() else 0
    held = played.hand["held"]
    seat = played.chance.pick(played.others)
    others = sum(what["pips"] for what in held) - held[seat]["pips"]
    held[seat]["pips"] = most - others + 1 + played.chance.below(3)
    return True


def more_pips_than_a_hand_has(played: Played) -> bool:
    """Nobody draws, so nobody holds more tiles than were dealt, and the leader set one (D-5)."""
    played.write("pips")
    if played.rules["boneyard"] == "draw" and played.boneyard > LEFT_IN_THE_BONEYARD:
        return False
    seat = played.chance.pick(played.others)
    many = played.rules["hand_size"] - (seat == played.hand["leader"])
    most = sum(weights(played.highest)[-many:]) if many else 0
    played.hand["held"][seat]["pips"] = most + 1 + played.chance.below(3)
    return True


def few_pips_for_which_there_are_no_tiles(played: Played) -> bool:
    """Figures so small that no distinct tiles have them: the 0-1 is one tile (D-10).

    Tried out; the 0-0 has no pips, and a player who is not out holds a tile.
    """
    played.write("pips")
    figures = [played.chance.below(4) for _ in played.others]
    for seat, pips in zip(played.others, figures, strict=True):
        played.hand["held"][seat]["pips"] = pips
    return not are_held(figures, all_tiles(played.highest))


def two_without_pips(played: Played) -> bool:
    """One tile has no pips, so one player at most has none beside who is out (D-1, D-7)."""
    played.write("pips")
    if len(played.others) < 2:
        return False
    for seat in played.chance.shuffled(played.others)[:2]:
        played.hand["held"][seat]["pips"] = 0
    return True


def pips_of_who_is_out(played: Played) -> bool:
    """Who is out holds nothing (D-6)."""
    played.write("pips")
    if played.hand["out"] is None:
        return False
    played.hand["held"][played.hand["out"]]["pips"] = 1 + played.chance.below(9)
    return True


def out_and_blocked(played: Played) -> bool:
    """A hand ends in one way (D-6)."""
    played.write("pips")
    played.hand["blocked"] = True
    return played.hand["out"] is not None


def out_without_a_seat(played: Played) -> bool:
    """There is no such seat."""
    played.write("pips")
    played.hand.update(out=played.players + played.chance.below(2), blocked=False)
    return True


def pips_of_other_tiles_than_the_moves_leave(played: Played) -> bool:
    """So many tiles as the moves leave, of those not played, weigh more or less (D-10)."""
    played.write("moves pips")
    seat = played.chance.pick(played.others)
    many = len(played.over.hands[seat])
    left = weights(played.highest, played.train())
    most, least = sum(left[-many:]), sum(left[:many])
    pips = most + 1 if played.chance.below(2) or not least else least - 1
    played.hand["held"][seat]["pips"] = pips
    return True


def pips_together_above_what_the_moves_leave(played: Played) -> bool:
    """All that is left, together: more than the heaviest tiles that were not played (D-10)."""
    played.write("moves pips")
    many = sum(map(len, played.over.hands))
    left = weights(played.highest, played.train())
    most = sum(left[-many:])
    held = played.hand["held"]
    for seat in played.others:
        own = sum(left[-len(played.over.hands[seat]) :])
        others = sum(what["pips"] for what in held) - held[seat]["pips"]
        held[seat]["pips"] = min(own, max(held[seat]["pips"], most + 1 - others))
    return bool(sum(what["pips"] for what in held) > most)


# Tiles ----------------------------------------------------------------------------------------


def a_tile_twice(played: Played) -> bool:
    """There is one of each (D-1)."""
    played.write("tiles")
    held = played.hand["held"]
    first, second = played.chance.pick(played.others), played.chance.pick(played.others)
    held[second]["tiles"].append(held[first]["tiles"][0])
    return True


def a_tile_of_another_set(played: Played) -> bool:
    """A half above the highest of the set (D-1)."""
    played.write("tiles")
    low = played.chance.below(played.highest + 2)
    held = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    held[0] = f"{played.highest + 1}|{low}"
    return True


def more_tiles_than_can_be_held(played: Played) -> bool:
    """More tiles than can have been dealt and drawn and not played (D-5, D-6)."""
    played.write("tiles")
    held = [what["tiles"] for what in played.hand["held"]]
    wanted = played.most_held() + 1 - sum(map(len, held))
    free = played.chance.shuffled(played.free)
    for tile in free[:wanted]:
        held[played.chance.pick(played.others)] += in_notation([tile])
    return len(free) >= wanted


def more_tiles_than_were_dealt(played: Played) -> bool:
    """Nobody draws: no more tiles than were dealt, and the leader has set one (D-3, D-5)."""
    played.write("tiles")
    if played.rules["boneyard"] == "draw" and played.boneyard > LEFT_IN_THE_BONEYARD:
        return False
    seat = played.chance.pick(played.others)
    many = played.rules["hand_size"] - (seat == played.hand["leader"]) + 1
    tiles = played.hand["held"][seat]["tiles"]
    tiles += in_notation(played.chance.shuffled(played.free))[: many - len(tiles)]
    return bool(len(tiles) == many)


def a_tile_of_who_is_out(played: Played) -> bool:
    """Who is out holds nothing (D-6)."""
    played.write("tiles")
    if played.hand["out"] is None or not played.free:
        return False
    played.hand["held"][played.hand["out"]]["tiles"] = in_notation(played.free[:1])
    return True


def nothing_held_by_who_is_not_out(played: Played) -> bool:
    """Who holds nothing is out (D-6)."""
    played.write("tiles")
    played.hand["held"][played.chance.pick(played.others)]["tiles"] = []
    return True


def blocked_with_every_blank_in_hand(played: Played) -> bool:
    """All tiles with a blank are held, so no end is blank, and one of them fits each end (D-4).

    None of them but the 0-0 is a matador, so who holds it has to play (D-5): nobody passes.
    """
    played.write("tiles")
    if played.hand["out"] is not None or played.rules["free_pass"]:
        return False
    held = [what["tiles"] for what in played.hand["held"]]
    blanks = [tile for tile in played.free if tile[0] == 0]
    room = played.most_held() - sum(map(len, held))
    draws = played.rules["boneyard"] == "draw"
    size = played.rules["hand_size"]
    for tile in blanks:
        seats = [
            seat
            for seat in range(played.players)
            if draws or len(held[seat]) < size - (seat == played.hand["leader"])
        ]
        if not seats:
            return False
        held[played.chance.pick(seats)] += in_notation([tile])
    return len(blanks) <= room


# Moves ----------------------------------------------------------------------------------------


def a_tile_played_twice(played: Played) -> bool:
    """There is one of each (D-1)."""
    played.write("moves tiles")
    moves: list[str] = played.hand["moves"]
    plays = [at for at, move in enumerate(moves) if move[-1].isdigit()]
    if len(plays) < 2:
        return False
    first, second = sorted(played.chance.shuffled(plays)[:2])
    moves[second] = ">" + moves[first].strip("<>")
    return True


def a_tile_that_does_not_fit(played: Played) -> bool:
    """The second tile is no matador, and none of its halves makes the sum with the first (D-4)."""
    played.write("moves tiles")
    moves: list[str] = played.hand["moves"]
    if len(moves) < 2 or not moves[1][-1].isdigit():
        return False
    wanted = {matching_number(played.highest) - half for half in read_tile(moves[0])}
    misfits = [
        tile
        for tile in played.free
        if not is_matador(tile, played.highest) and not wanted & set(tile)
    ]
    if not misfits:
        return False
    moves[1] = ">" + in_notation([played.chance.pick(misfits)])[0]
    return True


def drawn_where_nobody_draws(played: Played) -> bool:
    """Nobody draws (D-5)."""
    played.write("moves pips")
    moves: list[str] = played.hand["moves"]
    moves.insert(1 + played.chance.below(len(moves)), "draw")
    return played.rules["boneyard"] == "pass"


def drawn_from_the_last_two(played: Played) -> bool:
    """Two tiles stay in the boneyard (D-5)."""
    played.write("moves pips")
    moves: list[str] = played.hand["moves"]
    if len(moves) < 2 or played.rules["boneyard"] != "draw":
        return False
    left = max(0, played.boneyard - LEFT_IN_THE_BONEYARD) - moves.count("draw")
    at = 1 + played.chance.below(len(moves) - 1)
    moves[at:at] = ["draw"] * (left + 1)
    return True


def a_hand_that_goes_on(played: Played) -> bool:
    """Nothing is played once somebody is out, or all have passed (D-6)."""
    played.write("moves tiles")
    played.hand["moves"].append("pass")
    return True


def a_hand_led_by_a_pass(played: Played) -> bool:
    """The leader sets a tile (D-3)."""
    played.write("moves tiles")
    played.hand["moves"].insert(0, played.chance.pick(["pass", "draw"]))
    return True


def another_is_out_than_by_the_moves(played: Played) -> bool:
    """By the moves another has no tile left (D-2, D-6)."""
    played.write("moves pips")
    if played.hand["out"] is None:
        return False
    held, out = played.hand["held"], played.hand["out"]
    other = played.chance.pick(played.others)
    held[out], held[other] = held[other], held[out]
    played.hand["out"] = other
    return True


def other_tiles_than_the_moves_leave(played: Played) -> bool:
    """Tiles dealt and drawn, less those played, are what is held (D-2)."""
    played.write("moves tiles")
    tiles = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    free = played.chance.shuffled(played.free)
    if played.chance.below(2) and free:
        tiles += in_notation(free[:1])
    else:
        tiles.pop()
    return True


def held_and_played(played: Played) -> bool:
    """A tile that was played is not held (D-1)."""
    played.write("moves tiles")
    tiles = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    tiles[0] = in_notation([played.chance.pick(played.train())])[0]
    return True


def played_without_having_it(played: Played) -> bool:
    """Nobody drew, and the leader led a tile that was dealt to another (D-3)."""
    played.write("moves tiles deal")
    deal, leader = played.hand["deal"], played.hand["leader"]
    if "draw" in played.hand["moves"]:
        return False
    other = (leader + 1) % played.players
    deal[leader], deal[other] = deal[other], deal[leader]
    return True


def a_higher_double_in_hand(played: Played) -> bool:
    """The highest double leads; nobody drew, so one that is held was there to lead (D-3, D-5)."""
    played.write("moves tiles")
    if played.rules["lead"] != "highest_double" or "draw" in played.hand["moves"]:
        return False
    led = read_tile(played.hand["moves"][0])
    least = led[0] if is_double(led) else -1
    higher = [tile for tile in played.free if is_double(tile) and tile[0] > least]
    if not higher:
        return False
    tiles = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    tiles[0] = in_notation(higher[:1])[0]
    return True


# Matches --------------------------------------------------------------------------------------


def led_by_another_than_the_winner(played: Played) -> bool:
    """The winner of a hand leads the next (D-3)."""
    played.write("tiles", alone=False)
    may = leaders_of_the_second(played)
    others = [seat for seat in range(played.players) if seat not in may]
    if not others:
        return False
    played.sheet["hands"][1]["leader"] = played.chance.pick(others)
    return True


def leaders_of_the_second(played: Played) -> list[int]:
    """Who may lead the second hand."""
    everybody = list(range(played.players))
    if len(played.hands) < 2 or played.rules["lead"] != "winner":
        return everybody
    winner = score_hand(played.over).winner
    if winner is None:
        return everybody
    side = sides(played.rules, played.players)[winner]
    return [played.over.out] if played.over.out in side else side


def led_by_another_as_the_moves_show(played: Played) -> bool:
    """No leader is written down, but counted back from who is out another led (D-2, D-3).

    All seats of the second hand are moved on by one, so that each move is another player's.
    """
    played.write("moves tiles", alone=False)
    may = leaders_of_the_second(played)
    second = played.sheet["hands"][-1]
    if len(played.hands) < 2 or second["out"] is None:
        return False
    for hand in played.sheet["hands"]:
        del hand["leader"]
    second["out"] = (second["out"] + 1) % played.players
    second["held"] = [second["held"][-1], *second["held"][:-1]]
    return (played.hands[1][0].turn + 1) % played.players not in may


def other_totals_than_the_hands_bring(played: Played) -> bool:
    """Totals are what the hands bring (D-7, D-8)."""
    played.write("pips", alone=False)
    totals = by_seat(played)
    side = played.chance.pick(sides(played.rules, played.players))
    for seat in side:
        totals[seat] += 1 + played.chance.below(5) if seat == side[0] else 0
    played.sheet["totals"] = totals
    return True


def by_seat(played: Played) -> list[int]:
    """The points of each seat."""
    table = sides(played.rules, played.players)
    points = {seat: played.match.totals[at] for at, side in enumerate(table) for seat in side}
    return [points[seat] for seat in range(played.players)]


def a_hand_after_the_target(played: Played) -> bool:
    """The first to reach the target wins, and no hand follows (D-8)."""
    again = Played(played.chance, target=1 + played.chance.below(20), most=6)
    if match_winner(again.match) is None:
        return False
    played.__dict__.update(again.__dict__)
    played.write("tiles", alone=False)
    played.sheet["hands"].append(deepcopy(played.sheet["hands"][-1]))
    if again.rules["lead"] != "draw":
        del played.sheet["hands"][-1]["leader"]
    played.sheet["stopped"] = False
    return True


def totals(played: Played, *points: int) -> None:
    """Write totals alone, of the first sides, for a target of 100."""
    played.rules = {**played.rules, "target": 100}
    table = sides(played.rules, played.players)
    of_side = [*points, *[0] * len(table)]
    written = {seat: of_side[at] for at, side in enumerate(table) for seat in side}
    played.sheet = {"totals": [written[seat] for seat in range(played.players)], "stopped": False}


def two_who_reached_the_target(played: Played) -> bool:
    """One scores in a hand, and the match ends with the first at the target (D-7, D-8)."""
    totals(played, 100 + played.chance.below(9), 100 + played.chance.below(9))
    return True


def more_than_a_last_hand_brings(played: Played) -> bool:
    """Below the target before the last hand, which brings less than all pips there are (D-8)."""
    totals(played, 99 + sum(weights(played.highest)) + 1 + played.chance.below(9), 10)
    return True


def nobody_at_the_target(played: Played) -> bool:
    """Nobody reached the target, and nothing says that the match was stopped (D-8)."""
    totals(played, played.chance.below(100), played.chance.below(100))
    return True


def points_below_none(played: Played) -> bool:
    """A hand never takes points (D-7)."""
    totals(played, 100, -1 - played.chance.below(9))
    return True


def partners_with_different_totals(played: Played) -> bool:
    """Partners score together (D-2, D-7)."""
    totals(played, 100, 20)
    if not played.rules["partners"]:
        return False
    played.sheet["totals"][played.chance.below(2)] -= 1
    return True


KINDS: list[Kind] = [
    more_pips_than_the_set_has, more_pips_than_a_hand_has, few_pips_for_which_there_are_no_tiles,
    two_without_pips, pips_of_who_is_out, out_and_blocked, out_without_a_seat,
    pips_of_other_tiles_than_the_moves_leave, pips_together_above_what_the_moves_leave,
    a_tile_twice, a_tile_of_another_set, more_tiles_than_can_be_held, more_tiles_than_were_dealt,
    a_tile_of_who_is_out, nothing_held_by_who_is_not_out, blocked_with_every_blank_in_hand,
    a_tile_played_twice, a_tile_that_does_not_fit, drawn_where_nobody_draws,
    drawn_from_the_last_two, a_hand_that_goes_on, a_hand_led_by_a_pass,
    another_is_out_than_by_the_moves, other_tiles_than_the_moves_leave, held_and_played,
    played_without_having_it, a_higher_double_in_hand, led_by_another_than_the_winner,
    led_by_another_as_the_moves_show, other_totals_than_the_hands_bring, a_hand_after_the_target,
    two_who_reached_the_target, more_than_a_last_hand_brings, nobody_at_the_target,
    points_below_none, partners_with_different_totals,
]  # fmt: skip


@kinds(KINDS)
def test_a_match_that_cannot_be_is_refused(kind: Kind, wanted: int) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{kind.__name__}")
    count = Count(wanted)
    while count.more:
        played = Played(chance)
        if kind(played):
            assert true_is_accepted(played)
            count.add(played.accepts(played.sheet), played.shown())
    count.check()


def true_is_accepted(played: Played) -> bool:
    """Whether the same match as it was played is accepted, with all that the changed one shows."""
    changed = played.sheet
    if "hands" not in changed:
        first, *_ = sides(played.rules, played.players)
        return played.accepts({"totals": [100 * (at in first) for at in range(played.players)]})
    hand = changed["hands"][0]
    words = [word for word in ("moves", "deal") if word in hand]
    words.append("pips" if "pips" in hand["held"][0] else "tiles")
    played.write(" ".join(words), alone=len(changed["hands"]) == 1)
    true, played.sheet = played.sheet, changed
    for one in true["hands"] if "leader" not in hand else []:
        del one["leader"]
    return played.accepts(true)


def test_the_counts_allow_every_hand_that_was_played() -> None:
    """None of the bounds that the kinds go beyond is below what hands left."""
    chance = Seed(bytes(32)).chance("impossible/true")
    for _ in range(150):
        played = Played(chance)
        played.write("tiles")
        hands = played.over.hands
        pips = [sum(map(sum, hand)) for hand in hands]
        many = sum(map(len, hands))
        assert many <= played.most_held()
        heaviest = weights(played.highest)[-played.most_held() :]
        assert sum(pips) <= sum(heaviest) if many else not any(pips)
        held = [tile for hand in hands for tile in hand]
        blanks = {(0, half) for half in range(played.highest + 1)}
        free_pass = played.rules["free_pass"]
        assert played.hand["out"] is not None or free_pass or not blanks <= set(held)
        assert all(seat in leaders_of_the_second(played) for seat in [played.hands[-1][0].turn])


@pytest.mark.parametrize(
    ("figures", "possible"),
    [((0, 1), True), ((1, 1), False), ((0, 0), False), ((2, 2), True), ((2, 2, 2), False),
     ((3, 3, 3), True), ((0, 2, 2), True), ((1, 2, 2), True)],
)  # fmt: skip
def test_what_tiles_of_few_pips_there_are(figures: tuple[int, ...], possible: bool) -> None:
    assert are_held(figures, all_tiles(6)) == possible
