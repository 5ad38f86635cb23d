"""Adapter with which Matador dominoes is played at online game tables. Each round is one hand.

Every hand is dealt from its own seed (label `hand/<number>`, Ruling F-1). Before the hand, the site
publishes a commitment to the seed and to everything else that the deal depends on: rules, players,
possible leaders and the score (F-2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _

from api.types import JSON
from dominoes import stage
from dominoes.bots import BOTS
from dominoes.engine import (
    ENGINE_VERSION,
    Hand,
    IllegalMove,
    Match,
    Move,
    MoveKind,
    Rules,
    Side,
    View,
    bits,
    domino_set,
    places_of,
    replay_hand,
    write_tile,
)
from dominoes.stage import sentences
from fairness import Seed
from leagues.games import MoveRefused, Position, ReplayedTable, RoundLog, read_move

HAND_CACHE_SIZE: Final = 2048


@dataclass(frozen=True, kw_only=True)
class DominoPosition:
    """A match at a game table.

    `match` contains the finished hands. `hand` is the current or last hand, None before the first.
    Both are cached and must not be changed.
    """

    rules: Rules
    match: Match
    hand: Hand | None

    @property
    def turn(self) -> int | None:
        return None if self.hand is None else self.hand.turn

    @property
    def made(self) -> int:
        return 0 if self.hand is None else len(self.hand.codes)

    @property
    def round_over(self) -> bool:
        return self.turn is None

    @property
    def match_over(self) -> bool:
        return self.match.winner is not None

    @property
    def points(self) -> tuple[int, ...]:
        """The points by seat. Partners have the points of their side."""
        return self.rules.by_seat(self.match.players, self.match.totals)

    @property
    def places(self) -> tuple[int, ...]:
        if not self.match_over:
            return ()
        return self.rules.by_seat(self.match.players, places_of(self.match.totals))

    def view(self, seat: int | None) -> View | None:
        return None if self.hand is None else self.hand.view(seat, self.match.totals)

    def held(self) -> tuple[int, ...] | None:
        if self.hand is None:
            return None
        return tuple(self.hand.held_tiles(seat) for seat in range(self.hand.players))


class DominoTable(ReplayedTable[DominoPosition]):
    """Adapter through which `leagues` plays Matador dominoes at a game table."""

    template = "dominoes/_table.html"
    bots = BOTS
    budget_ms = 100

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """Return the data that the next commitment covers: rules, seats, possible leaders and
        score.
        """
        match = self.restore(rules=rules, seats=seats, rounds=rounds).match
        return stake_of_hand(match.rules, seats, len(rounds) + 1, match.leaders, match.totals)

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> DominoPosition:
        """Return the state of a match after these stored hands.

        Raises `MoveRefused` for an illegal move.
        """
        read = Rules.from_options(rules)
        match = Match(read, seats)
        if not rounds:
            return DominoPosition(rules=read, match=match, hand=None)
        for played in rounds[:-1]:  # this new match is not cached, so it may be changed
            outcome = replay(read, seats, match.leaders, played).outcome
            if outcome is not None:
                match.add(outcome)
        return _counted_position(read, match, replay(read, seats, match.leaders, rounds[-1]))

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> DominoPosition:
        before = self.restore(rules=rules, seats=seats, rounds=rounds)
        if before.hand is None:
            raise MoveRefused(_("No tiles have been dealt yet."), "D-2")
        hand = before.hand.copy()
        try:
            hand.play(read_move(Move.read, move), seat)
        except IllegalMove as error:
            raise MoveRefused(sentences.refusal_sentence(error), error.ruling) from error
        return _counted_position(before.rules, before.match, hand)

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> tuple[str, ...]:
        assert isinstance(position, DominoPosition)
        do, tile = fields.get("do", stage.LAY), fields.get("tile", "")
        if do == stage.DRAW_ON:
            return _draws(position.hand, seat)
        if do in {stage.DRAW, stage.PASS}:
            return (str(Move(MoveKind.DRAW if do == stage.DRAW else MoveKind.PASS)),)
        if do in {*Side}:
            return (_move_at_end(position.view(seat), fields, Side(do)),)
        written = fields.get("move") or fields.get(f"move-{tile}", "")
        if not written:
            raise MoveRefused(_("Choose a tile and where to lay it."))
        return (str(read_move(Move.read, written)),)

    def view_to_move(self, position: DominoPosition) -> View:
        view = position.view(position.turn)
        if view is None:
            raise MoveRefused(_("No tiles have been dealt yet."), "D-2")
        return view

    def scene(
        self,
        position: Position,
        *,
        seat: int | None,
        names: Sequence[str] = (),
        notes: Sequence[str] = (),
        chosen: Mapping[str, str] | None = None,
        revealed: bool = False,
    ) -> Mapping[str, object]:
        assert isinstance(position, DominoPosition)
        view = position.view(seat)
        if view is None:
            return {}
        return stage.build_scene(
            view,
            names=names,
            notes=notes,
            hands=len(position.match.hands),
            chosen=chosen,
            revealed=position.held() if revealed else None,
        )

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        read = Rules.from_options(rules)
        match, hands = Match(read, seats), []
        for played in rounds:
            hand = replay(read, seats, match.leaders, played)
            hands.append(_sheet_of(hand, played))
            match = _with_hand(match, hand)
        return {"hands": hands}


def stake_of_hand(
    rules: Rules, seats: int, number: int, leaders: Sequence[int], totals: Sequence[int]
) -> dict[str, JSON]:
    return {
        "game": "dominoes",
        "engine": ENGINE_VERSION,
        "rules": rules.options(),
        "players": seats,
        "hand": number,
        "leaders": list(leaders),
        "totals": list(totals),
    }


def _counted_position(rules: Rules, match: Match, hand: Hand) -> DominoPosition:
    return DominoPosition(rules=rules, match=_with_hand(match, hand), hand=hand)


def _with_hand(match: Match, hand: Hand) -> Match:
    """Return a copy of the match that includes this hand.

    If the hand is not over, the match is returned unchanged.
    """
    if hand.outcome is None:
        return match
    counted = Match(match.rules, match.players)
    for outcome in (*match.hands, hand.outcome):
        counted.add(outcome)
    return counted


def replay(rules: Rules, seats: int, leaders: tuple[int, ...], played: RoundLog) -> Hand:
    """Replay a stored hand. Raises `MoveRefused` for an illegal move.

    The result is cached, so it must not be changed.
    """
    try:
        return _replay(rules, seats, leaders, played.number, played.seed, played.moves)
    except IllegalMove as error:
        raise MoveRefused(sentences.refusal_sentence(error), error.ruling) from error


@lru_cache(maxsize=HAND_CACHE_SIZE)
def _replay(
    rules: Rules,
    seats: int,
    leaders: tuple[int, ...],
    number: int,
    seed: bytes,
    moves: tuple[str, ...],
) -> Hand:
    chance = Seed(seed).chance(f"hand/{number}")
    return replay_hand(rules, seats, chance, leaders, [Move.read(text) for text in moves])


def _draws(hand: Hand | None, seat: int) -> tuple[str, ...]:
    """Return the move `draw`, repeated as long as drawing is the only legal move (Ruling D-5)."""
    draw = Move(MoveKind.DRAW)
    if hand is None or hand.turn != seat or draw not in hand.legal():
        return (str(draw),)  # the engine rejects it
    drawn, hand = 0, hand.copy()
    while not drawn or hand.legal() == [draw]:
        hand.play(draw)
        drawn += 1
    return (str(draw),) * drawn


def _move_at_end(view: View | None, fields: Mapping[str, str], side: Side) -> str:
    """Return the move that plays a tile at the tapped end of the train.

    The tile is the selected tile, or the only tile that fits there. If it can lie in several ways,
    the selected way is used. Raises `MoveRefused` if the selection is not clear.
    """
    moves = [move for move in view.legal if move.side is side] if view else []
    fitting = {str(move.tile) for move in moves}
    given = fields.get("tile", "")
    tile = fitting.pop() if not given and len(fitting) == 1 else given
    if view is None or tile not in map(str, view.tiles):
        raise MoveRefused(
            _("Choose a tile first, then the end of the train where you want to lay it.")
        )
    ways = [str(move) for move in moves if str(move.tile) == tile]
    if len(ways) == 1:
        return ways[0]
    if ways:
        if (chosen := fields.get(f"move-{tile}")) in ways:
            return str(chosen)
        name = sentences.tile_name(view.rules, int(tile))
        raise MoveRefused(
            _("%(tile)s can be played there in several ways: choose one.") % {"tile": name}
        )
    low, _high = domino_set(view.rules.highest).tiles[int(tile)]
    return str(Move.play(int(tile), side, low))  # the engine rejects it


def _sheet_of(hand: Hand, played: RoundLog) -> dict[str, JSON]:
    """Return a hand in the format of `dominoes.tabletop.sheets`."""
    return {
        "leader": hand.dealt.leader,
        "out": hand.seat_out,
        "blocked": hand.seat_out is None,
        "held": [{"tiles": tiles_to_json(hand.held_tiles(seat))} for seat in range(hand.players)],
        "moves": list(played.moves),
        "deal": [tiles_to_json(tiles) for tiles in hand.dealt.hands],
        "seed": played.seed.hex(),
    }


def tiles_to_json(held: int) -> list[str]:
    return [write_tile(tile) for tile in bits(held)]
