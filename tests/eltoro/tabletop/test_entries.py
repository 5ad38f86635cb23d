"""The notation of entries on the board of a real game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eltoro.engine import BoardEntry, EntryError, EntryTarget, Verb

WELL_WRITTEN = [
    "lay",
    "lay bank casino pier festival nightclub",
    "lay restaurant restaurant pier bank casino",
    "dice a=4 c=1",
    "bulls 35162",
    "runners a=224456 b=113456",
    "start a2>4 b1>6",
    "roll a1 T2",
    "face a1=4 T10=3",
    "move a10>molino T1>iglesia",
    "lead a10>molino T1>iglesia",
    "dice a=46 c=1",
    "addbull molino",
    "addbull molino=4",
    "token a fuente/odd",
    "token f mercado/even>fuente/odd",
    "untoken fuente/odd",
    "points a 2",
    "points a -1",
    "first b",
    "advance",
    "charge a1=4 b2=3",
    "evening",
]
ILL_WRITTEN = [
    "", " ", "fly", "lay bank", "lay a b c d e f", "dice g=1", "dice a=7", "bulls", "bulls 37",
    "runners a", "start a2", "start a0>4", "roll", "roll fuente", "face a1", "move a1=4", "lead a1",
    "addbull a b", "token fuente/odd", "token a fuente/left", "untoken", "points a 0",
    "points 2 a", "points a 100", "first", "first a b", "advance now", "charge T1=4", "evening 2",
    "LAY", "roll a1 " * 200,
]  # fmt: skip


@pytest.mark.parametrize("text", WELL_WRITTEN)
def test_entry_can_be_read_and_written_unchanged(text: str) -> None:
    assert str(BoardEntry.read(text)) == text


@pytest.mark.parametrize("text", WELL_WRITTEN)
def test_additional_spaces_in_an_entry_are_ignored(text: str) -> None:
    assert BoardEntry.read(f"  {text.replace(' ', '   ')} ") == BoardEntry.read(text)


@pytest.mark.parametrize("text", ILL_WRITTEN)
def test_invalid_text_is_rejected_as_an_entry(text: str) -> None:
    with pytest.raises(EntryError) as refused:
        BoardEntry.read(text)
    assert refused.value.code == "unreadable"


@pytest.mark.parametrize("text", ["roll a1 a1", "face T1=2 T1=3", "runners a=2 a=3"])
def test_entry_that_names_a_die_or_player_twice_is_rejected(text: str) -> None:
    with pytest.raises(EntryError) as refused:
        BoardEntry.read(text)
    assert refused.value.code == "twice"


def test_entry_is_split_into_its_verb_and_targets() -> None:
    entry = BoardEntry.read("face a1=4 T2=3")
    assert entry == BoardEntry(Verb.FACE, (EntryTarget("a1", "4"), EntryTarget("T2", "3")))
    assert entry.names == ("a1", "T2")
    assert entry.targets[1].face == 3


@given(st.text(max_size=60))
def test_random_text_is_read_as_an_entry_or_rejected(text: str) -> None:
    try:
        entry = BoardEntry.read(text)
    except EntryError:
        return
    assert BoardEntry.read(str(entry)) == entry
