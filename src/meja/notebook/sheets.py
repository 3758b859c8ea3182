"""Matches, records and rules: what is told in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from meja.language import Language, capital
from meja.match import Match
from meja.messages import msg
from meja.narration.house_rules import changed, choice_text
from meja.narration.screen import Screen
from meja.notebook.page import folded, line, page, part, table, title, word_list
from meja.notebook.table import deal_parts
from meja.notebook.words import screen_of
from meja.record import DealRecord, Record
from meja.rules import Rules, value_text

#: How many deals are shown: those at the end.
_DEALS: Final = 60


def match_html(match: Match, language: Language) -> str:
    """The scores so far, and the deal in progress or the last one with all cards open."""
    screen = screen_of(match.rules, language, players=match.players)
    rows = [(deal.dealer, None if deal.void else deal.score()) for deal in match.deals]
    parts = [
        part(*_heading(screen, match.rules, len(match.deals), match.winners)),
        part(_scores(screen, rows, match.totals)),
    ]
    deal = match.deal if match.deal is not None else match.deals[-1] if match.deals else None
    if deal is not None:
        parts += [part(line(screen.heading(deal.view(None)))), *deal_parts(deal, screen)]
    return page(*parts)


def record_html(record: Record, language: Language) -> str:
    """The scores of a record, and each deal in words."""
    screen = screen_of(record.rules, language, players=record.players)
    finished = [deal for deal in record.deals if deal.void or deal.score is not None]
    totals = [0] * record.rules.seats
    for deal in finished:
        totals = [total + points for total, points in zip(totals, deal.score or (0,) * len(totals), strict=True)]
    rows = [(deal.dealer, deal.score) for deal in finished]
    first = max(0, len(record.deals) - _DEALS)
    deals = "".join(
        _recorded(screen, deal, number) for number, deal in enumerate(record.deals[first:], start=first + 1)
    )
    return page(
        part(*_heading(screen, record.rules, len(finished), record.winners)),
        part(_scores(screen, rows, totals)),
        *([part(deals)] if deals else []),
    )


def _heading(screen: Screen, rules: Rules, deals: int, winners: Sequence[int] | None) -> list[str]:
    say = screen.language.say
    state = say(
        screen.language.plural(
            deals, msg("{count} deal played.", count=deals), msg("{count} deals played.", count=deals)
        )
    )
    if winners is not None:
        names = ", ".join(screen.name(seat) for seat in winners)
        won = (
            msg("{name} has won the match.", name=names)
            if len(winners) == 1
            else msg("The match is shared by {names}.", names=names)
        )
        state = f"{state} {say(won)}"
    house = changed(rules, screen.language)
    return [title(say(rules.title), state), *([line(", ".join(house), quiet=True)] if house else [])]


def _scores(screen: Screen, deals: Sequence[tuple[int, Sequence[int] | None]], totals: Sequence[int]) -> str:
    """One row per deal, the totals at the end."""
    say = screen.language.say
    seats = range(len(totals))
    first = max(0, len(deals) - _DEALS)
    rows: list[list[object]] = [["…", *("" for _ in range(len(totals) + 1))]] if first else []
    for number, (dealer, score) in enumerate(deals[first:], start=first + 1):
        points: list[object] = [say(msg("void"))] * len(totals) if score is None else list(score)
        rows.append([number, screen.name(dealer), *points])
    head = [say(msg("Deal")), say(msg("Dealer")), *(screen.name(seat) for seat in seats)]
    return table(head, rows, [say(msg("Total")), "", *totals])


def _recorded(screen: Screen, deal: DealRecord, number: int) -> str:
    """A deal of a record: the hands as they were dealt, and what was done."""
    say = screen.language.say
    hands = [[screen.name(seat), screen.cards(hand)] for seat, hand in enumerate(deal.layout.hands)]
    if deal.layout.monte:
        hands.append([say(msg("Monte")), screen.cards(deal.layout.monte)])
    if deal.layout.upcard is not None:
        hands.append([capital(say(msg("the discard pile"))), screen.cards([deal.layout.upcard])])
    actions = len(deal.actions)
    head = msg("Deal {number}: {count} actions", number=number, count=actions)
    return folded(
        say(head),
        table([say(msg("Seat")), say(msg("Cards dealt"))], hands)
        + word_list(f"{seat} {text}" for seat, text in deal.actions),
    )


def rules_html(rules: Rules, language: Language) -> str:
    """The options of a game as they stand; what differs from the standard comes first."""
    say = language.say
    preset = rules.preset if rules.preset not in rules.preset_titles else say(rules.preset_titles[rules.preset])
    standard = type(rules).make(rules.seats)
    rows: list[list[str]] = []
    usual: list[list[str]] = []
    for name, option in rules.options().items():
        value = getattr(rules, name)
        text = value_text(value)
        words = choice_text(value, language)
        shown = [name, text, say(option.title) + ("" if words == text else f": {words}"), option.rule]
        (rows if value != getattr(standard, name) else usual).append(shown)
    head = [say(msg("Option")), say(msg("Value")), say(msg("Meaning")), say(msg("Rule"))]
    state = f"{say(msg('{n} players', n=rules.seats))}. {say(msg('Preset: {name}.', name=preset))}"
    parts = [part(title(say(rules.title), state), *(line(say(warning), quiet=True) for warning in rules.warnings()))]
    if rows:
        parts.append(part(table(head, rows, code=(0, 1))))
    others = msg("As usual: {count} options", count=len(usual))
    return page(*parts, part(folded(say(others), table(head, usual, code=(0, 1)))))
