"""The journal: a wordless spine that never moves, and the words beside it, in month partitions."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Now

from twin.models.triggers import IS_FORGETTING

HOME_DEVICE = "home"
ARRIVAL_LOCK = 4_871  # with the subject: held from a line's position to its commit
# The mark of `memory_lines_come`, which asks for a whole batch what triggers ask for each line.
IS_ARRIVING = "(coalesce(current_setting('hearthbook.arriving', true), '') = 'on')"


class JournalWriter(models.Model):
    """The next sequence number of one writer. Its row is the lock that keeps the numbers gapless."""

    device = models.CharField(primary_key=True, max_length=120)
    next_seq = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(name="writer_seq_positive", condition=Q(next_seq__gte=0))]


class JournalLine(models.Model):
    """One line of one writer: what happened and when, without a word of it."""

    position = models.BigAutoField(primary_key=True)  # the house's order of arrival
    device = models.CharField(max_length=120)
    seq = models.BigIntegerField()
    subject = models.ForeignKey("twin.Subject", null=True, on_delete=models.SET_NULL, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    # The day of the partition that holds its words, so that these are looked for there alone.
    arrived_on = models.DateField(db_default=Now())
    envelope = models.JSONField()
    at_ms = models.GeneratedField(
        expression=Cast(KT("envelope__at_ms"), models.BigIntegerField()),
        output_field=models.BigIntegerField(null=True),
        db_persist=True,
    )
    turn = models.GeneratedField(
        expression=KT("envelope__turn"),
        output_field=models.CharField(max_length=120, null=True),
        db_persist=True,
    )
    live = models.GeneratedField(
        expression=models.Case(
            models.When(envelope__event="Expired", then=Value(False)), default=Value(True)
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(name="line_seq_once", fields=["device", "seq"]),
            models.CheckConstraint(name="line_seq_positive", condition=Q(seq__gte=0)),
        ]
        indexes = [
            models.Index(name="line_by_time", fields=["at_ms"]),
            models.Index(name="line_by_turn", fields=["turn"]),
            models.Index(name="line_live_by_time", fields=["at_ms"], condition=Q(live=True)),
            models.Index(name="line_by_arrival", fields=["subject", "position"], condition=~Q(device="home")),
        ]
        triggers = [
            # Devices of one child ask for lines by position, so positions must be committed in their order.
            # The lock stands in an expression, which costs a line less than a query of its own. A batch
            # that comes through `memory_lines_come` has taken it for all of its lines.
            pgtrigger.Trigger(
                name="arrives_in_order",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition(
                    f"NEW.subject_id IS NOT NULL AND NEW.device <> '{HOME_DEVICE}' AND NOT {IS_ARRIVING}"
                ),
                func=f"""
                    IF pg_advisory_xact_lock({ARRIVAL_LOCK}, NEW.subject_id::int) IS NULL THEN END IF;
                    NEW.position := nextval('memory_journalline_position_seq');
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="keeps_its_place",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func=f"""
                    IF {IS_FORGETTING} THEN
                        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                        IF (NEW.device, NEW.seq, NEW.position) = (OLD.device, OLD.seq, OLD.position)
                           AND NEW.envelope->>'at_ms' = OLD.envelope->>'at_ms' THEN RETURN NEW; END IF;
                    ELSIF TG_OP = 'UPDATE' AND (NEW.device, NEW.seq, NEW.position, NEW.envelope)
                        = (OLD.device, OLD.seq, OLD.position, OLD.envelope) THEN
                        RETURN NEW;
                    END IF;
                    RAISE EXCEPTION 'the journal is append-only'
                        USING ERRCODE = 'integrity_constraint_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device}:{self.seq}"


class JournalWords(models.Model):
    """The words of one line. The table is partitioned by the month the house received them in."""

    line = models.OneToOneField(
        JournalLine, primary_key=True, db_column="position", on_delete=models.DO_NOTHING, related_name="words"
    )
    arrived_on = models.DateField()
    body = models.JSONField()

    class Meta:
        managed = False
        db_table = "memory_journalwords"
