"""A proxy that does to connections what networks do."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Any


class Proxy:
    """Stands between browser and server, and does to connections what networks do."""

    def __init__(self, port: int) -> None:
        """Forward to ``port``."""
        self.target = port
        #: ``pass``; ``hold``: answers to streams are kept back; ``cut``: a stream is cut off after its first bytes;
        #: ``mute``: what is asked arrives, and no answer comes back; ``hole``: nothing arrives.
        self.mode = "pass"
        #: Connections that carry nothing any more, without a word.
        self._silent: set[socket.socket] = set()
        self._open: list[socket.socket] = []
        self._streams: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """From now on nothing passes on the streams that are open; everything else is well."""
        self._silent |= self._streams

    def close(self) -> None:
        """Close everything."""
        self._listening.close()
        for one in self._open:
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                if self._listening.fileno() < 0:
                    return
                client.close()
                continue
            self._open += [client, server]
            asked = [b""]
            threading.Thread(target=self._there, args=(client, server, asked), daemon=True).start()
            threading.Thread(target=self._back, args=(server, client, asked), daemon=True).start()

    def _there(self, client: socket.socket, server: socket.socket, asked: list[bytes]) -> None:
        def look(data: bytes) -> None:
            asked[0] = data
            if self.mode == "hole":
                self._silent.add(client)

        self._pump(client, server, look)

    def _back(self, server: socket.socket, client: socket.socket, asked: list[bytes]) -> None:
        def look(_data: bytes) -> None:
            if self.mode == "mute":
                self._silent.add(client)
            if asked[0].startswith(b"GET /api/stream"):
                self._streams.add(client)
                if self.mode == "hold":
                    self._silent.add(client)
                elif self.mode == "cut":
                    threading.Timer(0.2, _cut, [client]).start()

        self._pump(server, client, look)

    def _pump(self, source: socket.socket, sink: socket.socket, look: Callable[[bytes], Any]) -> None:
        try:
            while data := source.recv(65536):
                look(data)
                if source not in self._silent and sink not in self._silent:
                    sink.sendall(data)
            if source not in self._silent and sink not in self._silent:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            for one in (source, sink):
                one.close()


def _cut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
