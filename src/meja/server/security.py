"""What stands before every request: limits, same-origin posts, and the headers of every answer.

Plain ASGI: a middleware that runs the rest in a task of its own would cancel storing when a
browser goes away.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_LONGEST_TARGET: Final = 8192
_LONGEST_HEADERS: Final = 16 * 1024


class Headers:
    """Adds the security headers to every answer."""

    def __init__(self, app: App, csp: str) -> None:
        self.app = app
        self.added: list[tuple[bytes, bytes]] = [
            (b"content-security-policy", csp.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.added]
            await send(message)

        await self.app(scope, receive, with_headers)


def header(scope: Scope, name: bytes) -> str:
    """A request header's value, or an empty text."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found.decode("latin-1")
    return ""


def foreign_origin(scope: Scope) -> bool:
    """Whether a request that changes something comes from another site's page."""
    site = header(scope, b"sec-fetch-site")
    if site and site not in ("same-origin", "none"):
        return True
    origin = header(scope, b"origin")
    if not origin:
        return False
    try:
        return urlsplit(origin).netloc.lower() != header(scope, b"host").lower()
    except ValueError:
        return True


def too_many_headers(scope: Scope) -> bool:
    """Whether the headers of a request are more than a browser and some proxies send."""
    return sum(len(name) + len(value) for name, value in scope["headers"]) > _LONGEST_HEADERS


def too_long(scope: Scope) -> bool:
    """Whether the address of a request is longer than any of ours."""
    return len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > _LONGEST_TARGET
