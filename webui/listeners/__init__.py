# SPDX-License-Identifier: MIT
"""Accept connections: the public port, and the box's own one."""
