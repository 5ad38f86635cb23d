"""Positions to be drawn in tests: any board with any number of dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from eltoro.engine import PROFILES, RUNNERS, Die, Phase, Rules, Town
from eltoro.stage.map_context import MapMarks, MapPicks, bull_id, runner_id, sign_id, space_ids

NAMES: Final = ("Ysabel", "North", "guest 3", "West", "Pilar", "kiko")
EL_TORO: Final = PROFILES["el-toro"]


def wide_board(spaces: int = 10) -> Rules:
    """Return a board with a row of this many roundabouts, which is wider than a phone."""
    starts = [f"{n + 2},0,{n + 2},,p{2 * n},p{2 * n + 1}" for n in range(5)]
    middle = [f"p{n},1,Plazuela {n},d{n * 5 // spaces + 1},," for n in range(spaces)]
    ends = [f"d{n + 1},2,,,," for n in range(5)]
    return Rules(board="\n".join(["space,row,name,way,even,odd", *starts, *middle, *ends, ""]))


RULES: Final = (*PROFILES.values(), wide_board())


def town(
    runners: Sequence[Sequence[Die | None]],
    bulls: Sequence[Die] = (),
    *,
    phase: Phase = Phase.CHARGE,
    step: int = 1,
    tokens: dict[tuple[int, int], int] | None = None,
) -> Town:
    """Return a position with these dice."""
    players = len(runners)
    return Town(
        day=1,
        step=step,
        phase=phase,
        first=0,
        runners=tuple(tuple(dice) for dice in runners),
        bulls=tuple(bulls),
        tokens=tokens or {},
        tokens_left=(3,) * players,
        destinations=(0, 1, 2, 3, 4),
        totals=(0,) * players,
        day_points=((0,) * players,),
        effects=((),) * players,
        hand_sizes=(5,) * players,
        deck_left=20,
        discards=(),
    )


def crowded(rules: Rules = EL_TORO, row: int = 2, players: int = 6, bulls: int = 10) -> Town:
    """Return a position with all dice in one row, spread as evenly as possible."""
    spaces = rules.board.rows[row]
    count = RUNNERS[players]
    dice = [
        [Die(spaces[(seat + n) % len(spaces)], (5 * seat + 7 * n) % 6 + 1) for n in range(count)]
        for seat in range(players)
    ]
    herd = [Die(spaces[n % len(spaces)], n % 6 + 1) for n in range(bulls)]
    return town(dice, herd)


def in_one_place(players: int = 6, bulls: int = 10) -> Town:
    """Return a position with all dice on the space "molino"."""
    mill = EL_TORO.board.find_space("molino")
    dice = [
        [Die(mill, (5 * seat + 7 * n) % 6 + 1) for n in range(RUNNERS[players])]
        for seat in range(players)
    ]
    return town(dice, [Die(mill, n % 6 + 1) for n in range(bulls)])


@st.composite
def towns(draw: st.DrawFn) -> tuple[Rules, Town]:
    """Generate positions with all dice in one row; the bulls may still be one row above."""
    rules = draw(st.sampled_from(RULES))
    board = rules.board
    row = draw(st.integers(0, board.steps))
    above = max(row - draw(st.integers(0, 1)), 0)
    spots = st.sampled_from(board.rows[row] + ((-1,) if row == 0 else ()))
    faces = st.integers(1, 6)
    die = st.builds(Die, spots, faces)
    players = draw(st.integers(2, 6))
    size = RUNNERS[players]
    runner = st.one_of(st.none(), die, die, die)
    dice = [draw(st.lists(runner, min_size=size, max_size=size)) for _ in range(players)]
    herd = draw(st.lists(st.builds(Die, st.sampled_from(board.rows[above]), faces), max_size=10))
    signs = draw(st.dictionaries(st.sampled_from(board.signs), st.integers(0, players - 1)))
    return rules, town(dice, herd, tokens=signs)


def all_choices(rules: Rules, seen: Town) -> dict[str, frozenset[str]]:
    """Return all pieces and spaces that can be chosen in a position, by kind."""
    runners = {
        runner_id(seat, number)
        for seat, dice in enumerate(seen.runners)
        for number, die in enumerate(dice)
        if die is not None
    }
    spaces = rules.board.spaces
    return {
        "runners": frozenset(runners),
        "bulls": frozenset(bull_id(number) for number in range(len(seen.bulls))),
        "spaces": frozenset(space_ids(space.key)[0] for space in spaces),
        "signs": frozenset(sign_id(spaces[at].key, parity) for at, parity in rules.board.signs),
    }


def marks_for_choice(*ids: frozenset[str], many: bool = False) -> MapMarks:
    """Return marks for the map with which the player can choose from each of these groups.

    Each group has its own form field.
    """
    fields = ("pick", "other")
    return MapMarks(
        picks=tuple(
            MapPicks(ids=each, field=field, many=many, legend=f"Which {field}?")
            for each, field in zip(ids, fields, strict=False)
        )
    )
