"""The table of Kaluki in words: melds, the piles, and the best of what a hand can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final

from meja.cards import JOKER, Card, card_word, parse_card
from meja.errors import ActionTextError, CardTextError
from meja.games.kaluki_turn import ADD, DISCARD, DISCARDS, DRAW, MELD, OPEN, SWAP, TAKE, TAKE_MOVE, LegalActions, Move
from meja.games.melds import Meld, all_melds, hand_masks, meld_text, parse_meld, parse_word, take_out, worth
from meja.messages import CardWord, Message, SeatWord, msg
from meja.narration.screen import Both, Choice, Question, Screen, ranks_text
from meja.narration.words import typed_words

#: How many melds are suggested, and how many ways to open with several melds are looked at for the best.
_MELDS: Final = 6
_OPENINGS: Final = 400
_PILE: Final = 10
#: Words that people put between a card and a meld.
_FILLERS: Final = frozenset({"to", "on", "onto", "for", "from", "in", "ke", "dari", "di"})


class KalukiScreen(Screen):
    """Drawing, melding and discarding."""

    told: ClassVar[Mapping[str, Both]] = {
        "take": (msg("You take {card} from the discard pile."), msg("{seat} takes {card} from the discard pile.")),
        "discard": (msg("You discard {card}."), msg("{seat} discards {card}.")),
        "add": (msg("You add {card} to meld {meld}: {cards}"), msg("{seat} adds {card} to meld {meld}: {cards}")),
        "swap": (
            msg("You swap {card} for a joker of meld {meld}: {cards}"),
            msg("{seat} swaps {card} for a joker of meld {meld}: {cards}"),
        ),
        "out": (msg("You go out!"), msg("{seat} goes out.")),
    }

    def event(self, seen: Mapping[str, Any], view: Any) -> list[str]:
        """Draws are told as far as they are seen."""
        seat = SeatWord(seen.get("seat") or 0)
        match seen["kind"]:
            case "draw":
                if "card" not in seen:
                    return [self.say(msg("{seat} draws a card.", seat=seat))]
                if self._on_the_table(seat.seat, view.drew, view):
                    return []
                card = CardWord(seen["card"])
                return [
                    self.both(
                        seat.seat,
                        msg("You draw {card}.", card=card),
                        msg("{seat} draws {card}.", seat=seat, card=card),
                    )
                ]
            case "take" if not view.taken_laid and self._on_the_table(seat.seat, view.taken, view):
                return []
            case "meld":
                values = {name: self._event_value(name, seen[name]) for name in ("meld", "cards")}
                you, other = _OPENS if seen["opens"] else _LAYS
                return [self.say(Message((you if seat.seat == self.person else other).template, seat=seat, **values))]
            case "reshuffle":
                if view.rules.stock_out == "turn_over":
                    return [self.say(msg("The discard pile is turned over: {stock} cards.", stock=seen["stock"]))]
                return [self.say(msg("The discard pile is shuffled again: {stock} cards.", stock=seen["stock"]))]
        return super().event(seen, view)

    def _event_value(self, name: str, value: Any) -> Any:
        # Records count melds from 0, people from 1.
        return value + 1 if name == "meld" else super()._event_value(name, value)

    def _on_the_table(self, seat: int, card: Card | None, view: Any) -> bool:
        """Whether the table, which the person sees next, tells the same of ``card``."""
        return self.table_follows and seat == self.person == view.to_act and card is not None

    # -- the table ----------------------------------------------------------------

    writing: ClassVar[Message] = msg(
        "To write a card: rank and suit, for example As, 10h (or Th), Qd. "
        "Suits: s spades, h hearts, d diamonds, c clubs. Jk is a joker."
    )
    looking_back: ClassVar[Message] = msg("l  the discard pile, top card first")

    def order(self, rules: Any) -> list[Message]:
        """The order of cards in a run; nothing else goes by the rank."""
        return [
            msg(
                "Order in a run, from high to low: {ranks}. The ace may also be the lowest card, below the 2.",
                ranks=ranks_text("AKQJT98765432"),
            )
        ]

    def table(self, view: Any) -> list[str]:
        """The piles, how many cards everybody holds, the melds, and how far one is from opening."""
        lines = [
            self.say(
                msg(
                    "Top of the discard pile: {card}. Cards in the stock: {stock}.",
                    card=card_word(view.pile[-1]) if view.pile else "-",
                    stock=view.stock,
                )
            )
        ]
        opened = self.language.say(msg("opened"))
        lines += self.style.listed(
            self.say(msg("Cards in hand:")),
            [
                f"{self.name(seat)} {size}" + (f" ({opened})" if view.opened[seat] else "")
                for seat, size in enumerate(view.hand_sizes)
            ],
        )
        for index, (owner, meld) in enumerate(zip(view.owners, view.table, strict=True)):
            number = self.say(msg("Meld {n}", n=index + 1))
            lines.append(f"{number}, {self.name(owner)}: {self.language.say(CardWord(meld_text(meld)))}")
        if view.to_act == self.person:
            lines += self._turn_lines(view)
        return lines

    def _turn_lines(self, view: Any) -> list[str]:
        lines = []
        # Once the person has laid something, the news of the card is old; a duty to lay it is not.
        fresh = bool(view.log) and view.log[-1][0] == self.person and view.log[-1][1].verb in (DRAW, TAKE)
        if view.drew is not None and fresh:
            lines.append(self.say(msg("You drew {card}.", card=card_word(view.drew))))
        if view.taken is not None and not view.taken_laid and (fresh or view.rules.discard_use == "must_use"):
            lines.append(self.say(msg("You took {card}.", card=card_word(view.taken))))
        if view.owed:
            lines.append(self.say(msg("The joker you swapped must be laid before you discard.")))
        if not view.opened[self.person]:
            lines.append(self._opening_line(view))
        return lines

    def _opening_line(self, view: Any) -> str:
        """What the hand is worth for opening, and what is missing."""
        needed = view.rules.opening_points
        rules = view.rules.turn.melds
        best = best_melds(view.hand, rules, several=view.rules.opening == "total")
        points = sum(worth(meld, rules) for meld in best)
        values = {"needed": needed, "points": points, "missing": needed - points}
        if not best:
            return self.say(msg("To open you need {needed}. There is no meld in your hand.", needed=needed))
        cards = CardWord(" + ".join(meld_text(meld) for meld in best))
        if points < needed:
            return self.say(
                msg(
                    "To open you need {needed}. Best in your hand: {cards}, {points}; {missing} missing.",
                    cards=cards,
                    **values,
                )
            )
        return self.say(
            msg("To open you need {needed}. Your hand can do it: {cards}, {points}.", cards=cards, **values)
        )

    def last(self, view: Any) -> list[str]:
        """The discard pile from the top down."""
        if not view.pile:
            return [self.say(msg("The discard pile is empty."))]
        cards = view.pile[: -_PILE - 1 : -1]
        return self.style.listed(self.say(msg("The discard pile, top card first:")), [self.cards([c]) for c in cards])

    # -- choosing -----------------------------------------------------------------

    def question(self, view: Any) -> Message:
        """To draw, or to lay and discard."""
        return msg("Draw a card:") if view.phase == "draw" else msg("You can lay:")

    def choices(self, view: Any) -> list[Choice]:
        """The draws, or the best melds and every card that can be added or swapped; a discard needs no number."""
        return [Choice(number, move, self._words(view, move)) for number, move in enumerate(self._laying(view), 1)]

    def listing(self, view: Any) -> list[str]:
        """The hand; then melds line by line, as they are long, and how to discard."""
        choices = self.choices(view)
        lines = self.hand(view)
        if choices:
            lines += [self.say(self.question(view)), *(choice.line for choice in choices)]
        if any(move.verb == DISCARD for move in view.listed):
            lines.append(self.say(msg("Type a card to discard it and end your turn.")))
        return lines

    def _laying(self, view: Any) -> list[Move]:
        """Everything but discards, the best first; of melds only the best."""
        listed = list(view.listed)
        rules = view.rules.turn.melds
        if view.phase == "draw":
            plain = [move for move in listed if not move.melds]
            return [*plain, *self._best(view, [m for m in listed if m.melds] + self._together(view))]
        melds = self._best(view, [move for move in listed if move.verb == MELD] + self._together(view))
        others = [move for move in listed if move.verb in (ADD, SWAP)]
        # A joker is added to everything; that is for the person to think of, once its cards are shown.
        fitting = [move for move in others if move.card != JOKER]
        wild = [move for move in others if move.card == JOKER]
        fitting.sort(key=lambda move: (move.verb != SWAP, -worth_of_card(move.card, rules), move.meld))
        return [*melds, *fitting, *(wild if len(wild) <= _MELDS or (not fitting and not melds) else wild[:_MELDS])]

    def _together(self, view: Any) -> list[Move]:
        """Ways to open with several melds, as far as they are looked at."""
        legal = view.legal
        if not isinstance(legal, LegalActions):
            return []
        return list(islice((move for move in legal if len(move.melds) > 1), _OPENINGS))

    def _best(self, view: Any, moves: Iterable[Move]) -> list[Move]:
        """The melds worth most, each group of cards once, and none that another one holds."""
        rules = view.rules.turn.melds
        ranked = sorted(
            moves,
            key=lambda move: (
                -sum(worth(meld, rules) for meld in move.melds),
                sum(meld.jokers for meld in move.melds),
                move,
            ),
        )
        chosen: list[tuple[Move, Counter[Card]]] = []
        for move in ranked:
            cards = Counter(card for meld in move.melds for card in meld.cards)
            if any(cards <= other for _, other in chosen):
                continue
            chosen.append((move, cards))
            if len(chosen) == _MELDS:
                break
        return [move for move, _ in chosen]

    def action(self, view: Any, action: Any, *, short: bool = False) -> str:
        """A card that is taken is named, as it lies there for everybody to see."""
        if action == TAKE_MOVE and view.pile:
            return self.language.say(msg("take {card} from the discard pile", card=card_word(view.pile[-1])))
        return super().action(view, action, short=short)

    def _words(self, view: Any, move: Move) -> str:
        words = self.action(view, move)
        if not move.melds:
            return words
        return f"{words} ({sum(worth(meld, view.rules.turn.melds) for meld in move.melds)})"

    def expected(self, view: Any) -> Message:
        """How a turn is typed."""
        if view.phase == "draw":
            return msg("Type one of the numbers: draw, or take the top card of the discard pile.")
        return msg(
            "Type a number; or a card to discard it; or for example: {meld}; {add}; {swap}.",
            meld=typed_words("meld 7h 8h Jk=9h"),
            add=typed_words("add 4d m1"),
            swap=typed_words("swap 9d m2"),
        )

    # -- reading ------------------------------------------------------------------

    def readings(self, view: Any, text: str) -> list[str]:
        """A card alone is a discard, several are a meld, a card and a meld belong together."""
        words = self._plain_words(text)
        line = " ".join(words)
        if len(words) == 3 and words[0].lower() in ("add", "swap") and _is_meld_number(words[1]):
            line = f"{words[0]} {words[2]} {words[1]}"
        if "+" in words and words[0].lower() == "meld":
            line = " ".join(["open", *words[1:]])
        if view.phase == "draw" and len(words) > 1 and not _is_meld_number(words[1]):
            return [line, f"take {line}"]
        if len(words) == 2 and _is_meld_number(words[1]):
            return [line, f"add {line}"]
        return [line, f"discard {line}", f"open {line}" if "+" in words else f"meld {line}"]

    def _plain_words(self, text: str) -> list[str]:
        """The words without those that only join them; the meld that people call 1 as records do: ``m0``."""
        words = [word for word in text.replace(",", " ").replace("+", " + ").split() if word.lower() not in _FILLERS]
        called = {"meld", self.language.say(msg("Meld {n}", n="")).strip().lower()}
        found: list[str] = []
        for word in words:
            # No card is written as a number alone.
            number = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 0
            if not number or not found:
                found.append(word)
                continue
            # The first word of a line is what is to be done: that may be "meld" too.
            if len(found) > 1 and found[-1].lower() in called:
                found.pop()
            found.append(f"m{number - 1}")
        return found

    def parse(self, view: Any, text: str) -> Any:
        """As typed; a joker whose card was not said gets it where only one is possible."""
        said = "=" in text
        words = text.lower().split()
        if view.phase == "draw" and self._names_the_top(view, words):
            return TAKE_MOVE
        words = [word.lower() for word in self._plain_words(text)]
        if words[:1] == ["add"] or (len(words) == 2 and _is_meld_number(words[1])):
            bare = [word for word in words if word == "jk"]
            if bare:
                return self._added_joker(view, words)
        try:
            move: Move = super().parse(view, text)
        except ActionTextError:
            found = self._half_right(view, self.readings(view, text)[0].lower().split())
            if found is None:
                raise
            move = found
        if not said and move.verb in (MELD, TAKE) and len(move.melds) == 1 and JOKER in move.melds[0].cards:
            self._ask_for_joker(view, move)
        return move

    def _names_the_top(self, view: Any, words: Sequence[str]) -> bool:
        """``take 9h``, as the choice is written, names the card that ``take`` alone means."""
        if words[:1] != ["take"] or len(words) < 2 or (len(words) > 2 and words[2] not in _FILLERS) or not view.pile:
            return False
        try:
            return bool(parse_card(words[1]) == view.pile[-1])
        except CardTextError:
            return False

    def _half_right(self, view: Any, words: Sequence[str]) -> Move | None:
        """What the game has no words for, but may have a reason against."""
        verb, *rest = words or [""]
        try:
            if verb == "open" and rest and "+" not in rest:
                meld = parse_meld(rest)
                # One meld is laid by "meld"; where that is allowed, nobody has to be taught it.
                alone = Move(MELD, (meld,))
                return alone if view.why_illegal(alone) is None else Move(OPEN, (meld,))
            if verb in ("add", "swap") and len(rest) == 2 and _is_meld_number(rest[1]):
                card, _ = parse_word(rest[0])
                return Move(ADD if verb == "add" else SWAP, (), card, -1, int(rest[1][1:]))
            if verb == "discard" and len(rest) == 1:
                return DISCARDS[parse_word(rest[0])[0]]
        except CardTextError:
            return None
        return None

    def _added_joker(self, view: Any, words: Sequence[str]) -> Move:
        number = next((int(word[1:]) for word in words if _is_meld_number(word)), -1)
        found = [move for move in view.listed if move.verb == ADD and move.card == JOKER and move.meld == number]
        if len(found) == 1:
            return found[0]  # type: ignore[no-any-return]
        if found:
            raise self._which(view, found)
        # The game says what is wrong with it.
        return Move(ADD, (), JOKER, -1, number)

    def _ask_for_joker(self, view: Any, move: Move) -> None:
        meld = move.melds[0]
        cards = Counter(meld.cards)
        rules = view.rules.turn.melds
        hand = view.hand if view.phase != "draw" else (*view.hand, view.pile[-1])
        others = [other for other in all_melds(*hand_masks(hand), rules) if Counter(other.cards) == cards]
        if len(others) > 1:
            others.sort(key=lambda other: -worth(other, rules))
            raise self._which(view, [Move(move.verb, (other,)) for other in others])

    def _which(self, view: Any, moves: Sequence[Move]) -> Question:
        choices = [Choice(number, move, self._words(view, move)) for number, move in enumerate(moves, 1)]
        return Question(msg("The joker can stand for more than one card. Which one?"), choices)


_OPENS: Final = (msg("You open with meld {meld}: {cards}"), msg("{seat} opens with meld {meld}: {cards}"))
_LAYS: Final = (msg("You lay meld {meld}: {cards}"), msg("{seat} lays meld {meld}: {cards}"))


def best_melds(hand: Sequence[Card], rules: Any, *, several: bool) -> list[Meld]:
    """The meld worth most in a hand; with ``several``, what the best after it is in the rest, and so on."""
    left = hand_masks(hand)
    found: list[Meld] = []
    while True:
        melds = all_melds(*left, rules)
        if not melds:
            return found
        best = max(melds, key=lambda meld: (worth(meld, rules), -meld.jokers))
        found.append(best)
        rest = take_out(*left, best.cards)
        if not several or rest is None:
            return found
        left = rest


def worth_of_card(card: Card, rules: Any) -> int:
    """What a natural card counts in a set."""
    return int(rules.set_values[card % 13])


def _is_meld_number(word: str) -> bool:
    return word[:1] in ("m", "M") and word[1:].isascii() and word[1:].isdigit() and len(word) < 5
