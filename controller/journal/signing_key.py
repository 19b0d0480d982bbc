# SPDX-License-Identifier: MIT
"""
The table's key pair: it signs checkpoints, and others check them with its public half.

The private half is created at the first start and never leaves the data folder. The public
half is stored beside it, to be given away. If the key file is lost or replaced, the table
continues with a new key, and the journal records that.
"""

from __future__ import annotations

from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.base.durable_files import PRIVATE, atomic_write, read_regular_file, tighten
from controller.base.errors import InputError, refuse_os_errors

PRIVATE_FILE = "table.key"
PUBLIC_FILE = "table.pub"
_MOST_BYTES = 65_536


class TableKey:
    """An Ed25519 private key."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private

    @classmethod
    def load_or_create(cls, folder: Path) -> TableKey:
        """Return the key of a folder, or write a new one; InputError or OSError."""
        key = cls.load_or_generate(folder)
        key.save(folder)
        return key

    @classmethod
    def load_or_generate(cls, folder: Path) -> TableKey:
        """Return the key of a folder, or a new one, not saved yet; InputError for a bad file."""
        path = folder / PRIVATE_FILE
        return cls(_load_private(path) if path.exists() else Ed25519PrivateKey.generate())

    def save(self, folder: Path) -> None:
        """Write both halves, as far as they are not there; InputError or OSError if that fails."""
        path = folder / PRIVATE_FILE
        if not path.exists():
            atomic_write(path, self._encode_pem(), mode=PRIVATE)
        tighten(path)
        public, pem = folder / PUBLIC_FILE, encode_public_key(self.public)
        if not public.exists() or _read_file(public) != pem:
            atomic_write(public, pem)

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._private.public_key().public_bytes_raw()

    @property
    def public_hex(self) -> str:
        """The public key in hexadecimal, as in entries."""
        return self.public.hex()

    def sign(self, data: bytes) -> bytes:
        """Return the signature of these bytes, 64 bytes."""
        return self._private.sign(data)

    def _encode_pem(self) -> bytes:
        return self._private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def encode_public_key(public: bytes) -> bytes:
    """Return a public key, 32 bytes, as `table.pub` holds it."""
    return Ed25519PublicKey.from_public_bytes(public).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def load_public_key(path: Path) -> bytes:
    """Return the 32 bytes of a public key in PEM; InputError if the file holds no Ed25519 key."""
    content = _read_file(path)
    try:
        public = serialization.load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm) as error:
        is_private = b"PRIVATE KEY" in content
        found = "a private one, which must stay with the table" if is_private else "something else"
        raise _key_error("a public Ed25519 key in PEM", found, path) from error
    if not isinstance(public, Ed25519PublicKey):
        raise _key_error("a public Ed25519 key in PEM", "a key of another kind", path)
    return public.public_bytes_raw()


def verify_signature(public: bytes, signature: bytes, data: bytes) -> bool:
    """Return whether this public key, 32 bytes, signed the data."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def _load_private(path: Path) -> Ed25519PrivateKey:
    content = _read_file(path)
    try:
        private = serialization.load_pem_private_key(content, password=None)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        raise _key_error("the table's private key in PEM", "something else", path) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise _key_error("a private Ed25519 key", "a key of another kind", path)
    return private


def _read_file(path: Path) -> bytes:
    with refuse_os_errors("a key file that can be read", path):
        return read_regular_file(path, _MOST_BYTES)


def _key_error(expected: str, found: str, path: Path) -> InputError:
    return InputError(expected=expected, found=found, where=str(path))
