"""A batch of a device's lines comes in through one function, which asks once what triggers ask of each line."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

EMPTIED = "('Heard', 'Said', 'ModelWrote', 'PictureSeen', 'NotRemembered')"
IS_ARRIVING = "coalesce(current_setting('hearthbook.arriving', true), '') = 'on'"

# Lines that come in any other way still meet these, one by one.
TRIGGERS = f"""
DROP TRIGGER words_admitted ON memory_journalwords;
CREATE TRIGGER words_admitted BEFORE INSERT ON memory_journalwords
    FOR EACH ROW WHEN (NOT ({IS_ARRIVING})) EXECUTE FUNCTION memory_words_admitted();
CREATE TRIGGER words_stay BEFORE UPDATE OR DELETE ON memory_journalwords
    FOR EACH ROW EXECUTE FUNCTION memory_words_admitted();
"""
TRIGGERS_BACK = """
DROP TRIGGER words_stay ON memory_journalwords;
DROP TRIGGER words_admitted ON memory_journalwords;
CREATE TRIGGER words_admitted BEFORE INSERT OR UPDATE OR DELETE ON memory_journalwords
    FOR EACH ROW EXECUTE FUNCTION memory_words_admitted();
"""

# `spine` and `spoken` are lists of one length: envelopes, and the words beside each or null. Gives the turns
# among them that are forgotten.
COME = f"""
CREATE FUNCTION memory_lines_come(writer text, child bigint, since bigint, day date, spine jsonb, spoken jsonb)
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
        INSERT INTO memory_journalline (device, seq, subject_id, envelope)
        SELECT writer, seq, child, envelope FROM n ORDER BY seq RETURNING position, seq
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
COME_BACK = "DROP FUNCTION memory_lines_come(text, bigint, bigint, date, jsonb, jsonb);"


class Migration(migrations.Migration):
    dependencies = [("memory", "0009_words_fill_the_page")]
    operations = [
        migrations.RunSQL(TRIGGERS, TRIGGERS_BACK),
        migrations.RunSQL(COME, COME_BACK),
        pgtrigger.migrations.RemoveTrigger(
            model_name='journalline',
            name='arrives_in_order',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='journalline',
            trigger=pgtrigger.compiler.Trigger(name='arrives_in_order', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (NEW.subject_id IS NOT NULL AND NEW.device <> 'home' AND NOT (coalesce(current_setting('hearthbook.arriving', true), '') = 'on'))", func="\n                    IF pg_advisory_xact_lock(4871, NEW.subject_id::int) IS NULL THEN END IF;\n                    NEW.position := nextval('memory_journalline_position_seq');\n                    RETURN NEW;\n                ", hash='733b259a031912e2cb1c4f06afb3db9fd29a7c8c', operation='INSERT', pgid='pgtrigger_arrives_in_order_22a43', table='memory_journalline', when='BEFORE')),
        ),
    ]
