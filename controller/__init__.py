# SPDX-License-Identifier: MIT
"""
The table's mind: rules of the games, records, the table machine, its proof, its wiring.

Start with `controller.games` for the rules, `controller.table` for what happens at a
table, `controller.runtime` for how it all runs.
"""
