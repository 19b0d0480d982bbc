# SPDX-License-Identifier: MIT
"""Watch a running table: health, metrics, and the notifications to systemd."""
