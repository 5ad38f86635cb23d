"""Highest card: a small but complete test game with a referee and a game table.

In each hand every seat shows a different card from 1 to `highest`. The highest card scores its
difference to the lowest. The first player with `target` points wins the match. With `partners`,
seats 0 and 2 play against seats 1 and 3.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from api.types import JSON
from fairness import canonical
from leagues.games import (
    Game,
    Judgement,
    MoveRefused,
    Objection,
    Position,
    Profile,
    RoundLog,
    RuleOption,
    RulesRefused,
    games,
)

KEY = "highest"
DEFAULTS = {"highest": 13, "target": 10, "partners": False}


def normalise(options: Mapping[str, JSON]) -> dict[str, JSON]:
    for name in options:
        if name not in DEFAULTS:
            raise RulesRefused(f"There is no option {name}.", name)
    rules: dict[str, Any] = {**DEFAULTS, **options}
    if not isinstance(rules["target"], int) or not 1 <= rules["target"] <= 1000:
        raise RulesRefused("The target is from 1 to 1000.", "target")
    return rules


def digest(rules: JSON) -> str:
    return sha256(canonical(rules)).hexdigest()


def sides(rules: JSON, seats: int) -> tuple[int, ...]:
    return (0, 1, 0, 1) if rules["partners"] else tuple(range(seats))


class CardReferee:
    """Referee that adds up hands.

    A scoresheet is `{"hands": [[4, 9], ...]}` with cards by seat, or `{"score": [10, 3]}`.
    """

    def judge(
        self, *, rules: JSON, seats: int, sheet: JSON, names: Sequence[str] = ()
    ) -> Judgement:
        if isinstance(sheet, dict) and "score" in sheet:
            return self._trusted(rules, seats, sheet["score"])
        hands = sheet.get("hands") if isinstance(sheet, dict) else None
        if not isinstance(hands, list):
            return _refused(seats, Objection(path="hands", sentence="There are no hands."))
        return self._counted(rules, seats, hands)

    def _trusted(self, rules: JSON, seats: int, score: Any) -> Judgement:
        if not isinstance(score, list) or len(score) != seats:
            return _refused(seats, Objection(path="score", sentence="A score for each seat."))
        if any(type(points) is not int or not 0 <= points <= 10**6 for points in score):
            return _refused(seats, Objection(path="score", sentence="Points are 0 or more."))
        return _judged(rules, score, "score")

    def _counted(self, rules: JSON, seats: int, hands: list[Any]) -> Judgement:
        of_side = sides(rules, seats)
        points = [0] * seats
        for number, hand in enumerate(hands):
            wrong = _wrong(hand, seats, rules["highest"])
            if wrong:
                return _refused(seats, Objection(path=f"hands/{number}", sentence=wrong))
            best = of_side[hand.index(max(hand))]
            for seat in range(seats):
                points[seat] += (max(hand) - min(hand)) * (of_side[seat] == best)
        return _judged(rules, points, "sheet")


def _wrong(hand: Any, seats: int, highest: int) -> str:
    if not isinstance(hand, list) or len(hand) != seats:
        return "A card for each seat."
    if any(type(card) is not int or not 1 <= card <= highest for card in hand):
        return f"Cards are from 1 to {highest}."
    return "" if len(set(hand)) == seats else "Two seats show the same card."


def _refused(seats: int, objection: Objection) -> Judgement:
    return Judgement(
        points=(0,) * seats, places=(), over=False, evidence="sheet", objections=(objection,)
    )


def _judged(rules: JSON, points: Sequence[int], evidence: str) -> Judgement:
    over = max(points) >= rules["target"]
    order = sorted(set(points), reverse=True)
    places = tuple(sum(other > mine for other in points) + 1 for mine in points)
    assert order
    return Judgement(
        points=tuple(points), places=places if over else (), over=over, evidence=evidence
    )


class NoTable:
    """Placeholder for the game table of highest card, because this game cannot be played on the
    site.
    """

    template = ""

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        raise MoveRefused("Highest card is played with real cards.")

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Position:
        raise MoveRefused("Highest card is played with real cards.")

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> Position:
        raise MoveRefused("Highest card is played with real cards.")

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> Sequence[str]:
        raise MoveRefused("Highest card is played with real cards.")

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        raise MoveRefused("Highest card is played with real cards.")

    def scene(self, position: Position, *, seat: int | None, **extra: Any) -> Mapping[str, Any]:
        return {}

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        return {"hands": []}

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        return []


HIGHEST = Game(
    key=KEY,
    name="Highest card",
    referee=CardReferee(),
    table=NoTable(),
    profiles=[
        Profile(key="plain", name="Plain", summary="To 10.", options={}),
        Profile(key="long", name="Long", summary="To 50.", options={"target": 50}),
        Profile(key="pairs", name="Pairs", summary="Two and two.", options={"partners": True}),
    ],
    options=[RuleOption(key="target", label="Target", low=1, high=1000, default=10)],
    bots=[],
    stand_in="",
    normalise=normalise,
    digest=digest,
    seat_counts=lambda rules: (4,) if rules["partners"] else (2, 3, 4, 5, 6),
    sides=sides,
    describe=lambda rules: [f"to {rules['target']}"],
    hand_in="",
    rules_page="",
    round_name="hand",
)


def register() -> None:
    """Register the game once in a process."""
    if games.find_game(KEY) is None:
        games.register(HIGHEST)
