# SPDX-License-Identifier: MIT
"""Frozen dataclasses of arrays with one row a sample, such as patches, cuts and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    _Record = TypeVar("_Record", bound=DataclassInstance)


def as_arrays(record: DataclassInstance) -> dict[str, NDArray[Any]]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def join_records(parts: Sequence[_Record]) -> _Record:
    """Return one record with the rows of one or several."""
    names = [field.name for field in fields(parts[0])]
    joined = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
    return type(parts[0])(*joined)
