import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import pgvector.django.vector
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0012_more_evidence_cascades'),
        ('twin', '0003_reading_corrections'),
    ]

    operations = [
        migrations.CreateModel(
            name='FileOwed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.CharField(max_length=200)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AlterField(
            model_name='journalline',
            name='device',
            field=models.CharField(max_length=120),
        ),
        # A generated column is not altered, only removed and added again.
        migrations.RemoveIndex(model_name='journalline', name='line_by_turn'),
        migrations.RemoveField(model_name='journalline', name='turn'),
        migrations.AddField(
            model_name='journalline',
            name='turn',
            field=models.GeneratedField(db_persist=True, expression=django.db.models.fields.json.KeyTextTransform('turn', 'envelope'), output_field=models.CharField(max_length=120, null=True)),
        ),
        migrations.AddIndex(
            model_name='journalline',
            index=models.Index(fields=['turn'], name='line_by_turn'),
        ),
        migrations.AlterField(
            model_name='journalwriter',
            name='device',
            field=models.CharField(max_length=120, primary_key=True, serialize=False),
        ),
        migrations.CreateModel(
            name='ChangeCounter',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('n', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='change_counter_is_one')],
            },
        ),
        migrations.CreateModel(
            name='ChatSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gid', models.CharField(max_length=120, unique=True)),
                ('last_activity_at_ms', models.BigIntegerField()),
                ('version', models.BigIntegerField(default=0)),
                ('stamp_ms', models.BigIntegerField(default=0)),
                ('summary', models.TextField(blank=True, default='')),
                ('scrubbed', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, size=None)),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject')),
            ],
        ),
        migrations.CreateModel(
            name='ChatTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('turn', models.CharField(blank=True, default='', max_length=120)),
                ('who', models.CharField(max_length=20)),
                ('text', models.TextField()),
                ('at_ms', models.BigIntegerField()),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turns', to='memory.chatsession')),
            ],
        ),
        migrations.CreateModel(
            name='LinePicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('picture', models.CharField(max_length=120)),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='memory.journalline')),
            ],
        ),
        migrations.CreateModel(
            name='Memory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gid', models.CharField(max_length=120, unique=True)),
                ('text', models.TextField()),
                ('text_at_ms', models.BigIntegerField(default=0)),
                ('hidden', models.BooleanField(default=False)),
                ('visibility_at_ms', models.BigIntegerField(default=0)),
                ('cover_picture', models.CharField(max_length=120, null=True)),
                ('cover_at_ms', models.BigIntegerField(null=True)),
                ('icon', models.CharField(max_length=60, null=True)),
                ('kind', models.CharField(blank=True, default='', max_length=60)),
                ('who', models.CharField(blank=True, default='', max_length=200)),
                ('place', models.CharField(blank=True, default='', max_length=200)),
                ('said_when', models.CharField(blank=True, default='', max_length=200)),
                ('learned_at_ms', models.BigIntegerField()),
                ('change', models.BigIntegerField(default=0, editable=False)),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memories', to='twin.subject')),
            ],
        ),
        migrations.CreateModel(
            name='MemoryEmbedding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=120)),
                ('embedding', pgvector.django.vector.VectorField()),
                ('memory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='embeddings', to='memory.memory')),
            ],
        ),
        migrations.CreateModel(
            name='MemoryMention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at_ms', models.BigIntegerField()),
                ('device', models.CharField(blank=True, default='', max_length=120)),
                ('turn', models.CharField(blank=True, default='', max_length=120)),
                ('memory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='memory.memory')),
            ],
        ),
        migrations.CreateModel(
            name='MemoryPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.BigIntegerField()),
                ('picture', models.CharField(max_length=120)),
                ('memory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='memory.memory')),
            ],
        ),
        migrations.CreateModel(
            name='MemoryRevision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at_ms', models.BigIntegerField()),
                ('text_at_ms', models.BigIntegerField()),
                ('text', models.TextField()),
                ('device', models.CharField(blank=True, default='', max_length=120)),
                ('memory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='memory.memory')),
            ],
        ),
        migrations.CreateModel(
            name='PendingReflection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turn', models.CharField(max_length=120, unique=True)),
                ('device', models.CharField(max_length=120)),
                ('session', models.CharField(blank=True, default='', max_length=120)),
                ('at_ms', models.BigIntegerField()),
                ('heard', models.TextField()),
                ('said', models.TextField(blank=True, default='')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField(null=True)),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject')),
            ],
        ),
        migrations.CreateModel(
            name='Picture',
            fields=[
                ('name', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('file', models.CharField(max_length=200, unique=True)),
                ('type', models.CharField(choices=[('image/jpeg', 'image/jpeg'), ('image/png', 'image/png'), ('image/webp', 'image/webp'), ('image/gif', 'image/gif')], max_length=10)),
                ('size', models.PositiveIntegerField()),
                ('width', models.PositiveIntegerField()),
                ('height', models.PositiveIntegerField()),
                ('device', models.CharField(max_length=120)),
                ('arrived_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject')),
            ],
        ),
        migrations.CreateModel(
            name='SoftAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action_id', models.CharField(max_length=120)),
                ('at_ms', models.BigIntegerField()),
                ('undone_at_ms', models.BigIntegerField(null=True)),
                ('memory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='soft_actions', to='memory.memory')),
            ],
        ),
        migrations.CreateModel(
            name='Tombstone',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gid', models.CharField(max_length=120, unique=True)),
                ('kind', models.CharField(choices=[('memory', 'memory'), ('statement', 'statement'), ('record', 'record'), ('event', 'event'), ('document', 'document'), ('turn', 'turn'), ('day', 'day'), ('subject', 'subject')], max_length=9)),
                ('at_ms', models.BigIntegerField(default=0)),
                ('device', models.CharField(blank=True, default='', max_length=120)),
                ('change', models.BigIntegerField(default=0, editable=False)),
                ('subject', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='twin.subject')),
            ],
        ),
        migrations.CreateModel(
            name='TombstonePicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('picture', models.CharField(max_length=120)),
                ('tombstone', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='memory.tombstone')),
            ],
        ),
        migrations.CreateModel(
            name='TombstoneTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turn', models.CharField(max_length=120)),
                ('tombstone', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turns', to='memory.tombstone')),
            ],
        ),
        migrations.AddIndex(
            model_name='chatsession',
            index=models.Index(fields=['subject', '-last_activity_at_ms'], name='chat_by_activity'),
        ),
        migrations.AddConstraint(
            model_name='chatsession',
            constraint=models.CheckConstraint(condition=models.Q(('version__gt', 0), models.Q(('stamp_ms', 0), ('summary', ''), ('version', 0)), _connector='OR'), name='chat_version_0_is_empty'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chatsession',
            trigger=pgtrigger.compiler.Trigger(name='takes_words_lock', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM pg_advisory_xact_lock_shared(4871001); RETURN NEW;', hash='f15a45a7187ac6a64f410b51012d4a1e6cb61d46', operation='INSERT OR UPDATE', pgid='pgtrigger_takes_words_lock_3a9e3', table='memory_chatsession', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chatsession',
            trigger=pgtrigger.compiler.Trigger(name='stays_scrubbed', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF NOT NEW.scrubbed @> OLD.scrubbed THEN\n                        RAISE EXCEPTION 'a conversation stays emptied'\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='b6056c5229ac1ac9dc905086e9375864f4961d7a', operation='UPDATE', pgid='pgtrigger_stays_scrubbed_15d84', table='memory_chatsession', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='chatturn',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='chat_turn_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chatturn',
            trigger=pgtrigger.compiler.Trigger(name='takes_words_lock', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM pg_advisory_xact_lock_shared(4871001); RETURN NEW;', hash='3022054219412673e91d8bb230a19bd663c6b5c8', operation='INSERT OR UPDATE', pgid='pgtrigger_takes_words_lock_541bc', table='memory_chatturn', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='linepicture',
            index=models.Index(fields=['picture'], name='line_by_picture'),
        ),
        migrations.AddConstraint(
            model_name='linepicture',
            constraint=models.UniqueConstraint(fields=('line', 'picture'), name='line_picture_once'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(fields=['subject', 'change'], name='memory_by_change'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(fields=['subject', '-learned_at_ms'], name='memory_by_learned'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cover_at_ms', None), ('cover_picture', None)), models.Q(('cover_at_ms__isnull', False), ('cover_picture__isnull', False)), _connector='OR'), name='memory_cover_has_stamp'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=models.Q(('learned_at_ms__gte', 0), ('text_at_ms__gte', 0), ('visibility_at_ms__gte', 0), models.Q(('cover_at_ms', None), ('cover_at_ms__gte', 0), _connector='OR')), name='memory_stamps_positive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memory',
            trigger=pgtrigger.compiler.Trigger(name='stays_forgotten', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    PERFORM pg_advisory_xact_lock_shared(4871001);\n                    IF memory_is_gone(NEW.gid) THEN\n                        RAISE EXCEPTION 'a forgotten memory cannot be written again'\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    IF TG_OP = 'UPDATE' AND NEW.gid <> OLD.gid THEN\n                        RAISE EXCEPTION 'a memory keeps its identity'\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='92436d12f31ac5b1deb83b6b2cd9e8511c611138', operation='INSERT OR UPDATE', pgid='pgtrigger_stays_forgotten_ee9c4', table='memory_memory', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memory',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF true THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='737a6075916f6c1ef9be0e35de542f90e39a1ffe', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_67f34', table='memory_memory', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memory',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='IF OLD IS NULL OR NEW.change = OLD.change THEN PERFORM memory_changed(NEW.id); END IF; RETURN NULL;', hash='0546d8a7efbb81b1307b193a379b5e89283e4ae7', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_7aaa3', table='memory_memory', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='memoryembedding',
            constraint=models.UniqueConstraint(fields=('memory', 'model'), name='embedding_model_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memoryembedding',
            trigger=pgtrigger.compiler.Trigger(name='takes_words_lock', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM pg_advisory_xact_lock_shared(4871001); RETURN NEW;', hash='d48f164ae226e8192d37569ac4590f5d92a5a89f', operation='INSERT OR UPDATE', pgid='pgtrigger_takes_words_lock_7de80', table='memory_memoryembedding', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memoryembedding',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM memory_changed(NEW.memory_id); RETURN NULL;', hash='79e5fd4c7cdd9fd1f583124404bc9fdfb4cd5e91', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_2bba7', table='memory_memoryembedding', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='memorymention',
            index=models.Index(fields=['at_ms'], name='mention_by_time'),
        ),
        migrations.AddIndex(
            model_name='memorymention',
            index=models.Index(condition=models.Q(('turn', ''), _negated=True), fields=['turn'], name='mention_by_turn'),
        ),
        migrations.AddConstraint(
            model_name='memorymention',
            constraint=models.UniqueConstraint(fields=('memory', 'at_ms', 'device', 'turn'), name='mention_once'),
        ),
        migrations.AddConstraint(
            model_name='memorymention',
            constraint=models.CheckConstraint(condition=models.Q(('at_ms__gte', 0)), name='mention_at_positive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memorymention',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF false THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='a38d55de181d059a6dd73cc2226b5fe588d36b60', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_59876', table='memory_memorymention', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memorymention',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM memory_changed(NEW.memory_id); RETURN NULL;', hash='a1100da058eaf61a021dc0e54ffe20f07f028bef', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_32e4e', table='memory_memorymention', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='memorypicture',
            index=models.Index(fields=['picture'], name='memory_by_picture'),
        ),
        migrations.AddConstraint(
            model_name='memorypicture',
            constraint=models.UniqueConstraint(fields=('memory', 'picture'), name='memory_picture_once'),
        ),
        migrations.AddConstraint(
            model_name='memorypicture',
            constraint=models.CheckConstraint(condition=models.Q(('position__gte', 0)), name='memory_picture_at_positive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memorypicture',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF (NEW.memory_id, NEW.picture) = (OLD.memory_id, OLD.picture) THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='3eb6c62adea39783b7d2f1818517418ac09e1f30', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_53e4d', table='memory_memorypicture', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memorypicture',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM memory_changed(NEW.memory_id); RETURN NULL;', hash='7a35b429f7565974269af6352311c2376d5c0893', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_75562', table='memory_memorypicture', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='memoryrevision',
            constraint=models.UniqueConstraint(models.F('memory'), models.F('text_at_ms'), models.Func(models.F('text'), function='md5', output_field=models.CharField()), name='revision_once'),
        ),
        migrations.AddConstraint(
            model_name='memoryrevision',
            constraint=models.CheckConstraint(condition=models.Q(('at_ms__gte', models.F('text_at_ms')), ('text_at_ms__gte', 0)), name='revision_replaced_after_it_began'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memoryrevision',
            trigger=pgtrigger.compiler.Trigger(name='takes_words_lock', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM pg_advisory_xact_lock_shared(4871001); RETURN NEW;', hash='1b9156098547732971ecc89420c13c8d05d31694', operation='INSERT OR UPDATE', pgid='pgtrigger_takes_words_lock_a730f', table='memory_memoryrevision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memoryrevision',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF (NEW.memory_id, NEW.text_at_ms, NEW.text) = (OLD.memory_id, OLD.text_at_ms, OLD.text) THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='1f30b74cb22ae086212014dc1afa4cb8dd62d1de', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_b8663', table='memory_memoryrevision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='memoryrevision',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM memory_changed(NEW.memory_id); RETURN NULL;', hash='74687d00ad63af7632700897651460e60dc05a89', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_f7dc1', table='memory_memoryrevision', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='pendingreflection',
            index=models.Index(fields=['at_ms'], name='reflection_by_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='pendingreflection',
            trigger=pgtrigger.compiler.Trigger(name='takes_words_lock', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM pg_advisory_xact_lock_shared(4871001); RETURN NEW;', hash='b9197302f41eadac7473016d01179decae882fbc', operation='INSERT OR UPDATE', pgid='pgtrigger_takes_words_lock_9b866', table='memory_pendingreflection', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='picture',
            constraint=models.CheckConstraint(condition=models.Q(('type__in', ['image/jpeg', 'image/png', 'image/webp', 'image/gif'])), name='picture_type_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='picture',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF false THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='209e9bcc8906882a60aef2d448e9a70b4266071b', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_578ac', table='memory_picture', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='softaction',
            constraint=models.UniqueConstraint(fields=('memory', 'action_id'), name='soft_action_once'),
        ),
        migrations.AddConstraint(
            model_name='softaction',
            constraint=models.CheckConstraint(condition=models.Q(('at_ms__gte', 0), models.Q(('undone_at_ms', None), ('undone_at_ms__gte', 0), _connector='OR')), name='soft_action_stamps_positive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='softaction',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM memory_changed(NEW.memory_id); RETURN NULL;', hash='8db4972197e8c196511d6a4c6c268e08a718c39e', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_7be60', table='memory_softaction', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='tombstone',
            index=models.Index(fields=['change'], name='tombstone_by_change'),
        ),
        migrations.AddConstraint(
            model_name='tombstone',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['memory', 'statement', 'record', 'event', 'document', 'turn', 'day', 'subject'])), name='tombstone_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='tombstone',
            constraint=models.CheckConstraint(condition=models.Q(('at_ms__gte', 0)), name='tombstone_at_positive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstone',
            trigger=pgtrigger.compiler.Trigger(name='holds_forgetting_lock', sql=pgtrigger.compiler.UpsertTriggerSql(func='PERFORM pg_advisory_xact_lock(4871001); RETURN NEW;', hash='583f3006dda313a3aa668bf4dde4633437555d3e', operation='INSERT', pgid='pgtrigger_holds_forgetting_lock_9aa52', table='memory_tombstone', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstone',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF NEW.gid = OLD.gid AND (OLD.at_ms = 0 OR NEW.at_ms > 0) THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='5db1b37e0c488754ec887c5d05853774a33c24f7', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_3d6bb', table='memory_tombstone', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstone',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='IF OLD IS NULL OR NEW.change = OLD.change THEN PERFORM tombstone_changed(NEW.id); END IF; RETURN NULL;', hash='703d1572f07b14d75aac0b7b290b22030e0ba76c', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_91161', table='memory_tombstone', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='tombstonepicture',
            index=models.Index(fields=['picture'], name='tombstone_by_picture'),
        ),
        migrations.AddConstraint(
            model_name='tombstonepicture',
            constraint=models.UniqueConstraint(fields=('tombstone', 'picture'), name='tombstone_picture_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstonepicture',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF false THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='179f100f7b95343624335edc958cd006d0f91926', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_91799', table='memory_tombstonepicture', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstonepicture',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM tombstone_changed(NEW.tombstone_id); RETURN NULL;', hash='d2010c20c657c70cec7f92ff1ca22b8607550c4f', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_d5c7c', table='memory_tombstonepicture', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='tombstoneturn',
            index=models.Index(fields=['turn'], name='tombstone_by_turn'),
        ),
        migrations.AddConstraint(
            model_name='tombstoneturn',
            constraint=models.UniqueConstraint(fields=('tombstone', 'turn'), name='tombstone_turn_once'),
        ),
        migrations.AddConstraint(
            model_name='tombstoneturn',
            constraint=models.CheckConstraint(condition=models.Q(('turn', ''), _negated=True), name='tombstone_turn_is_named'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstoneturn',
            trigger=pgtrigger.compiler.Trigger(name='kept_rows', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF TG_OP = 'DELETE' THEN\n                IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN RETURN OLD; END IF;\n            ELSIF false THEN\n                RETURN NEW;\n            END IF;\n            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',\n                ERRCODE = 'integrity_constraint_violation';\n        ", hash='b3ceb4cc37550b2b578acb566d7ed7cb3862f2e8', operation='UPDATE OR DELETE', pgid='pgtrigger_kept_rows_5ebe8', table='memory_tombstoneturn', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tombstoneturn',
            trigger=pgtrigger.compiler.Trigger(name='stamps_change', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func='PERFORM tombstone_changed(NEW.tombstone_id); RETURN NULL;', hash='234cff6b2829395233542fc7ede1f7725fe2527d', operation='INSERT OR UPDATE', pgid='pgtrigger_stamps_change_c5d39', table='memory_tombstoneturn', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
    ]
