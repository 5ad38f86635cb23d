from django.db import migrations, models

CLOSED = ("The league was closed.", "La liga se cerró.")
"""The note that closing a league wrote, in the languages of the site."""


def mark_what_closing_voided(apps, schema_editor):
    """Mark fixtures and drafts that are void because their league was closed.

    Until now, only their note said so.
    """
    Fixture = apps.get_model("leagues", "Fixture")
    Match = apps.get_model("leagues", "Match")
    void = {"state": "void", "note__in": CLOSED}
    fixtures = Fixture.objects.filter(round__league__closed_at__isnull=False, **void)
    # A postponed fixture has another deadline than its round.
    postponed = fixtures.exclude(deadline=models.F("round__deadline")).values_list("pk", flat=True)
    Fixture.objects.filter(pk__in=list(postponed)).update(before_close="postponed")
    fixtures.filter(before_close="").update(before_close="open")
    Match.objects.filter(league__closed_at__isnull=False, sheet=None, **void).update(
        closed_away=True
    )


class Migration(migrations.Migration):

    dependencies = [
        ("leagues", "0002_sheet_not_contradicted"),
    ]

    operations = [
        migrations.AddField(
            model_name="fixture",
            name="before_close",
            field=models.CharField(blank=True, default="", editable=False, max_length=10, db_default=""),
        ),
        migrations.AddField(
            model_name="match",
            name="closed_away",
            field=models.BooleanField(default=False, editable=False, db_default=False),
        ),
        migrations.RunPython(mark_what_closing_voided, migrations.RunPython.noop),
    ]
