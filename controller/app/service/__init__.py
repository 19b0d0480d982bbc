# SPDX-License-Identifier: MIT
"""
What the service page shows and does (`webui.service.gate.ServiceGate`): a file a subject.

`desk` brings them together; none of them decides anything about the game.
"""
