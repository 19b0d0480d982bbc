# SPDX-License-Identifier: MIT
"""
The stored PIN: its scrypt hash, readable by the owner of the data folder alone.

The file is read at every use, because `dicebell pin --new` may change it while a table runs. It
is replaced atomically, so a power cut leaves the old PIN or the new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from controller.base.durable_files import PRIVATE, is_full_disk, read_json, write_json
from controller.base.errors import InputError, refuse_os_errors

FILE_NAME = "access.json"
SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**14, 8, 1  # 16 MiB and some 100 ms on a small machine for one try.

_EXPECTED = "a file written by dicebell; `dicebell pin --new` replaces it"


@dataclass(frozen=True, slots=True)
class StoredSecrets:
    """The content of the file; texts are hexadecimal digits."""

    salt: str  # The salt of the hash, another one for every PIN.
    pin_hash: str
    is_first: bool  # Whether the box made this PIN and it was never used.
    secret: str  # The key that signs tickets.
    phones: str  # Part of the tickets of phones; a new value makes old tickets void.


class AccessFile:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._held: StoredSecrets | None = None

    def exists(self) -> bool:
        """Return whether there are secrets, in the file or still in memory."""
        return self._held is not None or self._path.exists()

    def read(self) -> StoredSecrets:
        """Return the secrets in the file; InputError if it is missing or malformed."""
        if self._held is not None and not self._path.exists():
            return self._held
        try:
            content = read_json(self._path)
        except OSError as error:
            found = error.strerror or str(error)
            raise InputError(expected=_EXPECTED, found=found, where=str(self._path)) from error
        except (ValueError, RecursionError) as error:
            raise InputError(expected=_EXPECTED, found="no JSON", where=str(self._path)) from error
        if not isinstance(content, dict) or not _is_valid(content):
            found = "other keys or values"
            raise InputError(expected=_EXPECTED, found=found, where=str(self._path))
        return StoredSecrets(**content)

    def read_or_new(self) -> StoredSecrets:
        """Return the secrets in the file, or new ones; InputError for a broken file."""
        return self.read() if self.exists() else generate_secrets()

    def write(self, kept: StoredSecrets) -> None:
        """Replace the file; InputError if the disk refuses."""
        with refuse_os_errors("room to keep the PIN", self._path):
            write_json(self._path, asdict(kept), mode=PRIVATE)
        self._held = None

    def write_or_hold(self, kept: StoredSecrets) -> None:
        """Replace the file, or hold the first one while a full disk has no room; or InputError."""
        try:
            self.write(kept)
        except InputError as error:
            is_room_missing = is_full_disk(error.__cause__) or not self._path.parent.exists()
            if self._path.exists() or not is_room_missing:
                raise
            self._held = kept

    def write_held(self) -> None:
        """Write what is held in memory, if there is room now."""
        if self._path.exists():
            self._held = None  # `dicebell pin --new` was first
        if self._held is not None:
            with contextlib.suppress(InputError):
                self.write(self._held)


def renew_pin(folder: Path) -> str:
    """Set a new PIN in a data folder, even over a broken file, and return it; or InputError."""
    file = AccessFile(folder)
    try:
        kept = file.read_or_new()
    except InputError:
        kept = generate_secrets()  # A broken file is lost anyway; its PIN is replaced.
    pin = generate_pin()
    file.write(replace_pin(kept, pin, is_first=False))
    return pin


def generate_pin() -> str:
    """Return a new PIN of six digits; no leading zero, which could get lost."""
    return str(secrets.randbelow(900_000) + 100_000)


def replace_pin(kept: StoredSecrets, pin: str, *, is_first: bool) -> StoredSecrets:
    salt = secrets.token_hex(16)
    return replace(kept, salt=salt, pin_hash=_hash_pin(pin, salt), is_first=is_first)


def verify_pin(kept: StoredSecrets, pin: str) -> bool:
    """Return whether this is the PIN; slow on purpose, so that guessing is slow."""
    return hmac.compare_digest(_hash_pin(pin, kept.salt), kept.pin_hash)


def generate_secrets() -> StoredSecrets:
    """Return new secrets that no PIN matches."""
    return StoredSecrets(
        salt="",
        pin_hash="",
        is_first=True,
        secret=secrets.token_hex(32),
        phones=generate_phone_secret(),
    )


def generate_phone_secret() -> str:
    """Return a new value for the tickets of phones."""
    return secrets.token_hex(8)


def _hash_pin(pin: str, salt: str) -> str:
    data = pin.encode("utf-8", "surrogatepass")
    hashed = hashlib.scrypt(
        data, salt=bytes.fromhex(salt), n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P, dklen=32
    )
    return hashed.hex()


def _is_valid(content: dict[str, object]) -> bool:
    if set(content) != {key.name for key in fields(StoredSecrets)}:
        return False
    texts = [content[key.name] for key in fields(StoredSecrets) if key.name != "is_first"]
    return isinstance(content["is_first"], bool) and all(_is_hex(text) for text in texts)


def _is_hex(text: object) -> bool:
    try:
        return isinstance(text, str) and bytes.fromhex(text) != b""
    except ValueError:
        return False
