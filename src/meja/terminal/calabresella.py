"""The table of Calabresella in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from meja.messages import CardWord, Message, SeatWord, msg
from meja.terminal.screen import Both, Choice, TrickScreen
from meja.terminal.words import argument_word

_BIDS: Final = ("chiamo", "solo", "solissimo")
_RAISES: Final = ("plain", "dividete", "scegliete")


class CalabresellaScreen(TrickScreen):
    """Auction, call, exchange and play."""

    bare: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "auction": ("bid",),
        "call": ("call",),
        "give": ("give",),
        "discard": ("discard",),
        "raise": ("raise",),
        "play": ("play",),
    }
    told: ClassVar[Mapping[str, Both]] = {
        **TrickScreen.told,
        "bid": (msg("You bid {bid}."), msg("{seat} bids {bid}.")),
        "contract": (
            msg("You play {contract} against the others."),
            msg("{seat} plays {contract} against the others."),
        ),
        "call": (msg("You call {card}."), msg("{seat} calls {card}.")),
        "hand-over": (msg("You hand {card} to {to}."), msg("{seat} hands {card} to {to}.")),
        "give": (msg("You give {card} to {to}."), msg("{seat} gives {card} to {to}.")),
        "raise": (msg("You declare: {raise}."), msg("{seat} declares: {raise}.")),
        "monte": (
            msg("The monte goes with your trick: {cards}"),
            msg("The monte goes with the trick of {seat}: {cards}"),
        ),
    }
    _questions: ClassVar[Mapping[str, Message]] = {
        "auction": msg("You can bid:"),
        "call": msg("Call a card that you do not hold:"),
        "give": msg("Give one card back:"),
        "raise": msg("Declare:"),
    }

    def event(self, seen: Mapping[str, Any], view: Any) -> list[str]:
        """Cards laid away and picked up are told as far as the person sees them."""
        kind, seat = seen["kind"], seen.get("seat")
        word = SeatWord(seat or 0)
        if kind == "discard":
            if "card" in seen:
                return [self.say(msg("You lay {card} away.", card=CardWord(seen["card"])))]
            return [self.say(msg("{seat} lays a card away.", seat=word))]
        if kind == "pick-up":
            if seat == self.person:
                return [self.say(msg("You pick up from the monte: {cards}", cards=CardWord(seen["cards"])))]
            if "cards" in seen:
                return [
                    self.say(msg("{seat} picks up the monte, open: {cards}", seat=word, cards=CardWord(seen["cards"])))
                ]
            return [
                self.say(msg("{seat} picks up cards of the monte, unseen: {count}.", seat=word, count=seen["count"]))
            ]
        if kind == "call":
            lines = super().event(seen, view)
            # Nobody hands it over: then it lies in the monte.
            return (
                lines if view.giver is not None else [*lines, self.say(msg("Nobody holds it: it lies in the monte."))]
            )
        return super().event(seen, view)

    def _event_value(self, name: str, value: Any) -> Any:
        if name in ("bid", "contract", "raise"):
            return argument_word(value)
        return SeatWord(value) if name == "to" and value is not None else super()._event_value(name, value)

    def contract(self, view: Any) -> list[str]:
        """The calls of the auction; then the contract and the called card."""
        if view.phase == "auction":
            calls = [
                (seat, text)
                for seat, action in view.log
                for text in [view.text(action)]
                if text.startswith(("pass", "bid"))
            ]
            if not calls:
                return [self.say(msg("Nobody has bid yet."))]
            shown = [
                f"{self.name(seat)} "
                + self.language.say(msg("pass") if text == "pass" else argument_word(text.removeprefix("bid ")))
                for seat, text in calls
            ]
            return self.style.listed(self.say(msg("Bids so far:")), shown)
        if view.contract is None or view.bidder is None:
            return []
        bidder = SeatWord(view.bidder)
        words = argument_word(view.contract)
        line = [
            self.both(
                view.bidder,
                msg("You play {contract}.", contract=words),
                msg("{seat} plays {contract}.", seat=bidder, contract=words),
            )
        ]
        if view.raised is not None:
            line.append(self.say(msg("Declared: {declared}.", declared=argument_word(view.raised))))
        if view.called is not None:
            card = CardWord(view.details()["called"])
            if view.giver is None:
                line.append(self.say(msg("Called: {card}, from the monte.", card=card)))
            else:
                line.append(self.say(msg("Called: {card}, from {seat}.", card=card, seat=SeatWord(view.giver))))
        return [" ".join(line)]

    def counts(self, view: Any) -> list[str]:
        """Points of the two sides in tricks so far."""
        if not view.tricks or view.bidder is None:
            return []
        own = view.taken[view.bidder]
        others = sum(view.taken) - own
        return [
            self.say(
                msg(
                    "Points in tricks: {seat} {own}, the other two {others}.",
                    seat=SeatWord(view.bidder),
                    own=thirds(own),
                    others=thirds(others),
                )
            )
        ]

    def table(self, view: Any) -> list[str]:
        """While cards are exchanged, what the person has seen of them."""
        lines = super().table(view)
        if view.phase in ("give", "discard") and view.picked_up and view.to_act == self.person:
            lines.append(self.say(msg("Picked up: {cards}", cards=CardWord(self._texts(view, "picked_up")))))
        if view.phase == "play" and view.laid and not view.tricks and not view.trick:
            lines.append(self.say(msg("You laid away: {cards}", cards=CardWord(self._texts(view, "laid")))))
        return lines

    def _texts(self, view: Any, name: str) -> str:
        return str(view.details()[name])

    def question(self, view: Any) -> Message:
        """What the phase asks."""
        if view.phase == "discard":
            left = len(view.hand) - 12
            return msg("Lay a card away ({left} to go):", left=left)
        return self._questions.get(view.phase) or super().question(view)

    def choices(self, view: Any) -> list[Choice]:
        """Bids and declarations have numbers of their own; cards to call go from the best rank down."""
        if view.phase == "auction":
            numbers = {"pass": 0, **{f"bid {bid}": place for place, bid in enumerate(_BIDS, 1)}}
            return [Choice(numbers[view.text(a)], a, self.action(view, a, short=True)) for a in view.legal]
        if view.phase == "raise":
            numbers = {f"raise {word}": place for place, word in enumerate(_RAISES, 1)}
            return [Choice(numbers[view.text(a)], a, self.action(view, a, short=True)) for a in view.legal]
        if view.phase == "call":
            order = "32AKQJ7654"
            legal = sorted(view.legal, key=lambda a: (order.index(view.text(a)[-2]), a))
            return [Choice(number, a, self.action(view, a, short=True)) for number, a in enumerate(legal, 1)]
        return super().choices(view)

    def action(self, view: Any, action: Any, *, short: bool = False) -> str:
        """Bids and declarations in short form are their bare word."""
        text = view.text(action)
        verb, _, rest = text.partition(" ")
        if short and verb in ("bid", "raise"):
            return self.language.say(argument_word(rest))
        return super().action(view, action, short=short)

    def expected(self, view: Any) -> Message:
        """Numbers, words or cards."""
        if view.phase in ("auction", "raise"):
            return msg("Type one of the numbers, or the word.")
        return super().expected(view)


def thirds(value: int) -> str:
    """Thirds of a point as a mixed number: ``2 1/3``."""
    whole, rest = divmod(value, 3)
    if not rest:
        return str(whole)
    return f"{whole} {rest}/3" if whole else f"{rest}/3"
