# SPDX-License-Identifier: MIT
"""
The report of a game: one file that shows every roll to someone who was not there.

`builder` goes through the entries with the rules, `pictures` adds what the camera saw, `checks`
reports what was verified, and `html` renders one file without scripts or external parts.
"""
