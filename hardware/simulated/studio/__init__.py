# SPDX-License-Identifier: MIT
"""The studio: randomised scenes with exact truth, the reader's school and its examination."""
