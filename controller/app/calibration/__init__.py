# SPDX-License-Identifier: MIT
"""
Calibrating a table: what was found is kept beside its journal, and used from then on.

`desk` is where a person works, at the page or on the command line; `kept` is the file;
`live` is what the table reads and watches by.
"""
