"""Cards in a row as one SVG picture that needs no other file."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ET
from collections.abc import Collection, Sequence
from functools import cache
from hashlib import sha256
from typing import Final

from meja.cardart import DECKS, sprite
from meja.cardart.svg import HEIGHT, WIDTH, num, tag
from meja.cards import JOKER, SUIT_SIGNS, SUITS, UNKNOWN, Card, card_text

#: How far apart the cards of a hand begin, and those that lie side by side (a card is 200 wide).
HAND: Final = 84
APART: Final = 216
#: The same for backs: there is nothing to read.
BACKS: Final = 34
#: How far a card is pulled out of a hand.
RAISED: Final = 36

_NAMESPACE: Final = ' xmlns="http://www.w3.org/2000/svg"'


@cache
def _elements() -> dict[str, ET.Element]:
    """Every part of the deck by its id."""
    root = ET.fromstring(sprite(DECKS[0]).replace(_NAMESPACE, "", 1))
    return {name: element for element in root.iter() if (name := element.get("id"))}


@cache
def _needs(name: str) -> tuple[str, ...]:
    """The ids that a part draws, its own first, each once."""
    found = {name: None}
    for element in _elements()[name].iter():
        target = element.get("href")
        if target is not None:
            found.update(dict.fromkeys(_needs(target[1:])))
    return tuple(found)


@cache
def _source(name: str, prefix: str) -> str:
    """The text of a part, with ``prefix`` before every id."""
    text = ET.tostring(_elements()[name], encoding="unicode")
    return text.replace(' id="', f' id="{prefix}').replace(' href="#', f' href="#{prefix}') if prefix else text


def _inside(name: str) -> set[str]:
    """The ids that stand in the text of a part itself."""
    return {found for element in _elements()[name].iter() if (found := element.get("id"))} - {name}


def _symbol(card: Card) -> str:
    return "back" if card == UNKNOWN else card_text(card)


def row(cards: Sequence[Card], step: int = HAND, raised: Collection[int] = (), *, prefix: str = "") -> str:
    """The SVG of cards from left to right; ``raised`` are places in the row. An unknown card shows its back.

    ``prefix`` stands before every id, for a picture that becomes part of another document.
    """
    parts = dict.fromkeys(need for card in cards for need in _needs(_symbol(card)))
    within = set().union(*map(_inside, parts)) if parts else set()
    defs = tag("defs", *(_source(name, prefix) for name in parts if name not in within))
    top = RAISED if raised else 0
    drawn = "".join(
        _shadow(place * step, 0 if place in raised else top, place > 0 and step < WIDTH)
        + tag(
            "use",
            href=f"#{prefix}{_symbol(card)}",
            x=num(place * step),
            y=num(0 if place in raised else top),
            width=num(WIDTH),
            height=num(HEIGHT),
        )
        for place, card in enumerate(cards)
    )
    width = WIDTH + step * (len(cards) - 1) if cards else WIDTH
    return f'<svg{_NAMESPACE} viewBox="0 0 {width} {HEIGHT + top}">{defs}{drawn}</svg>'


def _shadow(x: int, y: int, lies_on_another: bool) -> str:
    """What parts a card from the one below it."""
    if not lies_on_another:
        return ""
    return tag("rect", x=num(x - 5), y=num(y + 1), width="40", height=num(HEIGHT - 2), rx="12", opacity=".28")


def alone(cards: Sequence[Card], step: int = HAND) -> str:
    """The same for a document of its own or as a part of a page: with a title, a size and ids of its own."""
    text = row(cards, step, prefix=f"m{sha256(bytes([step, *cards])).hexdigest()[:10]}-")
    head, body = text.split(">", 1)
    width = int(head.split()[-2])
    size = f' width="{num(width / 2)}" height="{HEIGHT // 2}" role="img"'
    return f"{head}{size}><title>{words(cards)}</title>{body}"


def address(svg: str) -> str:
    """The picture as an address: what stands in the ``src`` of an image."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def words(cards: Sequence[Card]) -> str:
    """The cards as people write them: ``10♦ A♠``."""
    return " ".join(map(sign, cards))


def sign(card: Card) -> str:
    """One card as people write it; the joker and the unknown card as records do."""
    text = card_text(card)
    if card >= JOKER:
        return text
    return ("10" if text[0] == "T" else text[0]) + SUIT_SIGNS[SUITS.index(text[1])]
