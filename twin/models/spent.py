"""Client ids whose words were forgotten: a phone that sends them again must not bring them back."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models.functions import Now


class SpentId(models.Model):
    """One client id that is used up. It names no subject and holds no word."""

    author = models.ForeignKey("household.Person", null=True, on_delete=models.CASCADE, related_name="+")
    client_id = models.CharField(max_length=64)
    spent_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="spent_id_once", fields=["author", "client_id"], nulls_distinct=False
            )
        ]


def stays_spent() -> pgtrigger.Trigger:
    """Refuse a row that is sent again under a client id whose words were forgotten."""
    return pgtrigger.Trigger(
        name="stays_spent",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func="""
            IF EXISTS (SELECT 1 FROM twin_spentid s WHERE s.client_id = NEW.client_id
                       AND s.author_id IS NOT DISTINCT FROM NEW.author_id) THEN
                RAISE EXCEPTION 'what is forgotten stays so' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        """,
    )
