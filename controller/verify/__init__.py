# SPDX-License-Identifier: MIT
"""
Checks of a table's folder by someone who was not there.

`verify` walks through the journal once and hands each line to the checks: `chain` the links,
`signatures` the tree and its signatures, `replay_check` the games, `pictures` the files,
`reread` what they show. They report `findings`, which `output` formats. Nothing here writes
to the folder.
"""
