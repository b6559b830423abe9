"""What no request changes is drawn once for each language, and looks as Django alone would draw it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.template import Context, Template, engines
from django.template.base import FilterExpression
from django.urls import NoReverseMatch
from django.utils import translation
from django.utils.safestring import mark_safe

from household import templating
from household.models import Person
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


class Cat:
    name = "<Mavi>"
    age = 4

    def __getitem__(self, key: str) -> str:
        return {"sound": "purr"}[key]

    def purrs(self) -> str:
        return "& purrs"


class Nobody:
    @property
    def name(self) -> str:
        raise Person.DoesNotExist


class House:
    cat, nobody, word = Cat(), Nobody(), translation.gettext_lazy("Today")
    rows = ("a", "b")


VALUES = {
    "house": House(),
    "held": {"cat": Cat(), "items": "mine", "n": 0, "price": 1234.5, "on": dt.date(2026, 3, 1)},
    "safe": mark_safe("<b>"),
    "text": "<i>'\"",
    "nothing": None,
    "yes": True,
    "many": 1234567,
    "call": lambda: "<called>",
    "Cat": Cat,
}
PATHS = (
    *("house.cat.name", "house.cat.age", "house.cat.sound", "house.cat.purrs", "house.word", "house.rows.1"),
    *("house.nobody.name", "house.no.such", "held.cat.name", "held.items", "held.n", "held.price", "held.on"),
    *("safe", "text", "text.upper", "nothing", "nothing.more", "yes", "many", "call", "Cat.name", "absent"),
)


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("path", PATHS)
def test_a_variable_is_what_django_finds(path: str, language: str):
    source = (
        f"{{{{ {path} }}}}{{% autoescape off %}}{{{{ {path} }}}}{{% endautoescape %}}"
        f"{{% if {path} %}}there{{% elif not {path} and yes %}}not there{{% endif %}}"
        f"{{% with it={path} %}}{{{{ it }}}}{{% endwith %}}{{{{ {path}|default:'-' }}}}"
    )
    with translation.override(language):
        assert settled(source).render(Context(VALUES)) == plain(source).render(Context(VALUES))


@pytest.mark.parametrize("path", PATHS)
def test_a_loop_goes_over_what_django_finds(path: str):
    source = f"{{% for one in {path} %}}[{{{{ one }}}}]{{% empty %}}none{{% endfor %}}"
    try:
        expected = plain(source).render(Context(VALUES))
    except TypeError as refused:  # what cannot be looped over
        with pytest.raises(TypeError, match=re.escape(str(refused))):
            settled(source).render(Context(VALUES))
    else:
        assert settled(source).render(Context(VALUES)) == expected


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
