# SPDX-License-Identifier: MIT
"""The entries of an event's own journal, and the event as a fold of them."""
