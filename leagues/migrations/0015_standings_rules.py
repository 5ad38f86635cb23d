"""Adds the version of the rules of standings, and a flag of members who left after the end."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("leagues", "0014_fill_random_ids")]

    operations = [
        migrations.AddField(
            model_name="league",
            name="standings_rules",
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False),
        ),
        migrations.AddField(
            model_name="member",
            name="left_after_end",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
