"""Going through the records in files: what is wrong is a line each on standard output, what was read is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from meja.errors import system_words
from meja.language import Language
from meja.messages import Message, msg
from meja.record import read_documents


@dataclass(slots=True)
class Count:
    """How many records were read and how many faults found."""

    records: int = 0
    faults: int = 0

    def words(self, language: Language) -> Message:
        """``2 records read, no faults``."""
        read = language.plural(
            self.records,
            msg("{records} record read", records=self.records),
            msg("{records} records read", records=self.records),
        )
        found = language.plural(
            self.faults, msg("{faults} fault", faults=self.faults), msg("{faults} faults", faults=self.faults)
        )
        return msg("{read}, {faults}", read=read, faults=found if self.faults else msg("no faults"))


def examine_files(names: Sequence[str], faults_of: Callable[[bytes], list[Message]], language: Language) -> Count:
    """Print a line for every fault that ``faults_of`` finds in a record, and for every file that cannot be read."""
    count = Count()

    def fault(where: str, text: Message) -> None:
        print(f"{where}: {language.say(text)}")
        count.faults += 1

    for name in names:
        before = count.records
        try:
            for line, data in read_documents(name):
                count.records += 1
                for text in faults_of(data):
                    fault(name if line is None else f"{name}:{line}", text)
        except OSError as error:
            fault(name, cannot_read(error))
            continue
        if count.records == before and not name.endswith(".mejal"):
            fault(name, msg("empty; expected a JSON document"))
    return count


def cannot_read(error: OSError) -> Message:
    """What to say of a file that cannot be read."""
    return msg("cannot be read: {why}", why=system_words(error))
