"""A settled fact that rests on a record retires at once when the record is corrected."""

from django.db import migrations

FORWARDS = """
CREATE FUNCTION memory_fact_retired_by_correction() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE memory_settledfact SET (retired_at, retired_by_id) = (
        SELECT r.created_at, r.author_id FROM twin_record r WHERE r.id = NEW.superseded_by_id)
    WHERE record_id = NEW.id AND retired_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER retires_facts AFTER UPDATE OF superseded_by_id ON twin_record
    FOR EACH ROW WHEN (NEW.superseded_by_id IS NOT NULL AND OLD.superseded_by_id IS NULL)
    EXECUTE FUNCTION memory_fact_retired_by_correction();
"""
BACKWARDS = """
DROP TRIGGER retires_facts ON twin_record;
DROP FUNCTION memory_fact_retired_by_correction();
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0020_what_is_elsewhere")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
