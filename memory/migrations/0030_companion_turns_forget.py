"""A forgetting about a child empties what its companion's turns keep of sentences and memories."""

from django.db import migrations

FORWARDS = """
CREATE FUNCTION memory_companion_turns_forget() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.at_ms > 0 AND NEW.subject_id IS NOT NULL THEN
        UPDATE memory_companionturn SET digests = '{}', recalled = array_remove(recalled, NEW.gid)
            WHERE subject_id = NEW.subject_id AND (digests <> '{}' OR NEW.gid = ANY (recalled));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER companion_turns_forget AFTER INSERT OR UPDATE ON memory_tombstone
    FOR EACH ROW EXECUTE FUNCTION memory_companion_turns_forget();
"""
BACKWARDS = """
DROP TRIGGER companion_turns_forget ON memory_tombstone;
DROP FUNCTION memory_companion_turns_forget();
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0029_companion_turns_and_crisis_cards")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
