from collections import Counter, defaultdict

from django.db import migrations, models

from core.names.text import comparison_key


def origin(man):
    return ', '.join(filter(None, (man.birthplace, man.born[:4])))


def beginning(man):
    return f'alternativa {man.alternativa.year}' if man.alternativa else ''


def tell_namesakes_apart(apps, schema_editor):
    """Set the text that distinguishes matadors of the same name in a circuit.

    It is the first of these that differs: origin, year of the alternativa, or slug.
    """
    Matador = apps.get_model('corridas', 'Matador')
    namesakes = defaultdict(list)
    columns = ('circuit', 'slug', 'name', 'apodo', 'birthplace', 'born', 'alternativa', 'distinction')
    for man in Matador.objects.only(*columns).iterator():
        namesakes[man.circuit_id, comparison_key(man.apodo or man.name)].append(man)
    for same in namesakes.values():
        if len(same) == 1:
            continue
        for told in (origin, beginning, lambda man: man.slug):
            counts = Counter(map(told, same))
            for man in same:
                if not man.distinction and told(man) and counts[told(man)] == 1:
                    man.distinction = told(man)
        Matador.objects.bulk_update(same, ['distinction'])


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0013_addresses_of_pages'),
    ]

    operations = [
        migrations.AddField(
            model_name='matador',
            name='distinction',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=80, verbose_name='distinction'),
        ),
        migrations.RunPython(tell_namesakes_apart, migrations.RunPython.noop),
    ]
