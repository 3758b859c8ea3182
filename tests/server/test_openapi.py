"""The interface is what its document says: generated requests find no fault and no undocumented answer."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.server.people import BOT, OPEN, Person
from tests.server.raw import request, send
from tests.server.serving import Server

from meja.server.openapi import document

#: Streams do not end; they are tested over sockets of their own.
schema = schemathesis.openapi.from_dict(document()).exclude(path_regex="/stream$")
EXAMPLES = 300 if settings().max_examples > 1000 else 10


@pytest.fixture(scope="module")
def scene(server: Server) -> tuple[str, list[str]]:
    """A cookie, and tables that are open, going on, over, and not for those who watch."""

    async def sit() -> tuple[str, list[str]]:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi:
            tables = [
                await ana.make_table("smear", [OPEN, OPEN], listed=True),
                await ana.make_table("kaluki", [BOT, BOT], start=True),
                await ana.make_table("calabresella", [BOT, BOT], start=True),
                await budi.make_table("bassadewitz", [BOT, BOT, BOT], start=True, watch=False),
            ]
            await ana.do(tables[2], None, do="close")
            return ana.cookie, tables

    return asyncio.run(sit())


@schema.parametrize()
@settings(max_examples=EXAMPLES)
def test_generated_requests_are_answered_as_documented(case: Any, server: Server, scene: tuple[str, list[str]]) -> None:
    cookie, tables = scene
    right = case.meta.generation.mode is schemathesis.GenerationMode.POSITIVE
    if right and "table" in (case.path_parameters or {}):
        number = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
        case.path_parameters["table"] = tables[number % len(tables)]
    signed_in = case.path != "/api/me/leave"
    case.call_and_validate(
        base_url=server.url,
        cookies={"meja": cookie} if signed_in else None,
        # What has the right form may still break a rule; then the answer says which.
        excluded_checks=[positive_data_acceptance],
    )


def test_the_document_is_served_and_is_one(server: Server) -> None:
    served = send(server.port, request("GET", "/api/openapi.json"))
    assert served.status == 200
    assert served.json == document()
    schemathesis.openapi.from_dict(document()).validate()
