# SPDX-License-Identifier: MIT
"""
A tray that exists only here, behind the same protocols as a real one.

`camera` is the driver and holds the tray's controls; `tray` knows where the dice
are at any time, `throw` and `trajectory` how they get there, `placement` where
they may lie, `pose` what a die is; `scene` draws what the camera sees.
"""
