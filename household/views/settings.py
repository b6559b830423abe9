"""The household's settings, its people and who may see what. For parents."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from household.access import require_parent
from household.forms import HouseholdForm, LimitsForm, PinForm, ThinkingForm
from household.labels import matrix_table
from household.models import Endpoint, Household, Person
from household.rules import registers as rules
from household.services.registers import change_household, change_settings, hash_pin, read_registers
from household.services.thinking import choose_endpoint, drop_endpoint
from household.views.pages import Asked, for_members

FORMS = {"home": HouseholdForm, "limits": LimitsForm, "pin": PinForm, "thinking": ThinkingForm}


@for_members
def settings_show(request: Asked) -> HttpResponse:
    """Everything a parent sets for the home; each card saves by itself."""
    require_parent(request.user)
    sent = request.POST.get("card", "") if request.method == "POST" else ""
    forms = _forms(request, sent)
    form = forms.get(sent)
    removes_pin = sent == "pin" and "remove" in request.POST
    if form is not None and (removes_pin or form.is_valid()):
        _save(request, sent, form, removes_pin=removes_pin)
        messages.success(request, _("Saved."))
        return redirect("household:settings-show")
    context = {
        "forms": forms,
        "has_pin": rules.read(read_registers(), "pin") is not None,
        "people": Person.objects.order_by("name").prefetch_related("memberships__subject"),
    }
    return render(request, "household/settings_show.html", context, status=422 if form else 200)


def _forms(request: Asked, sent: str) -> dict[str, Any]:
    initial = {"home": _home(), "limits": _limits(), "pin": {}, "thinking": _thinking()}
    return {
        name: form(request.POST if name == sent else None, prefix=name, initial=initial[name])
        for name, form in FORMS.items()
    }


def _home() -> dict[str, Any]:
    house = Household.objects.get()
    return {"name": house.name, "time_zone": house.time_zone, "language": house.language}


def _limits() -> dict[str, Any]:
    held = read_registers()
    values = {name: rules.read(held, name) for name in LimitsForm.base_fields if not name.startswith("quiet")}
    quiet = rules.read(held, "quiet") or {"from": None, "to": None}
    ends = {f"quiet_{end}": dt.time.fromisoformat(at) if at else None for end, at in quiet.items()}
    return {**values, **ends}


def _thinking() -> dict[str, Any]:
    chosen = Endpoint.objects.filter(purpose="routine").first()
    if chosen is None:
        return {}
    return {"base_url": chosen.base_url, "model": chosen.model, "timeout_s": chosen.timeout_s}


def _save_thinking(given: dict[str, Any]) -> None:
    """Use the model for every kind of thinking, or none where the address was taken out."""
    for purpose in ("routine", "analytical"):
        if given["base_url"]:
            choose_endpoint(
                purpose=purpose,
                base_url=given["base_url"],
                model=given["model"],
                key=given["key"] or None,
                timeout_s=given["timeout_s"],
                is_on=True,
            )
        else:
            drop_endpoint(purpose)


def _save(request: Asked, card: str, form: Any, *, removes_pin: bool) -> None:
    match card:
        case "home":
            change_household(**form.cleaned_data, now=request.now)
        case "limits":
            change_settings(form.settings(), now=request.now)
        case "pin":
            pin = None if removes_pin else hash_pin(form.cleaned_data["pin"])
            change_settings({"pin": pin}, now=request.now)
        case "thinking":
            _save_thinking(form.cleaned_data)


@for_members
def matrix_show(request: Asked) -> HttpResponse:
    """Who may see and add what, as the code enforces it."""
    require_parent(request.user)
    return render(request, "household/matrix_show.html", {"table": matrix_table()})
