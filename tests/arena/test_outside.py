"""Bots outside: what a program may do, and what becomes of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.bots import outside as module
from meja.bots.outside import DIED, ILLEGAL, LATE, NONSENSE, RESTING, BotCommand, OutsideBot, bot_commands
from meja.cards import Rng
from meja.errors import MejaError
from meja.games import new_match
from meja.view import View

Write = Callable[..., str]


def _view(name: str = "smear") -> View[Any]:
    deal = new_match(name).next_deal(Rng(1))
    return deal.view(deal.to_act)


@contextmanager
def _bot(command: str) -> Iterator[OutsideBot]:
    bot = OutsideBot(BotCommand.parse(command))
    try:
        yield bot
    finally:
        bot.close()


def _instead(view: View[Any]) -> Any:
    return make_bot(RULES_OF_THUMB, view.game).act(view, Budget(seed=1))


def test_it_is_shown_the_view_and_nothing_else_and_its_answer_is_played(program: Write, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    command = program(
        f'open({str(seen)!r}, "w").write(json.dumps(question))\nsay(type="action", id=question["id"], action="bid 4")'
    )
    view = _view()
    with _bot(command) as bot:
        action = bot.act(view, Budget(seed=9, seconds=5, iterations=7))
    assert view.text(action) == "bid 4"
    assert not bot.faults
    import json  # noqa: PLC0415

    assert json.loads(seen.read_text()) == {
        "type": "act",
        "id": 1,
        "view": json.loads(view.to_json()),
        "counted": 0,
        "budget": {"seed": 9, "seconds": 5, "iterations": 7},
    }


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ('say(type="action", id=question["id"], action="bid 9")', NONSENSE, "bid 9"),
        ('say(type="action", id=question["id"], action="play As")', ILLEGAL, "not allowed"),
        ('say(type="action", id=question["id"], action=["pass"])', NONSENSE, "expected an action"),
        ('say(type="action", id=77, action="pass")', NONSENSE, "expected an action"),
        ('say(type="hello")', NONSENSE, "expected an action"),
        ('say(type="error", id=question["id"], text="too hard")', NONSENSE, "too hard"),
        ('print("pass", flush=True)', NONSENSE, "JSON object"),
        ('print("[" * 99999, flush=True)', NONSENSE, "JSON object"),
        ('sys.stdout.buffer.write(b"\\xff\\xfe\\n"); sys.stdout.flush()', NONSENSE, "JSON object"),
        ('sys.stderr.write("no idea\\n"); sys.exit(3)', DIED, 'code 3: "no idea"'),
        ("os.kill(os.getpid(), 9)", DIED, "ended with code -9"),
        ("os.close(1); time.sleep(60)", DIED, "closed its output"),
        ("time.sleep(60)", LATE, "no answer within"),
        ('sys.stdout.write("{"); sys.stdout.flush(); time.sleep(60)', LATE, "no answer within"),
    ],
)
def test_a_bad_answer_loses_the_turn_to_the_rules_of_thumb(program: Write, body: str, kind: str, words: str) -> None:
    view = _view()
    told: list[str] = []
    bot = OutsideBot(BotCommand.parse(program(body)), told.append)
    try:
        bot.check("smear")
        assert bot.act(view, Budget(seed=1, seconds=0.2 if kind == LATE else 20)) == _instead(view)
    finally:
        bot.close()
    assert dict(bot.faults) == {kind: 1}
    assert words in told[0]
    assert told == [bot.told]


def test_after_a_crash_it_is_started_again(program: Write, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    body = (
        f"if not os.path.exists({str(mark)!r}):\n"
        f'    open({str(mark)!r}, "w")\n'
        "    sys.exit(1)\n"
        'say(type="action", id=question["id"], action="bid 4")'
    )
    view = _view()
    with _bot(program(body)) as bot:
        assert bot.act(view, Budget(seed=1)) == _instead(view)
        assert view.text(bot.act(view, Budget(seed=1))) == "bid 4"
        assert dict(bot.faults) == {DIED: 1}


def test_one_that_always_fails_is_not_asked_for_a_while(program: Write) -> None:
    view = _view()
    with _bot(program("sys.exit(1)")) as bot:
        for _ in range(module._STRIKES + 3):
            assert bot.act(view, Budget(seed=1)) == _instead(view)
        assert dict(bot.faults) == {DIED: module._STRIKES, RESTING: 3}


def test_what_it_says_without_being_asked_does_not_count(program: Write) -> None:
    body = (
        'say(type="action", id=question["id"], action="bid 4")\n'
        'say(type="action", id=question["id"] + 1, action="bid 2")'
    )
    view = _view()
    with _bot(program(body)) as bot:
        bot.act(view, Budget(seed=1))
        time.sleep(0.3)
        assert view.text(bot.act(view, Budget(seed=1))) == "bid 4"


def test_one_that_talks_without_end_does_not_fill_the_memory(program: Write) -> None:
    view = _view()
    with _bot(program("while True: sys.stdout.write('x' * 100000)")) as bot:
        bot.act(view, Budget(seed=1, seconds=1))
        assert sum(bot.faults.values()) == 1


@pytest.mark.skipif(os.name != "posix", reason="needs process groups")
def test_one_that_hangs_is_killed_with_all_that_it_started(program: Write, tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    body = (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        'child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])\n'
        f'open({str(noted)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")\n'
        "time.sleep(300)"
    )
    with _bot(program(body)) as bot:
        bot.check()
        bot.act(_view(), Budget(seed=1, seconds=3))
        assert dict(bot.faults) == {LATE: 1}
        for pid in map(int, noted.read_text().split()):
            assert _ends(pid)


def _ends(pid: int) -> bool:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            # A killed child of nobody is a zombie until it is collected.
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_at_the_end_it_is_told_and_may_tidy_up(program: Write, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    command = program("pass")
    path = Path(command.split()[1])
    path.write_text(path.read_text() + f'open({str(mark)!r}, "w").write("tidy")\n')
    with _bot(command) as bot:
        bot.check()
    assert mark.read_text() == "tidy"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("/nonsuch/program x", "cannot be started: /nonsuch/program x: No such file or directory"),
        (str(Path(__file__).parent), "cannot be started"),
        (f"{sys.executable} -c 'import sys; sys.exit(4)'", "it ended with code 4"),
        (f"""{sys.executable} -c 'print("hello")'""", "expected a line with a JSON object"),
        (f"""{sys.executable} -c 'print("{{}}")'""", "expected meja-bot/1"),
        (
            f"""{sys.executable} -c 'print("{{\\"type\\":\\"hello\\",\\"protocol\\":\\"meja-bot/2\\"}}")'""",
            'speaks "meja-bot/2"',
        ),
        (
            f"""{sys.executable} -c 'print("{{\\"type\\":\\"hello\\",\\"protocol\\":\\"meja-bot/1\\"}}")'""",
            "which games",
        ),
    ],
)
def test_a_command_that_is_no_bot_is_a_clear_error(command: str, words: str) -> None:
    with _bot(f"mine={command}") as bot, pytest.raises(MejaError) as raised:
        bot.check()
    assert 'the bot "mine"' in str(raised.value)
    assert words in str(raised.value)


def test_one_that_does_not_greet_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GREETING", 0.3)
    with _bot(f"{sys.executable} -c 'import time; time.sleep(60)'") as bot, pytest.raises(MejaError, match="greeting"):
        bot.check()


def test_a_game_that_it_does_not_play_is_told(program: Write) -> None:
    with _bot(program("pass")) as bot:
        with pytest.raises(MejaError, match="does not play kaluki, but: smear, bassadewitz"):
            bot.check("kaluki")
        view = _view("kaluki")
        assert bot.act(view, Budget(seed=1)) in view.legal
        assert dict(bot.faults) == {NONSENSE: 1}


def test_commands_are_read_without_a_shell() -> None:
    assert BotCommand.parse("mine=python3 'my bot.py' --x=1 $HOME") == BotCommand(
        "mine", ("python3", "my bot.py", "--x=1", "$HOME")
    )
    assert BotCommand.parse("python3 bot.py").name == "outside"
    assert BotCommand.parse("X=1 y").words == ("X=1", "y")
    assert list(bot_commands(["a=x", "b=x"])) == ["a", "b"]


@pytest.mark.parametrize("texts", [["mine="], [""], ["mine='x"], ["random=x"], ["a=x", "a=y"], ["x", "y"]])
def test_bad_commands_are_refused(texts: list[str]) -> None:
    with pytest.raises(MejaError):
        bot_commands(texts)
