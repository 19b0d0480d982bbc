# SPDX-License-Identifier: MIT
"""
The decoders of pictures and videos, and what they say of damage.

OpenCV paints over what is missing: a torn picture gets grey rows, a video frame that could not be
converted shows memory of an earlier one. So every picture passes a decoder that reports damage,
and a frame is either whole or an error.
"""
