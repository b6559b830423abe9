"""A line knows the day it came: its words are looked for in the partition of their month alone."""

from django.db import migrations, models
from django.db.models.functions import Now

EMPTIED = "('Heard', 'Said', 'ModelWrote', 'PictureSeen', 'NotRemembered')"

COLUMN = """
ALTER TABLE memory_journalline ADD COLUMN arrived_on date NOT NULL DEFAULT current_date;
UPDATE memory_journalline l SET arrived_on = w.arrived_on FROM memory_journalwords w
    WHERE w.position = l.position AND w.arrived_on <> l.arrived_on;
"""
COLUMN_BACK = "ALTER TABLE memory_journalline DROP COLUMN arrived_on;"

# As in 0002, and a line has the day of its words, whatever day it was given.
ADMITTED = """
CREATE OR REPLACE FUNCTION memory_words_admitted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    line jsonb;
    event text;
    is_gone boolean;
    came date;
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
    SELECT l.envelope, l.arrived_on, EXISTS (
        SELECT 1 FROM memory_tombstoneturn n JOIN memory_tombstone t ON t.id = n.tombstone_id
        WHERE n.turn = l.turn AND t.at_ms > 0)
    INTO line, came, is_gone FROM memory_journalline l WHERE l.position = NEW.position;
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
    IF came <> NEW.arrived_on THEN
        UPDATE memory_journalline SET arrived_on = NEW.arrived_on WHERE position = NEW.position;
    END IF;
    RETURN NEW;
END $$;
"""
# As in 0010, and lines are given the day.
COME = f"""
CREATE OR REPLACE FUNCTION memory_lines_come(writer text, child bigint, since bigint, day date, spine jsonb, spoken jsonb)
    RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    forgotten text[];
BEGIN
    -- As the policy of the table has it: whose conversations the asker may add to.
    IF (child = ANY (nullif(current_setting('hearthbook.add_conversation', true), '')::bigint[])) IS NOT TRUE THEN
        RAISE EXCEPTION 'no lines are taken about this subject' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE memory_journalwriter SET next_seq = since + jsonb_array_length(spine)
        WHERE device = writer AND next_seq = since;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a writer''s lines come without a gap' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    -- Positions are given under the first lock. Under the second nothing is forgotten until these lines are
    -- committed, and the next statement sees whatever was forgotten while it was waited for.
    PERFORM pg_advisory_xact_lock(4871, child::int);
    PERFORM pg_advisory_xact_lock_shared(4871001);
    PERFORM set_config('hearthbook.arriving', 'on', true), set_config('hearthbook.counted', 'once', true);
    WITH n AS MATERIALIZED (
        SELECT since + at - 1 AS seq, envelope, nullif(body, 'null') AS body,
            envelope ->> 'event' AS event, envelope ->> 'turn' AS said_in
        FROM ROWS FROM (jsonb_array_elements(spine), jsonb_array_elements(spoken))
            WITH ORDINALITY AS came (envelope, body, at)
    ), gone_turn AS MATERIALIZED (
        SELECT DISTINCT x.turn FROM memory_tombstoneturn x JOIN memory_tombstone t ON t.id = x.tombstone_id
        WHERE t.at_ms > 0 AND x.turn IN (SELECT said_in FROM n)
    ), named AS (
        SELECT seq, envelope ->> 'gid' AS gid FROM n WHERE envelope ? 'gid' AND event NOT IN {EMPTIED}
        UNION ALL
        SELECT seq, entry FROM n, jsonb_array_elements_text(envelope -> 'entries') entry
        WHERE envelope ? 'entries' AND NOT envelope ? 'gid' AND event NOT IN {EMPTIED}
    ), shown AS (
        SELECT seq, event, envelope ->> 'picture' AS picture FROM n WHERE envelope ? 'picture'
        UNION ALL
        SELECT seq, event, picture FROM n, jsonb_array_elements_text(envelope -> 'pictures') picture
        WHERE envelope -> 'pictures' <> '[]' AND NOT envelope ? 'picture'
    ), lost AS MATERIALIZED (
        SELECT n.seq FROM n JOIN gone_turn g ON g.turn = n.said_in WHERE n.event IN {EMPTIED}
        UNION ALL
        SELECT d.seq FROM named d JOIN memory_tombstone t ON t.gid = d.gid WHERE t.at_ms > 0
        UNION ALL
        SELECT s.seq FROM shown s JOIN memory_tombstonepicture p ON p.picture = s.picture
            JOIN memory_tombstone t ON t.id = p.tombstone_id
        WHERE s.event = 'PictureSeen' AND t.at_ms > 0
          AND NOT EXISTS (SELECT 1 FROM memory_memorypicture m WHERE m.picture = s.picture)
    ), line AS (
        INSERT INTO memory_journalline (device, seq, subject_id, arrived_on, envelope)
        SELECT writer, seq, child, day, envelope FROM n ORDER BY seq RETURNING position, seq
    ), worded AS (
        INSERT INTO memory_journalwords (position, arrived_on, body)
        SELECT line.position, day, n.body FROM line JOIN n ON n.seq = line.seq
        WHERE n.body IS NOT NULL AND n.seq NOT IN (SELECT lost.seq FROM lost) RETURNING position
    ), pictured AS (
        INSERT INTO memory_linepicture (line_id, picture)
        SELECT line.position, shown.picture FROM shown JOIN line ON line.seq = shown.seq
            JOIN worded ON worded.position = line.position
        ON CONFLICT DO NOTHING
    )
    SELECT array_agg(turn) INTO forgotten FROM gone_turn;
    PERFORM set_config('hearthbook.arriving', '', true), set_config('hearthbook.counted', '', true);
    RETURN forgotten;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_many_at_once")]
    operations = [
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(COLUMN, COLUMN_BACK)],
            [
                migrations.AddField(
                    "journalline", "arrived_on", models.DateField(db_default=Now())
                )
            ],
        ),
        migrations.RunSQL(ADMITTED, migrations.RunSQL.noop),
        migrations.RunSQL(COME, migrations.RunSQL.noop),
    ]
