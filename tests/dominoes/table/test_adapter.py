"""The adapter that makes Matador dominoes playable at game tables of the site.

A position is calculated from the stored moves by the engine alone.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from dominoes.engine import (
    PROFILES,
    IllegalMove,
    Match,
    Move,
    MoveKind,
    Rules,
    Side,
    View,
    bits,
)
from dominoes.game import GAME, OPTIONS, describe, digest, normalise, seat_counts
from fairness import Seed
from leagues.games import MoveRefused, RoundLog, RulesRefused

TABLE = GAME.table
PLAYED = [
    (key, seats) for key, rules in PROFILES.items() for seats in (rules.seats[0], rules.seats[-1])
]


def seed(number: int) -> bytes:
    return bytes([number]) * 32


def played_out(rules: Any, seats: int, bot: str = "greedy") -> list[RoundLog]:
    """Return the stored rounds of a whole match between bots."""
    rounds: list[RoundLog] = []
    while not rounds or not TABLE.restore(rules=rules, seats=seats, rounds=rounds).match_over:
        stake = TABLE.stake(rules=rules, seats=seats, rounds=rounds)
        number = len(rounds) + 1
        rounds.append(RoundLog(number=number, seed=seed(number), stake=stake, moves=()))
        rounds[-1] = _hand(rules, seats, rounds, bot)
    return rounds


def _hand(rules: Any, seats: int, rounds: Sequence[RoundLog], bot: str) -> RoundLog:
    *before, last = rounds
    while True:
        asked: dict[str, Any] = {"rules": rules, "seats": seats, "rounds": (*before, last)}
        position = TABLE.restore(**asked)
        if position.turn is None:
            return last
        move = TABLE.bot_move(**asked, bot=bot, seed=seed(7))
        after = TABLE.play(**asked, seat=position.turn, move=move)
        assert after.made == position.made + 1
        last = RoundLog(
            number=last.number, seed=last.seed, stake=last.stake, moves=(*last.moves, move)
        )


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "seats"), PLAYED)
def test_stored_match_is_replayed_with_the_leaders_and_totals_of_the_engine(
    profile: str, seats: int
) -> None:
    """The leaders (Ruling D-3) and totals (Ruling D-8) are compared after every hand."""
    rules = PROFILES[profile].options()
    rounds = played_out(rules, seats)
    match = Match(PROFILES[profile], seats)
    for kept in rounds:
        assert kept.stake["leaders"] == list(match.leaders)
        assert kept.stake["totals"] == list(match.totals)
        hand = match.deal(Seed(kept.seed).chance(f"hand/{kept.number}"))
        for text in kept.moves:
            hand.play(Move.read(text))
        assert hand.outcome is not None
        match.add(hand.outcome)
    position = TABLE.restore(rules=rules, seats=seats, rounds=rounds)
    sides = GAME.sides(rules, seats)
    assert position.points == tuple(match.totals[side] for side in sides)
    assert [place == 1 for place in position.places] == [side == match.winner for side in sides]
    assert TABLE.verify(rules=rules, seats=seats, rounds=rounds) == []


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "seats"), PLAYED)
def test_referee_accepts_the_scoresheet_of_a_match_played_on_the_site(
    profile: str, seats: int
) -> None:
    rules = PROFILES[profile].options()
    rounds = played_out(rules, seats)
    position = TABLE.restore(rules=rules, seats=seats, rounds=rounds)
    sheet = TABLE.sheet(rules=rules, seats=seats, rounds=rounds)
    judged = GAME.referee.judge(rules=rules, seats=seats, sheet=sheet)
    assert judged.objections == ()
    assert (judged.over, judged.evidence) == (True, "log")
    assert (judged.points, judged.places) == (position.points, position.places)


def one_hand(moves: Sequence[str] = ()) -> dict[str, Any]:
    rounds = (RoundLog(number=1, seed=seed(1), stake={}, moves=tuple(moves)),)
    return {"rules": Rules().options(), "seats": 2, "rounds": rounds}


def test_illegal_move_at_a_game_table_is_rejected_with_message_and_ruling() -> None:
    position = TABLE.restore(**one_hand())
    assert position.turn is not None
    with pytest.raises(
        MoveRefused, match="The player who leads must lay the first tile"
    ) as refused:
        TABLE.play(**one_hand(), seat=position.turn, move="draw")
    assert refused.value.ruling == "D-3"
    with pytest.raises(MoveRefused, match="not your turn"):
        TABLE.play(**one_hand(), seat=1 - position.turn, move="draw")
    with pytest.raises(MoveRefused, match="This move is not valid"):
        TABLE.play(**one_hand(), seat=position.turn, move="6-3-1")
    with pytest.raises(MoveRefused, match="No tiles have been dealt yet"):
        TABLE.play(**{**one_hand(), "rounds": ()}, seat=0, move="draw")


def read(fields: dict[str, str]) -> tuple[str, ...]:
    """Parse submitted form fields before the first tile of a hand, as the player who leads."""
    position = TABLE.restore(**one_hand())
    assert position.turn is not None
    return tuple(TABLE.read_moves(fields, position=position, seat=position.turn))


@pytest.mark.parametrize(
    ("fields", "move"),
    [
        ({"do": "draw"}, "draw"),
        ({"do": "draw-on"}, "draw"),
        ({"do": "pass", "tile": "3"}, "pass"),
        ({"do": "lay", "tile": "11", "move-11": ">2|5", "move-12": "<5|2"}, ">2|5"),
        ({"tile": "11", "move-11": ">5+2"}, ">2+5"),
        ({"move": "6|3"}, "6|3"),
    ],
)
def test_move_is_read_from_the_fields_of_the_form(fields: dict[str, str], move: str) -> None:
    assert read(fields) == (move,)


@pytest.mark.parametrize(
    "fields", [{}, {"do": "lay"}, {"do": "lay", "tile": "5"}, {"tile": "5", "move-5": "<9|"}]
)
def test_form_without_a_valid_move_is_rejected(fields: dict[str, str]) -> None:
    with pytest.raises(MoveRefused):
        read(fields)


def positions(rules: Rules, wanted: Callable[[View], bool]) -> Iterator[tuple[Any, int, View]]:
    """Yield positions of random hands with the seat in turn.

    Only positions for whose view `wanted` returns True are included.
    """
    for number in range(1, 256):
        played: list[str] = []
        for step in range(30):
            log = RoundLog(number=1, seed=seed(number), stake={}, moves=tuple(played))
            given: dict[str, Any] = {"rules": rules.options(), "seats": 2, "rounds": (log,)}
            position: Any = TABLE.restore(**given)
            if position.turn is None:
                break
            view = position.view(position.turn)
            assert view is not None
            if wanted(view):
                yield position, position.turn, view
            played.append(TABLE.bot_move(**given, bot="random", seed=seed(step)))


def ways(view: View, side: Side) -> list[tuple[int, list[str]]]:
    """Return each held tile with all moves that play it at this end."""
    moves = [move for move in view.legal if move.side is side]
    return [(tile, [str(m) for m in moves if m.tile == tile]) for tile in view.tiles]


@pytest.mark.parametrize("side", Side)
def test_tapping_an_end_plays_the_selected_tile_there(side: Side) -> None:
    def fits(view: View) -> bool:
        return {1, 2} <= {len(found) for _tile, found in ways(view, side)}

    position, seat, view = next(positions(Rules(), fits))
    other = next(end for end in Side if end is not side)
    for tile, found in ways(view, side):
        fields = {"do": side.value, "tile": str(tile)}
        elsewhere = [str(m) for m in view.legal if m.tile == tile and m.side is other]
        for way in found:  # the selected direction is used
            said = TABLE.read_moves(fields | {f"move-{tile}": way}, position=position, seat=seat)
            assert said == (way,)
        if len(found) == 1:  # a direction for the other end is ignored
            fields |= {f"move-{tile}": elsewhere[0]} if elsewhere else {}
            assert TABLE.read_moves(fields, position=position, seat=seat) == (found[0],)
        elif found:
            with pytest.raises(MoveRefused, match="several ways"):
                TABLE.read_moves(fields, position=position, seat=seat)


def test_tapping_an_end_that_the_selected_tile_does_not_fit_is_rejected() -> None:
    def misfits(view: View) -> bool:
        return view.ends is not None and any(not found for _tile, found in ways(view, Side.LEFT))

    position, seat, view = next(positions(Rules(), misfits))
    tile = next(tile for tile, found in ways(view, Side.LEFT) if not found)
    fields = {"do": "left", "tile": str(tile)}
    (said,) = TABLE.read_moves(fields, position=position, seat=seat)
    with pytest.raises(IllegalMove) as refused:
        position.hand.copy().play(Move.read(said), seat)
    assert refused.value.ruling == "D-4"
    for tile_of_nobody in ("x", "-1", "99", str(bits(view.unseen)[0])):
        fields = {"do": "left", "tile": tile_of_nobody}
        with pytest.raises(MoveRefused, match="Choose a tile first"):
            TABLE.read_moves(fields, position=position, seat=seat)


@pytest.mark.parametrize("many", [False, True])
def test_tapping_an_end_without_a_selected_tile_plays_the_only_fitting_one(many: bool) -> None:
    def fits(view: View) -> bool:
        found = [each for _tile, each in ways(view, Side.LEFT) if each]
        return len(found) > 1 if many else [len(each) for each in found] == [1]

    position, seat, view = next(positions(Rules(), fits))
    chosen = {f"move-{tile}": "" for tile in view.tiles} | {"do": "left"}
    if many:
        with pytest.raises(MoveRefused, match="Choose a tile first"):
            TABLE.read_moves(chosen, position=position, seat=seat)
    else:
        (only,) = [way for _tile, found in ways(view, Side.LEFT) for way in found]
        assert TABLE.read_moves(chosen, position=position, seat=seat) == (only,)


DRAW = Move(MoveKind.DRAW)


def test_drawing_continues_until_a_tile_fits_or_none_can_be_drawn() -> None:
    """While drawing is the only legal move (Ruling D-5), one request draws several tiles."""
    ends = set()
    for position, seat, view in positions(Rules(), lambda view: view.legal == (DRAW,)):
        said = TABLE.read_moves({"do": "draw-on"}, position=position, seat=seat)
        hand = position.hand.copy()
        for move in said:
            assert hand.legal() == [DRAW]
            hand.play(Move.read(move), seat)
        assert hand.legal() != [DRAW]
        assert len(said) <= view.boneyard - 2
        ends.add("fits" if any(m.tile is not None for m in hand.legal()) else "passes")
        if len(ends) == 2:
            return
    raise AssertionError(ends)


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (Rules(free_pass=True), lambda view: view.can_draw and view.ends is not None),
        (Rules(), lambda view: DRAW in view.legal and len(view.legal) > 1),
        (Rules(), lambda view: view.ends is not None and DRAW not in view.legal),
    ],
    ids=["free to pass", "a matador fits", "not allowed"],
)
def test_only_one_tile_is_drawn_if_the_player_has_other_legal_moves(
    rules: Rules, wanted: Callable[[View], bool]
) -> None:
    position, seat, _view = next(positions(rules, wanted))
    for who in (seat, 1 - seat):
        assert TABLE.read_moves({"do": "draw-on"}, position=position, seat=who) == ("draw",)


def test_verification_finds_moves_that_do_not_fit_the_seed() -> None:
    """The seed determines the deal (Ruling F-2), so moves made with another seed are illegal."""
    rules = Rules().options()
    first = played_out(rules, 2)[0]
    other = RoundLog(number=1, seed=seed(9), stake=first.stake, moves=first.moves)
    found = TABLE.verify(rules=rules, seats=2, rounds=[other])
    assert len(found) == 1


def test_trying_a_move_does_not_change_the_stored_position() -> None:
    before = TABLE.restore(**one_hand())
    assert before.turn is not None
    move = TABLE.bot_move(**one_hand(), bot="random", seed=seed(1))
    TABLE.play(**one_hand(), seat=before.turn, move=move)
    assert (before.made, TABLE.restore(**one_hand()).made) == (0, 0)


def test_every_profile_and_option_of_dominoes_has_a_name_and_description() -> None:
    assert {profile.key for profile in GAME.profiles} == set(PROFILES)
    assert {option.key for option in OPTIONS} == set(Rules().options())
    for profile in GAME.profiles:
        rules = normalise(profile.options)
        assert rules == PROFILES[profile.key].options()
        assert digest(rules) == PROFILES[profile.key].digest
        assert str(profile.name)
        assert len(describe(rules)) >= 3
    for option in OPTIONS:
        if option.choices:
            assert option.default in dict(option.choices)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"highest": 19}, "highest"),
        ({"highest": "many"}, "highest"),
        ({"hand_size": 30}, "hand_size"),
        ({"lead": "me"}, "lead"),
        ({"free_pass": "perhaps"}, "free_pass"),
        ({"jokers": 2}, "jokers"),
    ],
)
def test_invalid_options_are_rejected_with_the_name_of_the_option(options: Any, field: str) -> None:
    with pytest.raises(RulesRefused) as refused:
        normalise(options)
    assert refused.value.field == field
    assert str(refused.value)


def test_table_offers_the_numbers_of_players_that_the_rules_allow() -> None:
    assert list(seat_counts(Rules().options())) == [2, 3, 4]
    assert list(seat_counts(Rules(highest=12).options())) == [2, 3, 4, 5, 6], "six at most"
    assert list(seat_counts(PROFILES["partners"].options())) == [4]
