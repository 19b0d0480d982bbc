# SPDX-License-Identifier: MIT
"""Scripts that render the training data and build the weights of the nets; never imported."""
