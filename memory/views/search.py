"""The search page: everything one may see. Words travel in the body of a post, never in an address."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from household.access import Denied, Sight
from household.views.pages import Asked, for_members
from memory.clients.embedder import current_embedder
from memory.search_shown import card_of
from memory.services.finding.entries import progress
from memory.services.finding.looking import RESOURCE_OF, Found, holds_words, look_for
from twin.views.subject_nav import note_professional_look

LONGEST = 300
# What the filter offers, and the kinds of rows behind it.
GROUPS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "record": (_l("Records"), ("record",)),
    "said": (_l("What was told"), ("statement", "fill")),
    "event": (_l("Events"), ("event",)),
    "document": (_l("Documents"), ("passage",)),
    "memory": (_l("Memories"), ("memory",)),
    "help": (_l("What helps"), ("strategy", "pattern")),
}


class SearchForm(forms.Form):
    """What is looked for, about whom, of which kind, in which days."""

    words = forms.CharField(label=_l("Look for"), max_length=LONGEST, strip=True)
    subject = forms.ChoiceField(label=_l("About"), required=False)
    kind = forms.ChoiceField(label=_l("Kind"), required=False)
    since = forms.DateField(label=_l("From"), required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label=_l("Until"), required=False, widget=forms.DateInput({"type": "date"}))

    def __init__(self, *args: Any, sight: Sight, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        subjects = [(str(pk), one.name) for pk, one in sight.subjects.items()]
        self.choices_of("subject", [("", _("Everybody")), *subjects])
        self.choices_of(
            "kind", [("", _("Everything")), *((key, label) for key, (label, _k) in GROUPS.items())]
        )

    def choices_of(self, name: str, choices: list[tuple[str, Any]]) -> None:
        """Offer these choices in a field."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Refuse an end before its beginning."""
        cleaned = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day lies before the first."))
        return cleaned


@require_http_methods(["GET", "POST"])
@for_members
def search_show(request: Asked) -> HttpResponse:
    """The form, and what was found for a post."""
    if request.method != "POST":
        return _page(request, SearchForm(sight=request.sight))
    form = SearchForm(request.POST, sight=request.sight)
    _refuse_strangers(request)
    if not form.is_valid():
        return _page(request, form, status=422)
    return _page(request, form, found=_found(request, form))


def _refuse_strangers(request: Asked) -> None:
    """Somebody else's subject is not there."""
    chosen = request.POST.get("subject", "")
    if chosen and not (chosen.isdigit() and int(chosen) in request.sight.subjects):
        raise Denied


def _found(request: Asked, form: SearchForm) -> list[Found]:
    asked = form.cleaned_data
    found = look_for(
        asked["words"],
        person=request.user,
        sight=request.sight,
        language=request.user.language,
        subject_id=int(asked["subject"]) if asked["subject"] else None,
        kinds=GROUPS[asked["kind"]][1] if asked["kind"] else (),
        since=asked["since"],
        until=asked["until"],
    )
    for subject_id, resource in {(one.subject_id, RESOURCE_OF[one.kind]) for one in found}:
        note_professional_look(request, subject_id, resource)
    return found


def _page(
    request: Asked, form: SearchForm, *, found: list[Found] | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "cards": None if found is None else [card_of(one) for one in found],
        "is_near": not holds_words(found or []),
        "waiting": _waiting() if found is None and not form.is_bound else None,
        "errors": [error for errors in form.errors.values() for error in errors],
    }
    template = "memory/search_show.html" + ("#found" if request.htmx else "")
    return render(request, template, context, status=status)


def _waiting() -> dict[str, int] | None:
    """How far the rows are that get their vector just now, None where all have it."""
    done, every = progress(current_embedder().name)
    return {"done": done, "every": every} if done < every else None
