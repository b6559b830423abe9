"""The same admission of words in one function, so that a push of many lines asks less for each."""

from django.db import migrations

FORWARDS = """
CREATE OR REPLACE FUNCTION memory_words_admitted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    line jsonb;
    event text;
    is_gone boolean := false;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(4871001);
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
    SELECT envelope INTO line FROM memory_journalline WHERE position = NEW.position;
    event := line ->> 'event';
    -- What was forgotten before it came. The lock above was waited for, so this sees what was committed.
    IF event IN ('Heard', 'Said', 'ModelWrote', 'PictureSeen', 'NotRemembered') AND line ->> 'turn' <> '' THEN
        is_gone := EXISTS (
            SELECT 1 FROM memory_tombstoneturn n JOIN memory_tombstone t ON t.id = n.tombstone_id
            WHERE n.turn = line ->> 'turn' AND t.at_ms > 0);
    ELSIF line ? 'gid' THEN
        is_gone := EXISTS (SELECT 1 FROM memory_tombstone WHERE gid = line ->> 'gid' AND at_ms > 0);
    ELSIF line ? 'entries' THEN
        is_gone := EXISTS (SELECT 1 FROM jsonb_array_elements_text(line -> 'entries') named
            JOIN memory_tombstone t ON t.gid = named WHERE t.at_ms > 0);
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
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0026_search_away_from_the_middle")]
    operations = [migrations.RunSQL(FORWARDS, migrations.RunSQL.noop)]
