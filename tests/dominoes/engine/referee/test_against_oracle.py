"""The referee and the slow independent rules checker (oracle) agree on altered scoresheets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from dominoes import engine
from dominoes.engine import FinalTiles, HandSheet, judge_hand
from fairness import Chance, Seed
from tests.dominoes.engine.referee.games import log_of, played, some_rules
from tests.dominoes.oracle.bare_pips import could_be_held
from tests.dominoes.oracle.open_log import could_be
from tests.dominoes.oracle.reading import tiles as oracle_tiles
from tests.dominoes.oracle.tiles import Options, options
from tests.dominoes.oracle.translation import move_of

MUTATIONS = 6


def options_of(rules: engine.Rules) -> Options:
    return options(**rules.options())


def mutated(written: HandSheet, rules: engine.Rules, chance: Chance) -> HandSheet:
    """Return the scoresheet with one move replaced, left out, repeated or swapped, or one tile
    changed.
    """
    moves = list(written.moves)
    at = chance.below(len(moves))
    kind = chance.below(7)
    if kind == 0:
        del moves[at]
    elif kind == 1:
        moves.insert(at, moves[chance.below(len(moves))])
    elif kind == 2:
        other = chance.below(len(moves))
        moves[at], moves[other] = moves[other], moves[at]
    elif kind == 3:
        moves[at] = chance.pick(["draw", "pass"])
    elif kind == 4:
        moves.insert(at, chance.pick(["draw", "pass"]))
    elif kind == 5:
        moves[at] = another_play(rules, moves[at], chance)
    else:
        return replace(written, held=other_tiles(written, rules, chance))
    return replace(written, moves=tuple(moves), out=None, blocked=False)


def another_play(rules: engine.Rules, move: str, chance: Chance) -> str:
    tile = chance.pick(engine.domino_set(rules.highest).tiles)
    if move[0] not in "<>":
        return f"{tile[1]}|{tile[0]}"
    halves = chance.shuffled(tile)
    return f"{chance.pick('<>')}{halves[0]}|{halves[1]}"


def other_tiles(written: HandSheet, rules: engine.Rules, chance: Chance) -> tuple[FinalTiles, ...]:
    held = [list(what.tiles or ()) for what in written.held]
    seats = [seat for seat, tiles in enumerate(held) if tiles]
    if seats:
        seat = chance.pick(seats)
        tile = chance.pick(engine.domino_set(rules.highest).tiles)
        held[seat][chance.below(len(held[seat]))] = f"{tile[1]}|{tile[0]}"
    return tuple(FinalTiles(tiles=tuple(tiles)) for tiles in held)


def oracle_says(rules: engine.Rules, players: int, written: HandSheet) -> bool:
    ours = options_of(rules)
    moves = [move_of(ours, engine.Move.read(text)) for text in written.moves]
    held = [oracle_tiles(" ".join(what.tiles or ())) for what in written.held]
    return could_be(ours, players, written.leader or 0, moves, held)


@pytest.mark.parametrize("number", range(60))
def test_referee_judges_altered_moves_like_the_oracle(number: int) -> None:
    chance = Seed(bytes(32)).chance(f"mutation/{number}")
    rules, players = some_rules(chance)
    true = log_of(played(rules, players, f"mutated/{number}"))
    for _ in range(MUTATIONS):
        written = mutated(true, rules, chance)
        if not written.moves:
            continue  # without moves, this would be another form of scoresheet
        accepted = judge_hand(rules, players, written).complete
        expected = oracle_says(rules, players, written)
        # If the recorded moves stop before the end of the hand, the referee rejects them as
        # incomplete, but the oracle accepts them. If the scoresheet says that the hand was blocked
        # there, the referee must accept the moves too.
        if accepted != expected:
            again = judge_hand(rules, players, replace(written, blocked=True))
            assert (accepted, expected) == (False, True)
            assert again.complete, (rules, written, again.objections)


def small_figures(number: int) -> tuple[engine.Rules, int, list[int], int | None]:
    chance = Seed(bytes(32)).chance(f"figures/{number}")
    highest = 2 + chance.below(2)
    tiles = (highest + 1) * (highest + 2) // 2
    players = 2 + chance.below(2)
    rules = engine.Rules(
        highest=highest,
        hand_size=1 + chance.below(tiles // players),
        boneyard=chance.pick(["draw", "pass"]),
    )
    figures = [chance.below(3 * highest) for _ in range(players)]
    out = chance.pick([None, *range(players)])
    if out is not None:
        figures[out] = 0
    return rules, players, figures, out


@pytest.mark.slow
def test_referee_judges_pips_without_tiles_like_the_oracle() -> None:
    """Ruling D-10 says which remaining pips are possible.

    The random numbers of pips in this test are small, so that small sets produce both possible and
    impossible scoresheets.
    """
    seen: Counter[bool] = Counter()
    for number in range(600):
        rules, players, figures, out = small_figures(number)
        held = tuple(FinalTiles(pips=pips) for pips in figures)
        written = HandSheet(out=out, blocked=out is None, held=held)
        reading = judge_hand(rules, players, written)
        expected = could_be_held(options_of(rules), figures, out)
        assert reading.complete == expected, (rules, figures, out, reading.objections)
        seen[expected] += 1
    assert min(seen.values()) > 50
