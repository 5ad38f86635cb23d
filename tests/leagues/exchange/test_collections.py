"""Imports of whole collections of plays: few questions, and all answers are followed."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from leagues.exchange.import_plan import ImportPlan
from leagues.models import League, Match, Result
from tests.factories import browser
from tests.leagues import world
from tests.leagues.exchange.generated_leagues import Dice

pytestmark = pytest.mark.django_db

# Names of the league's game in the app. The site does not know the second name.
OURS: Final = ("Matador", "Dominó de la peña")
OTHERS: Final = ("Catan", "Azul", "Mus", "7 Wonders", "Carcassonne", "El Toro")
# Names that several people share, with the spellings in the app.
DOUBTFUL: Final = (
    ("Ana", "ANA"),
    ("Peña", "Pen\u0303a"),
    ("Straße", "STRASSE", "Strasse"),
    ("José Luis", "José  Luis"),
)
FIRST: Final = dt.datetime(2016, 1, 3, 17)


@dataclass
class Collection:
    """An export file of the BG Stats app.

    `wrong` counts, by kind, the plays about which an import asks a question.
    """

    content: dict[str, Any]
    ours: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    seated: set[int] = field(default_factory=set)

    @property
    def doubtful(self) -> int:
        """Number of player names in the collection that at least two different people have."""
        numbers: dict[str, set[int]] = {}
        for player in self.content["players"]:
            if player["id"] in self.seated:
                numbers.setdefault(player["about"], set()).add(player["id"])
        return sum(len(people) > 1 for people in numbers.values())


def collection(plays: int) -> Collection:
    """Generate a collection of `plays` plays, half of which are of the league's game."""
    dice = Dice(f"collection of {plays}")
    people = [(f"Jugador {number}", f"Jugador {number}") for number in range(6 + plays // 40)]
    people += [(name, names[0]) for names in DOUBTFUL for name in names]
    content: dict[str, Any] = {
        "games": [
            {"id": number, "uuid": f"G{number}", "name": name, "highestWins": True, "bggId": number}
            for number, name in enumerate((*OURS, *OTHERS), start=1)
        ],
        "players": [
            {"id": number, "uuid": f"U-{number}", "name": name, "about": about}
            for number, (name, about) in enumerate(people, start=1)
        ],
        "locations": [{"id": number, "name": f"Casa {number}"} for number in range(1, 5)],
        "plays": [],
        "tags": [],
        "challenges": [],
        "deletedObjects": [],
    }
    drawn = Collection(content)
    for number in range(plays):
        content["plays"].append(_play(drawn, dice, number))
    return drawn


def _play(drawn: Collection, dice: Dice, number: int) -> dict[str, Any]:
    game = dice.pick((1, 1, 1, 2, *range(3, 9)))
    people = {player["about"]: player for player in dice.some(drawn.content["players"], 9)}
    seated = list(people.values())[: dice.between(2, 4)]
    points = [dice.below(100) for _seat in seated]
    winner = dice.below(len(points))
    points[winner] = 100 + dice.below(20)
    kind = dice.pick((*[""] * 12, "early", "contradiction"))
    if kind == "early":
        points[winner] = 99
        points = [min(own, 98) if seat != winner else own for seat, own in enumerate(points)]
    marked = (winner + 1) % len(points) if kind == "contradiction" else winner
    if game <= len(OURS):
        drawn.ours += 1
        drawn.seated |= {player["id"] for player in seated}
        drawn.wrong[kind] += bool(kind)
    when = FIRST + dt.timedelta(days=number * 2, minutes=dice.below(300))
    return {
        "uuid": f"PLAY-{number}",
        "gameRefId": game,
        "playDate": f"{when:%Y-%m-%d %H:%M:%S}",
        "locationRefId": dice.between(1, 4),
        "durationMin": dice.below(200),
        "ignored": False,
        "usesTeams": False,
        "comments": "",
        "expansionPlays": [],
        "playerScores": [
            {
                "playerRefId": player["id"],
                "score": str(own),
                "winner": seat == marked,
                "rank": 0,
                "seatOrder": 0,
                "startPlayer": seat == 0,
                "newPlayer": False,
            }
            for seat, (player, own) in enumerate(zip(seated, points, strict=True))
        ],
    }


@pytest.mark.parametrize(
    "plays",
    [
        pytest.param(79, marks=pytest.mark.slow),
        pytest.param(310, marks=pytest.mark.slow),
        pytest.param(1550, marks=pytest.mark.nightly),
    ],
)
def test_import_of_a_collection_asks_each_question_once(plays: int) -> None:
    drawn = collection(plays)
    office = world.account("office")
    league = world.found_league(
        office, plays=False, game="dominoes", profile="rulebook", seats=4, zone="Europe/Madrid"
    )
    client, address = browser(office), f"/leagues/{league.slug}/import/"

    def shown(**fields: Any) -> ImportPlan:
        answer = client.post(address, fields)
        assert answer.status_code == 200
        fields_of_form.update(token=answer.context["token"], plan=answer.context["plan"].digest)
        plan: ImportPlan = answer.context["plan"]
        return plan

    fields_of_form: dict[str, str] = {}
    file = SimpleUploadedFile("plays.json", json.dumps(drawn.content).encode())
    plan = shown(file=file, file_format="bgstats")
    assert set(plan.other_games) == {OURS[1], *OTHERS}
    plan = shown(**fields_of_form, again="1", same=[OURS[1]])

    kinds = Counter(question.key.partition(":")[0] for question in plan.questions)
    assert kinds == {
        **({"person": drawn.doubtful} if drawn.doubtful else {}),
        **{kind: 1 for kind, count in drawn.wrong.items() if count},
    }
    counts = {question.key: question.count for question in plan.questions}
    assert {kind: counts[kind] for kind in drawn.wrong if drawn.wrong[kind]} == +drawn.wrong
    assert len(plan.adding) + plan.doubts == drawn.ours
    assert plan.doubts
    assert drawn.doubtful

    answers = {
        question.key: {"early": "keep", "contradiction": "points"}.get(question.key, "several")
        for question in plan.questions
    }
    decisions = {f"decision:{key}": answer for key, answer in answers.items()}
    plan = shown(**fields_of_form, again="1", **decisions)
    assert (len(plan.adding), plan.doubts) == (drawn.ours, 0)
    assert len(plan.guests) == len(drawn.seated)
    answer = client.post(address, fields_of_form | decisions)
    assert answer.status_code == 302
    _check_imported(league, drawn)


def _check_imported(league: League, drawn: Collection) -> None:
    assert Match.objects.filter(league=league).count() == drawn.ours
    assert Result.objects.filter(league=league).count() == drawn.ours
    assert league.members.filter(plays=True).count() == len(drawn.seated)
    assert world.faults() == []
