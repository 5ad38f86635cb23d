from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_wording'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='zone',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='time zone'),
        ),
    ]
