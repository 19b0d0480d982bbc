# SPDX-License-Identifier: MIT
"""
A verifier that was written from `docs/proof.md` alone, and vectors for any other one.

`own_verifier` imports nothing of the product. `make_vectors` writes the vectors with the product.
"""
