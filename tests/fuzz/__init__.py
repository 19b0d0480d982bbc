# SPDX-License-Identifier: MIT
"""
Search for files and requests that the product dies of: `make fuzz INPUT=journal MINUTES=10`.

`targets` has one target for each thing that strangers send or hand over. `search` mutates its
seeds, and what once broke something is kept in `corpus`. A quick search is part of the tests.
"""
