from django.db import migrations, models


def mark_second_version(apps, schema_editor):
    """Mark awards that nobody has got as revelation: both versions of the rules leave these open.

    Development versions gave awards by version 2 before there was a column for it.
    """
    Award = apps.get_model('corridas', 'Award')
    nobody = Award.objects.filter(key='revelation', matador=None)
    Award.objects.filter(feria__in=nobody.values('feria')).update(version=2)
    own = Award.objects.filter(feria=None)
    own.filter(season__in=nobody.filter(feria=None).values('season')).update(version=2)


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0009_circuit_copies'),
    ]

    operations = [
        migrations.AddField(
            model_name='award',
            name='version',
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False, verbose_name='version of the rules'),
        ),
        migrations.RunPython(mark_second_version, migrations.RunPython.noop),
    ]
