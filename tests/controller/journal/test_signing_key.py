# SPDX-License-Identifier: MIT
"""The table's key: made once, kept to itself, and refused where it is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from controller.base.errors import InputError
from controller.journal.signing_key import (
    PRIVATE_FILE,
    PUBLIC_FILE,
    TableKey,
    load_public_key,
    verify_signature,
)


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    made = TableKey.load_or_create(tmp_path)
    assert (tmp_path / PRIVATE_FILE).stat().st_mode & 0o777 == 0o600
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(before) == [PRIVATE_FILE, PUBLIC_FILE]
    again = TableKey.load_or_create(tmp_path)
    assert again.public == made.public
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_two_tables_have_two_keys(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    one, two = (TableKey.load_or_create(folder) for folder in folders)
    assert one.public != two.public
    assert not verify_signature(two.public, one.sign(b"so it was"), b"so it was")


def test_the_public_half_alone_checks_a_signature(tmp_path: Path) -> None:
    key = TableKey.load_or_create(tmp_path)
    public = load_public_key(tmp_path / PUBLIC_FILE)
    assert public.hex() == key.public_hex
    signature = key.sign(b"so it was")
    assert verify_signature(public, signature, b"so it was")
    assert not verify_signature(public, signature, b"so it was not")
    assert not verify_signature(public, signature[:-1], b"so it was")
    assert not verify_signature(public, bytes(64), b"so it was")
    assert not verify_signature(b"too short", signature, b"so it was")


def test_a_key_that_others_could_read_is_closed_again(tmp_path: Path) -> None:
    TableKey.load_or_create(tmp_path)
    (tmp_path / PRIVATE_FILE).chmod(0o644)
    TableKey.load_or_create(tmp_path)
    assert (tmp_path / PRIVATE_FILE).stat().st_mode & 0o777 == 0o600


def test_the_public_file_follows_the_private_one(tmp_path: Path) -> None:
    key = TableKey.load_or_create(tmp_path)
    (tmp_path / PUBLIC_FILE).write_text("somebody else's")
    TableKey.load_or_create(tmp_path)
    assert load_public_key(tmp_path / PUBLIC_FILE) == key.public


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n"])
def test_a_file_that_is_no_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / PRIVATE_FILE
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"table\.key: expected the table's private key"):
        TableKey.load_or_create(tmp_path)
    assert path.read_bytes() == content
    with pytest.raises(InputError, match="expected a public Ed25519 key in PEM"):
        load_public_key(path)


def test_the_secret_half_is_not_mistaken_for_the_public_one(tmp_path: Path) -> None:
    TableKey.load_or_create(tmp_path)
    with pytest.raises(InputError, match="found a private one"):
        load_public_key(tmp_path / PRIVATE_FILE)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    pem = serialization.Encoding.PEM
    (tmp_path / PRIVATE_FILE).write_bytes(
        other.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    with pytest.raises(InputError, match="found a key of another kind"):
        TableKey.load_or_create(tmp_path)
    public = tmp_path / "other.pub"
    public.write_bytes(
        other.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(InputError, match="found a key of another kind"):
        load_public_key(public)


def test_a_key_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.pub: expected a key file that can be read"):
        load_public_key(tmp_path / "none.pub")


def test_a_folder_that_takes_no_key_is_an_error_of_the_disk(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        TableKey.load_or_create(tmp_path / "none")
