"""The house: who supports whom, devices, backups, notices, settings and what is owed."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import pgtrigger.compiler
import uuid
from django.conf import settings
from django.db import migrations, models

from household.migrating import Tables


class Migration(Tables):

    dependencies = [
        ('household', '0001_people'),
        ('twin', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='AccessLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='twin.subject')),
                ('resource', models.CharField(max_length=14)),
                ('row_ids', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(fields=['subject', '-at'], name='household_a_subject_ec57b2_idx')],
            },
        ),
        migrations.CreateModel(
            name='Backup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True)),
                ('made_at', models.DateTimeField()),
                ('size_bytes', models.BigIntegerField()),
                ('is_sealed', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('made', 'made'), ('proved', 'proved'), ('failed', 'failed')], default='made', max_length=6)),
                ('proved_at', models.DateTimeField(null=True)),
                ('error_code', models.CharField(blank=True, max_length=60)),
            ],
            options={
                'indexes': [models.Index(fields=['-made_at'], name='backup_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['made', 'proved', 'failed'])), name='backup_state_known'), models.CheckConstraint(condition=models.Q(('size_bytes__gte', 0)), name='backup_size_positive'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'proved'), _negated=True), ('proved_at__isnull', False), _connector='OR'), name='backup_proved_has_time')],
            },
        ),
        migrations.CreateModel(
            name='Channel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='channels', to=settings.AUTH_USER_MODEL)),
                ('kind', models.CharField(choices=[('ntfy', 'ntfy'), ('email', 'email'), ('calendar', 'calendar')], max_length=8)),
                ('address', models.CharField(blank=True, max_length=300)),
                ('secret_encrypted', models.BinaryField(default=b'')),
                ('token_hash', models.CharField(max_length=64, null=True, unique=True)),
                ('notices', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('agenda', 'agenda'), ('medicine', 'medicine'), ('red_flag', 'red_flag'), ('round', 'round'), ('backup', 'backup'), ('crisis', 'crisis')], max_length=8), default=list, size=None)),
                ('has_detail', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('error_code', models.CharField(blank=True, max_length=60)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'kind'), name='channel_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['ntfy', 'email', 'calendar'])), name='channel_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'calendar'), ('token_hash__isnull', False)), models.Q(models.Q(('kind', 'calendar'), _negated=True), models.Q(('address', ''), _negated=True), ('token_hash', None)), _connector='OR'), name='channel_feed_has_token')],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('gid', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80)),
                ('app', models.CharField(blank=True, max_length=40)),
                ('token_hash', models.CharField(max_length=64, null=True, unique=True)),
                ('child', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='twin.subject')),
                ('paired_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('seen_at', models.DateTimeField(null=True)),
                ('clock_offset_ms', models.BigIntegerField(null=True)),
                ('change_seen', models.BigIntegerField(default=0)),
                ('position_seen', models.BigIntegerField(default=0)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('revoked_why', models.CharField(blank=True, choices=[('parent', 'parent'), ('membership', 'membership'), ('replaced', 'replaced')], max_length=10)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('revoked_at', None), ('revoked_why', '')), models.Q(('revoked_at__isnull', False), ('revoked_why__in', ['parent', 'membership', 'replaced'])), _connector='OR'), name='device_revoked_has_reason')],
            },
        ),
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('purpose', models.CharField(choices=[('routine', 'routine'), ('analytical', 'analytical'), ('embedding', 'embedding')], max_length=10, primary_key=True, serialize=False)),
                ('base_url', models.URLField()),
                ('model', models.CharField(max_length=120)),
                ('key_encrypted', models.BinaryField(default=b'')),
                ('timeout_s', models.PositiveSmallIntegerField(default=30)),
                ('is_on', models.BooleanField(default=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('purpose__in', ['routine', 'analytical', 'embedding'])), name='endpoint_purpose_known'), models.CheckConstraint(condition=models.Q(('timeout_s__gte', 1), ('timeout_s__lte', 600)), name='endpoint_timeout_sane')],
            },
        ),
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('subjects', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'done'), ('gone', 'gone'), ('failed', 'failed')], default='waiting', max_length=7)),
                ('done_tables', models.PositiveSmallIntegerField(default=0)),
                ('all_tables', models.PositiveSmallIntegerField(default=0)),
                ('stored', models.CharField(blank=True, max_length=80)),
                ('size_bytes', models.BigIntegerField(default=0)),
                ('error_code', models.CharField(blank=True, max_length=60)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['author', '-created_at'], name='household_e_author__1df3bb_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'done', 'gone', 'failed'])), name='export_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(models.Q(('stored', ''), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='export_done_has_file')],
            },
        ),
        migrations.CreateModel(
            name='ForgetOwed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('xid', models.BigIntegerField(db_default=django.db.models.functions.comparison.Cast(django.db.models.functions.comparison.Cast(models.Func(function='pg_current_xact_id', output_field=models.TextField()), models.TextField()), models.BigIntegerField()))),
                ('why', models.CharField(choices=[('forgotten', 'forgotten'), ('edited', 'edited')], default='forgotten', max_length=9)),
                ('relations', models.JSONField(default=list)),
                ('left', models.JSONField(default=list)),
                ('files', models.JSONField(default=list)),
                ('state', models.CharField(choices=[('owed', 'owed'), ('asked', 'asked'), ('done', 'done')], default='owed', max_length=5)),
                ('counted', models.JSONField(default=dict)),
                ('waiting', models.JSONField(default=list)),
                ('tried_at', models.DateTimeField(null=True)),
                ('done_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'owed')), fields=['id'], name='owed_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['owed', 'asked', 'done'])), name='owed_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('done_at', None), ('state', 'owed')), models.Q(models.Q(('state', 'owed'), _negated=True), ('done_at__isnull', False)), _connector='OR'), name='owed_done_has_time')],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('worker', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Household',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('gid', models.UUIDField(default=uuid.uuid4, editable=False)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('time_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('language', models.CharField(choices=[('en', 'English'), ('tr', 'Turkish')], default='en', max_length=5, verbose_name='language')),
                ('epoch', models.UUIDField(default=uuid.uuid4, editable=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='household_is_one')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('role', models.CharField(choices=[('parent', 'Parent'), ('family', 'Family'), ('child', 'Child'), ('therapist', 'Therapist'), ('teacher', 'Teacher'), ('vet', 'Vet')], max_length=10)),
                ('subject_ids', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                ('ends_at', models.DateTimeField(null=True)),
                ('data_from', models.DateField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('used_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('subject_ids__len__gt', 0)), name='invitation_names_subjects'), models.CheckConstraint(condition=models.Q(('role__in', ['parent', 'family', 'child', 'therapist', 'teacher', 'vet'])), name='invitation_role_known'), models.CheckConstraint(condition=models.Q(('used_at', None), ('revoked_at', None), _connector='OR'), name='invitation_used_or_revoked')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('target', models.CharField(max_length=80)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='waiting', max_length=8)),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('error_code', models.CharField(blank=True, max_length=60)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['due_at'], name='job_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('kind', 'target'), name='job_open_once'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed'])), name='job_state_known')],
            },
        ),
        migrations.CreateModel(
            name='MailServer',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('host', models.CharField(max_length=200, verbose_name='server')),
                ('port', models.PositiveIntegerField(default=587, verbose_name='port')),
                ('security', models.CharField(choices=[('starttls', 'STARTTLS'), ('tls', 'TLS'), ('none', 'None')], default='starttls', max_length=8, verbose_name='encryption')),
                ('username', models.CharField(blank=True, max_length=200, verbose_name='name at the server')),
                ('password_encrypted', models.BinaryField(default=b'')),
                ('sender', models.EmailField(max_length=254, verbose_name='sent from')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='mail_one_server'), models.CheckConstraint(condition=models.Q(('port__gte', 1), ('port__lte', 65535)), name='mail_port_sane')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='twin.subject')),
                ('role', models.CharField(choices=[('parent', 'Parent'), ('family', 'Family'), ('child', 'Child'), ('therapist', 'Therapist'), ('teacher', 'Teacher'), ('vet', 'Vet')], max_length=10)),
                ('starts_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('data_from', models.DateField(blank=True, null=True)),
                ('overrides', models.JSONField(blank=True, default=dict)),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('ends_at', None)), fields=('person', 'subject', 'role'), name='membership_role_once'), models.CheckConstraint(condition=models.Q(('ends_at', None), ('ends_at__gte', models.F('starts_at')), _connector='OR'), name='membership_ends_after_start'), models.CheckConstraint(condition=models.Q(('role__in', ['parent', 'family', 'child', 'therapist', 'teacher', 'vet'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outbox', to='household.channel')),
                ('kind', models.CharField(choices=[('agenda', 'agenda'), ('medicine', 'medicine'), ('red_flag', 'red_flag'), ('round', 'round'), ('backup', 'backup'), ('crisis', 'crisis')], max_length=8)),
                ('key', models.CharField(max_length=80)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('failed', 'failed'), ('dropped', 'dropped')], default='waiting', max_length=7)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(null=True)),
                ('error_code', models.CharField(blank=True, max_length=60)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='notice_due')],
                'constraints': [models.UniqueConstraint(fields=('channel', 'kind', 'key'), name='notice_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['agenda', 'medicine', 'red_flag', 'round', 'backup', 'crisis'])), name='notice_kind_known'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'sent', 'failed', 'dropped'])), name='notice_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'sent'), _negated=True), ('sent_at__isnull', False), _connector='OR'), name='notice_sent_has_time')],
            },
        ),
        migrations.CreateModel(
            name='PairingCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.CharField(max_length=64)),
                ('child', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('wrong_tries', models.PositiveSmallIntegerField(default=0)),
                ('used_at', models.DateTimeField(null=True)),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='household.device')),
            ],
            options={
                'indexes': [models.Index(fields=['code_hash'], name='pairing_by_code')],
                'constraints': [models.CheckConstraint(condition=models.Q(('wrong_tries__lte', 5)), name='pairing_tries_bounded'), models.CheckConstraint(condition=models.Q(('device', None), ('used_at__isnull', False), _connector='OR'), name='pairing_device_has_time')],
            },
        ),
        migrations.CreateModel(
            name='RecoveryCode',
            fields=[
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('code_hash', models.CharField(max_length=200)),
                ('issued_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('expires_at', models.DateTimeField()),
                ('wrong_tries', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Register',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60)),
                ('child', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='twin.subject')),
                ('value', models.JSONField(null=True)),
                ('at_ms', models.BigIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'child'), name='register_key_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('at_ms__gte', 0)), name='register_at_positive')],
            },
        ),
        migrations.CreateModel(
            name='Rewritten',
            fields=[
                ('relation', models.CharField(max_length=63, primary_key=True, serialize=False)),
                ('filenode', models.BigIntegerField()),
                ('writes', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='ThinkingSpend',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True)),
                ('purpose', models.CharField(max_length=10)),
                ('model', models.CharField(max_length=120)),
                ('tokens', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('reserved', 'reserved'), ('settled', 'settled'), ('refunded', 'refunded')], default='reserved', max_length=8)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['reserved', 'settled', 'refunded'])), name='spend_state_known')],
            },
        ),
        migrations.CreateModel(
            name='TimeSpent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device', models.CharField(max_length=120)),
                ('day', models.DateField()),
                ('child', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject')),
                ('used_ms', models.BigIntegerField(default=0)),
                ('extra_minutes', models.IntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(fields=['day'], name='time_by_day')],
                'constraints': [models.UniqueConstraint(fields=('device', 'day'), name='time_device_day_once'), models.CheckConstraint(condition=models.Q(('used_ms__gte', 0), ('used_ms__lte', 172800000), ('extra_minutes__gte', 0), ('extra_minutes__lte', 1440)), name='time_counts_in_range'), models.CheckConstraint(condition=models.Q(('used_ms__gt', 0), ('extra_minutes__gt', 0), _connector='OR'), name='time_says_something')],
                'triggers': [pgtrigger.compiler.Trigger(name='only_rises', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF NEW.used_ms < OLD.used_ms OR NEW.extra_minutes < OLD.extra_minutes THEN\n                RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' only rises',\n                    ERRCODE = 'integrity_constraint_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='066a7e0e5e1de14a5a6fdd5f5e1de5715740d328', operation='UPDATE', pgid='pgtrigger_only_rises_a08d9', table='household_timespent', when='BEFORE'))],
            },
        ),
    ]
