"""Triggers that tables of every app may use."""

from __future__ import annotations

import pgtrigger


def only_rises(*columns: str) -> pgtrigger.Trigger:
    """Refuse an UPDATE that makes one of these counts smaller."""
    falls = " OR ".join(f"NEW.{column} < OLD.{column}" for column in columns)
    return pgtrigger.Trigger(
        name="only_rises",
        operation=pgtrigger.Update,
        when=pgtrigger.Before,
        func=f"""
            IF {falls} THEN
                RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' only rises',
                    ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        """,
    )
