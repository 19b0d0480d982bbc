# SPDX-License-Identifier: MIT
"""
The report of a game: one file that shows every roll to somebody who was not there.

`builder` goes through the entries with the rules at hand and tells what happened, `pictures`
brings what was seen, `checks` says what of it can be believed, and `html` makes one HTML
file of it that needs no network, no script and no second file.
"""
