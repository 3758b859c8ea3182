"""Going through a record step by step with all hands open: for matches that are over."""

from __future__ import annotations

from typing import Any

import msgspec

from meja.deal import Deal
from meja.errors import RecordError
from meja.language import Language
from meja.messages import msg
from meja.narration.house_rules import changed
from meja.narration.screens import SCREENS
from meja.narration.style import Style
from meja.record import Record
from meja.table.people import LONGEST_NAME, clean
from meja.table.update import SheetOut, sheet, wire_view


class ReplayStep(msgspec.Struct):
    """One step: the action (``None``: the cards as dealt), its words, and what lies where after it."""

    action: str | None
    lines: list[str]
    view: dict[str, Any]


class Replay(msgspec.Struct):
    """One deal of a record, step by step."""

    game: str
    title: str
    players: list[str]
    rules: dict[str, Any]
    changed: list[str]
    deals: int
    deal: int
    dealer: int
    steps: list[ReplayStep]
    sheet: SheetOut | None
    scores: list[list[int] | None]
    totals: list[int]
    winners: list[int] | None
    fairness: dict[str, Any] | None
    finished: bool


def replay(record: Record, number: int, code: str) -> Replay:
    """Deal ``number`` (from 1) of a record that was checked, in a language; raises for one that is not there."""
    if not 1 <= number <= len(record.deals):
        raise RecordError(
            msg("the record has {count} deals; there is no deal {number}", count=len(record.deals), number=number)
        )
    language = Language(code)
    names = _names(record)
    screen = SCREENS[record.game](language, Style(signs=True), -1, dict(enumerate(names)))
    match = record.start()
    for index, recorded in enumerate(record.deals[: number - 1]):
        deal = record.start_deal(match, index)
        for _, text in recorded.actions:
            match.advance(deal.parse(text))
    deal = record.start_deal(match, number - 1)
    steps = [ReplayStep(None, [screen.heading(deal.view(None))], _open_view(deal))]
    for seat, text in record.deals[number - 1].actions:
        events = match.apply(deal.parse(text), seat)
        view = deal.view(None)
        lines = [line for event in events for line in screen.event(_all_seen(event), view)]
        steps.append(ReplayStep(f"{seat} {text}", lines, _open_view(deal)))
    return Replay(
        game=record.game,
        title=screen.say(record.rules.title),
        players=names,
        rules=record.rules.to_dict(),
        changed=changed(record.rules, language),
        deals=len(record.deals),
        deal=number,
        dealer=deal.dealer,
        steps=steps,
        sheet=sheet(deal, number, screen.say) if deal.over else None,
        scores=[None if made.score is None else list(made.score) for made in record.deals],
        totals=list(record.totals or ()) or _totals(record),
        winners=None if record.winners is None else list(record.winners),
        fairness=None if record.fairness is None else dict(record.fairness),
        finished=record.winners is not None,
    )


def _names(record: Record) -> list[str]:
    """What the players are called: bots have names at a table, which its records keep beside the format."""
    given = (record.meta or {}).get("names")
    fits = isinstance(given, list) and len(given) == len(record.players) and all(isinstance(n, str) for n in given)
    if fits:
        return [clean(name)[:LONGEST_NAME] or "?" for name in given or ()]
    return [clean(player.removeprefix("bot:"))[:LONGEST_NAME] or "?" for player in record.players]


def _totals(record: Record) -> list[int]:
    totals = [0] * len(record.players)
    for deal in record.deals:
        for seat, points in enumerate(deal.score or ()):
            totals[seat] += points
    return totals


def _all_seen(event: Any) -> dict[str, Any]:
    """An event with what single seats saw: the match is over, everything is open."""
    seen: dict[str, Any] = event.seen_by(None)
    for private in event.private.values():
        seen.update(private)
    return seen


def _open_view(deal: Deal[Any]) -> dict[str, Any]:
    seen = wire_view(deal.view(None))
    seen["hands"] = [wire_hand(deal, seat) for seat in range(deal.rules.seats)]
    return seen


def wire_hand(deal: Deal[Any], seat: int) -> list[str]:
    """The cards of a seat, sorted, as texts."""
    hand: list[str] = deal.view(seat).to_dict()["hand"].split()
    return hand
