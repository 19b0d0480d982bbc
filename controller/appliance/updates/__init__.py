# SPDX-License-Identifier: MIT
"""
Install versions of the program on a machine, and go back to the one before.

Every version has a folder of its own, built and tested before it is used; a link names the
active one. So a power cut at any moment leaves a table that starts. `versions` holds the
folders, `install` builds, tests and activates one, `systemd_service` restarts the table. The
installer runs this room with the system's own Python before any library is there: import only the
standard library, `controller.base.errors` and `hardware.clock`.
"""
