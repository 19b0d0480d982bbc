# SPDX-License-Identifier: MIT
"""Names and addresses: which are the box's own, which local, which anybody's."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.base.languages.message import message
from webui.auth.hosts import (
    LONGEST_ADDRESS,
    OwnNames,
    client_key,
    is_local,
    is_loopback,
    parse_address,
    parse_host,
    parse_host_names,
    parse_peer,
    read_search_domains,
)


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


@pytest.mark.parametrize(
    ("known", "other", "check"),
    [
        (
            "localhost 127.0.0.1 127.1.2.3 ::1 ::ffff:127.0.0.1",
            "0.0.0.0 192.168.1.5 localhost.evil.example 1",
            is_loopback,
        ),
        (
            "192.168.1.5 10.1.1.1 127.0.0.1 ::ffff:10.0.0.1",
            "8.8.8.8 2600::1 ::ffff:8.8.8.8 224.0.0.1 name",
            is_local,
        ),
    ],
)
def test_loopback_and_the_local_network_are_known(
    known: str, other: str, check: Callable[[str], bool]
) -> None:
    assert [host for host in known.split() if not check(host)] == []
    assert [host for host in ("", *other.split()) if check(host)] == []


def test_listed_names_are_taken_one_by_one() -> None:
    assert parse_host_names(" Table.lan, ,dice:8080,fd00::1 ") == {"table.lan", "dice", "fd00::1"}


def test_a_client_is_its_address_or_in_ipv6_its_network() -> None:
    assert client_key("10.0.0.1") == client_key("::ffff:10.0.0.1") == "10.0.0.1"
    assert client_key("fd00::1") == client_key("fd00::ffff") != client_key("fd00:0:0:1::1")


def test_a_client_of_ipv4_has_its_own_address_in_both_families() -> None:
    assert parse_peer("::ffff:10.0.0.1") == parse_peer("10.0.0.1") == "10.0.0.1"
    assert (parse_peer("fd00::1"), parse_peer("")) == ("fd00::1", "")


@pytest.fixture
def networked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OwnNames:
    """Return the names of a machine in a network that searches two domains."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Dicebell")
    (file := tmp_path / "resolv.conf").write_text(
        "# search evil.example\nnameserver 192.168.178.1\nsearch fritz.box. Home.Arpa\n"
    )
    return OwnNames(frozenset({"dice.lan"}), message("the settings"), resolver_file=file)


@pytest.mark.parametrize(
    "host",
    [
        *("dicebell.fritz.box:8080", "DICEBELL.home.arpa", "dicebell.fritz.box."),
        *("dicebell", "dicebell.local", "dice.lan", "192.168.178.20:8080"),
    ],
)
def test_the_machines_name_in_its_search_domains_is_own(networked: OwnNames, host: str) -> None:
    assert networked.find_refusal(host) is None


@pytest.mark.parametrize(
    "host",
    [
        *("dicebell.evil.example", "dicebell.example", "evil.fritz.box", "fritz.box"),
        *("x.dicebell.fritz.box", "dicebell.fritz", "dicebell.fritz.box.evil.example"),
        *("dicebell..fritz.box", "8.8.8.8", ""),
    ],
)
def test_any_other_name_is_foreign(networked: OwnNames, host: str) -> None:
    """Another name in that domain may be anybody's device, which a foreign page can name."""
    refusal = networked.find_refusal(host)
    assert refusal is not None
    assert "add the name to the settings" in refusal


def test_a_network_that_changes_is_noticed(networked: OwnNames) -> None:
    networked.resolver_file.write_text("search lan\n")
    assert networked.find_refusal("dicebell.fritz.box") is not None
    assert networked.find_refusal("dicebell.lan") is None


def test_a_machine_without_a_resolver_searches_nothing(tmp_path: Path) -> None:
    assert read_search_domains(tmp_path / "none") == frozenset()


def test_an_address_of_the_internet_may_be_right() -> None:
    public = OwnNames(frozenset(), message("an option"), takes_internet=True)
    assert public.find_refusal("203.0.113.5:8090") is None
    assert public.find_refusal("[2001:db8::1]:8090") is None
    assert public.find_refusal("cup.example.org") is not None


def test_a_text_longer_than_any_address_is_not_remembered() -> None:
    host = "".join("a" for _ in range(LONGEST_ADDRESS + 1))
    held = sys.getrefcount(host)
    assert parse_address(host) is None
    assert sys.getrefcount(host) == held
    assert parse_address("fe80::1%" + "e" * 15) is not None
