"""One day of the game, from the morning to the evening (Rulings E-1 and E-3 to E-9)."""

from __future__ import annotations

import pytest

from eltoro.engine import (
    PROFILES,
    Charged,
    Dealt,
    DecisionKind,
    DestinationsLaid,
    Discarded,
    EffectPaid,
    Event,
    FirstTaken,
    Game,
    Matched,
    Move,
    Phase,
    Placed,
    Rules,
    Scored,
    Shuffled,
    places_of,
    random_move,
)
from eltoro.engine.day import begin_day, end_step
from fairness import Seed
from tests.eltoro.engine.table import RULES, SEED, bulls, events_of_move, load, runners, table

BEFORE = "day 1 step 1 cards first a"


def only_step(town: str, dice: tuple[int, ...] = ()) -> Game:
    """Play one step and return the game.

    The first player still holds a card, so the game waits for this player after the step.
    """
    game = table(town, "lottery siesta / siesta", dice)
    game.hands[1] = []
    game.first = 1  # the token then returns to the player with a card
    end_step(game)
    return game


@pytest.mark.parametrize(
    ("tokens", "own", "other"),
    [
        ("", "molino:2 naranjo:3 pozo:4 pozo:1", "naranjo:5"),
        ("tokens fuente/even=a", "molino:2 molino:3 pozo:4 pozo:1", "naranjo:5"),
        ("tokens fuente/odd=a", "naranjo:2 naranjo:3 pozo:4 pozo:1", "naranjo:5"),
        ("tokens fuente/odd=a fuente/even=a", "molino:2 naranjo:3 pozo:4 pozo:1", "naranjo:5"),
        ("tokens fuente/even=b fuente/odd=a", "naranjo:2 naranjo:3 pozo:4 pozo:1", "molino:5"),
        (
            "tokens torre/odd=a mirador/even=a",
            "molino:2 naranjo:3 iglesia:4 muralla:1",
            "naranjo:5",
        ),
    ],
)
def test_ruling_e_5_runner_follows_its_parity_or_a_token_of_its_owner(
    tokens: str, own: str, other: str
) -> None:
    town = f"{BEFORE} | a fuente:2 fuente:3 torre:4 mirador:1 | b fuente:5 | T torre:1 | {tokens}"
    game = only_step(town)
    assert (runners(game), runners(game, 1)) == (own, other)
    assert bulls(game) == "iglesia:1"


def test_ruling_e_5_bulls_ignore_direction_tokens() -> None:
    game = only_step(f"{BEFORE} | a x | b x | T fuente:2 | tokens fuente/odd=a fuente/even=b")
    assert bulls(game) == "molino:2"


@pytest.mark.parametrize(
    ("dice", "own"),
    [((1,), "molino:1"), ((2,), "x"), ((4,), "x"), ((6,), "molino:6")],
)
def test_ruling_e_6_runner_that_rolls_the_face_of_a_bull_there_is_trampled(
    dice: tuple[int, ...], own: str
) -> None:
    game = only_step(f"{BEFORE} | a fuente:2 | b torre:3 | T fuente:2 fuente:4", dice)
    assert (runners(game), runners(game, 1)) == (own, "iglesia:3")


def test_ruling_e_6_matching_dice_are_rolled_in_the_prescribed_order() -> None:
    """The order is that of the spaces as listed (naranjo before molino), then of players in turn
    order, then of runner numbers.
    """
    town = f"{BEFORE} | a fuente:2 fuente:3 fuente:2 | b fuente:2 mercado:2 | T fuente:2 fuente:3"
    game = table(town, "lottery siesta / ", (1, 3, 4, 5, 6))
    told = events_of_move(game, "play lottery")
    matched = next(event for event in told if isinstance(event, Matched))
    assert matched.runners == ((0, 1), (0, 0), (0, 2), (1, 0), (1, 1))
    charged = [event for event in told if isinstance(event, Charged)]
    assert [event.after.face for event in charged] == [1, 3, 4, 5, 6]
    assert not any(event.trampled for event in charged)


def test_ruling_e_6_order_of_dice_uses_the_turn_order_of_the_present_step() -> None:
    town = f"{BEFORE.replace('first a', 'first b')} | a fuente:2 | b fuente:2 | T fuente:2"
    game = table(town, " / lottery siesta", (2, 5))
    told = events_of_move(game, "play lottery")
    assert next(event for event in told if isinstance(event, Matched)).runners == ((1, 0), (0, 0))
    assert (game.town().runners[1], runners(game)) == ((None,), "molino:5")


def test_ruling_e_6_runner_that_matches_no_bull_is_not_rolled() -> None:
    game = only_step(f"{BEFORE} | a fuente:4 | b fuente:6 | T torre:4", (1, 1))
    assert (runners(game), runners(game, 1)) == ("molino:4", "molino:6")


LAST = "day 1 step 3 cards first a"


@pytest.mark.parametrize(
    ("own", "laid", "points", "effects"),
    [
        ("lonja:2 lonja:4", "bank restaurant casino nightclub pier", 6, ()),
        ("arenal:2 arenal:4", "bank restaurant casino nightclub pier", 8, ("nightclub",)),
        ("lonja:1 arenal:1 arenal:3", "bookstore bank casino nightclub bookstore", 6,
         ("bookstore", "bookstore")),
        ("x x", "bank restaurant casino nightclub pier", 0, ()),
    ],
)  # fmt: skip
def test_ruling_e_7_every_runner_scores_and_each_effect_counts_once(
    own: str, laid: str, points: int, effects: tuple[str, ...]
) -> None:
    game = table(f"{LAST} | a {own} | b x | T rambla:1\nlaid {laid}", "lottery / siesta")
    game.hands[1] = []
    game.hands[0] = [game.tables.by_key["lottery"]] * 2
    worth = {kind.key: kind.points for kind in RULES.destinations}
    told = events_of_move(game, "play lottery")
    expected = sum(worth[laid.split()[slot]] for slot in arrivals(own))
    assert Scored(0, expected) in told
    if worth["restaurant"] == 3 and worth["nightclub"] == 4 and worth["bookstore"] == 2:
        assert expected == points  # the rulebook's example, if points are unchanged
    assert game.phase is Phase.EVENING
    assert game.ask is DecisionKind.DISCARD
    assert tuple(RULES.destinations[index].key for index in game.effects[0]) == effects


def arrivals(own: str) -> list[int]:
    ways = {"lonja": (1, 0), "rambla": (1, 2), "faro": (2, 3), "arenal": (3, 4)}
    dice = [die.split(":") for die in own.split() if die != "x"]
    return [ways[space][int(face) % 2] for space, face in dice]


def test_ruling_e_6_runner_trampled_at_a_destination_scores_nothing() -> None:
    game = table(
        f"{LAST} | a lonja:2 | b lonja:4 | T lonja:2\nlaid bank nightclub casino pier bank",
        "lottery siesta / siesta", (2,),
    )  # fmt: skip
    game.hands[1] = []
    game.play(Move.read("play lottery"))
    assert game.effects[0] == ()
    assert len(game.effects[1]) == 1


EVENING = "day 1 step 4 evening first b | a d1:2 | b d1:4 | c x | T d2:1"


def test_ruling_e_8_all_players_discard_in_turn_order_before_the_deal() -> None:
    deck = " ".join(["siesta"] * 20)
    game = table(EVENING, "elbow scare / nudge / crush crush", (), deck)
    assert game.turn == 1
    game.play(Move.read("discard nudge"))
    assert game.turn == 2
    told = events_of_move(game, "discard")
    assert told == [Discarded(2, 0)]
    told = events_of_move(game, "discard elbow")
    assert [event for event in told if isinstance(event, Dealt)] == [
        Dealt(1, 5), Dealt(2, 3), Dealt(0, 4),
    ]  # fmt: skip
    assert [game.rules.cards[index].key for index in game.discards] == ["nudge", "elbow"]
    assert game.day == 2


def test_ruling_e_8_discards_are_shuffled_only_when_the_deck_is_empty() -> None:
    game = table(EVENING, "elbow / scare / nudge", (), "siesta siesta")
    for move in ("discard scare", "discard nudge"):
        game.play(Move.read(move))
    told = events_of_move(game, "discard elbow")
    assert Shuffled(3, again=True) in told
    assert [event.count for event in told if isinstance(event, Dealt)] == [5, 0, 0]
    assert game.deck == [] == game.discards


def test_ruling_e_8_player_with_more_cards_than_the_limit_keeps_them() -> None:
    text = "destination,count,points,effect,amount,name,name_es\ninn,10,1,card,-9,Inn,Venta\n"
    rules = Rules(destinations=text)
    game = table(
        EVENING + " | effects a=inn", "elbow scare / nudge / crush", (), "siesta " * 30, rules
    )
    for _ in range(2):
        game.play(Move.read("discard"))
    told = events_of_move(game, "discard")
    assert [event.count for event in told if isinstance(event, Dealt)] == [4, 4, 0]


def test_ruling_e_7_next_in_turn_order_at_the_festival_gets_the_first_player_token() -> None:
    game = table(EVENING + " | effects a=festival c=festival", "/ nudge /", (), "siesta " * 30)
    told = events_of_move(game, "discard")
    assert FirstTaken(2) in told
    assert [event.seat for event in told if isinstance(event, Dealt)] == [2, 0, 1]
    assert game.first == 2


NIGHT = "destination,count,points,effect,amount,name,name_es\n"


@pytest.mark.parametrize(
    ("effect", "amount", "runners_each", "bulls_out"),
    [("runner", "-1", 8, 6), ("runner", "2", 11, 6), ("runner", "-9", 1, 6), ("bull", "1", 9, 8),
     ("bull", "4", 9, 10)],
)  # fmt: skip
def test_ruling_e_1_and_e_7_effects_change_the_number_of_runners_and_bulls(
    effect: str, amount: str, runners_each: int, bulls_out: int
) -> None:
    rules = Rules(destinations=f"{NIGHT}inn,10,1,{effect},{amount},Inn,Venta\n")
    game = Game.new(rules, 2, SEED)
    game.day, game.effects = 2, [(0,), (0,)]
    begin_day(game)
    while game.ask is DecisionKind.START:
        game.play(random_move(game, SEED.chance("ones")))
    assert game.roster.counts == (runners_each, runners_each)
    assert len(game.bulls) == bulls_out


def test_ruling_e_3_events_of_the_morning_happen_in_order() -> None:
    told: list[Event] = []
    game = Game.new(RULES, 3, SEED, lambda event, _: told.append(event))
    names = [type(event).__name__ for event in told]
    assert names[:14] == ["Shuffled", *["Dealt"] * 3, "DestinationsLaid", *["BullRolled"] * 5,
                          *["RunnersRolled"] * 3, *names[13:14]]  # fmt: skip
    assert [die.space for die in game.town().bulls][:5] == list(range(5))
    chance = SEED.chance("day/1")
    cards = list(game.tables.destination_cards)
    chance.shuffle(cards)
    assert DestinationsLaid(tuple(cards[:4:-1])) in told
    faces = [chance.roll() for _ in range(5 + 24)]
    assert [die.face for die in game.town().bulls][:5] == faces[:5]
    rolled = [die for row in game.town().runners for die in row if die]
    assert [die.face for die in rolled] == faces[5:]
    assert all(die.space == (die.face - 2 if die.face > 1 else -1) for die in rolled)


def test_ruling_e_3_sixth_bull_comes_after_the_ones_and_is_rolled_until_it_is_no_1() -> None:
    morning = "day 1 step 0 morning first b | a 1 2:2 | b 2:2 1 | T 2:1 3:1 4:1 5:1 6:1"
    game = table(morning, "siesta / siesta", (1, 1, 4))
    assert events_of_move(game, "start b2>6") == [Placed(1, ((1, 4),))]
    assert game.turn == 0
    game.play(Move.read("start a1>3"))
    assert (runners(game), runners(game, 1)) == ("3:1 2:2", "2:2 6:1")
    assert bulls(game).endswith("6:1 4:4")
    assert (game.turn, game.ask, game.phase) == (1, DecisionKind.CARD, Phase.CARDS)


def test_ruling_e_4_first_player_token_moves_every_step_and_empty_hands_pass() -> None:
    game = Game.new(PROFILES["one-day"], 4, SEED)
    while game.ask is DecisionKind.START:
        game.play(random_move(game, SEED.chance("ones")))
    game.hands = [game.hands[0], [], game.hands[2], []]
    turns = []
    while game.turn is not None:
        turns.append(game.turn)
        game.play(Move.play(game.rules.cards[game.hands[game.turn][0]].key))
    assert turns == [0, 2, 2, 0, 2, 0, 0, 2]
    assert (game.first, game.is_over, game.ask) == (0, True, None)


def test_ruling_e_4_day_without_cards_runs_without_decisions() -> None:
    game = table("day 1 step 0 cards first a | a 2:2 3:3 | b 6:6 | T 4:1 5:5")
    game.deck = [game.tables.by_key["siesta"]] * 10
    end_step(game)  # without cards in hand, the day runs to its end and the next deal
    assert game.day == 2
    assert game.town().hand_sizes == (5, 5)


@pytest.mark.parametrize(
    ("totals", "last", "places"),
    [
        ((9, 4, 7), (0, 0, 0), (1, 3, 2)),
        ((9, 9, 7), (3, 4, 9), (2, 1, 3)),
        ((9, 9, 9), (3, 3, 1), (1, 1, 3)),
        ((-2, 0), (0, 0), (2, 1)),
    ],
)
def test_ruling_e_9_places_follow_totals_and_then_points_of_the_last_day(
    totals: tuple[int, ...], last: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert places_of(totals, last) == places


def test_ruling_e_7_points_of_an_effect_count_on_the_day_they_are_paid() -> None:
    rules = Rules(destinations=f"{NIGHT}inn,10,1,points,3,Inn,Venta\n")
    game = Game.new(rules, 2, SEED)
    told: list[Event] = []
    game.day, game.effects, game.first = 2, [(0,), (0, 0)], 1
    game.witness = lambda event, _: told.append(event)
    begin_day(game)
    paid = [event for event in told if isinstance(event, EffectPaid)]
    assert paid == [EffectPaid(1, 0, None, 3), EffectPaid(1, 0, None, 3), EffectPaid(0, 0, None, 3)]
    assert game.day_points == [[0, 0], [3, 6]]


def test_ruling_e_7_effects_reached_on_the_last_day_are_not_paid() -> None:
    game = Game.new(PROFILES["one-day"], 2, Seed(bytes([5] * 32)))
    game.play_out(lambda: 0.2)
    assert game.effects == [(), ()]
    assert len(game.day_points) == 1


def test_dice_of_a_day_come_from_the_random_numbers_of_that_day() -> None:
    game = table(f"{BEFORE} | a torre:2 | b x | T torre:1")
    game.chance = SEED.chance("many")
    load(game, ())
    thrown = b"".join(game.throw(count) for count in (1, 5, 90, 2, 300, 7))
    chance = SEED.chance("many")
    assert list(thrown) == [chance.roll() for _ in thrown]
