# SPDX-License-Identifier: MIT
"""The command `dicebell` whose pages are in a language with longer texts."""

from __future__ import annotations

import sys
from unittest.mock import patch

from controller.cli.main import main
from tests.support.long_texts import make_long_catalogue

if __name__ == "__main__":
    catalogue = make_long_catalogue()
    with patch("webui.load_catalogues", lambda: {catalogue.language: catalogue}):
        sys.exit(main())
