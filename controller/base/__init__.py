# SPDX-License-Identifier: MIT
"""What every room uses: errors, logs, durable files, languages, settings."""
