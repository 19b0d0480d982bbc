# SPDX-License-Identifier: MIT
"""Looking after a table: the doctor, backups, updates, and what the service page does."""
