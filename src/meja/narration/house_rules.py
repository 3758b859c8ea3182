"""House rules in words: what differs from the standard, and what each value of an option means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from meja.language import Language
from meja.messages import Message, msg
from meja.rules import STANDARD, Rules, value_text


def changed(rules: Rules, language: Language) -> list[str]:
    """What differs from the standard, one sentence each: the preset by its title, options with their value."""
    values = rules.to_dict()
    preset = str(values.pop("preset"))
    titles = [] if preset == STANDARD else [language.say(rules.preset_titles[preset])]
    for name, value in values.items():
        title = language.say(rules.options()[name].title)
        titles.append(title if value is True else f"{title}: {choice_text(value, language)}")
    return titles


def choice_text(value: Any, language: Language) -> str:
    """An option's value in words."""
    if value is True:
        return language.say(msg("yes"))
    if value is False:
        return language.say(msg("no"))
    if value is None:
        return language.say(msg("none"))
    known = _CHOICES.get(value) if isinstance(value, str) else None
    return value_text(value) if known is None else language.say(known)


_CHOICES: Final[Mapping[str, Message]] = {
    "cw": msg("clockwise"),
    "ccw": msg("anticlockwise"),
    "standard": msg("standard"),
    "single_round": msg("one round"),
    "reentry": msg("with coming back"),
    "any": msg("any"),
    "threes_first": msg("threes first"),
    "chiamo": msg("in Chiamo"),
    "both": msg("in Chiamo and Solo"),
    "off": msg("off"),
    "tressette": msg("as in Tressette"),
    "forehand": msg("forehand"),
    "bidder": msg("the bidder"),
    "single": msg("one meld"),
    "total": msg("all melds together"),
    "11_high_1_low": msg("11 high, 1 low"),
    "others": msg("from melds of others"),
    "immediate": msg("at once"),
    "free": msg("free"),
    "must_use": msg("must be used"),
    "shuffle": msg("shuffled again"),
    "turn_over": msg("turned over"),
    "end": msg("the deal ends"),
    "25_each": msg("25 from each"),
    "double": msg("doubled"),
    "highest_in_play": msg("the highest in play"),
    "ace_only": msg("only the ace"),
    "holder": msg("the one who held it"),
    "taker": msg("the one who takes it"),
    "redeal_same": msg("dealt again by the same dealer"),
    "redeal_next": msg("dealt again by the next dealer"),
    "dealer_two": msg("the dealer must bid"),
    "dealer_minus_two": msg("the dealer loses 2"),
    "bid_out": msg("by bidding out"),
    "strict_next_deal": msg("one deal later"),
    "bidder_first": msg("the bidder first"),
    "count_order": msg("in the order of counting"),
    "win_game": msg("wins the match"),
    "none": msg("none"),
}
