# SPDX-License-Identifier: MIT
"""What a broker gets of a table by MQTT: events, state and health; it gives no orders."""
