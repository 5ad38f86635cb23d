"""Record of a hand of Matador dominoes: the full deal, every move and the result.

With this record, anybody can check the hand after it has been played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from actas import DocumentPart
from actas.fields import digits, many, members, text, whole_number_reader, with_members
from api.types import JSON
from dominoes.engine import ENGINE_VERSION, Hand, Move, Rules, replay_hand, write_tile
from dominoes.table import replay, stake_of_hand, tiles_to_json
from dominoes.tabletop.sheets import referee
from fairness import Seed
from leagues.games import Judgement, RoundLog

MAX_POINTS: Final = 1_000_000
MAX_MOVES: Final = 2000


class HandActa:
    """Writer and checker of the records of hands, the dominoes implementation of `RoundActa`."""

    kind = "hand"
    engine = ENGINE_VERSION
    beside: Sequence[str] = ()

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """Return the seed label, the deal and the result of a stored hand, to be written into its
        record.

        Raises `MoveRefused` if a stored move is illegal.
        """
        read, leaders = Rules.from_options(rules), tuple(played.stake["leaders"])
        hand = replay(read, seats, leaders, played)
        return _draws_and_result(hand, played.number, played.stake["totals"])

    def read_round(self, document: DocumentPart, *, number: int, seats: int) -> Mapping[str, JSON]:
        """Deal and play a hand again from its record and return the recalculated record.

        The stake of the record (the published data on which the deal depends) contains the seats
        that may lead and the totals before the hand.
        """
        rules = self.read_rules(document["rules"])
        read = Rules.from_options(rules)
        sides = len(read.sides(seats))
        stake = {
            "leaders": many(whole_number_reader(0, seats - 1), seats, 1),
            "totals": many(whole_number_reader(0, MAX_POINTS), sides, sides),
        }
        fields = members(
            document,
            {
                "stake": with_members(stake),
                "seed": digits(32),
                "moves": many(with_members({"move": text()}), MAX_MOVES),
            },
        )
        leaders, totals = fields["stake"]["leaders"], fields["stake"]["totals"]
        chance = Seed(fields["seed"]).chance(_label(number))
        moves = [Move.read(entry["move"]) for entry in fields["moves"]]
        hand = replay_hand(read, seats, chance, leaders, moves)
        if hand.outcome is None:
            raise document["moves"].malformed("The hand is not over.")
        return {
            "rules": rules,
            "stake": stake_of_hand(read, seats, number, leaders, totals),
            "moves": _moves_of(hand),
            "points": list(read.by_seat(seats, hand.outcome.points)),
            **_draws_and_result(hand, number, totals),
        }

    def read_rules(self, rules: DocumentPart) -> JSON:
        """Return all options of the rules in a record.

        Raises `RulesError` for an invalid option.
        """
        return Rules.from_options(rules.options()).options()

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        """Return an empty mapping: a dominoes record needs no data besides rules and scoresheet."""
        return {}

    def judge_sheet(self, document: DocumentPart, *, names: Sequence[str]) -> Judgement:
        rules = self.read_rules(document["rules"])
        sheet = document["sheet"].value
        return referee.judge(rules=rules, seats=len(names), sheet=sheet, names=names)


ACTA: Final = HandActa()


def _label(number: int) -> str:
    return f"hand/{number}"


def _draws_and_result(hand: Hand, number: int, totals: Sequence[int]) -> dict[str, JSON]:
    """Return the deal and the result of a finished hand as JSON values.

    Tiles are sorted by number. The boneyard is in drawing order.
    """
    outcome = hand.outcome
    assert outcome is not None
    dealt = hand.dealt
    return {
        "label": _label(number),
        "deal": {
            "hands": list(map(tiles_to_json, dealt.hands)),
            "boneyard": list(map(write_tile, dealt.boneyard)),
            "leader": dealt.leader,
        },
        "result": {
            "out": outcome.out,
            "held": [tiles_to_json(hand.held_tiles(seat)) for seat in range(hand.players)],
            "pips": list(outcome.pips),
            "side_pips": list(outcome.side_pips),
            "winner": outcome.winner,
            "points": list(outcome.points),
            "totals": [had + won for had, won in zip(totals, outcome.points, strict=True)],
        },
    }


def _moves_of(hand: Hand) -> list[dict[str, JSON]]:
    again, entries = Hand(hand.rules, hand.dealt), []
    for move in hand.log:
        entries.append({"seat": again.turn, "move": str(move)})
        again.play(move)
    return entries
