# SPDX-License-Identifier: MIT
"""The table as a pure state machine: events in, a new state and effects out."""
