"""Triggers of the memory's own tables."""

from __future__ import annotations

import pgtrigger

from twin.models.triggers import IS_FORGETTING


def kept_rows(may_change: str = "true", name: str = "kept_rows") -> pgtrigger.Trigger:
    """Rows go only while something is forgotten, and change only where `may_change` holds of OLD and NEW."""
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Update | pgtrigger.Delete,
        when=pgtrigger.Before,
        func=f"""
            IF TG_OP = 'DELETE' THEN
                IF {IS_FORGETTING} THEN RETURN OLD; END IF;
            ELSIF {may_change} THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is kept as it is',
                ERRCODE = 'integrity_constraint_violation';
        """,
    )


def stamps(call: str, *, when: str = "") -> pgtrigger.Trigger:
    """Give the row this one belongs to a new change number, as the last thing before the commit."""
    guarded = f"IF {when} THEN PERFORM {call}; END IF;" if when else f"PERFORM {call};"
    return pgtrigger.Trigger(
        name="stamps_change",
        operation=pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.After,
        timing=pgtrigger.Deferred,
        func=f"{guarded} RETURN NULL;",
    )
