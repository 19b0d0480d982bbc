# SPDX-License-Identifier: MIT
"""
Serve the pages at two ports: one for everybody, and one for the box's own screen.

The box's own port is on the loopback interface and has threads, connections and streams of its
own. So nothing that strangers do at the public port makes the table's screen wait, and the
service manager's watchdog asks at the box's own port.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from flask import Flask

from webui.auth.hosts import is_loopback
from webui.listeners.listener import Listener, ListenerLimits
from webui.listeners.origin import Origin

OWN_HOST = "127.0.0.1"
STALLED_MS = 20_000
OWN_LIMITS = ListenerLimits(threads=64, connections=200)
PUBLIC_LIMITS = ListenerLimits(threads=64, connections=500)


class KioskServer:
    """
    A web application at its ports.

    It serves in separate threads. Close the table first: a stream lasts until its table closes.

    Args:
        app: The application of `create_app`.
        host: The address of the public port, such as 0.0.0.0.
        port: The public port; 0 for any free one.
        own_port: The port of the box's own screen; 0 for any free one. None leaves it out; then
            `port` is the box's own one if only this machine reaches it, as in the demo.
        stalled_ms: Time without progress after which a client's connection ends.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        *,
        own_port: int | None = None,
        stalled_ms: int = STALLED_MS,
    ) -> None:
        self._app = app
        self._is_alone = own_port is None and is_loopback(host)
        limits = OWN_LIMITS if self._is_alone else PUBLIC_LIMITS
        self._public = Listener("port", host, port, replace(limits, stalled_ms=stalled_ms))
        self._own: Listener | None = None
        if own_port is not None:
            limits = replace(OWN_LIMITS, stalled_ms=stalled_ms)
            self._own = Listener("box_port", OWN_HOST, own_port, limits)

    @property
    def port(self) -> int:
        """The public port; after `start` the real one, if 0 was requested."""
        return self._public.port

    @property
    def url(self) -> str:
        """The address of the kiosk for a browser on this machine."""
        listener = self._own or self._public
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listener.host, listener.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{listener.port}/"

    def start(self) -> None:
        """
        Bind the ports and serve; browsers may connect when this returns.

        Raises:
            InputError: A port is in use or not allowed, or the host is not of this machine.
        """
        listeners = [self._public, *([self._own] if self._own else [])]
        with ExitStack() as if_refused:
            for listener in listeners:
                if_refused.callback(listener.close)
                listener.bind()
            if_refused.pop_all()
        for listener in listeners:
            is_own = self._is_alone or listener is self._own
            listener.serve(self._app, Origin(is_own=is_own, public_port=self.port))

    def close(self) -> None:
        """Finish running replies, free the ports and join every thread; safe to call twice."""
        self._public.close()
        if self._own:
            self._own.close()
