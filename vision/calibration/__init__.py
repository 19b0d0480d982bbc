# SPDX-License-Identifier: MIT
"""
Make the map of a tray from a picture, and find what is wrong with the picture.

Everything here takes one picture and returns a value. Nothing is stored between pictures, and
there is no camera, clock or file.
"""
