# SPDX-License-Identifier: MIT
"""The product on arm64, the processor of a Raspberry Pi; `run.sh` starts it."""
