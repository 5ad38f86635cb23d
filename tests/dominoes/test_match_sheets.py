"""Scoresheets of whole matches, judged by the referee and by the oracle (Rulings D-3 and D-8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dominoes.engine import HandSheet, MatchReading, judge_match
from fairness import Chance, Seed
from tests.dominoes.oracle.hand import Hand, possible_leaders
from tests.dominoes.oracle.paper import copied, play_at_random, some_deal, some_rules
from tests.dominoes.oracle.score import Match, add_hand, match_winner, new_match, score_hand
from tests.dominoes.oracle.sheets import sheet
from tests.dominoes.oracle.tiles import Options, sides
from tests.dominoes.oracle.translation import engine_rules

MATCHES = 80


class WrittenMatch:
    """A match played to its end or for some hands, with its scoresheet."""

    def __init__(self, chance: Chance, most_hands: int) -> None:
        first = some_deal(some_rules(chance), chance)
        self.rules: Options = first.rules
        self.match: Match = new_match(first.rules, first.players)
        self.hands: list[HandSheet] = []
        while len(self.hands) < most_hands and match_winner(self.match) is None:
            self.add(self.next_deal(chance), chance)

    def next_deal(self, chance: Chance) -> Hand:
        """Return another deal for the same players, led by a player whom the rules allow."""
        players, size = self.match.players, self.rules["hand_size"]
        while len((dealt := some_deal(self.rules, chance)).hands) != players:
            pass
        assert all(len(held) == size for held in dealt.hands)
        leaders = possible_leaders(
            self.rules, dealt.hands, self.match.last_winners, self.match.last_out
        )
        dealt.turn = chance.pick(leaders)
        return dealt

    def add(self, dealt: Hand, chance: Chance) -> None:
        """Play a hand and add it to the scoresheet and to the match."""
        log = play_at_random(over := copied(dealt), chance)
        self.hands.append(sheet(dealt, over, log, "tiles", chance))
        add_hand(self.match, score_hand(over), over.out)

    def judged(self, hands: list[HandSheet], totals: list[int] | None = None) -> MatchReading:
        """Return the referee's answer to a scoresheet of this match."""
        return judge_match(
            engine_rules(self.rules), self.match.players, hands, totals, stopped=True
        )


@pytest.mark.parametrize("number", range(MATCHES))
def test_referee_adds_up_matches_like_the_oracle(number: int) -> None:
    chance = Seed(bytes(32)).chance(f"match sheet/{number}")
    written = WrittenMatch(chance, 1 + chance.below(6))
    reading = written.judged(written.hands)
    assert not reading.objections, (written.rules, reading.objections)
    assert list(reading.totals) == written.match.totals
    assert reading.winner == match_winner(written.match)


@pytest.mark.parametrize("number", range(MATCHES))
def test_referee_rejects_a_hand_after_the_target_was_reached(number: int) -> None:
    chance = Seed(bytes(32)).chance(f"after/{number}")
    written = WrittenMatch(chance, 30)
    if match_winner(written.match) is None:
        return
    reading = written.judged([*written.hands, written.hands[-1]])
    assert "after_target" in {found.code for found in reading.objections}


@pytest.mark.parametrize("number", range(MATCHES))
def test_referee_rejects_a_leader_who_did_not_win_the_last_hand(number: int) -> None:
    """With the option `lead=winner` (Ruling D-3). After a tie any player may lead."""
    chance = Seed(bytes(32)).chance(f"leader/{number}")
    written = WrittenMatch(chance, 2)
    if len(written.hands) < 2 or written.rules["lead"] != "winner":
        return
    before = new_match(written.rules, written.match.players)
    first = written.judged(written.hands[:1]).hands[0].outcome
    assert first is not None
    winners = [] if first.winner is None else sides(written.rules, before.players)[first.winner]
    if first.out in winners:
        winners = [first.out]
    second, out = written.hands[1], who_is_out(written.hands[1])
    for leader in range(before.players):
        bare = replace(second, moves=(), leader=leader, out=out, blocked=out is None)
        found = {o.code for o in written.judged([written.hands[0], bare]).objections}
        assert ("leader_winner" in found) == (bool(winners) and leader not in winners)


def who_is_out(written: HandSheet) -> int | None:
    """Return the seat that holds no tiles, according to the scoresheet."""
    out = [seat for seat, what in enumerate(written.held) if what.tiles == ()]
    return out[0] if out else None
