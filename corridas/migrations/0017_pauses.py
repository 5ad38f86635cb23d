from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0016_wording'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='carteles',
            field=models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name='open carteles to contract'),
        ),
        migrations.AddField(
            model_name='winter',
            name='begun_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='winter',
            name='end_seen_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
