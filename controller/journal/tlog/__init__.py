# SPDX-License-Identifier: MIT
"""
The journal as a transparency log: checkpoints as signed notes, and proofs that stand alone.

The formats are those of C2SP, so the tools of transparency logs read them: signed-note,
tlog-checkpoint, tlog-proof, and the body that tlog-witness takes.
"""
