# SPDX-License-Identifier: MIT
"""Parse requests so that no malformed one ends in a traceback in the log."""

from __future__ import annotations

from waitress.parser import HTTPRequestParser, ParsingError


class RequestParser(HTTPRequestParser):
    """
    Waitress's parser, which refuses with status 400 what waitress dies of.

    Attributes:
        path: The path of the request. It is empty until it is parsed: waitress logs the path of
            a client that left, and a malformed request has none.
    """

    path = ""

    def parse_header(self, header_plus: bytes) -> None:
        """
        Parse the first line and the headers.

        Raises:
            ParsingError: They are malformed.
        """
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            # Such as an open bracket in the host of a URL, or a length of 5000 digits.
            raise ParsingError("Request line or headers are invalid") from error
