"""Played matches with one change that counting proves impossible must be rejected.

Each kind of change is a function that changes the scoresheet and returns whether it applies.
"""

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
from tests.dominoes.oracle.translation import engine_rules
from tests.impossible import Count, kinds

SETS = [3, 4, 6, 6, 6, 6, 9, 12]
MOST_SEATS = 6
LEFT_IN_THE_BONEYARD = 2

Sheet = dict[str, Any]


class PlayedMatch:
    """A match of a few hands, whose scoresheet a kind of change then alters."""

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
        """Play another hand, led by a player whom the rules allow."""
        dealt = deal_at_random(self.rules, self.players, self.chance)
        may = possible_leaders(
            self.rules, dealt.hands, self.match.last_winners, self.match.last_out
        )
        dealt.turn = self.chance.pick(may)
        log = play_at_random(over := copied(dealt), self.chance)
        self.hands.append((dealt, over, log))
        add_hand(self.match, score_hand(over), over.out)

    def write(self, form: str, *, alone: bool = True) -> None:
        """Write the scoresheet in this form, with the first hand alone or with all hands."""
        hands = self.hands[:1] if alone else self.hands
        self.sheet = {"hands": [hand_sheet(*hand, form) for hand in hands], "stopped": True}

    def accepts(self, sheet: Sheet) -> bool:
        """Return whether the referee accepts the scoresheet of a finished match."""
        options = engine_rules(self.rules).options()
        judged = referee.judge(rules=options, seats=self.players, sheet=sheet)
        return judged.over and not judged.objections

    @property
    def hand(self) -> Sheet:
        """The first hand on the scoresheet."""
        found: Sheet = self.sheet["hands"][0]
        return found

    @property
    def over(self) -> Hand:
        """The first hand at its end."""
        return self.hands[0][1]

    @property
    def highest(self) -> int:
        """The highest half of the set."""
        return self.rules["highest"]

    @property
    def boneyard(self) -> int:
        """Number of tiles that were not dealt."""
        return len(all_tiles(self.highest)) - self.players * self.rules["hand_size"]

    @property
    def others(self) -> list[int]:
        """The seats that did not go out."""
        return [seat for seat in range(self.players) if seat != self.hand["out"]]

    @property
    def free(self) -> list[Tile]:
        """The tiles that neither the remaining tiles nor the moves on the scoresheet contain."""
        held = [read_tile(text) for what in self.hand["held"] for text in what["tiles"]]
        played = [tile for tile in self.train() if "moves" in self.hand]
        return [tile for tile in all_tiles(self.highest) if tile not in held + played]

    def train(self) -> list[Tile]:
        """Return the tiles that were played in the first hand."""
        return [read_tile(move.strip("<>")) for move in self.hands[0][2] if move[-1].isdigit()]

    def most_held(self) -> int:
        """Return how many tiles all players together can hold at the end (D-3, D-5, D-6).

        At least one tile was led, and a player who went out has played a whole hand. If players may
        draw, two tiles stay in the boneyard; otherwise all undealt tiles stay.
        """
        played = 1 if self.hand["out"] is None else self.rules["hand_size"]
        draws = self.rules["boneyard"] == "draw"
        stay = min(self.boneyard, LEFT_IN_THE_BONEYARD) if draws else self.boneyard
        return len(all_tiles(self.highest)) - played - stay

    def shown(self) -> dict[str, object]:
        """Return the scoresheet with its rules and number of players, for error messages."""
        return {"rules": self.rules, "seats": self.players, "sheet": self.sheet}


Kind = Callable[[PlayedMatch], bool]


def weights(highest: int, without: Sequence[Tile] = ()) -> list[int]:
    """Return the pips of each tile of a set in ascending order."""
    return sorted(low + high for low, high in all_tiles(highest) if (low, high) not in without)


def are_held(figures: Sequence[int], tiles: Sequence[Tile]) -> bool:
    """Return whether different tiles, at least one for each seat, can have these pips.

    All possibilities are tried.
    """
    if not figures:
        return True
    return any(
        are_held(figures[1:], [tile for tile in tiles if tile not in hand])
        for hand in hands_of(figures[0], tiles)
    )


def hands_of(pips: int, tiles: Sequence[Tile]) -> list[list[Tile]]:
    """Return every set of one or more tiles with this many pips."""
    found: list[list[Tile]] = []
    for at, tile in enumerate(tiles):
        rest = pips - sum(tile)
        if rest == 0:
            found.append([tile])
        if rest >= 0:
            found += [[tile, *more] for more in hands_of(rest, tiles[at + 1 :])]
    return found


# Impossible pips


def more_pips_than_the_set_has(played: PlayedMatch) -> bool:
    """Give a player more pips than the heaviest tiles that all players can hold together (D-10)."""
    played.write("pips")
    most = sum(weights(played.highest)[-played.most_held() :]) if played.most_held() else 0
    held = played.hand["held"]
    seat = played.chance.pick(played.others)
    others = sum(what["pips"] for what in held) - held[seat]["pips"]
    held[seat]["pips"] = most - others + 1 + played.chance.below(3)
    return True


def more_pips_than_a_hand_has(played: PlayedMatch) -> bool:
    """Give a player more pips than one hand can have if nobody draws.

    Then no player holds more tiles than were dealt, and the leader has led one (D-5).
    """
    played.write("pips")
    if played.rules["boneyard"] == "draw" and played.boneyard > LEFT_IN_THE_BONEYARD:
        return False
    seat = played.chance.pick(played.others)
    many = played.rules["hand_size"] - (seat == played.hand["leader"])
    most = sum(weights(played.highest)[-many:]) if many else 0
    played.hand["held"][seat]["pips"] = most + 1 + played.chance.below(3)
    return True


def few_pips_for_which_there_are_no_tiles(played: PlayedMatch) -> bool:
    """Give the players so few pips that no distinct tiles have them (D-10).

    For example, only the 0-1 has one pip. All tiles are tried; each player who did not go out holds
    at least one.
    """
    played.write("pips")
    figures = [played.chance.below(4) for _ in played.others]
    for seat, pips in zip(played.others, figures, strict=True):
        played.hand["held"][seat]["pips"] = pips
    return not are_held(figures, all_tiles(played.highest))


def two_without_pips(played: PlayedMatch) -> bool:
    """Give two players no pips, although only the 0-0 has none (D-1, D-7)."""
    played.write("pips")
    if len(played.others) < 2:
        return False
    for seat in played.chance.shuffled(played.others)[:2]:
        played.hand["held"][seat]["pips"] = 0
    return True


def pips_of_who_is_out(played: PlayedMatch) -> bool:
    """Give pips to the player who went out, who holds no tiles (D-6)."""
    played.write("pips")
    if played.hand["out"] is None:
        return False
    played.hand["held"][played.hand["out"]]["pips"] = 1 + played.chance.below(9)
    return True


def out_and_blocked(played: PlayedMatch) -> bool:
    """Declare a hand blocked in which a player went out (D-6)."""
    played.write("pips")
    played.hand["blocked"] = True
    return played.hand["out"] is not None


def out_without_a_seat(played: PlayedMatch) -> bool:
    """Name a seat that does not exist as the player who went out."""
    played.write("pips")
    played.hand.update(out=played.players + played.chance.below(2), blocked=False)
    return True


def pips_of_other_tiles_than_the_moves_leave(played: PlayedMatch) -> bool:
    """Give a player pips that no tiles of the right number can have (D-10).

    The moves say how many tiles are left and which tiles were played.
    """
    played.write("moves pips")
    seat = played.chance.pick(played.others)
    many = len(played.over.hands[seat])
    left = weights(played.highest, played.train())
    most, least = sum(left[-many:]), sum(left[:many])
    pips = most + 1 if played.chance.below(2) or not least else least - 1
    played.hand["held"][seat]["pips"] = pips
    return True


def pips_together_above_what_the_moves_leave(played: PlayedMatch) -> bool:
    """Give all players together more pips than the heaviest tiles that were not played (D-10)."""
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


# Impossible remaining tiles


def a_tile_twice(played: PlayedMatch) -> bool:
    """Write down a tile twice, although there is only one of each (D-1)."""
    played.write("tiles")
    held = played.hand["held"]
    first, second = played.chance.pick(played.others), played.chance.pick(played.others)
    held[second]["tiles"].append(held[first]["tiles"][0])
    return True


def a_tile_of_another_set(played: PlayedMatch) -> bool:
    """Write down a tile with a half above the highest of the set (D-1)."""
    played.write("tiles")
    low = played.chance.below(played.highest + 2)
    held = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    held[0] = f"{played.highest + 1}|{low}"
    return True


def more_tiles_than_can_be_held(played: PlayedMatch) -> bool:
    """Write down more tiles than can have been dealt and drawn and not played (D-5, D-6)."""
    played.write("tiles")
    held = [what["tiles"] for what in played.hand["held"]]
    wanted = played.most_held() + 1 - sum(map(len, held))
    free = played.chance.shuffled(played.free)
    for tile in free[:wanted]:
        held[played.chance.pick(played.others)] += in_notation([tile])
    return len(free) >= wanted


def more_tiles_than_were_dealt(played: PlayedMatch) -> bool:
    """Give a player more tiles than were dealt although nobody draws.

    The leader has also led one tile (D-3, D-5).
    """
    played.write("tiles")
    if played.rules["boneyard"] == "draw" and played.boneyard > LEFT_IN_THE_BONEYARD:
        return False
    seat = played.chance.pick(played.others)
    many = played.rules["hand_size"] - (seat == played.hand["leader"]) + 1
    tiles = played.hand["held"][seat]["tiles"]
    tiles += in_notation(played.chance.shuffled(played.free))[: many - len(tiles)]
    return bool(len(tiles) == many)


def a_tile_of_who_is_out(played: PlayedMatch) -> bool:
    """Give a tile to the player who went out, who holds none (D-6)."""
    played.write("tiles")
    if played.hand["out"] is None or not played.free:
        return False
    played.hand["held"][played.hand["out"]]["tiles"] = in_notation(played.free[:1])
    return True


def nothing_held_by_who_is_not_out(played: PlayedMatch) -> bool:
    """Take all tiles from a player who did not go out (D-6)."""
    played.write("tiles")
    played.hand["held"][played.chance.pick(played.others)]["tiles"] = []
    return True


def blocked_with_every_blank_in_hand(played: PlayedMatch) -> bool:
    """Declare a hand blocked although all tiles with a blank are held.

    Then no end is blank, so one of these tiles fits each end (D-4). Except for the 0-0 they are no
    matadors, so their holder would have to play (D-5).
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


# Impossible moves


def a_tile_played_twice(played: PlayedMatch) -> bool:
    """Play a tile twice, although there is only one of each (D-1)."""
    played.write("moves tiles")
    moves: list[str] = played.hand["moves"]
    plays = [at for at, move in enumerate(moves) if move[-1].isdigit()]
    if len(plays) < 2:
        return False
    first, second = sorted(played.chance.shuffled(plays)[:2])
    moves[second] = ">" + moves[first].strip("<>")
    return True


def a_tile_that_does_not_fit(played: PlayedMatch) -> bool:
    """Play a second tile that is no matador and makes no matching sum with the first (D-4)."""
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


def drawn_where_nobody_draws(played: PlayedMatch) -> bool:
    """Draw a tile although the rules forbid drawing (D-5)."""
    played.write("moves pips")
    moves: list[str] = played.hand["moves"]
    moves.insert(1 + played.chance.below(len(moves)), "draw")
    return played.rules["boneyard"] == "pass"


def drawn_from_the_last_two(played: PlayedMatch) -> bool:
    """Draw one of the last two tiles of the boneyard, which must stay (D-5)."""
    played.write("moves pips")
    moves: list[str] = played.hand["moves"]
    if len(moves) < 2 or played.rules["boneyard"] != "draw":
        return False
    left = max(0, played.boneyard - LEFT_IN_THE_BONEYARD) - moves.count("draw")
    at = 1 + played.chance.below(len(moves) - 1)
    moves[at:at] = ["draw"] * (left + 1)
    return True


def a_hand_that_goes_on(played: PlayedMatch) -> bool:
    """Continue after a player has gone out or all have passed (D-6)."""
    played.write("moves tiles")
    played.hand["moves"].append("pass")
    return True


def a_hand_led_by_a_pass(played: PlayedMatch) -> bool:
    """Begin a hand with a pass, although the leader must play a tile (D-3)."""
    played.write("moves tiles")
    played.hand["moves"].insert(0, played.chance.pick(["pass", "draw"]))
    return True


def another_is_out_than_by_the_moves(played: PlayedMatch) -> bool:
    """Name another player than the one who has no tile left after the moves (D-2, D-6)."""
    played.write("moves pips")
    if played.hand["out"] is None:
        return False
    held, out = played.hand["held"], played.hand["out"]
    other = played.chance.pick(played.others)
    held[out], held[other] = held[other], held[out]
    played.hand["out"] = other
    return True


def other_tiles_than_the_moves_leave(played: PlayedMatch) -> bool:
    """Write down more or fewer tiles than were dealt and drawn and not played (D-2)."""
    played.write("moves tiles")
    tiles = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    free = played.chance.shuffled(played.free)
    if played.chance.below(2) and free:
        tiles += in_notation(free[:1])
    else:
        tiles.pop()
    return True


def held_and_played(played: PlayedMatch) -> bool:
    """Write down a played tile as still held (D-1)."""
    played.write("moves tiles")
    tiles = played.hand["held"][played.chance.pick(played.others)]["tiles"]
    tiles[0] = in_notation([played.chance.pick(played.train())])[0]
    return True


def played_without_having_it(played: PlayedMatch) -> bool:
    """Let the leader lead a tile that was dealt to another player, although nobody drew (D-3)."""
    played.write("moves tiles deal")
    deal, leader = played.hand["deal"], played.hand["leader"]
    if "draw" in played.hand["moves"]:
        return False
    other = (leader + 1) % played.players
    deal[leader], deal[other] = deal[other], deal[leader]
    return True


def a_higher_double_in_hand(played: PlayedMatch) -> bool:
    """Lead a lower double than one that is still held (D-3, D-5).

    The highest double must lead, and because nobody drew, the held double was available.
    """
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


# Impossible matches


def led_by_another_than_the_winner(played: PlayedMatch) -> bool:
    """Let another player than the winner of the last hand lead, against the rules (D-3)."""
    played.write("tiles", alone=False)
    may = leaders_of_the_second(played)
    others = [seat for seat in range(played.players) if seat not in may]
    if not others:
        return False
    played.sheet["hands"][1]["leader"] = played.chance.pick(others)
    return True


def leaders_of_the_second(played: PlayedMatch) -> list[int]:
    """Return the seats that may lead the second hand."""
    everybody = list(range(played.players))
    if len(played.hands) < 2 or played.rules["lead"] != "winner":
        return everybody
    winner = score_hand(played.over).winner
    if winner is None:
        return everybody
    side = sides(played.rules, played.players)[winner]
    return [played.over.out] if played.over.out in side else side


def led_by_another_as_the_moves_show(played: PlayedMatch) -> bool:
    """Give the moves of the second hand to the wrong players (D-2, D-3).

    No leader is written down, but it follows from the player who went out. All seats are moved on
    by one, so another player than the winner would have led.
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


def other_totals_than_the_hands_bring(played: PlayedMatch) -> bool:
    """Write down totals that are not the sum of the hands (D-7, D-8)."""
    played.write("pips", alone=False)
    totals = by_seat(played)
    side = played.chance.pick(sides(played.rules, played.players))
    for seat in side:
        totals[seat] += 1 + played.chance.below(5) if seat == side[0] else 0
    played.sheet["totals"] = totals
    return True


def by_seat(played: PlayedMatch) -> list[int]:
    """Return the points of each seat."""
    table = sides(played.rules, played.players)
    points = {seat: played.match.totals[at] for at, side in enumerate(table) for seat in side}
    return [points[seat] for seat in range(played.players)]


def a_hand_after_the_target(played: PlayedMatch) -> bool:
    """Add a hand after a side has reached the target and won (D-8)."""
    again = PlayedMatch(played.chance, target=1 + played.chance.below(20), most=6)
    if match_winner(again.match) is None:
        return False
    played.__dict__.update(again.__dict__)
    played.write("tiles", alone=False)
    played.sheet["hands"].append(deepcopy(played.sheet["hands"][-1]))
    if again.rules["lead"] != "draw":
        del played.sheet["hands"][-1]["leader"]
    played.sheet["stopped"] = False
    return True


def totals(played: PlayedMatch, *points: int) -> None:
    """Write down only totals, with these values for the first sides, for a target of 100."""
    played.rules = {**played.rules, "target": 100}
    table = sides(played.rules, played.players)
    of_side = [*points, *[0] * len(table)]
    written = {seat: of_side[at] for at, side in enumerate(table) for seat in side}
    played.sheet = {"totals": [written[seat] for seat in range(played.players)], "stopped": False}


def two_who_reached_the_target(played: PlayedMatch) -> bool:
    """Let two sides reach the target, although only one side scores in a hand (D-7, D-8)."""
    totals(played, 100 + played.chance.below(9), 100 + played.chance.below(9))
    return True


def more_than_a_last_hand_brings(played: PlayedMatch) -> bool:
    """Write down a total that the last hand cannot have reached from below the target (D-8)."""
    totals(played, 99 + sum(weights(played.highest)) + 1 + played.chance.below(9), 10)
    return True


def nobody_at_the_target(played: PlayedMatch) -> bool:
    """Submit a match below the target without saying that it was stopped early (D-8)."""
    totals(played, played.chance.below(100), played.chance.below(100))
    return True


def points_below_none(played: PlayedMatch) -> bool:
    """Write down negative points, although a hand never takes points (D-7)."""
    totals(played, 100, -1 - played.chance.below(9))
    return True


def partners_with_different_totals(played: PlayedMatch) -> bool:
    """Give partners different totals, although they score together (D-2, D-7)."""
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


@pytest.mark.slow
@kinds(KINDS)
def test_referee_rejects_impossible_domino_matches(kind: Kind, wanted: int) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{kind.__name__}")
    count = Count(wanted)
    while count.more:
        played = PlayedMatch(chance)
        if kind(played):
            assert true_is_accepted(played)
            count.add(played.accepts(played.sheet), played.shown())
    count.check()


def true_is_accepted(played: PlayedMatch) -> bool:
    """Return whether the referee accepts the unchanged match with the same details."""
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


@pytest.mark.slow
def test_limits_used_for_impossible_matches_hold_for_all_played_hands() -> None:
    """The impossible changes exceed limits.

    These limits must not be below what played hands really left.
    """
    chance = Seed(bytes(32)).chance("impossible/true")
    for _ in range(150):
        played = PlayedMatch(chance)
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
def test_small_pips_without_matching_tiles_are_known_exactly(
    figures: tuple[int, ...], possible: bool
) -> None:
    assert are_held(figures, all_tiles(6)) == possible
