"""A person's observations as a FHIR R4 Bundle (hl7.org/fhir/R4), coded in LOINC and UCUM. Pure.

The measured values are coded; what was told in words goes as text under the category it was filed in, with
an interpretation only where the book has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"
INTERPRETATION = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
# (LOINC code, its name, UCUM unit): the vital signs of R4 and their units.
CODES: Mapping[str, tuple[str, str, str]] = {
    "weight": ("29463-7", "Body weight", "kg"),
    "height": ("8302-2", "Body height", "cm"),
    "head": ("9843-4", "Head Occipital-frontal circumference", "cm"),
    "bmi": ("39156-5", "Body mass index (BMI) [Ratio]", "kg/m2"),
    "temperature": ("8310-5", "Body temperature", "Cel"),
}


@dataclass(frozen=True)
class Patient:
    """Whom it is about."""

    gid: str
    name: str
    sex: str
    born_on: date | None
    born_precision: str


@dataclass(frozen=True)
class Measured:
    """One row: what was measured and how much, or words under a category."""

    key: str
    what: str
    value: float | None
    text: str
    on: date | None
    category: str
    polarity: str


def bundle(patient: Patient, rows: Sequence[Measured]) -> dict[str, Any]:
    """A Bundle of the patient and every observation."""
    resources = [_patient(patient), *(_observation(row, patient) for row in rows)]
    return {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {"fullUrl": f"urn:hearthbook:{one['resourceType']}:{one['id']}", "resource": one}
            for one in resources
        ],
    }


def _patient(patient: Patient) -> dict[str, Any]:
    said: dict[str, Any] = {
        "resourceType": "Patient",
        "id": patient.gid,
        "name": [{"text": patient.name}],
        "gender": patient.sex if patient.sex in ("female", "male") else "unknown",
    }
    if patient.born_on is not None:
        length = {"day": 10, "month": 7, "year": 4}.get(patient.born_precision, 4)
        said["birthDate"] = patient.born_on.isoformat()[:length]
    return said


def _observation(row: Measured, patient: Patient) -> dict[str, Any]:
    said: dict[str, Any] = {
        "resourceType": "Observation",
        "id": row.key,
        "status": "final",
        "subject": {"reference": f"urn:hearthbook:Patient:{patient.gid}"},
        "code": {"text": row.category or row.what or "observation"},
    }
    if row.on is not None:
        said["effectiveDateTime"] = row.on.isoformat()
    if row.what in CODES and row.value is not None:
        code, display, unit = CODES[row.what]
        said["category"] = [{"coding": [{"system": CATEGORY, "code": "vital-signs"}]}]
        said["code"] = {"coding": [{"system": LOINC, "code": code, "display": display}], "text": display}
        said["valueQuantity"] = {"value": row.value, "unit": unit, "system": UCUM, "code": unit}
    elif row.text.strip():
        said["valueString"] = row.text.strip()
    if row.polarity in ("abnormal", "normal"):
        code = "A" if row.polarity == "abnormal" else "N"
        said["interpretation"] = [{"coding": [{"system": INTERPRETATION, "code": code}]}]
    return said
