"""Recipients, texts and channels of notifications, and the secret URLs of calendars and feeds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.utils import translation
from pytest_django import Settings

from accounts.models import Choice, Notice, User
from accounts.notifications import emails, kinds, queries, tokens
from accounts.notifications import operations as notifications_operations
from accounts.notifications.kinds import Channel, NotificationKind
from corridas.models import Circuit, Deck, Run, Season
from corridas.notifications import (
    OFFERED,
    RUN_BROKEN,
    run_broken,
    run_over,
    season_over,
    winter_over,
)
from leagues import notifications
from leagues.models import (
    Fixture,
    FixtureSeat,
    League,
    Match,
    MatchSeat,
    Member,
    Player,
    Round,
    Sheet,
    TableSeat,
)
from leagues.models import Table as Laid
from leagues.notifications import GUEST_CLAIMED, MATCH_WAITING
from tests.accounts.people import DAY, NOW
from tests.leagues import game, world

pytestmark = pytest.mark.django_db


def notifications_received() -> list[tuple[str, str]]:
    """Return username and kind of all notifications."""
    return sorted(Notice.objects.values_list("user__username", "kind"))


# Recipients of notifications from leagues


class Evening:
    """A match of ana, of blas under the merged name alias, and of a guest.

    Its league has the organisers olga and alias, and the scorer out.
    """

    def __init__(self) -> None:
        game.register()
        self.ana, self.blas, self.out, self.olga = (
            world.account(name) for name in ("ana", "blas", "out", "olga")
        )
        self.alias, self.guest = world.guest("alias"), world.guest("gus")
        self.alias.merged_into = self.blas
        self.alias.save()
        self.league = world.found_league(self.olga, plays=False)
        for player in (self.ana, self.alias, self.guest, self.out):
            Member.objects.create(league=self.league, player=player, joined_at=NOW)
        Member.objects.filter(player=self.alias).update(role=Member.Role.ORGANISER)
        Member.objects.filter(player=self.out).update(role=Member.Role.SCORER)
        one = Round.objects.create(league=self.league, number=1, drawn_at=NOW, deadline=NOW)
        self.round = one
        self.fixture = Fixture.objects.create(round=one, number=1, deadline=NOW)
        self.match = Match.objects.create(
            league=self.league, game=game.KEY, rules={}, rules_hash="", played_at=NOW,
            created_at=NOW, key="k", state="handed_in",
        )  # fmt: skip
        for number, player in enumerate((self.ana, self.alias, self.guest)):
            FixtureSeat.objects.create(fixture=self.fixture, number=number, player=player)
            MatchSeat.objects.create(match=self.match, number=number, player=player, side=number)
        self.beside()

    def beside(self) -> None:
        """Create another league with the same kinds of rows, whose members must get no
        notifications.
        """
        eva, fausto = world.account("eva"), world.account("fausto")
        league = world.found_league(eva, name="Beside", plays=False)
        Member.objects.create(league=league, player=fausto, joined_at=NOW)
        one = Round.objects.create(league=league, number=1, drawn_at=NOW, deadline=NOW)
        fixture = Fixture.objects.create(round=one, number=1, deadline=NOW)
        match = Match.objects.create(
            league=league, game=game.KEY, rules={}, rules_hash="", played_at=NOW,
            created_at=NOW, key="beside", state="handed_in",
        )  # fmt: skip
        for number, player in enumerate((eva, fausto)):
            FixtureSeat.objects.create(fixture=fixture, number=number, player=player)
            MatchSeat.objects.create(match=match, number=number, player=player, side=number)


TOLD: list[tuple[str, str, Callable[[Evening, Player], None], str]] = [
    (
        "a result",
        "ana",
        lambda e, by: notifications.notify_match_waiting(e.match, by=by, at=NOW),
        "blas",
    ),
    (
        "a result",
        "alias",
        lambda e, by: notifications.notify_match_waiting(e.match, by=by, at=NOW),
        "ana",
    ),
    (
        "a result",
        "out",
        lambda e, by: notifications.notify_match_waiting(e.match, by=by, at=NOW),
        "ana blas",
    ),
    (
        "a dispute",
        "ana",
        lambda e, by: notifications.notify_match_disputed(e.match, by=by, reason="x", at=NOW),
        "blas olga",
    ),
    (
        "a dispute",
        "olga",
        lambda e, by: notifications.notify_match_disputed(e.match, by=by, reason="x", at=NOW),
        "ana blas",
    ),
    (
        "the end",
        "olga",
        lambda e, by: notifications.notify_match_settled(e.match, by=by, at=NOW),
        "ana blas",
    ),
    (
        "the end",
        "blas",
        lambda e, by: notifications.notify_match_settled(e.match, by=by, at=NOW),
        "ana",
    ),
    (
        "a draw",
        "olga",
        lambda e, by: notifications.notify_rounds_drawn([e.round], by=by, at=NOW),
        "ana blas",
    ),
    (
        "a draw",
        "ana",
        lambda e, by: notifications.notify_rounds_drawn([e.round], by=by, at=NOW),
        "blas",
    ),
    ("no draw", "ana", lambda e, by: notifications.notify_rounds_drawn([], by=by, at=NOW), ""),
    (
        "a deadline",
        "blas",
        lambda e, by: notifications.notify_fixture_postponed(e.fixture, by=by, at=NOW),
        "ana",
    ),
    (
        "a claim",
        "ana",
        lambda e, by: notifications.notify_guest_claimed(e.guest, by=by, at=NOW),
        "blas olga",
    ),
    (
        "a claim",
        "olga",
        lambda e, by: notifications.notify_guest_claimed(e.guest, by=by, at=NOW),
        "blas",
    ),
    (
        "a role",
        "olga",
        lambda e, by: notifications.notify_role_given(
            Member.objects.get(league=e.league, player=e.out), by=by, at=NOW
        ),
        "out",
    ),
    (
        "one's own role",
        "out",
        lambda e, by: notifications.notify_role_given(
            Member.objects.get(league=e.league, player=e.out), by=by, at=NOW
        ),
        "",
    ),
]


@pytest.mark.parametrize(("what", "by", "tell", "people"), TOLD)
def test_league_notifications_reach_exactly_the_people_concerned(
    what: str, by: str, tell: Callable[[Evening, Player], None], people: str
) -> None:
    evening = Evening()
    tell(evening, getattr(evening, by))
    assert [name for name, _kind in notifications_received()] == people.split(), what


def test_dispute_of_a_match_without_league_notifies_no_organiser() -> None:
    evening = Evening()
    Match.objects.update(league=None)
    evening.match.refresh_from_db()
    notifications.notify_match_disputed(evening.match, by=evening.ana, reason="x", at=NOW)
    assert notifications_received() == [("blas", "match_disputed")]
    assert Notice.objects.get().data["where"] == f"№ {evening.match.pk}"


# Page that the notification links to, function that sends it, and its text in English and Spanish.
SAID: list[tuple[str, Callable[[Evening, Player], None], str, str]] = [
    (
        "match",
        lambda e, by: notifications.notify_match_waiting(e.match, by=by, at=NOW),
        (
            "olga has submitted the result blas 9, ana 4, gus 2 (Highest card, Thursday). Is "
            "it correct?"
        ),
        (
            "olga ha enviado el resultado blas 9, ana 4, gus 2 (Highest card, Thursday). ¿Es "
            "correcto?"
        ),
    ),
    (
        "match",
        lambda e, by: notifications.notify_match_settled(e.match, by=by, at=NOW),
        (
            "The state of the result blas 9, ana 4, gus 2 (Highest card, Thursday) has "
            "changed to “awaiting confirmation”."
        ),
        (
            "El resultado blas 9, ana 4, gus 2 (Highest card, Thursday) ha cambiado de "
            "estado: pendiente de confirmar."
        ),
    ),
    (
        "match",
        lambda e, by: notifications.notify_match_disputed(e.match, by=by, reason="No", at=NOW),
        "olga disputes the result blas 9, ana 4, gus 2 (Highest card, Thursday). Reason: No",
        "olga impugna el resultado blas 9, ana 4, gus 2 (Highest card, Thursday). Motivo: No",
    ),
    (
        "fixtures",
        lambda e, by: notifications.notify_rounds_drawn([e.round], by=by, at=NOW),
        "Thursday (Highest card): round 1 has been drawn. You will play against blas, gus.",
        "Thursday (Highest card): se ha sorteado la ronda 1. Jugarás contra blas, gus.",
    ),
    (
        "fixture",
        lambda e, by: notifications.notify_fixture_postponed(e.fixture, by=by, at=NOW),
        (
            "Thursday (Highest card): you have until 1 Nov 2026, 20:00 (UTC) to play your "
            "fixture (players: ana, blas, gus)."
        ),
        (
            "Thursday (Highest card): tienes hasta el 1 nov 2026, 20:00 (UTC) para jugar tu "
            "enfrentamiento (jugadores: ana, blas, gus)."
        ),
    ),
]


@pytest.mark.parametrize(("where", "tell", "english", "spanish"), SAID)
def test_notifications_name_game_players_and_score_and_link_to_the_page(
    where: str, tell: Callable[[Evening, Player], None], english: str, spanish: str
) -> None:
    evening = Evening()
    match, slug = evening.match, evening.league.slug
    match.sheet = Sheet.objects.create(
        match=match, number=1, content={}, points=[4, 9, 2], places=[2, 1, 3],
        evidence="score", at=NOW,
    )  # fmt: skip
    match.save()
    tell(evening, evening.olga)
    row = Notice.objects.get(user=evening.ana.user)
    for language, sentence in (("en", english), ("es", spanish)):
        with translation.override(language):
            assert queries.line_for(row).text == sentence
    assert (
        row.link
        == {
            "match": f"/matches/{match.pk}/",
            "fixtures": f"/leagues/{slug}/fixtures/",
            "fixture": f"/leagues/{slug}/fixtures/{evening.fixture.pk}/",
        }[where]
    )


def test_notification_of_a_match_without_league_names_its_number_and_players() -> None:
    evening = Evening()
    Match.objects.update(league=None)
    evening.match.refresh_from_db()
    notifications.notify_match_settled(evening.match, by=evening.olga, at=NOW)
    data = Notice.objects.get(user=evening.ana.user).data
    assert (data["where"], data["result"]) == (f"№ {evening.match.pk}", "ana, blas, gus")


def test_draw_notification_names_at_most_six_opponents() -> None:
    evening = Evening()
    people = [world.guest(f"guest {number}") for number in range(9)]
    for number, player in enumerate(people, start=1):
        fixture = Fixture.objects.create(round=evening.round, number=number + 1, deadline=NOW)
        for seat, one in enumerate((evening.ana, player)):
            FixtureSeat.objects.create(fixture=fixture, number=seat, player=one)
    notifications.notify_rounds_drawn([evening.round], by=evening.olga, at=NOW)
    names = {row.user.username: row.data["names"] for row in Notice.objects.all()}
    assert names == {
        "ana": "blas, gus, guest 0, guest 1, guest 2, guest 3 …",
        "blas": "ana, gus",
    }


def test_claim_notification_links_to_the_oldest_league_of_the_guest() -> None:
    evening = Evening()
    beside = League.objects.get(name="Beside")
    Member.objects.create(league=beside, player=evening.guest, joined_at=NOW)
    notifications.notify_guest_claimed(evening.guest, by=evening.ana, at=NOW)
    assert [name for name, _kind in notifications_received()] == ["blas", "eva", "olga"]
    ways = set(Notice.objects.values_list("link", flat=True))
    assert ways == {f"/leagues/{evening.league.slug}/players/"}
    assert Notice.objects.all()[0].data == {"by": "ana", "guest": "gus"}


def test_claim_notification_reaches_organisers_of_other_names_of_the_guest() -> None:
    evening = Evening()
    beside = League.objects.get(name="Beside")
    name = world.guest("other name")
    Member.objects.create(league=beside, player=name, joined_at=NOW)
    Player.objects.filter(pk=name.pk).update(merged_into=evening.guest)
    notifications.notify_guest_claimed(evening.guest, by=evening.ana, at=NOW)
    assert [person for person, _kind in notifications_received()] == ["blas", "eva", "olga"]


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ({}, False),
        ({"read_at": NOW}, True),
        ({"on_site": False}, True),
        ({"link": "/elsewhere/"}, True),
        ({"kind": "match_waits"}, True),
        ({"user": "eva"}, True),
    ],
)
def test_same_notification_is_not_sent_again_until_it_is_read(
    ana: User, eva: User, changed: dict[str, Any], again: bool
) -> None:
    there: dict[str, Any] = {
        "user": ana, "kind": notifications.TABLE_TURN.key, "link": "/there/", "at": NOW,
        "on_site": True, "data": {"table": 1}, "mail": Notice.Mail.NONE,
    }  # fmt: skip
    Notice.objects.create(**there | changed | ({"user": eva} if "user" in changed else {}))
    given: dict[str, Any] = {"at": NOW, "data": {"table": 1}, "link": "/there/"}
    assert notifications_operations.notify(
        [ana.pk], notifications.TABLE_TURN, once=True, **given
    ) == int(again)
    assert notifications_operations.notify([ana.pk], notifications.TABLE_TURN, **given) == 1, (
        "unless once is asked for"
    )
    assert notifications_operations.notify([], notifications.TABLE_TURN, **given) == 0


@pytest.mark.parametrize(("pace", "people"), [("days", ["blas"]), ("live", [])])
def test_player_is_notified_of_a_turn_only_at_tables_with_days_for_a_move(
    pace: str, people: list[str]
) -> None:
    evening = Evening()
    table = Laid(pk=7, pace=pace)
    for _time in range(2):
        notifications.notify_turn(table, evening.alias.pk, at=NOW)
    assert [name for name, _kind in notifications_received()] == people, "once, until it is read"


def test_notification_texts_work_with_the_data_of_older_notifications() -> None:
    evening = Evening()
    table = Laid.objects.create(
        game=game.KEY, rules={}, rules_hash="", profile="plain", pace="days", host=evening.ana,
        invitation="x", created_at=NOW, changed_at=NOW,
    )  # fmt: skip
    for number, player in enumerate((evening.ana, evening.alias, None)):
        TableSeat.objects.create(table=table, number=number, player=player)
    notifications.notify_turn(table, evening.ana.pk, at=NOW)
    organised = Member.objects.get(league=evening.league, player=evening.ana)
    notifications.notify_role_given(organised, by=evening.olga, at=NOW)
    lines = queries.latest(User.objects.get(username="ana"))
    assert [line.text for line in lines] == [
        "Thursday (Highest card): you are now player.",
        f"Highest card, table {table.pk} (ana, blas): it is your turn.",
    ]
    kept = {"by": "olga", "where": "Thursday", "league": "Thursday", "round": 3, "table": 7}
    assert kinds.registered_kinds["match_waits"].sentence(kept) == (
        "olga has entered a result (Thursday). Please confirm or dispute it."
    )
    assert kinds.registered_kinds["table_turn"].sentence(kept) == "It is your turn at table 7."
    assert kinds.registered_kinds["league_role"].sentence(kept | {"role": "player"}) == (
        "Thursday: your role is now player."
    )


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("owned", [True, False])
def test_circuit_notifications_reach_owner_and_requester_of_a_run(
    ana: User, eva: User, asked: bool, owned: bool
) -> None:
    circuit = Circuit.objects.create(
        slug="norte", name="Norte", owner=ana if owned else None,
        deck=Deck.objects.create(name="d", digest="d", cards=""),
    )  # fmt: skip
    season = Season.objects.create(circuit=circuit, year=2027, seed=b"s", commitment=b"c")
    run = Run(pk=7, season=season, asked_by=eva if asked else None, done=3, reason="x" * 300)
    run_broken(run, at=NOW)
    assert notifications_received() == ([("eva", "run_broken")] if asked else [])
    assert all(len(row.data["reason"]) == 200 for row in Notice.objects.all())
    Notice.objects.all().delete()
    run_over(run, at=NOW)
    over = [("eva", "run_over")] if asked else []
    assert notifications_received() == ([("ana", "season_over")] if owned and asked else []) + over
    run.state = Run.State.STOPPED
    run_over(run, at=NOW)
    assert Notice.objects.filter(kind="run_stopped").count() == asked
    season_over(season, at=NOW)
    assert Notice.objects.filter(kind="season_over").count() == owned, "once"
    Notice.objects.all().delete()
    winter_over(season, at=NOW)
    assert notifications_received() == ([("ana", "winter_over")] if owned else [])


# Channels of notifications

QUIET = NotificationKind(key="quiet", label="Quiet", text="Quiet.", usual=frozenset())  # type: ignore[arg-type]


@pytest.fixture
def mailing(settings: Settings) -> Settings:
    settings.EMAIL_HOST = "mail.example.org"
    settings.SITE_URL = "https://temporada.example.org"
    return settings


@pytest.mark.parametrize(
    ("kind", "chosen", "on_site", "by_mail"),
    [
        (MATCH_WAITING, None, True, True),
        (MATCH_WAITING, [], None, None),
        (MATCH_WAITING, ["site"], True, False),
        (MATCH_WAITING, ["mail"], False, True),
        (MATCH_WAITING, ["calendar"], None, None),
        (GUEST_CLAIMED, None, True, False),
        (GUEST_CLAIMED, ["mail"], False, True),
        (QUIET, None, None, None),
        (QUIET, ["site", "mail"], True, True),
    ],
)
def test_notification_uses_the_channels_that_the_user_chose(
    ana: User, mailing: Settings, kind: NotificationKind, chosen: list[str] | None,
    on_site: bool | None, by_mail: bool | None,
) -> None:  # fmt: skip
    if chosen is not None:
        Choice.objects.create(user=ana, kind=kind.key, ways=chosen)
    made = notifications_operations.notify([ana.pk], kind, at=NOW, data={})
    assert made == (on_site is not None)
    rows = list(Notice.objects.values_list("on_site", "mail"))
    expected = [(on_site, "due" if by_mail else "none")] if made else []
    assert rows == expected
    mailing.EMAIL_HOST = ""
    assert Channel.MAIL not in queries.channels_of_users([ana.pk], kind)[ana.pk]


def test_channels_of_one_user_do_not_change_another_user(
    ana: User, eva: User, mailing: Settings
) -> None:
    notifications_operations.set_channels(ana, {MATCH_WAITING.key: []})
    wanted = queries.channels_of_users([ana.pk, eva.pk], MATCH_WAITING)
    assert wanted == {ana.pk: frozenset(), eva.pk: {Channel.SITE, Channel.MAIL}}
    assert (
        notifications_operations.notify([ana.pk, eva.pk, eva.pk], MATCH_WAITING, at=NOW, data={})
        == 1
    )
    assert notifications_received() == [("eva", "match_waits")]
    assert queries.channels_by_kind(ana)[MATCH_WAITING.key] == frozenset()
    assert queries.channels_by_kind(eva)[MATCH_WAITING.key] == {Channel.SITE, Channel.MAIL}
    assert notifications_operations.notify([], MATCH_WAITING, at=NOW, data={}) == 0


def test_channel_choice_survives_while_the_site_offers_no_email(
    ana: User, mailing: Settings
) -> None:
    mailing.EMAIL_HOST = ""
    notifications_operations.set_channels(
        ana, {MATCH_WAITING.key: [Channel.MAIL, Channel.SITE], GUEST_CLAIMED.key: []}
    )
    assert Choice.objects.get(kind=MATCH_WAITING.key).ways == ["mail", "site"], "usual"
    assert Choice.objects.get(kind=GUEST_CLAIMED.key).ways == []
    mailing.EMAIL_HOST = "mail.example.org"
    notifications_operations.set_channels(ana, {MATCH_WAITING.key: []})
    mailing.EMAIL_HOST = ""
    notifications_operations.set_channels(ana, {MATCH_WAITING.key: [Channel.SITE]})
    assert Choice.objects.get(kind=MATCH_WAITING.key).ways == ["site"]


def test_email_is_unsubscribed_for_one_kind_or_for_all_kinds(ana: User, mailing: Settings) -> None:
    notifications_operations.disable_channel(ana, OFFERED.key, Channel.MAIL)
    ways = queries.channels_by_kind(ana)
    assert ways[OFFERED.key] == {Channel.SITE}
    assert ways[RUN_BROKEN.key] == {Channel.SITE, Channel.MAIL}
    notifications_operations.disable_channel(ana, "", Channel.MAIL)
    assert not any(Channel.MAIL in chosen for chosen in queries.channels_by_kind(ana).values())
    assert queries.channels_by_kind(ana)[RUN_BROKEN.key] == {Channel.SITE}


@pytest.mark.parametrize("purpose", [tokens.CALENDAR, tokens.FEED])
def test_secret_url_token_works_for_one_user_and_one_purpose(
    ana: User, eva: User, purpose: str
) -> None:
    token = tokens.make_token(ana, purpose)
    assert tokens.user_of_token(token, purpose) == ana
    (other,) = {tokens.CALENDAR, tokens.FEED} - {purpose}
    for wrong, why in ((token, other), (token, tokens.UNSUBSCRIBE), (f"{token}x", purpose)):
        assert tokens.user_of_token(wrong, why) is None
    assert tokens.user_of_token(f"{eva.pk}-0~{token.partition('~')[2]}", purpose) is None
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert tokens.user_of_token(token, purpose) is None
    User.objects.filter(pk=ana.pk).update(is_active=True)
    tokens.invalidate_tokens(ana)
    assert tokens.user_of_token(token, purpose) is None
    assert tokens.user_of_token(tokens.make_token(ana, purpose), purpose) == ana
    assert tokens.user_of_token(tokens.make_token(eva, purpose), purpose) == eva


def test_unsubscribe_token_names_one_kind_and_never_expires(ana: User) -> None:
    token = tokens.make_unsubscribe_token(ana, MATCH_WAITING.key)
    assert tokens.read_unsubscribe_token(token) == (ana, MATCH_WAITING.key)
    assert tokens.read_unsubscribe_token(token[:-1]) is None
    assert tokens.read_unsubscribe_token(tokens.make_unsubscribe_token(ana, "of_yore")) is None
    assert tokens.read_unsubscribe_token(tokens.make_token(ana, tokens.FEED)) is None
    tokens.invalidate_tokens(ana)
    assert tokens.read_unsubscribe_token(token) == (ana, MATCH_WAITING.key), (
        "a letter is never too old"
    )
    ana.delete()
    assert tokens.read_unsubscribe_token(token) is None


@pytest.mark.parametrize(
    ("columns", "letters_sent"),
    [({}, 1), ({"email": ""}, 0), ({"is_active": False}, 0)],
)
def test_notification_email_needs_an_active_user_with_an_address(
    ana: User, mailing: Settings, columns: dict[str, Any], letters_sent: int
) -> None:
    notifications_operations.notify([ana.pk], MATCH_WAITING, at=NOW, data={})
    User.objects.filter(pk=ana.pk).update(**columns)
    emails.send_due()
    assert len(mail.outbox) == letters_sent
    assert Notice.objects.get().mail == Notice.Mail.SENT, "and is not tried again"


def test_notifications_are_read_and_counted_separately_for_each_user(ana: User, eva: User) -> None:
    for user, on_site in ((ana, True), (ana, True), (ana, False), (eva, True)):
        Notice.objects.create(user=user, kind=MATCH_WAITING.key, at=NOW, on_site=on_site)
    first, second, hidden, other = Notice.objects.order_by("pk")
    notifications_operations.recount_unread([ana.pk, eva.pk])
    assert [User.objects.get(pk=user.pk).unread for user in (ana, eva)] == [2, 1]
    for number in (hidden.pk, other.pk, 10**6):
        assert notifications_operations.open_notification(ana, number, at=NOW) is None
    assert [line.number for line in queries.latest(ana)] == [second.pk, first.pk]
    assert [line.number for line in queries.latest(ana, limit=1)] == [second.pk]
    assert notifications_operations.open_notification(ana, first.pk, at=NOW) == ""
    notifications_operations.open_notification(ana, first.pk, at=NOW + DAY)
    first.refresh_from_db()
    assert first.read_at == NOW, "read once"
    assert User.objects.get(pk=ana.pk).unread == 1
    notifications_operations.mark_all_read(ana, at=NOW + DAY)
    first.refresh_from_db()
    assert first.read_at == NOW
    assert [User.objects.get(pk=user.pk).unread for user in (ana, eva)] == [0, 1]
    hidden.refresh_from_db()
    assert hidden.read_at is None


@pytest.mark.parametrize(("seconds", "kept"), [(0, 1), (1, 0)])
def test_notifications_are_deleted_after_180_days(ana: User, seconds: int, kept: int) -> None:
    Notice.objects.create(user=ana, kind=MATCH_WAITING.key, at=NOW)
    notifications_operations.delete_old_notifications(
        at=NOW + dt.timedelta(days=180, seconds=seconds)
    )
    assert Notice.objects.count() == kept
