# SPDX-License-Identifier: MIT
"""
How a version of the program comes onto a machine, and how the one before comes back.

Every version has a folder of its own with everything it needs, made whole and tried
before anybody uses it; one link says which of them is in use. So a cut of power at any
moment leaves a table that starts, and going back is turning the link.

`versions` holds the versions, `build` makes and tries one, `systemd_service` starts the table anew,
`install` puts it all together. The installer runs this room with the system's own Python,
before there is any other: nothing here may import more than the standard library.
"""
