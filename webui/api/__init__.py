# SPDX-License-Identifier: MIT
"""The interface for other programs, `/api/v1`, as `docs/api.md` and `openapi.json` describe it."""
