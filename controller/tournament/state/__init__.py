# SPDX-License-Identifier: MIT
"""
The event as a fold: entries of its own journal change it, lines of tables give it evidence.

The result depends on the event's own journal alone. Lines of tables may come in any order beside
it; what they lead to is proposed, checked and written as an entry of its own.
"""
