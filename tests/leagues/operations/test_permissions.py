"""Permissions of every operation in a league, at a game table and for a guest.

The people are those of `roles_world`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction

from leagues.exceptions import NotAllowed, OperationError
from leagues.exchange.formats import read_csv
from leagues.exchange.operations import FileFormat, import_results, preview_import, read_results
from leagues.fixtures.operations import (
    draw_next_swiss,
    draw_round_robin,
    forfeit_fixture,
    postpone_fixture,
    restore_fixture,
    undraw,
    void_fixture,
)
from leagues.league.operations import (
    LeagueSettings,
    change_settings,
    close_league,
    create_league,
    renew_invitation,
    reopen_league,
    settings_of,
)
from leagues.matches.operations.matches import open_match
from leagues.members.operations.membership import (
    FixtureHandling,
    add_guest,
    join_league,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.members.operations.merging import answer_claim, guest_link, merge_players, undo_merge
from leagues.models import Claim, Delivery, Fixture, League, Member, Merge, Player, Webhook
from leagues.webhooks import operations as webhook_operations
from tests.leagues import game, world
from tests.leagues.queries import roles_world
from tests.leagues.queries.roles_world import (
    EVERYBODY,
    OFFICE,
    ORGANISERS,
    PLAYERS,
    SCORERS,
    WHO,
    player_named,
)
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db

RESULTS = b"match,key,played_at,player,place,points\n1,a,2026-03-01,player,1,10\n1,a,,scorer,2,4\n"
DAY = dt.timedelta(days=1)


class Scene:
    """A public league that contains one of each kind of object that an operation can change."""

    def __init__(self, **fields: object) -> None:
        self.people = roles_world.gather()
        self.league = roles_world.league_of(self.people, **fields)
        self.hook = Webhook.objects.create(
            league=self.league, url="https://example.org/", secret="x", next_at=NOW, created_at=NOW
        )
        self.delivery = Delivery.objects.create(
            webhook=self.hook, identifier="a", kind="match.confirmed", cause="event", event=1,
            state="failed", at=NOW,
        )  # fmt: skip

    def one(self, name: str) -> Player:
        return player_named(self.people, name)

    def draw(self) -> Fixture:
        """Draw all rounds, and return the first fixture of the player and the scorer."""
        draw_round_robin(league=self.league, by=self.one("organiser"), at=NOW)
        both = Fixture.objects.filter(seats__player=self.one("player"))
        return both.get(seats__player=self.one("scorer"))

    def spoil(self) -> Fixture:
        """Draw all rounds of the league, void the first fixture of the player and the scorer, and
        return it.
        """
        fixture = self.draw()
        fixture.state = Fixture.State.VOID
        fixture.save()
        return fixture


Deed = Callable[[Scene, Player], object]


@contextmanager
def undone() -> Iterator[None]:
    """Roll back all changes of the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def is_refused(deed: Callable[[], object]) -> bool:
    """Return whether an action is rejected because of the person."""
    try:
        with undone():
            deed()
    except NotAllowed:
        return True
    except OperationError:
        return False
    return False


OF_ORGANISERS: dict[str, Deed] = {
    "settings": lambda s, by: change_settings(
        league=s.league, settings=settings_of(s.league), by=by, at=NOW
    ),
    "invitation": lambda s, by: renew_invitation(league=s.league, by=by),
    "close": lambda s, by: close_league(league=s.league, by=by, at=NOW),
    "reopen": lambda s, by: reopen_league(league=s.league, by=by, at=NOW),
    "role": lambda s, by: set_role(
        league=s.league, player=s.one("idle"), role=Member.Role.SCORER, by=by
    ),
    "void what they play": lambda s, by: withdraw(
        league=s.league, player=s.one("player"), by=by, at=NOW, handling=FixtureHandling.VOID
    ),
    "return": lambda s, by: return_to_league(league=s.league, player=s.one("withdrawn"), by=by),
    "draw": lambda s, by: draw_round_robin(league=s.league, by=by, at=NOW),
    "draw swiss": lambda s, by: draw_next_swiss(league=s.league, by=by, at=NOW),
    "undraw": lambda s, by: undraw(league=s.league, by=by, at=NOW),
    "reading of a file": lambda s, by: read_results(
        league=s.league, data=RESULTS, file_format=FileFormat.CSV, by=by
    ),
    "preview of a file": lambda s, by: preview_import(
        league=s.league, reading=read_csv(RESULTS, game=s.league.game), by=by, at=NOW
    ),
    "file": lambda s, by: import_results(
        league=s.league, reading=read_csv(RESULTS, game=s.league.game), by=by, at=NOW
    ),
    "add address": lambda s, by: webhook_operations.add_checked(
        league=s.league,
        address=webhook_operations.CheckedAddress("https://e.org/"),
        wanted=(),
        by=by,
        at=NOW,
    ),
    "renew secret": lambda s, by: webhook_operations.renew_secret(
        league=s.league, key=s.hook.pk, by=by, at=NOW
    ),
    "choose kinds": lambda s, by: webhook_operations.choose_kinds(
        league=s.league, key=s.hook.pk, wanted=(), by=by
    ),
    "switch off": lambda s, by: webhook_operations.switch_webhook(
        league=s.league, key=s.hook.pk, on=False, by=by, at=NOW
    ),
    "test": lambda s, by: webhook_operations.send_test(
        league=s.league, key=s.hook.pk, by=by, at=NOW
    ),
    "again": lambda s, by: webhook_operations.deliver_again(
        league=s.league, key=s.hook.pk, delivery=s.delivery.pk, by=by, at=NOW
    ),
    "remove": lambda s, by: webhook_operations.remove_webhook(
        league=s.league, key=s.hook.pk, by=by
    ),
    "link of a guest": lambda s, by: guest_link(guest=s.one("guest"), by=by),
}
OF_FIXTURES: dict[str, Callable[[Fixture, Player], object]] = {
    "postpone": lambda one, by: postpone_fixture(
        fixture=one, by=by, at=NOW, deadline=NOW + 99 * DAY
    ),
    "forfeit": lambda one, by: forfeit_fixture(fixture=one, seats=(), by=by, at=NOW),
    "void": lambda one, by: void_fixture(fixture=one, by=by, at=NOW, reason="x"),
}


def may(scene: Scene, deed: Deed) -> set[str]:
    """Return the people whose action is not rejected."""
    return {
        name
        for name in WHO
        if (one := scene.people[name]) is not None
        and not is_refused(lambda one=one: deed(scene, one))  # type: ignore[misc]  # a default holds the player of the moment
    }


@pytest.mark.parametrize("name", OF_ORGANISERS)
def test_administrative_operations_are_for_organisers_and_superusers(name: str) -> None:
    assert may(Scene(), OF_ORGANISERS[name]) == ORGANISERS | OFFICE


@pytest.mark.slow
def test_fixtures_are_changed_by_organisers_and_superusers() -> None:
    scene = Scene(format=League.Format.ROUND_ROBIN)
    fixture = scene.draw()
    for name, deed in OF_FIXTURES.items():
        found = may(scene, lambda _s, by, deed=deed: deed(fixture, by))  # type: ignore[misc]
        assert found == ORGANISERS | OFFICE, name
    fixture.state = Fixture.State.VOID
    fixture.save()
    found = may(scene, lambda _s, by: restore_fixture(fixture=fixture, by=by, at=NOW))
    assert found == ORGANISERS | OFFICE


@pytest.mark.slow
def test_scorers_add_guests_and_open_matches_of_other_players() -> None:
    scene = Scene()
    adding = may(scene, lambda s, by: add_guest(league=s.league, name="Gus", by=by, at=NOW))
    assert adding == SCORERS | OFFICE
    pair = [scene.one("player"), scene.one("guest")]
    writing = may(scene, lambda s, by: open_match(by=by, at=NOW, players=pair, league=s.league))
    assert writing == SCORERS | OFFICE | {"player", "alias", "guest"}
    friends = may(scene, lambda s, by: open_match(by=by, at=NOW, players=pair, game=game.KEY))
    assert friends == {"player", "alias", "guest"}, "among friends nobody writes for others"


@pytest.mark.slow
def test_match_of_a_fixture_is_opened_by_its_players_and_scorers() -> None:
    scene = Scene(format=League.Format.ROUND_ROBIN)
    fixture = scene.draw()
    writing = may(scene, lambda _s, by: open_match(fixture=fixture, by=by, at=NOW))
    assert writing == SCORERS | OFFICE | {"player", "alias"}


def test_only_playing_members_can_have_a_seat_in_a_league_match() -> None:
    scene = Scene()
    organiser = scene.one("organiser")
    for name in WHO[1:]:
        one = scene.one(name)
        if one.person_id == organiser.pk:
            continue
        with undone():
            if name in PLAYERS:
                open_match(by=organiser, at=NOW, players=[organiser, one], league=scene.league)
            else:
                with pytest.raises(OperationError, match="does not play") as error:
                    open_match(by=organiser, at=NOW, players=[organiser, one], league=scene.league)
                assert error.value.field == "players"


def test_player_is_removed_from_a_league_by_themselves_or_an_organiser() -> None:
    scene = Scene()
    leaving = may(
        scene,
        lambda s, by: withdraw(
            league=s.league, player=s.one("player"), by=by, at=NOW, handling=FixtureHandling.FORFEIT
        ),
    )
    assert leaving == ORGANISERS | OFFICE | {"player", "alias"}


def test_role_is_held_after_leaving_and_lost_when_another_is_given() -> None:
    scene = Scene()
    left = scene.one("left organiser")
    set_role(league=scene.league, player=left, role=Member.Role.PLAYER, by=left)
    with pytest.raises(NotAllowed):
        renew_invitation(league=scene.league, by=left)


def test_every_user_with_an_account_can_create_a_league() -> None:
    scene = Scene()
    settings = LeagueSettings(name="New", game=game.KEY, profile="plain")
    founding = may(scene, lambda _s, by: create_league(settings=settings, by=by, at=NOW))
    assert founding == EVERYBODY - {"nobody", "guest", "alias"}, "who signs in under a name"


def test_every_player_with_the_invitation_link_can_join() -> None:
    scene = Scene(visibility=League.Visibility.PRIVATE)
    token = scene.league.invitation
    assert may(scene, lambda s, by: join_league(token=token, by=by, at=NOW)) == EVERYBODY - {
        "nobody"
    }
    for name in ("withdrawn", "idle", "stranger"):
        member = join_league(token=token, by=scene.one(name), at=NOW)
        assert (member.withdrawn_at, member.plays, member.role) == (None, True, "player")
    again = join_league(token=token, by=scene.one("left organiser"), at=NOW)
    assert again.role == Member.Role.ORGANISER
    before = Member.objects.count()
    for name in ("alias", "absorber", "player"):
        join_league(token=token, by=scene.one(name), at=NOW)
    assert Member.objects.count() == before, "one membership a person, under whatever name"


@pytest.mark.slow
def test_claims_are_decided_by_other_organisers_and_superusers() -> None:
    scene = Scene()
    guest, by = scene.one("guest"), scene.one("stranger")
    claim = Claim.objects.create(guest=guest, by=by, at=NOW)
    answering = may(scene, lambda _s, one: answer_claim(claim=claim, granted=False, by=one, at=NOW))
    assert answering == ORGANISERS | OFFICE
    for name in ("organiser", "office"):
        own = Claim.objects.create(guest=guest, by=scene.one(name), at=NOW)
        answering = may(
            scene,
            lambda _s, one, own=own: answer_claim(claim=own, granted=False, by=one, at=NOW),  # type: ignore[misc]
        )
        own_word = {"organiser"} if name == "organiser" else set()
        assert answering == (ORGANISERS | OFFICE) - own_word, "nobody answers their own claim"


@pytest.mark.slow
def test_guests_are_merged_and_separated_by_organisers() -> None:
    scene = Scene()
    guest, organiser = scene.one("guest"), scene.one("organiser")
    kept = add_guest(league=scene.league, name="kept", by=organiser, at=NOW).player
    merging = may(scene, lambda _s, by: merge_players(absorbed=guest, kept=kept, by=by, at=NOW))
    assert merging == ORGANISERS | OFFICE
    stranger = scene.one("stranger")
    into_other = may(
        scene, lambda _s, by: merge_players(absorbed=guest, kept=stranger, by=by, at=NOW)
    )
    assert into_other == OFFICE, "only administrators may merge a guest into somebody else"
    own = may(scene, lambda _s, by: merge_players(absorbed=guest, kept=by, by=by, at=NOW))
    assert own == ORGANISERS | OFFICE
    absorbed = Player.objects.get(name="absorbed")
    merge = Merge.objects.create(absorbed=absorbed, kept=scene.one("absorber"), by=None, at=NOW)
    parting = may(scene, lambda _s, by: undo_merge(merge=merge, by=by, at=NOW))
    assert parting == ORGANISERS | OFFICE | {"absorber"}


# A closed league

REST: dict[str, Deed] = {
    "join": lambda s, by: join_league(token=s.league.invitation, by=s.one("stranger"), at=NOW),
    "guest": lambda s, by: add_guest(league=s.league, name="Gus", by=by, at=NOW),
    "return": OF_ORGANISERS["return"],
    "close": OF_ORGANISERS["close"],
    "draw": OF_ORGANISERS["draw"],
    "preview of a file": OF_ORGANISERS["preview of a file"],
    "file": OF_ORGANISERS["file"],
    "add address": OF_ORGANISERS["add address"],
    "switch on": lambda s, by: webhook_operations.switch_webhook(
        league=s.league, key=s.hook.pk, on=True, by=by, at=NOW
    ),
    "match": lambda s, by: open_match(
        by=by, at=NOW, players=[by, s.one("player")], league=s.league
    ),
}
GOES_ON = ("settings", "invitation", "reopen", "role", "switch off", "remove")


@pytest.mark.slow
def test_closed_league_starts_nothing_new_but_can_be_administered() -> None:
    scene = Scene()
    organiser = scene.one("organiser")
    League.objects.filter(pk=scene.league.pk).update(closed_at=NOW)
    scene.league.refresh_from_db()
    for name, deed in REST.items():
        with pytest.raises(OperationError, match="closed") as error, undone():
            deed(scene, organiser)
        assert not isinstance(error.value, NotAllowed), name
    for name in GOES_ON:
        with undone():
            OF_ORGANISERS[name](scene, organiser)
    with undone():
        withdraw(
            league=scene.league, player=scene.one("player"), by=organiser, at=NOW,
            handling=FixtureHandling.FORFEIT,
        )  # fmt: skip


def test_fixtures_of_a_closed_league_cannot_change() -> None:
    scene = Scene(format=League.Format.ROUND_ROBIN)
    fixture, organiser = scene.draw(), scene.one("organiser")
    League.objects.filter(pk=scene.league.pk).update(closed_at=NOW)
    for deed in OF_FIXTURES.values():
        with pytest.raises(OperationError, match="closed"), undone():
            deed(fixture, organiser)
    with pytest.raises(OperationError, match="closed"):
        open_match(fixture=fixture, by=organiser, at=NOW)
    Fixture.objects.filter(pk=fixture.pk).update(state=Fixture.State.VOID)
    with pytest.raises(OperationError, match="closed"):
        restore_fixture(fixture=fixture, by=organiser, at=NOW)


def test_open_league_cannot_be_reopened() -> None:
    scene = Scene()
    with pytest.raises(OperationError, match="already open"):
        reopen_league(league=scene.league, by=scene.one("organiser"), at=NOW)


# Limits of values


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("days_a_round", 1, 365),
        ("hours_to_object", 0, 1440),
        ("rounds_planned", 1, 99),
        ("cut", 1, 1000),
        ("cut_matches", 0, 99),
    ],
)
def test_number_settings_of_a_league_have_limits(name: str, low: int, high: int) -> None:
    game.register()
    ana = world.account("ana")
    for value, fits in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        if fits:
            assert getattr(world.found_league(ana, **{name: value}), name) == value
            continue
        with pytest.raises(OperationError) as error:
            world.found_league(ana, **{name: value})
        assert error.value.field == name


def test_fixture_can_only_be_postponed_to_a_future_time() -> None:
    scene = Scene(format=League.Format.ROUND_ROBIN)
    fixture, organiser = scene.draw(), scene.one("organiser")
    with pytest.raises(OperationError) as error:
        postpone_fixture(fixture=fixture, by=organiser, at=NOW, deadline=NOW)
    assert error.value.field == "deadline"
    later = NOW + HOUR
    assert postpone_fixture(fixture=fixture, by=organiser, at=NOW, deadline=later).deadline == later


@pytest.mark.parametrize("late", [False, True])
def test_restored_fixture_has_its_old_deadline_if_that_is_in_the_future(late: bool) -> None:
    scene = Scene(format=League.Format.ROUND_ROBIN)
    fixture, organiser = scene.spoil(), scene.one("organiser")
    at = fixture.deadline if late else fixture.deadline - HOUR
    restored = restore_fixture(fixture=fixture, by=organiser, at=at)
    assert restored.deadline == (at + 7 * DAY if late else fixture.deadline)
    with pytest.raises(OperationError, match="Only a void fixture"):
        restore_fixture(fixture=restored, by=organiser, at=at)


@pytest.mark.slow
def test_webhook_tests_of_a_league_are_limited_for_an_hour() -> None:
    scene = Scene()
    organiser = scene.one("organiser")
    other = Webhook.objects.create(
        league=scene.league, url="https://b.org/", secret="x", next_at=NOW, created_at=NOW
    )

    def test(hook: Webhook, at: dt.datetime) -> None:
        webhook_operations.send_test(league=scene.league, key=hook.pk, by=organiser, at=at)

    for number in range(webhook_operations.MAX_TESTS_PER_HOUR - 1):
        test((scene.hook, other)[number % 2], NOW)
    webhook_operations.deliver_again(
        league=scene.league, key=scene.hook.pk, delivery=scene.delivery.pk, by=organiser, at=NOW
    )
    with pytest.raises(OperationError, match="an hour"):
        test(other, NOW + HOUR - dt.timedelta(seconds=1))
    test(other, NOW + HOUR)


def test_webhook_of_another_league_is_not_found() -> None:
    scene = Scene()
    other = world.found_league(scene.one("organiser"), name="Mine")
    with pytest.raises(OperationError, match=r"has been removed|no longer exists"):
        webhook_operations.remove_webhook(
            league=other, key=scene.hook.pk, by=scene.one("organiser")
        )
    test = webhook_operations.send_test(
        league=scene.league, key=scene.hook.pk, by=scene.one("organiser"), at=NOW
    )
    with pytest.raises(
        OperationError, match=r"has been removed|no longer exists"
    ):  # a test delivery has no event to repeat
        webhook_operations.deliver_again(
            league=scene.league, key=scene.hook.pk, delivery=test.pk, by=scene.one("organiser"),
            at=NOW,
        )  # fmt: skip
