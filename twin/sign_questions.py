"""A question about one sign as a page asks it: its words, and the taps that answer it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from twin.labels import category_label, field_label
from twin.rules.categories import FIELDS, NOT_OBSERVED
from twin.sign_names import MEMBERS


@dataclass(frozen=True)
class SignQuestion:
    """A question with its one-tap answers; without taps it is answered in words."""

    text: str
    taps: list[tuple[str, str]]
    wants_number: bool = False


def sign_question(name: str, category: str, sign: str) -> SignQuestion:
    """How to ask for one sign of a subject called `name`."""
    field = FIELDS[category][sign]
    what = {"name": name, "where": category_label(category), "what": _lower(field_label(category, sign))}
    text = _("%(name)s, %(where)s: %(what)s?") % what
    unseen = ("unseen", str(_("Didn't look")))
    if field.kind == "tri":
        return SignQuestion(text, [("yes", str(_("Yes"))), ("no", str(_("No"))), unseen])
    if field.kind == "enum":
        members = [(one, str(MEMBERS[category, sign][one])) for one in field.members if one != NOT_OBSERVED]
        return SignQuestion(text, [*members, unseen])
    return SignQuestion(text, [unseen], wants_number=field.kind == "number")


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
