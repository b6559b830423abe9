"""The twin's tables."""

from twin.models.corrections import ReadingCorrection
from twin.models.daily import (
    Dose,
    Event,
    FormFill,
    Medicine,
    QuickLog,
    Trackable,
    TrackableEntry,
    TrackableSubject,
)
from twin.models.importing import ImportBatch, ImportChild, ImportLine
from twin.models.records import CourseDay, CourseMove, Record
from twin.models.rounds import AgendaItem, Frame, FrameLog, Lease, RoundRun
from twin.models.spent import SpentId
from twin.models.statements import CourseStatement, LedgerEntry, Question, Statement
from twin.models.subjects import Assessment, PersonProfile, ProfileVersion, Subject

__all__ = [
    "AgendaItem",
    "Assessment",
    "CourseDay",
    "CourseMove",
    "CourseStatement",
    "Dose",
    "Event",
    "FormFill",
    "Frame",
    "FrameLog",
    "ImportBatch",
    "ImportChild",
    "ImportLine",
    "Lease",
    "LedgerEntry",
    "Medicine",
    "PersonProfile",
    "ProfileVersion",
    "Question",
    "QuickLog",
    "ReadingCorrection",
    "Record",
    "RoundRun",
    "SpentId",
    "Statement",
    "Subject",
    "Trackable",
    "TrackableEntry",
    "TrackableSubject",
]
