"""Whoever deletes a document deletes all that was made from it, in the database too."""

from django.db import migrations

FORWARDS = """
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT c.conname, c.conrelid::regclass AS held, a.attname
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.confrelid = 'memory_document'::regclass AND c.confdeltype <> 'c'
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.held, one.conname);
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES memory_document (id)'
            ' ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED', one.held, one.conname, one.attname);
    END LOOP;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0007_documents")]
    operations = [migrations.RunSQL(FORWARDS, migrations.RunSQL.noop)]
