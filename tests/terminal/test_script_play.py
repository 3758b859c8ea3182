"""``script/play`` with stand-ins for Python: what it does on systems that are not as it needs them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_SCRIPT = Path(__file__).resolve().parents[2] / "script" / "play"

#: A Python that can do what its file ``can`` says, and makes environments with another one like it in them.
_STAND_IN = """#!/bin/sh
can=$(cat "{folder}/can")
case "$*" in
*version_info*) case $can in *old*) exit 1;; esac; exit 0;;
*"import ensurepip"*) case $can in *bare*) exit 1;; esac; exit 0;;
"-m venv"*)
    case $can in *bare*) echo "ensurepip is not available" >&2; mkdir -p "{root}/.venv"; exit 1;; esac
    echo venv >>"{folder}/log"
    rm -rf "{root}/.venv"; mkdir -p "{root}/.venv/bin"; cp "$0" "{root}/.venv/bin/python"; exit 0;;
"-m pip --version") exit 0;;
"-m pip install"*)
    echo install >>"{folder}/log"
    case $can in *offline*) echo "no connection" >&2; exit 1;; esac
    printf '#!/bin/sh\\necho "meja $*"\\n' >"{root}/.venv/bin/meja"; chmod +x "{root}/.venv/bin/meja"; exit 0;;
esac
exit 1
"""


class Clone:
    """A fresh clone with nothing but the scripts, and a PATH with one Python."""

    def __init__(self, folder: Path, *, name: str = "a clone") -> None:
        self.folder = folder
        self.root = folder / name
        (self.root / "script").mkdir(parents=True)
        for script in ("play", "environment"):
            shutil.copy(_SCRIPT.parent / script, self.root / "script" / script)
        (self.root / "pyproject.toml").write_text("[project]\n")
        self.tools = folder / "tools"
        self.tools.mkdir()
        for tool in ("sh", "dirname", "cat", "cksum", "mktemp", "rm", "mkdir", "cp", "grep", "chmod"):
            found = shutil.which(tool)
            assert found is not None
            (self.tools / tool).symlink_to(found)
        self.python("good")

    def python(self, can: str) -> None:
        (self.folder / "can").write_text(can)
        path = self.tools / "python3"
        path.write_text(_STAND_IN.format(folder=self.folder, root=self.root))
        path.chmod(0o755)

    def play(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.root / "script" / "play"), *arguments],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={"PATH": str(self.tools), "TMPDIR": os.environ.get("TMPDIR", "/tmp")},
            timeout=30,
            check=False,
        )

    @property
    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text().split() if path.exists() else []


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_the_first_run_installs_and_later_ones_only_play(clone: Clone) -> None:
    done = clone.play("smear", "--seed", "3")
    assert (done.stdout, done.stderr) == ("meja play smear --seed 3\n", "installing...\n")
    done = clone.play()
    assert (done.stdout, done.stderr) == ("meja serve --open\n", "")
    assert clone.log == ["venv", "install"]


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ([], "serve --open"),
        (["--port", "9000"], "serve --open --port 9000"),
        (["--lang", "id"], "serve --open --lang id"),
        (["kaluki", "--lang", "id"], "play kaluki --lang id"),
        (["--resume"], "play --resume"),
        (["--resume=x.meja"], "play --resume=x.meja"),
    ],
)
def test_a_game_or_a_kept_match_is_played_at_the_terminal_all_else_in_the_browser(
    clone: Clone, arguments: list[str], command: str
) -> None:
    assert clone.play(*arguments).stdout == f"meja {command}\n"


def test_the_table_is_told_how_it_was_started(clone: Clone) -> None:
    clone.play()
    (clone.root / ".venv" / "bin" / "meja").write_text('#!/bin/sh\necho "$MEJA_COMMAND"\n')
    assert clone.play("smear").stdout == f"{clone.root / 'script' / 'play'}\n"


def test_a_changed_project_is_installed_again(clone: Clone) -> None:
    clone.play()
    (clone.root / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert clone.play().stderr == "installing...\n"
    assert clone.log == ["venv", "install", "install"]


def test_a_half_made_environment_is_made_again(clone: Clone) -> None:
    (clone.root / ".venv" / "bin").mkdir(parents=True)
    (clone.root / ".venv" / "bin" / "python").symlink_to("/nowhere/python3.10")
    done = clone.play()
    assert done.returncode == 0
    assert clone.log == ["venv", "install"]


def test_a_moved_clone_is_installed_again(clone: Clone) -> None:
    clone.play()
    moved = clone.folder / "moved"
    clone.root.rename(moved)
    clone.root = moved
    clone.python("good")
    shutil.copy(clone.tools / "python3", moved / ".venv" / "bin" / "python")
    assert clone.play().stderr == "installing...\n"


@pytest.mark.parametrize(
    ("can", "words"),
    [
        ("old", "Python 3.11 or later is needed"),
        ("bare", "sudo apt install python3-venv"),
        ("offline", "could not install Meja"),
    ],
)
def test_what_is_missing_is_told_in_a_line(clone: Clone, can: str, words: str) -> None:
    clone.python(can)
    done = clone.play()
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stdout == ""
    # And once it is there, the next run works.
    clone.python("good")
    assert clone.play().returncode == 0


def test_it_works_through_any_folder_name(tmp_path: Path) -> None:
    clone = Clone(tmp_path, name="it's a $HOME; folder")
    clone.tools.joinpath("python3").write_text(
        _STAND_IN.format(folder=tmp_path, root=str(clone.root).replace("$", "\\$"))
    )
    assert clone.play("kaluki").stdout == "meja play kaluki\n"


@pytest.mark.parametrize("refused", ["removing", "writing"])
def test_a_moved_clone_that_may_only_be_read_is_told_in_a_line(clone: Clone, refused: str) -> None:
    """Stand-ins refuse, because nothing is read-only for root."""
    clone.play()
    moved = clone.folder / "moved"
    clone.root.rename(moved)
    clone.root = moved
    clone.python("good")
    shutil.copy(clone.tools / "python3", moved / ".venv" / "bin" / "python")
    stamp = moved / ".venv" / ".meja-installed"
    if refused == "removing":
        (clone.tools / "rm").unlink()
        (clone.tools / "rm").write_text(
            "#!/bin/sh\necho \"rm: cannot remove '$2': Read-only file system\" >&2\nexit 1\n"
        )
        (clone.tools / "rm").chmod(0o755)
    else:
        stamp.unlink()
        stamp.mkdir()
        (clone.tools / "rm").unlink()
        (clone.tools / "rm").symlink_to(shutil.which("true") or "")
    done = clone.play()
    assert done.returncode == 1
    assert "may not be changed. Copy " in done.stderr
    assert "rm:" not in done.stderr
    assert done.stderr.count("\n") == 2
    assert done.stdout == ""
