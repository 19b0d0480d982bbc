# SPDX-License-Identifier: MIT
"""
From pictures of a tray to its map, and what stands in the way of good pictures.

Everything here looks at one picture and answers with a value; nothing is kept between
pictures, and no camera, clock or file is touched.
"""
