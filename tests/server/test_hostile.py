"""Whatever is sent, the answer is a documented one: never a fault of the server, never its inner words."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.server.people import OPEN, Person
from tests.server.raw import Reply, request, send
from tests.server.serving import Server
from tests.server.truth import rows

from meja.server.openapi import document

#: Every POST with a body that it takes; ``{table}`` is a table of the sender.
POSTS: dict[str, dict[str, Any]] = {
    "/api/me": {"name": "Ana"},
    "/api/me/recovery": {},
    "/api/me/recover": {"code": "ABCD-EFGH-JKLM"},
    "/api/me/leave": {},
    "/api/rules": {"game": "smear", "seats": 3, "preset": "standard", "options": {"target": 7}},
    "/api/tables": {
        "key": "some-key",
        "game": "smear",
        "seats": 3,
        "preset": "standard",
        "options": {"target": 7},
        "others": [{"kind": "open", "level": ""}, {"kind": "open", "level": ""}],
        "me": 0,
        "clock": "off",
        "watch": True,
        "listed": False,
        "chat": True,
        "start": False,
    },
    "/api/tables/{table}/commands": {"key": "some-key", "expect": 1, "command": {"do": "chat", "text": "Hello"}},
    "/api/replay": {"record": "{}", "deal": 1},
}
PAGES = ("/", "/new/smear", "/t/abc", "/rules/smear", "/tables", "/mine", "/replay", "/verify", "/about", "/recover")


@pytest.fixture(scope="module")
def seated(server: Server) -> tuple[str, str]:
    """(cookie, table) of somebody at a table."""

    async def sit() -> tuple[str, str]:
        async with Person(server.url, "Ana") as ana:
            return ana.cookie, await ana.make_table("smear", [OPEN, OPEN])

    return asyncio.run(sit())


def expected(path: str, method: str, reply: Reply) -> None:
    """An answer that the document of the interface names, of the type that it names."""
    assert 400 <= reply.status < 500, reply
    documented = document()["paths"].get(path, {}).get(method.lower())
    if documented is not None:
        assert str(reply.status) in documented["responses"], reply
    assert reply.headers["content-type"] == "application/json"
    error = reply.json["error"]
    assert set(error) == {"code", "text", "rule", "head"}
    assert error["text"]
    inner = reply.body.decode().lower()
    assert "traceback" not in inner
    assert ".py" not in inner
    assert "sqlite" not in inner
    assert "content-security-policy" in reply.headers


def post(server: Server, seated: tuple[str, str], path: str, body: bytes, *more: tuple[str, str | bytes]) -> Reply:
    cookie, table = seated
    target = path.replace("{table}", table)
    return send(server.port, request("POST", target, body, (("cookie", f"meja={cookie}"), *more)))


NOT_JSON = {
    "empty": b"",
    "space": b"  ",
    "word": b"hello",
    "cut": b'{"name": "An',
    "NaN": b'{"name": NaN}',
    "infinity": b'{"seats": Infinity}',
    "single quotes": b"{'name': 'Ana'}",
    "comma": b'{"name": "Ana",}',
    "two values": b"{} {}",
    "mark": b"\xef\xbb\xbf{}",
    "latin-1": b'{"name": "\xe9\xe8"}',
    "cut UTF-8": b'{"name": "\xe2\x82"}',
    "overlong": b'{"name": "\xc0\xaf"}',
    "surrogate bytes": b'{"name": "\xed\xa0\x80"}',
    "UTF-16": '{"name": "Ana"}'.encode("utf-16"),
    "control": b'{"name": "\x00\x01"}',
    "deep list": b"[" * 8000 + b"]" * 8000,
    "deep object": b'{"a":' * 2600 + b"1" + b"}" * 2600,
    "deep and open": b"[" * 16000,
    "a list": b"[]",
    "a number": b"12",
    "a long number": b"1" * 5000,
    "null": b"null",
    "a text": b'"text"',
    "unknown field": b'{"no such field": 1}',
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
}


@pytest.mark.parametrize("path", POSTS)
def test_what_is_not_what_it_should_be_is_malformed(server: Server, seated: tuple[str, str], path: str) -> None:
    for name, body in NOT_JSON.items():
        reply = post(server, seated, path, body)
        expected(path, "post", reply)
        assert reply.status == 400, name
        assert reply.json["error"]["code"] == "malformed"


WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**18,
    10**400,
    1e308,
    "",
    "x",
    "x" * 5000,
    "\x00",
    "\ud800",
    "\u202e",
    "'; DROP TABLE events; --",
    "../../etc/passwd",
    "{0.__class__}",
    "%s%n",
    [],
    [1] * 1000,
    {},
    {"do": "act"},
    [{}],
    [[[[]]]],
)


def variants(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """The document with one place after the other replaced by what does not belong there."""
    made: list[tuple[tuple[Any, ...], Any]] = []
    if isinstance(value, dict):
        for name, inner in value.items():
            made += [((name, *where), {**value, name: other}) for where, other in variants(inner)]
        made += [(("+",), {**value, "unknown": 1})]
        made += [(("-", name), {key: inner for key, inner in value.items() if key != name}) for name in value]
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            made += [
                ((index, *where), [*value[:index], other, *value[index + 1 :]]) for where, other in variants(inner)
            ]
    return made + [(path, wrong) for wrong in WRONG]


@pytest.mark.parametrize("path", POSTS)
def test_wrong_values_are_refused_or_taken_but_never_break_anything(
    server: Server, seated: tuple[str, str], path: str, long: bool
) -> None:
    made = variants(POSTS[path])
    for where, body in made if long else made[:: max(1, len(made) // 120)]:
        # "\ud800" is written as an escape: half a character that no text can hold.
        data = json.dumps(body).encode()
        reply = post(server, seated, path, data)
        if len(data) > 16 * 1024 and path != "/api/replay":
            assert reply.status == 413
        if path == "/api/me/leave" and reply.status == 200:
            continue
        if reply.status >= 300:
            expected(path, "post", reply)
        else:
            assert str(reply.status) in document()["paths"][path]["post"]["responses"], (where, reply)


COMMANDS: dict[str, dict[str, Any]] = {
    "sit": {"seat": 1},
    "stand": {},
    "bot": {"seat": 1, "level": "random"},
    "open": {"seat": 1},
    "start": {},
    "ready": {"seed": "0f" * 32},
    "act": {"action": "play As"},
    "undo": {},
    "claim": {},
    "leave": {},
    "retake": {},
    "cover": {"seat": 1},
    "phrase": {"phrase": "nice"},
    "chat": {"text": "Hello"},
    "host": {"seat": 1},
    "settings": {"watch": None, "listed": None, "chat": None},
    "rematch": {},
    "close": {},
}


@pytest.mark.parametrize("do", COMMANDS)
def test_commands_with_wrong_values(server: Server, do: str) -> None:
    async def table() -> tuple[str, str]:
        async with Person(server.url, "Ana") as ana:
            return ana.cookie, await ana.make_table("smear", [OPEN, OPEN])

    seated = asyncio.run(table())
    number = 0
    for name in COMMANDS[do] or [""]:
        for wrong in WRONG:
            number += 1
            command = {"do": do, **COMMANDS[do], **({name: wrong} if name else {"unknown": wrong})}
            body = json.dumps({"key": f"wrong-{number}", "expect": 1, "command": command}).encode()
            reply = post(server, seated, "/api/tables/{table}/commands", body)
            if reply.status >= 300:
                expected("/api/tables/{table}/commands", "post", reply)
                if not name:
                    assert reply.status == 400
    odd: tuple[Any, ...] = (
        {"do": do, "DO": do},
        {"Do": do},
        {"do": do.upper()},
        {"do": [do]},
        {"do": None},
        [do],
        do,
        {},
    )
    for other in odd:
        body = json.dumps({"key": "wrong-command", "command": other}).encode()
        assert post(server, seated, "/api/tables/{table}/commands", body).status == 400


@pytest.mark.parametrize("seed", ["0f" * 32 + "\n", "0F" * 32, "0f" * 31, "0f" * 33, "", "\n" + "0f" * 32, "٠" * 64])
def test_a_seed_that_is_none_is_refused_before_it_can_stop_the_table(server: Server, seed: str) -> None:
    async def ready() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [{"kind": "bot", "level": "random"}] * 2, start=True)
            answer = await ana.do(table, None, do="ready", seed=seed)
            assert (answer.status, answer.code) == (400, "malformed")
            assert (await ana.do(table, None, do="ready", seed="0f" * 32)).status in (201, 422)

    asyncio.run(ready())


def test_words_that_could_do_harm_are_words(server: Server) -> None:
    evil = "<img src=x onerror=a()>"
    chat = "\u202e</script><script>alert(1)</script>\n\nevent: gone\ndata: {}\n\n{0.__class__} {seat} %s \x1b[2J"

    async def say() -> None:
        async with Person(server.url, evil) as mallory, Person(server.url, "Ana") as ana:
            table = await mallory.make_table("smear", [OPEN, OPEN], listed=True)
            assert (await mallory.do(table, None, do="chat", text=chat)).status == 201
            said = "</script><script>alert(1)</script> event: gone data: {} {0.__class__} {seat} %s [2J"
            async with ana.http.stream("GET", "/api/stream", params={"table": table, "after": 1}) as response:
                stream = b""
                async for chunk in response.aiter_bytes():
                    stream += chunk
                    if stream.count(b"\n\n") > 1:
                        break
            block = stream.split(b"\n\n")[1]
            assert [line.partition(b":")[0] for line in block.split(b"\n")] == [b"id", b"event", b"data"]
            update = json.loads(block.split(b"\ndata: ")[1])
            assert update["state"]["messages"][0]["text"] == said
            assert update["steps"][0]["lines"] == [f"{evil}: {said}"]
            assert update["state"]["seats"][0]["name"] == evil
            # Nothing that people write stands in a page; JSON is never taken for one.
            for path in (f"/t/{table}", "/tables", f"/new/{evil}", f"/rules/{evil}", f"/?lang={evil}"):
                page = await ana.request("GET", path)
                assert page.headers["content-type"].startswith("text/html")
                assert b"onerror" not in page.body
            for path in ("/api/tables", f"/api/tables/{table}", f"/api/tables/{evil}", f"/api/book/{evil}"):
                answer = await ana.request("GET", path, lang=evil)
                assert answer.headers["content-type"] == "application/json"
                assert answer.headers["x-content-type-options"] == "nosniff"
            assert rows(server.database, table)[1].entry.text == said  # type: ignore[union-attr]

    asyncio.run(say())


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 25, "\u200b\u200b", "\u202e", "\x00", "\n", "\u0300" * 30, "\u200f", "\ud800"],
    ids=ascii,
)
def test_names_that_are_none(server: Server, name: str) -> None:
    reply = send(server.port, request("POST", "/api/me", json.dumps({"name": name}).encode()))
    expected("/api/me", "post", reply)
    assert "set-cookie" not in reply.headers


# -- addresses -------------------------------------------------------------------


def test_no_file_but_the_apps_own_can_be_had(server: Server) -> None:
    build = send(server.port, request("GET", "/api/me")).json["build"]
    assert send(server.port, request("GET", f"/a/{build}/app/main.mjs")).status == 200
    for path in (
        "../../../pyproject.toml",
        "..%2f..%2f..%2fpyproject.toml",
        "%2e%2e/%2e%2e/server/app.py",
        "..\\..\\server\\app.py",
        "....//....//server/app.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "app/../../../../etc/passwd",
        "app/main.mjs/../../../server/app.py",
        "app/main.mjs%00.png",
        "app",
        "app/",
        "",
        ".",
        "jsconfig.json",
        "types.d.ts",
        "index.html/",
        "./app/main.mjs",
        "app//main.mjs",
        "APP/MAIN.MJS",
    ):
        reply = send(server.port, request("GET", f"/a/{build}/{path}"))
        expected("/a", "get", reply)
        assert reply.status == 404, path
    for path in ("/a/otherbuild1/app/main.mjs", "/a/../etc/passwd", "/../../etc/passwd", "//etc/passwd", "/a", "/a/"):
        reply = send(server.port, request("GET", path))
        assert reply.status == 404, path


def test_odd_addresses(server: Server) -> None:
    for target in (
        "/api/tables/%00",
        "/api/tables/%ff%fe",
        "/api/tables/%ed%a0%80",
        "/api/tables/%F0%9F%83%A1",
        "/api/tables/" + "x" * 4000,
        "/api/tables/'%20OR%201=1",
        "/api/tables/a/events?after=%00&wait=%00",
        "/api/tables/a/events?wait=nan",
        "/api/stream",
        "/api/stream?table=",
        "/api/stream?table=%00&after=x",
        "/api/stream?table=a&table=b",
        "/api/book/nothing",
        "/api/book/..%2f..%2fsetup",
        "/api/book/smear?seats=9",
        "/api/book/smear?seats=%D9%A3",
        "/api/book/smear?seats=" + "9" * 4000,
        "/api/book/smear?rules=x",
        "/api/book/smear?rules=[]",
        "/api/book/smear?rules={%22target%22:NaN}",
        "/api/book/smear?rules={%22target%22:1e999}",
        "/api/book/smear?rules={%22target%22:" + "9" * 5000 + "}",
        "/api/book/smear?rules={%22preset%22:{}}",
        "/api/book/smear?rules={%22preset%22:[]}",
        "/api/book/smear?rules=" + "[" * 7000,
        "/api/book/smear?rules={%22target%22:%22\\ud800%22}",
        "/api/book/kaluki?rules={%22opening_points%22:true}",
        "/no/such/page",
        "/api",
        "/api/",
        "/index.html",
        "/robots.txt%00",
        "/%",
        "/%zz",
        "/?" + "&".join(f"a{number}=1" for number in range(900)),
    ):
        reply = send(server.port, request("GET", target))
        if target.startswith("/?") or "[]" in target:
            assert reply.status in (200, 422), target
        else:
            expected(target.partition("?")[0], "get", reply)


@pytest.mark.parametrize("length", [8200, 20_000, 40_000, 200_000])
def test_a_long_address_is_too_long(server: Server, length: int) -> None:
    for target in ("/api/me?" + "x" * length, "/t/" + "x" * length):
        reply = send(server.port, request("GET", target))
        if length > 30_000 and reply.status != 414:
            # It is not even read to its end.
            assert reply.status in (400, 0)
        else:
            expected("/api/me", "get", reply)
            assert reply.status == 414
    assert send(server.port, request("GET", "/healthz")).status == 200


@pytest.mark.parametrize(("count", "size"), [(50, 20), (2000, 20), (1, 60_000), (50_000, 5)])
def test_many_or_long_headers(server: Server, count: int, size: int) -> None:
    headers = tuple((f"x-{number}", "y" * size) for number in range(count))
    reply = send(server.port, request("GET", "/api/me", None, headers))
    if count == 50:
        assert reply.status == 200
    elif reply.status == 431:
        expected("/api/me", "get", reply)
    else:
        # It is not even read to its end.
        assert reply.status in (400, 0)
    assert send(server.port, request("GET", "/healthz")).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        (("host", "["),),
        (("host", "[::1"),),
        (("host", ""),),
        (("host", "a b"),),
        (("host", "meja:port"),),
        (("host", "\u00e9".encode("latin-1")),),
        (("origin", "http://["),),
        (("origin", "http://meja:port"),),
        (("origin", "\u00e9".encode("latin-1")),),
        (("cookie", "meja=\u00e9".encode("latin-1")),),
        (("cookie", "meja=" + "x" * 9000),),
        (("cookie", "meja=\x01\x02"),),
        (("cookie", "=;=;;meja;=meja"),),
        (("cookie", 'meja="\\303\\251"'),),
        (("accept-language", "\u00e9".encode("latin-1")),),
        (("accept-encoding", "gzip;q=0, \u00e9".encode("latin-1")),),
        (("last-event-id", "\u00e9".encode("latin-1")),),
        (("content-type", "\u00e9".encode("latin-1")),),
        (("x-forwarded-for", "1.2.3.4, <script>"), ("x-forwarded-proto", "javascript")),
        (("content-length", "-1"),),
        (("content-length", "x"),),
        (("content-length", "9" * 30),),
        (("transfer-encoding", "gzip"),),
        (("transfer-encoding", "chunked"), ("content-length", "5")),
        (("upgrade", "websocket"), ("connection", "upgrade"), ("sec-websocket-key", "x")),
        (("expect", "100-continue"),),
        (("range", "bytes=0-1,5-9"),),
    ],
    ids=ascii,
)
def test_odd_headers_break_nothing(server: Server, headers: tuple[tuple[str, str | bytes], ...]) -> None:
    table_paths = ("/api/me", "/", "/api/tables/x/qr.svg", "/api/stream?table=x")
    for method, path in [*(("GET", path) for path in table_paths), ("POST", "/api/rules")]:
        body = b'{"game": "smear"}' if method == "POST" else None
        if body is not None and headers[0][0] in ("content-length", "transfer-encoding"):
            continue
        reply = send(server.port, request(method, path, body, headers))
        assert 200 <= reply.status < 500, (path, reply)
        assert b"Traceback" not in reply.body
    assert send(server.port, request("GET", "/healthz")).status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\nx y: z\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\r\n folded: z\r\n\r\n",
        b"GET http://other/ HTTP/1.1\r\nhost: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n",
        b"POST /api/me HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
        b"transfer-encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=lambda data: ascii(data[:30]),
)
def test_what_is_no_request(server: Server, data: bytes) -> None:
    with_end = send(server.port, data, 3) if not data.endswith(b"zz\r\n") else send(server.port, data + b"\r\n", 3)
    assert with_end.status == 0 or 200 <= with_end.status < 500
    assert b"Traceback" not in with_end.body
    assert send(server.port, request("GET", "/healthz")).status == 200


# -- bodies that are too large -----------------------------------------------------


def chunked(body: bytes, size: int = 4096) -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_too_large_is_refused(server: Server, seated: tuple[str, str], path: str) -> None:
    most = 1024 * 1024 if path == "/api/replay" else 16 * 1024
    small = json.dumps(POSTS[path]).encode()
    for size, right in ((most, True), (most + 1, False)):
        body = small + b" " * (size - len(small))
        for reply in (
            post(server, seated, path, body),
            post(server, seated, path, chunked(body), ("transfer-encoding", "chunked")),
        ):
            if right:
                assert reply.status != 413
            elif reply.status != 401:
                expected(path, "post", reply)
                assert (reply.status, reply.json["error"]["code"]) == (413, "too-large")


def test_a_huge_body_is_not_waited_for(server: Server, seated: tuple[str, str]) -> None:
    for length in (2**31, 10**15):
        reply = post(server, seated, "/api/rules", b"{", ("content-length", str(length)))
        assert (reply.status, reply.json["error"]["code"]) == (413, "too-large")
    # Sent in full it may be cut off on the way, but is never taken in.
    reply = post(server, seated, "/api/rules", b" " * (8 << 20))
    assert reply.status in (413, 0)


# -- methods --------------------------------------------------------------------


def test_every_other_method_is_refused(server: Server) -> None:
    paths = [*PAGES, *document()["paths"], "/favicon.ico", "/a/x/y"]
    known = document()["paths"]
    for path in paths:
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO", "get", "HEAD"):
            if method.lower() in known.get(path, {}) and method != "get":
                continue
            if method == "HEAD" and (path not in known or "get" in known[path]):
                continue
            target = path.replace("{table}", "x").replace("{game}", "smear")
            reply = send(server.port, request(method, target, b"{}" if method in ("POST", "PUT") else None))
            assert reply.status == 405, (method, path, reply)
            assert reply.headers["allow"]
            if method != "HEAD":
                assert reply.json["error"]["code"] == "method"


def test_head_is_get_without_a_body(server: Server, seated: tuple[str, str]) -> None:
    cookie, table = seated
    paths = [*PAGES, "/favicon.ico", *(path for path, methods in document()["paths"].items() if "get" in methods)]
    for path in paths:
        target = path.replace("{table}", table).replace("{game}", "smear")
        target += f"?table={table}" if path == "/api/stream" else ""
        more = (("cookie", f"meja={cookie}"), ("connection", "close"))
        head = send(server.port, request("HEAD", target, None, more))
        assert head.body == b"", path
        if path != "/api/stream":
            got = send(server.port, request("GET", target, None, more))
            assert head.status == got.status, path
            assert head.headers["content-type"] == got.headers["content-type"]
        else:
            assert head.status == 200
