"""Bytes that are owed outlive the subject whose document they were."""

from django.db import migrations

FORWARDS = """
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT c.conname, c.confrelid::regclass AS upper, a.attname
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.conrelid = 'memory_owederasure'::regclass AND c.confdeltype <> 'n'
    LOOP
        EXECUTE format('ALTER TABLE memory_owederasure DROP CONSTRAINT %I', one.conname);
        EXECUTE format('ALTER TABLE memory_owederasure ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %s (id)'
            ' ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED', one.conname, one.attname, one.upper);
    END LOOP;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0024_documents_owe_their_bytes")]
    operations = [migrations.RunSQL(FORWARDS, migrations.RunSQL.noop)]
