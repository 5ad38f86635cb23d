"""What happens to the rules of standings when a table that was final is open again."""

from __future__ import annotations

from leagues.models import League, Member
from leagues.standings.queries import is_final
from leagues.standings.tallies import RulesVersion


def reopen_standings(league: League) -> None:
    """Let standings that are not final any more follow the mended first rules.

    Players who left after the end have now left before it. Call it in the transaction of the
    change, after it.
    """
    if is_final(league):
        return
    final = League.objects.filter(pk=league.pk, standings_rules=RulesVersion.FINAL)
    final.update(standings_rules=RulesVersion.FIRST)
    Member.objects.filter(league=league, left_after_end=True).update(left_after_end=False)
