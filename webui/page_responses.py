# SPDX-License-Identifier: MIT
"""Serve the files of the pages of a table, compress its pages, and keep answers out of caches."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from webui.file_answers import pack_page
from webui.page_files import ROOT, answer_page_file, find_address


def init_page_files(app: Flask) -> None:
    """Serve the files of the pages, let templates name their addresses, and compress pages."""
    app.jinja_env.globals["find_address"] = find_address
    app.add_url_rule(f"{ROOT}/<path:path>", "static", _serve_file)
    app.after_request(_compress_page)


def forbid_caching(answer: Response) -> Response:
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _serve_file(path: str) -> Response:
    answer = answer_page_file(path, request.headers.get)
    if answer is None:
        raise NotFound
    return Response(*answer)


def _compress_page(answer: Response) -> Response:
    if answer.mimetype != "text/html" or answer.direct_passthrough or answer.is_streamed:
        return answer
    page, headers = pack_page(answer.get_data(), request.headers.get)
    answer.set_data(page)
    answer.headers.extend(headers)
    return answer
