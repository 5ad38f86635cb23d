"""API lists take as many database queries for three rows of each kind as for one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.views import ListView
from leagues.api.urls import LEAGUE, urlpatterns
from leagues.fixtures.operations import draw_next_swiss
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import propose_claim
from leagues.models import Delivery, League, Player, Webhook
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tests.leagues.api.programs import Program, program
from tests.leagues.world import HOUR, NOW, draft_match, found_league, handed_in, played, score

pytestmark = pytest.mark.django_db

# Maximum number of queries of a list. Four of them check the API key and its user.
MOST = 22
# Resources that contain lists, although they are no list views.
HOLDING_LISTS = (
    "games/",
    "games/highest/leaderboard/",
    "leagues/{ladder}/standings/",
    "leagues/{ladder}/matrix/",
    "leagues/{ladder}/export/",
    "matches/{match}/",
    "players/{ana}/",
    "players/me/waiting/",
)
# Lists that are tested with a Swiss league, because a ladder has no rounds or fixtures.
OF_SWISS = (f"{LEAGUE}rounds/", f"{LEAGUE}fixtures/")
PART = re.compile(r"(?P<word>\w+)/<\w+:\w+>")
# The attribute of `World` whose value replaces the URL parameter after this path segment.
NAMES = {"leagues": "ladder", "matches": "match", "players": "ana", "webhooks": "hook"}


def lists() -> list[str]:
    """Return the paths of all list views of leagues and of other resources with lists."""
    resources: list[Any] = list(urlpatterns)
    routes = [str(one.pattern) for one in resources if issubclass(one.callback.cls, ListView)]
    return [*HOLDING_LISTS, *map(with_names, routes)]


def with_names(route: str) -> str:
    """Return the route with its URL parameters replaced by attributes of `World`."""
    names = NAMES | ({"leagues": "swiss"} if route in OF_SWISS else {})
    return PART.sub(lambda part: f"{part['word']}/{{{names[part['word']]}}}", route)


class World:
    """A ladder and a Swiss league of ana, to which rows are added step by step."""

    def __init__(self) -> None:
        self.program: Program = program("ana")
        self.program.ask("POST", "matches/", {"game": "highest", "profile": "plain", "names": []})
        self.program.post("leagues/", {"name": "A", "game": "highest", "profile": "plain"})
        self.ana = Player.objects.get(user__username="ana")
        self.ladder = found_league(self.ana, visibility=League.Visibility.PUBLIC)
        self.swiss = found_league(self.ana, format="swiss", name="Swiss")
        self.rival = add_guest(league=self.ladder, name="Rival", by=self.ana, at=NOW).player
        for name in ("x", "y"):
            add_guest(league=self.swiss, name=name, by=self.ana, at=NOW)
        self.hook = self._webhook(0)
        self.match = played(self.ladder, [self.ana, self.rival], [10, 3])

    def add(self, row: int) -> None:
        """Add a row of everything that the lists contain."""
        guest = add_guest(league=self.ladder, name=f"g{row}", by=self.ana, at=NOW).player
        at = NOW + row * HOUR
        played(self.ladder, [self.ana, guest], [10, 3], at=at)
        handed_in(draft_match(self.ladder, [guest, self.ana]), guest, score(10, 4))
        draft_match(self.ladder, [self.ana, guest])
        found_league(self.ana, name=f"L{row}", visibility=League.Visibility.PUBLIC)
        claimer = program(f"claimer{row}")
        claimer.post(f"invitations/{self.ladder.invitation}/")
        by = Player.objects.get(user__username=f"claimer{row}")
        propose_claim(guest=guest, by=by, at=NOW)
        self._draw()
        self._webhook(row + 1)
        Delivery.objects.create(webhook=self.hook, identifier="x", kind="x", state="failed", at=at)
        lobby.create_table(
            host=self.ana,
            at=timezone.now(),
            game="dominoes",
            profile="rulebook",
            house=TableSettings(),
        )

    def _webhook(self, row: int) -> Webhook:
        url, at = f"https://example.org/{row}", NOW
        return Webhook.objects.create(league=self.ladder, url=url, next_at=at, created_at=at)

    def _draw(self) -> None:
        round_ = draw_next_swiss(league=self.swiss, by=self.ana, at=NOW)
        for fixture in round_.fixtures.all():
            fixture.state = "void"
            fixture.save(update_fields=["state"])

    def queries(self, at: str) -> int:
        names = {"ladder": self.ladder.slug, "swiss": self.swiss.slug, "ana": self.ana.slug}
        with CaptureQueriesContext(
            connection,
        ) as asked:
            self.program.get(at.format(match=self.match.pk, hook=self.hook.pk, **names))
        return len(asked)


@pytest.mark.slow
def test_api_lists_take_as_many_queries_for_three_rows_as_for_one() -> None:
    world = World()
    world.add(0)
    addresses = lists()
    for at in addresses:
        world.queries(at)
    one = {at: world.queries(at) for at in addresses}
    for row in (1, 2):
        world.add(row)
    assert {at: world.queries(at) for at in addresses} == one
    assert max(one.values()) <= MOST, one
