"""What a match is about, and why a deal counted for nothing, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from meja.deal import Deal
from meja.messages import Message, msg
from meja.rules import Rules


def aim(rules: Rules) -> str:
    """Whether ``low`` or ``high`` totals are good."""
    return "low" if rules.low_wins else "high"


def aim_text(rules: Any) -> Message:
    """How the match is won, as one sentence (B6.3, C8.3, K9.1, S6.2)."""
    match rules.game:
        case "bassadewitz" if not rules.classic_pool:
            return msg("After {deals} deals the lowest total wins.", deals=rules.deals)
        case "kaluki":
            return msg("The first with {target} points or more wins.", target=rules.target)
        case "smear":
            template = _SMEAR[rules.win]
            return Message(template.template, target=rules.target)
        case "calabresella" if rules.target is not None:
            return msg("When somebody has {target} chips or more, the most chips win.", target=rules.target)
    return msg("After {deals} deals the most chips win.", deals=rules.deals)


_SMEAR: Final[Mapping[str, Message]] = {
    "bid_out": msg("Whoever makes a bid and then has {target} or more wins.", target=""),
    "strict_next_deal": msg("Whoever had {target} or more before a deal and makes a bid in it wins.", target=""),
    "bidder_first": msg("At {target} or more the bidder wins, else the highest total.", target=""),
    "count_order": msg("The first to reach {target} as the points are counted wins.", target=""),
}


def void_note(deal: Deal[Any]) -> Message | None:
    """Why a deal counts for nothing and who deals next; ``None`` for one that counts (B5.4, C3.5, K8.5, S3.5)."""
    if not deal.over or not deal.void:
        return None
    match deal.game:
        case "bassadewitz":
            return msg("All took equally many card points: the deal is void, and the same dealer deals again.")
        case "calabresella":
            return msg("Everybody passed: the deal is void, and the next dealer deals.")
        case "kaluki":
            return msg("The stock is used up: the deal is void, and the next player deals.")
    if deal.rules.all_pass == "redeal_same":
        return msg("Everybody passed: nobody scores, and the same dealer deals again.")
    return msg("Everybody passed: nobody scores, and the next dealer deals.")
