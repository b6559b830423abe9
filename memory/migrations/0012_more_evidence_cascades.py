"""The database itself takes an answer away with its question, its subject or a row it rests on."""

from django.db import migrations

CASCADE = """
DO $$
DECLARE held record;
BEGIN
    FOR held IN
        SELECT c.conrelid::regclass AS of_table, c.conname, pg_get_constraintdef(c.oid) AS says
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.confdeltype = 'a' AND a.attname NOT IN ('author_id', 'variant_id')
          AND c.conrelid IN ('memory_question'::regclass, 'memory_answer'::regclass,
                             'memory_answerevidence'::regclass, 'memory_cachedanswer'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', held.of_table, held.conname);
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', held.of_table, held.conname,
                       replace(held.says, ' DEFERRABLE', ' ON DELETE CASCADE DEFERRABLE'));
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_answers_rest_on_more")]

    operations = [migrations.RunSQL(CASCADE, migrations.RunSQL.noop)]
