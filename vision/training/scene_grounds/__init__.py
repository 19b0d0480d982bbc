# SPDX-License-Identifier: MIT
"""The grounds of the scenes as flat textures, with what lies or is printed on them."""
