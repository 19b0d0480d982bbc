# SPDX-License-Identifier: MIT
"""The owner's own dice: faces whose numbers a person confirmed, as a third witness for doubts."""
