"""Two who want a new month's partition at once get one: the second sees what the first made."""

from django.db import migrations

FORWARDS = """
-- Makes the partition that holds a day, where it is not there yet. It runs as the owner, so that the web,
-- which owns nothing, is not stopped by a clock that jumped; nobody is granted the partitions themselves.
CREATE OR REPLACE FUNCTION memory_words_partition(arrived date) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    first date := date_trunc('month', arrived)::date;
    grantee text;
    part text := 'memory_journalwords_' || to_char(first, 'YYYY_MM');
BEGIN
    IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(4871002);
    -- Asked of the table: to_regclass() may still remember that there was none before the wait.
    IF EXISTS (SELECT 1 FROM pg_class WHERE relname = part AND relnamespace = 'public'::regnamespace) THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I PARTITION OF memory_journalwords FOR VALUES FROM (%L) TO (%L)',
        part, first, (first + interval '1 month')::date);
    EXECUTE format('ALTER TABLE %I ALTER body SET STORAGE EXTERNAL, ALTER body SET STATISTICS 0', part);
    FOR grantee IN
        SELECT DISTINCT g.grantee::regrole::text FROM pg_class c, aclexplode(c.relacl) g
        WHERE c.oid = part::regclass AND g.grantee NOT IN (0, c.relowner)
    LOOP
        EXECUTE format('REVOKE ALL ON %I FROM %s', part, grantee);
    END LOOP;
    RETURN true;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0022_counting_since")]
    operations = [migrations.RunSQL(FORWARDS, migrations.RunSQL.noop)]
