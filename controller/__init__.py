# SPDX-License-Identifier: MIT
"""
The controller of the table: rules, records, the table machine, the journal, and the runtime.

Start with `controller.games` for the rules, `controller.table` for what happens at a table, and
`controller.runtime` for how it runs.
"""
