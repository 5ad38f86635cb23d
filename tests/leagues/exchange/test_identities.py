"""Matching of a file's players with members, and of its matches with those of the league."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.account_deletion import operations as account_deletion
from leagues.exchange.formats import ImportVerdict, play_uuid
from leagues.exchange.import_plan import ImportPlan
from leagues.exchange.known_matches import match_key
from leagues.exchange.operations import (
    FileFormat,
    ImportResult,
    export_results,
    import_results,
    preview_import,
    read_results,
)
from leagues.members.operations.merging import merge_players
from leagues.models import FormerName, League, Match, Member, Player, SiteIdentity
from leagues.players import rename_player
from tests.leagues import world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db

LATER = NOW + dt.timedelta(days=60)
ELSEWHERE = "0b1f5c1e-8a53-4c3b-9f0e-3b8a3d4f6a10"


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    """Create a league in which Ana and Bruno, with the slugs ana and bruno, have played once."""
    made = world.found_league(office, plays=False, zone="Europe/Madrid")
    ana, bruno = world.account("ana"), world.account("bruno")
    for player in (ana, bruno):
        world.enter_league(made, player)
    world.played(made, [ana, bruno], [10, 4], at=NOW)
    return made


def plan(league: League, text: str, kind: FileFormat, by: Player) -> ImportPlan:
    reading = read_results(league=league, data=text.encode(), file_format=kind, by=by)
    return preview_import(league=league, reading=reading, by=by, at=LATER)


def add(league: League, text: str, kind: FileFormat, by: Player) -> ImportResult:
    reading = read_results(league=league, data=text.encode(), file_format=kind, by=by)
    return import_results(league=league, reading=reading, by=by, at=LATER)


def verdicts(shown: ImportPlan) -> list[ImportVerdict]:
    return [line.verdict for line in shown.lines]


def rewritten(text: str, kind: FileFormat, **changes: str) -> str:
    """Return an export in which these members of each result (or of the file) are changed."""
    if kind is FileFormat.CSV:
        rows = [row | changes for row in csv.DictReader(io.StringIO(text))]
        out = io.StringIO()
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()
    content = json.loads(text)
    if kind is FileFormat.JSON:
        content["results"] = [result | changes for result in content["results"]]
    else:
        content["temporada"] = content["temporada"] | changes
    return json.dumps(content)


def without_origin(text: str, kind: FileFormat) -> str:
    """Return the export in the form that earlier versions wrote."""
    if kind is FileFormat.BGSTATS:
        content = json.loads(text)
        del content["temporada"]
        return json.dumps(content)
    return rewritten(text, kind, site="", league_id="")


def file_about(
    name: str, identity: str, *, key: str = "", site: str = "", when: str = "2026-03-01"
) -> str:
    """Return a CSV file in which a player with this identity beats Carla."""
    return (
        "match,key,played_at,player,identity,place,points,site\n"
        f"1,{key},{when},{name},{identity},1,10,{site}\n1,{key},{when},Carla,,2,4,{site}\n"
    )


# People


@pytest.mark.parametrize("site", ["", ELSEWHERE])
def test_slug_of_a_member_with_another_name_means_a_guest_and_is_reported(
    league: League, office: Player, site: str
) -> None:
    text = file_about("Anabel", "ana", site=site)
    shown = plan(league, text, FileFormat.CSV, office)
    (line,) = shown.lines
    assert line.sentence == (
        "This match will be added. “ana” is the address of ana in this league, so Anabel is "
        "treated as a different person."
    )
    assert shown.guests == ("Anabel", "Carla")
    add(league, text, FileFormat.CSV, office)
    assert Match.objects.filter(seats__player__name="Anabel").count() == 1


@pytest.mark.parametrize("site", ["", ELSEWHERE, "own"])
@pytest.mark.parametrize(
    "called", ["ana", "ANA", "Ana María", "Anita"], ids=["present", "case", "former", "merged"]
)
def test_slug_with_a_present_former_or_merged_name_means_the_member(
    league: League, office: Player, site: str, called: str
) -> None:
    ana = Player.objects.get(slug="ana")
    FormerName.objects.create(player=ana, name="Ana María")
    anita = world.guest("Anita")
    Member.objects.create(league=league, player=anita, joined_at=NOW)
    merge_players(absorbed=anita, kept=ana, by=office, at=NOW)
    own = str(SiteIdentity.objects.get_or_create(pk=1)[0].uid)
    shown = plan(
        league,
        file_about(called, "ana", site=own if site == "own" else site),
        FileFormat.CSV,
        office,
    )
    (line,) = shown.lines
    assert line.players[0] == ana
    assert shown.guests == ("Carla",)


def test_slug_in_a_file_of_this_site_means_the_member_whatever_the_name(
    league: League, office: Player
) -> None:
    own = str(SiteIdentity.objects.get_or_create(pk=1)[0].uid)
    (line,) = plan(league, file_about("Anabel", "ana", site=own), FileFormat.CSV, office).lines
    assert line.players[0] == Player.objects.get(slug="ana")
    assert "address" not in line.sentence


def test_former_name_without_slug_means_a_new_guest(league: League, office: Player) -> None:
    FormerName.objects.create(player=Player.objects.get(slug="ana"), name="Ana María")
    shown = plan(league, file_about("Ana María", ""), FileFormat.CSV, office)
    assert shown.guests == ("Ana María", "Carla")


def test_members_of_the_same_name_are_distinguished_in_bg_stats_exports(office: Player) -> None:
    first = world.found_league(office, plays=False)
    anas = [world.account("ana-1"), world.account("ana-2")]
    Player.objects.filter(pk__in=[ana.pk for ana in anas]).update(name="Ana", name_key="ana")
    for ana in anas:
        world.enter_league(first, ana)
    world.played(first, anas, [10, 4])
    second = world.found_league(office, plays=False, name="Friday")
    for ana in anas:
        world.enter_league(second, ana)
    text = export_results(league=first, file_format=FileFormat.BGSTATS)
    (line,) = plan(second, text, FileFormat.BGSTATS, office).lines
    assert line.verdict is ImportVerdict.ADD
    assert list(line.players) == anas


# Matches

every_format = pytest.mark.parametrize("kind", FileFormat)


def renamed_league(league: League, office: Player) -> None:
    League.objects.filter(pk=league.pk).update(slug="something-else")


def renamed_player(league: League, office: Player) -> None:
    rename_player(player=Player.objects.get(slug="ana"), name="Ana López")


def renamed_before_names_were_kept(league: League, office: Player) -> None:
    Player.objects.filter(slug="ana").update(name="Ana López", name_key="ana lopez")


def merged_player(league: League, office: Player) -> None:
    anita = world.account("anita")
    world.enter_league(league, anita)
    bruno = Player.objects.get(slug="bruno")
    Player.objects.filter(pk=bruno.pk).update(user=None)
    bruno.refresh_from_db()
    merge_players(absorbed=bruno, kept=anita, by=office, at=NOW)


def deleted_account(league: League, office: Player) -> None:
    user = Player.objects.get(slug="ana").user
    assert user is not None
    departure = account_deletion.request_deletion(user, at=NOW)
    assert account_deletion.delete_account(departure.pk, at=LATER)


def moved_and_deleted(league: League, office: Player) -> None:
    renamed_league(league, office)
    deleted_account(league, office)


def voided(league: League, office: Player) -> None:
    Match.objects.update(state=Match.State.VOID)


Happening = Callable[[League, Player], None]
HAPPENINGS: list[Happening] = [
    renamed_league,
    renamed_player,
    renamed_before_names_were_kept,
    merged_player,
    deleted_account,
    moved_and_deleted,
    voided,
]


@every_format
@pytest.mark.parametrize("earlier", [False, True], ids=["now", "from an earlier version"])
@pytest.mark.parametrize("happened", HAPPENINGS)
def test_own_export_adds_nothing_whatever_has_changed_since(
    league: League, office: Player, kind: FileFormat, earlier: bool, happened: Happening
) -> None:
    text = export_results(league=league, file_format=kind)
    if earlier:
        text = without_origin(text, kind)
    happened(league, office)
    league.refresh_from_db()
    shown = plan(league, text, kind, office)
    assert verdicts(shown) == [ImportVerdict.KNOWN]


@pytest.mark.parametrize("moved", [False, True])
def test_bg_stats_export_with_utc_times_is_recognised(
    league: League, office: Player, moved: bool
) -> None:
    content = json.loads(export_results(league=league, file_format=FileFormat.BGSTATS))
    del content["temporada"]
    content["plays"][0]["playDate"] = NOW.strftime("%Y-%m-%d %H:%M:%S")
    if moved:
        renamed_league(league, office)
        league.refresh_from_db()
    shown = plan(league, json.dumps(content), FileFormat.BGSTATS, office)
    assert verdicts(shown) == [ImportVerdict.KNOWN]


@pytest.mark.parametrize("site", ["", ELSEWHERE])
def test_key_of_another_site_with_other_players_means_another_match(
    league: League, office: Player, site: str
) -> None:
    key = f"{league.slug}/{Match.objects.get().pk}"
    text = file_about("Anabel", "ana", key=key, site=site)
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.ADD]
    add(league, text, FileFormat.CSV, office)
    added = Match.objects.exclude(external_id="").get()
    assert added.external_id != key
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.KNOWN]
    # Both matches are exported under their own keys, and both are recognised.
    for kind in FileFormat:
        again = plan(league, export_results(league=league, file_format=kind), kind, office)
        assert verdicts(again) == [ImportVerdict.KNOWN, ImportVerdict.KNOWN]


def test_key_with_another_slug_is_recognised_only_if_this_site_may_have_written_it(
    league: League, office: Player
) -> None:
    key = f"another-league/{Match.objects.get().pk}"
    when = f"{NOW:%Y-%m-%dT%H:%M:%SZ}"
    text = file_about("ana", "", key=key, when=when).replace("Carla", "bruno")
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.KNOWN]
    foreign = file_about("ana", "", key=key, site=ELSEWHERE, when=when).replace("Carla", "bruno")
    assert verdicts(plan(league, foreign, FileFormat.CSV, office)) == [ImportVerdict.ADD]


def test_match_number_in_a_foreign_key_counts_only_with_the_same_time(
    league: League, office: Player
) -> None:
    key = f"J2/{Match.objects.get().pk}"
    for when, verdict in (
        ("2026-03-05 21:00", ImportVerdict.KNOWN),
        ("2026-03-04", ImportVerdict.ADD),
    ):
        text = file_about("ana", "", key=key, when=when).replace("Carla", "bruno")
        assert verdicts(plan(league, text, FileFormat.CSV, office)) == [verdict]


@every_format
def test_two_matches_of_the_same_players_at_the_same_time_are_different(
    office: Player, kind: FileFormat
) -> None:
    first = world.found_league(office, plays=False)
    second = world.found_league(office, plays=False, name="Friday")
    add(first, file_about("Ana", "", key="m1"), FileFormat.CSV, office)
    add(second, export_results(league=first, file_format=kind), kind, office)
    add(first, file_about("Ana", "", key="m2"), FileFormat.CSV, office)
    text = export_results(league=first, file_format=kind)
    assert sorted(verdicts(plan(second, text, kind, office))) == [
        ImportVerdict.ADD,
        ImportVerdict.KNOWN,
    ]


def test_one_match_is_recognised_by_its_time_for_one_play_only(
    league: League, office: Player
) -> None:
    content = json.loads(export_results(league=league, file_format=FileFormat.BGSTATS))
    del content["temporada"]
    (play,) = content["plays"]
    content["plays"] = [play | {"uuid": play_uuid(f"earlier/{n}")} for n in (1, 2)] + [play]
    shown = plan(league, json.dumps(content), FileFormat.BGSTATS, office)
    assert sorted(verdicts(shown)) == [ImportVerdict.ADD, ImportVerdict.ADD, ImportVerdict.KNOWN]
    content["plays"].pop()
    shown = plan(league, json.dumps(content), FileFormat.BGSTATS, office)
    assert sorted(verdicts(shown)) == [ImportVerdict.ADD, ImportVerdict.KNOWN]


def test_keys_that_differ_in_case_mean_one_match_only_at_the_same_time(
    league: League, office: Player
) -> None:
    add(league, file_about("Dora", "", key="xK9"), FileFormat.CSV, office)
    for when, verdict in (("2026-03-01", ImportVerdict.KNOWN), ("2026-03-02", ImportVerdict.ADD)):
        text = file_about("Dora", "", key="xk9", when=when)
        assert verdicts(plan(league, text, FileFormat.CSV, office)) == [verdict]


@pytest.mark.parametrize("names", [("ana", "bruno"), ("bruno", "ana")])
def test_players_who_exchanged_names_are_distinguished(
    league: League, office: Player, names: tuple[str, str]
) -> None:
    head = "match,key,played_at,player,place,points\n"
    lines = {"ana": "1,k,2026-03-01,ana,1,10\n", "bruno": "1,k,2026-03-01,bruno,2,4\n"}
    add(league, head + lines["bruno"] + lines["ana"], FileFormat.CSV, office)
    rename_player(player=Player.objects.get(slug="ana"), name="Zoe")
    rename_player(player=Player.objects.get(slug="bruno"), name="ana")
    text = head + "".join(lines[name] for name in names)
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.KNOWN]


@pytest.mark.parametrize("key", ["1", "match-1", "6F1C2B6E-6D4B-5C39-9F6C-0D6A7B1F5E21"])
def test_same_key_with_other_players_means_another_match(
    league: League, office: Player, key: str
) -> None:
    for name in ("Dora", "Eva"):
        assert len(add(league, file_about(name, "", key=key), FileFormat.CSV, office).matches) == 1
    for name in ("Dora", "Eva", "eva"):
        shown = plan(league, file_about(name, "", key=key), FileFormat.CSV, office)
        assert verdicts(shown) == [ImportVerdict.KNOWN]


def test_file_with_one_key_for_several_matches_adds_all_of_them(
    league: League, office: Player
) -> None:
    lines = [
        file_about(name, "", key="1").replace("\n1,", f"\n{name},")
        for name in ("Dora", "Eva", "Fe")
    ]
    text = lines[0] + "".join(line.partition("\n")[2] for line in lines[1:])
    assert len(add(league, text, FileFormat.CSV, office).matches) == 3
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.KNOWN] * 3


def test_play_is_recognised_by_its_uuid_after_corrections(league: League, office: Player) -> None:
    key = "5b1f5c1e-8a53-4c3b-9f0e-3b8a3d4f6a10"
    add(league, file_about("Dora", "", key=key), FileFormat.CSV, office)
    shown = plan(league, file_about("Dora Luna", "", key=key), FileFormat.CSV, office)
    assert verdicts(shown) == [ImportVerdict.KNOWN]


@every_format
def test_match_exported_through_another_site_is_recognised(
    league: League, office: Player, kind: FileFormat
) -> None:
    text = rewritten(export_results(league=league, file_format=kind), kind, site=ELSEWHERE)
    assert verdicts(plan(league, text, kind, office)) == [ImportVerdict.KNOWN]


def anas(keys: str, *identities: str) -> str:
    """Return a CSV file in which players called Ana with these identities each play Carla once."""
    lines = []
    for number, identity in enumerate(identities, 1):
        text = file_about("Ana", identity, key=keys.format(number), when=f"2026-03-0{number}")
        lines.append(
            text.partition("\n")[2].replace("1,", f"{number},", 1).replace("\n1,", f"\n{number},")
        )
    return file_about("", "").partition("\n")[0] + "\n" + "".join(lines)


@pytest.mark.parametrize("keys", ["k{}", "5b1f5c1e-8a53-4c3b-9f0e-3b8a3d4f6a1{}", ""])
def test_player_stays_the_same_when_the_extended_file_is_imported_again(
    office: Player, keys: str
) -> None:
    league = world.found_league(office, plays=False)

    def seats() -> list[tuple[str, int]]:
        found = [(p.name, p.match_seats.count()) for p in Player.objects.exclude(name="Carla")]
        return sorted(pair for pair in found if pair[1])

    def bring(text: str, **decisions: str) -> ImportPlan:
        reading = read_results(
            league=league, data=text.encode(), file_format=FileFormat.CSV, by=office
        )
        shown = preview_import(
            league=league, reading=reading, by=office, at=LATER, decisions=decisions
        )
        import_results(league=league, reading=reading, by=office, at=LATER, decisions=decisions)
        return shown

    bring(anas(keys, *"abb"), **{"person:ana": "several"})
    assert seats() == [("Ana", 2), ("Ana (2)", 1)]
    # The identity a now has more matches than the identity b, but the import asks no further
    # question.
    assert bring(anas(keys, *"abbaa")).questions == ()
    assert seats() == [("Ana", 2), ("Ana (2)", 3)]
    # A third identity of the same name raises a question.
    assert len(bring(anas(keys, *"abbaac"), **{"person:ana": "several"}).questions) == 1
    assert seats() == [("Ana", 2), ("Ana (2)", 3), ("Ana (3)", 1)]


def test_long_name_shortened_for_a_number_is_recognised(office: Player) -> None:
    league = world.found_league(office, plays=False)
    name = "Ana " + "x" * 56
    text = anas("k{}", *"abb").replace("Ana", name)
    reading = read_results(league=league, data=text.encode(), file_format=FileFormat.CSV, by=office)
    decisions = {f"person:{name.lower()}": "several"}
    import_results(league=league, reading=reading, by=office, at=LATER, decisions=decisions)
    assert Player.objects.filter(name=f"{name[:56]} (2)").exists()
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.KNOWN] * 3


def test_file_with_garbled_letters_in_a_name_adds_nothing_the_second_time(
    league: League, office: Player
) -> None:
    """The league already has the first match of the file.

    This match shows that `?na` with the slug ana is the member Ana.
    """
    (match,) = Match.objects.all()
    text = "match,key,played_at,player,identity,place,points\n" + "".join(
        f"{number},{key},{when},{name},{identity},{place},1\n"
        for number, (key, when, rival) in enumerate(
            [
                (match_key(league, match.pk), NOW.isoformat(), "bruno"),
                ("new", "2026-02-01T12:00+01:00", ""),
            ]
        )
        for name, identity, place in (("?na", "ana", 1), ("bruno", rival, 2))
    )
    assert len(add(league, text, FileFormat.CSV, office).matches) == 1
    seats = Match.objects.get(external_id="new").seats
    assert [*seats.values_list("player__slug", flat=True)] == ["ana", "bruno"]
    assert verdicts(plan(league, text, FileFormat.CSV, office)) == [ImportVerdict.KNOWN] * 2


def test_preview_says_that_a_match_of_the_file_is_void_in_the_league(
    league: League, office: Player
) -> None:
    text = export_results(league=league, file_format=FileFormat.CSV)
    voided(league, office)
    (line,) = plan(league, text, FileFormat.CSV, office).lines
    assert line.sentence == "This match is already in the league, but it is void."


# Origin of a file


@every_format
def test_export_names_its_site_and_league_by_random_ids(league: League, kind: FileFormat) -> None:
    text = export_results(league=league, file_format=kind)
    league.refresh_from_db()
    assert str(SiteIdentity.objects.get().uid) in text
    assert str(league.uid) in text


def test_league_of_an_earlier_version_gets_an_id_when_it_is_exported(league: League) -> None:
    League.objects.filter(pk=league.pk).update(uid=None)
    league.refresh_from_db()
    texts = {export_results(league=league, file_format=FileFormat.CSV) for _twice in range(2)}
    league.refresh_from_db()
    (text,) = texts
    assert str(league.uid) in text


def test_two_leagues_have_different_ids(league: League, office: Player) -> None:
    other: Any = world.found_league(office, plays=False, name="Friday")
    assert other.uid != league.uid


def test_site_creates_its_identity_only_once(league: League) -> None:
    for _again in range(2):
        export_results(league=league, file_format=FileFormat.JSON)
        SiteIdentity.objects.get_or_create(pk=1)
    assert SiteIdentity.objects.count() == 1
