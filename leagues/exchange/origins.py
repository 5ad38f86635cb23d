"""Origin of a file of results: the random ids of the site and league that exported it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from leagues.exchange.formats import ResultRecord
from leagues.models import League, SiteIdentity


@dataclass(frozen=True, slots=True)
class LeagueOrigin:
    """The random ids of a site and of one of its leagues.

    Exported files contain both, so that an import recognises its own results.
    """

    site: str
    league_id: str

    def is_site_of(self, record: ResultRecord) -> bool:
        return record.site == self.site

    def is_league_of(self, record: ResultRecord) -> bool:
        return (record.site, record.league_id) == (self.site, self.league_id)


def origin_of(league: League) -> LeagueOrigin:
    """Return the origin to write into exports of a league."""
    site, _created = SiteIdentity.objects.get_or_create(pk=1)
    return LeagueOrigin(site=str(site.uid), league_id=_league_id(league))


def _league_id(league: League) -> str:
    """Return the random id of a league. A league created by an earlier version gets one now."""
    if league.uid is None:
        League.objects.filter(pk=league.pk, uid=None).update(uid=uuid4())
        league.refresh_from_db(fields=["uid"])
    return str(league.uid)
