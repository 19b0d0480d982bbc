# SPDX-License-Identifier: MIT
"""Maintenance of a table: the doctor, backups, updates, and the service page."""
