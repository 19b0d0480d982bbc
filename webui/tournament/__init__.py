# SPDX-License-Identifier: MIT
"""The pages and routes of a tournament, served by an event loop (Starlette and uvicorn)."""
