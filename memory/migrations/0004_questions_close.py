"""An open question closes at the first moment its evidence exists, and opens again where that is taken back."""

from django.db import migrations

FORWARDS = """
CREATE FUNCTION memory_question_closed_by_entry() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.state = 'undone' AND OLD.state <> 'undone' THEN
        UPDATE memory_openquestion SET closed_entry_id = NULL WHERE closed_entry_id = NEW.id;
    ELSIF NEW.state = 'filed' AND OLD.state <> 'filed'
          AND coalesce(NEW.resolved ->> 'today', NEW.today) <> 'no' THEN
        UPDATE memory_openquestion q SET state = 'closed', closed_at = NEW.filed_at, closed_entry_id = NEW.id,
            closed_through = CASE WHEN NEW.fill_id IS NOT NULL OR EXISTS (
                SELECT 1 FROM twin_statement s WHERE s.id = NEW.statement_id AND s.through = 'form')
                THEN 'form' ELSE 'statement' END
        WHERE q.subject_id = NEW.subject_id AND q.state <> 'closed' AND q.category = NEW.category
          AND NEW.signs ->> q.sign IS NOT NULL AND NEW.signs ->> q.sign <> 'not_observed'
          AND NEW.said_at >= q.asked_at - interval '1 day';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER closes_questions AFTER UPDATE OF state ON twin_ledgerentry
    FOR EACH ROW EXECUTE FUNCTION memory_question_closed_by_entry();

CREATE FUNCTION memory_question_closed_by_document() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE memory_openquestion q SET state = 'closed', closed_at = NEW.created_at, closed_record_id = NEW.id,
        closed_through = 'document'
    WHERE q.subject_id = NEW.subject_id AND q.state <> 'closed' AND q.category = NEW.category
      AND NEW.signs ->> q.sign IS NOT NULL AND NEW.signs ->> q.sign <> 'not_observed';
    RETURN NULL;
END $$;
CREATE TRIGGER closes_questions AFTER INSERT OR UPDATE OF signs ON twin_record
    FOR EACH ROW WHEN (NEW.provenance = 'document') EXECUTE FUNCTION memory_question_closed_by_document();

CREATE FUNCTION memory_question_closed_by_profile() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE memory_openquestion q SET state = 'closed', closed_at = NEW.created_at, closed_profile_id = NEW.id,
        closed_through = 'profile'
    WHERE q.subject_id = NEW.subject_id AND q.state <> 'closed' AND q.profile_field <> ''
      AND NEW.values ->> q.profile_field IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER closes_questions AFTER INSERT ON twin_profileversion
    FOR EACH ROW EXECUTE FUNCTION memory_question_closed_by_profile();

CREATE FUNCTION memory_question_closed_by_fact() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.retired_at IS NOT NULL THEN
        UPDATE memory_openquestion SET closed_fact_id = NULL WHERE closed_fact_id = NEW.id;
    ELSE
        UPDATE memory_openquestion q SET state = 'closed', closed_at = NEW.created_at, closed_fact_id = NEW.id,
            closed_through = 'settled'
        WHERE q.subject_id = NEW.subject_id AND q.state <> 'closed'
          AND (q.category, q.sign, q.profile_field) = (NEW.category, NEW.sign, NEW.profile_field);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER closes_questions AFTER INSERT OR UPDATE OF retired_at ON memory_settledfact
    FOR EACH ROW EXECUTE FUNCTION memory_question_closed_by_fact();

-- What closed it is gone: it waits again, unless the same is asked by another already.
CREATE FUNCTION memory_question_opens_again() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF num_nonnulls(OLD.closed_entry_id, OLD.closed_record_id, OLD.closed_profile_id, OLD.closed_fact_id) > 0
       AND num_nonnulls(NEW.closed_entry_id, NEW.closed_record_id, NEW.closed_profile_id, NEW.closed_fact_id) = 0
       AND NEW.state = 'closed' AND NOT EXISTS (
           SELECT 1 FROM memory_openquestion other WHERE other.id <> NEW.id AND other.state <> 'closed'
           AND (other.subject_id, other.category, other.sign, other.profile_field)
             = (NEW.subject_id, NEW.category, NEW.sign, NEW.profile_field)) THEN
        NEW.state := 'open'; NEW.closed_at := NULL; NEW.closed_through := '';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER opens_again BEFORE UPDATE ON memory_openquestion
    FOR EACH ROW EXECUTE FUNCTION memory_question_opens_again();

-- A settled fact that rests on a record retires at once when the record is corrected.
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
DROP TRIGGER closes_questions ON twin_ledgerentry;
DROP TRIGGER closes_questions ON twin_record;
DROP TRIGGER closes_questions ON twin_profileversion;
DROP TRIGGER closes_questions ON memory_settledfact;
DROP TRIGGER opens_again ON memory_openquestion;
DROP FUNCTION memory_question_closed_by_entry(), memory_question_closed_by_document(),
    memory_question_closed_by_profile(), memory_question_closed_by_fact(), memory_question_opens_again();
DROP TRIGGER retires_facts ON twin_record;
DROP FUNCTION memory_fact_retired_by_correction();
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_cascades")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
