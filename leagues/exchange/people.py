"""Matching of the people in a file with the members of a league. Unknown people become guests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Q

from core.names.text import comparison_key
from leagues.exchange.formats import ResultRecord, SeatRecord, player_uuid
from leagues.exchange.origins import LeagueOrigin
from leagues.exchange.questions import PERSON, SEVERAL, Decisions
from leagues.models import FormerName, League, Member, Player
from leagues.players import MAX_NAME_LENGTH


@dataclass(frozen=True, kw_only=True)
class SeatPerson:
    """The person in a seat of a result.

    `player` is None if the import creates a guest with this name.
    """

    player: Player | None
    name: str


class People:
    """The people in a file, recognised by name and identity.

    An identity stands for the member with this slug if this site exported the file, or if the name
    in the file is a present or former name of this member. Otherwise it stands for a person from
    another site. If a name has several such identities, the organiser is asked whether they are one
    person. There is no question if results that the league already has show who the people are
    (`identified`, by name and identity). If they are several people, the one with most matches
    keeps the name, and the others get a number.
    """

    def __init__(
        self,
        league: League,
        records: Iterable[ResultRecord],
        decisions: Decisions,
        origin: LeagueOrigin,
        identified: Mapping[tuple[str, str], Player],
    ) -> None:
        people = _members(league)
        names = Counter(name for name, _player in people)
        self.by_name = {name: player for name, player in people if names[name] == 1}
        self.several = {name for name, times in names.items() if times > 1}
        self.by_address = _by_address(player for _name, player in people)
        self.names_of = names_of({player.pk for _name, player in people})
        self.decisions, self.origin, self.identified = decisions, origin, identified
        self.names: dict[str, str] = {}
        self.identities: dict[str, Counter[str]] = {}
        for record in records:
            for seat in record.seats:
                key = comparison_key(seat.player)
                self.names.setdefault(key, seat.player)
                if seat.identity and self._addressed(seat, record) is None:
                    self.identities.setdefault(key, Counter())[seat.identity] += 1
        self.numbered = dict(self._numbered())

    def find_person(self, seat: SeatRecord, record: ResultRecord) -> SeatPerson:
        """Return the person in a seat of a result."""
        member = self._recognised(seat, record)
        name = self.numbered.get((comparison_key(seat.player), seat.identity), seat.player)
        member = member or self.by_name.get(comparison_key(name))
        return SeatPerson(player=member, name=name)

    def is_ambiguous(self, seat: SeatRecord, record: ResultRecord) -> bool:
        """Return whether several members have this name, and the identity does not say which of
        them.
        """
        several = comparison_key(seat.player) in self.several
        return several and self._recognised(seat, record) is None

    def is_addressed(self, seat: SeatRecord, record: ResultRecord) -> bool:
        """Return whether the identity in the file is that of the member to whom this seat was
        assigned.
        """
        return self._addressed(seat, record) is not None

    def others_addressed(self, record: ResultRecord) -> list[tuple[str, str, str]]:
        """Return identities in the file that belong to a member with another name.

        Each identity is returned with the name in the file and the name of the member.
        """
        return [
            (seat.identity, seat.player, self.by_address[seat.identity].name)
            for seat in record.seats
            if seat.identity in self.by_address and self._addressed(seat, record) is None
        ]

    def _addressed(self, seat: SeatRecord, record: ResultRecord) -> Player | None:
        member = self.by_address.get(seat.identity)
        if member is None or self.origin.is_site_of(record):
            return member
        return member if comparison_key(seat.player) in self.names_of[member.pk] else None

    def _recognised(self, seat: SeatRecord, record: ResultRecord) -> Player | None:
        key = comparison_key(seat.player), seat.identity
        return self._addressed(seat, record) or self.identified.get(key)

    def questions(self, record: ResultRecord) -> list[str]:
        """Return the keys of the questions about people of this result."""
        keys = dict.fromkeys(
            comparison_key(seat.player)
            for seat in record.seats
            if self._recognised(seat, record) is None
        )
        return [f"{PERSON}{key}" for key in keys if len(self.identities.get(key, ())) > 1]

    def names_of_questions(self) -> dict[str, str]:
        return {f"{PERSON}{key}": name for key, name in self.names.items()}

    def _numbered(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the new, numbered names of people who cannot keep their name, by name and identity.

        A guest with the numbered name from an earlier import is the same person, unless results
        show that the guest is somebody else. A user with that name is a different person.
        """
        identified = {comparison_key(player.name) for player in self.identified.values()}
        users = {
            name
            for name, player in self.by_name.items()
            if player.user_id is not None and name == comparison_key(player.name)
        }
        taken = {*self.names, *identified, *users, *self.several}
        for key, identities in self.identities.items():
            if self.decisions.answer_to(f"{PERSON}{key}") != SEVERAL:
                continue
            ranked = [identity for identity, _count in identities.most_common()]
            others = [identity for identity in ranked if (key, identity) not in self.identified]
            for identity in others if key in identified else others[1:]:
                number = 2
                while comparison_key(_with_number(self.names[key], number)) in taken:
                    number += 1
                name = _with_number(self.names[key], number)
                taken.add(comparison_key(name))
                yield (key, identity), name


def _with_number(name: str, number: int) -> str:
    return f"{shortened(name, number)} ({number})"


def shortened(name: str, number: int) -> str:
    """Return the name, cut so that a number can be appended."""
    return name[: MAX_NAME_LENGTH - len(f" ({number})")].rstrip()


def _members(league: League) -> list[tuple[str, Player]]:
    """Return the members of a league with each of their names, after merges."""
    members = Member.objects.filter(league=league).select_related("player__merged_into")
    people: dict[tuple[str, int], Player] = {}
    for member in members:
        person = member.player.merged_into or member.player
        for name in (member.player.name, person.name):
            people[comparison_key(name), person.pk] = person
    return [(name, person) for (name, _key), person in people.items()]


def _by_address(people: Iterable[Player]) -> dict[str, Player]:
    """Return players by the identities that exports use for them: slugs and UUIDs."""
    found: dict[str, Player] = {}
    for player in people:
        found[player.slug] = found[player_uuid(player.slug, player.name)] = player
    return found


def names_of(people: Collection[int]) -> dict[int, set[str]]:
    """Return all names of these players in the form used for comparison.

    These are present and former names, and the names of guests who were merged into them.
    """
    names: dict[int, set[str]] = {number: set() for number in people}
    players = Player.objects.filter(Q(pk__in=people) | Q(merged_into__in=people))
    for number, kept, name in players.values_list("pk", "merged_into", "name"):
        names[kept or number].add(comparison_key(name))
    former = FormerName.objects.filter(Q(player__in=people) | Q(player__merged_into__in=people))
    for number, kept, name in former.values_list("player", "player__merged_into", "name"):
        names[kept or number].add(comparison_key(name))
    return names
