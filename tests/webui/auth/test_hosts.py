# SPDX-License-Identifier: MIT
"""Names and addresses: which are the box's own, which local, which anybody's."""

from __future__ import annotations

import pytest

from webui.auth.hosts import client_key, is_local, is_loopback, is_own, parse_host, parse_host_names

NAMES = frozenset({"dicebell", "dicebell.local", "table.lan"})


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("localhost", "localhost"),
        ("Dicebell.Local:8080", "dicebell.local"),
        ("dicebell.local.", "dicebell.local"),
        ("192.168.1.5:80", "192.168.1.5"),
        ("[fe80::1]:8080", "fe80::1"),
        ("[::1]", "::1"),
    ],
)
def test_a_host_header_is_read_without_its_port(header: str, host: str) -> None:
    assert parse_host(header) == host


@pytest.mark.parametrize(
    "header", [None, "", ":80", "a b", "a:b:c", "user@host", "host:123456", "a/b", "[::1", "a?b"]
)
def test_what_is_no_host_header_is_none(header: str | None) -> None:
    assert parse_host(header) == ""


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
def test_loopback_is_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "192.168.1.5", "localhost.evil.example", "1"])
def test_nothing_else_is_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["localhost", "dicebell", "dicebell.local", "table.lan", "10.0.0.7", "fe80::1", "fd00::2"],
)
def test_own_names_and_local_addresses_are_answered(host: str) -> None:
    assert is_own(host, NAMES)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "dicebell.evil.example", "localhost.evil.example", "8.8.8.8", "2600::1"],
)
def test_foreign_names_and_addresses_of_the_internet_are_not(host: str) -> None:
    assert not is_own(host, NAMES)


@pytest.mark.parametrize("peer", ["192.168.1.5", "10.1.1.1", "127.0.0.1", "::ffff:10.0.0.1"])
def test_the_local_network_is_known(peer: str) -> None:
    assert is_local(peer)


@pytest.mark.parametrize("peer", ["", "8.8.8.8", "2600::1", "::ffff:8.8.8.8", "224.0.0.1", "name"])
def test_the_internet_is_not_the_local_network(peer: str) -> None:
    assert not is_local(peer)


def test_listed_names_are_taken_one_by_one() -> None:
    assert parse_host_names(" Table.lan, ,dice ") == {"table.lan", "dice"}


def test_a_client_is_its_address_or_in_ipv6_its_network() -> None:
    assert client_key("10.0.0.1") == client_key("::ffff:10.0.0.1") == "10.0.0.1"
    assert client_key("fd00::1") == client_key("fd00::ffff") != client_key("fd00:0:0:1::1")
