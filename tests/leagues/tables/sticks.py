"""Sticks: a small but complete test game with hidden numbers and chance within a round.

The seed of a round gives a pile of 6 to 9 sticks and a secret number of three digits for each seat.
The players take one to three sticks in turn. After each move a die decides whether one stick is put
back, at most twice a round. The player who takes the last stick scores 1; `target` points win. With
`threes`, taking three sticks scores 1 at once. The secrets have no use in the game: tests check
that no stream to another player contains them.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from api.types import JSON
from fairness import Seed, canonical
from leagues.games import (
    Game,
    Judgement,
    MoveRefused,
    Position,
    Profile,
    RoundLog,
    RulesRefused,
    games,
)

KEY = "sticks"
MOST = 3


@dataclasses.dataclass(frozen=True)
class Pile:
    """A position: remaining sticks, secrets and points."""

    seats: int
    target: int
    threes: bool
    turn: int | None = None
    made: int = 0
    left: int = 0
    put_back: int = 0
    secrets: tuple[int, ...] = ()
    points: tuple[int, ...] = ()

    @property
    def round_over(self) -> bool:
        return self.turn is None

    @property
    def match_over(self) -> bool:
        return max(self.points) >= self.target

    @property
    def places(self) -> tuple[int, ...]:
        if not self.match_over:
            return ()
        return tuple(1 + sum(other > own for other in self.points) for own in self.points)


def dealt(before: Pile, number: int, seed: bytes) -> Pile:
    chance = Seed(seed).chance(f"round/{number}")
    return dataclasses.replace(
        before,
        turn=(number - 1) % before.seats,
        made=0,
        put_back=0,
        left=6 + chance.below(4),
        secrets=tuple(101 + 9 * chance.below(99) + seat for seat in range(before.seats)),
    )


def pile_after(pile: Pile, number: int, seed: bytes, text: str) -> Pile:
    if pile.turn is None:
        raise MoveRefused("The round is over.", "S-3")
    if not text.isdecimal() or not 1 <= int(text) <= min(MOST, pile.left):
        raise MoveRefused(f"You cannot take {text} of {pile.left}.", "S-2")
    left, made, turn = pile.left - int(text), pile.made + 1, pile.turn
    if pile.threes and text == "3":
        pile = scored(pile)
    if not left:
        return dataclasses.replace(scored(pile), turn=None, made=made, left=0)
    back = pile.put_back < 2 and Seed(seed).chance(f"round/{number}/die/{made}").roll() == 1
    return dataclasses.replace(
        pile,
        turn=(turn + 1) % pile.seats,
        made=made,
        left=left + back,
        put_back=pile.put_back + back,
    )


def scored(pile: Pile) -> Pile:
    points = tuple(p + (s == pile.turn) for s, p in enumerate(pile.points))
    return dataclasses.replace(pile, points=points)


class SticksTable:
    template = "sticks/_table.html"

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        return {"rules": rules, "seats": seats, "round": len(rounds) + 1}

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Pile:
        pile = Pile(seats, rules["target"], rules["threes"], points=(0,) * seats)
        for played in rounds:
            pile = dealt(pile, played.number, played.seed)
            for text in played.moves:
                pile = pile_after(pile, played.number, played.seed, text)
        return pile

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> Pile:
        pile = self.restore(rules=rules, seats=seats, rounds=rounds)
        return pile_after(pile, rounds[-1].number, rounds[-1].seed, move)

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> tuple[str, ...]:
        if not fields.get("take"):
            raise MoveRefused("Take something.")
        return (fields["take"],)

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        if bot == "broken":
            raise RuntimeError("This bot is broken.")
        left = self.restore(rules=rules, seats=seats, rounds=rounds).left
        return str(1 + Seed(seed).chance("bot").below(min(MOST, left)))

    def scene(self, position: Position, *, seat: int | None, **extra: Any) -> Mapping[str, Any]:
        assert isinstance(position, Pile)
        secrets = position.secrets
        return {
            "pile": position.left,
            "secret": secrets[seat] if secrets and seat is not None else None,
        }

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        return {"points": list(self.restore(rules=rules, seats=seats, rounds=rounds).points)}

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        try:
            self.restore(rules=rules, seats=seats, rounds=rounds)
        except MoveRefused as refused:
            return [str(refused)]
        return []


class SticksReferee:
    def judge(
        self, *, rules: JSON, seats: int, sheet: JSON, names: Sequence[str] = ()
    ) -> Judgement:
        pile = Pile(seats, rules["target"], rules["threes"], points=tuple(sheet["points"]))
        return Judgement(
            points=pile.points, places=pile.places, over=pile.match_over, evidence="log"
        )


def normalise(options: Mapping[str, JSON]) -> dict[str, JSON]:
    rules = {"target": 2, "threes": False, **options}
    if set(rules) != {"target", "threes"} or not 1 <= rules["target"] <= 99:
        raise RulesRefused("The target is from 1 to 99.", "target")
    return rules


STICKS = Game(
    key=KEY,
    name="Sticks",
    referee=SticksReferee(),
    table=SticksTable(),
    profiles=[
        Profile(key="short", name="Short", summary="To 1.", options={"target": 1}),
        Profile(key="usual", name="Usual", summary="To 2.", options={}),
        Profile(key="long", name="Long", summary="To 50.", options={"target": 50}),
        Profile(key="threes", name="Threes", summary="", options={"target": 50, "threes": True}),
    ],
    options=[],
    bots=[("quick", "Quick"), ("broken", "Broken")],
    stand_in="quick",
    normalise=normalise,
    digest=lambda rules: sha256(canonical(rules)).hexdigest(),
    seat_counts=lambda rules: (2, 3, 4),
    sides=lambda rules, seats: tuple(range(seats)),
    describe=lambda rules: [f"to {rules['target']}"],
    hand_in="",
    rules_page="",
    round_name="round",
)


def register() -> None:
    """Register the game once in a process."""
    if games.find_game(KEY) is None:
        games.register(STICKS)
