"""Requests as no browser sends them: bytes to a socket, and what comes back."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; ``status`` 0: the connection was closed without one."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body's JSON value."""
        return json.loads(self.body)


def send(port: int, data: bytes, seconds: float = 15) -> Reply:
    """Send bytes and read the answer to its end."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        try:
            connection.sendall(data)
            while not _whole(received, data):
                chunk = connection.recv(65536)
                if not chunk:
                    break
                received += chunk
        except ConnectionError:
            pass
    received = _final(received)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    if not lines[0].startswith("HTTP/1.1 "):
        return Reply(0, {}, received)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return Reply(int(lines[0].split()[1]), headers, body)


def _final(received: bytes) -> bytes:
    """What was received without an interim answer."""
    return received.partition(b"\r\n\r\n")[2] if received.startswith(b"HTTP/1.1 1") else received


def _whole(received: bytes, request: bytes) -> bool:
    received = _final(received)
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return False
    if request.startswith(b"HEAD "):
        return True
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.split(b":")[1])
    return body.endswith(b"0\r\n\r\n")


def request(
    method: str, target: str | bytes, body: bytes | None = None, headers: tuple[tuple[str, str | bytes], ...] = ()
) -> bytes:
    """The bytes of a request; ``headers`` come after those that it needs."""
    path = target.encode() if isinstance(target, str) else target
    lines = [method.encode() + b" " + path + b" HTTP/1.1"]
    if not any(name.lower() == "host" for name, _ in headers):
        lines.append(b"host: meja")
    if body is not None and not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in headers):
        lines.append(b"content-length: %d" % len(body))
    if body is not None and not any(name.lower() == "content-type" for name, _ in headers):
        lines.append(b"content-type: application/json")
    lines += [name.encode() + b": " + (value.encode() if isinstance(value, str) else value) for name, value in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + (body or b"")
