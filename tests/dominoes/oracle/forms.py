"""All forms of domino scoresheets as JSON, with proofs that some of them are impossible.

A hand is written down by its remaining tiles, by its remaining pips, or by its moves with or
without these. A match is written down as several hands or only by its totals. Possible scoresheets
come from hands that were played. For any other scoresheet this module either proves that it is
impossible or decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairness import Chance
from tests.dominoes.oracle.bounds import (
    groups,
    no_such_end,
    pips_are_impossible,
    tiles_are_impossible,
    totals_are_impossible,
)
from tests.dominoes.oracle.hand import Hand, Move, possible_leaders
from tests.dominoes.oracle.open_log import faults_of, followed
from tests.dominoes.oracle.open_table import OpenHand
from tests.dominoes.oracle.paper import off_paper
from tests.dominoes.oracle.reading import tile as read_tile
from tests.dominoes.oracle.score import (
    Match,
    add_hand,
    match_winner,
    new_match,
    score_pips,
    side_of,
)
from tests.dominoes.oracle.small_sets import all_endings
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, pips, sides

Sheet = dict[str, Any]

# Highest half of the largest set for which every possible hand is tried.
LARGEST_TRIED_OUT = 2


def in_notation(tiles: Sequence[Tile]) -> list[str]:
    """Return tiles in notation, with the higher half first."""
    return [f"{high}|{low}" for low, high in tiles]


def hand_sheet(dealt: Hand, over: Hand, log: Sequence[str], form: str) -> Sheet:
    """Return the scoresheet of a played hand in one of the forms `tiles`, `pips` and `moves`.

    `moves` may be followed by the words `tiles`, `pips` and `deal` for what else was written down.
    """
    words = form.split()
    hand: Sheet = {"leader": dealt.turn, "out": over.out, "blocked": over.out is None}
    if "tiles" in words:
        hand["held"] = [{"tiles": in_notation(tiles)} for tiles in over.hands]
    elif "pips" in words:
        hand["held"] = [{"pips": pips(tiles)} for tiles in over.hands]
    if "moves" in words:
        hand["moves"] = list(log)
    if "deal" in words:
        hand["deal"] = [in_notation(tiles) for tiles in dealt.hands]
    return hand


def why_impossible(rules: Options, players: int, sheet: Sheet) -> str | None:
    """Return why a match is impossible, or `None` if nothing was proved.

    The reason is an impossible hand, a wrong leader or totals that do not match the hands.
    """
    match = new_match(rules, players)
    for hand in sheet.get("hands", []):
        reason = (
            "D-8 a hand after the target was reached"
            if match_winner(match) is not None
            else why_hand_is_impossible(rules, players, hand) or led_by_another(match, hand)
        )
        if reason:
            return reason
        if "held" not in hand or not says_the_end(hand):
            return None  # the points of this hand are unknown
        add_hand(match, score_pips(rules, *by_side(rules, players, hand)), hand["out"])
    if "totals" not in sheet:
        return None
    if "hands" not in sheet:
        return totals_are_impossible(rules, sheet["totals"])
    seat_of = {seat: at for at, side in enumerate(sides(rules, players)) for seat in side}
    due = [match.totals[seat_of[seat]] for seat in range(players)]
    return None if sheet["totals"] == due else "D-8 other totals than the hands bring"


def says_the_end(hand: Sheet) -> bool:
    """Return whether the scoresheet says how the hand ended: which player went out, or that the
    hand was blocked.
    """
    return hand["out"] is not None or bool(hand["blocked"])


def led_by_another(match: Match, hand: Sheet) -> str | None:
    """Return an error if the winner of the last hand had to lead, but another player led (Ruling
    D-3).
    """
    if match.rules["lead"] != "winner" or hand.get("leader") is None:
        return None
    hands: list[list[Tile]] = [[] for _ in range(match.players)]
    may = possible_leaders(match.rules, hands, match.last_winners, match.last_out)
    return None if hand["leader"] in may else "D-3 led by another"


def by_side(rules: Options, players: int, hand: Sheet) -> tuple[list[int], int | None]:
    """Return the pips of each side and the side of the player who went out."""
    held = [pips_of(what) for what in hand["held"]]
    together = [sum(held[seat] for seat in side) for side in sides(rules, players)]
    return together, side_of(rules, hand["out"], players)


def pips_of(what: Sheet) -> int:
    """Return the pips of a seat as written down, or else the pips of its tiles."""
    return int(what["pips"]) if "pips" in what else pips([read_tile(t) for t in what["tiles"]])


def why_hand_is_impossible(rules: Options, players: int, hand: Sheet) -> str | None:
    """Return why one hand cannot have ended like this, or `None` if nothing was proved."""
    if hand["out"] is not None and hand["blocked"]:
        return "D-6 out and blocked at once"
    if reason := no_such_end(rules, players, hand["out"]):
        return reason
    held = hand.get("held")
    if held is not None and len(held) != players:
        return "D-7 other players than those at the table"
    if "moves" in hand:
        return why_moves_are_impossible(rules, players, hand)
    if held is None or not says_the_end(hand):
        return None
    if all("tiles" in what for what in held):
        return why_tiles_are_impossible(rules, held, hand["out"])
    return why_pips_are_impossible(rules, [int(what["pips"]) for what in held], hand["out"])


def why_tiles_are_impossible(rules: Options, held: Sequence[Sheet], out: int | None) -> str | None:
    """Return why tiles without moves cannot be left after a hand.

    Small sets are decided by trying every hand; for larger sets only proofs are used.
    """
    tiles = [[read_tile(text) for text in what["tiles"]] for what in held]
    if reason := tiles_are_impossible(rules, tiles, out):
        return reason
    if rules["highest"] > LARGEST_TRIED_OUT:
        return None
    ending = tuple(tuple(sorted(some)) for some in tiles), out
    return None if ending in all_endings(rules, len(held)) else "D-6 no hand leaves these tiles"


def why_pips_are_impossible(rules: Options, held: list[int], out: int | None) -> str | None:
    """Return why pips without moves cannot be left after a hand.

    Small sets are decided by trying every hand; for larger sets only proofs are used.
    """
    if reason := pips_are_impossible(rules, held, out):
        return reason
    if rules["highest"] > LARGEST_TRIED_OUT:
        return None
    endings = all_endings(rules, len(held))
    found = any(
        who == out and [pips(list(tiles)) for tiles in left] == held for left, who in endings
    )
    return None if found else "D-10 no hand leaves these pips"


def why_moves_are_impossible(rules: Options, players: int, hand: Sheet) -> str | None:
    """Return why these moves are impossible.

    They are possible if they are legal with some deal and leave the tiles or pips on the
    scoresheet.
    """
    moves = read_moves(rules, hand["moves"])
    if moves is None:
        return "notation: no move"
    leader = hand["leader"]
    table = followed(rules, players, leader, moves)
    if table.faults:
        return "D-4 or D-5 a move anybody would object to"
    if says_the_end(hand) and hand["out"] != table.out:
        return "D-6 ended otherwise than the moves say"
    held = hand.get("held", [{}] * players)
    left = [[read_tile(t) for t in what["tiles"]] if "tiles" in what else None for what in held]
    deal = [[read_tile(t) for t in some] for some in hand["deal"]] if "deal" in hand else None
    if faults_of(rules, players, leader, moves, left, deal):
        return "D-5 no deal makes every move legal"
    figures = [what.get("pips") for what in held]
    return pips_after_are_impossible(table, figures)


def read_moves(rules: Options, texts: Sequence[str]) -> list[Move] | None:
    """Parse the moves of a scoresheet; return `None` if one of them is invalid."""
    try:
        return [off_paper(text, rules) for text in texts]
    except ValueError:
        return None


def sums_of(tiles: Sequence[Tile], many: int) -> int:
    """Return a bit mask of all sums of pips that this many of the tiles can have."""
    sums = [1] + [0] * many
    for low, high in tiles:
        for count in range(many, 0, -1):
            sums[count] |= sums[count - 1] << (low + high)
    return sums[many]


def pips_after_are_impossible(table: OpenHand, figures: Sequence[int | None]) -> str | None:
    """Return why these pips cannot be left after the moves (Ruling D-10).

    The number of tiles follows from the moves. They must not have been played, and a player who
    drew or passed must not have held a fitting one.
    """
    unseen = [tile for tile in all_tiles(table.rules["highest"]) if tile not in table.played]
    known = [seat for seat, figure in enumerate(figures) if figure is not None]
    may = {seat: [tile for tile in unseen if may_be_left(table, seat, tile)] for seat in known}
    for group in groups(known):
        tiles = [tile for tile in unseen if any(tile in may[seat] for seat in group)]
        many = sum(table.counts[seat] for seat in group)
        want = sum(figures[seat] or 0 for seat in group)
        if want < 0 or not sums_of(tiles, many) >> want & 1:
            return "D-10 pips that the tiles left cannot have"
    return None


def may_be_left(table: OpenHand, seat: int, tile: Tile) -> bool:
    """Return whether the seat can hold this tile at the end.

    If the tile was missing at some move, the seat must have drawn a tile later.
    """
    missing = [fact.at for fact in table.not_held if fact.seat == seat and tile in fact.tiles]
    drawn = [place.since for place in table.drawn if place.seat == seat]
    return not missing or max(drawn, default=-1) >= max(missing)


# Random recording mistakes for each form. The result may still be possible by chance, which the
# proofs above decide.


def another_figure(figure: int, chance: Chance) -> int:
    """Return a number misread, with its digits swapped, or wrong by a little or a lot."""
    turned = int(str(abs(figure))[::-1])
    near = figure + chance.below(19) - 9
    return chance.pick([near, near, turned, figure * 10, figure + 50, 0, chance.below(400)])


def slip_of_pips(hand: Sheet, rules: Options, chance: Chance) -> None:
    """Change pips on the scoresheet: a number misread, seats swapped or a wrong end of hand."""
    held = hand["held"]
    kind = chance.below(8)
    if kind < 5:
        seat = chance.below(len(held))
        held[seat] = {"pips": max(0, another_figure(held[seat]["pips"], chance))}
    elif kind == 5:
        hand["held"] = chance.shuffled(held)
    elif kind == 6:
        hand["held"] = [{"pips": what["pips"] * 3} for what in held]
    else:
        slip_of_end(hand, chance)


def slip_of_end(hand: Sheet, chance: Chance) -> None:
    """Change how the hand ended: another player went out, nobody did, or the hand was blocked."""
    hand["out"] = chance.pick([None, *range(len(hand.get("held", "xx")))])
    hand["blocked"] = hand["out"] is None if chance.below(4) else not hand["blocked"]


def slip_of_tiles(hand: Sheet, rules: Options, chance: Chance) -> None:
    """Change tiles on the scoresheet: one misread, forgotten, repeated or moved to another seat."""
    held = [list(what["tiles"]) for what in hand["held"]]
    seats = [seat for seat, tiles in enumerate(held) if tiles]
    seat, other = chance.pick(seats) if seats else 0, chance.below(len(held))
    at = chance.below(len(held[seat]) or 1)
    some = in_notation([chance.pick(all_tiles(rules["highest"]))])[0]
    kind = chance.below(7)
    if kind == 0 or not seats:
        slip_of_end(hand, chance)
    elif kind == 1:
        held[seat][at] = some
    elif kind == 2:
        held[other].append(held[seat][at])
    elif kind == 3:
        held[other].append(held[seat].pop(at))
    elif kind == 4:
        held[seat].pop(at)
    elif kind == 5:
        held[other].append(some)
    else:
        lay_more(held, rules, chance)
    hand["held"] = [{"tiles": tiles} for tiles in held]


def lay_more(held: list[list[str]], rules: Options, chance: Chance) -> None:
    """Change the scoresheet: write down many more remaining tiles than the players held."""
    everything = in_notation(all_tiles(rules["highest"]))
    free = [tile for tile in everything if all(tile not in tiles for tiles in held)]
    for tile in chance.shuffled(free)[: 1 + chance.below(len(free) or 1)]:
        chance.pick(held).append(tile)


def slip_of_totals(totals: list[int], rules: Options, chance: Chance) -> list[int]:
    """Change totals: too high, below 0, different for partners, or with two winning sides."""
    target, at = rules["target"], chance.below(len(totals))
    totals = list(totals)
    totals[at] = chance.pick(
        [totals[at] + 1, -1 - chance.below(9), target, target + chance.below(30), totals[at] * 10,
         target + 10**4, chance.below(target), 10**6],
    )  # fmt: skip
    if chance.below(3) == 0:
        totals[chance.below(len(totals))] = target
    return totals
