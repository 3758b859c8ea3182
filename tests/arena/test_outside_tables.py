"""Bots outside at tables: only where the host has named them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.bots.outside import BotCommand, OutsideBot, bot_commands
from meja.cards import Rng
from meja.cli import main
from meja.errors import MejaError
from meja.games import make_rules, new_match
from meja.record import dumps, loads
from meja.table import people
from meja.table.outside import OutsidePool
from meja.terminal.table import Table
from meja.view import View

Write = Callable[..., str]
BIDS_FOUR = 'say(type="action", id=question["id"], action="bid 4")'


@pytest.fixture(autouse=True)
def no_levels_are_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_ADDED", {})


def _view() -> View[Any]:
    deal = new_match("smear").next_deal(Rng(1))
    return deal.view(deal.to_act)


def test_the_host_s_bot_is_offered_for_its_games_and_decides(program: Write) -> None:
    pool = OutsidePool(0, bot_commands([f"mine={program(BIDS_FOUR)}"]))
    try:
        pool.check()
        assert [level.name for level in people.levels("smear")][-1] == "mine"
        assert "mine" not in [level.name for level in people.levels("kaluki")]
        view = _view()
        assert view.text(asyncio.run(pool.act("mine", view, 1))) == "bid 4"
        assert pool.failures == 0
        other = asyncio.run(pool.act(RULES_OF_THUMB, view, 1))
        assert other == make_bot(RULES_OF_THUMB, "smear").act(view, Budget(seed=1))
    finally:
        pool.close()


def test_one_that_fails_is_counted_told_and_replaced(program: Write, caplog: pytest.LogCaptureFixture) -> None:
    pool = OutsidePool(0, bot_commands([f"mine={program('sys.exit(1)')}"]))
    try:
        view = _view()
        assert asyncio.run(pool.act("mine", view, 1)) == make_bot(RULES_OF_THUMB, "smear").act(view, Budget(seed=1))
        assert pool.failures == 1
        assert "the bot mine lost a turn" in caplog.text
    finally:
        pool.close()


def test_a_host_whose_command_does_not_start_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["serve", "--port", "0", "--data", str(tmp_path), "--bot-command"]
    assert main([*command, "mine=/nonsuch/program"]) == 2
    assert 'the bot "mine" cannot be started' in capsys.readouterr().err
    assert main([*command, "random=x"]) == 2
    assert '"random" is the name of a bot that there is already' in capsys.readouterr().err


def test_at_the_terminal_it_plays_the_other_seats(program: Write) -> None:
    rules = make_rules("smear", 3)
    bot = OutsideBot(BotCommand.parse(f"mine={program(BIDS_FOUR)}"))
    try:
        table = Table(rules, ["mine", "mine"], 3, "player", outside={"mine": bot})
        table.start_deal()
        while table.match.to_act == table.person:
            table.act(table.match.deal.parse("pass") if table.match.deal else None)
        table.bot_acts()
        assert table.view().to_dict()["bid"] == 4
        assert table.players == ["player", "bot:mine", "bot:mine"]
        record = loads(dumps(table.record()))
    finally:
        bot.close()
    # A file from elsewhere can name a bot, but never start a program.
    with pytest.raises(MejaError, match='no bot "mine"'):
        Table.resumed(record)


def test_whoever_brings_one_bot_plays_against_it(
    program: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEJA_HOME", str(tmp_path / "home"))
    record = tmp_path / "match.meja"
    moves = tmp_path / "moves"
    moves.write_text("q\n", encoding="utf-8")
    command = program('say(type="action", id=question["id"], action="bid 9")')
    with moves.open(encoding="utf-8") as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        words = ["play", "smear", "--seed", "1", "--plain", "--bot-command", f"mine={command}", "--record", str(record)]
        assert main(words) == 0
    assert loads(record.read_bytes()).players[1:] == ("bot:mine", "bot:mine")
    told = capsys.readouterr().err
    assert "The bot mine lost" in told
    assert "answered what is no action" in told


def test_only_what_the_host_has_named_is_a_level() -> None:
    assert not people.is_level("mine", "smear")
    people.add_level("mine", ["smear"])
    assert people.is_level("mine", "smear")
    assert not people.is_level("mine", "kaluki")
    assert not people.is_level("mine=/bin/true", "smear")
    assert people.is_level(RULES_OF_THUMB, "kaluki")
