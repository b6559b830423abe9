"""Documents: the file that was handed in, what was read in it, and what it proposes.

Everything made from a document carries its subject, its uploader and its day, so that one policy guards
the whole of it: an uploader sees what they added, a data window compares the document's own date.
"""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Now

from memory.rules.documents.ids import show
from twin.models.triggers import words_lock

FORMATS = ["pdf", "docx", "txt", "jpeg", "png", "heic"]
KINDS = [
    "diagnosis_report",
    "therapy_evaluation",
    "school_assessment",
    "vet_report",
    "lab_result",
    "prescription",
    "other",
]
STATES = ["waiting", "reading", "needs_password", "needs_ocr", "ready", "failed"]
STAGES = ["text", "ocr", "summary", "passages", "vectors"]
STAGE_STATES = ["waiting", "running", "done", "skipped", "held", "failed"]
TEXT_SOURCES = ["layer", "form", "ocr", "docx", "txt"]
FINDING_KINDS = ["history", "measurement", "medication", "vaccination", "procedure"]
FINDING_STATES = ["proposed", "accepted", "declined"]
PRECISIONS = ["day", "week", "month", "season", "year"]


class Document(models.Model):
    """One file somebody handed in about one subject, shown as doc_000012."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="documents")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)  # SHA-256 of the bytes
    size = models.PositiveBigIntegerField()
    format = models.CharField(max_length=4, choices=[(f, f) for f in FORMATS])
    file_name = models.CharField(max_length=200, blank=True)  # as the uploader's machine called it
    stored = models.CharField(max_length=100)  # the name in the storage: random, no words
    unlocked = models.CharField(max_length=100, blank=True)  # the same file without its password
    thumbnail = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=14, choices=[(s, s) for s in STATES], default="waiting")
    error = models.CharField(max_length=40, blank=True)  # a code; why it could not be read
    kind = models.CharField(max_length=20, choices=[(k, k) for k in KINDS], default="other")
    title = models.CharField(max_length=200, blank=True)
    writer = models.CharField(max_length=120, blank=True)  # who wrote it, as printed or corrected
    dated_on = models.DateField(null=True, blank=True)  # the date it carries
    received_on = models.DateField()  # the subject's local day
    received_at = models.DateTimeField()
    day = models.GeneratedField(  # what a data window compares
        expression=Coalesce(F("dated_on"), F("received_on")), output_field=models.DateField(), db_persist=True
    )
    language = models.CharField(max_length=5, blank=True)
    pages = models.PositiveIntegerField(default=0)
    has_hidden_text = models.BooleanField(default=False)
    is_unsure = models.BooleanField(default=False)  # some of it was read by OCR with little confidence
    attachments = ArrayField(models.CharField(max_length=200), default=list, blank=True)  # names only
    corrected = ArrayField(models.CharField(max_length=20), default=list, blank=True)  # fields a person set
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="document_client_once", fields=["author", "client_id"]),
            # Per uploader: who may not view the documents of others must not learn that one is there.
            models.UniqueConstraint(name="document_bytes_once", fields=["subject", "author", "digest"]),
            models.CheckConstraint(name="document_state_known", condition=Q(state__in=STATES)),
            models.CheckConstraint(name="document_kind_known", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(
                name="document_not_of_tomorrow",
                condition=Q(dated_on=None) | Q(dated_on__lte=F("received_on")),
            ),
        ]
        indexes = [
            models.Index(name="document_newest", fields=["subject", "-day", "-id"]),
            models.Index(name="document_by_bytes", fields=["subject", "digest"]),
        ]
        triggers = [
            words_lock(),
            pgtrigger.Trigger(
                name="carries_its_day",
                operation=pgtrigger.Update,
                when=pgtrigger.After,
                condition=pgtrigger.Condition("OLD.dated_on IS DISTINCT FROM NEW.dated_on"),
                func="""
                    UPDATE memory_documentstage SET day = NEW.day WHERE document_id = NEW.id;
                    UPDATE memory_documenttext SET day = NEW.day WHERE document_id = NEW.id;
                    UPDATE memory_documentsummary SET day = NEW.day WHERE document_id = NEW.id;
                    UPDATE memory_passage SET day = NEW.day WHERE document_id = NEW.id;
                    UPDATE memory_proposedfinding SET day = NEW.day WHERE document_id = NEW.id;
                    RETURN NULL;
                """,
            ),
            pgtrigger.Trigger(
                name="owes_its_bytes",
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                func="""
                    INSERT INTO memory_owederasure (subject_id, author_id, digest, stored, owed_at)
                    VALUES (
                        (SELECT id FROM twin_subject WHERE id = OLD.subject_id), OLD.author_id, OLD.digest,
                        array_remove(ARRAY[OLD.stored, OLD.unlocked, OLD.thumbnail]::varchar(100)[], ''),
                        now());
                    RETURN NULL;
                """,
            ),
        ]

    @property
    def doc_id(self) -> str:
        """The id people and prompts use: doc_000012."""
        return show(self.pk)

    def __str__(self) -> str:
        return self.doc_id


class OfDocument(models.Model):
    """What everything made from a document carries beside the document itself."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    day = models.DateField()

    class Meta:
        abstract = True


class DocumentStage(OfDocument):
    """One step of reading a document: a job's row. The queue carries its document's number only."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="stages")
    name = models.CharField(max_length=8, choices=[(s, s) for s in STAGES])
    state = models.CharField(max_length=7, choices=[(s, s) for s in STAGE_STATES], default="waiting")
    done = models.PositiveIntegerField(default=0)  # of `total` pieces: pages, mostly
    total = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=40, blank=True)  # a code
    due_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="document_stage_once", fields=["document", "name"]),
            models.CheckConstraint(name="document_stage_state_known", condition=Q(state__in=STAGE_STATES)),
            models.CheckConstraint(name="document_stage_done_fits", condition=Q(done__lte=F("total"))),
        ]
        indexes = [
            models.Index(
                name="document_stage_due", fields=["due_at"], condition=Q(state__in=["waiting", "running"])
            )
        ]

    def __str__(self) -> str:
        return f"{show(self.document_id)} {self.name}"


class DocumentText(OfDocument):
    """The text of one page, and apart from it what stands there unseen or beside the text."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="texts")
    page = models.PositiveIntegerField()  # from 1
    source = models.CharField(max_length=5, choices=[(s, s) for s in TEXT_SOURCES])
    text = models.TextField(blank=True)
    hidden = models.TextField(blank=True)  # invisible in the original: shown apart, used for nothing
    comments = models.TextField(blank=True)  # margin notes, kept apart from the text
    needs_ocr = models.BooleanField(default=False)  # a picture whose letters are still to be read
    confidence = models.PositiveSmallIntegerField(null=True)  # of OCR, 0 to 100
    unsure = models.JSONField(default=list)  # [start, end] of words in the text that may be others

    class Meta:
        constraints = [models.UniqueConstraint(name="document_page_once", fields=["document", "page"])]
        triggers = [words_lock()]


class DocumentSummary(OfDocument):
    """What a document says in short, in parts of a fixed order, and who wrote the summary."""

    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="summary")
    text = models.TextField()
    findings = ArrayField(models.TextField(), default=list, blank=True)  # key findings, verbatim
    by = models.CharField(max_length=5, choices=[(b, b) for b in ("rules", "model")], default="rules")
    made_at = models.DateTimeField()

    class Meta:
        triggers = [words_lock()]


class Passage(OfDocument):
    """A piece of a document's text that is searched, cited and opened as one."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="passages")
    ordinal = models.PositiveIntegerField()  # from 1, in reading order
    page = models.PositiveIntegerField()
    start = models.PositiveIntegerField()  # characters of the page's text
    end = models.PositiveIntegerField()
    text = models.TextField()
    is_unsure = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="passage_once", fields=["document", "ordinal"]),
            models.CheckConstraint(name="passage_has_length", condition=Q(end__gt=F("start"))),
        ]
        indexes = [models.Index(name="passage_of_subject", fields=["subject", "document", "ordinal"])]
        triggers = [words_lock()]

    @property
    def anchor(self) -> str:
        """Where the passage stands on its document's page."""
        return f"p{self.ordinal}"


class ProposedFinding(OfDocument):
    """Something a document says that could stand in the book, until a parent decides."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="proposals")
    ordinal = models.PositiveIntegerField()
    page = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=[(k, k) for k in FINDING_KINDS], default="history")
    category = models.CharField(max_length=20, null=True, blank=True)
    text = models.TextField()  # as the document says it
    started_on = models.DateField(null=True, blank=True)
    precision = models.CharField(max_length=6, null=True, blank=True)
    time_phrase = models.TextField(null=True, blank=True)
    chronic = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=[(s, s) for s in FINDING_STATES], default="proposed")
    record = models.ForeignKey("twin.Record", null=True, on_delete=models.SET_NULL, related_name="+")
    decided_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="finding_once", fields=["document", "ordinal"]),
            models.CheckConstraint(name="finding_state_known", condition=Q(state__in=FINDING_STATES)),
            models.CheckConstraint(
                name="finding_start_has_precision",
                condition=Q(started_on=None, precision=None)
                | Q(started_on__isnull=False, precision__in=PRECISIONS),
            ),
        ]
        triggers = [words_lock()]


class OwedErasure(models.Model):
    """Bytes of a deleted document that are still to be erased: names in the storage, never words.

    Written by a trigger, whoever deletes the document; the row goes once the bytes are gone.
    """

    subject = models.ForeignKey("twin.Subject", null=True, on_delete=models.SET_NULL, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    digest = models.CharField(max_length=64)
    stored = ArrayField(models.CharField(max_length=100))
    owed_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(name="owed_by_bytes", fields=["subject", "digest"])]
