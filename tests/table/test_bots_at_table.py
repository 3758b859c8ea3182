"""Bots as people meet them: names and faces by level, and what they say where a table was made so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.table.hall import Hall, by_thumb, opened, short

from meja.bots import LEVELS
from meja.cardart.portraits import NAMES
from meja.cards import Rng
from meja.errors import MejaError
from meja.table import log
from meja.table.commands import PlaceBot
from meja.table.people import PHRASES, bot_name, face_of, is_level, levels

pytestmark = pytest.mark.anyio


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    async with opened(tmp_path / "meja.db") as made:
        yield made


def test_the_four_levels_are_offered_in_order_each_with_a_sentence() -> None:
    for game in ("bassadewitz", "calabresella", "kaluki", "smear"):
        offered = levels(game)
        assert [level.name for level in offered] == ["beginner", "casual", "strong", "master"]
        assert all(level.help for level in offered)
        # Tables that were made before levels had names go on.
        assert is_level("rules-of-thumb", game)
        assert not is_level("grandmaster", game)


@pytest.mark.parametrize("level", [level.name for level in LEVELS])
def test_bots_of_a_level_have_names_of_their_own_and_never_one_that_is_taken(level: str) -> None:
    taken = [NAMES[level][2]]
    for seat in range(1, 4):
        taken.append(bot_name(taken, seat, level))
    assert len(set(taken)) == 4
    assert set(taken) == set(NAMES[level])
    assert all(face_of(name) == name.lower() for name in taken)
    assert face_of("Somebody") is None


async def test_a_bot_is_shown_with_its_face_and_a_person_of_that_name_is_not(hall: Hall) -> None:
    at = await hall.table(short("smear", 3), "p--", start=False)
    await at.do(0, PlaceBot(seat=1, level="master"))
    await at.do(0, PlaceBot(seat=2, level="beginner"))
    told = await at.look(0)
    seats = told["state"]["seats"]
    assert seats[0]["face"] is None
    assert seats[1]["name"] in NAMES["master"]
    assert seats[1]["face"] == seats[1]["name"].lower()
    assert seats[2]["name"] in NAMES["beginner"]


async def test_bots_say_nothing_unless_the_table_was_made_so(hall: Hall) -> None:
    at = await hall.table(short("smear", 3), "pbb")
    await at.follow(0)
    await at.finish(by_thumb(Rng(1)))
    assert not [row for row in await hall.rows(at.id) if isinstance(row.entry, log.Phrased)]


async def test_bots_say_something_now_and_then_and_once_a_moment(hall: Hall) -> None:
    said = 0
    for number in range(3):
        at = await hall.table(short("bassadewitz", deals=8), "pbbb", talk=True, key=f"talk-{number}")
        await at.follow(0)
        await at.finish(by_thumb(Rng(number)))
        await hall.passes(5)
        rows = await hall.rows(at.id)
        phrases = [row for row in rows if isinstance(row.entry, log.Phrased)]
        for row in phrases:
            assert isinstance(row.entry, log.Phrased)
            assert at.table.seats[row.entry.seat].kind == "bot"
            assert row.entry.phrase in PHRASES
        # One before the first deal and one at the end of the match; some after deals, but not after each.
        keys = [row.key for row in phrases]
        assert len(set(keys)) == len(keys)
        assert "talk:0" in keys
        assert "talk:8" in keys
        said += len(keys) - 2
    assert 0 < said < 3 * 7


async def test_a_rematch_is_as_talkative_as_the_match_was(hall: Hall) -> None:
    from meja.table.commands import Rematch  # noqa: PLC0415

    at = await hall.table(short("smear", 3), "pbb", talk=True)
    await at.follow(0)
    await at.finish(by_thumb(Rng(2)))
    await at.do(0, Rematch())
    assert at.table.rematch is not None
    assert (await hall.at(at.table.rematch)).table.talk


async def test_a_level_that_is_not_there_is_refused(hall: Hall) -> None:
    at = await hall.table(short("smear", 3), "p--", start=False)
    with pytest.raises(MejaError, match="no such bot"):
        await at.do(0, PlaceBot(seat=1, level="grandmaster"))
