"""Template tags of every page."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: object, icon_class: str = "") -> SafeString:
    """A drawing of `static/icons.svg` by its id; words beside it or on its button say what it means."""
    return _drawn(str(name), icon_class)


@lru_cache(maxsize=512)
def _drawn(name: str, icon_class: str) -> SafeString:
    return format_html(
        '<svg class="icon{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        f" {icon_class}" if icon_class else "",
        static("icons.svg"),
        name,
    )
