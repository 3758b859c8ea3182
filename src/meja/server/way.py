"""The usual mistakes on the way between a browser and the table: proxies, certificates, headers."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import socket
import ssl
import statistics
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from meja import __version__
from meja.errors import MejaError, system_words
from meja.messages import msg
from meja.server.doctor import FAULT, OK, WARNING, Finding

#: The largest record that is taken, in bytes.
_BODY: Final = 1024 * 1024
_DAY: Final = 86_400


class Unreachable(MejaError):
    """No answer, or none of a table."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    seconds: float

    def all(self, name: str) -> list[str]:
        """Every value of a header."""
        return [value for key, value in self.headers if key.lower() == name]

    def first(self, name: str) -> str:
        """The first value of a header, or an empty text."""
        return next(iter(self.all(name)), "")


class Way:
    """Requests to a table as a browser sends them, whatever stands between."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable(msg("{url} is not an address; expected https://name or http://name:port", url=url))
        if parts.path not in ("", "/"):
            raise Unreachable(msg("the table must be at the top of its own name, not under {path}", path=parts.path))
        try:
            self.port = parts.port
        except ValueError:
            raise Unreachable(
                msg("{url} is not an address; expected https://name or http://name:port", url=url)
            ) from None
        self.scheme, self.host = parts.scheme, parts.hostname
        self.origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    def open(self, timeout: float) -> HTTPConnection:
        """A connection of its own."""
        if self.scheme == "https":
            return HTTPSConnection(self.host, self.port, timeout=timeout, context=ssl.create_default_context())
        return HTTPConnection(self.host, self.port, timeout=timeout)

    def send(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None = None, packed: str = "gzip"
    ) -> HTTPResponse:
        """Send a request; returns as soon as the answer begins. ``packed``: the compressions that are taken."""
        headers = {"Accept-Encoding": packed, "User-Agent": f"meja-doctor/{__version__}"}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Origin": self.origin, "Sec-Fetch-Site": "same-origin"}
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def ask(self, method: str, path: str, body: bytes | None = None, timeout: float = 15.0) -> Reply:
        """A request and its whole answer; raises :class:`Unreachable`."""
        began = time.perf_counter()
        try:
            with closing(self.open(timeout)) as connection:
                answer = self.send(connection, method, path, body)
                data = answer.read()
                return Reply(answer.status, answer.getheaders(), _unpacked(answer, data), time.perf_counter() - began)
        except (OSError, HTTPException) as error:
            raise Unreachable(msg("{url} does not answer: {why}", url=self.origin, why=_why(error))) from None

    def protocol(self) -> tuple[str, float | None]:
        """Which HTTP browsers will speak here, and for how many more days the certificate is good."""
        if self.scheme == "http":
            return "http/1.1", None
        context = ssl.create_default_context()
        context.set_alpn_protocols(["h2", "http/1.1"])
        with (
            socket.create_connection((self.host, self.port or 443), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname=self.host) as secure,
        ):
            until = (secure.getpeercert() or {}).get("notAfter")
            days = None if not isinstance(until, str) else (ssl.cert_time_to_seconds(until) - time.time()) / _DAY
            return secure.selected_alpn_protocol() or "http/1.1", days


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return msg("the certificate is not good ({why})", why=error.verify_message)
    if isinstance(error, TimeoutError):
        return msg("no answer in time")
    return system_words(error) if isinstance(error, OSError) else str(error) or type(error).__name__


def examine_way(url: str, build: str = "") -> Iterator[Finding]:
    """Look at a table as browsers reach it; ``build`` is that of the files here, where they are the same."""
    try:
        way = Way(url)
        seen = yield from _reached(way)
        if seen is None:
            return
        yield from _fit(seen, build)
        yield from _http(way)
        yield from _scheme(way, seen)
        yield from _origin_and_cookie(way)
        yield from _page(way)
        yield from _upload(way)
        yield from _metrics(way)
        yield from _stream(way, float(seen["heartbeat"]))
    except Unreachable as fault:
        yield Finding(FAULT, fault.text, msg("Is the server running, and does the proxy pass everything on to it?"))


def _reached(way: Way) -> Generator[Finding, None, dict[str, Any] | None]:
    """Whether a table answers at all, how quickly, and whether the clocks agree."""
    times, offsets, seen = [], [], {}
    for _ in range(5):
        sent = time.time()
        reply = way.ask("GET", "/api/selfcheck")
        if 300 <= reply.status < 400:
            yield Finding(
                FAULT,
                msg("{url} sends on to {other}", url=way.origin, other=reply.first("location")),
                msg("Use that address instead."),
            )
            return None
        try:
            seen = json.loads(reply.body)
            ours = seen["ok"] is True and isinstance(seen["version"], str)
        except (ValueError, KeyError, TypeError):
            ours = False
        if reply.status != 200 or not ours:
            yield Finding(
                FAULT,
                msg(
                    "what answers at {url} is no table of this version ({status})", url=way.origin, status=reply.status
                ),
                msg("Is the server running, and does the proxy pass everything on to it?"),
            )
            return None
        times.append(reply.seconds)
        offsets.append(float(seen["now"]) / 1000 - sent - reply.seconds / 2)
    middle = statistics.median(times)
    text = msg(
        "{url} answers in {time} ms: Meja {version}, kernels: {kernels}",
        url=way.origin,
        time=round(1000 * middle),
        version=str(seen["version"]),
        kernels=str(seen["kernels"]),
    )
    yield Finding(WARNING, text, msg("That is slow; cards will come late.")) if middle > 1 else Finding(OK, text)
    offset = statistics.median(offsets)
    clock = msg("the server's clock and that of this computer differ by {seconds} s", seconds=f"{abs(offset):.1f}")
    yield Finding(WARNING, clock, msg("Set the clock that is wrong.")) if abs(offset) > 2 else Finding(OK, clock)
    return seen


def _fit(seen: dict[str, Any], build: str) -> Iterator[Finding]:
    if seen["version"] != __version__ or (build and seen["build"] != build):
        yield Finding(
            WARNING,
            msg("what is served is another version than the files here ({served}, {here})",
                served=f"{seen['version']} {seen['build']}", here=f"{__version__} {build}"),
            msg("If you have just upgraded, restart the server."),
        )  # fmt: skip


def _http(way: Way) -> Iterator[Finding]:
    try:
        protocol, days = way.protocol()
    except (OSError, ValueError) as error:
        yield Finding(FAULT, msg("{url} does not answer: {why}", url=way.origin, why=_why(error)))
        return
    if way.scheme == "http":
        if _nearby(way.host):
            yield Finding(OK, msg("http without encryption, in a local network"))
        else:
            yield Finding(
                WARNING,
                msg("http without encryption: everybody on the way can read and change what is sent"),
                msg("Put a proxy with a certificate before it (docs/host.md)."),
            )
    elif protocol == "h2":
        yield Finding(OK, msg("https with HTTP/2"))
    else:
        yield Finding(
            WARNING,
            msg("https with HTTP/1.1: a browser with many open tables may wait"),
            msg("Switch HTTP/2 on in the proxy."),
        )
    if days is not None and days < 14:
        yield Finding(
            WARNING,
            msg("the certificate ends in {days} days", days=max(0, round(days))),
            msg("See that it is renewed by itself."),
        )


def _nearby(host: str) -> bool:
    """Whether an address is of this computer or of a local network."""
    try:
        found = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".lan", ".localhost", ".internal")) or "." not in host
    return found.is_loopback or found.is_private or found.is_link_local


def _scheme(way: Way, seen: dict[str, Any]) -> Iterator[Finding]:
    """Whether what the proxy says of the browser reaches the server and is believed."""
    if seen["scheme"] != way.scheme:
        yield Finding(
            FAULT,
            msg("the server takes {scheme} for {other}: cookies are not secure, invitations are wrong",
                scheme=way.scheme, other=str(seen["scheme"])),
            msg("Let the proxy send X-Forwarded-Proto and X-Forwarded-For, and name it: meja serve --proxy ADDRESS"),
        )  # fmt: skip
    elif seen["forwarded"] and not seen["trusted"]:
        yield Finding(
            WARNING,
            msg("the server does not believe the proxy's headers: everybody seems to come from {address}, "
                "and the limits of requests count for all together", address=str(seen["client"])),
            msg("Name the proxy's address: meja serve --proxy ADDRESS"),
        )  # fmt: skip
    else:
        how = msg("behind a proxy that is believed") if seen["forwarded"] else msg("without a proxy")
        yield Finding(OK, msg("the server sees {scheme}, {how}", scheme=str(seen["scheme"]), how=how))
    public = str(seen["public_url"])
    if public and public != way.origin:
        yield Finding(
            WARNING,
            msg("invitations lead to {public}, not to {url}", public=public, url=way.origin),
            msg("Is that what you want? See meja serve --public-url."),
        )


def _origin_and_cookie(way: Way) -> Iterator[Finding]:
    """Whether a post as the page sends it is taken for one of the page, and how the cookie is set."""
    reply = way.ask("POST", "/api/me/leave", b"{}")
    if reply.status == 403:
        yield Finding(
            FAULT,
            msg("posts are refused, since the proxy changes the name that the browser asked for"),
            msg("Let the proxy pass the Host header on (nginx: proxy_set_header Host $http_host;)."),
        )
        return
    cookie = reply.first("set-cookie")
    if reply.status != 200 or not cookie:
        yield Finding(
            FAULT,
            msg("posts do not get through ({status})", status=reply.status),
            msg("The proxy must pass on POST requests and Set-Cookie headers."),
        )
        return
    marks = [mark.strip().lower() for mark in cookie.split(";")[1:]]
    name = cookie.partition("=")[0]
    good = "httponly" in marks and "samesite=lax" in marks and "path=/" in marks
    if way.scheme == "https":
        good = good and "secure" in marks and name.startswith("__Host-")
    if good:
        yield Finding(OK, msg("posts and cookies get through as they should"))
    else:
        yield Finding(
            FAULT,
            msg("the cookie arrives changed or not secure: {cookie}", cookie=cookie),
            msg("Let the proxy leave cookies as they are, and see that the server knows of https (--proxy)."),
        )


def _page(way: Way) -> Iterator[Finding]:
    """The page and the headers that protect it."""
    reply = way.ask("GET", "/")
    text = reply.body.decode("utf-8", "replace")
    if reply.status != 200 or 'id="app"' not in text:
        yield Finding(
            FAULT,
            msg("the first page does not come as it was sent ({status})", status=reply.status),
            msg("Is the server running, and does the proxy pass everything on to it?"),
        )
        return
    found = re.search(r'<script type="importmap">(.*?)</script>', text, re.DOTALL)
    digest = "" if found is None else base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
    policies = reply.all("content-security-policy")
    whole = len(policies) == 1 and f"'sha256-{digest}'" in policies[0] and "default-src 'self'" in policies[0]
    if not policies:
        yield Finding(
            FAULT,
            msg("the Content-Security-Policy header is lost on the way"),
            msg("Let the proxy pass the server's headers on."),
        )
    elif not whole:
        yield Finding(
            FAULT,
            msg("the Content-Security-Policy header is changed on the way, or the page is"),
            msg("Let the proxy add no such header of its own and leave pages as they are."),
        )
    elif reply.first("x-content-type-options").lower() != "nosniff":
        yield Finding(
            WARNING, msg("security headers are lost on the way"), msg("Let the proxy pass the server's headers on.")
        )
    else:
        yield Finding(OK, msg("the page and its security headers arrive whole"))
    if not reply.first("content-encoding"):
        yield Finding(
            WARNING,
            msg("pages are not compressed on the way"),
            msg("Let the proxy pass Accept-Encoding on, or compress text itself (not text/event-stream)."),
        )


def _unpacked(answer: HTTPResponse, data: bytes) -> bytes:
    try:
        return gzip.decompress(data) if answer.getheader("content-encoding") == "gzip" else data
    except (OSError, EOFError, zlib.error):
        return data


def _upload(way: Way) -> Iterator[Finding]:
    """A record may have a megabyte."""
    empty = b'{"record":""}'
    body = empty[:-2] + b"x" * (_BODY - len(empty)) + empty[-2:]
    try:
        status = way.ask("POST", "/api/replay", body).status
    except Unreachable:
        # A proxy that refuses a long body may close before it is sent.
        status = 413
    if status == 422:
        yield Finding(OK, msg("records of up to 1 MB can be sent"))
    elif status == 429:
        yield Finding(WARNING, msg("too many requests to see whether long records can be sent"))
    elif status != 403:
        # A post of another origin was told of before.
        yield Finding(
            WARNING,
            msg("records of 1 MB cannot be sent ({status})", status=status),
            msg("Raise the proxy's limit (nginx: client_max_body_size 2m;)."),
        )


def _metrics(way: Way) -> Iterator[Finding]:
    if not _nearby(way.host) and way.ask("GET", "/metrics").status == 200:
        yield Finding(
            WARNING,
            msg("everybody can read /metrics"),
            msg("It tells only numbers; still, let the proxy refuse it to others (docs/host.md)."),
        )


def _stream(way: Way, heartbeat: float) -> Iterator[Finding]:
    """Whether events come one by one as they are sent, and a silent stream stays open between two heartbeats."""
    pause = heartbeat + 1
    ticks: list[tuple[float, float]] = []
    text, cut = b"", False
    began = time.perf_counter()
    try:
        with closing(way.open(pause + 15)) as connection:
            path = f"/api/selfcheck/stream?pause={pause:.0f}"
            answer = way.send(connection, "GET", path, packed="gzip, deflate, br, zstd")
            if answer.status != 200:
                yield Finding(FAULT, msg("the stream is refused ({status})", status=answer.status))
                return
            packed = answer.getheader("content-encoding", "") or ""
            if packed not in ("", "identity"):
                yield Finding(
                    FAULT,
                    msg("the stream is compressed on the way ({how}), which holds events back", how=packed),
                    msg("Let the proxy not compress text/event-stream."),
                )
                return
            while chunk := answer.read1(65_536):
                text += chunk
                at = time.perf_counter() - began
                ticks += [(at, int(found)) for found in re.findall(rb'"ms":(\d+)', text)[len(ticks) :]]
    except (OSError, HTTPException):
        cut = True
    yield from _judged(ticks, cut, pause)


def _judged(ticks: list[tuple[float, float]], cut: bool, pause: float) -> Iterator[Finding]:
    """What the times at which events were sent (ms) and came (s) tell."""
    quick = [tick for tick in ticks if tick[1] < 1000 * pause]
    hold = msg("Switch its buffering off for this server (nginx: proxy_buffering off; Caddy: flush_interval -1).")
    if len(quick) < 2:
        yield Finding(FAULT, msg("the stream brings nothing: something on the way holds it back"), hold)
        return
    sent = (quick[-1][1] - quick[0][1]) / 1000
    came = quick[-1][0] - quick[0][0]
    if came < sent / 2 or quick[0][0] - quick[0][1] / 1000 > pause / 2:
        yield Finding(
            FAULT,
            msg("the stream is held back: what was sent over {sent} s came within {came} s, {late} s late",
                sent=f"{sent:.1f}", came=f"{came:.1f}", late=f"{quick[0][0]:.1f}"),
            hold,
        )  # fmt: skip
        return
    yield Finding(OK, msg("events come as they are sent; the first after {time} ms", time=round(1000 * quick[0][0])))
    if cut or ticks[-1][1] < 1000 * pause:
        yield Finding(
            FAULT,
            msg("a stream that is silent for {seconds} s is cut", seconds=round(pause)),
            msg("Raise the proxy's timeout to a minute or more (nginx: proxy_read_timeout 1h;)."),
        )
    else:
        yield Finding(OK, msg("a stream that is silent for {seconds} s stays open", seconds=round(pause)))
