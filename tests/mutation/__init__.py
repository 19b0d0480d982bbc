# SPDX-License-Identifier: MIT
"""Change one place of the product at a time and see whether a test notices: `make mutate`."""
