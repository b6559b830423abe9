"""Records: the stable pointers of a subject's book, single days and courses in one table."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now

from twin.models.subjects import Subject
from twin.models.triggers import words_lock
from twin.rules.categories import CATEGORIES
from twin.rules.provenance import MANNERS as RANKED_MANNERS
from twin.rules.provenance import SAID_BY
from twin.rules.record_ids import show

RECORD_KINDS = [
    "symptom",
    "history",
    "measurement",
    "medication",
    "vaccination",
    "procedure",
    "diet",
    "environment",
    "background",
    "note",
]
LIFECYCLES = ["day", "active", "passive", "dormant", "closed"]
OPEN_LIFECYCLES = ["active", "passive", "dormant"]
PROVENANCES = [
    "parent",
    "family",
    "child",
    "teacher",
    "therapist",
    "vet",
    "document",
    "model",
    "import",
    "round",
]
MANNERS = ["stated", "measured", "inferred"]


SHOWN = (
    *("subject", "kind", "category", "lifecycle", "day", "started_on", "ended_on", "precision", "sort_on"),
    *("age_low_months", "age_high_months", "time_phrase", "signs", "text", "polarity", "chronic"),
)


def _any(value: str) -> Q:
    return Q(asserted=value) | Q(derived=value) | Q(model_read=value)


class RecordQuerySet(models.QuerySet["Record"]):
    """Chainable reads of records."""

    def standing(self) -> RecordQuerySet:
        """Those that no correction replaced."""
        return self.filter(superseded_by=None)

    def shown(self) -> RecordQuerySet:
        """With the columns a list shows of each; any other would be asked for row by row."""
        return self.only(*SHOWN)

    def courses(self) -> RecordQuerySet:
        """Multi-day courses in any state."""
        return self.filter(kind="symptom").exclude(lifecycle="day")

    def open_courses(self) -> RecordQuerySet:
        """Courses that are not closed."""
        return self.filter(kind="symptom", lifecycle__in=OPEN_LIFECYCLES, superseded_by=None)


class Record(models.Model):
    """One row of the book, shown as rec_000123 and called by nothing else."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="records")
    kind = models.CharField(max_length=12, choices=[(k, k) for k in RECORD_KINDS])
    category = models.CharField(max_length=20, null=True, blank=True)
    site = models.CharField(max_length=60, default="", blank=True)
    lifecycle = models.CharField(max_length=7, choices=[(k, k) for k in LIFECYCLES], default="day")
    day = models.DateField(null=True, blank=True)  # the local day a single-day row is about
    started_on = models.DateField(null=True, blank=True)
    ended_on = models.DateField(null=True, blank=True)
    precision = models.CharField(max_length=6, null=True, blank=True)
    age_low_months = models.PositiveSmallIntegerField(null=True, blank=True)
    age_high_months = models.PositiveSmallIntegerField(null=True, blank=True)
    time_phrase = models.TextField(null=True, blank=True)
    sort_on = models.DateField(null=True, blank=True)  # where the one timeline puts it; null is undated
    tags = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    signs = models.JSONField(default=dict, blank=True)
    text = models.TextField(default="", blank=True)
    asserted = models.CharField(max_length=8, null=True, blank=True)
    derived = models.CharField(max_length=8, null=True, blank=True)
    model_read = models.CharField(max_length=8, null=True, blank=True)
    polarity = models.GeneratedField(
        expression=Case(
            When(category=None, then=None),
            When(_any("abnormal"), then=Value("abnormal")),
            When(_any("normal"), then=Value("normal")),
            default=Value("abnormal"),
        ),
        output_field=models.CharField(max_length=8, null=True),
        db_persist=True,
    )
    context = models.JSONField(default=dict, blank=True)  # what derived_polarity knew, as of filing
    is_observed = models.BooleanField(default=True)  # false where somebody said only that they did not look
    chronic = models.BooleanField(default=False)
    severity = models.PositiveSmallIntegerField(default=0)
    course = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="days_of"
    )
    provenance = models.CharField(max_length=9, choices=[(p, p) for p in PROVENANCES], default="parent")
    manner = models.CharField(max_length=8, choices=[(m, m) for m in MANNERS], default="stated")
    turns = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    superseded_by = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="corrects")
    horizons = models.JSONField(null=True, blank=True)  # proposed quiet days, with their source
    opened_on = models.DateField(null=True, blank=True)  # the day whose round made this row a course
    closed_reason = models.TextField(default="", blank=True)
    closed_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())
    objects = RecordQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="record_time_absolute_or_age", condition=Q(started_on=None) | Q(age_low_months=None)
            ),
            models.CheckConstraint(
                name="record_age_is_pair",
                condition=Q(age_low_months=None, age_high_months=None)
                | Q(age_low_months__isnull=False, age_high_months__gte=F("age_low_months")),
            ),
            models.CheckConstraint(
                name="record_ends_after_start",
                condition=Q(ended_on=None) | Q(started_on=None) | Q(ended_on__gte=F("started_on")),
            ),
            models.CheckConstraint(
                name="record_category_fits_kind",
                condition=Q(kind="symptom", category__isnull=False)
                | Q(kind="history")
                | (~Q(kind__in=["symptom", "history"]) & Q(category=None)),
            ),
            models.CheckConstraint(
                name="record_category_known", condition=Q(category=None) | Q(category__in=CATEGORIES)
            ),
            models.CheckConstraint(name="record_severity_0_to_3", condition=Q(severity__lte=3)),
            models.CheckConstraint(
                name="record_lifecycle_is_course", condition=Q(lifecycle="day") | Q(kind="symptom")
            ),
            models.CheckConstraint(
                name="course_has_opening",
                condition=Q(lifecycle="day", opened_on=None)
                | ~Q(lifecycle="day") & Q(opened_on__isnull=False),
            ),
            models.CheckConstraint(
                name="course_closed_has_end", condition=~Q(lifecycle="closed") | Q(ended_on__isnull=False)
            ),
            models.CheckConstraint(name="record_not_its_own_course", condition=~Q(course=F("id"))),
            models.UniqueConstraint(
                name="record_one_row_a_day",
                fields=["subject", "category", "site", "day"],
                condition=Q(kind="symptom", lifecycle="day", superseded_by=None),
            ),
            models.UniqueConstraint(
                name="course_one_open_a_site",
                fields=["subject", "category", "site"],
                condition=Q(kind="symptom", lifecycle__in=OPEN_LIFECYCLES, superseded_by=None),
            ),
        ]
        indexes = [
            GinIndex(name="record_tags", fields=["tags"]),
            models.Index(name="record_timeline", fields=["subject", "-sort_on", "-id"]),
            models.Index(name="record_day", fields=["subject", "day"], condition=Q(lifecycle="day")),
            models.Index(
                name="record_open_courses", fields=["subject"], condition=Q(lifecycle__in=OPEN_LIFECYCLES)
            ),
            models.Index(
                name="record_courses", fields=["subject", "-opened_on"], condition=~Q(lifecycle="day")
            ),
            models.Index(name="record_background", fields=["subject"], condition=Q(kind="background")),
            GinIndex(name="record_turns", fields=["turns"]),
        ]
        triggers = [
            words_lock(),
            pgtrigger.Trigger(
                name="never_rises",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func=f"""
                    IF coalesce(current_setting('hearthbook.forgetting', true), '') <> 'on'
                       AND (array_position(ARRAY{list(SAID_BY)}, NEW.provenance::text)
                            > array_position(ARRAY{list(SAID_BY)}, OLD.provenance::text)
                         OR array_position(ARRAY{list(RANKED_MANNERS)}, NEW.manner::text)
                            > array_position(ARRAY{list(RANKED_MANNERS)}, OLD.manner::text)) THEN
                        RAISE EXCEPTION 'provenance never rises'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    @property
    def rec_id(self) -> str:
        """The id people and prompts use: rec_000123."""
        return show(self.pk)

    def __str__(self) -> str:
        return self.rec_id


class CourseDay(models.Model):
    """One observed day of a course."""

    course = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="days")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    trajectory = models.CharField(max_length=9)
    severity = models.PositiveSmallIntegerField()
    polarity = models.CharField(max_length=8)
    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="course_day_once", fields=["course", "day"]),
            models.CheckConstraint(
                name="course_day_trajectory_known",
                condition=Q(trajectory__in=["onset", "worsening", "improving", "unchanged", "normal"]),
            ),
        ]
        indexes = [models.Index(fields=["subject", "-day"])]


class CourseMove(models.Model):
    """The log of a course's lifecycle: what it became, on which day, by whom and why."""

    course = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="moves")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    was = models.CharField(max_length=7)
    became = models.CharField(max_length=7)
    reason = models.TextField(default="", blank=True)
    by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL)

    class Meta:
        indexes = [models.Index(fields=["course", "day"])]
