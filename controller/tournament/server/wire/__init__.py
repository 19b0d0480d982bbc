# SPDX-License-Identifier: MIT
"""What a table and the server of a tournament have to agree on: signatures and enrolment."""
