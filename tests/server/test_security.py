"""Who may do what: cookies, other sites, codes, seats, closed tables, limits, and the headers of every answer."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Coroutine
from contextlib import closing
from http.cookies import SimpleCookie
from typing import Any

import pytest
from tests.server.conftest import Serve
from tests.server.people import BOT, OPEN, Answer, Follower, Person, after_deals, party
from tests.server.raw import request, send
from tests.server.serving import Server
from tests.server.test_hostile import COMMANDS, PAGES, POSTS
from tests.server.truth import dice, rows

from meja.server.limits import LIMITS
from meja.server.openapi import document


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def everything(server: Server) -> list[Any]:
    """All that is stored of people and tables."""
    with closing(sqlite3.connect(server.database, timeout=10)) as connection:
        return [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in ("people", "sessions", "tables", "events", "members", "records")
        ]


# -- cookies ----------------------------------------------------------------------


def cookie_of(answer: Answer) -> tuple[str, str, dict[str, str]]:
    """(name, value, flags) of the one cookie that an answer sets."""
    (line,) = answer.headers.get_list("set-cookie")
    (morsel,) = SimpleCookie(line).values()
    return morsel.key, morsel.value, {name: value for name, value in morsel.items() if value}


def test_nobody_gets_a_cookie_before_giving_a_name(server: Server) -> None:
    async def look() -> None:
        async with Person(server.url) as nobody:
            for path in (*PAGES, "/api/me", "/api/games", "/api/tables", "/healthz", "/favicon.ico", "/api/nothing"):
                answer = await nobody.request("GET", path)
                assert "set-cookie" not in answer.headers
            for path, body in POSTS.items():
                if path != "/api/me":
                    answer = await nobody.request("POST", path.replace("{table}", "x"), body)
                    assert "set-cookie" not in answer.headers or path == "/api/me/leave"
            assert (await nobody.request("GET", "/api/me")).json["person"] is None

    run(look())


def test_the_cookie_on_http(server: Server) -> None:
    async def sign_in() -> None:
        async with Person(server.url) as ana:
            name, token, flags = cookie_of(await ana.request("POST", "/api/me", {"name": "Ana"}))
            assert name == "meja"
            assert len(token) >= 40
            assert flags.pop("max-age").isdigit()
            assert flags == {"httponly": True, "samesite": "lax", "path": "/"}
            # A new name is not a new browser.
            assert "set-cookie" not in (await ana.request("POST", "/api/me", {"name": "Anna"})).headers
            name, _, flags = cookie_of(await ana.request("POST", "/api/me/leave", {}))
            assert (name, flags["max-age"], flags["path"]) == ("meja", "0", "/")
            # What was signed out stays out, also for one who kept the cookie.
            ana.http.cookies.set("meja", token)
            assert (await ana.request("GET", "/api/me")).json["person"] is None

    run(sign_in())


def test_the_cookie_behind_a_proxy_that_is_trusted(serve: Serve) -> None:
    server = serve("--proxy", "127.0.0.1")
    secure = {"x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7"}

    async def sign_in() -> None:
        async with Person(server.url) as ana:
            name, token, flags = cookie_of(
                await ana.request("POST", "/api/me", {"name": "Ana"}, headers={**secure, "origin": ana_origin(ana)})
            )
            assert name == "__Host-meja"
            flags.pop("max-age")
            # Such a cookie must be Secure, for the whole host, and without a domain.
            assert flags == {"httponly": True, "samesite": "lax", "path": "/", "secure": True}
            ana.http.cookies.clear()
            for cookie, known in ((f"__Host-meja={token}", True), (f"meja={token}", False)):
                me = await ana.request("GET", "/api/me", headers={**secure, "cookie": cookie})
                assert (me.json["person"] is not None) is known
            await ana.request("POST", "/api/me", {"name": "Ana"})
            table = await ana.make_table("smear", [OPEN, OPEN])
            code = (await ana.request("GET", f"/api/tables/{table}/qr.svg", headers=secure)).body
            assert code.startswith(b"<svg")

    run(sign_in())


def ana_origin(person: Person) -> str:
    return f"https://{person.http.base_url.netloc.decode()}"


def test_a_proxy_that_is_not_trusted_changes_nothing(server: Server) -> None:
    async def sign_in() -> None:
        async with Person(server.url) as ana:
            name, _, flags = cookie_of(
                await ana.request("POST", "/api/me", {"name": "Ana"}, headers={"x-forwarded-proto": "https"})
            )
            assert name == "meja"
            assert "secure" not in flags

    run(sign_in())


def test_no_secret_is_stored_as_it_is(server: Server) -> None:
    async def sign_in() -> tuple[str, str]:
        async with Person(server.url, "Ana") as ana:
            code = (await ana.request("POST", "/api/me/recovery", {})).json["code"]
            return ana.cookie, code

    token, code = asyncio.run(sign_in())
    stored = b"".join(path.read_bytes() for path in server.data.iterdir())
    for secret in (token, code, code.replace("-", "")):
        assert secret.encode() not in stored


# -- other sites --------------------------------------------------------------------

FOREIGN: tuple[tuple[dict[str, str], int], ...] = (
    ({"origin": "https://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://127.0.0.1:1"}, 403),
    ({"origin": "http://127.0.0.1"}, 403),
    ({"origin": "http://localhost.evil.example"}, 403),
    ({"origin": "http://["}, 403),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
    ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
    ({"content-type": "text/plain"}, 415),
    ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ({"content-type": "multipart/form-data; boundary=x"}, 415),
    ({"content-type": "text/plain; application/json"}, 415),
    ({"content-type": "application/jsonx"}, 415),
    ({"content-type": ""}, 415),
)


@pytest.mark.parametrize("path", POSTS)
def test_another_site_can_change_nothing(server: Server, path: str) -> None:
    async def attack() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [OPEN, OPEN])
            await asyncio.sleep(0.2)
            before = everything(server)
            for headers, status in FOREIGN:
                given = {"content-type": "application/json"} | headers
                response = await ana.http.post(
                    path.replace("{table}", table), content=json.dumps(POSTS[path]), headers=given
                )
                assert response.status_code == status, headers
                assert response.json()["error"]["code"] == {403: "origin", 415: "type"}[status]
                assert "set-cookie" not in response.headers
                assert "access-control-allow-origin" not in response.headers
            assert everything(server) == before
            assert (await ana.request("GET", "/api/me")).json["person"]["name"] == "Ana"

    run(attack())


def test_the_own_site_can(server: Server) -> None:
    async def ask() -> None:
        async with Person(server.url) as ana:
            for headers in (
                {"origin": server.url, "sec-fetch-site": "same-origin"},
                {"sec-fetch-site": "none"},
                {"content-type": "application/json; charset=utf-8"},
                {"content-type": "Application/JSON"},
                {},
            ):
                answer = await ana.request("POST", "/api/me", {"name": "Ana"}, headers=headers)
                assert answer.status == 200, headers

    run(ask())


# -- headers ---------------------------------------------------------------------------


def check_headers(headers: dict[str, str]) -> None:
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["object-src"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert "*" not in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in ("same-origin", "no-referrer")
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers
    assert "x-powered-by" not in headers


def test_every_answer_has_the_headers_that_protect(server: Server) -> None:
    build = send(server.port, request("GET", "/api/me")).json["build"]
    asked = [
        *(request("GET", page) for page in PAGES),
        *(request("GET", path.replace("{table}", "x")) for path in document()["paths"] if path != "/api/stream"),
        *(request("POST", path.replace("{table}", "x"), b"{") for path in POSTS),
        request("GET", f"/a/{build}/app/main.mjs"),
        request("GET", f"/a/{build}/nothing"),
        request("GET", "/favicon.ico"),
        request("GET", "/nothing"),
        request("PUT", "/api/me", b"{}"),
        request("HEAD", "/"),
        request("GET", "/api/stream?table=x"),
        request("GET", "/" + "x" * 9000),
        request("GET", "/api/me?" + "x" * 9000),
        request("GET", "/api/me", None, (("cookie", "x" * 20000),)),
        request("POST", "/api/me", b" " * 20000),
        request("POST", "/api/me", b"{}", (("content-type", "text/plain"),)),
        request("POST", "/api/me", b"{}", (("origin", "http://evil.example"),)),
        request("GET", "/api/tables", None, (("accept-encoding", "gzip"),)),
    ]
    seen = set()
    for data in asked:
        reply = send(server.port, data)
        seen.add(reply.status)
        check_headers(reply.headers)
        if data.startswith(b"GET /api"):
            assert "no-store" in reply.headers["cache-control"], data[:60]
    assert {200, 400, 401, 403, 404, 405, 413, 414, 415, 431} <= seen


def test_a_stream_and_refusals_have_them_too(server: Server) -> None:
    async def look() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [OPEN, OPEN])
            async with ana.http.stream("GET", "/api/stream", params={"table": table}) as response:
                check_headers(dict(response.headers))
            for expect, command, status in (
                (99, {"do": "undo"}, 409),
                (1, {"do": "undo"}, 422),
                (1, {"do": "phrase", "phrase": "hello"}, 201),
            ):
                answer = await ana.do(table, expect, **command)
                assert answer.status == status
                check_headers(dict(answer.headers))

    run(look())


def test_the_page_has_no_script_or_style_that_the_policy_would_refuse(server: Server) -> None:
    reply = send(server.port, request("GET", "/"))
    page = reply.body.decode()
    for script in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.S):
        attributes, text = script
        assert "src=" in attributes or "importmap" in attributes
        assert "src=" not in attributes or not text.strip()
    assert "<style" not in page
    assert not re.search(r"\son\w+=", page)
    assert "javascript:" not in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


# -- recovery codes ------------------------------------------------------------------------


def test_a_code_moves_a_seat_to_another_browser(server: Server) -> None:
    async def move() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url) as phone:
            table = await ana.make_table("smear", [OPEN, OPEN])
            code = (await ana.request("POST", "/api/me/recovery", {})).json["code"]
            assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}", code)
            name, token, _ = cookie_of(await phone.request("POST", "/api/me/recover", {"code": code}))
            assert token != ana.cookie
            for browser in (ana, phone):
                update = await browser.update(table)
                assert update["state"]["me"] == {"seat": 0, "host": True, "known": True}
                assert browser.http.cookies[name]
            assert (await phone.do(table, None, do="phrase", phrase="hello")).status == 201
            # As people type it; and as long as no newer one is made, on every browser of theirs.
            async with Person(server.url) as desk:
                typed = f"  {code.lower().replace('-', ' ')} "
                assert (await desk.request("POST", "/api/me/recover", {"code": typed})).status == 200
                assert (await desk.update(table))["state"]["me"]["seat"] == 0
                # One browser less is not one person less.
                await desk.request("POST", "/api/me/leave", {})
                assert (await desk.update(table))["state"]["me"]["seat"] is None
            assert (await ana.update(table))["state"]["me"]["seat"] == 0

    run(move())


def test_codes_that_do_not_count(server: Server) -> None:
    async def tries() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi, Person(server.url) as thief:
            old = (await ana.request("POST", "/api/me/recovery", {})).json["code"]
            new = (await ana.request("POST", "/api/me/recovery", {})).json["code"]
            theirs = (await budi.request("POST", "/api/me/recovery", {})).json["code"]
            assert len({old, new, theirs}) == 3
            wrong = new[:-1] + ("A" if new[-1] != "A" else "B")
            answers = []
            for code in (old, wrong, "", "-", new[:-1], new + "A", "%", "' OR 1=1 --", "\x00" * 12, "А" * 12):
                answer = await thief.request("POST", "/api/me/recover", {"code": code})
                assert answer.status == 422, code
                assert "set-cookie" not in answer.headers
                answers.append(answer.json)
            # The answer does not tell an old one from one that never was.
            assert all(answer == answers[0] for answer in answers)
            assert (await thief.request("POST", "/api/me/recover", {"code": new})).json["person"]["name"] == "Ana"

    run(tries())


def test_nobody_can_try_codes_for_long(serve: Serve) -> None:
    server = serve()

    async def tries() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url) as thief:
            code = (await ana.request("POST", "/api/me/recovery", {})).json["code"]
            answers = [
                await thief.request("POST", "/api/me/recover", {"code": f"AAAA-AAAA-{number:04}"})
                for number in range(20)
            ]
            assert [answer.status for answer in answers[:12]] == [422] * 12
            assert {answer.status for answer in answers[14:]} == {429}
            assert int(answers[-1].headers["retry-after"]) >= 5
            # The right one among too many tries is refused too.
            assert (await thief.request("POST", "/api/me/recover", {"code": code})).status == 429
            # Another browser and another cookie at the same address do not help.
            async with Person(server.url) as other:
                assert (await other.request("POST", "/api/me/recover", {"code": code})).status == 429

    run(tries())


# -- limits -----------------------------------------------------------------------------------


def test_who_is_too_quick_is_told_when_to_come_again(serve: Serve) -> None:
    server = serve()

    async def quick() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi:
            table = await ana.make_table("smear", [OPEN, OPEN])
            await budi.do(table, None, do="sit", seat=1)
            path = f"/api/tables/{table}/commands"
            answers = await asyncio.gather(
                *(
                    ana.request("POST", path, {"key": ana.key(), "command": {"do": "phrase", "phrase": "hello"}})
                    for _ in range(30)
                )
            )
            done = [answer for answer in answers if answer.status == 201]
            refused = [answer for answer in answers if answer.status == 429]
            assert len(done) + len(refused) == 30
            assert LIMITS["talk"].burst <= len(done) < 20
            for answer in refused:
                assert answer.code == "too-many"
                assert 1 <= int(answer.headers["retry-after"]) <= 10
            assert len(rows(server.database, table)) == 2 + len(done)
            # It is hers alone.
            assert (await budi.do(table, None, do="phrase", phrase="hello")).status == 201
            await asyncio.sleep(int(refused[-1].headers["retry-after"]))
            key = ana.key()
            answer = await ana.request("POST", path, {"key": key, "command": {"do": "phrase", "phrase": "hello"}})
            assert answer.status == 201
            # Whoever only looks is not held up by all this.
            for _ in range(100):
                assert (await ana.request("GET", f"/api/tables/{table}")).status == 200

    run(quick())


def test_a_class_behind_one_address_can_sit_down_at_once(serve: Serve) -> None:
    server = serve()

    async def children() -> None:
        people = [Person(server.url) for _ in range(35)]
        answers = await asyncio.gather(
            *(person.request("POST", "/api/me", {"name": f"Child {number}"}) for number, person in enumerate(people))
        )
        assert {answer.status for answer in answers} == {200}
        tables = await asyncio.gather(*(person.make_table("smear", [BOT, BOT], start=True) for person in people))
        views = await asyncio.gather(
            *(person.request("GET", f"/api/tables/{table}") for person, table in zip(people, tables, strict=True))
        )
        assert {answer.status for answer in views} == {200}
        for person in people:
            await person.http.aclose()

    run(children())


def test_new_people_and_tables_are_limited(serve: Serve) -> None:
    server = serve()

    async def many() -> None:
        async with Person(server.url, "Ana") as ana:
            body = {"game": "smear", "seats": 3, "others": [OPEN, OPEN]}
            made = await asyncio.gather(
                *(ana.request("POST", "/api/tables", body | {"key": ana.key()}) for _ in range(45))
            )
            assert {answer.status for answer in made} == {201, 429}
            assert len([answer for answer in made if answer.status == 201]) < 40
            async with Person(server.url) as nobody:
                statuses = []
                for _ in range(150):
                    nobody.http.cookies.clear()
                    statuses.append((await nobody.request("POST", "/api/me", {"name": "Guest"})).status)
                assert set(statuses) == {200, 429}

    run(many())


# -- seats and tables -----------------------------------------------------------------------------


def test_strangers_and_spectators_can_do_nothing(server: Server) -> None:
    async def stranger() -> None:
        async with (
            party(server.url, "smear", 2, dice(8)) as (table, players),
            Person(server.url, "Citra") as citra,
            Person(server.url) as nobody,
            Follower(citra, table) as watching,
        ):
            await players[0].follower.until(lambda made: made["state"]["deal"] == 1)
            await watching.until(lambda made: True)
            before = [row for row in rows(server.database, table) if row.actor != "server"]
            for do, fields in COMMANDS.items():
                body = {"key": "by-a-stranger", "expect": watching.head, "command": {"do": do, **fields}}
                answer = await citra.request("POST", f"/api/tables/{table}/commands", body)
                assert (answer.status, answer.code) in (
                    (403, "not-seated"),
                    (422, "started"),
                    (409, "stale"),
                ), (do, answer.body)
                answer = await nobody.request("POST", f"/api/tables/{table}/commands", body)
                assert (answer.status, answer.code) == (401, "no-person")
                # A cookie that nobody gave out is nobody's.
                made_up = {"cookie": "meja=" + "a" * 43}
                answer = await nobody.request("POST", f"/api/tables/{table}/commands", body, headers=made_up)
                assert answer.status == 401
            log = [row for row in rows(server.database, table) if row.actor != "server"]
            assert log == before
            assert watching.last["state"]["me"] == {"seat": None, "host": False, "known": True}
            assert watching.last["view"]["hand"] == []
            assert watching.last["view"]["legal"] == []

    run(stranger())


def test_a_guest_is_not_the_host_and_nobody_acts_for_another(server: Server) -> None:
    async def guest() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi:
            table = await ana.make_table("smear", [OPEN, BOT])
            await budi.do(table, None, do="sit", seat=1)
            for do in ("bot", "open", "start", "host", "settings", "close"):
                answer = await budi.do(table, None, do=do, **COMMANDS[do])
                assert (answer.status, answer.code) == (403, "not-host"), do
            await ana.do(table, None, do="start")
            async with Follower(ana, table) as one, Follower(budi, table) as two:
                for person in (ana, budi):
                    await person.do(table, None, do="ready", seed="0f" * 32)
                update = await one.until(lambda made: made["view"] and made["view"]["to_act"] in (0, 1))
                head, to_act = update["head"], update["view"]["to_act"]
                other, link = ((budi, two), (ana, one))[to_act]
                await link.until(lambda made: made["head"] == head)
                assert link.last["view"]["legal"] == []
                for action in ("bid 2", "pass", "play As", "play Td"):
                    answer = await other.do(table, head, do="act", action=action)
                    assert (answer.status, answer.code) == (422, "not-your-turn")
                # Cards that somebody else holds are refused like any other that one has not.
                me, mine = ((ana, one), (budi, two))[to_act]
                await mine.until(lambda made: made["head"] == head)
                texts = set()
                for suit in "shdc":
                    for rank in "A2":
                        card = rank + suit
                        if card not in mine.last["view"]["hand"]:
                            answer = await me.do(table, head, do="act", action=f"play {card}")
                            assert answer.status == 422
                            sign = "♠♥♦♣"["shdc".index(suit)]
                            texts.add(answer.json["error"]["text"].replace(rank + sign, "?").replace(card, "?"))
                assert len(texts) == 1

    run(guest())


def test_a_table_that_nobody_may_watch(server: Server) -> None:
    async def closed() -> None:
        async with (
            party(server.url, "smear", 2, dice(9), watch=False) as (table, players),
            Person(server.url, "Citra") as citra,
            Person(server.url) as nobody,
        ):
            await players[0].follower.until(lambda made: made["state"]["deal"] == 1)

            async def refused() -> None:
                for person in (citra, nobody):
                    for path in ("", "/events", "/events?after=1&wait=1", "/book", "/qr.svg", "/record"):
                        answer = await person.request("GET", f"/api/tables/{table}{path}")
                        assert (answer.status, answer.code) == (404, "not-found"), path
                    answer = await person.request("GET", "/api/stream", table=table)
                    assert (answer.status, answer.code) == (404, "not-found")
                for do, fields in COMMANDS.items():
                    body = {"key": citra.key(), "expect": 1, "command": {"do": do, **fields}}
                    answer = await citra.request("POST", f"/api/tables/{table}/commands", body)
                    assert (answer.status, answer.code) == (404, "not-found"), do
                    assert b'"head":null' in answer.body
                assert all(table != one["table"] for one in (await citra.request("GET", "/api/tables")).json["tables"])

            await refused()
            await asyncio.gather(*(player.play(after_deals(1)) for player in players))
            await players[0].person.do(table, None, do="close")
            assert (await players[1].person.request("GET", f"/api/tables/{table}/record")).status == 200
            await asyncio.sleep(0.3)
            await refused()

    run(closed())


def test_the_kept_record_of_a_table_that_nobody_might_watch(serve: Serve) -> None:
    """After some time only the record of a match is kept; it is still for those who played."""
    server = serve("--no-limits")

    async def kept() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Citra") as citra, Person(server.url) as nobody:
            private = await ana.make_table("smear", [BOT, BOT], start=True, watch=False)
            public = await ana.make_table("smear", [BOT, BOT], start=True)
            records = {}
            for table in (private, public):
                await ana.do(table, None, do="close")
                records[table] = (await ana.sure("GET", f"/api/tables/{table}/record")).body
            await asyncio.sleep(0.3)
            server.stop()
            server.options = (*server.options, "--keep-days", "0")
            await asyncio.to_thread(server.start)
            for _ in range(100):
                if (await ana.request("GET", f"/api/tables/{public}")).status == 404:
                    break
                await asyncio.sleep(0.05)
            assert rows(server.database, private) == rows(server.database, public) == []
            for person, allowed in ((ana, (private, public)), (citra, (public,)), (nobody, (public,))):
                for table in (private, public):
                    answer = await person.request("GET", f"/api/tables/{table}/record")
                    if table in allowed:
                        assert (answer.status, answer.body) == (200, records[table])
                    else:
                        assert (answer.status, answer.code) == (404, "archived")

    run(kept())


def test_my_tables_are_mine(server: Server) -> None:
    async def lists() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi, Person(server.url) as nobody:
            table = await ana.make_table("smear", [OPEN, BOT])
            listed = await ana.make_table("smear", [OPEN, BOT], listed=True)
            for _ in range(100):
                mine = {one["table"] for one in (await ana.request("GET", "/api/tables/mine")).json["tables"]}
                if mine == {table, listed}:
                    break
                await asyncio.sleep(0.05)
            assert mine == {table, listed}
            assert (await budi.request("GET", "/api/tables/mine")).json["tables"] == []
            assert (await nobody.request("GET", "/api/tables/mine")).status == 401
            seen = [one["table"] for one in (await nobody.request("GET", "/api/tables")).json["tables"]]
            assert listed in seen
            assert table not in seen

    run(lists())


def test_one_damaged_table_does_not_hide_the_others(serve: Serve) -> None:
    server = serve("--no-limits")

    async def damaged() -> None:
        async with Person(server.url, "Ana") as ana:
            good = await ana.make_table("smear", [BOT, BOT], start=True)
            bad = await ana.make_table("smear", [BOT, BOT], start=True, listed=True)
            async with Follower(ana, bad) as follower, Follower(ana, good) as other:
                for one, table in ((follower, bad), (other, good)):
                    await one.until(lambda made: made["state"]["commit"])
                    await ana.do(table, None, do="ready", seed="0f" * 32)
                    await one.until(lambda made: made["state"]["deal"] == 1)
            await asyncio.sleep(0.3)
            server.stop()
            with closing(sqlite3.connect(server.database)) as connection:
                connection.execute(
                    "UPDATE events SET body = ? WHERE table_id = ? AND seq = 2",
                    (b'{"kind":"started","dealer":99}', bad),
                )
                connection.execute("UPDATE events SET body = ? WHERE table_id = ? AND seq = 3", (b"{rubbish", bad))
                connection.commit()
            await asyncio.to_thread(server.start)
            mine = (await ana.sure("GET", "/api/tables/mine")).json["tables"]
            assert {one["table"] for one in mine} == {good, bad}
            assert (await ana.update(good))["state"]["deal"] == 1
            for path in ("", "/events", "/book", "/qr.svg", "/record"):
                answer = await ana.request("GET", f"/api/tables/{bad}{path}")
                # Nobody is told to try again.
                assert (answer.status, answer.code) == (422, "damaged"), path
                assert bad in answer.json["error"]["text"]
                assert "retry-after" not in answer.headers
            answer = await ana.request("GET", "/api/stream", table=bad)
            assert answer.status == 422

    run(damaged())


def test_what_another_version_wrote_does_not_hide_the_others(serve: Serve) -> None:
    """A row of a game, of rules or of a shape that this version does not know."""
    server = serve("--no-limits")

    async def other() -> None:
        async with Person(server.url, "Ana") as ana:
            good, *strange = [await ana.make_table("smear", [BOT, OPEN], listed=True) for _ in range(5)]
            server.stop()
            with closing(sqlite3.connect(server.database)) as connection, connection:
                for table, change in zip(
                    strange,
                    (
                        "game = 'whist'",
                        "summary = replace(summary, '\"target\"', '\"aim\"')",
                        "summary = '{}'",
                        "summary = replace(summary, '{', '{\"more\":1,')",
                    ),
                    strict=True,
                ):
                    connection.execute(f"UPDATE tables SET {change} WHERE id = ?", (table,))
            await asyncio.to_thread(server.start)
            for path in ("/api/tables", "/api/tables/mine"):
                answer = await ana.sure("GET", path)
                assert answer.status == 200, path
                assert good in [one["table"] for one in answer.json["tables"]]
                assert not {one["table"] for one in answer.json["tables"]} & set(strange[:3])

    run(other())
