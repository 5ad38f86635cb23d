from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_time_zone'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='single_keys',
            field=models.BooleanField(db_default=True, default=True, verbose_name='single-key shortcuts'),
        ),
    ]
