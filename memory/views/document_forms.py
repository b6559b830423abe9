"""The form that says what a document is."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.document_labels import KIND_LABELS
from memory.models import Document
from memory.services.documents.deciding import Corrected


class CorrectionForm(forms.Form):
    """Kind, title, writer and date of a document, by a person's own word."""

    title = forms.CharField(max_length=200, required=False, label=_("Title"))
    kind = forms.ChoiceField(choices=list(KIND_LABELS.items()), label=_("What it is"))
    writer = forms.CharField(max_length=120, required=False, label=_("Written by"))
    dated_on = forms.DateField(
        required=False,
        label=_("Its date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("The date printed on it; empty where there is none."),
    )

    def __init__(self, document: Document, data: Any = None) -> None:
        start = {name: getattr(document, name) for name in ("title", "kind", "writer", "dated_on")}
        super().__init__(data, initial=start)

    def said(self) -> Corrected:
        """What was said, for the service."""
        return Corrected(
            **{name: self.cleaned_data[name] for name in ("kind", "title", "writer", "dated_on")}
        )
