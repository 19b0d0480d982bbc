# SPDX-License-Identifier: MIT
"""
Signatures of requests and answers by RFC 9421, with digests of their content by RFC 9530.

Only one form is written and read: the label `sig`, Ed25519, these components in this order. A
request covers its method, its path and its content; an answer covers its status, its content and
the signature of its request, so it answers nothing else. `keyid` is the key in hexadecimal.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import TypeAlias

from controller.base.errors import InputError
from controller.journal.signing_key import TableKey, verify_signature

REQUEST_PARTS = '("@method" "@path" "content-digest")'
ANSWER_PARTS = '("@status" "content-digest" "signature";req)'
CONTENT_DIGEST, SIGNATURE, SIGNATURE_INPUT = "Content-Digest", "Signature", "Signature-Input"
CLOCK_WINDOW_S = 60
"""How far the clock of a request may differ. An error says the right time, so a table follows."""

_PARAMS = re.compile(
    r";created=([0-9]{1,12});nonce=\"([0-9A-Za-z_-]{16,64})\";alg=\"ed25519\""
    r";keyid=\"([0-9a-f]{64})\""
)
_SIGNATURE = re.compile(r"sig=:([0-9A-Za-z+/]{86}==):")


Headers: TypeAlias = Mapping[str, str] | Message
"""By name; the case of a name must not matter."""


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """What a valid signature says."""

    key: str  # The key that signed, in hexadecimal.
    created_s: int  # When, in seconds since 1970, by the clock of the signer.
    nonce: str  # A text that the signer uses once.


def sign_request(
    key: TableKey, method: str, path: str, content: bytes, created_s: int
) -> dict[str, str]:
    """Return the headers that sign a request."""
    lines = [f'"@method": {method}', f'"@path": {path}']
    return _sign(key, lines, REQUEST_PARTS, content, created_s)


def sign_answer(
    key: TableKey, status: int, content: bytes, request_signature: str, created_s: int
) -> dict[str, str]:
    """Return the headers that sign an answer to the request with this `Signature` header."""
    lines, after = [f'"@status": {status}'], [f'"signature";req: {request_signature}']
    return _sign(key, lines, ANSWER_PARTS, content, created_s, after=after)


def verify_head(headers: Headers, method: str, path: str) -> SignedMessage:
    """Return who signed a request; InputError without. `check_digest` of its content follows."""
    lines = [f'"@method": {method}', f'"@path": {path}']
    return _verify(headers, lines, REQUEST_PARTS)


def verify_answer(
    headers: Headers, status: int, content: bytes, request_signature: str
) -> SignedMessage:
    """Return who signed the answer to a request; InputError as in `verify_head`."""
    check_digest(headers, content)
    after = [f'"signature";req: {request_signature}']
    return _verify(headers, [f'"@status": {status}'], ANSWER_PARTS, after=after)


def check_digest(headers: Headers, content: bytes) -> None:
    """Check that a content is the one whose digest the headers have; InputError if not."""
    if (found := headers.get(CONTENT_DIGEST, "")) != digest_content(content):
        raise _refuse("the digest of the content", CONTENT_DIGEST, found)


def digest_content(content: bytes) -> str:
    """Return the value of `Content-Digest`."""
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode("ascii")
    return f"sha-256=:{digest}:"


def _sign(
    key: TableKey,
    lines: list[str],
    parts: str,
    content: bytes,
    created_s: int,
    *,
    after: list[str] | None = None,
) -> dict[str, str]:
    nonce = secrets.token_urlsafe(18)
    params = f'{parts};created={created_s};nonce="{nonce}";alg="ed25519";keyid="{key.public_hex}"'
    digest = digest_content(content)
    signed = key.sign(_build_base(lines, digest, after or [], params))
    signature = base64.b64encode(signed).decode("ascii")
    return {
        CONTENT_DIGEST: digest,
        SIGNATURE_INPUT: f"sig={params}",
        SIGNATURE: f"sig=:{signature}:",
    }


def _verify(
    headers: Headers, lines: list[str], parts: str, *, after: list[str] | None = None
) -> SignedMessage:
    given = headers.get(SIGNATURE_INPUT, "")
    prefix = f"sig={parts}"
    params = _PARAMS.fullmatch(given.removeprefix(prefix)) if given.startswith(prefix) else None
    if params is None:
        raise _refuse(
            f'{prefix};created=...;nonce="...";alg="ed25519";keyid="..."', SIGNATURE_INPUT, given
        )
    signature = _SIGNATURE.fullmatch(headers.get(SIGNATURE, ""))
    if signature is None:
        raise _refuse("sig=:64 bytes in base64:", SIGNATURE, headers.get(SIGNATURE, ""))
    created, nonce, key = params.groups()
    digest = headers.get(CONTENT_DIGEST, "")
    base = _build_base(lines, digest, after or [], given.removeprefix("sig="))
    if not verify_signature(bytes.fromhex(key), base64.b64decode(signature[1]), base):
        raise _refuse(f"a signature by {key}", SIGNATURE, "another one")
    return SignedMessage(key, int(created), nonce)


def _build_base(lines: list[str], digest: str, after: list[str], params: str) -> bytes:
    """Return the bytes that are signed: the signature base of RFC 9421, section 2.5."""
    content = f'"content-digest": {digest}'
    every = [*lines, content, *after, f'"@signature-params": {params}']
    return "\n".join(every).encode("utf-8", "surrogatepass")


def _refuse(expected: str, where: str, found: str) -> InputError:
    shown = repr(found[:200]) if found else "nothing"
    return InputError(expected=expected, found=shown, where=where)
