"""Properties of every hand of dominoes, under every rule set and with every set of tiles."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.engine import Hand, Match, MoveKind, Rules, bits, domino_set, replay_hand
from fairness import Seed
from tests.dominoes.engine.strategies import MOST_PLAYERS, hands, numbers, rule_sets, seeds
from tests.properties import examples

MANY = settings(deadline=None, max_examples=examples(150))


def all_tiles(hand: Hand) -> list[int]:
    """Return all tiles of a hand: held by players, left in the boneyard, and already played."""
    found = [*hand.boneyard, *bits(hand.view(None).played)]
    for seat in range(hand.players):
        found += bits(hand.held_tiles(seat))
    return sorted(found)


@MANY
@given(hands(), seeds())
def test_no_tile_is_lost_or_duplicated_during_a_hand(hand: Hand, seed: Seed) -> None:
    everything = list(range(len(domino_set(hand.rules.highest))))
    random = numbers(seed.chance("moves"))
    assert all_tiles(hand) == everything
    while codes := hand.legal_codes():
        hand.play_code(codes[int(random() * len(codes))])
        assert all_tiles(hand) == everything
    assert hand.turn is None


@MANY
@given(hands(), seeds())
def test_winner_of_a_finished_hand_scores_the_pips_of_the_others_minus_its_own(
    hand: Hand, seed: Seed
) -> None:
    hand.play_out(numbers(seed.chance("moves")))
    outcome = hand.outcome
    assert outcome is not None
    pips = [
        domino_set(hand.rules.highest).pips(hand.held_tiles(seat)) for seat in range(hand.players)
    ]
    assert list(outcome.pips) == pips
    assert sum(outcome.side_pips) == sum(pips)
    if outcome.winner is None:
        assert not any(outcome.points)
        assert list(outcome.side_pips).count(min(outcome.side_pips)) > 1
    else:
        own = outcome.side_pips[outcome.winner]
        assert outcome.points[outcome.winner] == max(0, sum(pips) - own - own)
        assert sum(outcome.points) == outcome.points[outcome.winner]
    assert (outcome.out is None) == all(hand.held_tiles(seat) for seat in range(hand.players))


@MANY
@given(hands(), seeds())
def test_ruling_d_6_hand_ends_by_a_last_tile_or_by_a_pass_of_every_player(
    hand: Hand, seed: Seed
) -> None:
    hand.play_out(numbers(seed.chance("moves")))
    kinds = [move.kind for move in hand.log]
    waits = [kind for kind in kinds if kind is not MoveKind.DRAW]
    if hand.seat_out is None:
        assert waits[-hand.players :] == [MoveKind.PASS] * hand.players
        assert MoveKind.DRAW not in kinds[-hand.players :] or hand.rules.boneyard == "draw"
    else:
        assert waits[-1] in (MoveKind.PLAY, MoveKind.LEAD)
    assert kinds[0] is MoveKind.LEAD
    assert kinds.count(MoveKind.LEAD) == 1


@MANY
@given(rule_sets(), seeds(), st.data())
def test_replayed_moves_lead_to_the_same_end_of_the_hand(
    rules: Rules, seed: Seed, data: st.DataObject
) -> None:
    players = data.draw(st.sampled_from([count for count in rules.seats if count <= MOST_PLAYERS]))
    hand = Hand.deal(rules, players, seed.chance("hand/7"))
    hand.play_out(numbers(seed.chance("moves")))
    again = replay_hand(rules, players, seed.chance("hand/7"), None, hand.log)
    assert again.dealt == hand.dealt
    assert again.outcome == hand.outcome
    assert again.view(0) == hand.view(0)


@MANY
@given(hands(), seeds())
def test_fast_play_out_makes_the_same_moves_as_checked_play(hand: Hand, seed: Seed) -> None:
    """`play_out` is the fast way to finish a hand at random (Rulings D-4 to D-6)."""
    slow, random = hand.copy(), numbers(seed.chance("moves"))
    hand.play_out(numbers(seed.chance("moves")))
    while codes := slow.legal_codes():
        slow.play_code(codes[int(random() * len(codes))])
    assert hand.codes == slow.codes
    assert (hand.turn, hand.ends, hand.outcome) == (slow.turn, slow.ends, slow.outcome)
    assert hand.boneyard == slow.boneyard
    assert hand.view(None) == slow.view(None)


@MANY
@given(hands(), seeds(), st.integers(1, 20))
def test_fast_play_out_can_begin_in_the_middle_of_a_hand(
    hand: Hand, seed: Seed, moves: int
) -> None:
    random = numbers(seed.chance("moves"))
    while (codes := hand.legal_codes()) and moves:
        hand.play_code(codes[int(random() * len(codes))])
        moves -= 1
    begun = hand.codes.copy()
    hand.play_out(random)
    assert hand.codes[: len(begun)] == begun
    again = Hand(hand.rules, hand.dealt)
    for move in hand.log:
        again.play(move)
    assert again.outcome == hand.outcome


@MANY
@given(hands(), seeds())
def test_legal_moves_are_listed_without_duplicates(hand: Hand, seed: Seed) -> None:
    random = numbers(seed.chance("moves"))
    while moves := hand.legal():
        assert len({str(move) for move in moves}) == len(moves)
        hand.play(moves[int(random() * len(moves))])


@settings(deadline=None, max_examples=examples(40))
@given(rule_sets(), seeds(), st.data())
def test_ruling_d_8_only_the_winning_side_reaches_the_target(
    rules: Rules, seed: Seed, data: st.DataObject
) -> None:
    players = data.draw(st.sampled_from([count for count in rules.seats if count <= MOST_PLAYERS]))
    match, random = Match(rules, players), numbers(seed.chance("moves"))
    for number in range(60):
        if match.winner is not None:
            break
        hand = match.deal(seed.chance(f"hand/{number}"))
        assert hand.turn in match.leaders or rules.lead == "highest_double"
        hand.play_out(random)
        assert hand.outcome is not None
        match.add(hand.outcome)
    sides = [sum(hand.points[side] for hand in match.hands) for side in range(len(match.totals))]
    assert list(match.totals) == sides
    reached = [side for side, total in enumerate(sides) if total >= rules.target]
    assert reached == ([] if match.winner is None else [match.winner])
