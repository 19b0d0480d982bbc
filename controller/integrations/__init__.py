# SPDX-License-Identifier: MIT
"""What other programs get from a table: the API and MQTT."""
