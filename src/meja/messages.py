"""Sentences for people: English by default, translatable as a template with values.

A :class:`Message` is a ``str`` (the English sentence), so that errors print well
anywhere, and it keeps its template and values, so that a user interface can say it
in another language and write cards and seats its own way. ``msg`` is the marker
that the catalogue is made from.
"""

from __future__ import annotations

from typing import Any


class CardWord(str):
    """The text of one card or several (``"As Td"``) inside a sentence; interfaces may draw it."""

    __slots__ = ()


class SeatWord(str):
    """A seat inside a sentence ("seat 2"); interfaces put the player's name there."""

    seat: int

    def __new__(cls, seat: int) -> SeatWord:
        """Make the word for seat number ``seat`` (counted from 0)."""
        word = super().__new__(cls, f"seat {seat}")
        word.seat = seat
        return word

    def __reduce__(self) -> tuple[type[SeatWord], tuple[int]]:
        return (SeatWord, (self.seat,))


class Message(str):
    """One sentence or word: a template of the catalogue and the values in it."""

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Message:
        """Fill ``template`` (``str.format`` fields) with ``values``; values may be messages too."""
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template = template
        message.values = values
        return message

    def __reduce__(self) -> tuple[Any, tuple[str, dict[str, Any]]]:
        return (_rebuild, (self.template, self.values))


def _rebuild(template: str, values: dict[str, Any]) -> Message:
    return Message(template, **values)


def msg(template: str, /, **values: Any) -> Message:
    """A sentence of the catalogue: ``msg("You hold {card}.", card=...)``."""
    return Message(template, **values)
