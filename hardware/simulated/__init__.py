# SPDX-License-Identifier: MIT
"""
Simulate a tray behind the same protocols as a real one.

`camera` is the driver with the tray's controls. `tray` knows the dice at any time, `throw` and
`trajectory` their paths, `placement` the free positions, `pose` the body of a die. `scene`
draws what the camera sees.
"""
