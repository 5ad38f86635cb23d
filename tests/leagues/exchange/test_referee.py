"""The referee of a game checks imported points like entered points."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from corridas.game import points_by_seat
from corridas.tabletop.sheets import judge
from eltoro.bots import BOTS
from eltoro.engine import Game, Rules
from leagues.exchange.formats import ImportVerdict
from leagues.exchange.import_plan import ImportLine
from leagues.exchange.operations import FileFormat
from leagues.games import games
from leagues.models import Match, Player
from tests.corridas.tabletop.sheets import afternoon
from tests.factories import browser
from tests.leagues import world
from tests.leagues.exchange.test_plans import HEAD, Desk, ladder, only_line, plays, row

pytestmark = pytest.mark.django_db

PLAYERS = ("Ana", "Bruno", "Carla", "Dani", "Eva", "Fito")


@pytest.fixture
def office() -> Player:
    return world.account("office")


def desk(office: Player, game: str, profile: str, kind: FileFormat = FileFormat.CSV) -> Desk:
    seats = max(games[game].seat_counts({}))
    return Desk(ladder(office, game=game, profile=profile, seats=seats), office, kind)


def csv_of(results: Iterable[Sequence[int]]) -> str:
    """Return a CSV file with the points of these matches, one a minute; the points decide the
    places.
    """
    lines = []
    for number, points in enumerate(results):
        seats = [(name, "", own) for name, own in zip(PLAYERS, points, strict=False)]
        lines.append(row(number, f"2026-11-20 {10 + number // 60}:{number % 60:02}", *seats))
    return HEAD + "".join(lines)


def line_of(desk: Desk, points: Sequence[int]) -> ImportLine:
    return only_line(desk.plan(csv_of([points])))


CASES = [
    # A game of El Toro lasts three days. If only one player scores points with cards, a deck allows
    # at most 173 points. With more players, each player has fewer runners.
    ("eltoro", "el-toro", (173, 0), ""),
    ("eltoro", "el-toro", (174, 0), "Ana: a player can score at most 173 points in an evening"),
    ("eltoro", "el-toro", (0, 0), ""),
    (
        "eltoro",
        "el-toro",
        (0, -1),
        "Bruno: a player’s score for an evening must be at least 0 points",
    ),
    ("eltoro", "el-toro", (129, 0, 0, 0, 0, 0), ""),
    ("eltoro", "el-toro", (0, 0, 0, 0, 0, 130), "Fito: a player can score at most 129 points"),
    ("eltoro", "el-toro", (10**9, 0), "but you entered 1,000,000,000 points."),
    # The totals of a game with a single day are checked like points in the entry form.
    ("eltoro", "one-day", (59, 0), ""),
    ("eltoro", "one-day", (60, 0), "The cards in one deck can’t score this many points"),
    ("eltoro", "one-day", (66, 0), "runners and cards can’t earn 66 points."),
    ("eltoro", "one-day", (67, 0), "Ana: a player can score at most 66 points in a day"),
    ("eltoro", "one-day", (0, -1), "Bruno: a player’s score for a day must be at least 0 points"),
    # In a corrida, six bulls bring at most four points each, because a tail counts four points and
    # two ears count two.
    ("indulto", "rulebook", (24, 0), ""),
    ("indulto", "rulebook", (25, 0), "Ana: a total must be between 0 and 24, not 25."),
    ("indulto", "rulebook", (0, -1), "Bruno: a total must be between 0 and 24, not -1."),
    ("indulto", "rulebook", (0, 0), ""),
    ("indulto", "rulebook", (20, 4), ""),
    ("indulto", "rulebook", (20, 3), "The six bulls of a corrida can’t give 20 + 3 points"),
    ("indulto", "rulebook", (22, 0), ""),
    ("indulto", "rulebook", (23, 0), "The six bulls of a corrida can’t give 23 + 0 points"),
    ("indulto", "rulebook", (8, 8, 8), ""),
    ("indulto", "rulebook", (8, 8, 9), "The six bulls of a corrida can’t give 8 + 8 + 9 points"),
    ("indulto", "rulebook", (6, 6, 6), ""),
    ("indulto", "rulebook", (7, 6, 6), "The six bulls of a corrida can’t give 7 + 6 + 6 points"),
]


@pytest.mark.parametrize(("game", "profile", "points", "sentence"), CASES)
def test_imported_points_that_no_match_can_have_are_rejected(
    office: Player, game: str, profile: str, points: tuple[int, ...], sentence: str
) -> None:
    line = line_of(desk(office, game, profile), points)
    assert line.verdict is (ImportVerdict.UNREADABLE if sentence else ImportVerdict.ADD)
    assert sentence in line.sentence
    assert not line.early


@pytest.mark.parametrize("points", [(60, 0), (66, 0), (67, 0), (0, -1)])
def test_impossible_points_of_one_day_get_the_message_of_the_form(
    office: Player, points: list[int]
) -> None:
    line = line_of(desk(office, "eltoro", "one-day"), points)
    judged = games["eltoro"].referee.judge(
        rules={"days": 1},
        seats=2,
        sheet={"kind": "points", "days": [list(points)]},
        names=PLAYERS[:2],
    )
    assert line.sentence == judged.objections[0].sentence


@pytest.mark.parametrize("kind", list(FileFormat))
@pytest.mark.parametrize(
    ("game", "profile", "possible", "impossible"),
    [("eltoro", "el-toro", (173, 0), (174, 0)), ("indulto", "rulebook", (20, 4), (20, 5))],
)
def test_points_are_checked_in_every_file_format(
    office: Player,
    kind: FileFormat,
    game: str,
    profile: str,
    possible: tuple[int, int],
    impossible: tuple[int, int],
) -> None:
    both = [possible, impossible]
    text = {
        FileFormat.CSV: csv_of(both),
        FileFormat.BGSTATS: plays(*([{"score": str(own)} for own in each] for each in both)),
        FileFormat.JSON: json.dumps(
            {
                "format": "temporada-results",
                "version": 1,
                "results": [
                    {
                        "played_at": f"2026-11-20T12:0{number}",
                        "seats": [
                            {"player": name, "points": own}
                            for name, own in zip(PLAYERS, each, strict=False)
                        ],
                    }
                    for number, each in enumerate(both)
                ],
            }
        ),
    }[kind].replace("Matador", game)
    done = desk(office, game, profile, kind).add(text)
    assert [match.sheet.points for match in done.matches if match.sheet] == [list(possible)]


def test_places_without_points_are_not_checked(office: Player) -> None:
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, ""), ("Bruno", 2, ""))
    for game, profile in (("eltoro", "el-toro"), ("indulto", "rulebook")):
        assert only_line(desk(office, game, profile).plan(text)).verdict is ImportVerdict.ADD


def test_places_in_a_file_decide_equal_totals(office: Player) -> None:
    """The file contains only totals.

    The points of the last day, which are unknown, may have decided the tie. So the places in the
    file count.
    """
    text = HEAD + row(1, "2026-11-20", ("Ana", 2, 40), ("Bruno", 1, 40))
    (match,) = desk(office, "eltoro", "el-toro").add(text).matches
    assert match.sheet
    assert (match.sheet.points, match.sheet.places) == ([40, 40], [2, 1])


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["at most 173 points in an evening", "between 0 and 24, not 25", "The six bulls"]),
        (
            "es",
            [
                "en una velada se pueden ganar como mucho 173 puntos",
                "Ana: el total debe estar entre 0 y 24",
                "Los seis toros de una corrida no pueden dar 20 + 3 puntos",
            ],
        ),
    ],
)
def test_import_page_explains_why_points_are_impossible(
    office: Player, language: str, sentences: list[str]
) -> None:
    files = [
        ("eltoro", "el-toro", [(174, 0)]),
        ("indulto", "rulebook", [(25, 0), (20, 3)]),
    ]
    pages = ""
    for game, profile, results in files:
        league = ladder(office, name=game, game=game, profile=profile, seats=2)
        reader = browser(office)
        reader.cookies["django_language"] = language
        answer = reader.post(
            reverse("league_import", args=[league.slug]),
            {
                "file": SimpleUploadedFile("results.csv", csv_of(results).encode()),
                "file_format": "csv",
            },
        )
        pages += answer.content.decode()
    assert [sentence for sentence in sentences if sentence not in pages] == []
    assert not Match.objects.exists()


# Matches that were played


def evening(players: int, rules: Rules, number: int, bot: str = "") -> tuple[int, ...]:
    """Return the points by seat of an evening played by a bot or with random moves."""
    seed = afternoon.seed(number)
    game = Game.new(rules, players, seed)
    chance = seed.chance("moves")
    if not bot:
        game.play_out(lambda: chance.below(1 << 24) / (1 << 24))
    while not game.is_over:
        game.play(BOTS[bot].choose(game.view(game.turn), chance, budget_ms=100))
    return tuple(map(sum, zip(*game.day_points, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "rules"),
    [
        ("el-toro", Rules()),
        ("la-cuesta", Rules(board="la-cuesta")),
        ("one-day", Rules(days=1)),
    ],
)
def test_points_of_played_evenings_are_accepted(office: Player, profile: str, rules: Rules) -> None:
    results = [evening(2 + n % 5, rules, n) for n in range(40)]
    results += [evening(2 + n % 3, rules, n, "greedy") for n in range(3)]
    plan = desk(office, "eltoro", profile).plan(csv_of(results))
    assert [line.sentence for line in plan.lines if line.verdict is not ImportVerdict.ADD] == []
    assert len(plan.adding) == len(results)


@pytest.mark.slow
def test_points_of_played_corridas_are_accepted(office: Player) -> None:
    results = []
    for number in range(30):
        setup, record = afternoon.played(number, first=number)
        for leads in ([0, 1, 0], [1, 0, 0], [0, 1, 2], [2, 0, 1]):
            sheet = {**afternoon.by_cards(setup, record), "leads": leads}
            reading = judge(afternoon.USUAL, afternoon.DECK, sheet)
            results.append(points_by_seat(reading, 1 + max(leads)))
    assert len({sum(points) for points in results}) > 3
    plan = desk(office, "indulto", "rulebook").plan(csv_of(results))
    assert [line.sentence for line in plan.lines if line.verdict is not ImportVerdict.ADD] == []
    assert len(plan.adding) == len(results)
