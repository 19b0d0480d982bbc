# SPDX-License-Identifier: MIT
"""Kill a playing table many times: what its screens showed must be what the journal holds."""
