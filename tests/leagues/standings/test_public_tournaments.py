"""Seven real tournaments with their published standings, calculated under the current rules.

`public/` has a file for each: the code of every player for every round (see `written_tables`), and
the published score, place and tie-breaks. Names are replaced. `draughts` counts 2 for a win and 1
for a draw, the others 1 and 1/2. A match to which neither player came is `void` here, because the
site requires that if nobody wins.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final

import pytest
from django.utils import translation

from fairness import Seed
from leagues.models import League
from leagues.pages.standings.explained import standings_rules
from leagues.standings.queries import DrawnRound, Enrolment, StandingsBasis
from leagues.standings.ranking import StandingsRow
from leagues.standings.scoring import Scoring, StandingsEntry, UnplayedKind, UnplayedRound
from leagues.standings.tallies import RulesVersion
from leagues.standings.tie_breaks import TieBreak
from tests.leagues import world
from tests.leagues.standings.written_tables import NOW, recorded, standings_of

T, F, HALF = TieBreak, Fraction, Fraction(1, 2)
FILES: Final = Path(__file__).parent / "public"
ONE_FOR_A_WIN: Final = Scoring(sides=2)
TWO_FOR_A_WIN: Final = Scoring(by_place=(F(2),), draw=F(1), sides=2)


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A published tournament.

    `order` are the tie-breaks that decided it. `beside` is the number of players who share a place
    on this site, but have different places in the published standings.
    """

    players: int
    order: tuple[TieBreak, ...]
    beside: int = 0
    scoring: Scoring = ONE_FOR_A_WIN
    fixed: bool = False


OPEN: Final = "chess-open-2012"
DRAUGHTS: Final = "draughts-2021"
TOURNAMENTS: Final = {
    # A tournament of club evenings over several weeks. It has half-point byes, byes, forfeits, late
    # entries and withdrawals.
    "chess-evenings-2024": Tournament(players=41, order=(T.BUCHHOLZ, T.BUCHHOLZ_CUT), beside=1),
    "chess-evenings-2025": Tournament(
        players=33, order=(T.BUCHHOLZ, T.BUCHHOLZ_CUT, T.SONNEBORN_BERGER)
    ),
    # A tournament of a single evening. It has byes, half-point byes and withdrawals.
    "chess-rapid-2025": Tournament(
        players=49, order=(T.BUCHHOLZ, T.BUCHHOLZ_CUT, T.SONNEBORN_BERGER), beside=3
    ),
    # An online tournament of ten rounds. It has late entries with half a point, byes and a
    # withdrawal.
    "chess-online-2020": Tournament(players=13, order=(T.SONNEBORN_BERGER,), beside=1),
    # A tournament in which a player withdrew, so that all five matches of this player became
    # forfeits.
    "chess-round-robin-2018": Tournament(players=6, order=(T.SONNEBORN_BERGER, T.WINS), fixed=True),
    # A tournament in which a player never came, so that in every later round another player had a
    # bye.
    DRAUGHTS: Tournament(players=10, order=(T.SONNEBORN_BERGER, T.BUCHHOLZ), scoring=TWO_FOR_A_WIN),
    # An open tournament of nine rounds, with byes, a forfeit, absences and withdrawals.
    OPEN: Tournament(players=84, order=(T.BUCHHOLZ, T.SONNEBORN_BERGER)),
}
AS_PUBLISHED: Final = [name for name in TOURNAMENTS if name != OPEN]


@cache
def lines(name: str) -> Mapping[str, Mapping[str, str]]:
    with (FILES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return {line["player"].removeprefix("Player "): line for line in csv.DictReader(file)}


def words(name: str) -> dict[str, list[str]]:
    """Return the codes of every player for all rounds."""
    return {
        player: [word for column, word in line.items() if column.isdigit()]
        for player, line in lines(name).items()
    }


def published(name: str, column: str) -> dict[str, Fraction]:
    return {player: F(line[column]) for player, line in lines(name).items()}


@cache
def ours(name: str) -> Mapping[str, StandingsRow]:
    about = TOURNAMENTS[name]
    return standings_of(words(name), *about.order, scoring=about.scoring, fixed=about.fixed)


def rival_of(word: str) -> str | None:
    """Return the opponent of a played match, or None."""
    found = re.fullmatch(r"[wb]?[+=-](\d+)", word)
    return found[1] if found else None


def players_without_match(name: str, *kinds: str) -> set[str]:
    """Return the players who had a round of these kinds. The kind `*` stands for a forfeit."""
    return {
        player for player, own in words(name).items() if any(word.endswith(kinds) for word in own)
    }


def met(name: str, among: set[str]) -> set[str]:
    """Return these players and all players who played against one of them."""
    return among | {
        player for player, own in words(name).items() if among & set(map(rival_of, own))
    }


# Published standings


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_scores_equal_the_published_scores(name: str) -> None:
    assert len(lines(name)) == TOURNAMENTS[name].players
    assert {player: row.score for player, row in ours(name).items()} == published(name, "score")


@pytest.mark.parametrize(
    ("name", "tie_break"),
    [
        (name, tie_break)
        for name, about in TOURNAMENTS.items()
        for tie_break in about.order
        if name not in (DRAUGHTS, OPEN, "chess-online-2020")
    ],
)
def test_tie_breaks_equal_the_published_values(name: str, tie_break: TieBreak) -> None:
    found = {player: row.breaks[tie_break] for player, row in ours(name).items()}
    assert found == published(name, tie_break)


@pytest.mark.parametrize("name", AS_PUBLISHED)
def test_places_equal_the_published_places(name: str) -> None:
    """Players who are tied in all tie-breaks share a place on this site.

    The organisers of the tournaments gave them different places.
    """
    rows = ours(name)
    sharing = [row.place for row in rows.values()]
    beside = 0
    for player, place in published(name, "place").items():
        row = rows[player]
        assert row.place <= place < row.place + sharing.count(row.place), player
        beside += place != row.place
    assert beside == TOURNAMENTS[name].beside


# Other rules


def older_figures(
    name: str, *, forfeit_won: Fraction = HALF
) -> dict[str, tuple[Fraction, Fraction]]:
    """Return Buchholz and Sonneborn-Berger by the rule that FIDE had until 2023.

    A player who misses a round meets a virtual opponent: with the player's score before the round,
    the points the player did not get in it, and a draw in every later round. For the opponents,
    every missed round is a draw, and a forfeit won is `forfeit_won` of a win.
    """
    scoring = TOURNAMENTS[name].scoring
    gains = {
        player: [gain(word) * scoring.win for word in own] for player, own in words(name).items()
    }
    for_others = {
        player: sum(
            brought
            if rival_of(word)
            else scoring.win * (forfeit_won if re.match(r"\+.*\*", word) else HALF)
            for word, brought in zip(own, gains[player], strict=True)
        )
        for player, own in words(name).items()
    }
    figures = {}
    for player, own in words(name).items():
        before = accumulate(gains[player], initial=F(0))
        later = range(len(own) - 1, -1, -1)
        buchholz = sonneborn_berger = F(0)
        for word, brought, score, left in zip(own, gains[player], before, later, strict=False):
            rival = rival_of(word)
            virtual = score + scoring.win - brought + left * scoring.win / 2
            strength = for_others[rival] if rival else virtual
            buchholz += strength
            sonneborn_berger += strength * brought / scoring.win
        figures[player] = (buchholz, sonneborn_berger)
    return figures


def gain(word: str) -> Fraction:
    """Return the result of a round in wins."""
    if word == "bye":
        return F(1)
    sign = re.search(r"[+=-]", word)
    return {"+": F(1), "=": HALF, "-": F(0)}[sign[0]] if sign else F(0)


def test_published_places_of_2012_follow_the_older_fide_rule() -> None:
    figures, score = older_figures(OPEN), published(OPEN, "score")
    order = sorted(score, key=lambda player: (score[player], *figures[player]), reverse=True)
    assert {player: F(place) for place, player in enumerate(order, start=1)} == published(
        OPEN, "place"
    )


def test_older_fide_rule_gives_the_same_values_without_missed_rounds() -> None:
    figures, rows = older_figures(OPEN), ours(OPEN)
    found = {
        player: (row.breaks[T.BUCHHOLZ], row.breaks[T.SONNEBORN_BERGER])
        for player, row in rows.items()
    }
    affected = met(OPEN, players_without_match(OPEN, "bye", "absent", "late", "left", "*"))
    assert {player: found[player] for player in set(rows) - affected} == {
        player: figures[player] for player in set(rows) - affected
    }
    assert (len(affected), len(rows)) == (57, 84)


def test_current_rules_change_places_of_2012_only_within_equal_scores() -> None:
    rows, place = ours(OPEN), published(OPEN, "place")
    by_place = sorted(place, key=lambda player: place[player])
    assert all(rows[one].score >= rows[two].score for one, two in pairwise(by_place))
    moved = {player for player, row in rows.items() if row.place != place[player]}
    assert len(moved) == 30
    # A player who neither played nor scored is listed below the other player without points.
    assert not rows["25"].placed
    assert (place["25"], rows["25"].place) == (F(83), 84)


def test_published_sonneborn_berger_of_draughts_ignores_byes() -> None:
    rows, said = ours(DRAUGHTS), published(DRAUGHTS, T.SONNEBORN_BERGER)
    differ = {
        player for player, row in rows.items() if row.breaks[T.SONNEBORN_BERGER] != said[player]
    }
    assert differ == players_without_match(DRAUGHTS, "bye")
    assert len(differ) == 6


def test_published_buchholz_of_draughts_counts_byes_of_opponents_half() -> None:
    rows, said = ours(DRAUGHTS), published(DRAUGHTS, T.BUCHHOLZ)
    differ = {player for player, row in rows.items() if row.breaks[T.BUCHHOLZ] != said[player]}
    assert differ == met(DRAUGHTS, players_without_match(DRAUGHTS, "bye"))
    assert len(differ) == 9
    older = older_figures(DRAUGHTS, forfeit_won=F(1))
    assert {player: older[player][0] for player in differ} == {
        player: said[player] for player in differ
    }


# As stored by the site


def stored_basis(name: str) -> StandingsBasis:
    """Return the basis that the site would store: fixtures, byes, absences, and membership times.

    A round is drawn every evening; players join and leave on the morning before.
    """
    about, entries, placings = TOURNAMENTS[name], *recorded(words(name))
    rounds = []
    for number in range(1, 1 + max(map(len, words(name).values()))):
        of_kind = {
            kind: frozenset(
                entry.player for entry in entries if UnplayedRound(number, kind) in entry.unplayed
            )
            for kind in (UnplayedKind.BYE, UnplayedKind.VOID, UnplayedKind.EXCUSED)
        }
        rounds.append(
            DrawnRound(
                number=number,
                drawn_at=NOW + dt.timedelta(days=number),
                byes=of_kind[UnplayedKind.BYE],
                void=of_kind[UnplayedKind.VOID],
                excused=of_kind[UnplayedKind.EXCUSED],
                seated=frozenset(each.player for each in placings if each.round == number),
            )
        )
    return StandingsBasis(
        enrolments=tuple(map(enrolled, entries)),
        placings=tuple(placings),
        to_play=(),
        scoring=about.scoring,
        tie_breaks=about.order,
        cut=None,
        seed=Seed(bytes(32)),
        sides=False,
        complete=False,
        rounds=tuple(rounds),
        rules=RulesVersion.CURRENT,
        format=League.Format.SWISS,
    )


def enrolled(entry: StandingsEntry) -> Enrolment:
    before = sum(each.kind is UnplayedKind.NOT_ENTERED for each in entry.unplayed)
    after = [each.round for each in entry.unplayed if each.kind is UnplayedKind.LEFT]
    morning = NOW - dt.timedelta(hours=8)
    return Enrolment(
        player=entry.player,
        joined_at=morning + dt.timedelta(days=before + 1),
        left_at=morning + dt.timedelta(days=min(after)) if after else None,
    )


SWISS: Final = [name for name, about in TOURNAMENTS.items() if not about.fixed]


@pytest.mark.parametrize("name", SWISS)
def test_reason_of_a_round_without_a_match_is_read_from_stored_data(name: str) -> None:
    written, _ = recorded(words(name))
    found = {entry.player: entry.unplayed for entry in stored_basis(name).entries}
    assert sum(map(len, found.values())) > 10
    for entry in written:
        assert found[entry.player] == entry.unplayed


@pytest.mark.parametrize("name", SWISS)
def test_standings_from_stored_data_equal_those_from_the_table(name: str) -> None:
    called = dict(enumerate(words(name), start=1))
    for row in stored_basis(name).rows():
        own = ours(name)[called[row.player]]
        assert (row.place, row.score, row.breaks) == (own.place, own.score, own.breaks)


# Page of rules

SENTENCES: Final[Sequence[str]] = (
    # The current rules use neither a virtual opponent nor zero points.
    "round without a match counts as a match against an opponent with the same score",
    # In the current rules a missed round does not simply count as a draw for the opponents.
    "When the tie-breaks of opponents use a player’s score, one thing is changed:",
    # Tied players share a place, and are not numbered in some order.
    "Players who are level on all of these criteria share a place.",
    # Not numbered at all.
    "Players who have played no match and have no points from rounds without a match are listed",
)


@pytest.mark.django_db
def test_page_of_rules_explains_differences_from_published_standings() -> None:
    league = world.found_league(world.account("ana"), format="swiss")
    found = standings_rules(league)
    for sentence in SENTENCES:
        assert any(sentence in said for said in (*found.notes, *found.places)), sentence
    with translation.override("es"):
        translated = standings_rules(league)
    assert not {*found.notes, *found.places} & {*translated.notes, *translated.places}
    assert len(translated.notes) == len(found.notes)
