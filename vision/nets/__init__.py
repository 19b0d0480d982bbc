# SPDX-License-Identifier: MIT
"""The learned opinion: small nets that saw only scenes which this project rendered."""
