"""Whose an identity is, asked by a device that may not see it: a yes or a no for each."""

from django.db import migrations

FORWARDS = """
-- Those of these gids that a memory, a tombstone or a conversation of another subject has.
CREATE FUNCTION memory_gids_elsewhere(gids text[], subjects bigint[]) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY
        SELECT m.gid::text FROM memory_memory m WHERE m.gid = ANY (gids) AND NOT m.subject_id = ANY (subjects)
        UNION SELECT t.gid::text FROM memory_tombstone t
            WHERE t.gid = ANY (gids) AND t.subject_id IS NOT NULL AND NOT t.subject_id = ANY (subjects)
        UNION SELECT s.gid::text FROM memory_chatsession s
            WHERE s.gid = ANY (gids) AND NOT s.subject_id = ANY (subjects);
END $$;

-- Those of these turns that lines of another subject have, and for a companion those of the house's lines.
CREATE FUNCTION memory_turns_elsewhere(turns text[], subjects bigint[], is_companion boolean)
    RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT DISTINCT l.turn::text FROM memory_journalline l
        WHERE l.turn = ANY (turns) AND (
            (l.subject_id IS NOT NULL AND NOT l.subject_id = ANY (subjects))
            OR (is_companion AND l.device = 'home'));
END $$;
"""
BACKWARDS = """
DROP FUNCTION memory_gids_elsewhere(text[], bigint[]);
DROP FUNCTION memory_turns_elsewhere(text[], bigint[], boolean);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0019_entries_of_what_there_is")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
