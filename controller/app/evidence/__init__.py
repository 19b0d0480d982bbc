# SPDX-License-Identifier: MIT
"""
What is kept of what the camera saw, and for how long.

`taking` makes the pictures and clips, `shelf` holds the newest of them until the table
wants one on the disk, `index` knows from the journal what lies there and since when, and
`retention` deletes what is too old or too much.
"""
