# SPDX-License-Identifier: MIT
"""
What can be checked of a table's folder by somebody who was not there.

`examine` walks once through the journal and lets everybody look who knows one thing:
`chain` the links, `signatures` the tree and who signed it, `rules` the games, `pictures` the
files, `rereading` what they show. `findings` are what they say, `telling` how people and
programs get to know. Nothing here ever writes to the folder.
"""
