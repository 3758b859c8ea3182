"""Bots outside: a program in any language that is asked over its standard input and output, line by line.

The protocol is told in ``docs/bot-protocol.md``. A program that gives no answer in time, ends, or answers
something that is not a legal action loses its turn: the rules of thumb act in its place, and the fault is
counted. Only the view of its seat goes to it.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, ClassVar, Final

from meja.bots import BOTS, RULES_OF_THUMB, make_bot
from meja.bots.bot import Bot, Budget, RandomBot
from meja.bots.reading import drawn_by
from meja.cards import quoted
from meja.errors import MejaError, system_words
from meja.games import game as named
from meja.messages import Message, msg
from meja.view import View

_LOG: Final = logging.getLogger("meja.bots")

PROTOCOL: Final = "meja-bot/1"

#: Seconds: to be greeted, to decide where the budget names no time, to answer beyond the budget, to end.
GREETING: Final = 20.0
DECISION: Final = 10.0
GRACE: Final = 1.0
_GOODBYE: Final = 2.0
#: Characters of an answer; a longer line is nonsense.
_LONGEST: Final = 100_000
#: After so many turns lost in a row by silence or a crash, so many turns are not even asked for.
_STRIKES: Final = 5
_REST: Final = 50

#: The kinds of faults.
LATE: Final = "late"
DIED: Final = "died"
NONSENSE: Final = "nonsense"
ILLEGAL: Final = "illegal"
RESTING: Final = "resting"

FAULTS: Final[Mapping[str, Message]] = {
    LATE: msg("no answer in time"),
    DIED: msg("ended or could not be asked"),
    NONSENSE: msg("answered what is no action"),
    ILLEGAL: msg("answered an action that is not allowed"),
    RESTING: msg("not asked after too many failures"),
}

#: What bots do is their own affair; a name stands in tables, records and options.
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
_NAMED: Final = re.compile(rf"({_NAME.pattern})=(.*)", re.DOTALL)
UNNAMED: Final = "outside"


@dataclass(frozen=True, slots=True)
class BotCommand:
    """A command that is a bot, and the name it goes by."""

    name: str
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> BotCommand:
        """Read ``NAME=COMMAND`` or ``COMMAND`` (then the name is ``outside``); no shell is involved."""
        found = _NAMED.fullmatch(text.strip())
        name, command = (found[1], found[2]) if found else (UNNAMED, text)
        if name in BOTS:
            raise MejaError(msg("{name} is the name of a bot that there is already", name=quoted(name)))
        try:
            words = tuple(shlex.split(command))
        except ValueError:
            words = ()
        if not words:
            raise MejaError(msg("--bot-command expects NAME=COMMAND, not {found}", found=quoted(text)))
        return cls(name, words)

    def __str__(self) -> str:
        return shlex.join(self.words)


def bot_commands(texts: Iterable[str]) -> dict[str, BotCommand]:
    """The commands of ``--bot-command`` by name."""
    found: dict[str, BotCommand] = {}
    for text in texts:
        command = BotCommand.parse(text)
        if command.name in found:
            raise MejaError(msg("the bot {name} is given twice", name=quoted(command.name)))
        found[command.name] = command
    return found


class _Silent(Exception):
    """There was no answer in time."""


class _Ended(Exception):
    """The program is gone."""


_RUNNING: Final[weakref.WeakSet[_Program]] = weakref.WeakSet()


class _Program:
    """A running program: lines to it, lines from it, and a sure way to end it."""

    def __init__(self, words: Sequence[str]) -> None:
        # A session of its own, so that whatever it starts can be ended with it, and Ctrl-C is not for it.
        self._process = subprocess.Popen(
            list(words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._answers: queue.Queue[bytes | None] = queue.Queue(maxsize=100)
        self._questions: queue.Queue[bytes | None] = queue.Queue()
        self._said: deque[str] = deque(maxlen=5)
        self._gone = False
        for work in (self._write, self._read, self._listen):
            threading.Thread(target=work, daemon=True).start()
        _RUNNING.add(self)

    def _write(self) -> None:
        # Writing waits where nobody reads; a thread of its own may.
        stream: IO[bytes] = self._process.stdin  # type: ignore[assignment]
        with suppress(OSError, ValueError):
            while (line := self._questions.get()) is not None:
                stream.write(line)
                stream.flush()
        with suppress(OSError, ValueError):
            stream.close()

    def _read(self) -> None:
        stream: IO[bytes] = self._process.stdout  # type: ignore[assignment]
        with suppress(OSError, ValueError):
            while line := stream.readline(_LONGEST):
                self._put(line)
        self._put(None)
        with suppress(OSError, ValueError):
            stream.close()

    def _put(self, line: bytes | None) -> None:
        # A program that talks without being asked has to wait, until it is ended.
        while not self._gone:
            with suppress(queue.Full):
                self._answers.put(line, timeout=0.2)
                return

    def _listen(self) -> None:
        stream: IO[bytes] = self._process.stderr  # type: ignore[assignment]
        with suppress(OSError, ValueError):
            while line := stream.readline(1000):
                self._said.append(line.decode(errors="replace").strip())
        with suppress(OSError, ValueError):
            stream.close()

    @property
    def last_words(self) -> str:
        """The last line that the program wrote to its error stream."""
        return next((line for line in reversed(self._said) if line), "")

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send one line."""
        self._questions.put(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def forget(self) -> None:
        """Throw away what it said without being asked."""
        with suppress(queue.Empty):
            while True:
                line = self._answers.get_nowait()
                if line is None:
                    self._answers.put(None)
                    return

    def hear(self, seconds: float) -> bytes:
        """The next line; raises if there is none in time, or none any more."""
        try:
            line = self._answers.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise _Silent from None
        if line is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.5)
            self._answers.put(None)
            raise _Ended
        return line

    @property
    def exit_code(self) -> int | None:
        """The exit code, once it has ended."""
        return self._process.poll()

    def close(self) -> None:
        """Ask it to end, and kill it if it does not."""
        if not self._gone and self._process.poll() is None:
            self.tell({"type": "end"})
            self._questions.put(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_GOODBYE)
        self.kill()

    def kill(self) -> None:
        """End it and all that it started, now."""
        self._gone = True
        _RUNNING.discard(self)
        self._questions.put(None)
        if hasattr(os, "killpg"):
            # Also where it has ended by itself: what it started may go on. Its group has its number.
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.poll() is None:
            with suppress(OSError):
                self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_GOODBYE)


@atexit.register
def end_all() -> None:
    """End every program that this process has started, with all that belongs to it."""
    for program in list(_RUNNING):
        program.kill()


class OutsideBot(Bot):
    """A bot that is a program outside; it is started when it is first needed.

    ``faults`` counts the turns that it lost by kind, ``told`` holds a sentence on the latest one; ``on_fault`` is
    called with that sentence. It may be asked by several threads: one after the other.
    """

    name: ClassVar[str] = UNNAMED

    def __init__(self, command: BotCommand, on_fault: Callable[[Message], None] | None = None) -> None:
        self.command = command
        self.on_fault = on_fault
        self.faults: Counter[str] = Counter()
        self.told: Message | None = None
        #: What the program calls itself.
        self.title = ""
        self.games: tuple[str, ...] = ()
        self._program: _Program | None = None
        self._lock = threading.Lock()
        self._asked = 0
        self._strikes = 0
        self._rest = 0

    def check(self, game: str | None = None) -> None:
        """Start the program; raises :class:`~meja.errors.MejaError` if that fails, or it does not play ``game``."""
        with self._lock:
            self._running()
        if game is not None and game not in self.games:
            raise MejaError(self._plays_other(game))

    def _plays_other(self, game: str) -> Message:
        return msg(
            "the bot {name} does not play {game}, but: {games}",
            name=quoted(self.command.name),
            game=game,
            games=", ".join(self.games),
        )

    def act(self, view: View[Any], budget: Budget) -> Any:
        """What the program answers, or what the rules of thumb do in its place; always a legal action."""
        with self._lock:
            if self._rest:
                self._rest -= 1
                self.faults[RESTING] += 1
                return _instead(view, budget)
            try:
                action = self._ask(view, budget)
            except _Fault as fault:
                self._count(fault)
                return _instead(view, budget)
            self._strikes = 0
            return action

    def close(self) -> None:
        """End the program."""
        with self._lock:
            if self._program is not None:
                self._program.close()
                self._program = None

    # -- one question -------------------------------------------------------------

    def _ask(self, view: View[Any], budget: Budget) -> Any:
        patience = GRACE + (DECISION if budget.seconds is None else budget.seconds)
        try:
            program = self._running()
        except MejaError as error:
            raise _Fault(DIED, error.text) from None
        if view.game not in self.games:
            raise _Fault(NONSENSE, self._plays_other(view.game))
        program.forget()
        self._asked += 1
        program.tell(act_message(self._asked, view, budget))
        try:
            line = program.hear(patience)
        except _Silent:
            self._drop()
            raise _Fault(LATE, msg("no answer within {seconds} seconds", seconds=f"{patience:g}")) from None
        except _Ended:
            text = _end_of(program)
            self._drop()
            raise _Fault(DIED, text) from None
        return self._understood(line, view)

    def _understood(self, line: bytes, view: View[Any]) -> Any:
        answer = _object(line)
        if answer.get("type") == "error":
            raise _Fault(NONSENSE, msg("it said: {text}", text=quoted(str(answer.get("text")), 200)))
        words = answer.get("action")
        if answer.get("type") != "action" or answer.get("id") != self._asked or not isinstance(words, str):
            raise _Fault(NONSENSE, msg("expected an action, found {found}", found=_quoted_line(line)))
        try:
            action = named(view.game).deal.parse(words)
        except MejaError as error:
            raise _Fault(NONSENSE, error.text) from None
        checker = getattr(view, "why_illegal", None)
        reason = checker(action) if checker is not None else None
        if reason is not None or (checker is None and action not in view.legal):
            raise _Fault(ILLEGAL, msg("{action} is not allowed", action=quoted(words, 200)))
        return action

    def _running(self) -> _Program:
        """The program, greeted; a new one where there is none."""
        if self._program is not None:
            return self._program
        name = quoted(self.command.name)
        try:
            program = _Program(self.command.words)
        except OSError as error:
            raise MejaError(
                msg(
                    "the bot {name} cannot be started: {command}: {why}",
                    name=name,
                    command=str(self.command),
                    why=system_words(error),
                )
            ) from None
        try:
            program.tell(hello_message())
            self._greeted(_object(program.hear(GREETING)))
        except _Silent:
            program.kill()
            raise MejaError(
                msg(
                    "the bot {name} did not answer the greeting within {seconds} seconds",
                    name=name,
                    seconds=f"{GREETING:g}",
                )
            ) from None
        except _Ended:
            text = _end_of(program)
            program.kill()
            raise MejaError(msg("the bot {name} did not answer the greeting: {text}", name=name, text=text)) from None
        except _Fault as fault:
            program.kill()
            raise MejaError(
                msg("the bot {name} did not answer the greeting: {text}", name=name, text=fault.text)
            ) from None
        self._program = program
        return program

    def _greeted(self, answer: Mapping[str, Any]) -> None:
        games, title = answer.get("games"), answer.get("name")
        if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
            raise _Fault(
                NONSENSE,
                msg(
                    "it speaks {found}, expected {expected}",
                    found=quoted(str(answer.get("protocol"))),
                    expected=PROTOCOL,
                ),
            )
        if not isinstance(games, list) or not all(isinstance(name, str) for name in games):
            raise _Fault(NONSENSE, msg("it does not say which games it plays"))
        self.games = tuple(games)
        self.title = title if isinstance(title, str) else ""

    def _drop(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None

    def _count(self, fault: _Fault) -> None:
        self.faults[fault.kind] += 1
        self.told = fault.text
        if self.on_fault is not None:
            self.on_fault(fault.text)
        if fault.kind not in (LATE, DIED):
            self._strikes = 0
            return
        self._strikes += 1
        if self._strikes >= _STRIKES:
            self._strikes = 0
            self._rest = _REST


class _Fault(Exception):
    """A turn is lost."""

    def __init__(self, kind: str, text: Message) -> None:
        super().__init__(str(text))
        self.kind = kind
        self.text = text


def hello_message() -> dict[str, Any]:
    """What a program is greeted with."""
    return {"type": "hello", "protocol": PROTOCOL}


def act_message(number: int, view: View[Any], budget: Budget) -> dict[str, Any]:
    """The question for an action: the view, what its JSON form leaves out, and how long to think."""
    message: dict[str, Any] = {
        "type": "act",
        "id": number,
        "view": view.to_dict(),
        "counted": view.context.counted,
    }
    if view.game == "kaluki":
        message["draws"] = drawn_by(view)
    message["budget"] = {"seed": budget.seed, "seconds": budget.seconds, "iterations": budget.iterations}
    return message


def _instead(view: View[Any], budget: Budget) -> Any:
    """What is done in the place of a bot that lost its turn."""
    try:
        return make_bot(RULES_OF_THUMB, view.game).act(view, Budget(seed=budget.seed))
    except Exception:
        _LOG.exception("the rules of thumb failed")
        return RandomBot().act(view, Budget(seed=budget.seed))


def _object(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise _Fault(NONSENSE, msg("expected a line with a JSON object, found {found}", found=_quoted_line(line)))
    return answer


def _quoted_line(line: bytes) -> str:
    return quoted(line.decode(errors="replace").strip(), 100)


def _end_of(program: _Program) -> Message:
    """How a program ended, with its last words."""
    # What it said at its end may still be on its way.
    time.sleep(0.05)
    code, words = program.exit_code, program.last_words
    if code is None:
        return msg("it closed its output")
    if words:
        return msg("it ended with code {code}: {words}", code=code, words=quoted(words, 200))
    return msg("it ended with code {code}", code=code)
