"""Verification of records: valid records pass, changed records are reported even with a
new digest.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import actas
from tests.actas import documents
from tests.actas.documents import leaves, other_value, sealed_anew, with_value

# Pattern of the values that cannot be calculated again. Only the digest protects these, as
# `docs/records.md` says.
CONTEXT = re.compile(
    r"(rounds/\d+/)?(site/(name|version)|of/(circuit|season|corrida|table|match|sheet)"
    r"|seats/\d+/(name|bot))"
)

TRUE: dict[str, Callable[[], documents.Document]] = {
    "lidia": documents.lidia,
    "last lidia of one deck": lambda: documents.lidia(6, shuffle="when_exhausted"),
    "corrida": documents.corrida,
    "next card": lambda: documents.corrida(bull_reading="next_card", bull_points="for"),
    "hand": documents.hand,
    "second hand": lambda: documents.hand(2, lead="winner", target=150),
    "highest double": lambda: documents.hand(lead="highest_double", highest=9),
    "partners": lambda: documents.hand(seats=4, partners=True),
    "game": lambda: documents.town(days=2),
    "match": lambda: documents.match(target=40),
    "game as match": lambda: documents.match("eltoro", seats=2, days=1),
}


@pytest.mark.parametrize("name", TRUE)
def test_unchanged_record_passes_verification(name: str) -> None:
    document = TRUE[name]()
    verdict = actas.check(document)
    assert verdict.is_confirmed, (verdict.refused, verdict.lines)
    assert verdict.kind == document["kind"]
    assert actas.check_file(actas.to_bytes(document)) == verdict
    assert not verdict.lines


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lidia", "hand", "game", "match", "partners"])
def test_changed_value_is_reported_even_with_a_matching_digest(name: str) -> None:
    document = TRUE[name]()
    every = list(leaves(document))
    untold = []
    for path, value in every[:: 1 + len(every) // 250]:
        changed = with_value(document, path, other_value(value))
        assert not actas.check(changed).is_confirmed, path
        forged = sealed_anew(changed)
        if path != "digest" and actas.check(forged).is_confirmed:
            untold.append(path)
    assert all(CONTEXT.fullmatch(path) for path in untold), untold


def test_difference_names_its_path_and_both_values() -> None:
    document = documents.lidia()
    number = document["lidias"][0]["result"]["number"]
    verdict = actas.check(with_value(document, "lidias/0/result/number", number + 1))
    assert not verdict.refused
    assert [one.name for one in verdict.differences] == ["digest", "lidias/0/result/number"]
    assert verdict.lines[1] == f"lidias/0/result/number should be {number}, but is {number + 1}"
    assert verdict.sentence == "2 values in the record differ from the calculated ones."


def test_record_with_another_seed_reports_only_the_first_50_differences() -> None:
    verdict = actas.check(with_value(documents.corrida(), "seed", "00" * 32))
    assert verdict.more
    assert len(verdict.differences) == 50
    assert verdict.sentence == ("At least 50 values in the record differ from the calculated ones.")


def test_additional_missing_and_repeated_members_of_a_record_are_reported() -> None:
    document = documents.hand()
    assert [one.name for one in actas.check({**document, "more": 1}).differences] == [
        "digest",
        "more",
    ]
    less = {name: part for name, part in document.items() if name != "deal"}
    assert "deal" in [one.name for one in actas.check(less).differences]
    twice = actas.to_bytes(document).replace(b'"points":', b'"points": [], "points":', 1)
    assert "” appears twice in the same object." in actas.check_file(twice).sentence


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("format", "chess", "format: The format of the record must be"),
        ("version", 2, "version: Only version 1"),
        ("version", True, "version: Only version 1"),
        ("kind", "bullfight", "kind: No game on this site"),
        ("game", [], "game: This value must be text"),
        ("rules/shuffle", "never", "The option shuffle is one of"),
        ("rules/colour", "red", "“"),
        ("deck/3", "QUITE", "Card 3"),
        ("deck", [], "deck: This value must be a list of 70"),
        ("seed", "00", "seed: Enter 64 hexadecimal digits"),
        ("seed", "ZZ" * 32, "seed: Enter 64 hexadecimal digits"),
        (
            "stake/plaza/rating",
            7,
            "stake/plaza/rating: This value must be a whole number from 1 to 3",
        ),
        ("stake/plaza/rating", True, "stake/plaza/rating: This value must be a whole number"),
        ("stake/date", "yesterday", "stake/date: Write dates"),
        ("stake/cartel", [{}] * 3, "stake/cartel/0/ranges: This value is missing"),
        ("stake/cartel/0/ranges/oreja", "1-100", "is in"),
        ("stake/cartel/0/rating", -1, "stake/cartel/0/rating: This value must be a whole number"),
        ("stake/bulls", ["Islero 21"], "stake/bulls: This value must be a list of 6 to 6"),
        ("of/turn", 7, "of/turn: This value must be a whole number from 1 to 6"),
        ("lidias", 2**60, "lidias: The number is too large"),
    ],
)
def test_invalid_record_of_a_lidia_is_rejected_with_the_path_of_the_error(
    path: str, value: Any, said: str
) -> None:
    verdict = actas.check(with_value(documents.lidia(), path, value))
    assert said in verdict.refused
    assert not verdict.is_confirmed


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("rules/highest", 99, "highest"),
        ("rules/highest", None, "rules/highest: An option must be text"),
        ("stake/leaders", [], "stake/leaders: This value must be a list of 1 to 3"),
        ("stake/totals", [0], "stake/totals: This value must be a list of 3"),
        ("moves", [], "moves: The hand is not over"),
        ("moves/0/move", "9|9", ""),
        ("moves/0/move", "castle", "is no move"),
        ("seats", [], "seats: This value must be a list of 1"),
        ("of/round", 0, "of/round: This value must be a whole number"),
    ],
)
def test_invalid_record_of_a_hand_is_rejected_with_the_path_of_the_error(
    path: str, value: Any, said: str
) -> None:
    verdict = actas.check(with_value(documents.hand(), path, value))
    assert said in verdict.refused
    assert verdict.refused


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("texts/board", "nowhere"),
        ("texts/board", "space,row\nx,y"),
        ("texts/cards", "card,count\n1,1"),
        ("rules/days", 4),
        ("rules/board", 5),
        ("rules/weather", "rain"),
        ("moves", []),
        ("moves/3/move", "play nothing"),
        ("seats", [{"name": "", "bot": ""}]),
        ("seats", [{"name": "", "bot": ""}] * 7),
    ],
)
def test_invalid_record_of_a_game_of_el_toro_is_rejected(path: str, value: Any) -> None:
    assert actas.check(with_value(documents.town(days=2), path, value)).refused


def test_rounds_of_a_match_record_must_follow_from_each_other() -> None:
    document = documents.match(target=100)
    assert len(document["rounds"]) > 1
    swapped = document | {"rounds": document["rounds"][::-1]}
    names = [one.name for one in actas.check(sealed_anew(swapped)).differences]
    assert "rounds/0/stake/hand" in names
    short = sealed_anew(document | {"rounds": document["rounds"][:1]})
    assert any(one.name.startswith("result") for one in actas.check(short).differences)
    foreign = sealed_anew(document | {"rounds": [documents.town(days=1)]})
    assert "rounds/0/kind" in actas.check(foreign).refused


def test_result_of_a_scoresheet_record_is_calculated_again() -> None:
    written = {"totals": [100, 58, 33]}
    document = documents.sheet("dominoes", written)
    assert document["result"]["evidence"] == "score"
    assert actas.check(document).is_confirmed
    changed = sealed_anew(with_value(document, "sheet/totals/1", 90))
    assert [one.name for one in actas.check(changed).differences] == ["result/points/1"]
    impossible = sealed_anew(with_value(document, "sheet/totals", [1]))
    assert "sheet/" in actas.check(impossible).lines[0]


def test_scoresheet_record_of_el_toro_contains_its_board_and_cards() -> None:
    rules, rounds = documents.played("eltoro", 2, days=1)
    log = {"kind": "log", "seed": rounds[0].seed.hex(), "moves": list(rounds[0].moves)}
    document = documents.sheet("eltoro", log, 2, days=1)
    assert document["result"]["evidence"] == "log"
    assert set(document["texts"]) == {"board", "cards", "destinations"}
    assert actas.check(document).is_confirmed
    assert json.dumps(rules) in json.dumps(document)


def test_every_kind_of_record_has_a_title_and_is_registered_once() -> None:
    for kind in actas.kinds():
        assert actas.VerificationResult(game=kind.game, kind=kind.kind).title != kind.kind
    with pytest.raises(ValueError, match="registered already"):
        actas.register(actas.RecordKind(game="indulto", kind="lidia", check=lambda document: []))
