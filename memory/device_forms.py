"""The forms of the pages about devices."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class PairForm(forms.Form):
    """Whose device it will be."""

    child = forms.TypedChoiceField(
        label=_("Whose device is it?"),
        coerce=lambda value: int(value) if value else None,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, children: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = [("", _("The household’s: it sees what its parents see"))]
        self.fields["child"].choices = [  # type: ignore[attr-defined]
            *[(pk, _("The companion of %(name)s") % {"name": name}) for pk, name in children],
            *others,
        ]


class DeviceNameForm(forms.Form):
    """What a device is called."""

    name = forms.CharField(label=_("Name"), max_length=80, error_messages={"required": _("Give it a name.")})
