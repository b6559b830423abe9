"""The words of journal lines, in partitions by the month the house received them in."""

from django.db import migrations

FORWARDS = """
CREATE TABLE memory_journalwords (
    position bigint NOT NULL REFERENCES memory_journalline (position) ON DELETE CASCADE,
    arrived_on date NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (position, arrived_on)
) PARTITION BY RANGE (arrived_on);

CREATE FUNCTION memory_words_admitted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(4871001);
    IF TG_OP <> 'INSERT' THEN
        IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN
            RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        END IF;
        RAISE EXCEPTION 'the journal is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER words_admitted BEFORE INSERT OR UPDATE OR DELETE ON memory_journalwords
    FOR EACH ROW EXECUTE FUNCTION memory_words_admitted();

-- Makes the partition that holds a day, where it is not there yet. It runs as the owner, so that the web,
-- which owns nothing, is not stopped by a clock that jumped; nobody is granted the partitions themselves.
CREATE FUNCTION memory_words_partition(arrived date) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    first date := date_trunc('month', arrived)::date;
    grantee text;
    part text := 'memory_journalwords_' || to_char(first, 'YYYY_MM');
BEGIN
    IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(4871002);
    IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
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
BACKWARDS = """
DROP TABLE memory_journalwords;
DROP FUNCTION memory_words_admitted();
DROP FUNCTION memory_words_partition(date);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_journal_and_strategies")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
