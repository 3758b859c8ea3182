"""A Dask cluster: a scheduler and two workers on this machine, and what may happen to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.arena.conftest import SmallCluster

from meja.arena import Plan, play
from meja.arena.cluster import Cluster, connected
from meja.bots import RULES_OF_THUMB
from meja.cli import main
from meja.errors import MejaError
from meja.games import make_rules

pytestmark = pytest.mark.filterwarnings("ignore")


def _plan() -> Plan:
    return Plan(make_rules("smear", 3), (RULES_OF_THUMB, "random"), seed=7)


def test_a_worker_killed_in_the_middle_loses_nothing_and_nothing_counts_twice(small_cluster: SmallCluster) -> None:
    doomed = small_cluster.add_worker()
    small_cluster.add_worker()
    plan = _plan()
    expected = {result.number: result for result in play(plan, range(200))}
    found = []
    with connected(small_cluster.address, reach=60) as cluster:
        for result in play(plan, range(200), executor=cluster):
            found.append(result)
            if len(found) == 20:
                doomed.kill()
    assert sorted(result.number for result in found) == list(range(200))
    assert {result.number: result for result in found} == expected


def test_a_dead_cluster_ends_the_arena_with_what_was_played(small_cluster: SmallCluster) -> None:
    if all(worker.poll() is not None for worker in small_cluster.workers):
        small_cluster.add_worker()
    found = []

    def play_on(cluster: Cluster) -> None:
        for result in play(_plan(), range(100_000), executor=cluster):
            found.append(result.number)
            if len(found) == 20:
                small_cluster.close()

    with (
        connected(small_cluster.address, reach=8, patience=30) as cluster,
        pytest.raises(MejaError, match=r"is gone|no worker"),
    ):
        play_on(cluster)
    assert len(set(found)) == len(found) >= 20


def test_a_scheduler_that_is_not_there_is_told() -> None:
    with (
        pytest.raises(MejaError, match=r"no Dask scheduler answers at 127\.0\.0\.1:9"),
        connected("dask://127.0.0.1:9", reach=0.5),
    ):
        pass


def test_where_there_is_no_cluster_no_file_is_begun(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["arena", "smear", "random", RULES_OF_THUMB, "--executor", "dask:127", "--out", str(out)]) == 2
    assert "an executor is dask://HOST:PORT" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("text", ["dask:127.0.0.1", "ray://a:1", "dask://a", "dask://a b:1"])
def test_an_executor_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(MejaError, match="dask://HOST:PORT"), connected(text):
        pass
