"""Play the same game in the engine and in the oracle, and compare them after every move."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from eltoro import engine
from fairness import Chance, Seed
from tests.eltoro.oracle.choices import is_legal, legal_targets, thinkable_targets
from tests.eltoro.oracle.course import ASKED, play
from tests.eltoro.oracle.odds import odds
from tests.eltoro.oracle.shelf import Setting
from tests.eltoro.oracle.strolling import some_move
from tests.eltoro.oracle.targets import is_for, most_targets
from tests.eltoro.oracle.town import Town, bulls_at, number, owner, places, runners_at
from tests.eltoro.oracle.translation import engine_rules, oracle_position, visible_position

# Events after which engine and oracle are compared between two moves, with the oracle's name for
# that moment.
NOTED = {
    engine.RunnersMoved: "runners",
    engine.BullsMoved: "bulls",
    engine.TokenPassed: "token",
    engine.DayOver: "score",
}


class BothTowns:
    """One game, played at the same time in the engine and in the oracle."""

    def __init__(self, setting: Setting) -> None:
        self.rules = engine_rules(setting)
        self.looked_at: list[tuple[str, dict[str, object]]] = []
        self.engine = engine.Game.new(self.rules, setting.players, Seed(setting.seed))
        self.course = setting.begin()

    @property
    def town(self) -> Town:
        """The position in the oracle."""
        return self.course.town

    def witness(self, event: engine.Event, game: engine.GameState) -> None:
        """Store the engine's position after the events in `NOTED`."""
        name = NOTED.get(type(event))
        if name:
            self.looked_at.append((name, oracle_position(self.rules, game.town())))

    def play(self, text: str) -> None:
        """Make the same move in both and compare the phases that follow."""
        self.looked_at, before = [], len(self.course.pictures)
        self.engine.play(engine.Move.read(text), witness=self.witness)
        play(self.course, text)
        pictures = [
            (name, visible_position(town))
            for name, town in self.course.pictures[before:]
            if name in NOTED.values()
        ]
        assert [name for name, _ in self.looked_at] == [name for name, _ in pictures]
        for (_, theirs), (name, ours) in zip(self.looked_at, pictures, strict=True):
            assert differences(theirs, ours) == {}, name

    def compare(self) -> None:
        """Compare all visible things, all hands, and which player must decide what."""
        town = self.engine.town()
        assert differences(oracle_position(self.rules, town), visible_position(self.town)) == {}
        assert town.phase == self.town.phase
        assert town.step == self.town.step - (self.town.phase == "cards")
        assert self.engine.turn == (self.town.waiting[0] if self.town.waiting else None)
        assert self.engine.ask == (ASKED[self.town.phase] if self.town.waiting else None)
        assert self.engine.is_over == (self.town.phase == "over")
        self.compare_hands()
        within_bounds(self.town)

    def compare_hands(self) -> None:
        """Check that every player sees only its own cards and a spectator none."""
        for seat in (*range(self.town.players), None):
            view = self.engine.view(seat)
            held = sorted(self.rules.cards[card].key for card in view.hand)
            assert held == ([] if seat is None else sorted(self.town.hands[seat]))
            assert (view.turn, view.ask) == (self.engine.turn, self.engine.ask)

    def refuses(self, text: str) -> bool:
        """Return whether the engine rejects a move.

        A rejected move must have a message and must not change the game.
        """
        table = self.engine.copy()
        before = changeable_state(self.rules, table)
        refusal = refusal_of(table, text)
        assert refusal is None or (str(refusal) and before == changeable_state(self.rules, table))
        return refusal is not None

    def try_all_targets(self, chance: Chance, most: int) -> None:
        """Check that engine and oracle reject the same targets of a card."""
        card = chance.pick(self.town.hands[self.town.waiting[0]])
        thinkable = chance.shuffled(thinkable_targets(self.town, self.town.cards[card]))[:most]
        for target in thinkable:
            text = f"play {card} {target}"
            assert self.refuses(text) != is_legal(self.town, text), text

    def compare_offers(self, card: str) -> None:
        """Check that the engine offers exactly the single targets that are legal and have an
        effect.
        """
        seat = self.town.waiting[0]
        keys = [kind.key for kind in self.rules.cards]
        offer = engine.offers(self.engine.view(seat), keys.index(card))
        assert offer.up_to == most_targets(self.town.cards[card])
        theirs = written_out(offer, self.town.cards[card]["effect"])
        ours = [aim for aim in legal_targets(self.town, card) if self.does_anything(card, aim)]
        assert sorted(theirs) == sorted(ours)

    def does_anything(self, card: str, target: str) -> bool:
        """Return whether a card that affects a whole space would change a runner or bull on this
        space.
        """
        line, seat = self.town.cards[card], self.town.waiting[0]
        if line["effect"] == "roll-space":
            there = runners_at(self.town, target[1:])
            return any(is_for(line, seat, runner) for runner in there)
        return line["effect"] != "bull-roll-space" or bool(bulls_at(self.town, target[1:]))

    def compare_odds(self, runner: str) -> None:
        """Compare the chances of one runner if no more cards are played."""
        ours = odds(self.town, runner)
        theirs = engine.odds(self.engine.town(), self.rules, owner(runner), number(runner) - 1)
        assert close(theirs.arrives, ours.arrives.values())
        assert close([theirs.trampled], [sum(ours.trampled, Fraction(0))])
        assert close([theirs.points], [ours.points])
        assert close(theirs.by_step, ours.trampled)

    def compare_end(self) -> None:
        """Compare the places at the end of the game (Ruling E-9)."""
        assert list(self.engine.places) == places(self.town)


def refusal_of(game: engine.Game, text: str) -> engine.EngineError | None:
    """Make a move in the engine and return its error, or `None` if the move is legal."""
    try:
        game.play(engine.Move.read(text))
    except (engine.NotationError, engine.IllegalMove) as refusal:
        return refusal
    return None


def written_out(offer: engine.Offer, effect: str) -> list[str]:
    """Return all targets of an offer as text."""
    if effect in ("turn", "bull-turn"):
        return [f"{name}{sign}" for name, ways in offer.turns.items() for sign in ways]
    if effect == "set":
        return [f"{name}={face}" for name in offer.runners for face in range(1, 7)]
    if effect == "swap":
        return [f"{own}~{other}" for own in offer.runners for other in offer.others]
    if effect == "bull-lead":
        return [f"{bull}>{to}" for bull, ways in offer.neighbours.items() for to in ways]
    if effect == "sign" and offer.own_signs:
        return [f"{own}>{sign}" for own in offer.own_signs for sign in offer.signs]
    return [*offer.runners, *offer.bulls, *offer.signs, *(f"@{space}" for space in offer.spaces)]


def changeable_state(rules: engine.Rules, game: engine.Game) -> tuple[object, ...]:
    """Return everything that a move could change, including hands and the next decision."""
    hands = [game.view(seat).hand for seat in range(game.players)]
    return oracle_position(rules, game.town()), hands, list(game.log), game.turn, game.ask


def differences(theirs: dict[str, object], ours: dict[str, object]) -> dict[str, object]:
    """Return all values that differ between engine and oracle, by name."""
    return {name: (theirs[name], ours[name]) for name in ours if theirs[name] != ours[name]}


def close(some: Iterable[float], others: Iterable[Fraction]) -> bool:
    """Return whether the numbers are equal except for rounding."""
    return all(abs(one - other) < 1e-9 for one, other in zip(some, others, strict=True))


def within_bounds(town: Town) -> None:
    """Check limits that hold at any time in a game (Rulings E-1 and E-5)."""
    owners = list(town.tokens.values())
    assert all(owners.count(seat) <= 3 for seat in range(town.players))
    assert len(town.bulls) <= 10
    assert all(1 <= die.face <= 6 for die in [*town.runners.values(), *town.bulls.values()])


def play_side_by_side(setting: Setting, chance: Chance) -> BothTowns:
    """Play a whole game of random moves and compare after each."""
    both = BothTowns(setting)
    both.compare()
    while both.town.waiting:
        both.play(some_move(both.town, chance))
        both.compare()
    both.compare_end()
    return both
