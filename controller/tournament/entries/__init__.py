# SPDX-License-Identifier: MIT
"""The entries of an event's own journal: what each holds, and how it is written."""
