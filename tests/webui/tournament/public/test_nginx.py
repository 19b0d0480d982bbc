# SPDX-License-Identifier: MIT
"""The example of docs/examples in a real nginx, with TLS and a certificate of its own."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.sending.server_client import enrol_table
from controller.tournament.server.wire.receiver import WireReceiver
from tests.support.certificates import HomeAuthority
from tests.support.proxies import run_nginx
from tests.support.run_process import free_port
from tests.support.running_event import run_event, serve_pages
from tests.support.tournament_client import make_key
from webui.tournament.public.snapshot_routes import render_public_pages

ROOT = Path(__file__).parents[4]
NAME = "cup.example.org"
WAIT_S = 30.0


@contextmanager
def run_site(folder: Path, behind: int, public: Path) -> Iterator[tuple[int, Path]]:
    """Give the port of an nginx with the documented site, and the authority of its certificate."""
    authority, port = HomeAuthority(folder), free_port()
    files = authority.make("localhost")
    site = (ROOT / "docs" / "examples" / "nginx.conf").read_text()
    for old, new in (
        ("127.0.0.1:8090", f"127.0.0.1:{behind}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("/etc/letsencrypt/live/cup.example.org/fullchain.pem", str(files.certificate)),
        ("/etc/letsencrypt/live/cup.example.org/privkey.pem", str(files.key)),
        ("/var/lib/dicebell-public/;", f"{public}/;"),
        ("cup.example.org", "localhost"),
    ):
        assert old in site
        site = site.replace(old, new)
    with run_nginx(folder, port, site):
        yield port, authority.ca_file


def test_everything_works_behind_nginx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages, cookies, an open stream, signed requests of a table, and the files of spectators."""
    with run_event(tmp_path) as event:
        receiver, public = WireReceiver(event.store), tmp_path / "public"
        publisher = EventPublisher(event.runner, render_public_pages, 0.0, public)
        publisher.start()
        with (
            serve_pages(event, tmp_path, receiver=receiver, host_names=NAME) as pages,
            run_site(tmp_path, pages.server.port, public) as (port, ca_file),
            httpx.Client(
                base_url=f"https://localhost:{port}",
                verify=ssl.create_default_context(cafile=str(ca_file)),
                trust_env=False,
                timeout=WAIT_S,
            ) as client,
        ):
            event.begin(name="Cup")
            event.wait_until(lambda state: state.data.begun)
            assert f"localhost:{port}/play" in client.get("/").text
            own = {"Origin": f"https://localhost:{port}"}
            joined = client.post("/event/players", json={"name": "Ada"}, headers=own)
            assert joined.json()["player"] == 1
            assert "secure" in joined.headers["Set-Cookie"].lower()
            foreign = {"Origin": "https://elsewhere.test"}
            refused = client.post("/event/players", json={"name": "Ben"}, headers=foreign)
            assert refused.status_code in (400, 403, 409)

            refused = client.get("/tv", headers={"Host": "elsewhere.test", "Accept": "text/html"})
            assert (refused.status_code, "elsewhere.test" in refused.text) == (403, True)
            assert client.get("/tv", headers={"Host": NAME}).status_code == 200

            with client.stream("GET", "/event/stream") as stream:
                # Nothing ends the stream: what arrives was not held back.
                chunks = stream.iter_text()
                read_until(chunks, '"name":"Ada"')
                event.write(PlayerJoined(2, "Cleo", "c" * 64))
                read_until(chunks, '"players":2')

            monkeypatch.setenv("SSL_CERT_FILE", str(ca_file))
            key, code = make_key(tmp_path / "table"), receiver.read_code()
            pinned, must_wait = enrol_table(f"https://localhost:{port}", code, "Table 2", key)
            assert (pinned.key, must_wait) == (event.store.own_key, False)

            while (found := client.get("/public/standings.json")).status_code == 404 or len(
                found.json()["rows"]
            ) < 2:
                time.sleep(0.05)
            assert found.headers["Cache-Control"] == "public, max-age=5"
            known = {"If-None-Match": found.headers["ETag"]}
            assert client.get("/public/standings.json", headers=known).status_code == 304
            # Each file is replaced as a whole, the page after the standings.
            while "Cleo" not in client.get("/public/").text:
                time.sleep(0.05)
        publisher.close()


def read_until(chunks: Iterator[str], wanted: str) -> None:
    text = ""
    while wanted not in text:
        text += next(chunks)
