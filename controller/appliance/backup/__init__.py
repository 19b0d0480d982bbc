# SPDX-License-Identifier: MIT
"""
Back up everything that a table stores, and restore it.

A backup is a zip file, which every system can open. `archive` defines its content, `create`
writes one while the table runs, `restore` checks every byte before it changes anything.
"""
