# SPDX-License-Identifier: MIT
"""
One file with everything that a table remembers, and the way back.

A zip, because people can look into it anywhere. `archive` says what it holds, `create`
writes one while the table runs, `restore` checks one to the last byte before anything
on the machine is touched.
"""
