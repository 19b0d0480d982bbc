# SPDX-License-Identifier: MIT
"""The panels, the light and the buzzer of a running table."""
