from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leagues', '0005_wording'),
    ]

    operations = [
        migrations.AddField(
            model_name='league',
            name='zone',
            field=models.CharField(db_default='UTC', default='UTC', max_length=40, verbose_name='time zone'),
        ),
    ]
