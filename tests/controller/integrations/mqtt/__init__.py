# SPDX-License-Identifier: MIT
"""Tables that send to a broker, most of them to a real mosquitto."""
