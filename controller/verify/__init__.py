# SPDX-License-Identifier: MIT
"""
What can be checked of a table's folder by somebody who was not there.

`verify` walks once through the journal and lets everybody look who knows one thing:
`chain` the links, `signatures` the tree and who signed it, `replay_check` the games, `pictures` the
files, `reread` what they show. `findings` are what they say, `output` how people and
programs get to know. Nothing here ever writes to the folder.
"""
