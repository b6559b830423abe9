"""Queries whose SQL is made once: a page asks ten, and to make one costs more than to answer it.

`@prepared()` stands on a function from values to a queryset. It is made once, with a `Given` for each
value; every later use fills the values in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import Expression, Field, Lookup, QuerySet
from django.db.models.fields.related import ForeignObject
from psycopg import sql

if TYPE_CHECKING:
    AnyLookup = Lookup[Any]
else:
    AnyLookup = Lookup

M = TypeVar("M", bound=models.Model)
Build: TypeAlias = Callable[..., QuerySet[M] | tuple[QuerySet[M], ...]]
SUBJECTS = "subject_ids"
SHAPES = 64
PLAIN = (str, int, bool)


class Given(Expression):
    """A value of a query that has its name when the query is made and is known when it is asked."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """A placeholder, and itself as what fills it."""
        return "%s", (self,)


@Field.register_lookup
@ForeignObject.register_lookup
class Among(AnyLookup):
    """`field__among=[1, 2]`: as `in`, with the list as one value, so that every length has the same SQL."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """The comparison with any of an array."""
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        return f"{left} = ANY({right})", (*left_params, *right_params)


def with_constants(query: str, params: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """A query in which values that never change stand as they are: (the SQL, the values that are left).

    A plan that the database keeps for every value knows then which partial index they allow.
    """
    left, given = [], iter(params)

    def stands(found: re.Match[str]) -> str:
        if found.group() == "%%":
            return "%%"
        value = next(given)
        if isinstance(value, str):
            value = str.__str__(value)  # what a member of an enumeration stands for
        if type(value) in PLAIN:
            return sql.Literal(value).as_string(None).replace("%", "%%")
        left.append(value)
        return "%s"

    return re.sub("%[%s]", stands, query), tuple(left)


class Made(Generic[M]):
    """A queryset with its SQL."""

    def __init__(self, queryset: QuerySet[M]) -> None:
        self.queryset = queryset
        self.compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.params = with_constants(*self.compiler.as_sql())

    def rows(self, values: dict[str, Any]) -> list[M]:
        """What the database gives for these values."""
        compiler: Any = copy(self.compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        params = tuple(values[one.name] if isinstance(one, Given) else one for one in self.params)
        compiler.as_sql = lambda *_args, **_kwargs: (self.sql, params)
        asked: Any = self.queryset.all()
        asked.query.get_compiler = lambda *_args, **_kwargs: compiler
        return list(asked)


class Prepared(Generic[M]):
    """A query that is made once, and once more narrowed to some subjects; it gives `most` of its rows.

    Of several querysets it gives the rows of all, in no order, and `most` of each.
    """

    def __init__(self, build: Build[M], most: int | None) -> None:
        self.build, self.most = build, most
        self.made = lru_cache(SHAPES)(self._make)

    def narrowed(
        self, narrow: Callable[[QuerySet[M]], QuerySet[M]], *shape: Hashable, **values: Any
    ) -> QuerySet[M]:
        """The queryset of these values as Django makes it, each of its parts narrowed."""
        built = self.build(*shape, **values)
        first, *rest = [narrow(one)[: self.most] for one in (built if isinstance(built, tuple) else [built])]
        return first.union(*rest, all=True) if rest else first

    def rows(self, *shape: Hashable, **values: Any) -> list[M]:
        """The rows of these values. What of a query is no value but changes its SQL is its `shape`."""
        return self.made(shape, frozenset(values), is_narrowed=False).rows(values)

    def rows_of(self, subject_ids: Iterable[int], *shape: Hashable, **values: Any) -> list[M]:
        """Those of them that are of these subjects. Raises TypeError where one may be its author's alone."""
        made = self.made(shape, frozenset(values), is_narrowed=True)
        return made.rows({**values, SUBJECTS: list(subject_ids)})

    def _make(self, shape: tuple[Hashable, ...], names: frozenset[str], *, is_narrowed: bool) -> Made[M]:
        narrow = _of_subjects if is_narrowed else _whole
        return Made(self.narrowed(narrow, *shape, **{name: Given(name) for name in names}))


def _of_subjects(rows: QuerySet[M]) -> QuerySet[M]:
    if hasattr(rows.model, "is_private"):
        raise TypeError(f"rows of {rows.model._meta.label} may be their author's alone: ask by `visible`")
    return rows.filter(subject_id__among=Given(SUBJECTS))


def _whole(rows: QuerySet[M]) -> QuerySet[M]:
    return rows


def prepared(*, most: int | None = None) -> Callable[[Build[M]], Prepared[M]]:
    """Make a query of a function that gives a queryset or several, unsliced, for values by name."""
    return lambda build: Prepared(build, most)
