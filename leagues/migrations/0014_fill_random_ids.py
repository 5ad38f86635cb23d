"""Gives existing leagues random ids, as new ones have."""

import uuid

from django.db import migrations, models


def fill(apps, schema_editor):
    League = apps.get_model("leagues", "League")
    for pk in League.objects.filter(uid=None).values_list("pk", flat=True):
        League.objects.filter(pk=pk).update(uid=uuid.uuid4())


class Migration(migrations.Migration):

    dependencies = [("leagues", "0013_random_ids")]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        # The database knows nothing of the default.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="league",
                    name="uid",
                    field=models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        null=True,
                        unique=True,
                        verbose_name="identifier",
                    ),
                ),
            ],
        ),
    ]
