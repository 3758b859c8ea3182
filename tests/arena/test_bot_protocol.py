"""``meja bot-protocol`` and the example: bots asked line by line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meja.arena import Plan, play_number
from meja.bots import BOTS, RULES_OF_THUMB
from meja.bots.bot import Budget
from meja.bots.outside import BotCommand, act_message, hello_message
from meja.cards import Rng
from meja.commands.bot_protocol import answers
from meja.games import games, make_rules, new_match

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "outside_bot.py"


def _answers(*lines: Any, bot: str = RULES_OF_THUMB) -> list[dict[str, Any]]:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return list(answers(io.BytesIO(text.encode()), bot))


def test_it_greets_answers_and_ends() -> None:
    deal = new_match("smear").next_deal(Rng(1))
    assert deal.to_act is not None
    question = act_message(5, deal.view(deal.to_act), Budget(seed=3))
    greeting, answer = _answers(hello_message(), "", question, {"type": "end"}, "never read")
    assert greeting == {
        "type": "hello",
        "protocol": "meja-bot/1",
        "name": "meja rules-of-thumb",
        "games": list(games()),
    }
    assert (answer["type"], answer["id"]) == ("action", 5)
    assert deal.is_legal(deal.parse(answer["action"]))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "JSON object"),
        ("[" * 100_000, "JSON object"),
        ("[]", "JSON object"),
        ({"type": "dance", "id": 4}, "no message"),
        ({"type": "hello", "protocol": "meja-bot/9"}, "meja-bot/1"),
        ({"type": "act", "id": 4}, "no view"),
        ({"type": "act", "id": 4, "view": {"game": "poker"}}, "poker"),
        ({"type": "act", "id": 4, "view": {}, "counted": "x"}, "counted"),
    ],
)
def test_a_bad_question_is_answered_with_an_error_and_it_goes_on(line: Any, words: str) -> None:
    error, greeting = _answers(line, hello_message())
    assert error["type"] == "error"
    assert error["id"] == (line["id"] if isinstance(line, dict) and "id" in line else None)
    assert words in error["text"]
    assert greeting["type"] == "hello"


def test_a_seat_that_is_not_to_act_gets_an_error() -> None:
    deal = new_match("smear").next_deal(Rng(1))
    question = act_message(1, deal.view(0), Budget())
    assert deal.to_act != 0
    assert [answer["type"] for answer in _answers(question)] == ["error"]


def _plan(name: str, bots: tuple[str, ...], **commands: str) -> Plan:
    return Plan(
        make_rules(name),
        bots,
        seed=2,
        commands={bot: BotCommand.parse(f"{bot}={command}") for bot, command in commands.items()},
    )


@pytest.mark.parametrize("name", games())
def test_our_bot_asked_from_outside_plays_as_it_does_inside(name: str) -> None:
    command = f"{sys.executable} -m meja.cli bot-protocol --bot rules-of-thumb"
    result = play_number(_plan(name, ("far", "random"), far=command), 0)
    assert not result.faults
    assert result.games == play_number(_plan(name, (RULES_OF_THUMB, "random")), 0).games


@pytest.mark.parametrize("name", games())
def test_the_example_plays_every_game_without_a_fault(name: str) -> None:
    result = play_number(_plan(name, ("mine", RULES_OF_THUMB), mine=f"{sys.executable} {EXAMPLE}"), 1)
    assert not result.faults
    assert not any(game.broken for game in result.games)


def test_the_example_is_short_and_needs_no_meja() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 40
    assert [line for line in lines if line.startswith(("import", "from"))] == [
        "import json",
        "import random",
        "import sys",
    ]


def test_an_unknown_bot_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "meja.cli", "bot-protocol", "--bot", "nonsuch"],
        input="",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert ", ".join(BOTS) in done.stderr
