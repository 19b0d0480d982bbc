# SPDX-License-Identifier: MIT
"""Pages for a big screen and for streaming programs."""
