"""Score sheets in words."""

from __future__ import annotations

from typing import Any

from meja.match import Match
from meja.messages import SeatWord, msg
from meja.narration.screen import Screen


def deal_lines(screen: Screen, match: Match) -> list[str]:
    """The score sheet of the last deal: one line per reason with its rule number, then the totals."""
    deal = match.deals[-1]
    lines = [screen.style.title(screen.say(msg("Score of deal {number}", number=len(match.deals))))]
    if deal.void:
        lines.append(screen.say(msg("This deal is void: nobody scores.")))
    else:
        for line in deal.score_sheet():
            lines.append(
                screen.say(
                    msg(
                        "{seat} {points}: {reason} (rule {rule})",
                        seat=SeatWord(line.seat),
                        points=f"{line.points:+d}",
                        reason=line.reason,
                        rule=line.rule,
                    )
                )
            )
        if len({(line.seat) for line in deal.score_sheet()}) < len(deal.score_sheet()):
            lines += screen.style.listed(screen.say(msg("This deal:")), _signed(screen, deal.score()))
    return [*lines, *totals_lines(screen, match)]


def totals_lines(screen: Screen, match: Match) -> list[str]:
    """The totals of all seats, and whether high or low ones are good where that needs saying."""
    items = screen.points(match.totals)
    aim = screen.aim(match.rules)
    if aim is not None:
        items[-1] += f" ({screen.language.say(aim)})"
    return screen.style.listed(screen.say(msg("Totals:")), items)


def score_lines(screen: Screen, match: Match) -> list[str]:
    """The scores of the match so far, deal by deal."""
    lines = []
    for number, deal in enumerate(match.deals):
        head = screen.say(msg("Deal {number}:", number=number + 1))
        if deal.void:
            lines.append(f"{head} {screen.language.say(msg('void'))}")
        else:
            lines += screen.style.listed(head, _signed(screen, deal.score()))
    if not lines:
        lines.append(screen.say(msg("No deal has been finished yet.")))
    return [*lines, *totals_lines(screen, match)]


def end_lines(screen: Screen, match: Match) -> list[str]:
    """Who has won."""
    winners = match.winners or ()
    if len(winners) == 1:
        text = screen.both(
            winners[0], msg("You have won the match!"), msg("{seat} has won the match.", seat=SeatWord(winners[0]))
        )
    else:
        names = ", ".join(screen.name(seat) for seat in winners)
        text = screen.say(msg("The match is shared by {names}.", names=names))
    # The totals stand right above, on the sheet of the last deal.
    return ["", screen.style.title(text)]


def _signed(screen: Screen, points: Any) -> list[str]:
    return [f"{screen.name(seat)} {value:+d}" for seat, value in enumerate(points)]
