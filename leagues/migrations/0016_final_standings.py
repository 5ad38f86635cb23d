"""Marks final standings so that they do not change when errors are fixed for other leagues.

In other leagues, forfeited matches with a corrected result become played matches.
"""

from django.db import migrations
from django.db.models import Count, F, Q

FINAL, FIRST = 0, 1


def keep_final(apps, schema_editor):
    League = apps.get_model("leagues", "League")
    Fixture = apps.get_model("leagues", "Fixture")
    to_play = Fixture.objects.filter(state__in=["open", "postponed"]).values("round__league")
    drawn = League.objects.annotate(drawn=Count("rounds")).filter(drawn__gt=0)
    ended = drawn.exclude(pk__in=to_play).filter(
        Q(format="round_robin") | Q(format="swiss", rounds_planned__lte=F("drawn"))
    )
    final = Q(pk__in=list(ended.values_list("pk", flat=True))) | Q(closed_at__isnull=False)
    League.objects.filter(final, standings_rules=FIRST).update(standings_rules=FINAL)


def mend_corrected_forfeits(apps, schema_editor):
    Match = apps.get_model("leagues", "Match")
    FixtureSeat = apps.get_model("leagues", "FixtureSeat")
    forfeits = Match.objects.filter(origin="forfeit").exclude(sheet=None)
    matches = forfeits.exclude(league__standings_rules=FINAL).select_related("sheet", "fixture")
    for match in matches.iterator(chunk_size=500):
        if "forfeit" in match.sheet.content:
            continue
        Match.objects.filter(pk=match.pk).update(origin="table")
        if match.fixture is not None and match.fixture.state == "forfeited":
            match.fixture.state = "played"
            match.fixture.save(update_fields=["state"])
            FixtureSeat.objects.filter(fixture=match.fixture).update(forfeits=False)


class Migration(migrations.Migration):

    dependencies = [("leagues", "0015_standings_rules")]

    operations = [
        migrations.RunPython(keep_final, migrations.RunPython.noop),
        migrations.RunPython(mend_corrected_forfeits, migrations.RunPython.noop),
    ]
