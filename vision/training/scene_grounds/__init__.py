# SPDX-License-Identifier: MIT
"""The grounds of the scenes as flat textures, with the props and prints on them."""
