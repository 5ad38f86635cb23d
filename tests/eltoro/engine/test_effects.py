"""The effect of every action card, one case each (Rulings E-4 to E-6 and E-8)."""

from __future__ import annotations

import pytest

from eltoro.engine import (
    BullAdded,
    BullLed,
    CardPlayed,
    Die,
    DieRolled,
    DieTurned,
    Drew,
    Gained,
    Game,
    Move,
    Rules,
    TokenPlaced,
    TokenRemoved,
)
from eltoro.engine.rules import DATA
from tests.eltoro.engine.table import bulls, events_of_move, runners, table

HEADING = "card,count,effect,amount,whose,round,name,name_es\n"
KINDS = (
    "roll,roll,3,any,", "roll-own,roll,2,own,", "elbow,roll,1,other,", "crush,roll-space,,any,",
    "regroup,roll-space,,own,", "shove,roll-space,,other,", "siesta,roll-all,,own,",
    "step,turn,2,any,", "wheel,turn,2,any,yes", "flip,flip,2,any,", "odd,odd,3,any,",
    "even,even,3,any,", "eye,set,2,own,", "hats,swap,2,own,", "fire,bull-roll,2,,",
    "band,bull-roll-space,,,", "cape,bull-turn,2,,", "whirl,bull-turn,1,,yes",
    "about,bull-flip,2,,",
    "bell,bull-lead,2,,", "stray,bull-add,2,,", "sign,sign,2,,", "sweep,unsign,2,,",
    "churros,draw,2,,", "lottery,points,2,,", "dare,brave,2,,",
)  # fmt: skip
REST = 52 - len(KINDS) + 1
EVERY = Rules(
    cards=HEADING
    + "".join(
        f"{key},{REST if key == 'churros' else 1},{effect},{key},{key}\n"
        for key, effect in (kind.split(",", 1) for kind in KINDS)
    )
)
HEAD = "day 1 step 1 cards first a"
TOWN = f"{HEAD} | a fuente:4 mercado:1 torre:6 | b fuente:3 fuente:6 x | T fuente:5 mirador:6"
LAST = "mirador"


def game_of(card: str, *dice: int, town: str = TOWN, deck: str = "") -> Game:
    return table(town, f"{card} siesta / siesta", dice, deck, EVERY)


@pytest.mark.parametrize(
    ("move", "dice", "own", "other"),
    [
        ("roll", (), "fuente:4 mercado:1 torre:6", "fuente:3 fuente:6 x"),
        ("roll a1 b1 a3", (2, 5, 1), "fuente:2 mercado:1 torre:1", "fuente:5 fuente:6 x"),
        ("roll-own a3 a1", (1, 2), "fuente:2 mercado:1 torre:1", "fuente:3 fuente:6 x"),
        ("elbow b2", (4,), "fuente:4 mercado:1 torre:6", "fuente:3 fuente:4 x"),
        ("crush @fuente", (1, 2, 3), "fuente:1 mercado:1 torre:6", "fuente:2 fuente:3 x"),
        ("crush @mirador", (), "fuente:4 mercado:1 torre:6", "fuente:3 fuente:6 x"),
        ("regroup @fuente", (1,), "fuente:1 mercado:1 torre:6", "fuente:3 fuente:6 x"),
        ("shove @fuente", (1, 2), "fuente:4 mercado:1 torre:6", "fuente:1 fuente:2 x"),
        ("siesta", (3, 4, 5), "fuente:3 mercado:4 torre:5", "fuente:3 fuente:6 x"),
        ("step a1+ b2-", (), "fuente:5 mercado:1 torre:6", "fuente:3 fuente:5 x"),
        ("wheel a3+ a2-", (), "fuente:4 mercado:6 torre:1", "fuente:3 fuente:6 x"),
        ("flip a1 a2", (), "fuente:3 mercado:6 torre:6", "fuente:3 fuente:6 x"),
        ("odd a1 a2 a3", (), "fuente:3 mercado:1 torre:5", "fuente:3 fuente:6 x"),
        ("even a1 a2 b1", (), "fuente:4 mercado:2 torre:6", "fuente:4 fuente:6 x"),
        ("eye a1=6 a2=2", (), "fuente:6 mercado:2 torre:6", "fuente:3 fuente:6 x"),
        ("hats a1~b1 a2~b2", (), "fuente:3 mercado:6 torre:6", "fuente:4 fuente:1 x"),
    ],
)  # fmt: skip
def test_ruling_e_4_effects_of_cards_for_runners(
    move: str, dice: tuple[int, ...], own: str, other: str
) -> None:
    game = game_of(move.split(maxsplit=1)[0], *dice)
    game.play(Move.read(f"play {move}"))
    assert (runners(game), runners(game, 1)) == (own, other)
    assert game.turn == 1


@pytest.mark.parametrize(
    ("move", "dice", "shown"),
    [
        ("fire T2 T1", (1, 2), "fuente:2 mirador:1"),
        ("band @fuente", (3,), "fuente:3 mirador:6"),
        ("cape T1+ T2-", (), "fuente:6 mirador:5"),
        ("whirl T2+", (), "fuente:5 mirador:1"),
        ("about T1", (), "fuente:2 mirador:6"),
        ("bell T1>mercado T2>torre", (), "mercado:5 torre:6"),
        ("stray @torre @torre", (1, 4), "fuente:5 mirador:6 torre:1 torre:4"),
        ("stray", (), "fuente:5 mirador:6"),
    ],
)
def test_ruling_e_6_effects_of_cards_for_bulls(
    move: str, dice: tuple[int, ...], shown: str
) -> None:
    game = game_of(move.split(maxsplit=1)[0], *dice)
    game.play(Move.read(f"play {move}"))
    assert bulls(game) == shown


TOKENS = f"{TOWN} | tokens fuente/odd=b mercado/even=a"
FULL = f"{TOWN} | tokens fuente/odd=b mercado/even=a torre/even=a mirador/odd=a"


@pytest.mark.parametrize(
    ("town", "move", "tokens", "left"),
    [
        (TOWN, "sign fuente/even", "fuente/even=a", (2, 3)),
        (TOWN, "sign 3/even lonja/odd", "3/even=a lonja/odd=a", (1, 3)),
        (TOKENS, "sign fuente/odd", "fuente/odd=a mercado/even=a", (1, 3)),
        (FULL, "sign mercado/even>fuente/odd", "fuente/odd=a torre/even=a mirador/odd=a", (0, 3)),
        (TOKENS, "sweep fuente/odd", "mercado/even=a", (2, 3)),
        (TOKENS, "sweep mercado/even fuente/odd", "", (3, 3)),
        (TOKENS, "sweep", "fuente/odd=b mercado/even=a", (2, 2)),
    ],
)
def test_ruling_e_5_effects_of_cards_for_direction_tokens(
    town: str, move: str, tokens: str, left: tuple[int, ...]
) -> None:
    game = game_of(move.split(maxsplit=1)[0], town=town)
    game.play(Move.read(f"play {move}"))
    write = game.rules.board.write_sign
    found = " ".join(f"{write(sign)}={'ab'[seat]}" for sign, seat in sorted(game.tokens.items()))
    assert sorted(found.split()) == sorted(tokens.split())
    assert game.town().tokens_left == left


def test_ruling_e_8_card_being_played_cannot_be_drawn_from_the_discards() -> None:
    game = game_of("churros", deck="elbow")
    told = events_of_move(game, "play churros")
    assert Drew(0, 1) in told  # the deck had one card and there were no discards to shuffle
    assert [game.rules.cards[index].key for index in game.hands[0]] == ["siesta", "elbow"]
    assert [game.rules.cards[index].key for index in game.discards] == ["churros"]


@pytest.mark.parametrize(("card", "points"), [("lottery", 2), ("dare", 1)])
def test_ruling_e_9_points_of_a_card_count_on_the_present_day(card: str, points: int) -> None:
    game = game_of(card)
    assert Gained(0, points) in events_of_move(game, f"play {card}")
    assert game.day_points == [[points, 0]]


def test_daredevil_card_gives_points_for_runners_beside_bulls_up_to_a_limit() -> None:
    many = f"{HEAD} | a fuente:1 fuente:2 mirador:1 x | b fuente:1 | T fuente:5 mirador:6"
    game = game_of("dare", town=many)
    game.play(Move.read("play dare"))
    assert game.points == (2, 0)


@pytest.mark.parametrize(
    ("move", "event"),
    [
        ("elbow b1", DieRolled((1, 0), None, Die(5, 3), Die(5, 2))),
        ("flip a1", DieTurned((0, 0), None, Die(5, 4), Die(5, 3))),
        ("fire T1", DieRolled(None, 0, Die(5, 5), Die(5, 2))),
        ("bell T1>mercado", BullLed(0, Die(5, 5), Die(6, 5))),
        ("stray @torre", BullAdded(2, Die(7, 2))),
        ("sign fuente/odd", TokenPlaced(0, (5, 1), 1)),
        ("sweep fuente/odd", TokenRemoved(1, (5, 1))),
    ],
)  # fmt: skip
def test_playing_a_card_notifies_the_witness_of_its_effect(move: str, event: object) -> None:
    game = game_of(move.split(maxsplit=1)[0], 2, town=TOKENS)
    card = game.tables.by_key[move.split(maxsplit=1)[0]]
    assert events_of_move(game, f"play {move}") == [CardPlayed(0, card, game.log[-1]), event]


def test_every_effect_of_the_shipped_cards_is_tested() -> None:
    told = {kind.split(",")[1] for kind in KINDS}
    shipped = (DATA / "cards.csv").read_text("utf-8").splitlines()[1:]
    assert {line.split(",")[2] for line in shipped} <= told
