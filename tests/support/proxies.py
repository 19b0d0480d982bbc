# SPDX-License-Identifier: MIT
"""Real proxies in front of a server: any program, and the nginx of this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

_MAIN = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ }}
http {{
    types {{ application/json json; text/html html; }}
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


@contextmanager
def run_proxy(command: Sequence[str | Path], port: int, log: Path) -> Iterator[int]:
    """Run a proxy until the end of the block; yield its port once it listens."""
    process = subprocess.Popen(command)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert process.poll() is None, log.read_text()
        yield port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def run_nginx(folder: Path, port: int, site: str) -> Iterator[int]:
    """Run the nginx of this machine with a site, its `server` blocks; yield its port."""
    if NGINX is None:
        pytest.skip("no nginx on this machine: apt-get install nginx")
    (folder / "site.conf").write_text(site)
    # Its workers must be able to read the folders of the test.
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(_MAIN.format(folder=folder, user=user))
    log = folder / "nginx.log"
    command: list[str | Path] = [NGINX, "-c", folder / "nginx.conf", "-p", folder, "-e", log]
    with run_proxy(command, port, log) as proxy:
        yield proxy
