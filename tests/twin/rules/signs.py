"""Hypothesis strategies for a category's signs."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from twin.rules.categories import CATEGORIES, SCHEMAS, SignField


def sign_values(field: SignField) -> st.SearchStrategy[Any]:
    """Any accepted value of one sign."""
    match field.kind:
        case "tri":
            return st.booleans()
        case "enum":
            return st.sampled_from(field.members)
        case "number" if field.is_whole:
            return st.integers(int(field.low or 0), int(field.high or 0))
        case "number":
            return st.floats(field.low, field.high)
        case _:
            return st.sampled_from(["left hind", "ense", "the market", "ön pati"])


def signs_of(category: str) -> st.SearchStrategy[dict[str, Any]]:
    """Any accepted signs of a category, none of them required."""
    return st.fixed_dictionaries({}, optional={field.name: sign_values(field) for field in SCHEMAS[category]})


@st.composite
def category_and_signs(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A category with some of its signs."""
    category = draw(st.sampled_from(CATEGORIES))
    return category, draw(signs_of(category))
