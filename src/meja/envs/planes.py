"""The layout of an observation: named stretches of one flat vector, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plane:
    """A stretch of an observation: its name, where it starts, how long it is, and how to read it."""

    name: str
    start: int
    length: int
    help: str

    @property
    def end(self) -> int:
        """The place after its last number."""
        return self.start + self.length


class Layout:
    """Planes one after the other, with the place where each starts."""

    def __init__(self) -> None:
        self.planes: list[Plane] = []
        self.size = 0

    def add(self, name: str, length: int, help: str) -> int:
        """Add a plane at the end; returns where it starts."""
        start = self.size
        self.planes.append(Plane(name, start, length, help))
        self.size += length
        return start
