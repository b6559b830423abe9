"""The book: who is in it, adding a page and changing it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, OuterRef, Subquery
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from household.access import Denied, require, require_parent, visible
from household.models import Household
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from twin.forms import ProfileForm, SubjectForm, profile_initial, subject_initial
from twin.models import PersonProfile, Record, Subject
from twin.models.subjects import SPECIES
from twin.services.days import day_of
from twin.services.subjects import add_subject, change_profile, change_subject
from twin.shown import description_of, hue_of
from twin.views.subject_nav import note_professional_look


@for_members
def subject_list(request: Asked) -> HttpResponse:
    """Everybody in the book, each with what is open."""
    noted = Record.objects.standing().filter(subject=OuterRef("pk"), lifecycle="day", day__isnull=False)
    last = visible(request.user, Resource.OBSERVATION, noted).order_by("-day").values("day")[:1]
    everybody = Subject.objects.annotate(last_day=Subquery(last)).order_by("name", "id")
    rows = visible(request.user, Resource.PROFILE, everybody)
    is_open = visible(request.user, Resource.OBSERVATION, Record.objects.open_courses())
    courses = dict(is_open.values_list("subject_id").annotate(count=Count("id")))
    cards = [_card(request, row, courses.get(row.pk, 0)) for row in rows]
    for pk in request.sight.subjects:
        note_professional_look(request, pk, Resource.PROFILE)
    context = {"cards": cards, "is_parent": request.sight.is_parent()}
    return render(request, "twin/subject_list.html", context)


def _card(request: Asked, subject: Any, courses: int) -> dict[str, Any]:
    return {
        "subject": subject,
        "opens": bool(request.sight.subjects[subject.pk].views),
        "hue": hue_of(request.sight.subjects, subject.pk),
        "described": description_of(subject, day_of(subject, request.now)),
        "last_day": subject.last_day,
        "courses": courses,
    }


@for_members
def subject_add(request: Asked) -> HttpResponse:
    """Add a child or an animal: first the kind, then what is known."""
    require_parent(request.user)
    species = request.GET.get("kind", "")
    if species not in dict(SPECIES):
        return render(request, "twin/subject_add.html", {"kinds": SPECIES})
    form = SubjectForm(
        request.POST or None,
        species=species,
        today=request.now.date(),
        initial={"time_zone": Household.objects.values_list("time_zone", flat=True).first()},
    )
    if form.is_bound and form.is_valid():
        subject = add_subject(
            person=request.user,
            now=request.now,
            gid=form.cleaned_data["client_id"],
            species=species,
            language=request.user.language,
            **form.subject(),
        )
        messages.success(request, _("%(name)s has a page in the book.") % {"name": subject.name})
        page = "twin:profile-change" if species == "person" else "twin:subject-show"
        return redirect(page, subject.pk)
    context = {"kinds": SPECIES, "species": species, "form": form}
    return render(request, "twin/subject_add.html", context, status=_status(form))


def _status(form: forms.Form) -> int:
    return 422 if form.is_bound else 200


def _subject(request: Asked, pk: int) -> Subject:
    """The subject, for its parents. Raises Denied."""
    return require(request.user, Action.ADD, Resource.PROFILE, pk).subject  # type: ignore[no-any-return]


@for_members
def subject_change(request: Asked, pk: int) -> HttpResponse:
    """Change what is known of a subject."""
    subject = _subject(request, pk)
    form = SubjectForm(
        request.POST or None,
        species=subject.species,
        today=request.now.date(),
        initial=subject_initial(subject),
    )
    if form.is_bound and form.is_valid():
        change_subject(subject=subject, **form.subject())
        messages.success(request, _("Saved for %(name)s.") % {"name": subject.name})
        return redirect("twin:subject-show", pk)
    context = {"subject": subject, "hue": hue_of(request.sight.subjects, pk), "form": form}
    return render(request, "twin/subject_change.html", context, status=_status(form))


@for_members
def profile_change(request: Asked, pk: int) -> HttpResponse:
    """Write down what everybody who helps a child should know."""
    subject = _subject(request, pk)
    profile = PersonProfile.objects.filter(subject=subject).first()
    if profile is None:
        raise Denied
    form = ProfileForm(request.POST or None, initial=profile_initial(profile))
    if form.is_bound and form.is_valid():
        change_profile(profile=profile, now=request.now, **form.cleaned_data)
        messages.success(request, _("Saved for %(name)s.") % {"name": subject.name})
        return redirect("twin:subject-show", pk)
    context = {"subject": subject, "hue": hue_of(request.sight.subjects, pk), "form": form}
    return render(request, "twin/profile_change.html", context, status=_status(form))
