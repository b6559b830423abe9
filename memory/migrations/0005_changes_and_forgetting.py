"""What a forgetting takes and where change numbers come from, all in the database."""

from django.db import migrations

EMPTIED = "('Heard', 'Said', 'ModelWrote', 'PictureSeen', 'NotRemembered')"

CHANGES = """
-- The next change number, and what the counter stood at when this transaction took its first. The counter's
-- row stays locked until the commit, so numbers become visible in their order and no cursor skips one.
CREATE FUNCTION memory_change_began() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    mark text := coalesce(current_setting('hearthbook.change', true), '');
    began bigint;
BEGIN
    IF split_part(mark, ':', 1) = pg_current_xact_id()::text THEN RETURN split_part(mark, ':', 2)::bigint; END IF;
    INSERT INTO memory_changecounter AS c (id, n) VALUES (1, 0)
        ON CONFLICT (id) DO UPDATE SET n = c.n RETURNING n INTO began;
    PERFORM set_config('hearthbook.change', pg_current_xact_id()::text || ':' || began, true);
    RETURN began;
END $$;

-- A row gets one number a transaction, however much of it changed.
CREATE FUNCTION memory_changed(memory bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    began bigint := memory_change_began();
    number bigint;
BEGIN
    IF EXISTS (SELECT 1 FROM memory_memory WHERE id = memory AND change <= began) THEN
        UPDATE memory_changecounter SET n = n + 1 RETURNING n INTO number;
        UPDATE memory_memory SET change = number WHERE id = memory;
    END IF;
END $$;

CREATE FUNCTION tombstone_changed(tombstone bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    began bigint := memory_change_began();
    number bigint;
BEGIN
    IF EXISTS (SELECT 1 FROM memory_tombstone WHERE id = tombstone AND change <= began) THEN
        UPDATE memory_changecounter SET n = n + 1 RETURNING n INTO number;
        UPDATE memory_tombstone SET change = number WHERE id = tombstone;
    END IF;
END $$;

INSERT INTO memory_changecounter (id, n) VALUES (1, 0);
"""

FORGETTING = f"""
CREATE FUNCTION memory_is_gone(wanted text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM memory_tombstone WHERE gid = wanted);
END $$;

-- Sets or resets the mark under which rows may go; gives what it was.
CREATE FUNCTION memory_mark(mark text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before text := coalesce(current_setting('hearthbook.forgetting', true), '');
BEGIN
    PERFORM set_config('hearthbook.forgetting', mark, true);
    RETURN before;
END $$;

CREATE FUNCTION memory_drop_picture(wanted text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before text;
BEGIN
    IF EXISTS (SELECT 1 FROM memory_memorypicture WHERE picture = wanted)
        OR EXISTS (SELECT 1 FROM memory_linepicture WHERE picture = wanted) THEN RETURN; END IF;
    before := memory_mark('on');
    WITH gone AS (DELETE FROM memory_picture WHERE name = wanted RETURNING file)
    INSERT INTO memory_fileowed (file) SELECT file FROM gone;
    PERFORM memory_mark(before);
END $$;

-- A picture goes with the last thing that showed it.
CREATE FUNCTION memory_picture_unshown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM memory_drop_picture(OLD.picture);
    RETURN NULL;
END $$;
CREATE TRIGGER picture_unshown AFTER DELETE ON memory_memorypicture
    FOR EACH ROW EXECUTE FUNCTION memory_picture_unshown();
CREATE TRIGGER picture_unshown AFTER DELETE ON memory_linepicture
    FOR EACH ROW EXECUTE FUNCTION memory_picture_unshown();

-- However a picture's row goes (with its subject, too), its file is owed.
CREATE FUNCTION memory_picture_gone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO memory_fileowed (file) SELECT OLD.file
        WHERE NOT EXISTS (SELECT 1 FROM memory_fileowed WHERE file = OLD.file);
    RETURN NULL;
END $$;
CREATE TRIGGER picture_gone AFTER DELETE ON memory_picture
    FOR EACH ROW EXECUTE FUNCTION memory_picture_gone();

-- What a forgotten turn empties, of the lines held now.
CREATE FUNCTION memory_empty_turns(turns text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before text := memory_mark('on');
BEGIN
    DELETE FROM memory_journalwords w USING memory_journalline l
        WHERE l.position = w.position AND l.turn = ANY (turns) AND l.turn <> ''
          AND l.envelope ->> 'event' IN {EMPTIED};
    DELETE FROM memory_pendingreflection r WHERE r.turn = ANY (turns);
    PERFORM memory_mark(before);
END $$;

CREATE FUNCTION memory_empty_picture(wanted text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before text;
BEGIN
    IF EXISTS (SELECT 1 FROM memory_memorypicture WHERE picture = wanted) THEN RETURN; END IF;
    before := memory_mark('on');
    DELETE FROM memory_journalwords w USING memory_journalline l, memory_linepicture p
        WHERE p.picture = wanted AND l.position = p.line_id AND w.position = l.position
          AND l.envelope ->> 'event' = 'PictureSeen';
    DELETE FROM memory_linepicture WHERE picture = wanted;
    PERFORM memory_drop_picture(wanted);
    PERFORM memory_mark(before);
END $$;

-- The lines are found by their indexes, which hold only lines that name a memory.
CREATE FUNCTION memory_tombstone_takes() RETURNS trigger
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
CREATE TRIGGER takes_what_it_names AFTER INSERT OR UPDATE ON memory_tombstone
    FOR EACH ROW EXECUTE FUNCTION memory_tombstone_takes();

CREATE FUNCTION memory_tombstone_turn_takes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM memory_tombstone WHERE id = NEW.tombstone_id AND at_ms > 0) THEN
        PERFORM memory_empty_turns(ARRAY[NEW.turn::text]);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER takes_its_lines AFTER INSERT ON memory_tombstoneturn
    FOR EACH ROW EXECUTE FUNCTION memory_tombstone_turn_takes();

CREATE FUNCTION memory_tombstone_picture_takes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM memory_tombstone WHERE id = NEW.tombstone_id AND at_ms > 0) THEN
        PERFORM memory_empty_picture(NEW.picture);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER takes_its_picture AFTER INSERT ON memory_tombstonepicture
    FOR EACH ROW EXECUTE FUNCTION memory_tombstone_picture_takes();

CREATE INDEX line_by_gid ON memory_journalline ((envelope ->> 'gid')) WHERE envelope ? 'gid';
CREATE INDEX line_by_entries ON memory_journalline USING gin ((envelope -> 'entries'))
    WITH (fastupdate = off) WHERE envelope ? 'entries';

-- Whether a line's words are forgotten before they come. VOLATILE: it must see what was committed while
-- the forgetting lock was waited for.
CREATE FUNCTION memory_line_is_forgotten(envelope jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    event text := envelope ->> 'event';
BEGIN
    IF event IN {EMPTIED} AND envelope ->> 'turn' <> '' AND EXISTS (
        SELECT 1 FROM memory_tombstoneturn n JOIN memory_tombstone t ON t.id = n.tombstone_id
        WHERE n.turn = envelope ->> 'turn' AND t.at_ms > 0) THEN RETURN true; END IF;
    IF envelope ? 'gid' THEN
        RETURN EXISTS (SELECT 1 FROM memory_tombstone WHERE gid = envelope ->> 'gid' AND at_ms > 0);
    ELSIF envelope ? 'entries' THEN
        RETURN EXISTS (SELECT 1 FROM jsonb_array_elements_text(envelope -> 'entries') named
            JOIN memory_tombstone t ON t.gid = named WHERE t.at_ms > 0);
    ELSIF event = 'PictureSeen' THEN
        RETURN EXISTS (
            SELECT 1 FROM memory_tombstonepicture n JOIN memory_tombstone t ON t.id = n.tombstone_id
            WHERE n.picture = envelope ->> 'picture' AND t.at_ms > 0)
          AND NOT EXISTS (SELECT 1 FROM memory_memorypicture WHERE picture = envelope ->> 'picture');
    END IF;
    RETURN false;
END $$;
"""

COMPANION = """
-- A forgetting about a child empties what its companion's turns keep of sentences and memories.
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

ELSEWHERE = """
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

NEVER = """
-- Of each text whether it touches a topic that is never to be learned about a subject: yes or no, whoever asks.
-- As `memory.rules.never.touches` compares; of a subject the asker does not belong to it says no.
CREATE FUNCTION memory_never_touched(whom bigint, texts jsonb) RETURNS boolean[]
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT coalesce(array_agg(EXISTS (
        SELECT 1 FROM memory_nevertopic n
        WHERE n.subject_id = whom
          AND whom = ANY (coalesce(
              nullif(current_setting('hearthbook.member', true), '')::bigint[], ARRAY[whom]))
          AND ((n.words <> '[]' AND NOT EXISTS (
                  SELECT 1 FROM jsonb_array_elements(n.words) w
                  WHERE NOT w ?| ARRAY(SELECT jsonb_array_elements_text(one.said -> 'keys'))))
               OR (n.about <> '{}' AND n.about::text[] <@ ARRAY(
                  SELECT jsonb_array_elements_text(one.said -> 'about'))))
    ) ORDER BY one.at), '{}')
    FROM jsonb_array_elements(texts) WITH ORDINALITY AS one(said, at)
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_questions_close")]
    operations = [
        migrations.RunSQL(part, migrations.RunSQL.noop) for part in (CHANGES, FORGETTING, COMPANION, ELSEWHERE, NEVER)
    ]
