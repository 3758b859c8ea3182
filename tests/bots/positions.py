"""Positions in which the right action is certain: one line each in ``positions/<game>.txt``.

A line is a sentence and fields, parted by ``|``; a field is ``name: value``. ``positions/README.md`` tells them.
The deal is built and played by the engine, so that a position is one that can arise, and what a bot gets is its view.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from meja.bots.bot import Bot, Budget
from meja.cards import JOKER, Card, Rng, card_text, parse_card, parse_cards
from meja.deal import Chance, Context, Layout
from meja.games import Game
from meja.games import game as named
from meja.games.kaluki import Kaluki
from meja.games.melds import parse_meld
from meja.view import View

FOLDER: Final = Path(__file__).with_name("positions")
GAMES: Final = ("bassadewitz", "calabresella", "kaluki", "smear")

_FIELDS: Final = frozenset(
    {"answers", "because", "deal", "dealer", "drew", "goal", "hands", "holds", "laid", "monte", "opts", "pile"}
    | {"proof", "right", "seats", "silly", "sofar", "start", "totals", "turn", "wrong"}
)
#: Fills the places of cards that no field names.
_SPARE: Final = 1
_BIDS: Final = ("chiamo", "solo", "solissimo")
_RAISES: Final = ("plain", "dividete", "scegliete")
#: Whoever has not ended a turn of Kaluki by then goes round in circles.
_LONGEST_TURN: Final = 40


@dataclass(frozen=True)
class Position:
    """A position, what is right or wrong in it, and why."""

    game: str
    line: int
    name: str
    fields: dict[str, str] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.game}:{self.line} {self.name}"

    @property
    def right(self) -> tuple[str, ...]:
        """Patterns of the actions that are right (``*`` stands for anything); empty where the wrong ones are told."""
        return _alternatives(self.fields.get("right", ""))

    @property
    def wrong(self) -> tuple[str, ...]:
        """Patterns of the actions that are wrong; empty where the right ones are told."""
        return _alternatives(self.fields.get("wrong", ""))

    @property
    def because(self) -> str:
        """Why the right action is right."""
        return self.fields.get("because", "")

    @property
    def answers(self) -> tuple[str, ...]:
        """The complaints of ``docs/complaints.md`` that the position answers."""
        return tuple(self.fields.get("answers", "").split())

    @property
    def silly(self) -> bool:
        """Whether even a beginner must get it right."""
        return "silly" in self.fields

    @property
    def proof(self) -> str:
        """How the search over all worlds shows the right action (``every``, ``mean``, ``robust``), or nothing."""
        return self.fields.get("proof", "")

    @property
    def goal(self) -> str:
        """``deal`` for the score of the deal, ``match`` for the match that ends with it."""
        return self.fields.get("goal", "deal")

    @property
    def turn(self) -> str:
        """What must be true when the turn has ended, where a turn is judged and not one action."""
        return self.fields.get("turn", "")

    @cached_property
    def made(self) -> Game:
        """The game with its classes."""
        return named(self.game)

    @cached_property
    def rules(self) -> Any:
        """The rules with the options of the position."""
        options: dict[str, Any] = dict(_option(word) for word in self.fields.get("opts", "").split())
        preset = options.pop("preset", None)
        seats = int(self.fields.get("seats", 0)) or self.made.rules.default_seats
        if preset is None:
            return self.made.rules.make(seats, **options)
        return self.made.rules.make(seats, preset=preset, **options)

    @cached_property
    def deal(self) -> Any:
        """The deal, played up to the position. Not to be changed: clone it."""
        deal = _kaluki(self) if self.game == "kaluki" else _tricks(self)
        holds = self.fields.get("holds")
        if holds is not None:
            held = Counter(deal.view(deal.to_act).hand)
            assert held == Counter(parse_cards(holds)), f"{self}: the seat to act holds other cards"
        return deal

    @property
    def view(self) -> View[Any]:
        """What the seat to act sees."""
        view: View[Any] = self.deal.view(self.deal.to_act)
        return view

    def is_right(self, text: str) -> bool:
        """Whether an action, in words, is right."""
        if self.right:
            return _fits(text, self.right)
        return not _fits(text, self.wrong)

    def ask(self, bot: Bot, seed: int, iterations: int | None) -> str:
        """What the bot does, in words; in Kaluki, where a turn is judged, all that it does until the turn ends."""
        deal = self.deal.clone()
        seat = deal.to_act
        if not self.turn:
            return str(deal.text(self._act(bot, deal, seed, iterations)))
        done = []
        for _ in range(_LONGEST_TURN):
            action = self._act(bot, deal, seed, iterations)
            done.append(str(deal.text(action)))
            deal.advance(action)
            if deal.to_act != seat:
                break
        verdict = "" if self.ended_well(deal, seat) else f" [not {self.turn}]"
        return ", ".join(done) + verdict

    def passes(self, answer: str) -> bool:
        """Whether what :meth:`ask` told is right."""
        if self.turn:
            return not answer.endswith(f"[not {self.turn}]")
        return self.is_right(answer)

    def ended_well(self, deal: Any, seat: int) -> bool:
        """Whether a turn of Kaluki ended as ``turn`` wants it."""
        return _ended_well(self.turn, deal, seat)

    def _act(self, bot: Bot, deal: Any, seed: int, iterations: int | None) -> Any:
        view = deal.view(deal.to_act)
        action = bot.act(view, Budget(seed=seed, iterations=iterations))
        assert deal.why_illegal(action) is None, f"{self}: {deal.describe(action)} is not allowed"
        return action


def _ended_well(wanted: str, deal: Kaluki, seat: int) -> bool:
    """Whether a turn of Kaluki ended as wanted: ``goes out``, ``opens``, ``keeps no joker``, ``keeps at most 8``."""
    if deal.winner == seat:
        return True
    if wanted == "opens":
        return bool(deal.opened >> seat & 1)
    if wanted == "keeps no joker":
        return not deal.jokers[seat]
    if wanted.startswith("keeps at most "):
        return deal.hand_points(seat) <= int(wanted.rsplit(maxsplit=1)[-1])
    if wanted != "goes out":
        raise ValueError(wanted)
    return False


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(" or ") if word.strip())


def _fits(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


def _option(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    if not value:
        return name, True
    return name, int(value) if value.isdigit() else value


def _context(position: Position) -> Context:
    """``totals: 3 0 7``; ``deal: 7`` tells that seven deals that count came before."""
    seats = position.rules.seats
    totals = tuple(int(word) for word in position.fields.get("totals", "").split()) or (0,) * seats
    number = int(position.fields.get("deal", 0))
    return Context(totals, number, number)


# -- trick games ------------------------------------------------------------------


def _tricks(position: Position) -> Any:
    """``hands``: as they were dealt, ``?`` for any other cards; ``monte`` alike; ``sofar``: what was done since."""
    fields = position.fields
    made, rules = position.made, position.rules
    dealer = int(fields.get("dealer", rules.seats - 1))
    hands = [_hand(word) for word in fields["hands"].split("/")]
    monte = _hand(fields.get("monte", "?"))
    if len(hands) != rules.seats:
        raise ValueError(f"{position}: {rules.seats} hands are needed")
    told = {card for hand in (*hands, monte) if hand is not None for card in hand}
    spare = [card for card in made.deal.pack(rules) if card not in told]
    Rng(_SPARE).shuffle(spare)
    size = made.deal.hand_size(rules)  # type: ignore[attr-defined]
    full = [tuple([spare.pop() for _ in range(size)] if hand is None else hand) for hand in hands]
    if position.game == "calabresella":
        rest = tuple(spare[:4] if monte is None else monte)
        layout = Layout(tuple(full), monte=rest)
    else:
        layout = Layout(tuple(full))
    deal: Any = made.deal.from_layout(rules, dealer, layout, _context(position))
    for word in re.split(r"[\s,;]+", fields.get("sofar", "").strip()):
        if word:
            deal.apply(_action(word))
    return deal


def _hand(text: str) -> list[Card] | None:
    text = text.strip()
    return None if text == "?" else parse_cards(text)


def _action(word: str) -> str:
    if word == "pass" or ":" in word:
        return word.replace(":", " ")
    if word.isdigit() or word in _BIDS:
        return f"bid {word}"
    return f"raise {word}" if word in _RAISES else f"play {word}"


# -- Kaluki -----------------------------------------------------------------------


def _kaluki(position: Position) -> Kaluki:
    """The first round of turns lays the melds of ``laid``; then seat 0 is to act with the cards of ``holds``.

    Every seat draws a card, lays its melds (the first one opens) and discards the card named for it in ``pile``
    (``?``: any card that no field names). ``drew``: seat 0 has drawn the last card of ``holds`` in this turn.
    ``sofar``: what it has done since, from the cards of ``start``.
    """
    fields = position.fields
    rules = position.rules
    seats = rules.seats
    mine = parse_cards(fields.get("start", fields["holds"]))
    drew = "drew" in fields
    melds: list[list[str]] = [[] for _ in range(seats)]
    for entry in fields.get("laid", "").split(","):
        if entry.strip():
            owner, _, words = entry.strip().partition(":")
            melds[int(owner)].append(words.strip())
    thrown: list[Card | None] = [None] * seats
    for place, word in enumerate(fields.get("pile", "").split()):
        thrown[place] = None if word == "?" else parse_card(word)
    needed = [[card for words in melds[seat] for card in parse_meld(words.split()).cards] for seat in range(seats)]
    pack = Counter(Kaluki.pack(rules))
    for cards in (*needed, [card for card in thrown if card is not None], mine):
        pack.subtract(cards)
    if min(pack.values()) < 0:
        raise ValueError(f"{position}: a card is used too often")
    spare = [card for card in sorted(pack.elements()) if card != JOKER]
    Rng(_SPARE).shuffle(spare)
    discards = [card if card is not None else spare.pop() for card in thrown]
    kept = mine[:-1] if drew else mine
    hands = []
    for seat in range(seats):
        hand = [*needed[seat], *(kept if seat == 0 else ())]
        missing = rules.cards - len(hand)
        if missing < 0 or (seat == 0 and missing):
            raise ValueError(f"{position}: seat {seat} would have {len(hand)} cards of {rules.cards}")
        hands.append(tuple(hand + [spare.pop() for _ in range(missing)]))
    stock = discards + ([mine[-1]] if drew else [])
    upcard = spare.pop()
    rest = spare + [JOKER] * pack[JOKER]
    Rng(7).shuffle(rest)
    layout = Layout(tuple(hands), (), upcard, tuple(stock + rest))
    deal = Kaluki.from_layout(rules, seats - 1, layout, _context(position), Chance(Rng(3)))
    for seat in range(seats):
        deal.apply("draw")
        for words in melds[seat]:
            deal.apply(f"meld {words}")
        deal.apply(f"discard {card_text(discards[seat])}")
    if drew:
        deal.apply("draw")
    for move in fields.get("sofar", "").split(","):
        if move.strip():
            deal.apply(move.strip())
    return deal


# -- reading ----------------------------------------------------------------------


def read(game: str) -> Iterator[Position]:
    """The positions of a game, in the order of its file."""
    for number, line in enumerate((FOLDER / f"{game}.txt").read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, *rest = [part.strip() for part in line.split("|")]
        fields: dict[str, str] = {}
        for part in rest:
            key, _, value = part.partition(":")
            if key not in _FIELDS or key in fields:
                raise ValueError(f"{game}:{number}: {key!r} is no field, or comes twice")
            fields[key] = value.strip()
        yield Position(game, number, name, fields)


def positions() -> list[Position]:
    """All positions of all games."""
    return [position for game in GAMES for position in read(game)]


__all__ = ["GAMES", "Position", "positions", "read"]
