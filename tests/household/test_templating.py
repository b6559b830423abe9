"""What no request changes is drawn once for each language, and looks as Django alone would draw it."""

from __future__ import annotations

from typing import Any

import pytest
from django.template import Context, Template, engines
from django.template.base import FilterExpression
from django.urls import NoReverseMatch
from django.utils import translation

from household import templating
from household.templating import Settled, settle

FIXED = (
    '{% load i18n %}<a href="{% url "twin:today-show" %}">{% icon "today" %}{% translate "Today" %}</a>'
    '<img src="{% static "icon.svg" %}">{% translate "Open" context "course" %}'
    "{% blocktranslate trimmed %}\n Today {% endblocktranslate %}"
)
MIXED = (
    '{% for one in rows %}{% if one %}<p>{% translate "Today" %} {{ one }}'
    ' {% url "twin:subject-show" one %}</p>{% else %}{% translate "Book" %}{% endif %}'
    '{% empty %}{% icon "ask" %}{% endfor %}{% translate "Ask" as later %}{{ later }}'
    "{% blocktranslate %}Open {{ rows }}{% endblocktranslate %}"
)


def plain(source: str) -> Template:
    return engines["django"].engine.from_string(source)  # type: ignore[attr-defined,no-any-return]


def settled(source: str) -> Template:
    template = plain(source)
    settle(template.nodelist)
    return template


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("rows", [[], [3, 0, 5]])
@pytest.mark.parametrize("source", [FIXED, MIXED, f"{FIXED}{MIXED}{FIXED}"])
def test_it_looks_as_django_draws_it(source: str, rows: list[int], language: str):
    template = settled(source)
    for _time in range(2):
        with translation.override(language):
            assert template.render(Context({"rows": rows})) == plain(source).render(Context({"rows": rows}))


def test_what_is_fixed_is_one_part_and_is_drawn_once_for_each_language(monkeypatch: pytest.MonkeyPatch):
    template = settled(FIXED)
    assert [type(node) for node in template.nodelist] == [Settled]
    asked: list[Any] = []
    resolve = FilterExpression.resolve
    monkeypatch.setattr(
        FilterExpression, "resolve", lambda self, *a, **k: asked.append(self) or resolve(self, *a, **k)
    )
    seen = {}
    for language in ("en", "tr", "en", "tr"):
        asked.clear()
        with translation.override(language):
            seen.setdefault(language, (template.render(Context()), len(asked)))
    assert seen["en"][0] != seen["tr"][0]
    assert seen["en"][1] and seen["tr"][1] and not asked


def test_an_address_is_found_once_for_each_row(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    templating.address.cache_clear()
    found = templating.reverse
    monkeypatch.setattr(
        templating, "reverse", lambda name, args: asked.append(name) or found(name, args=args)
    )
    template = settled('{% for one in rows %}{% url "twin:subject-show" one %} {% endfor %}')
    assert template.render(Context({"rows": [1, 2, 1]})) == "/book/1 /book/2 /book/1 "
    assert len(asked) == 2
    with pytest.raises(NoReverseMatch):
        settled('{% url "twin:no-such-page" one %}').render(Context({"one": 1}))
