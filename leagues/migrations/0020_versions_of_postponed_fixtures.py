"""Postponed fixtures keep the version 1 that calendar files gave them so far."""

from django.db import migrations


def fill(apps, schema_editor):
    Fixture = apps.get_model("leagues", "Fixture")
    Fixture.objects.filter(state="postponed", revision=0).update(revision=1)


class Migration(migrations.Migration):

    dependencies = [("leagues", "0019_calendar_versions")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
