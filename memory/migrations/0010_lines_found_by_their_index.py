"""A tombstone finds the lines that name its memory by their indexes, which hold only lines that name one."""

from django.db import migrations

FORWARDS = """
CREATE OR REPLACE FUNCTION memory_tombstone_takes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before text := memory_mark('on');
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO memory_tombstoneturn (tombstone_id, turn)
            SELECT DISTINCT NEW.id, t.turn FROM memory_memorymention t JOIN memory_memory m ON m.id = t.memory_id
            WHERE m.gid = NEW.gid AND t.turn <> '' ON CONFLICT DO NOTHING;
        INSERT INTO memory_tombstonepicture (tombstone_id, picture)
            SELECT DISTINCT NEW.id, p.picture FROM memory_memorypicture p JOIN memory_memory m ON m.id = p.memory_id
            WHERE m.gid = NEW.gid ON CONFLICT DO NOTHING;
        DELETE FROM memory_memory WHERE gid = NEW.gid;
    END IF;
    IF NEW.at_ms > 0 AND (TG_OP = 'INSERT' OR OLD.at_ms = 0) THEN
        DELETE FROM memory_journalwords w USING memory_journalline l
            WHERE l.position = w.position AND l.envelope ? 'gid' AND (l.envelope ->> 'gid') = NEW.gid;
        DELETE FROM memory_journalwords w USING memory_journalline l
            WHERE l.position = w.position AND l.envelope ? 'entries'
              AND (l.envelope -> 'entries') @> to_jsonb(ARRAY[NEW.gid]);
        UPDATE memory_chatsession SET version = 0, stamp_ms = 0, summary = '', scrubbed = scrubbed || NEW.gid
            WHERE (NEW.subject_id IS NULL OR subject_id = NEW.subject_id) AND NOT scrubbed @> ARRAY[NEW.gid];
        DELETE FROM memory_chatturn t USING memory_chatsession s WHERE s.id = t.session_id AND s.version = 0;
        DELETE FROM memory_pendingreflection
            WHERE NEW.subject_id IS NULL OR subject_id = NEW.subject_id;
        PERFORM memory_empty_turns(ARRAY(SELECT turn::text FROM memory_tombstoneturn WHERE tombstone_id = NEW.id));
        PERFORM memory_empty_picture(picture) FROM memory_tombstonepicture WHERE tombstone_id = NEW.id;
    END IF;
    PERFORM memory_mark(before);
    RETURN NULL;
END $$;
"""
BACKWARDS = """
CREATE OR REPLACE FUNCTION memory_tombstone_takes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before text := memory_mark('on');
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO memory_tombstoneturn (tombstone_id, turn)
            SELECT DISTINCT NEW.id, t.turn FROM memory_memorymention t JOIN memory_memory m ON m.id = t.memory_id
            WHERE m.gid = NEW.gid AND t.turn <> '' ON CONFLICT DO NOTHING;
        INSERT INTO memory_tombstonepicture (tombstone_id, picture)
            SELECT DISTINCT NEW.id, p.picture FROM memory_memorypicture p JOIN memory_memory m ON m.id = p.memory_id
            WHERE m.gid = NEW.gid ON CONFLICT DO NOTHING;
        DELETE FROM memory_memory WHERE gid = NEW.gid;
    END IF;
    IF NEW.at_ms > 0 AND (TG_OP = 'INSERT' OR OLD.at_ms = 0) THEN
        DELETE FROM memory_journalwords w USING memory_journalline l
            WHERE l.position = w.position AND (l.envelope ->> 'gid') = NEW.gid;
        DELETE FROM memory_journalwords w USING memory_journalline l
            WHERE l.position = w.position AND (l.envelope -> 'entries') @> to_jsonb(ARRAY[NEW.gid]);
        UPDATE memory_chatsession SET version = 0, stamp_ms = 0, summary = '', scrubbed = scrubbed || NEW.gid
            WHERE (NEW.subject_id IS NULL OR subject_id = NEW.subject_id) AND NOT scrubbed @> ARRAY[NEW.gid];
        DELETE FROM memory_chatturn t USING memory_chatsession s WHERE s.id = t.session_id AND s.version = 0;
        DELETE FROM memory_pendingreflection
            WHERE NEW.subject_id IS NULL OR subject_id = NEW.subject_id;
        PERFORM memory_empty_turns(ARRAY(SELECT turn::text FROM memory_tombstoneturn WHERE tombstone_id = NEW.id));
        PERFORM memory_empty_picture(picture) FROM memory_tombstonepicture WHERE tombstone_id = NEW.id;
    END IF;
    PERFORM memory_mark(before);
    RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0009_reached_at_once")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
