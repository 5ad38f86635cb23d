from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0006_follow'),
    ]

    operations = [
        migrations.AddField(
            model_name='winter',
            name='version',
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False, verbose_name='version of the rules'),
        ),
    ]
