"""How the standings of a league are reckoned, in words, as its page of rules says it."""

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

# What a tie-break is, under all rules unless below.
EXPLAINED: Final[Mapping[TieBreak, str | Promise]] = {
    TieBreak.MARGIN: gettext_lazy("All points scored, less those of the best opponent each time."),
    TieBreak.POINTS: gettext_lazy("All points scored in the matches."),
    TieBreak.FEWEST_PLAYED: gettext_lazy(
        "Whoever has played fewer matches is better. Forfeited matches count as played."
    ),
    TieBreak.BEST_SINGLE: gettext_lazy("The most points scored in a single match."),
    TieBreak.LOTS: gettext_lazy("Drawn by lot once, when the league is founded."),
}
CURRENT: Final[Mapping[TieBreak, str | Promise]] = {
    TieBreak.HEAD_TO_HEAD: gettext_lazy(
        "1 for each of the tied players who was beaten, 1/2 for a tie (the mean if two met more "
        "than once). Those who are still level are compared again among themselves. If some have "
        "not met, this decides only what no result of the missing matches could change."
    ),
    TieBreak.WINS: gettext_lazy(
        "The rounds that brought a full win: matches won alone, forfeits won, and byes that bring "
        "no less than a win."
    ),
    TieBreak.WINS_PLAYED: gettext_lazy("Matches won alone, without forfeits and byes."),
    TieBreak.BUCHHOLZ: gettext_lazy(
        "The sum of the opponents’ scores (in each match with several opponents: their mean)."
    ),
    TieBreak.BUCHHOLZ_CUT: gettext_lazy(
        "The sum of the opponents’ scores (in each match with several opponents: their mean) "
        "without the lowest value; if the player was absent or forfeited, without the lowest value "
        "of those rounds."
    ),
    TieBreak.MEDIAN_BUCHHOLZ: gettext_lazy(
        "The sum of the opponents’ scores (in each match with several opponents: their mean) "
        "without the lowest value (if the player was absent or forfeited, the lowest value of "
        "those rounds), and then without the highest. 0 with fewer than three rounds."
    ),
    TieBreak.SONNEBORN_BERGER: gettext_lazy(
        "The sum of the scores of those who were beaten, and half the scores of those who tied (in "
        "each match with several opponents: the mean)."
    ),
    TieBreak.CUMULATIVE: gettext_lazy(
        "The score is added up after every round (in a round robin, up to the last round with a "
        "result); in a ladder, after every match. A round without points repeats the score before "
        "it."
    ),
}
FIRST: Final[Mapping[TieBreak, str | Promise]] = {
    TieBreak.HEAD_TO_HEAD: gettext_lazy(
        "The share of the matches among the tied players that was won, a tie being half a win. It "
        "decides only if all of them have met."
    ),
    TieBreak.WINS: gettext_lazy("Matches won alone, also by forfeit."),
    TieBreak.WINS_PLAYED: gettext_lazy("Matches won alone, also by forfeit."),
    TieBreak.BUCHHOLZ: gettext_lazy(
        "The sum of the scores of all opponents; a bye counts as an opponent with the player’s own "
        "score."
    ),
    TieBreak.BUCHHOLZ_CUT: gettext_lazy(
        "The sum of the scores of all opponents without the lowest; a bye counts as an opponent "
        "with the player’s own score."
    ),
    TieBreak.MEDIAN_BUCHHOLZ: gettext_lazy(
        "The sum of the scores of all opponents without the highest and the lowest, 0 with fewer "
        "than three; a bye counts as an opponent with the player’s own score."
    ),
    TieBreak.SONNEBORN_BERGER: gettext_lazy(
        "The sum of the scores of those who were beaten, and half the scores of those who tied."
    ),
    TieBreak.CUMULATIVE: gettext_lazy("The score is added up after every match, without byes."),
}
UNPLAYED: Final[Mapping[UnplayedKind, str | Promise]] = {
    UnplayedKind.BYE: gettext_lazy("bye, because nobody was left to play"),
    UnplayedKind.EXCUSED: gettext_lazy("absence announced before the draw"),
    UnplayedKind.FORFEIT_WON: gettext_lazy("forfeit won: somebody else did not come"),
    UnplayedKind.FORFEIT_LOST: gettext_lazy("forfeit lost: the player did not come"),
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

    `unplayed` are kinds of rounds without a match with what they bring, `notes` what they count in
    tie-breaks. `tie_breaks` are names with explanations, in order.
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
            "Partners have one place: both get its points, and they do not count as opponents of "
            "each other."
        )
    if scoring.kind is ScoringKind.POINTS:
        yield _("The points scored in the matches are added up.")
        return
    if scoring.kind is ScoringKind.BEATEN:
        yield _(
            "A match brings the share of the opponents who finish behind, a tie being half: 1 for "
            "winning alone, 0 for the last place."
        )
        return
    values = [score(value) for value in scoring.by_place]
    if not any(scoring.by_place[1:]):
        yield _("The winner of a match gets: %(points)s. Nobody else gets anything.") % {
            "points": values[0] if values else 0
        }
    else:
        yield _("Points for the first place, the second and so on: %(points)s.") % {
            "points": ", ".join(values)
        }
    yield _("Players who tie share the points of their places equally.")
    if scoring.draw is not None:
        yield _("Several who win together get instead, each: %(points)s.") % {
            "points": score(scoring.draw)
        }
    if scoring.sides is not None and DUEL < scoring.sides <= len(scoring.by_place):
        yield _(
            "In a match with fewer players than usual, the first place keeps its points, the last "
            "one gets those of the last place of a full match, and the points of the places "
            "between go down in equal steps."
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
            "Rest days are no byes if everybody has equally many: they bring nothing and count "
            "nowhere. If some rest more often, a rest day is a bye as soon as a match of that "
            "round, or of a later one, has a result."
        )
    if scoring.sides is None:
        yield _(
            "A forfeited match counts as one without points: those who came share the first place, "
            "the others come last."
        )
        return
    if league.format == League.Format.ROUND_ROBIN:
        yield _(
            "In tie-breaks, a bye counts as an opponent with the player’s own score, who was "
            "beaten in the proportion that the bye’s points have to a win (%(win)s). A "
            "forfeited match counts as any other match."
        ) % {"win": score(scoring.win)}
        return
    if league.absences_allowed:
        yield ngettext(
            "An announced absence brings each player these points only once, and never in the "
            "last round. Others bring nothing.",
            "Announced absences bring each player these points up to %(count)d times, and never in "
            "the last round. Others bring nothing.",
            league.absences_allowed,
        ) % {"count": league.absences_allowed}
    yield _(
        "In tie-breaks that use opponents’ scores, each such round counts as an opponent with the "
        "player’s own score, who was beaten in the proportion that the round’s points have to a "
        "win (%(win)s)."
    ) % {"win": score(scoring.win)}
    yield _(
        "For a player’s opponents, such a round counts what it brought. The exception are rounds "
        "of absence (announced, before joining, after withdrawing, or with neither fixture nor "
        "bye) after which the player had no match, bye, forfeit won or voided fixture any more: "
        "each of these counts as half a win (%(half)s)."
    ) % {"half": score(scoring.win / 2)}
    yield _(
        "Forfeited matches are no results against each other. Fixtures that are still to be played "
        "count nowhere yet."
    )


def _tie_breaks(league: League) -> Iterator[tuple[str, str]]:
    for name in map(TieBreak, league.tie_breaks or DEFAULT_TIE_BREAKS):
        yield str(TIE_BREAKS[name]), tie_break_sentence(league, name)


def tie_break_sentence(league: League, name: TieBreak) -> str:
    """Return what a tie-break is under the rules of a league."""
    own = CURRENT if league.standings_rules == RulesVersion.CURRENT else FIRST
    return str({**EXPLAINED, **own}[name])


def _places(league: League) -> Iterator[str]:
    yield _("Players who are level in all of this share a place.")
    if league.standings_rules == RulesVersion.CURRENT:
        yield _(
            "Whoever has neither played nor got a point without playing stands below all others, "
            "without a place."
        )
    if league.standings_rules == RulesVersion.FINAL:
        yield _("Whoever withdrew before the end stands below all others.")
    else:
        yield _("Whoever withdraws keeps the place that the points give.")
    if league.cut:
        yield _(
            "Players above the line: %(count)s. Those who withdrew before the end are not counted."
        ) % {"count": league.cut}
        if league.cut_matches:
            yield few_matches_sentence(league.cut_matches)


def few_matches_sentence(least: int) -> str:
    return ngettext(
        "The line does not count players with fewer than %(count)s match. A forfeit is not a "
        "match.",
        "The line does not count players with fewer than %(count)s matches. A forfeit is not a "
        "match.",
        least,
    ) % {"count": least}
