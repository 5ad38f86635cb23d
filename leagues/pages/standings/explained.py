"""Sentences about how the standings of a league are calculated, for its page of rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues.models import League
from leagues.pages.forms import TIE_BREAKS
from leagues.standings.queries import DEFAULT_TIE_BREAKS, has_sides, scoring_of
from leagues.standings.scoring import DUEL, Scoring, ScoringKind, UnplayedKind
from leagues.standings.tallies import RulesVersion
from leagues.standings.tie_breaks import TieBreak
from leagues.text import score

# Explanations of tie-breaks that are the same under all versions of the rules.
EXPLAINED: Final[Mapping[TieBreak, str | Promise]] = {
    TieBreak.MARGIN: gettext_lazy(
        "All points scored, less those of the best opponent in each match."
    ),
    TieBreak.POINTS: gettext_lazy("All points scored in the matches."),
    TieBreak.FEWEST_PLAYED: gettext_lazy(
        "The player with fewer matches is ranked higher. Forfeited matches count as played."
    ),
    TieBreak.BEST_SINGLE: gettext_lazy("The most points scored in a single match."),
    TieBreak.LOTS: gettext_lazy("The order is drawn by lot once, when the league is created."),
}
CURRENT: Final[Mapping[TieBreak, str | Promise]] = {
    TieBreak.HEAD_TO_HEAD: gettext_lazy(
        "1 for each tied player who was beaten and ½ for each tie (the mean if two "
        "players met more than once). Players who are still tied are compared again "
        "among themselves. This tie-break is not applied again after a later one. If "
        "some of the tied players have not met, it only separates players whose order "
        "could not be changed by any result of the missing matches."
    ),
    TieBreak.WINS: gettext_lazy(
        "The rounds that brought a full win: matches won without sharing the win, wins "
        "by forfeit, and byes that are worth at least a win."
    ),
    TieBreak.WINS_PLAYED: gettext_lazy(
        "Matches won without sharing the win, not counting forfeits and byes."
    ),
    TieBreak.BUCHHOLZ: gettext_lazy(
        "The sum of the opponents’ scores. A match with several opponents counts as the "
        "mean of their scores."
    ),
    TieBreak.BUCHHOLZ_CUT: gettext_lazy(
        "The sum of the opponents’ scores without the lowest value. A match with several "
        "opponents counts as the mean of their scores. If the player was absent from "
        "rounds or lost by forfeit, the lowest value from those rounds is left out "
        "instead of the lowest of all."
    ),
    TieBreak.MEDIAN_BUCHHOLZ: gettext_lazy(
        "The sum of the opponents’ scores without the lowest and the highest value. A "
        "match with several opponents counts as the mean of their scores. If the player "
        "was absent from rounds or lost by forfeit, the lowest value from those rounds "
        "is left out instead of the lowest of all. With fewer than three rounds, the sum "
        "is 0."
    ),
    TieBreak.SONNEBORN_BERGER: gettext_lazy(
        "The sum of the scores of the opponents whom the player beat, plus half the "
        "scores of those with whom the player tied. In a match with several opponents, "
        "the mean of these values counts."
    ),
    TieBreak.CUMULATIVE: gettext_lazy(
        "The player’s total scores after each round are added together (in a round "
        "robin, up to the last round with a result). In an open ladder, the total scores "
        "after each match are added together. For a round without points, the previous "
        "total is added again."
    ),
}
FIRST: Final[Mapping[TieBreak, str | Promise]] = {
    TieBreak.HEAD_TO_HEAD: gettext_lazy(
        "The share of matches between the tied players that the player won; a tie counts "
        "as half a win. This tie-break applies only if all the tied players have played "
        "one another."
    ),
    TieBreak.WINS: gettext_lazy("Matches won without sharing the win, including by forfeit."),
    TieBreak.WINS_PLAYED: gettext_lazy(
        "Matches won without sharing the win, including by forfeit."
    ),
    TieBreak.BUCHHOLZ: gettext_lazy(
        "The sum of the scores of all opponents. A bye counts as an opponent with the "
        "player’s own score."
    ),
    TieBreak.BUCHHOLZ_CUT: gettext_lazy(
        "The sum of the scores of all opponents without the lowest score. A bye counts "
        "as an opponent with the player’s own score."
    ),
    TieBreak.MEDIAN_BUCHHOLZ: gettext_lazy(
        "The sum of the scores of all opponents without the highest and the lowest "
        "score. With fewer than three opponents, the sum is 0. A bye counts as an "
        "opponent with the player’s own score."
    ),
    TieBreak.SONNEBORN_BERGER: gettext_lazy(
        "The sum of the scores of the opponents whom the player beat, plus half the "
        "scores of those with whom the player tied."
    ),
    TieBreak.CUMULATIVE: gettext_lazy(
        "The player’s total scores after each match are added together; byes are left out."
    ),
}
UNPLAYED: Final[Mapping[UnplayedKind, str | Promise]] = {
    UnplayedKind.BYE: gettext_lazy("bye, because nobody was left to play against"),
    UnplayedKind.EXCUSED: gettext_lazy("absence announced before the draw"),
    UnplayedKind.FORFEIT_WON: gettext_lazy("forfeit won: another player did not turn up"),
    UnplayedKind.FORFEIT_LOST: gettext_lazy("forfeit lost: the player did not turn up"),
    UnplayedKind.ABSENT: gettext_lazy("neither a fixture nor a bye"),
    UnplayedKind.NOT_ENTERED: gettext_lazy("before joining the league"),
    UnplayedKind.LEFT: gettext_lazy("after withdrawing"),
    UnplayedKind.VOID: gettext_lazy("the fixture was voided"),
}
IN_A_ROUND_ROBIN: Final = (
    UnplayedKind.BYE,
    UnplayedKind.FORFEIT_WON,
    UnplayedKind.FORFEIT_LOST,
)


@dataclass(frozen=True, kw_only=True)
class StandingsRules:
    """The rules of the standings of a league as sentences.

    `unplayed` are the kinds of rounds in which a player has no match, with the points for each
    kind. `notes` say how such rounds count in tie-breaks. `tie_breaks` are names with explanations,
    in order.
    """

    points: tuple[str, ...]
    unplayed: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    tie_breaks: tuple[tuple[str, str], ...]
    places: tuple[str, ...]


def standings_rules(league: League) -> StandingsRules:
    scoring = scoring_of(league)
    return StandingsRules(
        points=tuple(_points(league, scoring)),
        unplayed=tuple(_unplayed(league, scoring)),
        notes=tuple(_notes(league, scoring)),
        tie_breaks=tuple(_tie_breaks(league)),
        places=tuple(_places(league)),
    )


def _points(league: League, scoring: Scoring) -> Iterator[str]:
    if has_sides(league):
        yield _(
            "Partners share one place: both get the points for it, and they do not count as "
            "opponents of each other."
        )
    if scoring.kind is ScoringKind.POINTS:
        yield _("The points scored in the matches are added up.")
        return
    yield _("The score is the sum of the points from all matches and rounds.")
    if scoring.kind is ScoringKind.BEATEN:
        yield _(
            "Each match is worth the share of opponents who finish behind the player; a tied "
            "opponent counts half. Winning without a tie is worth 1, and finishing last is "
            "worth 0."
        )
        return
    values = [score(value) for value in scoring.by_place]
    if not any(scoring.by_place[1:]):
        yield _("Points for the winner of a match: %(points)s. Nobody else gets any points.") % {
            "points": values[0] if values else 0
        }
    else:
        yield _("Points for first place, second place and so on: %(points)s.") % {
            "points": ", ".join(values)
        }
    yield _("Players who tie share the points for their places equally.")
    if scoring.draw is not None:
        yield _(
            "If several players share the win, each gets %(points)s instead of a share of "
            "the points."
        ) % {"points": score(scoring.draw)}
    if scoring.sides is not None and DUEL < scoring.sides <= len(scoring.by_place):
        yield _(
            "In a match with fewer players than usual, first place keeps its points, last "
            "place gets the points for last place in a full match, and the points for the "
            "places between go down in equal steps."
        )


def _unplayed(league: League, scoring: Scoring) -> Iterator[tuple[str, str]]:
    if league.format == League.Format.LADDER:
        return
    if scoring.sides is None:
        yield str(UNPLAYED[UnplayedKind.BYE]), score(scoring.bye_worth)
        return
    kinds: Iterable[UnplayedKind] = UNPLAYED
    if league.format == League.Format.ROUND_ROBIN:
        kinds = IN_A_ROUND_ROBIN
    for kind in kinds:
        if kind is UnplayedKind.EXCUSED and not league.absences_allowed:
            continue
        yield str(UNPLAYED[kind]), score(scoring.unplayed_worth(kind))


def _notes(league: League, scoring: Scoring) -> Iterator[str]:
    if league.format == League.Format.LADDER:
        return
    if league.format == League.Format.ROUND_ROBIN:
        yield _(
            "Rest days do not count as byes if everybody has the same number of them in the "
            "whole schedule: they bring no points and do not count as an opponent in "
            "tie-breaks. If some players have more rest days than others, each rest day "
            "becomes a bye as soon as a match in its round or in a later round has a result."
        )
    if scoring.sides is None:
        yield _(
            "A forfeited match counts as a match without points: the players who turned up "
            "share first place, and the others come last."
        )
        return
    if league.format == League.Format.ROUND_ROBIN:
        yield _(
            "In tie-breaks, a bye counts as a match against an opponent who has the player’s "
            "own score. The player is credited with the fraction of a win that the bye’s "
            "points represent (a win is worth %(win)s). A forfeited match counts like a "
            "match that was played."
        ) % {"win": score(scoring.win)}
        return
    if league.absences_allowed:
        yield ngettext(
            "An announced absence earns each player these points only once, and never in the "
            "last round. Further absences earn nothing.",
            "Announced absences earn each player these points up to %(count)d times, and "
            "never in the last round. Further absences earn nothing.",
            league.absences_allowed,
        ) % {"count": league.absences_allowed}
    yield _(
        "In tie-breaks that use opponents’ scores, each round without a match counts as "
        "a match against an opponent with the same score in the standings as the player. "
        "The player is credited with the fraction of a win that the round’s points "
        "represent (a win is worth %(win)s)."
    ) % {"win": score(scoring.win)}
    yield _(
        "When the tie-breaks of opponents use a player’s score, one thing is changed: "
        "each round of absence at the very end counts as half a win (%(half)s) if the "
        "player has no match, bye, forfeit won or voided fixture after it. A round of "
        "absence is a round for which the player announced an absence, a round before "
        "the player joined or after the player withdrew, or a round in which the player "
        "had neither a fixture nor a bye."
    ) % {"half": score(scoring.win / 2)}
    yield _(
        "Forfeited matches do not count as results between the tied players. Fixtures "
        "that are still to be played do not count yet."
    )


def _tie_breaks(league: League) -> Iterator[tuple[str, str]]:
    for name in map(TieBreak, league.tie_breaks or DEFAULT_TIE_BREAKS):
        yield str(TIE_BREAKS[name]), tie_break_sentence(league, name)


def tie_break_sentence(league: League, name: TieBreak) -> str:
    """Return the explanation of a tie-break under the league's version of the rules."""
    own = CURRENT if league.standings_rules == RulesVersion.CURRENT else FIRST
    return str({**EXPLAINED, **own}[name])


def _places(league: League) -> Iterator[str]:
    yield _("Players who are level on all of these criteria share a place.")
    if league.standings_rules == RulesVersion.CURRENT:
        yield _(
            "Players who have played no match and have no points from rounds without a match "
            "are listed below all others, without a place."
        )
    if league.standings_rules == RulesVersion.FINAL:
        yield _("Players who withdrew before the end are listed below all others.")
    else:
        yield _("Players who withdraw keep the place that their points give them.")
    if league.cut:
        yield _(
            "Players who qualify because they are above the cut-off line: %(count)s. Players "
            "who withdrew before the end are not counted."
        ) % {"count": league.cut}
        if league.cut_matches:
            yield few_matches_sentence(league.cut_matches)


def few_matches_sentence(least: int) -> str:
    return ngettext(
        "Players with fewer than %(count)s match are not counted above the cut-off line. "
        "Forfeits do not count as matches.",
        "Players with fewer than %(count)s matches are not counted above the cut-off "
        "line. Forfeits do not count as matches.",
        least,
    ) % {"count": least}
