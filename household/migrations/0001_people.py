"""People, to whom everything else belongs."""

import django.db.models.functions.datetime
import uuid
from django.db import migrations, models

from household.migrating import Tables


class Migration(Tables):

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('gid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('name_key', models.CharField(editable=False, max_length=80, unique=True)),
                ('email', models.EmailField(blank=True, max_length=254, null=True, unique=True, verbose_name='e-mail')),
                ('language', models.CharField(choices=[('en', 'English'), ('tr', 'Turkish')], default='en', max_length=5, verbose_name='language')),
                ('theme', models.CharField(choices=[('auto', 'Like the device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=5, verbose_name='appearance')),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='person_has_name')],
            },
        ),
    ]
