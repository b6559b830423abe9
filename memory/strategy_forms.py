"""The form of a strategy: its name, how it is done, and for which patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class StrategyForm(forms.Form):
    """Name first; the rest can wait."""

    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    name = forms.CharField(label=_("What is it called?"), max_length=120)
    how = forms.CharField(
        label=_("How it is done"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"data-grow": "", "rows": 3}),
        help_text=_("So that somebody else can do it: when, how long, what to say and what not."),
    )
    patterns = forms.MultipleChoiceField(
        label=_("For which patterns"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, patterns: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["patterns"].choices = patterns  # type: ignore[attr-defined]
