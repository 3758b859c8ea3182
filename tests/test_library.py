"""The library as a programmer meets it: wrong arguments get a clear error and change nothing."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

import meja
from meja import GameOver, MejaError, NotYourTurn, Rng, RulesError, make_rules, new_match
from meja.arena import simulate
from meja.errors import ActionTextError
from meja.games import game, games
from meja.record import atomic_file

NO_SEATS = [-1, 4, 7, 10**30, True, False, 1.0, "0", b"", object, (0,)]


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("seat", NO_SEATS, ids=lambda seat: ascii(seat)[:20])
def test_only_a_seat_of_the_table_is_shown_a_hand(name: str, seat: Any) -> None:
    deal = game(name).deal.shuffle(make_rules(name), 0, Rng(1))
    for ask in (deal.view, deal.unseen, lambda at: deal.determinize(at, Rng(1))):
        with pytest.raises(MejaError, match="there is no seat"):
            ask(seat)


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("text", [None, 5, b"play As", ["play As"], object()], ids=lambda text: type(text).__name__)
def test_only_a_text_is_read_as_an_action(name: str, text: Any) -> None:
    with pytest.raises(ActionTextError, match="expected the text of an action"):
        game(name).deal.parse(text)


@pytest.mark.parametrize("name", games())
def test_a_deal_that_is_over_takes_no_action(name: str) -> None:
    match = new_match(name)
    deal = match.next_deal(Rng(3))
    while not deal.over:
        legal = deal.legal_actions()
        deal.apply(legal[0])
    with pytest.raises(GameOver):
        deal.apply("play As" if name != "kaluki" else "draw")
    assert deal.legal_actions() in ([], ())
    reason = deal.why_illegal(deal.parse("draw" if name == "kaluki" else "play As"))
    assert reason is not None
    assert reason.code == "over"


@pytest.mark.parametrize("name", games())
def test_a_match_goes_on_after_a_deal_that_was_played_by_itself(name: str) -> None:
    match = new_match(name)
    deal = match.next_deal(Rng(3))
    while not deal.over:
        deal.apply(deal.legal_actions()[0])
    assert match.over or match.next_deal(Rng(4)) is match.deal
    assert len(match.deals) == 1


def test_a_seat_out_of_turn_is_refused() -> None:
    match = new_match("smear", 3)
    match.next_deal(Rng(1))
    for seat in (0, 2, 9, True, 1.0):
        with pytest.raises(NotYourTurn, match="the turn of seat 1"):
            match.apply("pass", seat)  # type: ignore[arg-type]
    match.apply("pass", 1)


def test_two_deals_cannot_be_played_at_once() -> None:
    match = new_match("smear", 3)
    with pytest.raises(GameOver, match="start the next one first"):
        match.apply("pass")
    match.next_deal(Rng(1))
    with pytest.raises(MejaError, match="must end before"):
        match.next_deal(Rng(1))


@pytest.mark.parametrize("players", [["a"], "abc", [1, 2, 3], ["a", "b", "\udcff"], []], ids=ascii)
def test_players_are_one_text_per_seat(players: Any) -> None:
    with pytest.raises(MejaError):
        new_match("smear", 3, players=players)


@pytest.mark.parametrize(
    "arguments",
    [{"seats": 2}, {"preset": "nope"}, {"target": 7}, {"seats": 3, "low": "taker"}],
    ids=str,
)
def test_options_beside_a_rules_object_are_refused(arguments: Any) -> None:
    with pytest.raises(RulesError, match="given as an object"):
        new_match(make_rules("smear"), **arguments)


@pytest.mark.parametrize("rules", [None, 5, ["smear"], object()], ids=lambda rules: type(rules).__name__)
def test_a_match_needs_a_game_or_its_rules(rules: Any) -> None:
    with pytest.raises(RulesError):
        new_match(rules)


def test_the_dealer_is_a_seat() -> None:
    for dealer in (-1, 3, True, None, 1.0):
        with pytest.raises(MejaError, match="the dealer must be a seat"):
            new_match("smear", 3, dealer=dealer)  # type: ignore[arg-type]


def test_the_public_names_are_there() -> None:
    for name in meja.__all__:
        assert hasattr(meja, name)


# -- files ------------------------------------------------------------------------


def test_a_link_stays_a_link_and_keeps_its_file_and_rights(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(target)
    with atomic_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    with atomic_file(pipe) as file:
        file.write(b"line")
    reader.join(10)
    assert got == [b"line"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_more_processes_than_work_are_not_started() -> None:
    records = list(simulate(make_rules("bassadewitz", deals=4), ["random"] * 4, 2, seed=1, jobs=10**20))
    assert len(records) == 2
