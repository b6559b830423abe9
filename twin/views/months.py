"""One month of a subject: sleep, arousal and the other taps as calendars, and the medicines taken."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from household.access import require
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from household.views.refusals import unfit
from twin.charts_month import dose_calendar, field_calendar
from twin.rules.form_fields import fields_for
from twin.rules.months import CATEGORIES, FIRST_FIELDS, UnknownMonth, marks_of, month_at, month_of
from twin.services.days import day_of
from twin.services.months import gather_month
from twin.views.subject_nav import note_professional_look, subject_page


@for_members
def month_show(request: Asked, pk: int) -> HttpResponse:
    """The month an address names, the present one without; `field` adds one more field of the form."""
    subject = require(request.user, Action.VIEW, Resource.OBSERVATION, pk).subject
    today = day_of(subject, request.now)
    fields = fields_for(subject.kind)
    extra = request.GET.get("field", "")
    try:
        month = month_of(request.GET.get("month", ""), today=today)
    except UnknownMonth:
        return unfit(request, _("That is no month. Choose one by the arrows of the page."))
    if extra and extra not in fields:
        return unfit(request, _("No form has such a row. Choose one of those on the page."))
    note_professional_look(request, pk, Resource.OBSERVATION)
    found = gather_month(request.user, subject, month)
    shown = (extra,) if extra else FIRST_FIELDS[subject.kind]
    calendars = [
        (
            _(fields[key].label),
            fields[key].icon,
            field_calendar(
                fields[key],
                month,
                marks_of(fields[key], month, found.fills, found.told.get(CATEGORIES.get(key, ""), {})),
                today=today,
            ),
        )
        for key in shown
    ]
    doses = [
        (row, dose_calendar(row.name, month, counts, today=today))
        for row, counts in ([] if extra else found.medicines)
    ]
    context = {
        **subject_page(request, pk, at="twin:month-show"),
        "month": month,
        "is_last": month.first >= month_at(today).first,
        "extra": extra,
        "fields": [(key, _(field.label)) for key, field in fields.items()],
        "calendars": calendars,
        "doses": doses,
    }
    return render(request, "twin/month_show.html", context)
