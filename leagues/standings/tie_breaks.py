"""Tie-breaks between players with the same score, under the first and current rules.

The value of a tie-break is the sum of its terms, which are shown to players as an explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from leagues.standings.scoring import WIN, Scoring, UnplayedKind
from leagues.standings.tallies import ONE, Calendar, PlayerTally, PlayerTurn, Tallies


class TieBreak(StrEnum):
    """A tie-break between players with the same score. Higher values are better unless noted.

    - `head_to_head`: results of the meetings among the tied players
    - `wins`: matches won. Under the current rules, rounds that brought a full win, with or without
      a match.
    - `wins_played`: matches won, without forfeits
    - `margin`: the player's points minus the points against the player
    - `points`: the player's points in all matches
    - `fewest_played`: number of matches, where fewer are better
    - `buchholz`: sum of the opponents' scores
    - `buchholz_cut`: the same without the weakest opponent
    - `median_buchholz`: the same without the best and the weakest opponent
    - `sonneborn_berger`: scores of beaten opponents, and half the scores of tied opponents
    - `best_single`: most points in a single match
    - `cumulative`: sum of the scores after every round, which favours early success
    - `lots`: drawing lots
    """

    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"
    WINS_PLAYED = "wins_played"
    MARGIN = "margin"
    POINTS = "points"
    FEWEST_PLAYED = "fewest_played"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT = "buchholz_cut"
    MEDIAN_BUCHHOLZ = "median_buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    BEST_SINGLE = "best_single"
    CUMULATIVE = "cumulative"
    LOTS = "lots"


# Tie-breaks without a value of their own: they depend on the group of tied players, or on chance.
RELATIVE = (TieBreak.HEAD_TO_HEAD, TieBreak.LOTS)
# Minimum number of opponents for leaving out the best and the weakest one.
MEDIAN_FROM = 3


class OpponentShare(NamedTuple):
    """An opponent's score as it counts for a tie-break, and the share that the player has won.

    `rival` is None for the imaginary opponent in a round without a match.
    """

    rival: int | None
    score: Fraction
    share: Fraction = ONE


class TieBreakTerm(NamedTuple):
    """A summand of the value of a tie-break.

    `turn` is the match or free round that it comes from, or None if it belongs to a round as a
    whole. `parts` are the opponents' scores, if `amount` is their mean. `counts` is False if the
    term is left out.
    """

    amount: Fraction | int
    turn: PlayerTurn | None
    round: int = 0
    parts: tuple[OpponentShare, ...] = ()
    counts: bool = True


def value_of(terms: Iterable[TieBreakTerm]) -> Fraction:
    return Fraction(sum(term.amount for term in terms if term.counts))


def total(values: Iterable[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def mean(values: Sequence[Fraction]) -> Fraction:
    return values[0] if len(values) == 1 else total(values) / len(values)


def _played(tally: PlayerTally) -> Iterator[PlayerTurn]:
    return (turn for turn in tally.turns if turn.result)


def _sum_of_matches(
    amount: Callable[[PlayerTurn], int],
) -> Callable[[PlayerTally, Tallies], list[TieBreakTerm]]:
    """Return a tie-break function that adds up an amount for each match."""

    def terms(tally: PlayerTally, _: Tallies) -> list[TieBreakTerm]:
        return [TieBreakTerm(amount(turn), turn) for turn in _played(tally)]

    return terms


def _best_single(tally: PlayerTally, _: Tallies) -> list[TieBreakTerm]:
    terms = [TieBreakTerm(turn.points, turn) for turn in _played(tally)]
    best = max(range(len(terms)), key=lambda at: terms[at].amount, default=None)
    return _mark_left_out(terms, {at for at in range(len(terms)) if at != best})


def _mark_left_out(terms: Sequence[TieBreakTerm], left_out: Iterable[int]) -> list[TieBreakTerm]:
    """Return the terms with those at the positions `left_out` marked as not counting."""
    missing = frozenset(left_out)
    return [term._replace(counts=at not in missing) for at, term in enumerate(terms)]


def _highest(terms: Sequence[TieBreakTerm], except_for: int) -> int:
    others = (at for at in range(len(terms)) if at != except_for)
    return max(others, key=lambda at: terms[at].amount)


# Tie-breaks under the first version of the rules


def _buchholz(tally: PlayerTally, everyone: Tallies) -> list[TieBreakTerm]:
    """Return the scores of all opponents as terms.

    A bye counts like an opponent who has the player's own score.
    """
    return [
        TieBreakTerm(part.score, turn, turn.round, (part,))
        for turn in tally.turns
        for part in _first_parts(tally, turn, everyone)
    ]


def _first_parts(tally: PlayerTally, turn: PlayerTurn, everyone: Tallies) -> list[OpponentShare]:
    if not turn.result:
        return [OpponentShare(None, tally.score)]
    return [OpponentShare(rival, everyone[rival].score, share) for rival, share in turn.rivals]


def _lowest(terms: Sequence[TieBreakTerm]) -> int:
    return min(range(len(terms)), key=lambda at: terms[at].amount)


def _buchholz_cut(tally: PlayerTally, everyone: Tallies) -> list[TieBreakTerm]:
    terms = _buchholz(tally, everyone)
    return _mark_left_out(terms, [_lowest(terms)]) if terms else terms


def _median(tally: PlayerTally, everyone: Tallies) -> list[TieBreakTerm]:
    terms = _buchholz(tally, everyone)
    if len(terms) < MEDIAN_FROM:
        return _mark_left_out(terms, range(len(terms)))
    lowest = _lowest(terms)
    return _mark_left_out(terms, [lowest, _highest(terms, lowest)])


def _sonneborn_berger(tally: PlayerTally, everyone: Tallies) -> list[TieBreakTerm]:
    return [
        TieBreakTerm(part.share * part.score, turn, turn.round, (part,))
        for turn in _played(tally)
        for part in _first_parts(tally, turn, everyone)
    ]


def _cumulative(tally: PlayerTally, _: Tallies) -> list[TieBreakTerm]:
    turns = list(_played(tally))
    scores = accumulate(turn.gain for turn in turns)
    return [
        TieBreakTerm(score, turn, turn.round) for turn, score in zip(turns, scores, strict=True)
    ]


def _won(turn: PlayerTurn) -> int:
    return int(turn.result == WIN)


Terms = Callable[[PlayerTally, Tallies], list[TieBreakTerm]]
FIRST_TERMS: Mapping[TieBreak, Terms] = {
    TieBreak.WINS: _sum_of_matches(_won),
    TieBreak.WINS_PLAYED: _sum_of_matches(_won),
    TieBreak.MARGIN: _sum_of_matches(lambda turn: turn.points - turn.against),
    TieBreak.POINTS: _sum_of_matches(lambda turn: turn.points),
    TieBreak.FEWEST_PLAYED: _sum_of_matches(lambda _: -1),
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.BUCHHOLZ_CUT: _buchholz_cut,
    TieBreak.MEDIAN_BUCHHOLZ: _median,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.BEST_SINGLE: _best_single,
    TieBreak.CUMULATIVE: _cumulative,
}


# Tie-breaks under the current version of the rules

# Kinds of rounds without a match in which the player could have played.
ABSENCES = frozenset(
    {UnplayedKind.EXCUSED, UnplayedKind.ABSENT, UnplayedKind.NOT_ENTERED, UnplayedKind.LEFT}
)
OWN_CHOICE = ABSENCES | {UnplayedKind.FORFEIT_LOST}


class CurrentTerms:
    """Terms of tie-breaks under the current rules, which follow FIDE's C.07 of 2024."""

    def __init__(self, everyone: Tallies, scoring: Scoring, calendar: Calendar) -> None:
        self.scoring, self.calendar = scoring, calendar
        self.adjusted = {player: self._adjusted(tally) for player, tally in everyone.items()}
        self._functions: Mapping[TieBreak, Callable[[PlayerTally], list[TieBreakTerm]]] = {
            TieBreak.WINS: self._win_terms,
            TieBreak.WINS_PLAYED: self._wins_played,
            TieBreak.BUCHHOLZ: self._buchholz,
            TieBreak.BUCHHOLZ_CUT: self._buchholz_cut,
            TieBreak.MEDIAN_BUCHHOLZ: self._median,
            TieBreak.SONNEBORN_BERGER: self._sonneborn_berger,
            TieBreak.CUMULATIVE: self._cumulative,
        }

    def terms(self, name: TieBreak, tally: PlayerTally, everyone: Tallies) -> list[TieBreakTerm]:
        function = self._functions.get(name)
        return FIRST_TERMS[name](tally, everyone) if function is None else function(tally)

    def _adjusted(self, tally: PlayerTally) -> Fraction:
        """Return a player's score as it counts for opponents' tie-breaks.

        If a player's last rounds are all absences or lost forfeits, each of these absences counts
        as half a win. Otherwise it would be a disadvantage to have met a player who stopped playing
        later.
        """
        score = tally.score
        for turn in reversed(tally.turns):
            if turn.kind not in OWN_CHOICE:
                break
            if turn.kind in ABSENCES:
                score += self.scoring.win / 2 - turn.gain
        return score

    def _parts(self, tally: PlayerTally, turn: PlayerTurn) -> tuple[OpponentShare, ...]:
        """Return the scores of the opponents of one match of a player, as they count for
        tie-breaks.

        A round without a match counts like one opponent who has the player's own score.
        """
        if turn.rivals:
            return tuple(
                OpponentShare(rival, self.adjusted[rival], share) for rival, share in turn.rivals
            )
        win = self.scoring.win
        return (OpponentShare(None, tally.score, turn.gain / win if win else Fraction(0)),)

    def _buchholz(self, tally: PlayerTally) -> list[TieBreakTerm]:
        terms = []
        for turn in tally.turns:
            parts = self._parts(tally, turn)
            terms.append(
                TieBreakTerm(mean([part.score for part in parts]), turn, turn.round, parts)
            )
        return terms

    def _buchholz_cut(self, tally: PlayerTally) -> list[TieBreakTerm]:
        terms = self._buchholz(tally)
        return _mark_left_out(terms, [self._least(terms)]) if terms else terms

    def _least(self, terms: Sequence[TieBreakTerm]) -> int:
        """Return the position of the term to leave out first.

        It is the lowest term of rounds that the player missed, or else the lowest of all.
        """

        def rank(at: int) -> tuple[bool, Fraction | int]:
            turn = terms[at].turn
            missed = turn is not None and turn.kind in OWN_CHOICE and not turn.rivals
            return not missed, terms[at].amount

        return min(range(len(terms)), key=rank)

    def _median(self, tally: PlayerTally) -> list[TieBreakTerm]:
        terms = self._buchholz(tally)
        if len(terms) < MEDIAN_FROM:
            return _mark_left_out(terms, range(len(terms)))
        least = self._least(terms)
        return _mark_left_out(terms, [least, _highest(terms, least)])

    def _sonneborn_berger(self, tally: PlayerTally) -> list[TieBreakTerm]:
        terms = []
        for turn in tally.turns:
            parts = self._parts(tally, turn)
            earned = mean([part.share * part.score for part in parts])
            terms.append(TieBreakTerm(earned, turn, turn.round, parts))
        return terms

    def _cumulative(self, tally: PlayerTally) -> list[TieBreakTerm]:
        """Return the score after every round, or after every match in a ladder."""
        if not self.calendar.rounds:
            return _cumulative(tally, {})
        gained = dict.fromkeys(range(1, self.calendar.rounds + 1), Fraction(0))
        for turn in tally.turns:
            gained[turn.round] = gained.get(turn.round, Fraction(0)) + turn.gain
        scores = accumulate(gained.values())
        return [
            TieBreakTerm(score, None, number) for number, score in zip(gained, scores, strict=True)
        ]

    def _win_terms(self, tally: PlayerTally) -> list[TieBreakTerm]:
        return [TieBreakTerm(int(self._is_win(turn)), turn) for turn in tally.turns]

    def _is_win(self, turn: PlayerTurn) -> bool:
        free = turn.kind is UnplayedKind.BYE and turn.gain >= self.scoring.win > 0
        return turn.result == WIN or free

    def _wins_played(self, tally: PlayerTally) -> list[TieBreakTerm]:
        given = UnplayedKind.FORFEIT_WON
        return [
            TieBreakTerm(_won(turn) if turn.kind is not given else 0, turn)
            for turn in _played(tally)
        ]
