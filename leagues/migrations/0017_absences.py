"""Adds absences that players announce before a round is drawn."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("leagues", "0016_final_standings")]

    operations = [
        migrations.AddField(
            model_name="league",
            name="absences_allowed",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, verbose_name="announced absences with points"
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="excused",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                ("announced_at", models.DateTimeField(verbose_name="announced")),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="leagues.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="absences",
                        to="leagues.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "absence",
                "verbose_name_plural": "absences",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("league", "player", "round"), name="absence_once"
                    )
                ],
            },
        ),
    ]
