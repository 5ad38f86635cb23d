"""Explanation of a player's place in the standings, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.wording import ordinal
from leagues.members_read.queries import players_by_id
from leagues.models import League, Player
from leagues.pages.forms import TIE_BREAKS
from leagues.pages.standings.explained import UNPLAYED, few_matches_sentence, tie_break_sentence
from leagues.standings.explanation import CriterionStep, Explanation
from leagues.standings.queries import StandingsBasis
from leagues.standings.ranking import PartedBy
from leagues.standings.scoring import DUEL, LOSS, WIN, Placing
from leagues.standings.tallies import PlayerTurn
from leagues.standings.tie_breaks import OpponentShare, TieBreak, TieBreakTerm
from leagues.text import MINUS, join_with_and, score, signed

# Maximum number of tied players whose values are shown, and of names in a list.
MAX_VALUES: Final = 12
MAX_NAMES: Final = 8
BUCHHOLZ: Final = (TieBreak.BUCHHOLZ, TieBreak.BUCHHOLZ_CUT, TieBreak.MEDIAN_BUCHHOLZ)
OF_OPPONENTS: Final = (*BUCHHOLZ, TieBreak.SONNEBORN_BERGER)
# Tie-breaks that count matches. Only the matches that count are listed.
COUNTS: Final = (TieBreak.WINS, TieBreak.WINS_PLAYED)
# Tie-breaks that are not a sum of numbers, so no sum is shown.
WITHOUT_TERMS: Final = (TieBreak.FEWEST_PLAYED, TieBreak.LOTS)


@dataclass(frozen=True, kw_only=True)
class TurnLine:
    """A line of the explanation: a match of the player, or a round without a match.

    `gain` (points) and `total` are empty if the match or round does not count yet.
    """

    label: str
    against: str
    result: str = ""
    gain: str = ""
    total: str = ""
    match: object = None


@dataclass(frozen=True, kw_only=True)
class TermLine:
    label: str
    detail: str
    amount: str
    counts: bool = True


@dataclass(frozen=True, kw_only=True)
class ValueLine:
    player: Player
    value: str
    own: bool


@dataclass(frozen=True, kw_only=True)
class StepLines:
    """A criterion of the ranking, with the numbers whose sum is the player's value.

    `values` are the values of the compared players, best first. `hidden` is the number of players
    who are not listed.
    """

    title: str
    explanation: str
    level: str
    terms: tuple[TermLine, ...]
    notes: tuple[str, ...]
    value: str
    values: tuple[ValueLine, ...]
    hidden: int
    outcome: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RowExplanation:
    """The explanation of a player's row in the standings, as the page shows it."""

    explanation: Explanation
    player: Player
    heading: str
    summary: tuple[str, ...]
    turns: tuple[TurnLine, ...]
    steps: tuple[StepLines, ...]


def explain_row(league: League, basis: StandingsBasis, player: int) -> RowExplanation | None:
    """Return the explanation of a player's row, with one query. None if the player has no row."""
    explanation = basis.explain(player)
    if explanation is None:
        return None
    people = players_by_id(_players_to_name(explanation, basis))
    words = _Words(league, basis, explanation, people)
    return RowExplanation(
        explanation=explanation,
        player=people[player],
        heading=words.heading(),
        summary=tuple(words.summary()),
        turns=tuple(words.turns()),
        steps=tuple(words.step_lines(step) for step in explanation.steps),
    )


def _players_to_name(explanation: Explanation, basis: StandingsBasis) -> set[int]:
    level = {player for step in explanation.steps for part in step.parts for player in part}
    matches = {turn.match for turn in explanation.turns}
    met = {placing.player for placing in basis.placings if placing.match in matches}
    return {explanation.row.player, *level, *met}


class _Words:
    """Writer of the texts that explain a player's row."""

    def __init__(
        self,
        league: League,
        basis: StandingsBasis,
        explanation: Explanation,
        people: Mapping[int, Player],
    ) -> None:
        self.league, self.basis, self.explanation = league, basis, explanation
        self.people, self.player = people, explanation.row.player
        self.tables: dict[object, list[Placing]] = {
            turn.match: [] for turn in explanation.turns if turn.match is not None
        }
        for placing in basis.placings:
            if placing.match in self.tables:
                self.tables[placing.match].append(placing)

    def name(self, player: int) -> str:
        return self.people[player].name

    def names(self, players: Sequence[int]) -> str:
        """Return a list of names as text. Of a long list, only the first names are included."""
        if len(players) <= MAX_NAMES:
            return join_with_and([self.name(player) for player in players])
        rest = len(players) - MAX_NAMES + 1
        others = ngettext("%(count)s other", "%(count)s others", rest) % {"count": rest}
        shown = [self.name(player) for player in players[: MAX_NAMES - 1]]
        return join_with_and([*shown, others])

    def heading(self) -> str:
        row = self.explanation.row
        said = {"name": self.name(self.player), "place": ordinal(row.place)}
        if not row.placed:
            return _("Why %(name)s has no place") % said
        if row.shared:
            return _("Why %(name)s shares %(place)s place") % said
        return _("Why %(name)s is %(place)s") % said

    # Summary

    def summary(self) -> Iterator[str]:
        found = self.explanation
        if not found.row.placed:
            yield _(
                "This player has no place yet: the player has not played any match or earned any "
                "points in rounds without a match."
            )
        elif found.sharing:
            yield _(
                "This player shares the place with %(names)s, because they are level on every "
                "criterion."
            ) % {"names": self.names(found.sharing)}
        if found.above is None:
            yield _("Nobody is placed above this player.")
        else:
            yield self._below(found.above)
        if found.below is None:
            yield _("Nobody is placed below this player.")
        else:
            yield self._above(found.below)
        yield from self._line()

    def _below(self, other: int) -> str:
        step = self.explanation.step_between(other)
        names = {"name": self.name(other)}
        if step.by == "withdrawn":
            return _("Below %(name)s, because players who withdrew rank below all others.") % names
        if step.by == "unplaced":
            return (
                _("Below %(name)s, because players without a place rank below all others.") % names
            )
        if step.by is TieBreak.LOTS:
            return _("Below %(name)s by lot.") % names
        return _(
            "Below %(name)s, decided by “%(by)s”: %(own)s against %(other)s."
        ) % self._compared(step, other)

    def _above(self, other: int) -> str:
        step = self.explanation.step_between(other)
        names = {"name": self.name(other)}
        if step.by == "withdrawn":
            return _("Above %(name)s, who withdrew.") % names
        if step.by == "unplaced":
            return _("Above %(name)s, who has no place yet.") % names
        if step.by is TieBreak.LOTS:
            return _("Above %(name)s by lot.") % names
        return _(
            "Above %(name)s, decided by “%(by)s”: %(own)s against %(other)s."
        ) % self._compared(step, other)

    def _compared(self, step: CriterionStep, other: int) -> dict[str, str]:
        return {
            "name": self.name(other),
            "by": _("score") if step.by == "score" else str(TIE_BREAKS[TieBreak(step.by)]),
            "own": self._value(step, self.player),
            "other": self._value(step, other),
        }

    def _value(self, step: CriterionStep, player: int) -> str:
        value = step.values[player]
        if step.by is TieBreak.MARGIN:
            return signed_score(value)
        if step.by is TieBreak.FEWEST_PLAYED:
            return score(-value)
        if player in step.most:
            return _("%(least)s to %(most)s") % {
                "least": score(value),
                "most": score(step.most[player]),
            }
        return score(value)

    def _line(self) -> Iterator[str]:
        cut = self.basis.cut
        if not cut:
            return
        row = self.explanation.row
        if not row.is_member:
            yield _("Players who have withdrawn are not counted above the cut-off line.")
            return
        if row.missing:
            yield few_matches_sentence(self.basis.cut_matches)
            yield _("Matches still needed: %(count)s.") % {"count": row.missing}
            return
        ahead, level = self.explanation.counted_ahead, self.explanation.counted_level
        if ahead >= cut:
            said = _("Below the cut-off line (places above the line: %(count)s).")
        elif ahead + level <= cut:
            said = _("Above the cut-off line (places above the line: %(count)s).")
        else:
            said = _(
                "This player is on the cut-off line, because more players share this place than "
                "fit above the line. Places above the line: %(count)s."
            )
        yield said % {"count": cut}

    # Matches and rounds

    def turns(self) -> Iterator[TurnLine]:
        waiting = sorted(self._open_rounds())
        total = Fraction(0)
        for turn in self.explanation.turns:
            while waiting and 0 < waiting[0][0] < turn.round:
                yield self._open_round(*waiting.pop(0))
            total += turn.gain
            yield TurnLine(
                label=self._label(turn),
                against=self._opponent_names(turn),
                result=self._result(turn),
                gain=score(turn.gain),
                total=score(total),
                match=turn.match,
            )
        for number, said in waiting:
            yield self._open_round(number, said)

    def _open_round(self, number: int, said: str) -> TurnLine:
        return TurnLine(label=_round(number), against=said)

    def _open_rounds(self) -> Iterator[tuple[int, str]]:
        """Yield the rounds in which the player has no points so far, each with the reason."""
        counted = {turn.round for turn in self.explanation.turns}
        for drawn in self.basis.rounds:
            if drawn.number in counted or not self.basis.has_come(drawn.drawn_at):
                continue
            if self.player in drawn.byes:
                yield drawn.number, self._bye_sentence()
            elif self.player in drawn.seated:
                yield drawn.number, _("not played yet")
            elif self.player in drawn.void:
                yield drawn.number, _("the fixture was voided")
            else:
                yield drawn.number, _("neither a fixture nor a bye")

    def _bye_sentence(self) -> str:
        if self.basis.rest_days:
            return _("rest day, which brings no points")
        return _("bye, which counts as soon as the round has its first result")

    def _label(self, turn: PlayerTurn) -> str:
        if turn.round:
            return _round(turn.round)
        placings = self.tables.get(turn.match, [])
        return date_format(localtime(placings[0].when), "j M Y") if placings else ""

    def _opponent_names(self, turn: PlayerTurn) -> str:
        if turn.match is None:
            return str(UNPLAYED[turn.kind]) if turn.kind else ""
        table = self.tables[turn.match]
        own = next(placing for placing in table if placing.player == self.player)
        rivals = [placing.player for placing in table if placing.side != own.side]
        partners = [
            placing.player
            for placing in table
            if placing.side == own.side and placing.player != self.player
        ]
        said = {"rivals": self.names(rivals), "partners": self.names(partners)}
        return _("%(rivals)s (with %(partners)s)") % said if partners else said["rivals"]

    def _result(self, turn: PlayerTurn) -> str:
        if turn.match is None:
            return ""
        table = self.tables[turn.match]
        own = next(placing for placing in table if placing.player == self.player)
        if own.forfeit:
            return _("lost by forfeit") if turn.result == LOSS else _("won by forfeit")
        points = {placing.side: placing.points for placing in table}
        figures = f"{points.pop(own.side)} : {' : '.join(map(str, points.values()))}"
        words = {WIN: pgettext("a match", "won"), LOSS: pgettext("a match", "lost")}
        word = words.get(turn.result, pgettext("a match", "tied"))
        if len(points) + 1 > DUEL:
            places = [placing.place for placing in table if placing.side != own.side]
            said = _("place %(place)s of %(count)s")
            if own.place in places:
                said = _("place %(place)s of %(count)s, shared")
            word = said % {"place": own.place, "count": len(points) + 1}
        return f"{word}, {figures}" if any([own.points, *points.values()]) else word

    # Criteria

    def step_lines(self, step: CriterionStep) -> StepLines:
        by = step.by
        compared = [player for part in step.parts for player in part]
        values = self._window(compared) if step.values and self._shows_values(step) else ()
        notes = []
        terms: tuple[TermLine, ...] = ()
        if isinstance(by, TieBreak):
            terms = tuple(self._terms(by, step))
            if by in OF_OPPONENTS and self._any_adjusted(step.terms):
                notes.append(
                    _(
                        "In an opponent’s score, each round that the opponent missed at the "
                        "end counts as half a win."
                    )
                )
            if step.unmet:
                notes.append(
                    _("This player has not met %(names)s.") % {"names": self.names(step.unmet)}
                )
        return StepLines(
            title=self._title(by),
            explanation=(tie_break_sentence(self.league, by) if isinstance(by, TieBreak) else ""),
            level=self._level(by, compared),
            terms=terms,
            notes=tuple(notes),
            value=self._value(step, self.player) if values else "",
            values=tuple(
                ValueLine(
                    player=self.people[player],
                    value=self._value(step, player),
                    own=player == self.player,
                )
                for player in values
            ),
            hidden=len(compared) - len(values) if values else 0,
            outcome=tuple(self._outcome(step)),
        )

    def _level(self, by: PartedBy, compared: Sequence[int]) -> str:
        others = [player for player in compared if player != self.player]
        return self.names(others) if isinstance(by, TieBreak) else ""

    def _title(self, by: PartedBy) -> str:
        if isinstance(by, TieBreak):
            return str(TIE_BREAKS[by])
        return {
            "withdrawn": _("withdrawal"),
            "unplaced": _("players without a place"),
            "score": _("score in the standings"),
        }[by]

    def _shows_values(self, step: CriterionStep) -> bool:
        return step.by == "score" or (
            isinstance(step.by, TieBreak) and step.by is not TieBreak.LOTS
        )

    def _window(self, compared: Sequence[int]) -> Sequence[int]:
        """Return the tied players whose values the explanation shows.

        If there are too many tied players, these are the players nearest to the explained player.
        """
        if len(compared) <= MAX_VALUES:
            return compared
        at = compared.index(self.player)
        first = min(max(0, at - MAX_VALUES // 2), len(compared) - MAX_VALUES)
        return compared[first : first + MAX_VALUES]

    def _outcome(self, step: CriterionStep) -> Iterator[str]:
        ahead, behind = step.ahead_of(self.player), step.level_of(self.player)
        level = [player for player in step.part_of(self.player) if player != self.player]
        if not step.values:
            yield _("Not all the tied players have met, so this tie-break does not decide.")
        elif len(step.parts) == 1:
            yield _("This tie-break does not separate the tied players.")
        if ahead:
            yield _("Ahead: %(names)s.") % {"names": self.names(ahead)}
        if behind:
            yield _("Behind: %(names)s.") % {"names": self.names(behind)}
        if level:
            yield _("Still level: %(names)s.") % {"names": self.names(level)}
        elif ahead or behind:
            yield _("No other player is still level, so the place is decided.")

    def _terms(self, by: TieBreak, step: CriterionStep) -> Iterator[TermLine]:
        if by in WITHOUT_TERMS or not step.values:
            return
        detail = self._detail_of(by)
        for term in step.terms:
            if self._is_empty(by, term):
                continue
            label = ""
            if term.turn is not None:
                label = self._label(term.turn)
            elif term.round:
                label = _("after round %(number)s") % {"number": term.round}
            amount = term.amount
            yield TermLine(
                label=label,
                detail=detail(term),
                amount=signed_score(amount) if by is TieBreak.MARGIN else score(amount),
                counts=term.counts,
            )

    def _is_empty(self, by: TieBreak, term: TieBreakTerm) -> bool:
        return (by in COUNTS and not term.amount) or (
            by is TieBreak.BEST_SINGLE and not term.counts
        )

    def _detail_of(self, by: TieBreak) -> Callable[[TieBreakTerm], str]:
        if by is TieBreak.HEAD_TO_HEAD:
            return lambda term: self.names([p.rival for p in term.parts if p.rival is not None])
        if by in BUCHHOLZ:
            return lambda term: self._parts(term, self._opponent)
        if by is TieBreak.SONNEBORN_BERGER:
            return lambda term: self._parts(term, self._earned)
        if by is TieBreak.MARGIN:
            return self._difference
        return lambda term: self._opponent_names(term.turn) if term.turn else ""

    def _difference(self, term: TieBreakTerm) -> str:
        if term.turn is None:
            return ""
        return _("%(against)s: %(points)s %(minus)s %(others)s") % {
            "against": self._opponent_names(term.turn),
            "points": term.turn.points,
            "minus": MINUS,
            "others": term.turn.against,
        }

    def _parts(self, term: TieBreakTerm, said: Callable[[OpponentShare], str]) -> str:
        shown = ", ".join(said(part) for part in term.parts)
        if term.turn is not None and not term.turn.rivals:
            return f"{self._missed_sentence(term.turn)}: {shown}"
        return shown if len(term.parts) == 1 else _("mean of %(values)s") % {"values": shown}

    def _missed_sentence(self, turn: PlayerTurn) -> str:
        return str(UNPLAYED[turn.kind]) if turn.kind else self._opponent_names(turn)

    def _opponent(self, part: OpponentShare) -> str:
        if part.rival is None:
            return _("the player’s own score, %(score)s") % {"score": score(part.score)}
        if self._adjusted(part):
            return _("%(name)s %(score)s instead of %(real)s") % {
                "name": self.name(part.rival),
                "score": score(part.score),
                "real": score(self.explanation.scores[part.rival]),
            }
        return f"{self.name(part.rival)} {score(part.score)}"

    def _earned(self, part: OpponentShare) -> str:
        return f"{self._opponent(part)} × {score(part.share)}"

    def _any_adjusted(self, terms: Sequence[TieBreakTerm]) -> bool:
        return any(self._adjusted(part) for term in terms for part in term.parts)

    def _adjusted(self, part: OpponentShare) -> bool:
        rival = part.rival
        return rival is not None and part.score != self.explanation.scores[rival]


def _round(number: int) -> str:
    return _("Round %(number)s") % {"number": number}


def signed_score(value: Fraction | int) -> str:
    return signed(int(value))
