"""Edge cases of account deletion and of preferences.

They include what is deleted or handed over, and what prevents a deletion.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory
from django.urls import reverse

from accounts import display_names
from accounts.account_deletion import operations as account_deletion
from accounts.account_deletion.anonymization import longer_than, names_replaced, replace_names
from accounts.account_deletion.registry import Deletion
from accounts.adapter import DELETION_SESSION_KEY, DELETION_SESSION_SECONDS
from accounts.models import Departure, Notice, User
from accounts.operations import change_profile, save_preferences, set_spoiler_protection
from accounts.pages.account_deletion import _authenticated_departure
from leagues.models import League, Member, Player
from tests.accounts.people import DAY, NOW
from tests.leagues import game, world

pytestmark = pytest.mark.django_db


def test_repeated_deletion_request_keeps_the_first_date(ana: User) -> None:
    first = account_deletion.request_deletion(ana, at=NOW)
    again = account_deletion.request_deletion(ana, at=NOW + DAY)
    assert (again.pk, again.asked_at, again.due_at) == (first.pk, NOW, NOW + 7 * DAY)
    assert not User.objects.get(pk=ana.pk).is_active


def test_cancelled_deletion_restores_the_account(ana: User, eva: User) -> None:
    departure, other = (account_deletion.request_deletion(user, at=NOW) for user in (ana, eva))
    assert account_deletion.cancel_deletion(departure) == ana
    assert User.objects.get(pk=ana.pk).is_active
    assert not User.objects.get(pk=eva.pk).is_active
    assert list(Departure.objects.all()) == [other]
    assert account_deletion.delete_due_accounts(at=NOW + 8 * DAY) == 1
    assert User.objects.filter(pk=ana.pk).exists()


@pytest.mark.parametrize(
    ("other", "stays"),
    [
        (None, True),
        ({"is_superuser": True}, False),
        ({"is_superuser": True, "is_active": False}, True),
        ({"is_staff": True}, True),
    ],
)
def test_only_active_superuser_cannot_delete_the_account(
    ana: User, other: dict[str, Any] | None, stays: bool
) -> None:
    User.objects.filter(pk=ana.pk).update(is_superuser=True)
    ana.refresh_from_db()
    if other is not None:
        User.objects.create_user("other", **other)
    assert bool(account_deletion.obstacles_for(ana)) == stays
    if not stays:
        account_deletion.request_deletion(ana, at=NOW)
        return
    with pytest.raises(account_deletion.DeletionBlockedError):
        account_deletion.request_deletion(ana, at=NOW)
    assert User.objects.get(pk=ana.pk).is_active


@pytest.mark.parametrize(
    ("heir", "kept"),
    [
        (None, "closed"),
        ({"role": Member.Role.PLAYER}, "hindrance"),
        ({"role": Member.Role.SCORER}, "hindrance"),
        ({"role": Member.Role.ORGANISER}, "theirs"),
        ({"role": Member.Role.ORGANISER, "active": False}, "closed"),
        ({"role": Member.Role.ORGANISER, "guest": True}, "closed"),
        ({"role": Member.Role.PLAYER, "closed": True}, "nothing"),
    ],
)
def test_deletion_is_blocked_or_closes_or_leaves_the_leagues_of_an_organiser(
    heir: dict[str, Any] | None, kept: str
) -> None:
    game.register()
    player = world.account("ana")
    league = world.found_league(player)
    if heir is not None:
        other = world.guest("heir") if heir.get("guest") else world.account("heir")
        Member.objects.create(league=league, player=other, role=heir["role"], joined_at=NOW)
        User.objects.filter(player=other).update(is_active=heir.get("active", True))
        if heir.get("closed"):
            League.objects.filter(pk=league.pk).update(closed_at=NOW)
    user = player.user
    assert isinstance(user, User)
    assert bool(account_deletion.obstacles_for(user)) == (kept == "hindrance")
    closing = [
        effect for effect in account_deletion.effects_for(user) if "will be closed" in effect.text
    ]
    assert bool(closing) == (kept == "closed")


def test_league_of_a_deleted_organiser_goes_to_the_scorer_who_joined_first() -> None:
    game.register()
    player = world.account("ana")
    league = world.found_league(player)
    for number, (name, role) in enumerate(
        [("first", "player"), ("late", "scorer"), ("early", "scorer"), ("last", "player")]
    ):
        at = NOW + number * DAY if name != "early" else NOW
        Member.objects.create(league=league, player=world.account(name), role=role, joined_at=at)
    Departure.objects.create(user=User.objects.get(username="ana"), asked_at=NOW, due_at=NOW)
    assert account_deletion.delete_due_accounts(at=NOW) == 1
    assert (
        Member.objects.get(league=league, role="organiser", player__user__isnull=False).player.name
        == "early"
    )


def parting(user: User, *given: str) -> Deletion:
    names_given = tuple(sorted(given, key=lambda name: -len(name)))
    return Deletion(user=user, alias="Former player", names=names_given, at=NOW)


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("Ana was here", "Former player was here"),
        ("ANA, ana; (Ana)", "Former player, Former player; (Former player)"),
        ("banana and Anabel", "banana and Anabel"),
        ("Ana María won", "Former player won"),
        ("ana@example.org wrote", "Former player wrote"),
        ("añ.na", "añ.na"),
        (
            {"ana": "ana", "n": [1, "ana", None]},
            {"ana": "Former player", "n": [1, "Former player", None]},
        ),
        (7, 7),
        (None, None),
    ],
)
def test_names_are_replaced_as_whole_words_and_not_in_json_keys(
    ana: User, value: Any, left: Any
) -> None:
    assert names_replaced(value, parting(ana, "Ana", "Ana María", "ana@example.org")) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ana, Ana María", "Former player, Ana María"),
        ("ANA  MARÍA and ana", "ANA  MARÍA and Former player"),
        ("José Ana María", "José Ana María"),
        ("Ana Marías, Mariana María", "Former player Marías, Mariana María"),
        ("Ana\N{ZERO WIDTH SPACE} María", "Ana\N{ZERO WIDTH SPACE} María"),
        ("Ana de Ana María", "Former player de Ana María"),
    ],
)
def test_longer_names_of_other_people_are_not_replaced(ana: User, text: str, left: str) -> None:
    others = ["Ana María", "María", "ana", "Mariana", "José Ana"]
    longer = longer_than(("Ana",), others)
    assert longer == ("ana maría", "josé ana")
    deletion = replace(parting(ana, "Ana"), longer_names=longer)
    assert names_replaced(text, deletion) == left


@pytest.mark.slow
def test_deleting_two_accounts_replaces_names_contained_in_each_other() -> None:
    game.register()
    short, long = world.account("ana"), world.account("maria")
    Player.objects.filter(pk=short.pk).update(name="Ana")
    Player.objects.filter(pk=long.pk).update(name="Ana María")
    league = world.found_league(world.account("office"), about="Ana and Ana María.")
    for player in (short, long):
        Member.objects.create(league=league, player=player, joined_at=NOW)

    def leave(player: Player) -> str:
        assert player.user is not None
        Departure.objects.create(user=player.user, asked_at=NOW, due_at=NOW)
        assert account_deletion.delete_due_accounts(at=NOW) == 1
        league.refresh_from_db()
        player.refresh_from_db()
        return league.about

    assert leave(short) == f"{short.name} and Ana María."
    assert leave(long) == f"{short.name} and {long.name}."
    assert "Ana" not in short.name + long.name


def test_replacing_a_name_by_a_longer_alias_cuts_no_text() -> None:
    game.register()
    player = world.account("ana")
    Player.objects.filter(pk=player.pk).update(name="Ana")
    league = world.found_league(world.account("office"), about="Ana " * 249 + "Bea")
    Member.objects.create(league=league, player=player, joined_at=NOW)
    assert player.user is not None
    Departure.objects.create(user=player.user, asked_at=NOW, due_at=NOW)
    assert account_deletion.delete_due_accounts(at=NOW) == 1
    league.refresh_from_db()
    player.refresh_from_db()
    assert league.about == f"{player.name} " * 249 + "Bea"


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Álvaro Íñiguez", "ÁLVARO ÍÑIGUEZ, álvaro\níñiguez", "Former player, Former player"),
        ("Álvaro", "A\N{COMBINING ACUTE ACCENT}lvaro's", "Former player's"),
        ("A\N{COMBINING ACUTE ACCENT}lvaro", "por ÁLVARO", "por Former player"),
        ("Íñigo", "Í\N{ZERO WIDTH JOINER}ñigo\N{ZERO WIDTH SPACE}!", "Former player!"),
        ("Peña", "pen\N{COMBINING GRAPHEME JOINER}\N{COMBINING TILDE}a", "Former player"),
        ("Peña", "pe\N{SOFT HYPHEN}ña", "Former player"),
        ("Weiß", "WEISS und weiß", "Former player und Former player"),
        ("Ss", "ß und ss", "Former player und Former player"),
        ("S", "ß", "ß"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", "Former player"),
        ("İnci", "i\N{COMBINING DOT ABOVE}nci", "Former player"),
        ("Ana", "Ana\N{COMBINING CEDILLA} y Ána", "Ana\N{COMBINING CEDILLA} y Ána"),
        ("Ñ", "ñ de España", "Former player de España"),
        ("Kim", "\N{KELVIN SIGN}im", "Former player"),
        ("김", "김 씨", "Former player 씨"),
        ("J.", "J. y J.R.", "Former player y J.R."),
        (r"\u0041na", r"\u0041na, not Ana", "Former player, not Ana"),
    ],
)
def test_names_are_replaced_in_every_case_and_unicode_form(
    ana: User, name: str, text: str, left: str
) -> None:
    deletion = parting(ana, name)
    assert names_replaced(text, deletion) == left
    row = Notice.objects.create(user=ana, kind="x", data={"k": [text]}, at=NOW)
    assert replace_names(Notice.objects.all(), ["data"], deletion) == [row.pk] * (text != left)
    row.refresh_from_db()
    assert row.data == {"k": [left]}


def test_slugs_and_urls_get_the_new_slug_and_no_alias(ana: User) -> None:
    deletion = parting(ana, "/u/ana", "ana")
    deletion.moves["players", "ana"] = "former"
    before = {"by": "/u/ana", "slug": "ana", "text": "ana won", "at": "https://a.test/players/ana/"}
    assert names_replaced(before | {"link": "/leagues/ana/"}, deletion, links=True) == {
        "by": "Former player",
        "slug": "former",
        "text": "Former player won",
        "at": "https://a.test/players/former/",
        "link": "/leagues/ana/",
    }


def test_special_characters_in_a_name_are_no_pattern(ana: User) -> None:
    assert names_replaced("a.b and axb", parting(ana, "a.b")) == "Former player and axb"


def test_replaced_texts_are_cut_to_the_length_of_their_column(ana: User, eva: User) -> None:
    rows = [
        Notice.objects.create(user=eva, kind="ana", link=link, at=NOW)
        for link in ("ana", "x", "y" * 290 + " ana")
    ]
    changed = replace_names(Notice.objects.all(), ["link"], parting(ana, "ana"))
    assert set(changed) == {rows[0].pk, rows[2].pk}
    links = list(Notice.objects.order_by("pk").values_list("link", flat=True))
    assert links[:2] == ["Former player", "x"]
    assert links[2] == ("y" * 290 + " Former player")[:300]
    assert {row.kind for row in Notice.objects.all()} == {"ana"}, "other columns stay"
    nobody = Notice.objects.filter(user=ana)
    assert replace_names(nobody, ["link"], parting(ana, "ana")) == []


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        (None, False),
        ("x", False),
        (DELETION_SESSION_SECONDS - 5, True),
        (DELETION_SESSION_SECONDS + 5, False),
        ("other", False),
    ],
)
def test_sign_in_allows_cancelling_a_deletion_for_a_limited_time(
    ana: User, kept: int | str | None, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    departure = account_deletion.request_deletion(ana, at=NOW)
    monkeypatch.setattr("accounts.pages.account_deletion.time.time", lambda: 10_000.0)
    request = RequestFactory().get("/")
    request.session = SessionStore()
    if isinstance(kept, int):
        request.session[DELETION_SESSION_KEY] = [departure.pk, 10_000.0 - kept]
    elif kept == "other":
        request.session[DELETION_SESSION_KEY] = [departure.pk + 1, 10_000.0]
    elif kept is not None:
        request.session[DELETION_SESSION_KEY] = kept
    assert _authenticated_departure(request) == (departure if found else None)


# Preferences


def test_spoiler_protection_keeps_the_date_when_it_was_turned_on(ana: User, eva: User) -> None:
    for at in (NOW, NOW + DAY):
        set_spoiler_protection(user=ana, up=True, at=at)
        ana.refresh_from_db()
        assert ana.shielded_since == NOW
    set_spoiler_protection(user=ana, up=False, at=NOW)
    ana.refresh_from_db()
    assert ana.shielded_since is None
    assert User.objects.get(pk=eva.pk).shielded_since is None


def test_preferences_of_one_user_do_not_change_another_user(ana: User, eva: User) -> None:
    wish = {"language": "es", "theme": "dark", "bloodless": True, "zone": "Asia/Tokyo"}
    save_preferences(user=ana, single_keys=False, **wish)  # type: ignore[arg-type]
    found = {
        user.username: (user.language, user.theme, user.bloodless, user.zone, user.single_keys)
        for user in User.objects.all()
    }
    assert found == {
        "ana": ("es", "dark", True, "Asia/Tokyo", False),
        "eva": ("", "system", False, "", True),
    }


def profile(**changes: Any) -> dict[str, Any]:
    wish = {"name": "Ana", "language": "es", "theme": "dark", "bloodless": True, "shielded": True}
    return wish | {"zone": "Asia/Tokyo", "single_keys": True, "at": NOW} | changes


def test_profile_is_saved_completely_or_not_at_all(ana: User) -> None:
    game.register()
    player = Player.objects.create(name="ana", slug="ana", user=ana, created_at=NOW)
    with pytest.raises(display_names.NameRefusedError):
        change_profile(user=ana, **profile(name="x" * 61))
    ana.refresh_from_db()
    assert (ana.language, ana.theme, ana.first_name, ana.shielded_since) == ("", "system", "", None)
    change_profile(user=ana, **profile())
    ana.refresh_from_db()
    player.refresh_from_db()
    assert (player.name, player.slug, ana.first_name, ana.last_name) == ("Ana", "ana", "Ana", "")
    assert (ana.language, ana.theme, ana.bloodless, ana.shielded_since) == ("es", "dark", True, NOW)
    assert display_names.display_name(ana) == "Ana"
    assert display_names.public_page(ana) == reverse("player", args=["ana"])


def test_user_without_player_is_shown_with_the_account_name(ana: User, eva: User) -> None:
    assert display_names.display_name(ana) == "ana"
    assert display_names.public_page(ana) is None
    change_profile(user=ana, **profile(name="Ana M."))
    ana.refresh_from_db()
    assert (display_names.display_name(ana), ana.username) == ("Ana M.", "ana")
    assert not Player.objects.exists()
    assert display_names.display_name(eva) == "eva"


def test_names_with_a_separate_korean_final_consonant_are_replaced(ana: User) -> None:
    name = "하 \u11ab ﷺ"
    assert names_replaced(f"¡{name}!", parting(ana, name)) == "¡Former player!"
    assert names_replaced("하\u11ab ﷺ", parting(ana, name)) == "하\u11ab ﷺ"
