# SPDX-License-Identifier: MIT
"""What draws the pictures of the documents: `python -m docs.generate.pictures docs/pictures`."""
