# SPDX-License-Identifier: MIT
"""
The archive of an event: all of its journals in one file, and the check of such a file.

The check rests on the bytes of the file alone. It needs neither a database nor a network.
"""
