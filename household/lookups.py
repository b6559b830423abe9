"""Variables of templates by the short way: what is plainly a key of a dict or an attribute is taken at once.

Django tries each dotted name as a key, an attribute and an index in turn, and asks of every value whether it
is a number or a moment to be written in the reader's language. Whatever is not plain is left to Django.
"""

from __future__ import annotations

import html
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.template import Node
from django.template.base import FilterExpression, Variable, VariableNode
from django.template.context import Context
from django.utils.safestring import SafeString

MISSED = (KeyError, AttributeError, ObjectDoesNotExist)


class Lookup:
    """A variable without filters, such as `one.record.rec_id`."""

    def __init__(self, expression: FilterExpression) -> None:
        self.expression = expression
        names: tuple[str, ...] = expression.var.lookups
        self.first, self.rest = names[0], names[1:]

    def resolve(self, context: Context, ignore_failures: bool = False) -> Any:
        """Its value, as Django finds it."""
        try:
            return self.found(context)
        except MISSED:
            return self.expression.resolve(context, ignore_failures)

    def found(self, context: Context) -> Any:
        """Its value. Raises one of MISSED where it is not plainly there."""
        current = context[self.first]
        for name in self.rest:
            kind = type(current)
            if kind is dict:
                current = current[name]
            elif hasattr(kind, "__getitem__") or callable(current):
                raise KeyError(name)
            else:
                current = getattr(current, name)
        if callable(current):
            raise KeyError(self.first)
        return current


class Value(Node):
    """A variable written into a page: text is escaped, a whole number is itself."""

    child_nodelists = ()

    def __init__(self, node: VariableNode) -> None:
        self.node, self.lookup = node, Lookup(node.filter_expression)
        self.token, self.origin = node.token, node.origin

    def render(self, context: Context) -> str:
        """What stands in the page."""
        try:
            value = self.lookup.found(context)
        except MISSED:
            return str(self.node.render(context))
        match value:
            case SafeString():
                return value
            case str() if type(value) is str:
                return html.escape(value) if context.autoescape else value
            case int() if type(value) is int:
                return str(value)
        return str(self.node.render(context))


def is_plain(expression: Any) -> bool:
    """Whether an expression is a variable without filters, no literal and nothing to translate."""
    if not isinstance(expression, FilterExpression) or expression.filters:
        return False
    var = expression.var
    return isinstance(var, Variable) and var.lookups is not None and not var.translate


def shortened(expression: Any) -> Any:
    """The same expression, by the short way where there is one."""
    return Lookup(expression) if is_plain(expression) else expression
