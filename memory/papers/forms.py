"""The fields of a PDF form: what was filled in, beside the printed words."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

CHECKED, UNCHECKED = "☑", "☐"
MOST = 500
TEXTUAL = {raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX}
BOXES = {raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON}


def field_lines(document: pdfium.PdfDocument, page: pdfium.PdfPage) -> list[str]:
    """One line a field with its name and value; an empty text field says nothing."""
    form = document.formenv
    if form is None:
        return []
    lines: list[str] = []
    for number in range(min(raw.FPDFPage_GetAnnotCount(page), MOST)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        try:
            line = _line(form, annotation)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
        if line and line not in lines:
            lines.append(line)
    return lines


def _line(form: Any, annotation: Any) -> str:
    if raw.FPDFAnnot_GetSubtype(annotation) != raw.FPDF_ANNOT_WIDGET:
        return ""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    name = _said(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation) or _said(
        raw.FPDFAnnot_GetFormFieldName, form, annotation
    )
    if kind in TEXTUAL:
        value = _said(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        return f"{name}: {value}" if value.strip() else ""
    if kind == raw.FPDF_FORMFIELD_RADIOBUTTON and not raw.FPDFAnnot_IsChecked(form, annotation):
        return ""  # the chosen option says it all
    if kind in BOXES:
        sign = CHECKED if raw.FPDFAnnot_IsChecked(form, annotation) else UNCHECKED
        option = _said(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation)
        words = name if option in ("", "Yes", "On", "Off", "1") else f"{name}: {option}"
        return f"{sign} {words}"
    return ""


def _said(ask: Callable[..., int], form: Any, annotation: Any) -> str:
    """A text the library gives in two steps: its length, then its letters."""
    length = ask(form, annotation, None, 0)
    if length <= 2 or length > 100_000:
        return ""
    buffer = ctypes.create_string_buffer(length)
    ask(form, annotation, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", errors="replace")
