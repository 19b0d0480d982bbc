# SPDX-License-Identifier: MIT
"""The event while it runs: it follows what is durable, and writes what follows by itself."""
