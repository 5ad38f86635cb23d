"""Matching the people of a file with the members of a league. Others become guests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.names.text import comparison_key
from leagues.exchange.formats import SeatRecord
from leagues.exchange.questions import PERSON, SEVERAL, Decisions
from leagues.models import League, Member, Player
from leagues.players import MAX_NAME_LENGTH


@dataclass(frozen=True, kw_only=True)
class Person:
    """The person in a seat. `player` is None for a new guest with this name."""

    player: Player | None
    name: str


class People:
    """The people of a file by name and identity.

    A name with several identities, none of which is a member's address, is a question. If they are
    several people, the one with most seats keeps the name.
    """

    def __init__(self, league: League, seats: Iterable[SeatRecord], decisions: Decisions) -> None:
        people = _members(league)
        names = Counter(name for name, _player in people)
        self.by_name = {name: player for name, player in people if names[name] == 1}
        self.several = {name for name, times in names.items() if times > 1}
        self.by_slug = {player.slug: player for _name, player in people}
        self.decisions = decisions
        self.names: dict[str, str] = {}
        self.identities: dict[str, Counter[str]] = {}
        for seat in seats:
            key = comparison_key(seat.player)
            self.names.setdefault(key, seat.player)
            if seat.identity and seat.identity not in self.by_slug:
                self.identities.setdefault(key, Counter())[seat.identity] += 1
        self.numbered = dict(self._numbered())

    def find(self, seat: SeatRecord) -> Person:
        member = self.by_slug.get(seat.identity)
        name = self.numbered.get((comparison_key(seat.player), seat.identity), seat.player)
        member = member or self.by_name.get(comparison_key(name))
        return Person(player=member, name=name)

    def is_ambiguous(self, seat: SeatRecord) -> bool:
        """Return whether several members are called so, and the identity is none of theirs."""
        return comparison_key(seat.player) in self.several and seat.identity not in self.by_slug

    def questions(self, seats: Sequence[SeatRecord]) -> list[str]:
        """Return the keys of the questions about the people of these seats."""
        keys = dict.fromkeys(
            comparison_key(seat.player) for seat in seats if seat.identity not in self.by_slug
        )
        return [f"{PERSON}{key}" for key in keys if len(self.identities.get(key, ())) > 1]

    def names_of_questions(self) -> dict[str, str]:
        return {f"{PERSON}{key}": name for key, name in self.names.items()}

    def _numbered(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the names of those who do not keep theirs, by name and identity.

        A member called so from an earlier import is the same person.
        """
        taken = {*self.names}
        for key, identities in self.identities.items():
            if self.decisions.answer(f"{PERSON}{key}") != SEVERAL:
                continue
            for identity, _count in identities.most_common()[1:]:
                number = 2
                while comparison_key(_with_number(self.names[key], number)) in taken:
                    number += 1
                name = _with_number(self.names[key], number)
                taken.add(comparison_key(name))
                yield (key, identity), name


def _with_number(name: str, number: int) -> str:
    suffix = f" ({number})"
    return f"{name[: MAX_NAME_LENGTH - len(suffix)].rstrip()}{suffix}"


def _members(league: League) -> list[tuple[str, Player]]:
    """Return the players of a league by each of their names, after merges."""
    members = Member.objects.filter(league=league).select_related("player__merged_into")
    people: dict[tuple[str, int], Player] = {}
    for member in members:
        person = member.player.merged_into or member.player
        for name in (member.player.name, person.name):
            people[comparison_key(name), person.pk] = person
    return [(name, person) for (name, _key), person in people.items()]
