# SPDX-License-Identifier: MIT
"""The steps from an empty database to the present tables, for Alembic; one step a file."""
