"""The words of journal lines, in partitions by the month the house received them in."""

from django.db import migrations

FORWARDS = """
CREATE TABLE memory_journalwords (
    position bigint NOT NULL REFERENCES memory_journalline (position) ON DELETE CASCADE,
    arrived_on date NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (position, arrived_on)
) PARTITION BY RANGE (arrived_on);

CREATE FUNCTION memory_words_admitted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    line jsonb;
    event text;
    is_gone boolean;
BEGIN
    -- In an expression, which costs a line less than a query of its own.
    IF pg_advisory_xact_lock_shared(4871001) IS NULL THEN END IF;
    IF TG_OP <> 'INSERT' THEN
        IF coalesce(current_setting('hearthbook.forgetting', true), '') = 'on' THEN
            IF TG_OP = 'DELETE' THEN
                DELETE FROM memory_linepicture WHERE line_id = OLD.position;
                RETURN OLD;
            END IF;
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'the journal is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    -- What was forgotten before it came. The lock above was waited for, so this sees what was committed. One
    -- question gives the line and whether its turn is forgotten: nearly every line needs no other.
    SELECT l.envelope, EXISTS (
        SELECT 1 FROM memory_tombstoneturn n JOIN memory_tombstone t ON t.id = n.tombstone_id
        WHERE n.turn = l.turn AND t.at_ms > 0)
    INTO line, is_gone FROM memory_journalline l WHERE l.position = NEW.position;
    event := line ->> 'event';
    IF event IN ('Heard', 'Said', 'ModelWrote', 'PictureSeen', 'NotRemembered') THEN
        NULL;
    ELSIF line ? 'gid' THEN
        is_gone := EXISTS (SELECT 1 FROM memory_tombstone WHERE gid = line ->> 'gid' AND at_ms > 0);
    ELSIF line ? 'entries' THEN
        is_gone := EXISTS (SELECT 1 FROM jsonb_array_elements_text(line -> 'entries') named
            JOIN memory_tombstone t ON t.gid = named WHERE t.at_ms > 0);
    ELSE
        is_gone := false;
    END IF;
    IF NOT is_gone AND event = 'PictureSeen' THEN
        is_gone := EXISTS (
            SELECT 1 FROM memory_tombstonepicture n JOIN memory_tombstone t ON t.id = n.tombstone_id
            WHERE n.picture = line ->> 'picture' AND t.at_ms > 0)
          AND NOT EXISTS (SELECT 1 FROM memory_memorypicture WHERE picture = line ->> 'picture');
    END IF;
    IF is_gone THEN RETURN NULL; END IF;
    IF line ? 'picture' THEN
        INSERT INTO memory_linepicture (line_id, picture) VALUES (NEW.position, line ->> 'picture')
            ON CONFLICT DO NOTHING;
    ELSIF line ? 'pictures' AND line -> 'pictures' <> '[]' THEN
        INSERT INTO memory_linepicture (line_id, picture)
            SELECT NEW.position, shown FROM jsonb_array_elements_text(line -> 'pictures') shown
            ON CONFLICT DO NOTHING;
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
BACKWARDS = """
DROP TABLE memory_journalwords;
DROP FUNCTION memory_words_admitted();
DROP FUNCTION memory_words_partition(date);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_tables")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
