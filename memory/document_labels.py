"""A document in the house's words: its kind, its state, why it could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

COMMAND = "sudo apt install tesseract-ocr tesseract-ocr-eng tesseract-ocr-tur"
KIND_LABELS: Mapping[str, Any] = {
    "diagnosis_report": gettext_lazy("Diagnosis report"),
    "therapy_evaluation": gettext_lazy("Therapy evaluation"),
    "school_assessment": gettext_lazy("School assessment"),
    "vet_report": gettext_lazy("Vet report"),
    "lab_result": gettext_lazy("Lab result"),
    "prescription": gettext_lazy("Prescription"),
    "other": gettext_lazy("Document"),
}
STATE_LABELS: Mapping[str, Any] = {
    "waiting": gettext_lazy("Waiting to be read"),
    "reading": gettext_lazy("Being read"),
    "needs_password": gettext_lazy("Asks for its password"),
    "needs_ocr": gettext_lazy("Waits for the reading of scans"),
    "ready": gettext_lazy("Read"),
    "failed": gettext_lazy("Could not be read"),
}
STATE_TONES: Mapping[str, str] = {
    "ready": "is-normal",
    "failed": "is-abnormal",
    "needs_password": "is-question",
    "needs_ocr": "is-question",
}
STAGE_LABELS: Mapping[str, Any] = {
    "text": gettext_lazy("Taking the text"),
    "ocr": gettext_lazy("Reading scanned pages"),
    "summary": gettext_lazy("Summing up"),
    "passages": gettext_lazy("Cutting passages"),
    "vectors": gettext_lazy("Making it findable"),
}
FINDING_LABELS: Mapping[str, Any] = {
    "history": gettext_lazy("Finding"),
    "measurement": gettext_lazy("Measured value"),
    "medication": gettext_lazy("Medicine"),
    "vaccination": gettext_lazy("Vaccination"),
    "procedure": gettext_lazy("Procedure"),
}
WHY: Mapping[str, Any] = {
    "not_readable": gettext_lazy("The file is damaged, or is not what it says it is. Try to save it again."),
    "too_many_pages": gettext_lazy("It has more than 400 pages. Hand in the part that matters."),
    "too_many_pixels": gettext_lazy("One of its pictures is too large. A scan at 300 dpi is enough."),
    "too_much_text": gettext_lazy("It holds more text than a document should."),
    "too_much_memory": gettext_lazy("Reading it would take more memory than this house gives to one file."),
    "too_slow": gettext_lazy("Reading it took too long and was stopped."),
    "unpacks_too_large": gettext_lazy("It unpacks into more than a document holds, so it was not opened."),
    "declares_entities": gettext_lazy("It holds parts no word processor writes, so it was not opened."),
    "crashed": gettext_lazy("The reader gave up on it each time. Try to save it again as a PDF."),
    "unexpected": gettext_lazy("Something went wrong while it was read. Try once more."),
    "ocr_failed": gettext_lazy("The reading of scans gave up on it. A sharper picture may help."),
    "bytes_missing": gettext_lazy("Its file is missing in the house’s storage. Hand it in again."),
    "nothing_readable": gettext_lazy("Nothing readable stands in it."),
    "needs_password": gettext_lazy("It is locked. Give its password once; it is not kept."),
    "wrong_password": gettext_lazy("This was not its password."),
    "no_ocr_language": gettext_lazy("The reading of scans lacks its languages."),
}


def kind_label(kind: str) -> str:
    """A kind in words."""
    return str(KIND_LABELS.get(kind, KIND_LABELS["other"]))


def why(code: str) -> str:
    """Why a document was not read, and what to do."""
    if code in ("no_ocr", "no_ocr_language"):
        return _(
            "It is a scan, and this box cannot read scans yet. Who runs the box can add it: %(command)s"
        ) % {"command": COMMAND}
    return str(WHY.get(code, WHY["unexpected"])) if code else ""
