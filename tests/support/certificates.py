# SPDX-License-Identifier: MIT
"""Certificates as people make them for a broker at home."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class CertificateFiles:
    certificate: Path
    key: Path


class HomeAuthority:
    """Signs certificates for machines and programs; its own is `ca_file`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = generate_private_key(SECP256R1())
        self._name = _name("A home")
        certificate = _sign(self._name, self._name, self._key, self._key, is_authority=True)
        self.ca_file = folder / "ca.pem"
        self.ca_file.write_bytes(certificate)

    def make(self, name: str) -> CertificateFiles:
        key = generate_private_key(SECP256R1())
        files = CertificateFiles(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        files.certificate.write_bytes(_sign(_name(name), self._name, key, self._key, alias=name))
        files.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return files


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _sign(
    subject: x509.Name,
    issuer: x509.Name,
    key: EllipticCurvePrivateKey,
    signer: EllipticCurvePrivateKey,
    *,
    alias: str = "",
    is_authority: bool = False,
) -> bytes:
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
    )
    if alias:
        built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(alias)]), False)
    return built.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
