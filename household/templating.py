"""Templates whose unchanging parts are drawn once: words, links and icons that no request changes.

Most of a page says the same to everybody who reads its language: the head, the frame, labels and buttons.
The loader joins such neighbouring parts of a parsed template into one, which remembers how it looks in each
language; what hangs on the request or its rows is drawn as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any, TypeGuard

from django.template import Node, NodeList, Origin, Template
from django.template.base import FilterExpression, TextNode, TokenType, Variable, VariableNode
from django.template.context import Context
from django.template.defaulttags import ForNode, IfNode, LoadNode, TemplateLiteral, URLNode, WithNode
from django.template.library import SimpleNode
from django.template.loader_tags import IncludeNode
from django.template.loaders import base, cached
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode
from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from household.lookups import Value, is_plain, shortened
from household.tags import icon

ADDRESSES = 4096


class _Settling(base.Loader):
    """Settles each template as it is parsed."""

    def get_template(self, template_name: str, skip: list[Origin] | None = None) -> Template:
        template = super().get_template(template_name, skip)
        settle(template.nodelist)
        return template


class Loader(cached.Loader, _Settling):
    """Django's caching loader, each of its templates settled."""


class Settled(Node):
    """Neighbours that look the same whoever asks, as they look in each language."""

    child_nodelists = ()

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.drawn: dict[str | None, str] = {}
        self.speaks = any(isinstance(one, TranslateNode | BlockTranslateNode) for one in nodes)
        self.token, self.origin = nodes[0].token, nodes[0].origin

    def render_annotated(self, context: Context) -> str:
        """What it looks like to whoever reads now."""
        language = get_language() if self.speaks else None
        if language not in self.drawn:
            self.drawn[language] = "".join(str(one.render_annotated(context)) for one in self.nodes)
        return self.drawn[language]

    render = render_annotated


class Address(Node):
    """A link to a page of some row; it is remembered which address each row has."""

    child_nodelists = ()

    def __init__(self, node: URLNode) -> None:
        self.name, self.args = str(node.view_name.var), [shortened(one) for one in node.args]
        self.token, self.origin = node.token, node.origin

    def render(self, context: Context) -> SafeString:
        """The address. Raises NoReverseMatch."""
        return address(self.name, *[one.resolve(context) for one in self.args])


@lru_cache(maxsize=ADDRESSES, typed=True)
def address(name: str, *args: Any) -> SafeString:
    """The address of a page by its URL name, fit for HTML. Raises NoReverseMatch."""
    return conditional_escape(reverse(name, args=args))


def settle(nodes: NodeList) -> None:
    """Join what no request changes, here and in all that lies within."""
    for node in nodes:
        _shorten(node)
        for inner in _within(node):
            settle(inner)
    nodes[:] = [one for is_fixed, run in groupby(nodes, _is_fixed) for one in _joined(is_fixed, list(run))]


def _within(node: Node) -> Iterable[NodeList]:
    if isinstance(node, IfNode):
        return [nodes for _condition, nodes in node.conditions_nodelists]
    found = (getattr(node, name, None) for name in node.child_nodelists)
    return [one for one in found if isinstance(one, NodeList)]


def _joined(is_fixed: bool, run: list[Node]) -> list[Node]:
    if is_fixed:
        return run if len(run) == 1 and isinstance(run[0], TextNode) else [Settled(run)]
    return [_quicker(one) for one in run]


def _quicker(node: Node) -> Node:
    if _is_address(node):
        return Address(node)
    if isinstance(node, VariableNode) and is_plain(node.filter_expression):
        return Value(node)
    return node


def _shorten(node: Any) -> None:
    """Let what a node asks of its variables be found by the short way."""
    match node:
        case IncludeNode() | WithNode():
            node.extra_context = {name: shortened(one) for name, one in node.extra_context.items()}
        case ForNode():
            node.sequence = shortened(node.sequence)
        case IfNode():
            for condition, _nodes in node.conditions_nodelists:
                _shorten_condition(condition)


def _shorten_condition(condition: Any) -> None:
    """A condition is a tree of operators over values, None at an `else`."""
    if isinstance(condition, TemplateLiteral):
        condition.value = shortened(condition.value)
    for side in ("first", "second"):
        if getattr(condition, side, None) is not None:
            _shorten_condition(getattr(condition, side))


def _is_address(node: Node) -> TypeGuard[URLNode]:
    return isinstance(node, URLNode) and node.asvar is None and not node.kwargs and _is_said(node.view_name)


def _is_fixed(node: Node) -> bool:
    look = FIXED.get(type(node))
    return look is not None and look(node)


def _is_said(*expressions: FilterExpression) -> bool:
    """Whether each stands in the template itself, without filters."""
    return not any(one.is_var or one.filters for one in expressions)


def _is_translated(node: Any) -> bool:
    words = node.filter_expression
    is_plain = isinstance(words.var, Variable) and words.var.literal is not None and not words.filters
    return is_plain and node.asvar is None and _is_said(*filter(None, [node.message_context]))


def _is_block(node: Any) -> bool:
    has_more = node.extra_context or node.plural or node.asvar or node.message_context
    return not has_more and all(one.token_type == TokenType.TEXT for one in node.singular)


def _is_icon(node: Any) -> bool:
    return node.func is icon and node.target_var is None and not node.kwargs and _is_said(*node.args)


FIXED: Mapping[type[Node], Callable[[Any], bool]] = {
    TextNode: lambda node: True,
    LoadNode: lambda node: True,
    TranslateNode: _is_translated,
    BlockTranslateNode: _is_block,
    StaticNode: lambda node: node.varname is None and _is_said(node.path),
    URLNode: lambda node: _is_address(node) and not node.args,
    SimpleNode: _is_icon,
}
