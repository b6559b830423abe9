"""Template tags of every page."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Any

from django import template
from django.template import defaultfilters
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from household.dates import day_in_words

register = template.Library()


@register.simple_tag
def icon(name: object, icon_class: str = "") -> SafeString:
    """A drawing of `static/icons.svg` by its id; words beside it or on its button say what it means."""
    return _drawn(str(name), icon_class)


@register.filter(name="date", expects_localtime=True, is_safe=False)
def date(value: Any, form: str | None = None) -> str:
    """Django's own filter; the words of a plain day are kept."""
    if type(value) is dt.date and form:
        return day_in_words(value, form)
    return str(defaultfilters.date(value, form))


@lru_cache(maxsize=512)
def _drawn(name: str, icon_class: str) -> SafeString:
    return format_html(
        '<svg class="icon{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        f" {icon_class}" if icon_class else "",
        static("icons.svg"),
        name,
    )
