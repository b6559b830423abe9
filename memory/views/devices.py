"""Devices: pairing one, seeing them all, renaming and revoking. For parents."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, require_parent, sight_of
from household.models import Device
from household.rules.pairing import LASTS
from household.rules.permissions import Role
from household.services.devices import devices_of, make_code, rename, revoke
from household.views.invitations import qr_of
from household.views.pages import Asked, for_members
from memory.device_forms import DeviceNameForm, PairForm
from memory.services.devices import lags, spent_today

REASONS = {
    "parent": lambda: _("A parent took it off the house."),
    "membership": lambda: _("Who paired it is no parent here any more."),
    "replaced": lambda: _("It was paired anew."),
}


@for_members
def device_list(request: Asked) -> HttpResponse:
    """Every device of this parent's house, and the way to pair another."""
    require_parent(request.user)
    return _list(request)


def _list(request: Asked, *, renaming: dict[str, Any] | None = None, status: int = 200) -> HttpResponse:
    found = devices_of(request.user)
    behind = lags(request.user, found)
    rows = [
        {
            "device": device,
            "lag": behind.get(str(device.pk)),
            "reason": REASONS[device.revoked_why]() if device.revoked_at else "",
        }
        for device in found
    ]
    context = {
        "rows": [row for row in rows if not row["reason"]],
        "ended": [row for row in rows if row["reason"]],
        "form": PairForm(children=_children(request), initial={"child": _first(request)}),
        "spent": spent_today(request.user, now=request.now),
        **(renaming or {}),
    }
    return render(request, "memory/device_list.html", context, status=status)


def _children(request: Asked) -> list[tuple[int, str]]:
    subjects = sight_of(request.user).subjects.items()
    return [(pk, one.name) for pk, one in subjects if one.species == "person" and Role.PARENT in one.roles]


def _first(request: Asked) -> int | str:
    return next((pk for pk, _name in _children(request)), "")


@require_POST
@for_members
def device_pair(request: Asked) -> HttpResponse:
    """Make a code, and show it this once: to type, or to hold before the device's camera."""
    require_parent(request.user)
    form = PairForm(request.POST, children=_children(request))
    if not form.is_valid():
        raise Denied
    child = form.cleaned_data["child"]
    code = make_code(person=request.user, child_id=child, now=request.now)
    house = request.build_absolute_uri("/").rstrip("/")
    context = {
        "code": f"{code[:3]} {code[3:]}",
        "house": house,
        "qr": qr_of(_square(house, code, is_companion=child is not None)),
        "until": request.now + LASTS,
        "until_ms": int((request.now + LASTS).timestamp() * 1000),
        "lasts_s": int(LASTS.total_seconds()),
        "child": child,
        "whose": dict(_children(request)).get(child, ""),
    }
    return render(request, "memory/device_pair.html", context)


def _square(house: str, code: str, *, is_companion: bool) -> str:
    """What the square says: a tablet's camera opens the companion with the code, which no server is told."""
    if is_companion:
        return f"{house}{reverse('memory:companion-show')}#code={code}"
    return f"hearthbook://pair?house={house}&code={code}"


@require_POST
@for_members
def device_rename(request: Asked, device: uuid.UUID) -> HttpResponse:
    """Call a device otherwise."""
    require_parent(request.user)
    form = DeviceNameForm(request.POST)
    if not form.is_valid():
        _own(request, device)
        return _list(request, renaming={"renaming": device, "name_form": form}, status=422)
    rename(person=request.user, device=device, name=form.cleaned_data["name"])
    messages.success(request, _("Saved."))
    return redirect("memory:device-list")


@for_members
def device_revoke(request: Asked, device: uuid.UUID) -> HttpResponse:
    """Take a device off the house, after saying what that does."""
    require_parent(request.user)
    row = _own(request, device)
    if request.method != "POST":
        return render(request, "memory/device_revoke.html", {"device": row})
    revoke(person=request.user, device=device, now=request.now)
    messages.success(request, _("%(name)s is no longer part of the house.") % {"name": row.name})
    return redirect("memory:device-list")


def _own(request: Asked, device: uuid.UUID) -> Device:
    row = next((one for one in devices_of(request.user) if one.pk == device), None)
    if row is None:
        raise Denied
    return row
