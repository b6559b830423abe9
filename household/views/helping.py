"""Help, written for people: what the book counts, what it never does, who sees what; and the keyboard."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from household.context import page
from household.views.pages import Asked, for_members


@for_members
def help_show(request: Asked) -> HttpResponse:
    """What Hearthbook is for, told to whoever lives with it."""
    return render(request, "household/help_show.html")


@for_members
def keys_show(request: Asked) -> HttpResponse:
    """Every shortcut this person has, and the switch that turns single keys off."""
    places = [(("g", item["key"]), item["label"]) for item in page(request)["nav"]]
    acts = [
        (("n",), _("Write something down")),
        (("/",), _("Search")),
        (("?",), _("This page")),
        (("Ctrl", "Enter"), _("Send what you are writing")),
        (("Alt", "U"), _("To Undo, also while you are writing; its minute stands still while you are there")),
        (("Esc",), _("Close a menu or a dialog")),
        (("Tab",), _("The next thing; the first Tab of a page skips to its middle")),
    ]
    return render(request, "household/keys_show.html", {"places": places, "acts": acts})
