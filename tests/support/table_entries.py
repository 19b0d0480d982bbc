# SPDX-License-Identifier: MIT
"""Entries of a table's journal at random, of every kind."""

from __future__ import annotations

from types import UnionType
from typing import Any, get_args, get_origin

import msgspec
from hypothesis import strategies as st

WHOLE = st.integers(-(1 << 70), 1 << 70)
ANYTHING = st.recursive(
    st.none() | st.booleans() | WHOLE | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return values of a field's type."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and parts[-1] is ...:
        return st.lists(values_of(parts[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, parts))
    if origin is dict:
        return st.dictionaries(st.text(), values_of(parts[1]), max_size=3)
    if origin is UnionType:
        return st.one_of(*map(values_of, parts))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return parts_of(hint)
    simple = {int: WHOLE, str: st.text(), bool: st.booleans(), object: ANYTHING}
    return simple.get(hint, st.none())


def parts_of(part: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    fields = {each.name: values_of(each.type) for each in msgspec.structs.fields(part)}
    return st.builds(part, **fields)
