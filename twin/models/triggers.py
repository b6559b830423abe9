"""The triggers that hold what must stay true whatever a caller forgot.

`hearthbook.forgetting` is a transaction-local mark of the services that take rows away for good; every table
that admits words takes the forgetting lock shared before a word goes in.
"""

from __future__ import annotations

import pgtrigger

FORGETTING_LOCK = 4_871_001  # pg_advisory lock key: exclusive while something is being forgotten
IS_FORGETTING = "coalesce(current_setting('hearthbook.forgetting', true), '') = 'on'"
MARK_FORGETTING = "SELECT set_config('hearthbook.forgetting', 'on', true)"
END_FORGETTING = "SELECT set_config('hearthbook.forgetting', '', true)"


def words_lock(name: str = "takes_words_lock") -> pgtrigger.Trigger:
    """Take the forgetting lock shared before this table admits words."""
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.Before,
        func=f"PERFORM pg_advisory_xact_lock_shared({FORGETTING_LOCK}); RETURN NEW;",
    )


def append_only(*, emptied: str, name: str = "append_only") -> pgtrigger.Trigger:
    """Refuse UPDATE and DELETE, but for the one UPDATE that empties a row while forgetting.

    `emptied` is a SQL condition over OLD and NEW that holds when only the words went away.
    """
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Update | pgtrigger.Delete,
        when=pgtrigger.Before,
        func=f"""
            IF {IS_FORGETTING} THEN
                IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                IF {emptied} THEN RETURN NEW; END IF;
            END IF;
            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only',
                ERRCODE = 'integrity_constraint_violation';
        """,
    )
