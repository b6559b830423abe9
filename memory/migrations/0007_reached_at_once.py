"""What a forgetting reaches is found in one question to the database, however far it goes."""

from django.db import migrations

# `touched` records lose a source; of those that keep none (`lost`), what corrected them says the same again.
# A named record goes with what corrected it and with what it corrects. It ends when a step finds nothing new.
FORWARDS = """
CREATE FUNCTION memory_forgetting_grown(
    INOUT g_turns text[],
    INOUT g_statements bigint[],
    INOUT g_fills bigint[],
    INOUT g_events bigint[],
    INOUT g_questions bigint[],
    INOUT g_entries bigint[],
    INOUT g_refolds bigint[],
    INOUT g_records bigint[]
) LANGUAGE plpgsql STABLE AS $$
DECLARE
    n_turns text[];
    n_statements bigint[];
    n_fills bigint[];
    n_events bigint[];
    n_questions bigint[];
    n_entries bigint[];
    n_refolds bigint[];
    n_records bigint[];
    known int := -1;
    size int;
BEGIN
    LOOP
        size := cardinality(g_turns) + cardinality(g_statements) + cardinality(g_fills) + cardinality(g_events)
            + cardinality(g_questions) + cardinality(g_entries) + cardinality(g_refolds) + cardinality(g_records);
        EXIT WHEN size = known;
        known := size;
        WITH RECURSIVE
        said AS MATERIALIZED (SELECT id FROM twin_statement WHERE turn = ANY (g_turns)),
        filled AS MATERIALIZED (SELECT id FROM twin_formfill WHERE turn = ANY (g_turns)),
        read AS MATERIALIZED (
            SELECT id, record_id, statement_id FROM twin_ledgerentry
                WHERE statement_id IN (SELECT id FROM said UNION SELECT unnest(g_statements))
            UNION SELECT id, record_id, statement_id FROM twin_ledgerentry
                WHERE fill_id IN (SELECT id FROM filled UNION SELECT unnest(g_fills))
            UNION SELECT id, record_id, statement_id FROM twin_ledgerentry WHERE record_id = ANY (g_records)
        ),
        touched AS (SELECT DISTINCT record_id AS id FROM read WHERE record_id IS NOT NULL),
        lost AS (
            SELECT id FROM touched WHERE NOT EXISTS (
                SELECT 1 FROM twin_ledgerentry l
                WHERE l.record_id = touched.id AND l.state = 'filed'
                  AND NOT (l.id = ANY (g_entries) OR l.id IN (SELECT id FROM read)))
        ),
        after(id) AS (
            SELECT id FROM lost
            UNION SELECT r.superseded_by_id FROM after JOIN twin_record r ON r.id = after.id
                WHERE r.superseded_by_id IS NOT NULL
        ),
        around(id) AS (
            SELECT unnest(g_records)
            UNION SELECT other.id FROM around JOIN LATERAL (
                SELECT r.superseded_by_id AS id FROM twin_record r
                    WHERE r.id = around.id AND r.superseded_by_id IS NOT NULL
                UNION ALL SELECT r.id FROM twin_record r WHERE r.superseded_by_id = around.id) other ON true
        )
        SELECT
            ARRAY(SELECT DISTINCT s.turn::text FROM read JOIN twin_statement s ON s.id = read.statement_id),
            ARRAY(SELECT id FROM said),
            ARRAY(SELECT id FROM filled),
            ARRAY(SELECT id FROM twin_event WHERE turn = ANY (g_turns)),
            ARRAY(SELECT id FROM memory_question WHERE turn = ANY (g_turns)),
            ARRAY(SELECT id FROM read),
            ARRAY(SELECT id FROM touched),
            ARRAY(SELECT id FROM around UNION (SELECT id FROM after EXCEPT SELECT id FROM lost))
        INTO n_turns, n_statements, n_fills, n_events, n_questions, n_entries, n_refolds, n_records;
        g_turns := ARRAY(SELECT unnest(g_turns) UNION SELECT unnest(n_turns));
        g_statements := ARRAY(SELECT unnest(g_statements) UNION SELECT unnest(n_statements));
        g_fills := ARRAY(SELECT unnest(g_fills) UNION SELECT unnest(n_fills));
        g_events := ARRAY(SELECT unnest(g_events) UNION SELECT unnest(n_events));
        g_questions := ARRAY(SELECT unnest(g_questions) UNION SELECT unnest(n_questions));
        g_entries := ARRAY(SELECT unnest(g_entries) UNION SELECT unnest(n_entries));
        g_refolds := ARRAY(SELECT unnest(g_refolds) UNION SELECT unnest(n_refolds));
        g_records := ARRAY(SELECT unnest(g_records) UNION SELECT unnest(n_records));
    END LOOP;
END $$;

-- Lines that name a memory. As the owner, since row-level security keeps the indexes of jsonb from being used;
-- it gives positions alone, and whoever asks sees of them what they may.
CREATE FUNCTION memory_lines_naming(gids text[]) RETURNS TABLE (gid text, place bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT l.envelope ->> 'gid', l.position FROM memory_journalline l
        WHERE l.envelope ? 'gid' AND l.envelope ->> 'gid' = ANY (gids)
    UNION
    SELECT named.gid, l.position FROM unnest(gids) AS named(gid) JOIN memory_journalline l
        ON l.envelope ? 'entries' AND l.envelope -> 'entries' ? named.gid
$$;
"""
BACKWARDS = """
DROP FUNCTION memory_lines_naming(text[]);
DROP FUNCTION memory_forgetting_grown(text[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[]);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_entries_follow_their_rows")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
