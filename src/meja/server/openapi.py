"""The OpenAPI document, made from the types of the messages."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from meja import __version__
from meja.language import LANGUAGES
from meja.server import messages
from meja.server.selfcheck import SelfcheckAnswer
from meja.table.open_replay import Replay
from meja.table.update import Update

#: method, path, what it does, the request's body, answers by status (``None``: no JSON).
_OPERATIONS: Final[tuple[tuple[str, str, str, type | None, dict[int, Any]], ...]] = (
    ("get", "/api/me", "Who this browser is.", None, {200: messages.MeAnswer}),
    ("post", "/api/me", "Make a guest, or rename.", messages.NameRequest, {200: messages.MeAnswer}),
    ("post", "/api/me/recovery", "A new recovery code.", messages.Empty, {200: messages.RecoveryAnswer}),
    ("post", "/api/me/recover", "Sign in by a recovery code.", messages.RecoverRequest, {200: messages.MeAnswer}),
    ("post", "/api/me/leave", "Sign this browser out.", messages.Empty, {200: messages.MeAnswer}),
    ("get", "/api/games", "What can be played.", None, {200: messages.GamesAnswer}),
    ("post", "/api/rules", "Rules as a form shows them.", messages.RulesRequest, {200: messages.RulesAnswer}),
    ("get", "/api/book/{game}", "The rule book of a game.", None, {200: messages.BookAnswer}),
    (
        "post",
        "/api/tables",
        "Make a table.",
        messages.TableRequest,
        {200: messages.TableAnswer, 201: messages.TableAnswer},
    ),
    ("get", "/api/tables", "The listed tables.", None, {200: messages.TablesAnswer}),
    ("get", "/api/tables/mine", "The tables of this person.", None, {200: messages.TablesAnswer}),
    ("get", "/api/tables/{table}", "A table as the reader may see it.", None, {200: Update}),
    ("get", "/api/tables/{table}/events", "Long-poll: what is new.", None, {200: Update}),
    ("get", "/api/tables/{table}/book", "The rule book as it stands at a table.", None, {200: messages.BookAnswer}),
    ("get", "/api/tables/{table}/qr.svg", "The invite link as a QR code.", None, {200: None}),
    ("get", "/api/tables/{table}/record", "The record of a match that is over.", None, {200: dict[str, Any]}),
    (
        "post",
        "/api/tables/{table}/commands",
        "Do a command.",
        messages.CommandRequest,
        {200: messages.DoneAnswer, 201: messages.DoneAnswer},
    ),
    ("get", "/api/stream", "Server-sent events: the updates of a table.", None, {200: None}),
    ("post", "/api/replay", "One deal of a record, step by step.", messages.ReplayRequest, {200: Replay}),
    ("get", "/api/selfcheck", "How a request arrives here.", None, {200: SelfcheckAnswer}),
    ("get", "/api/selfcheck/stream", "Timed events, to see whether they are held back.", None, {200: None}),
    ("get", "/healthz", "Whether the service is well.", None, {200: messages.HealthAnswer}),
    ("get", "/metrics", "Counts in Prometheus' text format.", None, {200: None}),
)
_QUERY: Final[dict[str, tuple[tuple[str, dict[str, Any], bool], ...]]] = {
    "/api/book/{game}": (("seats", {"type": "string"}, False), ("rules", {"type": "string"}, False)),
    "/api/tables/{table}/events": (("after", {"type": "string"}, False), ("wait", {"type": "string"}, False)),
    "/api/stream": (("table", {"type": "string"}, True), ("after", {"type": "string"}, False)),
    "/api/selfcheck/stream": (("pause", {"type": "string"}, False),),
}
_ERRORS: Final[dict[int, str]] = {
    400: "The request is malformed.",
    401: "No person yet: POST /api/me first.",
    403: "Not this person's seat, or another site's request.",
    404: "There is no such thing, or it may not be seen.",
    409: "The table has moved on, or the match is not over.",
    413: "The body is too large.",
    414: "The address is too long.",
    415: "The body is not JSON.",
    422: "Refused: the sentence and the rule's number say why. Nothing has changed.",
    429: "Too many requests; Retry-After says when to come again.",
    431: "The headers are too long.",
    503: "It could not be stored, so it did not happen.",
}
_CONTENT: Final = {
    "/api/tables/{table}/qr.svg": "image/svg+xml",
    "/api/stream": "text/event-stream",
    "/api/selfcheck/stream": "text/event-stream",
    "/metrics": "text/plain",
}


@cache
def document() -> dict[str, Any]:
    """The document, as JSON values."""
    types = [kind for *_, body, answers in _OPERATIONS for kind in (body, *answers.values()) if kind is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, messages.ErrorAnswer], ref_template="#/components/schemas/{name}"
    )
    refs = iter(schemas)
    paths: dict[str, Any] = {}
    for method, path, summary, body, answers in _OPERATIONS:
        operation: dict[str, Any] = {
            "summary": summary,
            "operationId": _name(method, path),
            "parameters": _parameters(path),
        }
        if body is not None:
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": next(refs)}}}
        responses: dict[str, Any] = {}
        for status, kind in answers.items():
            content = {_CONTENT.get(path, "application/json"): {"schema": {} if kind is None else next(refs)}}
            responses[str(status)] = {"description": summary, "content": content}
        operation["responses"] = responses
        paths.setdefault(path, {})[method] = operation
    fault = next(refs)
    for path in paths.values():
        for operation in path.values():
            for status, text in _ERRORS.items():
                operation["responses"].setdefault(
                    str(status), {"description": text, "content": {"application/json": {"schema": fault}}}
                )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Meja", "version": __version__, "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": paths,
        "components": {"schemas": components},
    }


def _name(method: str, path: str) -> str:
    words = [word.strip("{}").replace(".", "_") for word in path.split("/") if word and word != "api"]
    return "_".join([method, *words])


def _parameters(path: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in ("game", "table")
        if "{" + name + "}" in path
    ]
    made += [
        {"name": name, "in": "query", "required": required, "schema": schema}
        for name, schema, required in _QUERY.get(path, ())
    ]
    lang = {"type": "string", "examples": list(LANGUAGES)}
    about = "The language of sentences; one that is not known means that of the browser."
    made.append({"name": "lang", "in": "query", "required": False, "description": about, "schema": lang})
    return made
