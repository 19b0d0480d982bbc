# SPDX-License-Identifier: MIT
"""The journals of the tables of an event, and the event's own, in one database."""
