"""``meja bot-protocol``: a bot of Meja that is asked over standard input and output, one JSON object per line.

The protocol is told in ``docs/bot-protocol.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from meja.bots import BOTS, RULES_OF_THUMB, Bot, Budget, make_bot
from meja.bots.outside import PROTOCOL
from meja.bots.reading import read_view
from meja.cards import quoted
from meja.errors import MejaError
from meja.games import games
from meja.language import Language
from meja.messages import msg

#: Bytes of a question; a longer line is refused.
_LONGEST: Final = 16 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--bot",
        default=RULES_OF_THUMB,
        metavar="NAME",
        help=msg("the bot that answers (default {bot}); known: {known}", bot=RULES_OF_THUMB, known=", ".join(BOTS)),
    )


def run(args: argparse.Namespace, language: Language) -> int:
    """Answer until the input ends."""
    for game in games():
        make_bot(args.bot, game)
    if sys.stdin.isatty():
        print(
            language.say(
                msg(
                    "This is for programs: each line is a JSON object of the protocol {protocol}, see "
                    "docs/bot-protocol.md. End with Ctrl-D.",
                    protocol=PROTOCOL,
                )
            ),
            file=sys.stderr,
        )
    # The words are those of JSON, whatever the system's encoding is.
    for answer in answers(sys.stdin.buffer, args.bot):
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


def answers(lines: IO[bytes], name: str) -> Iterator[dict[str, Any]]:
    """What is answered to each line, until the end."""
    bots: dict[str, Bot] = {}
    while line := lines.readline(_LONGEST):
        if not line.strip():
            continue
        question: Any = None
        try:
            question = json.loads(line)
            if not isinstance(question, dict):
                raise ValueError
            kind = question.get("type")
            if kind == "end":
                return
            if kind == "hello":
                yield _greeted(question, name)
            elif kind == "act":
                yield _acted(question, name, bots)
            else:
                yield _error(question, f"there is no message {quoted(str(kind))}")
        except MejaError as error:
            yield _error(question, str(error))
        except (ValueError, RecursionError):
            yield _error(question, "expected a JSON object on one line")


def _greeted(question: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = question.get("protocol")
    if found != PROTOCOL:
        return _error(question, f"expected the protocol {PROTOCOL}, not {quoted(str(found))}")
    return {"type": "hello", "protocol": PROTOCOL, "name": f"meja {name}", "games": list(games())}


def _acted(question: Mapping[str, Any], name: str, bots: dict[str, Bot]) -> dict[str, Any]:
    document = question.get("view")
    if not isinstance(document, dict):
        return _error(question, "there is no view to act on")
    counted, draws = question.get("counted", 0), question.get("draws", "")
    if type(counted) is not int or not isinstance(draws, str):
        return _error(question, "counted is a number, draws a text")
    view = read_view(document, counted, draws)
    if view.seat is None or view.seat != view.to_act:
        return _error(question, "it is not the turn of this seat")
    bot = bots.get(view.game)
    if bot is None:
        bot = bots[view.game] = make_bot(name, view.game)
    action = bot.act(view, _budget(question.get("budget")))
    return {"type": "action", "id": question.get("id"), "action": view.text(action)}


def _budget(given: Any) -> Budget:
    found = given if isinstance(given, dict) else {}
    seed, seconds, iterations = (found.get(key) for key in ("seed", "seconds", "iterations"))
    return Budget(
        seed if type(seed) is int else 0,
        float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0 else None,
        iterations if type(iterations) is int and iterations > 0 else None,
    )


def _error(question: Any, text: str) -> dict[str, Any]:
    return {"type": "error", "id": question.get("id") if isinstance(question, dict) else None, "text": text}
