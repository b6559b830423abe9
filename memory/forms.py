"""The forms of the settled page."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from twin.labels import category_label, field_label
from twin.sign_names import TRI

FAULTS = {
    "from_future": ("valid_from", _("A day that is still to come.")),
    "until_before_from": ("valid_until", _("That is before it begins.")),
    "record": ("record", _("There is no such record of this subject.")),
    "sign": ("about", _("Choose from the list.")),
    "empty": ("text", _("Write a few words first.")),
}


def _about() -> list[tuple[str, Any]]:
    """Every sign somebody may be asked about, by body system."""
    groups = [
        (category_label(category), [(f"{category}.{sign}", field_label(category, sign)) for sign in signs])
        for category, signs in TRI.items()
    ]
    return [("", _("Nothing that is asked about")), *groups]


class FactForm(forms.Form):
    """One settled item."""

    client_id = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        label=_("What is it?"), choices=[("ruled_out", _("Ruled out")), ("settled", _("Settled"))]
    )
    text = forms.CharField(label=_("In a few words"), max_length=200)
    about = forms.ChoiceField(label=_("So nobody asks about"), required=False, choices=_about)
    settled_by = forms.CharField(label=_("Who says so"), max_length=120, required=False)
    record = forms.CharField(label=_("Record it rests on"), max_length=20, required=False)
    valid_from = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    valid_until = forms.DateField(
        label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def settled(self) -> dict[str, Any]:
        """What the service takes."""
        said = self.cleaned_data
        category, _dot, sign = said["about"].partition(".")
        return {
            "kind": said["kind"],
            "text": said["text"],
            "category": category,
            "sign": sign,
            "settled_by": said["settled_by"],
            "rec_id": said["record"],
            "valid_from": said["valid_from"],
            "valid_until": said["valid_until"],
            "client_id": said["client_id"] or f"fact-{uuid.uuid4()}",
        }

    def refuse(self, code: str) -> None:
        """Show a refusal of the service at its field."""
        field, text = FAULTS.get(code, FAULTS["empty"])
        self.add_error(field, str(text))


class TopicForm(forms.Form):
    """One topic never to be learned."""

    prefix = "never"  # the page holds two forms

    client_id = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    topic = forms.CharField(label=_("Topic"), max_length=120)
