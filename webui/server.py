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

from controller.runtime.access.ports import LOOPBACK, find_own_host, format_address
from webui.auth.hosts import is_loopback
from webui.auth.origin import Origin
from webui.listeners.connections import ListenerLimits
from webui.listeners.listener import Listener

PUBLIC_LIMITS = ListenerLimits()
OWN_LIMITS = replace(PUBLIC_LIMITS, threads=64, per_address=PUBLIC_LIMITS.connections)
"""All of the box's own clients have one address."""


class KioskServer:
    """
    A web application at its ports, 0 for any free one; it serves in separate threads.

    Close the table first: a stream lasts until its table closes. `own_port` is that of the
    box's own screen. Without it `port` is the box's own if only this machine reaches it, as in
    the demo.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        *,
        own_port: int | None = None,
        public: ListenerLimits = PUBLIC_LIMITS,
        own: ListenerLimits = OWN_LIMITS,
    ) -> None:
        self._app = app
        self._is_alone = own_port is None and is_loopback(host)
        self._public = Listener("port", host, port, own if self._is_alone else public)
        self._own = Listener("box_port", LOOPBACK, own_port, own) if own_port is not None else None

    @property
    def port(self) -> int:
        """The public port; after `start` the real one, if 0 was requested."""
        return self._public.port

    @property
    def has_public_port(self) -> bool:
        """Whether `port` is another port than the one of the box's own screen."""
        return not self._is_alone

    @property
    def url(self) -> str:
        """The address of the kiosk for a browser on this machine."""
        listener = self._own or self._public
        return f"http://{format_address(find_own_host(listener.host), listener.port)}/"

    def start(self) -> None:
        """Bind and serve; browsers may connect when this returns. InputError if refused."""
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
