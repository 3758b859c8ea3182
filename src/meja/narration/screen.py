"""What a table looks like in words. Games add their own lines; everything comes from a view."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from meja.cards import RANKS, Card, card_text, card_word, suit_name
from meja.errors import MejaError
from meja.games import game
from meja.games.smear import BID, PASS
from meja.games.tricks import ARGUMENT
from meja.language import Language, capital
from meja.messages import CardWord, Message, SeatWord, msg
from meja.narration.style import Style
from meja.narration.words import action_words
from meja.rules import Rules
from meja.view import View

#: A sentence for the person, and the one for somebody else.
Both = tuple[Message, Message]


@dataclass(frozen=True, slots=True)
class Choice:
    """A thing the person may do: the number to type, the action, and its words."""

    number: int
    action: Any
    words: str

    @property
    def line(self) -> str:
        """How it is shown: ``3) 10♦``."""
        return f"{self.number}) {self.words}"


class Question(MejaError):
    """What was typed can mean several things: ``choices`` are they, with the numbers to type."""

    def __init__(self, text: Message, choices: Sequence[Choice]) -> None:
        super().__init__(text)
        self.choices = tuple(choices)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.text, self.choices))


class Screen(ABC):
    """The words of one game for one person.

    ``language`` writes cards and names; ``names`` are those of the other seats.
    """

    #: Per phase the verb that a card or word without a verb stands for.
    bare: ClassVar[Mapping[str, tuple[str, ...]]] = {"play": ("play",)}
    #: Whether the table is printed after the events, so that what it shows need not be told.
    table_follows: bool = True

    def __init__(self, language: Language, style: Style, person: int, names: Mapping[int, str]) -> None:
        self.person = person
        self.names = names
        self.style = style
        self.language = language.using(card=style.card, seat=self._name)

    def _name(self, seat: int) -> str:
        return self.names[seat] if seat in self.names else self.language.say(msg("you"))

    # -- small words --------------------------------------------------------------

    def say(self, message: str) -> str:
        """A sentence that begins with a capital letter, or with a name as its owner writes it."""
        text = self.language.say(message)
        for name in self.names.values():
            if name and text.startswith(name) and not text[len(name) : len(name) + 1].isalnum():
                return text
        return capital(text)

    def both(self, seat: int, you: Message, other: Message) -> str:
        """The sentence about ``seat``: one speaks to the person differently."""
        return self.say(you if seat == self.person else other)

    def name(self, seat: int) -> str:
        """The name at the start of a list."""
        return self.say(SeatWord(seat))

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards with spaces between them."""
        return self.language.say(card_word(*cards))

    def points(self, values: Sequence[int], seats: Sequence[int] | None = None) -> list[str]:
        """``You 3``, ``Budi 5`` ... for a list."""
        shown = range(len(values)) if seats is None else seats
        return [f"{self.name(seat)} {values[seat]}" for seat in shown]

    def numbered(self, head: str, choices: Iterable[Choice]) -> list[str]:
        """Choices in a row: ``1) 5♠  2) Q♥``."""
        return self.style.listed(head, [choice.line for choice in choices], mark="", gap="  ")

    # -- the table ----------------------------------------------------------------

    def heading(self, view: View[Any]) -> str:
        """Which deal this is, and who deals."""
        length = getattr(view.rules, "deals", None)
        number = view.context.number + 1
        if length is None:
            return self.say(msg("Deal {number}. Dealer: {seat}.", number=number, seat=SeatWord(view.dealer)))
        return self.say(
            msg(
                "Deal {number} of {length}. Dealer: {seat}.",
                number=view.context.counted + 1,
                length=length,
                seat=SeatWord(view.dealer),
            )
        )

    def opening(self, view: View[Any]) -> list[str]:
        """What is told once under the heading of a deal."""
        return []

    def aim(self, rules: Rules) -> Message | None:
        """What the totals are good for, where it does not go without saying."""
        return None

    @abstractmethod
    def order(self, rules: Rules) -> list[Message]:
        """The ranks from high to low, for the help."""

    #: The cards that a person may write, and what ``l`` shows, for the help.
    writing: ClassVar[Message] = msg(
        "To write a card: rank and suit, for example As, 10h (or Th), Qd. "
        "Suits: s spades, h hearts, d diamonds, c clubs."
    )
    looking_back: ClassVar[Message] = msg("l  the last trick")

    @abstractmethod
    def table(self, view: View[Any]) -> list[str]:
        """Everything on the table but the heading, the hand and the choices."""

    def hand(self, view: View[Any]) -> list[str]:
        """The person's own cards, by suit."""
        suits: dict[int, list[Card]] = {}
        for card in view.hand:
            suits.setdefault(card // 13, []).append(card)
        head = self.say(msg("Your hand:"))
        if not suits:
            return [f"{head} {self.language.say(msg('no cards'))}"]
        return self.style.listed(head, [self.cards(cards) for cards in suits.values()])

    @abstractmethod
    def last(self, view: View[Any]) -> list[str]:
        """The last trick, or what else the person may look at once more."""

    def event(self, seen: Mapping[str, Any], view: View[Any]) -> list[str]:
        """What the person is told of an event; ``view`` is that after it."""
        told = self.told.get(seen["kind"])
        if told is None:
            return []
        seat = seen["seat"]
        values = {name: self._event_value(name, value) for name, value in seen.items() if name not in ("kind", "seat")}
        you, other = told
        message = you if seat == self.person else other
        return [self.say(Message(message.template, seat=SeatWord(seat), **values))]

    #: Kind of event -> the sentence to the person, and the one about somebody else.
    told: ClassVar[Mapping[str, Both]] = {}

    def _event_value(self, name: str, value: Any) -> Any:
        return CardWord(value) if name in ("card", "cards") and isinstance(value, str) else value

    # -- choosing -----------------------------------------------------------------

    def question(self, view: View[Any]) -> Message:
        """What is asked of the person now."""
        return msg("Your hand, play any card:") if len(view.legal) == len(view.hand) else msg("You can play:")

    def choices(self, view: View[Any]) -> list[Choice]:
        """What may be done, with the numbers to type."""
        order = {card: place for place, card in enumerate(view.hand)}
        legal = sorted(view.legal, key=lambda action: order.get(action & 63, 99))
        return [
            Choice(number + 1, action, self.action(view, action, short=True)) for number, action in enumerate(legal)
        ]

    def action(self, view: View[Any], action: Any, *, short: bool = False) -> str:
        """The words of an action; ``short`` leaves out a verb that goes without saying."""
        text = view.text(action)
        verb, _, rest = text.partition(" ")
        if short and rest and verb in self.bare.get(view.phase, ()):
            return self.language.say(CardWord(rest))
        # A bare verb that can have cards ("take") leaves a space where they would be.
        return self.language.say(action_words(text)).strip()

    def listing(self, view: View[Any]) -> list[str]:
        """The hand, and the question with the numbered choices; once only where they are the same cards."""
        choices = self.choices(view)
        lines = self.numbered(self.say(self.question(view)), choices)
        if [choice.action & 63 for choice in choices] == list(view.hand):
            return lines
        return [*self.hand(view), *lines]

    def numbers(self, choices: Sequence[Choice]) -> str:
        """The numbers that may be typed: ``1-8``."""
        numbers = [choice.number for choice in choices]
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{numbers[0]}-{numbers[-1]}"
        return ", ".join(map(str, numbers))

    def unlisted(self, view: View[Any], number: int) -> Any:
        """The action that a number stands for which is not offered, so that the game can say why; or ``None``."""
        return None

    def forced(self, view: View[Any], action: Any) -> str:
        """That the person plays the only card there is to play; ``view`` is that before it."""
        card = card_word(action & 63)
        if len(view.hand) == 1:
            return self.say(msg("You play {card}, your last card.", card=card))
        return self.say(msg("You play {card}, your only card that may be played.", card=card))

    def readings(self, view: View[Any], text: str) -> list[str]:
        """The texts that a typed line may stand for, the likeliest first."""
        verbs = self.bare.get(view.phase, ())
        # A card typed too early is refused with the rule, not with a shrug.
        return [text, *(f"{verb} {text}" for verb in verbs), *([] if "play" in verbs else [f"play {text}"])]

    def parse(self, view: View[Any], text: str) -> Any:
        """The action that a line stands for; raises :class:`~meja.errors.ActionTextError`."""
        deal = game(view.game).deal
        first: Exception | None = None
        for reading in self.readings(view, text):
            try:
                return deal.parse(reading)
            except ValueError as error:
                first = first or error
        assert first is not None
        raise first

    def expected(self, view: View[Any]) -> Message:
        """An example of what may be typed."""
        return msg("Type one of the numbers, or the card itself, for example {example}.", example=self._example(view))

    def _example(self, view: View[Any]) -> str:
        return card_text(view.legal[0] & 63).replace("T", "10")


class TrickScreen(Screen):
    """The table of a trick game."""

    told: ClassVar[Mapping[str, Both]] = {
        "play": (msg("You play {card}."), msg("{seat} plays {card}.")),
        "trick": (msg("You take the trick: {cards}"), msg("{seat} takes the trick: {cards}")),
        "pass": (msg("You pass."), msg("{seat} passes.")),
    }

    def table(self, view: Any) -> list[str]:
        """The trick, what went before it, and what was bid."""
        lines = self.contract(view)
        if view.phase == "play":
            lines += self.counts(view)
            number = msg("Trick {number}.", number=len(view.tricks) + 1)
            if view.trick:
                head = self.language.say(msg("{trick} On the table:", trick=number))
                lines += self.style.listed(head, [f"{self.name(s)} {self.cards([card])}" for s, card in view.trick])
            else:
                lead = (
                    msg("You lead.") if view.leader == self.person else msg("{seat} leads.", seat=SeatWord(view.leader))
                )
                lines.append(f"{self.language.say(number)} {self.say(lead)}")
        return lines

    def order(self, rules: Rules) -> list[Message]:
        """The ranks by the strength of the cards of a suit."""
        made: Any = game(rules.game).deal
        strengths = made.strengths(rules)
        cards = sorted((card for card in made.pack(rules) if card < len(RANKS)), key=lambda card: -strengths[card])
        return [msg("Order in this game, from high to low: {ranks}.", ranks=ranks_text(RANKS[card] for card in cards))]

    def contract(self, view: Any) -> list[str]:
        """What was bid, called and made trump."""
        return []

    def counts(self, view: Any) -> list[str]:
        """What the seats have taken."""
        return []

    def last(self, view: Any) -> list[str]:
        """The last finished trick."""
        if not view.tricks:
            return [self.say(msg("No trick has been finished yet."))]
        cards, winner = view.tricks[-1]
        head = self.language.say(msg("The last trick:"))
        lines = self.style.listed(head, [f"{self.name(seat)} {self.cards([card])}" for seat, card in cards])
        return [*lines, self.both(winner, msg("You took it."), msg("{seat} took it.", seat=SeatWord(winner)))]

    def trump(self, view: Any) -> list[str]:
        """The trump suit, where there is one."""
        return [self.say(msg("Trump: {suit}.", suit=suit_name(view.trump)))] if view.trump >= 0 else []


class BassadewitzScreen(TrickScreen):
    """The table of Bassadewitz."""

    def aim(self, rules: Any) -> Message | None:
        """Penalties are bad, chips are good."""
        return msg("most chips win") if rules.classic_pool else msg("lowest wins")

    def counts(self, view: Any) -> list[str]:
        """Card points taken so far: everybody could have counted them."""
        if not view.tricks:
            return []
        return self.style.listed(self.say(msg("Card points taken:")), self.points(view.taken))


class SmearScreen(TrickScreen):
    """The table of Smear."""

    bare: ClassVar[Mapping[str, tuple[str, ...]]] = {"play": ("play",), "bid": ("bid",)}
    told: ClassVar[Mapping[str, Both]] = {
        **TrickScreen.told,
        "bid": (msg("You bid {bid}."), msg("{seat} bids {bid}.")),
        "bidder": (
            msg("You have the bid with {bid} and lead; the suit you lead is trump."),
            msg("{seat} has the bid with {bid} and leads; the suit of the first card is trump."),
        ),
        "trump": (msg("You make {suit} trump."), msg("{seat} makes {suit} trump.")),
    }

    def _event_value(self, name: str, value: Any) -> Any:
        return suit_name("shdc".index(value)) if name == "suit" else super()._event_value(name, value)

    def contract(self, view: Any) -> list[str]:
        """The calls during the auction, afterwards the bid and the trump."""
        if view.phase == "bid":
            if not view.calls:
                return [self.say(msg("Nobody has bid yet."))]
            calls = [f"{self.name(seat)} {number or self.language.say(msg('pass'))}" for seat, number in view.calls]
            return self.style.listed(self.say(msg("Bids so far:")), calls)
        if view.bidder is None:
            return []
        bid = self.both(
            view.bidder,
            msg("You have bid {bid}.", bid=view.bid),
            msg("{seat} has bid {bid}.", seat=SeatWord(view.bidder), bid=view.bid),
        )
        return [" ".join([bid, *self.trump(view)])]

    def counts(self, view: Any) -> list[str]:
        """Card points for Game."""
        if not view.tricks:
            return []
        return self.style.listed(self.say(msg("Card points for Game:")), self.points(view.taken))

    def question(self, view: Any) -> Message:
        """The call or the card."""
        return msg("You can bid:") if view.phase == "bid" else super().question(view)

    def choices(self, view: Any) -> list[Choice]:
        """A bid is chosen by its own number, a pass by 0: no number of a list stands in its way."""
        if view.phase != "bid":
            return super().choices(view)
        return [
            Choice(
                0 if (words := view.text(action)) == "pass" else int(words.split()[1]),
                action,
                self.action(view, action),
            )
            for action in view.legal
        ]

    def unlisted(self, view: Any, number: int) -> Any:
        """A bid that may not be made; the game says why."""
        if view.phase != "bid":
            return None
        return _bid(number) if number else PASS

    def parse(self, view: Any, text: str) -> Any:
        """As typed; a bid may be any number, so that the game says which it may be."""
        found = _BID.fullmatch(text) if view.phase == "bid" else None
        return super().parse(view, text) if found is None else _bid(int(found[1][:9]))

    def expected(self, view: Any) -> Message:
        """A call or a card."""
        return msg("Type the number you bid, or 0 to pass.") if view.phase == "bid" else super().expected(view)


#: A bid as it is typed.
_BID: Final = re.compile(r"(?:bid\s+|(?=-))(-?[0-9]+)", re.IGNORECASE)


def _bid(number: int) -> int:
    """The action of a bid; one beyond all numbers that an action can hold is as wrong as the highest of them."""
    return BID | (number if 0 <= number < ARGUMENT else ARGUMENT)


def ranks_text(ranks: Iterable[str]) -> str:
    """Ranks with spaces, the ten as people write it: ``A K Q J 10 9``."""
    return " ".join("10" if rank == "T" else rank for rank in ranks)
