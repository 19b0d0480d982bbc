# SPDX-License-Identifier: MIT
"""The code of a checkpoint: an SVG of the server's that reads as the checkpoint's text."""

from __future__ import annotations

import cv2
from flask.testing import FlaskClient

from controller.base.qr_code import render_qr_svg
from controller.journal.checkpoint import Checkpoint, derive_words, encode_checkpoint
from controller.table.view.snapshot import show_checkpoint
from tests.support.painted_code import paint_code, read_code
from tests.webui.fakes import FakeTable

ROOT = bytes(range(32))
LARGEST = Checkpoint(10**8, ROOT, 10**13 - 1, bytes(range(64, 128)))


def test_the_code_of_the_newest_checkpoint_reads_as_its_text(
    client: FlaskClient, table: FakeTable
) -> None:
    table.show(checkpoint=show_checkpoint(LARGEST))
    answer = client.get(f"/checkpoint.svg?size={LARGEST.size}")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.headers["Cache-Control"] == "no-store"
    text = read_code(answer.data)
    assert text == encode_checkpoint(LARGEST)


def test_before_the_first_checkpoint_there_is_no_code(client: FlaskClient) -> None:
    assert client.get("/checkpoint.svg").status_code == 404


def test_one_checkpoint_never_passes_for_another(client: FlaskClient, table: FakeTable) -> None:
    table.show(checkpoint=show_checkpoint(LARGEST))
    assert client.get("/checkpoint.svg?size=7").status_code == 404
    assert client.get("/checkpoint.svg?size=x").status_code == 404
    assert client.get("/checkpoint.svg").status_code == 200


def test_a_code_is_still_read_where_a_glint_hides_some_of_it() -> None:
    text = encode_checkpoint(LARGEST)
    picture = paint_code(render_qr_svg(text))
    middle = picture.shape[0] // 2
    picture[middle - 30 : middle + 30, middle - 30 : middle + 30] = 255
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == text


def test_a_view_has_size_words_and_text_of_one_checkpoint() -> None:
    view = show_checkpoint(LARGEST)
    assert view == {
        "size": LARGEST.size,
        "words": list(derive_words(LARGEST.size, ROOT)),
        "text": encode_checkpoint(LARGEST),
    }


def test_an_inline_code_is_drawn_like_a_separate_one() -> None:
    text = encode_checkpoint(LARGEST)
    own, inline = render_qr_svg(text), render_qr_svg(text, is_inline=True)
    assert own.startswith(b"<?xml")
    assert inline.startswith(b"<svg ")
    assert inline.partition(b"viewBox")[2] == own.partition(b"viewBox")[2].rstrip()
