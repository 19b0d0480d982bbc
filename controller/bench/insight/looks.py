# SPDX-License-Identifier: MIT
"""What a test says of many sets of throws when somebody looks after every throw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Looks:
    """
    The evidence against sets of throws.

    Attributes:
        highest: The natural logarithm of the highest evidence against each set.
        first: The throw of each set's first alarm; infinite without one.
    """

    highest: NDArray[np.float64]
    first: NDArray[np.float64]

    def count_alarms(self, evidence: float) -> int:
        """Return how many sets ever reached this evidence."""
        return count_reached(self.highest, evidence)

    @property
    def median_throws(self) -> float:
        """After how many throws half of the sets were spoken against."""
        return float(np.median(self.first))


def count_reached(highest: NDArray[np.float64], evidence: float) -> int:
    """Return in how many sets the highest evidence, as logarithms, reached this evidence."""
    return int((highest >= np.log(evidence)).sum())
