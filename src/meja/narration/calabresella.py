"""The table of Calabresella in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from meja.games.calabresella import thirds_text
from meja.messages import CardWord, Message, SeatWord, msg
from meja.narration.screen import Both, Choice, TrickScreen
from meja.narration.words import argument_word

_BIDS: Final = ("chiamo", "solo", "solissimo")
_RAISES: Final = ("plain", "dividete", "scegliete")
#: How many cards one seat exchanges with the monte.
_COUNTS: Final[Mapping[int, Message]] = {1: msg("one card"), 2: msg("two cards"), 4: msg("four cards")}


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
        """Cards laid into the monte and taken from it are told as far as they are seen."""
        kind = seen["kind"]
        if kind == "discard":
            return self._laid(seen, view)
        if kind == "pick-up":
            return [self._picked_up(seen, view)]
        if kind == "call":
            lines = super().event(seen, view)
            # Nobody hands it over: then it lies in the monte.
            return (
                lines if view.giver is not None else [*lines, self.say(msg("Nobody holds it: it lies in the monte."))]
            )
        return super().event(seen, view)

    def _laid(self, seen: Mapping[str, Any], view: Any) -> list[str]:
        seat = seen["seat"]
        if "card" in seen:
            return [
                self.both(
                    seat,
                    msg("You lay {card} into the monte.", card=CardWord(seen["card"])),
                    msg("{seat} lays {card} into the monte.", seat=SeatWord(seat), card=CardWord(seen["card"])),
                )
            ]
        if view.phase == "discard" and view.to_act == seat:
            # All the cards of a seat are told in one line, with the last of them.
            return []
        count = 0
        for who, action in reversed(view.log):
            if who != seat or not view.text(action).startswith("discard"):
                break
            count += 1
        return [self.say(msg("{seat} lays {count} into the monte.", seat=SeatWord(seat), count=_cards(count)))]

    def _picked_up(self, seen: Mapping[str, Any], view: Any) -> str:
        seat = seen["seat"]
        word = SeatWord(seat)
        if "cards" not in seen:
            return self.say(
                msg(
                    "{seat} takes {count} of the monte, which only {seat} sees.", seat=word, count=_cards(seen["count"])
                )
            )
        cards = CardWord(seen["cards"])
        if seat == self.person:
            return self.say(msg("You take from the monte: {cards}", cards=cards))
        if view.shown:
            return self.say(msg("{seat} takes the monte, which everybody sees: {cards}", seat=word, cards=cards))
        return self.say(msg("{seat} takes from the monte: {cards}", seat=word, cards=cards))

    def opening(self, view: Any) -> list[str]:
        """Of four players the dealer has no cards."""
        if not view.rules.dealer_sits_out or view.dealer != self.person:
            return []
        return [self.say(msg("You deal and sit out this deal."))]

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
        if view.contract != "solissimo" or view.raised is not None:
            line.append(self.say(msg("Stake: {stake}.", stake=_stake(view.rules, view.contract, view.raised))))
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
                    own=thirds_text(own),
                    others=thirds_text(others),
                )
            )
        ]

    def table(self, view: Any) -> list[str]:
        """While cards are exchanged, what the person has seen of them."""
        lines = super().table(view)
        if view.phase in ("give", "discard") and view.picked_up and view.to_act == self.person:
            lines.append(self.say(msg("Taken from the monte: {cards}", cards=CardWord(self._texts(view, "picked_up")))))
        if view.phase == "play" and view.laid and not view.tricks and not view.trick:
            lines.append(self.say(msg("You laid into the monte: {cards}", cards=CardWord(self._texts(view, "laid")))))
        return lines

    def _texts(self, view: Any, name: str) -> str:
        return str(view.details()[name])

    def question(self, view: Any) -> Message:
        """What the phase asks."""
        if view.phase == "discard":
            left = len(view.hand) - 12
            return msg("Lay a card into the monte ({left} to go):", left=left)
        return self._questions.get(view.phase) or super().question(view)

    def choices(self, view: Any) -> list[Choice]:
        """Bids and declarations have numbers of their own; cards to call go from the best rank down."""
        if view.phase == "auction":
            numbers = {"pass": 0, **{f"bid {bid}": place for place, bid in enumerate(_BIDS, 1)}}
            return [Choice(numbers[view.text(a)], a, self._explained(view, a)) for a in view.legal]
        if view.phase == "raise":
            numbers = {f"raise {word}": place for place, word in enumerate(_RAISES, 1)}
            return [Choice(numbers[view.text(a)], a, self._explained(view, a)) for a in view.legal]
        if view.phase == "call":
            order = "32AKQJ7654"
            legal = sorted(view.legal, key=lambda a: (order.index(view.text(a)[-2]), a))
            return [Choice(number, a, self.action(view, a, short=True)) for number, a in enumerate(legal, 1)]
        return super().choices(view)

    def _explained(self, view: Any, action: Any) -> str:
        """A bid or a declaration, what it risks and what it means."""
        words = self.action(view, action, short=True)
        verb, _, word = view.text(action).partition(" ")
        if verb not in ("bid", "raise"):
            return words
        stake = _stake(view.rules, word, None) if verb == "bid" else _stake(view.rules, "solissimo", word)
        return self.language.say(Message(_MEANS[word].template, name=words, stake=stake))

    def listing(self, view: Any) -> list[str]:
        """Bids and declarations have a line each."""
        if view.phase not in ("auction", "raise"):
            return super().listing(view)
        return [*self.hand(view), self.say(self.question(view)), *(choice.line for choice in self.choices(view))]

    def unlisted(self, view: Any, number: int) -> Any:
        """A bid that is not high enough."""
        if view.phase == "auction" and 1 <= number <= len(_BIDS):
            return super().parse(view, f"bid {_BIDS[number - 1]}")
        return None

    def readings(self, view: Any, text: str) -> list[str]:
        """``bid 3`` is the third bid, as ``3`` alone is."""
        verb, _, rest = text.partition(" ")
        words = {"bid": _BIDS, "raise": _RAISES}.get(verb.lower(), ())
        number = rest.strip()
        if number in ("1", "2", "3") and words:
            return [f"{verb} {words[int(number) - 1]}"]
        return super().readings(view, text)

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


_MEANS: Final[Mapping[str, Message]] = {
    "chiamo": msg("{name} (stake {stake}: call a card, take the monte)"),
    "solo": msg("{name} (stake {stake}: take the monte)"),
    "solissimo": msg("{name} (stake {stake}: your cards as dealt, no monte)"),
    "plain": msg("{name} (stake {stake})"),
    "dividete": msg("{name} (stake {stake}: each opponent exchanges two cards unseen)"),
    "scegliete": msg("{name} (stake {stake}: the opponents see the monte and exchange)"),
}


def _stake(rules: Any, contract: str, raised: str | None) -> int:
    """What a contract is played for (C7.3)."""
    if contract != "solissimo":
        return _BIDS.index(contract) + 1
    return int(rules.solissimo_base) << (_RAISES.index(raised) if raised else 0)


def _cards(count: int) -> Message:
    return _COUNTS.get(count) or msg("{count} cards", count=count)
