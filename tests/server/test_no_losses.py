"""Killed at random moments under play: nothing acknowledged is lost, nothing is done twice, everybody goes on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.server.conftest import Serve
from tests.server.people import Follower, Person, Player, party
from tests.server.serving import Server
from tests.server.truth import check_fold, check_lists, check_promises, dice, rows

from meja.games import games
from meja.table.service import fold

#: Seconds from the moment when the server is there again until everybody sees the table again.
RESUMED = 5.0


@dataclass(slots=True)
class Evening:
    """People who play match after match while the server is killed now and then."""

    server: Server
    people: list[Person] = field(default_factory=list)
    #: All who ever followed a table, and the tables that somebody plays at.
    followers: list[Follower] = field(default_factory=list)
    tables: dict[str, Person] = field(default_factory=dict)
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    async def plays(self, player: Player) -> None:
        """Play matches until it is enough, the last one to its end."""
        while True:
            self.followers.append(player.follower)
            self.tables[player.follower.table] = player.person
            await player.play()
            if self.enough.is_set():
                return
            # Both ask for the next match at once: it must be one table.
            await player.person.do(player.follower.table, None, do="rematch")
            update = await player.follower.until(lambda made: made["state"]["rematch"] is not None)
            await player.follower.__aexit__(None, None, None)
            player.follower = await Follower(player.person, update["state"]["rematch"]).__aenter__()
            update = await player.follower.until(lambda made: True)
            if update["state"]["me"]["host"]:
                await player.person.do(player.follower.table, None, do="start")

    async def kills(self, count: int, seed: int) -> list[tuple[float, float]]:
        """Kill the server and start it again; returns when it was killed and when it was back."""
        rng, downs = dice(seed), []
        for _ in range(count):
            await asyncio.sleep(rng.uniform(0.5, 2.0))
            down = time.monotonic()
            self.server.kill()
            # What was promised so far is on the disk, and every log can be folded.
            check_promises(self.server.database, self.people)
            check_lists(self.server.database)
            for table in self.tables:
                log = rows(self.server.database, table)
                assert fold(table, log).head == len(log)
            await asyncio.to_thread(self.server.start)
            downs.append((down, time.monotonic()))
        return downs

    def all_resumed(self, downs: list[tuple[float, float]]) -> int:
        """After each kill every stream went on soon; returns how often one did."""
        count = 0
        nexts = [down for down, _ in downs[1:]] + [float("inf")]
        for (down, up), then in zip(downs, nexts, strict=True):
            for follower in self.followers:
                began, ended = follower.life
                if not began or began > down or ended < up + RESUMED:
                    continue
                back = [came for lost, came in follower.breaks if lost < up < came]
                assert back, "a stream never went on"
                if back[0] < then:
                    assert back[0] - up < RESUMED
                    count += 1
                else:
                    # It was killed once more before that.
                    assert then - up < RESUMED
        return count

    async def all_told(self) -> None:
        """At the end everybody is told what the log tells, and has seen each step once."""
        for table, person in self.tables.items():
            log = rows(self.server.database, table)
            folded = fold(table, log)
            assert folded.status == "finished"
            await check_fold(self.server.database, table, [(person, folded.seat_of(_id(person, folded.seats)))])
            for follower in self.followers:
                if follower.table == table and follower.life[1] == float("inf"):
                    head = len(log)
                    await follower.until(lambda made, head=head: made["head"] == head)  # type: ignore[misc]
                    assert sorted(follower.steps) == list(range(min(follower.steps), head + 1))

    async def records(self, folder: Path) -> list[str]:
        """The records of all matches, as files."""
        files = []
        for table, person in self.tables.items():
            answer = await person.sure("GET", f"/api/tables/{table}/record")
            assert answer.status == 200
            path = folder / f"{table}.meja"
            path.write_bytes(answer.body)
            files.append(str(path))
        return files


def _id(person: Person, seats: list) -> str:  # type: ignore[type-arg]
    """The id of a person, whose name is nobody else's."""
    found: str = next(seat.person for seat in seats if seat.name == person.name)
    return found


async def _evening(server: Server, kills: int, seed: int) -> tuple[Evening, list[str]]:
    rng, evening = dice(seed), Evening(server)
    async with AsyncExitStack() as stack:
        parties = [await stack.enter_async_context(party(server.url, game, 2, rng, twice=0.2)) for game in games()]
        players = [player for _, table in parties for player in table]
        watcher = await stack.enter_async_context(Person(server.url, "Watcher", "id"))
        evening.people = [watcher, *(player.person for player in players)]
        evening.followers = [await stack.enter_async_context(Follower(watcher, table)) for table, _ in parties]
        playing = [asyncio.create_task(evening.plays(player)) for player in players]
        try:
            downs = await evening.kills(kills, seed)
            evening.enough.set()
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            for player in players:
                if player.follower.life[1] == float("inf"):
                    stack.push_async_exit(player.follower)
        assert check_promises(server.database, evening.people) > 15 * kills
        assert sum(player.person.doubted for player in players) > 0
        assert evening.all_resumed(downs) > 4 * kills
        await evening.all_told()
        return evening, await evening.records(server.data)


def test_killed_under_play(serve: Serve, tmp_path: Path, long: bool) -> None:
    server = serve("--no-limits", data=tmp_path / "data")
    evening, records = asyncio.run(_evening(server, 40 if long else 4, 7))
    assert len(records) == len(evening.tables) >= len(games())
    for command in ("check", "verify"):
        checked = subprocess.run(
            [sys.executable, "-m", "meja.cli", command, "--lang", "en", *records],
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr
