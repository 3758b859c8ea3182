"""Many episodes of a trick game side by side on the kernels.

The rules deal, bid and exchange, play the last card of every deal and count its score; in between the cards are played
and observed in masks (:mod:`meja.search.trick_planes`). Before the last card the rules are told what was played. So the
numbers of the match come from the rules alone, and observations and masks are those of the encodings, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meja.cards import BIT, Rng, mask_of
from meja.envs.core import Options, Session
from meja.envs.encoding import Encoding, encoding
from meja.envs.trick_codes import CALLS, BassadewitzEncoding, CalabresellaEncoding, SmearEncoding, TrickEncoding
from meja.errors import MejaError
from meja.games import new_match
from meja.games.calabresella import DISCARD, NONE
from meja.games.tricks import ARGUMENT, VERB
from meja.messages import msg
from meja.rules import Rules
from meja.search import trick_planes
from meja.search.trick_planes import Shape, TrickPlanes
from meja.search.tricks import Tricks, position

#: Marks in the planes what a game adds to those of all trick games.
Marker = Callable[[TrickPlanes, Any], None]


class TrickRows:
    """The backend of trick games on the kernels: one session per row, which the kernel runs ahead of.

    Raises :class:`~meja.errors.MejaError` for a game in which no tricks are taken.
    """

    def __init__(self, options: Options, rows: int) -> None:
        codes = encoding(options.rules)
        if not isinstance(codes, TrickEncoding):
            raise MejaError(msg("{game} is not a trick game", game=options.rules.game))
        self.codes: Encoding = codes
        self._codes = codes
        self._sessions = [Session(options, codes.fresh()) for _ in range(rows)]
        self._prepare()

    def _prepare(self) -> None:
        """Make what is not copied and pickled."""
        codes = self._codes
        starts = {plane.name: plane.start for plane in codes.planes}
        shape = Shape(starts, codes.cards, len(codes.words), codes.tricks + codes.spare, codes.points, codes.tricks)
        model = _model(codes.rules)
        self._rows = [TrickPlanes(shape, model) for _ in self._sessions]
        self._mark = _marker(codes, starts)

    def __getstate__(self) -> dict[str, Any]:
        return {"codes": self.codes, "_codes": self._codes, "_sessions": self.sessions}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()
        for row, session in enumerate(self._sessions):
            if session.to_act is not None:
                self._load(row)

    @property
    def sessions(self) -> list[Session]:
        """The sessions of the rows, told of all that was played so far."""
        for row, session in zip(self._rows, self._sessions, strict=True):
            for card in row.cards_played():
                session.act(card)
        return self._sessions

    def _load(self, row: int) -> None:
        """Take over the deal of a session as it stands."""
        deal: Any = self._sessions[row].deal
        codes, planes = self._codes, self._rows[row]
        plays = deal.plays()
        hands = deal.hands
        if plays:
            hands = hands[:]
            for seat, card in plays:
                hands[seat] |= BIT[card]
        totals, before = codes.course(deal.context)
        phase = deal.phase
        planes.start(deal, hands, codes.phases.index(phase), totals, before)
        if phase == "play":
            planes.begin_play(plays[0][0] if plays else deal.leader)
        else:
            for action in deal.legal_actions():
                planes.allow(codes.number_of[action])
        if self._mark is not None:
            self._mark(planes, deal)
        for _, card in plays:
            planes.play(card)
        # The rules have seen these.
        planes.cards_played()

    # -- as a backend -------------------------------------------------------------

    def reset(self, row: int, seed: int | None) -> None:
        """Begin an episode."""
        self._sessions[row].reset(seed)
        self._load(row)

    def observe(self, out: NDArray[np.float32]) -> None:
        """The observations of the seats to act."""
        trick_planes.observe(self._rows, out.reshape(-1).data, out.shape[1])

    def masks(self, out: NDArray[np.int8]) -> None:
        """The masks of the seats to act."""
        trick_planes.masks(self._rows, out.reshape(-1).data, out.shape[1])

    def seats(self, out: NDArray[np.int64]) -> None:
        """The seats to act."""
        trick_planes.seats(self._rows, out.data)

    def step(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """One decision per row."""
        for row in trick_planes.step(self._rows, actions.data):
            session = self._sessions[row]
            deal: Any = session.match.deal
            for card in self._rows[row].cards_played():
                deal.advance(card)
            _, action = self.codes.take(None, (), int(actions[row]))
            paid = session.act(action)
            if paid is not session.nothing:
                rewards[row] = paid
                done[row] = session.over
                truncated[row] = session.truncated
            if session.to_act is not None:
                self._load(row)


@lru_cache(maxsize=64)
def _model(rules: Rules) -> Tricks:
    """A position of these rules before its first card: whose does not matter."""
    rng = Rng(1)
    while True:
        deal: Any = new_match(rules, dealer=0).next_deal(rng)
        while deal.to_act is not None and deal.phase != "play":
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is not None:
            return position(deal)


def _marker(codes: TrickEncoding, starts: dict[str, int]) -> Marker | None:
    """What marks the planes that a game adds."""
    if isinstance(codes, SmearEncoding):
        return _smear(starts, codes.rules.seats)
    if isinstance(codes, CalabresellaEncoding):
        return _calabresella(starts, codes.rules.seats)
    assert isinstance(codes, BassadewitzEncoding)
    return None


def _smear(starts: dict[str, int], seats: int) -> Marker:
    """The auction; the kernel knows the trump itself."""
    bid, bidder, calls_at = starts["bid"], starts["bidder"], starts["calls"]

    def mark(planes: TrickPlanes, deal: Any) -> None:
        planes.mark(bid + deal.bid)
        if deal.bidder >= 0:
            planes.mark_seat(bidder, 1, deal.bidder)
        calls = [0] * seats
        for seat, number in deal.calls():
            calls[seat] = number + 1
        for seat, call in enumerate(calls):
            planes.mark_seat(calls_at + call, 6, seat)

    return mark


def _calabresella(starts: dict[str, int], seats: int) -> Marker:
    """The auction, the exchange, and what each seat knows of the monte."""
    contract, bidder, raised, calls_at = (starts[name] for name in ("contract", "bidder", "raise", "calls"))
    called, giver, given, shown = (starts[name] for name in ("called", "giver", "given", "shown"))
    picked, laid_at = starts["picked_up"], starts["laid"]
    wide = (called - calls_at) // seats

    def mark(planes: TrickPlanes, deal: Any) -> None:
        planes.mark(contract + deal.contract)
        if deal.bidder != NONE:
            planes.mark_seat(bidder, 1, deal.bidder)
        planes.mark(raised + (0 if deal.raised == NONE else deal.raised + 1))
        calls, laid = [0] * seats, [0] * seats
        for seat, action in deal.actions():
            if action in CALLS:
                calls[seat] = CALLS[action]
            elif action >> VERB == DISCARD:
                laid[seat] |= BIT[action & ARGUMENT]
        for seat, call in enumerate(calls):
            planes.mark_seat(calls_at + call, wide, seat)
        if deal.called != NONE:
            planes.mark_card(called, deal.called)
        if deal.giver != NONE:
            planes.mark_seat(giver, 1, deal.giver)
        if deal.given != NONE:
            planes.mark_card(given, deal.given)
        if deal.exchanges:
            if deal.is_shown():
                for card in deal.dealt_monte:
                    planes.mark_card(shown, card)
            planes.mark_own(picked, [mask_of(deal.picked_up(seat)) for seat in range(seats)])
            planes.mark_own(laid_at, laid)

    return mark


def plays(rules: Rules) -> bool:
    """Whether the kernel plays the game of these rules."""
    return rules.game in (BassadewitzEncoding.game, CalabresellaEncoding.game, SmearEncoding.game)


__all__ = ["TrickRows", "plays"]
