"""What a player's page tells: form, opponents, partners and records, a game each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from leagues.form import Duel, Form, Partnership, form_of
from leagues.models import League, Match, Member, Place, Player, Result
from leagues.queries.people import belongs_to, persons
from leagues.queries.placings import placings

RIVALS = 12
"""Opponents and partners named on a page."""


@dataclass(frozen=True, kw_only=True)
class Career:
    """A player at one game; `people` holds everybody the form names."""

    form: Form
    people: dict[int, Player]

    @property
    def rivals(self) -> list[tuple[Player, Duel]]:
        """Opponents, most often met first."""
        return [(self.people[duel.rival], duel) for duel in self.form.opponents[:RIVALS]]

    @property
    def partners(self) -> list[tuple[Player, Partnership]]:
        """Partners, most often sat with first."""
        return [(self.people[one.partner], one) for one in self.form.partners[:RIVALS]]

    @property
    def nemesis(self) -> Player | None:
        """Whom most was lost to."""
        return self.people[self.form.nemesis.rival] if self.form.nemesis else None

    @property
    def favourite(self) -> Player | None:
        """Who was beaten most often."""
        return self.people[self.form.favourite.rival] if self.form.favourite else None


def visible_leagues(*, of: Player, to: Player | None) -> list[League]:
    """The leagues of one player that another may know of: public ones, and those in common."""
    theirs = Member.objects.filter(belongs_to(of)).values("league")
    seen = Q(visibility=League.Visibility.PUBLIC)
    if to is not None:
        mine = Member.objects.filter(belongs_to(to)).values("league")
        seen |= Q(pk__in=mine)
        if to.user is not None and to.user.is_superuser:
            seen = Q()
    return list(League.objects.filter(seen, pk__in=theirs).order_by("name"))


def career_of(player: Player, game: str, leagues: Collection[int]) -> Career | None:
    """A player's career at a game in these leagues and on the site's own tables.

    None where nothing that counts was played. Two queries.
    """
    here = Q(result__league=None, result__match__origin=Match.Origin.HERE)
    seen = Q(result__league__in=list(leagues)) | here
    mine = Place.objects.filter(seen, player=player, result__game=game).values("result")
    found = placings(Place.objects.filter(result__in=mine))
    if not found:
        return None
    people = persons({placing.player for placing in found})
    return Career(form=form_of(player.pk, found), people=people)


def has_played_publicly(player: Player) -> bool:
    """Whether the player has a result on a table of the site, or that counts for it; one query."""
    here = Q(league=None, match__origin=Match.Origin.HERE)
    return Result.objects.filter(here | Q(site=True), placings__player=player).exists()
