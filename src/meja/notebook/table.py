"""Views and deals: the table as a seat sees it, and the table with all cards open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from meja.cards import UNKNOWN, Card
from meja.deal import Deal
from meja.games.kaluki import KalukiView
from meja.games.melds import meld_text
from meja.games.tricks import TrickView
from meja.language import Language, capital
from meja.messages import CardWord, SeatWord, msg
from meja.narration.house_rules import changed
from meja.narration.screen import Screen, TrickScreen
from meja.notebook.page import felt, folded, laid, line, page, part, picture, row, seat, table, title, word_list
from meja.notebook.pictures import APART
from meja.notebook.words import screen_of, seat_name
from meja.view import View

#: How high cards are, in pixels: one's own, those on the table, those of the others, the backs.
_OWN: Final = 112
_TABLE: Final = 88
_OTHERS: Final = 84
_BACKS: Final = 44
#: How many legal actions are written out.
_LEGAL: Final = 24


def view_html(view: View[Any], language: Language) -> str:
    """What the seat of ``view`` sees."""
    screen = screen_of(view.rules, language, view.seat)
    others = []
    for number in _round(view):
        if number != view.seat:
            # Kaluki shows what is left in the hands at the end of a deal.
            left = view.left[number] if isinstance(view, KalukiView) and view.left else ()
            cards = picture(left, _OTHERS) or picture((UNKNOWN,) * view.hand_sizes[number], _BACKS)
            others.append(
                seat(_label(screen, view, number, view.hand_sizes[number]), cards, turn=number == view.to_act)
            )
    own = ""
    if view.seat is not None:
        raised = _playable(view)
        own = seat(
            _label(screen, view, view.seat, len(view.hand)),
            picture(view.hand, _OWN, raised=raised),
            turn=view.seat == view.to_act,
        )
    parts = [part(*_heading(screen, view)), felt(row(others), *_on_table(screen, view), row([own] if own else []))]
    if view.legal:
        shown = [view.text(action) for action in islice(view.listed, _LEGAL + 1)]
        more = ["…"] if len(shown) > _LEGAL else []
        head = language.say(msg("{seat} may do:", seat=screen.name(view.seat or 0)))
        parts.append(part(line(head, quiet=True), word_list([*shown[:_LEGAL], *more])))
    return page(*parts, *_log(screen, ((number, view.text(action)) for number, action in view.log)))


def deal_html(deal: Deal[Any], language: Language) -> str:
    """The deal with all cards open."""
    screen = screen_of(deal.rules, language)
    return page(part(*_heading(screen, deal.view(None))), *deal_parts(deal, screen))


def deal_parts(deal: Deal[Any], screen: Screen) -> list[str]:
    """The cards of a deal, its score sheet and its actions."""
    view = deal.view(None)
    # When all tricks are played there is nothing in the hands: then it is told what was.
    played_out = deal.over and isinstance(view, TrickView)
    hands = deal.layout().hands if played_out else [deal.view(number).hand for number in range(deal.rules.seats)]
    seats = [
        seat(
            _label(screen, view, number, len(hands[number])),
            picture(hands[number], _OTHERS) or "–",
            turn=number == deal.to_act,
        )
        for number in _round(view)
    ]
    dealt = [line(screen.language.say(msg("The hands as they were dealt:")))] if played_out else []
    parts = [felt(*dealt, row(seats), *_on_table(screen, view), *_hidden(screen, deal))]
    sheet = deal.score_sheet()
    if sheet:
        say = screen.language.say
        parts.append(
            part(
                table(
                    [say(msg("Seat")), say(msg("Points")), say(msg("Reason")), say(msg("Rule"))],
                    [[screen.name(item.seat), item.points, screen.say(item.reason), item.rule] for item in sheet],
                )
            )
        )
    return [*parts, *_log(screen, ((number, deal.text(action)) for number, action in deal.actions()))]


def _round(view: View[Any]) -> Iterable[int]:
    """The seats in the order of play, from the dealer's left hand on or from one's own."""
    seats = view.rules.seats
    start = view.dealer if view.seat is None else view.seat
    return ((start + 1 + number) % seats for number in range(seats))


def _heading(screen: Screen, view: View[Any]) -> list[str]:
    """The game, the deal, who is to act, and the house rules."""
    say = screen.language.say
    state = (
        screen.both(view.to_act, msg("It is your turn."), msg("{seat} is to act.", seat=SeatWord(view.to_act)))
        if view.to_act is not None
        else say(msg("The deal is over."))
    )
    rules = changed(view.rules, screen.language)
    return [
        title(say(view.rules.title), f"{screen.heading(view)} {state}"),
        *([line(", ".join(rules), quiet=True)] if rules else []),
    ]


def _label(screen: Screen, view: View[Any], number: int, size: int) -> str:
    """A seat's name, how many cards are shown of it, and whether it has dealt."""
    say = screen.language.say
    words = [
        screen.name(number),
        *([seat_name(number, screen.language)] if number == view.seat else []),
        say(screen.language.plural(size, msg("{count} card", count=size), msg("{count} cards", count=size))),
    ]
    if number == view.dealer:
        words.append(say(msg("dealer")))
    if isinstance(view, KalukiView) and view.opened[number]:
        words.append(say(msg("opened")))
    return " · ".join(words)


def _on_table(screen: Screen, view: View[Any]) -> list[str]:
    """What lies open: the trick, or the piles and melds; and what was said."""
    if isinstance(view, KalukiView):
        return _piles_and_melds(screen, view)
    if not isinstance(view, TrickView) or not isinstance(screen, TrickScreen):
        return []
    monte = getattr(view, "shown", ())
    cards = [laid(picture([card], _TABLE), screen.name(number)) for number, card in view.trick]
    words = [line(text) for text in (*screen.contract(view), *screen.counts(view))]
    return [
        row(words and [f"<div>{''.join(words)}</div>"]),
        row([laid(picture(monte, _TABLE, APART), screen.language.say(msg("Monte")))] if monte else []),
        row(cards),
    ]


def _piles_and_melds(screen: Screen, view: KalukiView) -> list[str]:
    say = screen.language.say
    piles = [
        laid(picture([UNKNOWN], _TABLE), say(msg("Stock: {count}", count=view.stock))),
        *([laid(picture([view.pile[-1]], _TABLE), capital(say(msg("the discard pile"))))] if view.pile else []),
    ]
    melds = []
    for number, (owner, meld) in enumerate(zip(view.owners, view.table, strict=True)):
        # What a joker stands for is not to be seen on the card.
        jokers = [f": {say(CardWord(meld_text(meld)))}"] if meld.jokers else []
        melds.append(laid(picture(meld.cards, _TABLE), "".join([f"m{number} · {screen.name(owner)}", *jokers])))
    return [row(piles), row(melds)]


def _hidden(screen: Screen, deal: Deal[Any]) -> list[str]:
    """The cards that no seat holds and nobody has played: they are told in words, or drawn where they are few."""
    zones = deal.zones()
    say = screen.language.say
    found = []
    if zones.get("monte"):
        found.append(row([laid(picture(sorted(zones["monte"]), _TABLE), say(msg("Monte")))]))
    for name, words in (("out of play", msg("Out of play:")), ("not dealt", msg("Not dealt:"))):
        if zones.get(name):
            found.append(line(f"{say(words)} {screen.cards(sorted(zones[name]))}", quiet=True))
    return found


def _playable(view: View[Any]) -> set[int]:
    """The places of the cards that may be played, where not all of them may."""
    if not isinstance(view, TrickView) or view.phase != "play" or not view.legal:
        return set()
    cards: set[Card] = {action & UNKNOWN for action in view.legal}
    places = {place for place, card in enumerate(view.hand) if card in cards}
    return places if len(places) < len(view.hand) else set()


def _log(screen: Screen, actions: Iterable[Sequence[Any]]) -> list[str]:
    words = [f"{number} {text}" for number, text in actions]
    if not words:
        return []
    count = len(words)
    head = screen.language.plural(count, msg("{count} action", count=count), msg("{count} actions", count=count))
    return [part(folded(screen.language.say(head), word_list(words)))]
