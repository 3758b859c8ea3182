"""What the system says of files, as sentences of the catalogue."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from meja.errors import system_words
from meja.messages import Message

KNOWN = ["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT", "EROFS", "ENAMETOOLONG", "EIO"]


@pytest.mark.parametrize("name", KNOWN)
def test_the_usual_words_of_the_system_can_be_translated(name: str) -> None:
    number = getattr(errno, name)
    words = system_words(OSError(number, "in the language of the system"))
    assert isinstance(words, Message)
    # In English they are those of every other program.
    assert words == os.strerror(number)


def test_other_words_of_the_system_stay_as_they_are() -> None:
    assert system_words(OSError(errno.EMFILE, "Too many open files")) == "Too many open files"
    assert system_words(OSError("nothing is known")) == "nothing is known"


def test_a_real_error_is_said_by_its_number(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory") as caught:
        (tmp_path / "none").read_bytes()
    assert system_words(caught.value) == "No such file or directory"
