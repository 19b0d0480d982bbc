# SPDX-License-Identifier: MIT
"""The moments before a rest as a film, to be looked at when somebody doubts a throw."""
