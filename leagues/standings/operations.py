"""Change of the rules of standings when standings that were final become open again."""

from __future__ import annotations

from leagues.models import League, Member
from leagues.standings.queries import is_final
from leagues.standings.tallies import RulesVersion


def reopen_standings(league: League) -> None:
    """Let standings that are no longer final follow the corrected first version of the rules.

    Players who left after the end of the league now count as having left before it. Call this
    function after a change, in the same transaction.
    """
    if is_final(league):
        return
    final = League.objects.filter(pk=league.pk, standings_rules=RulesVersion.FINAL)
    final.update(standings_rules=RulesVersion.FIRST)
    Member.objects.filter(league=league, left_after_end=True).update(left_after_end=False)
