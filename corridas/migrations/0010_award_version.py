from django.db import migrations, models


def mark_second_version(apps, schema_editor):
    """Set version 2 of the rules for awards given together with an unawarded revelation.

    Development versions gave awards by version 2 of the rules before this column existed.
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
